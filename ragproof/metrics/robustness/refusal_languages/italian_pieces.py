"""The named parts of Italian refusals: who speaks, how evidence is called, what is known or told."""

PIECES = {
    "the": r"""
        (\b(il|lo|la|i|gli|le|questo|questa|questi|queste|quest'|il suo|la sua|i suoi|le sue|tuo|tua|miei|mie\
            |un|una|tutti i|tutte le|d[ea]l|dell[oae]|dei|degli|delle
        nel|nell[oae]|nei|negli|nelle|dal|dall[oae]|dai|dagli|dalle|al|all[oae]|ai|agli|alle|sul|sull[oae]\
            |sui|sugli|sulle|mio|mia|vostr[oaie]|nostr[oaie])( )|(\b(l|dell|nell|dall|all|sull|quest)'))
    """,
    "evidence": r"""
        (contest[oi]|document[oi]|test[oi]|bran[oi]|passagg[io]o?|passi|font[ei]|estratt[oi]|frammenti?\
            |frammento|materiali?|materiale|manual[ei]|guid[ae]|documentazione
        basi? di (conoscenz[ae]|dati)|articol[oi]|file|contenut[oi]|paragraf[oi]|risultati( (di\
            |della) ricerca)?|pagin[ae]|sezion[ei]|corpus|rapporto|riferimenti
        (informazioni|dati)(?= (fornit|disponibil|dat[ei]|recuperat|a (mia |tua |sua )?disposizione|present\
            |contenut|che)))\b
    """,
    "source": r"<the>([\w-]+ ){0,2}?<evidence>",
    "more_about_it": r"""
        ( (che (mi|hai|ha|avete|sono|è)|fornit\w+|dat[oiae]|recuperat\w+|disponibil\w+|a disposizione|di\
            |del\w*|dei|degli|su|sul\w*|in|nel\w*|a
        consultat\w+|trovat\w+|condivis\w+|allegat\w+|present\w+|citat\w+|mess[oiae])\b( [\w'¤-]+){0,6}?)?
    """,
    "subject": r"<source><more_about_it>",
    "in_source": r"""
        (in|da|a partire|secondo|con|di|su|in base|sulla base|sulla scorta|mediante|tra|fra|basandomi\
            |stando)( a| di| su)? ?<source>
        ((ne|da|de|su|a|co)(l|i|gli|ll[oae])|nell'|dall'|dell'|sull'|all') ?([\w-]+ ){0,2}?<evidence>
        secondo (quanto|ciò che) (mi è|fornit)|(?<!\w)tra le fonti
    """,
    "clitic": r"((mi|ti|si|lo|la|le|li|gli|ci|vi|ne|vi|te ne|ce)( )){0,4}",
    "adverb": r"""
        ((\w+mente|ancora|neanche|nemmeno|proprio|affatto|davvero|al momento|purtroppo|del tutto|più|molto\
            |bene)( )){0,4}
    """,
    "says": r"""
        (menzion|indic|specific|dic[eo]|parl|tratt|affront|rispond|descriv|spieg|rivel|nomin|dettagli|chiari\
            |precis|dà\b|danno\b|riport|cit|permett|consent|fa |fanno |contempl
        fornis|forni|offr|identific|defin|riferi|esprim|stabil|inform|chiaris|copr|accenn|elenc|present|bast\
            |tocc|riguard|espon|illustr|evidenz|contien|contengono|includ)
    """,
    "holds": r"""
        (contien\w*|contengono|includ\w*|fornis\w*|offr\w*|ha\b|hanno\b|dà\b|danno\b|riport\w*|present\w*\
            |dispon\w*|c'è|ci sono)
    """,
    "speaks": r"""
        (menzion|indic|parl|tratt|affront|descriv|spieg|contien|contengono|includ|cit|riferi|offr|fornis|dic\
            |accenn|riport)\w*
    """,
    "some": r"""
        ((alcun[oa]?|nessun[oa]?|alcun'|nessun'|sufficienti|abbastanza|la|il|le|gli|lo|l'|un|una|un'|più\
            |altr[aeio]|di|sull\w+|accesso a|rilevanti|pertinenti|specific[ahieo]+|esplicit[aeio]
        necessari[aeo]?|chiar[aeo]|dirett[aeio]|questa|quest[eio]|tale|tali|dei|delle|degli|della\
            |adeguat[aeio]|utili?|ulteriori|a|al|alle)(?<=')? ?){0,4}
    """,
    "info": r"""
        (informazion[ei]|info|dettagl[io]o?|dettagli|dati|rispost[ae]|menzion[ei]|riferiment[oi]\
            |indicazion[ei]|elementi|spiegazion[ei]|contesto|contenut[oi]|conoscenz[ae]|nulla(?! di)\
            |niente(?! di)
        accesso|documenti?|documento|risultati|tracc[iae]+|accenn[oi]|specificazion[ei]|notizi[ae]|cenn[oi]\
            |indizi|precisazion[ei])\b
    """,
    "wh": r"(chi|che|cosa|che cosa|quando|dove|come|qual[ei]?|quant[oaie]|se|perché|a chi|di chi|in che)\b",
    "told": r"""
        (menzion|indic|specific|dett[oa]|dic[eo]|parl|tratt|descri|spieg|rivel|nomin|dettagl|chiar|forni\
            |inclus|trov|compar|figur|present|disponibil|dat[oaie]\b|cit|identific|defin
        conten|riport|rispo|stabil|determin|offr|accenn|risult|emerg|desum|dedu|riferi|elencat|rintracci\
            |affront|evinc|possibil)\w*
    """,
    "cannot": r"""
        (io )?non <clitic>(posso|potrei|potrò|potevo|possiamo|riesco|sono riuscit[oa] a|riuscirei|devo|voglio\
            |intendo|saprei|ho potuto|sono in grado di|ero in grado di)( )<adverb>(a )?
        (io )?non sono( )<adverb>(autorizzat[oa]|in grado|abilitat[oa]|qualificat[oa]|capace|nelle condizioni\
            |programmat[oa]|progettat[oa]|in condizione|tenut[oa])( a| di| per)?( )?
        non ho( )<adverb>(il permesso|l'autorizzazione|la capacità|la possibilità|modo)( di| per)?( )?
        non mi è( )<adverb>(possibile|permesso|consentito|concesso)( di)?( )|mi è( )<adverb>(impossibile\
            |difficile)( )
    """,
    "answer_verb": r"""
        (aiut|rispond|dir(e|ti|le|vi|lo)|determinar|conferm|forni|offri|dar(e|ti|le|vi)|condivid|rivel|assist\
            |eseguir|far(e|lo) ?(ciò|questo|quello|$)|far(lo|e questo)|scriver|crear|gener|diagnostic|trovar\
            |identific|saper
        precis|assicur|discut|parlar|comment|soddisf|elabor|complet|divulg|verific|acced|prestar|localizz\
            |stabilir|conclud|afferm|indic|specific|emett|formul|dedurr|partecip|redig|spieg|support|chiarir\
            |consigli
        estrarr|ricavar|individu|accert|comunic|esprim|procedere|accontent|evader|garant)
    """,
    "no_figure": r"(?!.*\d)",
    "lead": r"(?!(se|chi|quando|coloro|sì|no|nessuno)\b)[^,;]{1,110}? ",
}
