"""How French declines: "je ne sais pas", "le texte ne précise pas", "aucune information n'est disponible"."""

from ragproof.metrics.robustness.refusal_languages.french_pieces import PIECES
from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook

_REFUSALS = {
    "says that it does not know": r"""
        (je |j'|on )?(ne )?sais( vraiment| absolument| malheureusement)? pas($|[,;:]| (<wh>|exactement\
            |précisément|avec|cela|ce|la|à|comment|d'après))
        je (l'|n'en )(ignore|sais rien)|j'ignore (<wh>|la |le |les |cel|tout|malheur)
        je n'(ai|en ai)( )<adverb>(pas|aucune?|pas la moindre|pas de)( )<adverb>(la )?(<some>)(<info>|idée\
            |moyen|certitude|opinions?|avis|données)
        je ne (dispose|possède|détiens|connais|trouve|vois|suis)( )<adverb>(pas|d'aucune?|aucune?\
            |rien)\b( )?<adverb>(au courant|(toutes? )?<some>(<info>|cette|cel|la réponse)|dans|sûre?\
            |certaine?|informée?|$)
        je (ne |n'en )suis( )<adverb>(sûre?|certaine?)\b|aucune idée$
        nous (n'avons|ne disposons|ne possédons)( )<adverb>(pas|d'aucune?|aucune?)\b( )?<some><info>
        (cela|ça|ce point|ceci)( )(m'est|ne m'est pas|nous est)( )(inconnue?|connue?)\
            |je n'ai( )<adverb>pas( )(de |d'|les |ces |cette |ce |la )?(données|informations?)
        je manque (d'|de )<some><info>|il me manque\b.{0,40}<info>
    """,
    "could not find or determine it": r"""
        ((sans|avec|à partir|selon|d'après|compte tenu|vu|sur la base) [^,;]{1,60} )?<cannot><answer_verb>
        je ne (trouve|vois|connais)( )<adverb>.{0,40}?(rien|aucun|nulle part)|rien n'(est|a\
            |y)\b.{0,60}?<in_source>|rien (n'y|n'est|ne s'y)\b
        je suis (dans l'(incapacité|impossibilité)|incapable)( )(de |d')
        nous n'(avons|en avons)( )<adverb>(rien|pas|aucune?)( )(pu )?(\w+ )?(trouvé|identifié|trouver\
            |localisé)
        (de |d')?ne (pas |point )?(pouvoir|être en mesure|savoir|parvenir|disposer|trouver)\b
        je n'ai( )<adverb>(rien|pas|aucune?)( )(\w+ )?(trouvé|vu|pu trouver|repéré|identifié)
        (nous|on) ne (pouvons|peut)( )<adverb>pas <answer_verb>.{0,60}?(question|<in_source>)
        (impossible|incapable) (de|à|d') ?<answer_verb>\b.{0,100}?($|<in_source>|question)
        je n'y (trouve|vois)\b
    """,
    "the source does not say": r"""
        <subject> (ne |n'y |n')<adverb>(le |la |les |l'|en |y |me |nous |vous ){0,4}<says_anything>
        <subject> (ne |n')<adverb>(<holds>|renferm\w*|dispos\w*) ?<adverb><some><info>
        <the>([\w-]+ ){0,2}?(contexte|passages?|extraits?|(informations|données))\b<more_about_it> (ne \
            |n')<adverb><says>
        <subject> (est|sont|reste|restent|demeurent?|s'avèrent?)( )<adverb>(insuffisant|muet|silencieu|vague\
            |ambigu|flou)
        <subject> (manque\w*|omet\w*)( de| d')|<subject> passent? .{0,30}sous silence
        <subject> (n'est|ne sont|ne semble\w*)( )<adverb>(assez |suffisamment )?(suffisant|clair|explicite\
            |précis|détaillé|complet|pertinent|lié|en rapport|en lien)
        <subject> (ne |n')<adverb><holds> ?<adverb>rien\b
        (aucune?|ni l'une?|nul)( des?| de ces| de vos)? ?([\w-]+ ){0,2}?<evidence><more_about_it> (ne|n'y\
            |n') ?<says>
        rien (dans|de|parmi)\b.{0,60}<evidence>|nulle part (dans|ailleurs)?\b.{0,40}<evidence>
    """,
    "it is not in the source": r"""
        <lead><is_not>(<told> )?<none>.{0,60}?<in_source>
        <in_source>[^;]{0,80}?<is_not><none>.{0,30}?<told>
        <lead>n'(est|a|ont|était)( )<adverb>(pas|nulle part|jamais)( )<adverb>(été )?(mentionn|précis|spécifi\
            |indiqu)\w+$
        il n'est( )<adverb>(pas )?(dit|précisé|mentionné|indiqué|spécifié)( )(<wh>|si|qu)
        (la|cette|votre) question (est|reste|demeure) (sans réponse|ouverte)
        <in_source>,? ?(il n'est|on ne|rien ne|rien n'|aucun)\b
        (il|cela|ce) n'est( )<adverb>(pas )?(mentionn|précis|spécifi|indiqu|dit|clair\
            |possible)\w*.{0,100}?<in_source>
        (non|pas) <told> ?<in_source>
        (la |cette )?(réponse|information|question)\b.{0,60}? (n'est|ne (figure|se trouve|peut|fait|trouve\
            |permet)|n'(a|apparaît|existe))( )<adverb>(pas|aucune?)\b
        <lead>((est|sont) (absente?s?|introuvables?)|manque\w*(?= dans)) (de|du|des|dans)\b.{0,40}<evidence>
    """,
    "it is not possible to tell": r"""
        il (est|serait|semble|paraît|n'est|ne m'est)( )<adverb>(impossible|difficile|possible)( )<adverb>(de \
            |d')<answer_verb>.{0,120}?(<in_source>|question|y répondre)
        <in_source><more_about_it>,? (il (est|n'est|m'est)|on ne (peut|sait)|impossible)\b
        on ne (peut|sait|trouve)( )<adverb>.{0,80}?<in_source>
    """,
    "there is no information": r"""
        (il (n'y a|n'existe|ne figure|n'est fait)|on ne trouve|je ne (vois|trouve))( )<adverb>(pas|aucune?\
            |nulle)?( )?<adverb><some><info>($| (sur|à|dans|concernant|pour|relativ|disponible|permettant\
            |pertinent|suffisant|au|du|des|de|quant|d'|qui)|,)
        (aucune?|pas (assez )?d[e']) ?<some><info>( [^,;]{1,90}?)? (n'est|n'a|ne (figure|se|permet)\
            |n'apparaît|disponible|trouvée?|fournie?|n'y|n'existe)\b.{0,20}?(disponible|fourni|donn|trouv\
            |mentionn|présent|indiqu|figur|précis|permet|dans|existe|$)
        aucune? (donnée|information|réponse|précision) ([\w'à-]+ ){0,4}?n'(est|a)( )
        (aucune?|pas (assez )?d[e']) ?<some><info>( .{1,60}?)?<in_source>
        (informations?|réponses?|données?) (non|pas|in)( )?(trouvé|disponible|fourni|précisé|mentionné\
            |présent|indiqué|donné)
        les? (informations?|éléments|données)\b.{0,60}? (ne (suffisent|permettent|sont)|sont (insuffisant\
            |absent|manquant)|n'est|est (absente|manquante|indisponible))
    """,
    "nothing was retrieved": r"""
        aucune? ([\w-]+ )?(documents?|résultats?|passages?|extraits?|sources?|contenus?\
            |articles?)( [\w-]+){0,2}( n'a| n'ont)?( été)? (trouvé|récupéré|retourné|identifié|renvoyé)
        (la|ma|votre) recherche (n'a|ne)\b.{0,30}?(donné|renvoyé|retourn|trouv|abouti|rien|aucun)
    """,
    "declines by policy": r"""
        je (dois|me dois|suis (contraint|obligé|tenu|dans l'obligation)e?( de)?\
            |suis au regret)( )<adverb>(de |d')?(refus\w+|déclin\w+|m'abstenir|rejeter)
        je (ne vous |ne |n')(aiderai|répondrai|fournirai|donnerai|écrirai|partagerai|peux|ferai\
            |assisterai) pas\b
        je (refuse|décline|préfère ne pas|m'abstiens|ne (donne|fournis|partage|propose|prodigue|discute))\b
        (cela|cette (demande|question)|votre (demande|question)|ce sujet|ça)\b.{0,20}?(sort|dépasse|n'entre\
            |ne relève|est contraire|va à l'encontre|enfreint|est en dehors|ne fait pas partie|viole)
        (cette|votre|la) (demande|requête|question) ne peut( )<adverb>(pas )?être( )<adverb>(satisfaite\
            |traitée|exécutée|honorée|réalisée|acceptée)
        ce n'est pas (quelque chose|un sujet|une (demande|question)|dans mes)
        nous ne pouvons( )<adverb>pas (répondre|vous aider|donner suite) (à|pour|avec) (cette|votre|ce)
        je ne suis( )<adverb>pas (à l'aise|là pour|qualifiée?|compétente?|habilitée?|autorisée?|formée?)
    """,
}

_WHOLE_SENTENCE = {
    "the source speaks of something else": r"""
        <subject> <speaks>[^,.;\d]{0,120},? (mais|cependant|toutefois|sans)( (il|elle|ils|elles))? (ne|n'\
            |préciser|indiquer|mentionner|dire)(?!.*, mais)
        (bien que|quoique|même si|alors que|si) (<subject>|il|elle|j)[^,;\d]{0,140}, (il|elle|ils|elles|cela\
            |rien|aucun|je|on|<the>)[^,;]{0,40}?(ne|n'|rien|aucun).{0,100}$
    """,
}

_OPENERS = r"""
    (je suis |nous sommes )?((vraiment|sincèrement|profondément|sincèrement) )?(désolée?s?|navrée?s?\
        |au regret)\b,? ?(mais |de vous (dire|informer) que |de ne )?
    (toutes )?(mes|nos) excuses|(veuillez m'|excusez[- ]moi|pardon(nez-moi)?|je vous prie de m'excuser\
        |je m'excuse|excuser?)\b,? ?(mais )?
    (malheureusement|hélas|je (regrette|crains|pense|crois|constate|dois (dire|avouer)),?( que| qu')?\
        |honnêtement|actuellement|cependant|toutefois|néanmoins|en effet|à vrai dire|pour le moment|en l'état\
        |donc|ainsi|bonjour|et|mais|or|apparemment|également|par conséquent|merci( pour (votre|la\
        |ta) (question|demande|message))?)\b,? ?
    (d'après|selon|dans|sur|à|en|après|au|aux|compte tenu|avec|étant donné|pour|concernant|parmi|par|comme\
        |suite|puisque|sans|malgré|quant|vu|faute)\b[^,;]{2,140}, ?
    en tant (que|qu')[^,;]{1,50}?,? (?=je )
    il (semble|apparaît|semblerait|est à noter|convient de noter)( donc)? (que |qu')
    (la )?réponse( est)?\b[,:]? ?
"""

_COURTESIES = r"""
    (je suis |nous sommes )?(vraiment |sincèrement )?(désolée?s?|navrée?s?)[^,;]{0,50}$|(toutes )?(mes\
        |nos) excuses[^,;]{0,50}$|excusez-moi[^,;]{0,40}$
    n'hésitez pas|veuillez|merci|si <no_figure>|s'il vous|(pourriez|pouvez|souhaitez|voulez|avez|auriez|peux\
        |pourrais|souhaites|veux|as)[- ](vous|tu)|puis-je|y a-t-il|est-ce que
    (je|nous) (vous )?(recommand|conseill|suggèr|invit|encourag|peux (toutefois|cependant|vous aider\
        |uniquement|seulement|par contre|néanmoins|vous|en revanche|chercher)|ser(ai|ais|ons) (heureu|ravi)\
        |reste|peux|aurais besoin|ai besoin|pourrai)
    (essayez|contactez|consultez|vérifiez|reformulez|adressez|demandez|voyez|précisez|fournissez|référez\
        |rapprochez|posez|tentez|essaie|consulte|contacte|reformule)\b
    pour <no_figure>(plus|de plus|obtenir|toute?s?|en savoir|répondre|cela|une|des|cette|ce|connaître|pouvoir\
        |avoir|que|vous)\b
    vous (pouvez|pourriez|devriez|devez|trouverez|pourrez|auriez)\b.{0,40}?(contact|consult|vérifi|adress\
        |trouver|reformul|essay|fourni|précis|demand|cherch|pos|préciser|vous|obtenir|envoy|partag)
    <no_figure>(il|cela|elle|ça) (serait|faudrait|est (préférable|conseillé|recommandé|possible|probable)\
        |se peut|vaut|pourrait|peut)
    <no_figure>(j'ai|nous avons) (\w+ )?(consulté|parcouru|examiné|vérifié|cherché|lu|analysé|recherché)
    <no_figure>(<subject>|ils|elles|il|elle|ceux-ci|celui-ci) (ne )?(traite\w*|porte\w*|concerne\w*|parle\w*\
        |évoque\w*|aborde\w*|mentionne\w*|décri\w*|se (limite|concentre|rapporte)\w*|se contente\w*)
    (en tant (que|qu')|je suis (un|une|conçu|là|uniquement|seulement)|mes (connaissances|réponses|sources\
        |capacités)|ma (mission|fonction|formation))\b
    <no_figure>(sans|davantage|des|d'autres|plus) (plus |autres? |d'|de ){0,4}(informations?|contexte\
        |détails?|précisions?|éléments)
    (le service|les ressources humaines|un (médecin|avocat|professionnel|expert)|votre (médecin|responsable\
        |manager))\b.{0,50}?(pourr|peut|saura|sauront)
    (j'aimerais|je (souhaiterais|voudrais|serais ravie?|serais heureu\w+))\b[^,;]{0,60}$|j'ai (cherché\
        |regardé|parcouru)\b<no_figure>
    <no_figure>(cette|ces|ce|c'est|cela)\b[^,;]{0,40}(est|sont) (confidentiel|privé|sensible|protégé\
        |personnel|secr)
    <no_figure>(il|elle|ils|elles)? ?(ne )?(traite|parle|porte|mentionne|aborde|concerne)\w* (que|qu'\
        |seulement|uniquement|exclusivement)
    (sources?|réponse|références?|raison)($| ?:)|bonne (journée|continuation)|cordialement|j'espère
"""

PHRASEBOOK = Phrasebook(
    cues=r"""
        \b(ne|non|pas|rien|aucune?|ni|sans|ignore|inconnue?|impossible|incapable|incapacité|impossibilité\
            |encontre|refuse\w*|déclin\w+|insuffisant\w*|indisponible
        manque\w*|muets?|silence|introuvables?|absente?s?|indéterminé\w*|nulle|abstenir|rejeter|dépasse\
            |omet\w*|vagues?|flou\w*
        contraire|enfreint|sort|viole|m'abstiens|ambigu\w*|silencieu\w+|nsp)\b|\bn'
    """,
    labels="""
        information non disponible|informations non disponibles|non disponible|indisponible|non précisé
        non précisée|non mentionné
        non mentionnée|non spécifié|non spécifiée|non indiqué|non renseigné|inconnu|inconnue|sans réponse
        pas de réponse
        aucune réponse|aucune réponse trouvée|réponse introuvable|réponse inconnue|aucune information
        aucune information disponible
        aucune information trouvée|pas d'information|pas d'informations|pas assez d'informations
        pas assez d'information
        information insuffisante|informations insuffisantes|contexte insuffisant|information introuvable
        aucun résultat
        aucun résultat trouvé|aucune donnée|non applicable|indéterminé|je ne sais pas|sans objet|s/o|nsp
        pas de données|introuvable
        pas d'information disponible|sans information|aucun document trouvé|aucun document pertinent
        données insuffisantes
        ne sait pas|réponse non trouvée|impossible à déterminer|impossible de répondre|pas mentionné
        information manquante
        question sans réponse|non trouvé|aucune idée
    """,
    pieces=PIECES,
    refusals=_REFUSALS,
    whole_sentence=_WHOLE_SENTENCE,
    openers=_OPENERS,
    courtesies=_COURTESIES,
    answers=r"""
        (oui|non|si|exact|exactement|vrai|faux|effectivement|tout à fait|correct)([,;:!]| -)
        (il n'(y a|existe) )?(pas|aucune?)( de| d')? ?(preuves?|doutes?|raison)\b(?!.*<in_source>)
        je ne (sais|connais) pas (de|d')|je ne connais aucune?
        je ne (peux|saurais) .{0,80}\b(assez|trop)\b
        .{0,200}\b(sauf|hormis|excepté|à l'exception|si ce n'est|en dehors de)\b.{0,80}\d
    """,
    turns=r"""
        ,? (mais|cependant|toutefois|néanmoins|en revanche|par contre|seulement que)\b,?|; ?| ?: |( [-–—] )|—\
            |, (or|donc|alors que|tandis que)\b
,? et (?=(je|j'))
        , et (?=(il|elle|ils|elles|le|la|les|ce|cela|l')\b.{0,30}\b(est|était|a|ont|sera|coûte|fut)\b)
        , (?=(peut-être|probablement|sans doute|je (pense|crois|suppose)|c'(est|était)|il s'agit|environ\
            |il me semble|veuillez)\b)
    """,
)
