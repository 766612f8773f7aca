"""The named parts of French refusals: who speaks, how evidence is called, what is known or told."""

PIECES = {
    "the": r"""
        (l'|\b(le|la|les|ce|cet|cette|ces|votre|vos|mon|ma|mes|notre|nos|du|des|au|aux|aucune?|un|une\
            |tous les|toutes les)( ))
    """,
    "evidence": r"""
        (contextes?|documents?|textes?|passages?|sources?|extraits?|matériel|matériaux|manuels?|guides?\
            |documentation|articles?
        bases? (de connaissances?|documentaires?|de données)|fichiers?|contenus?|paragraphes?|éléments|corpus\
            |rapports?|références?
        (informations?|données)(?= (fourni|disponible|donné|mis|contenu|présent|à (ma|votre)|dont|transmis\
            |récupéré|que))
        résultats( de( la)? recherche)?|sections?|pages?|supports?|pièces)\b
    """,
    "source": r"<the>([\w-]+ ){0,2}?<evidence>",
    "more_about_it": r"""
        ( (que|qui (m'|vous|nous|ont|a)|fourni\w*|donné\w*|récupéré\w*|disponibles?|mise?s?|ci-dessus|dont|de\
            |du|des|d'\w+|sur|à|en
        consulté\w*|trouvé\w*|transmise?s?|cité\w*|partagé\w*|fournissant|présent\w*)\b( [\w'¤-]+){0,6}?)?
    """,
    "subject": r"<source><more_about_it>",
    "in_source": r"""
        (dans|par|à partir|d'après|selon|avec|au sein|sur( la)? base|en se basant sur|à l'aide|de|parmi\
            |depuis|sur|à la lecture)( de)? ?<source>
        (du|des|au|aux) ([\w-]+ ){0,2}?<evidence>
    """,
    "adverb": r"((donc|vraiment|toujours|tout à fait|encore|hélas|en fait|non plus|pas|\w+ment)( )){0,4}",
    "none": r"(pas|aucune?|rien|nulle part|guère|jamais|point)\b",
    "says": r"""
        (mentionn|précis|indiqu|di(t|sent)|parl|abord|trait|évoqu|spécifi|répond|donn|fourni|expliqu|décri\
            |détaill|nomm|cit|révèl
        permet|fait|font|couvr|clarifi|stipul|défini|énonc|apport|renseign|suffi|concern|se prononc|présent\
            |offr|comport|contienn\w*
        contient|inclu|identifi|référen|évoqu|rapport|relat|livr|désign|expos)
    """,
    "speaks": r"""
        (mentionn|indiqu|di(t|sent)|parl|abord|trait|évoqu|décri|présent|donn|fourni|contien|cit|expliqu|port\
            |concern)\w*
    """,
    "says_anything": r"""
        (mentionn|précis|indiqu|di(t|sent)|parl|abord|évoqu|spécifi|répond|expliqu|décri|détaill|nomm|cit\
            |révèl|donn|traite(nt)?\b
        clarifi|énonc|renseign|se prononc|suffi|identifi|stipul|permet(tent)? (\w+ )?d|fait (\w+ )?(mention\
            |référence|état|allusion)
        font (\w+ )?(mention|référence|état|allusion)|couvr|désign|relat)
    """,
    "holds": r"""
        (contien\w*|comport\w*|fourni\w*|donn\w*|offr\w*|inclu\w*|a\b|ont\b|apport\w*|présent\w*|propos\w*\
            |livr\w*)
    """,
    "some": r"""
        ((assez|suffisamment|de|d'|des|du|la|le|les|l'|une?|aucune?|cette|ces|ce|plus|toutes?|nécessaires?\
            |suffisante?s?|pertinente?s?
        précise?s?|spécifiques?|explicites?|claire?s?|directe?s?|autres?|telles?|quelconques?)(?<=')? ?){0,4}
    """,
    "info": r"""
        (informations?|infos?|détails?|réponses?|mentions?|éléments?|précisions?|indications?|renseignements?\
            |références?|indices?
        explications?|contexte|contenu|connaissances?|preuves?|accès|documents?|résultats?|traces?|sources?
        données(?= (suffi|nécess|pertin|sur|à ce|concern|relativ|dispon|pour|perm)| ?$))\b
    """,
    "wh": r"""
        (qui|que|quoi|quand|où|comment|pourquoi|quel\w*|si|combien|ce (que|qui|qu')|lequel|laquelle|à qui\
            |de qui|d'où)\b
    """,
    "told": r"""
        (mentionn|précis|indiqu|dit|spécifi|donn|fourni|évoqu|décrit|détaill|nomm|cit|présent|disponible\
            |trouv|inclus|révél|abord
        traité|expliqu|défini|clair|répond|identifi|déduir|détermin|contenu|figur|renseign|énonc|connu\
            |communiqu|établi|couvert)\w*
    """,
    "is_not": r"""
        (n'(est|a|ont|était|y est|apparaît|apparaissent|y)|ne (sont|figure\w*|se trouve\w*|peu\w+|semble\w*\
            |paraît|permet\w*|s'y trouve|s'y|ressort\w*))( )<adverb>
    """,
    "cannot": r"""
        je (ne )?(peux|puis|pourrai|pourrais|pouvais|saurais|parviens|arrive|souhaite|veux|dois|vais\
            |peut)( )<adverb>(pas |guère )<adverb>(à )?
        je n'(arrive|ai)( )<adverb>(pas |rien )<adverb>(pu |réussi à |été en mesure de |su |le droit de \
            |la possibilité de |à )?
        je ne suis( )<adverb>pas( )<adverb>(en mesure|capable|autorisée?|habilitée?|en capacité|qualifiée?\
            |censée?|conçue? pour|apte)( de| d'| à)?( )?
        il (ne )?m'est( )<adverb>(impossible|pas possible|pas permis|interdit|difficile)( )<adverb>(de |d')
    """,
    "answer_verb": r"""
        (vous |te |y |en |le |la |les |lui |me |m'|l'|t'|d'){0,4}(répondre|répondu|aid\w+|assist\w+|dire|dit\
            |détermin\w+|confirm\w+|fourni\w*|donn\w+|partag\w+
        divulgu\w+|discut\w+|trait\w+|trouv\w+|identifi\w+|accéd\w+|satisf\w+|faire (cela|ça|ce)|rédig\w+\
            |écri\w+|crée\w*|génér\w+|poser|établi\w*
        précis\w+|affirm\w+|conclu\w+|communiqu\w+|révél\w+|conseill\w+|prodigu\w+|émett\w+|formul\w+\
            |particip\w+|exécut\w+|localis\w+
        vérifi\w+|indiqu\w+|savoir|su\b|déduire|commenter|offrir|proposer|apporter|accompagn\w+|expliquer\
            |diagnostiqu\w+|exprim\w+|transmettre
        effectuer|réalis\w+|acc[eé]d\w+|renseign\w+|donner suite|contourner|repérer|obtenir|proc[eé]d\w+\
            |me prononcer|certifi\w+|garanti\w+)
    """,
    "no_figure": r"(?!.*\d)",
    "lead": r"(?!(si|ceux|celui|quiconque|lorsque|quand|oui|non)\b)[^,;]{1,110}? ",
}
