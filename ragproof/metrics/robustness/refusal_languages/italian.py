"""How Italian declines: "non lo so", "il testo non specifica ...", "non posso aiutarti"."""

from ragproof.metrics.robustness.refusal_languages.italian_pieces import PIECES
from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook

_REFUSALS = {
    "says that it does not know": r"""
        (io )?non (lo |ne |te lo |glielo ){0,4}(so|saprei)( dire| dirlo| con certezza| esattamente\
            | di preciso)?($|[,;:]| (<wh>|la risposta|nulla|niente|in base))
        (io )?(ignoro|impossibilitat[oa]|impossibilità|lo ignoro)($|[,;:]| (il|la|lo|le|i|gli|<wh>))
        (io )?non (ho|abbiamo|disponiamo|dispongo|possiedo|trovo|vedo|conosco|ho trovato|ho ricevuto\
            |ho individuato|ho reperito)( )<adverb>(di |del |della |dei |delle )?<some>(<info>|opinion[ei]\
            |preferenze|(la minima |la più pallida )?idea|certezza|ciò|quest[oa]|la risposta|quello che)
        non (ho trovato|trovo|vedo|ho individuato)\b.{0,90}?(<in_source>|<info>)
        non mi (è stat[oa]|sono stat[ei]) fornit\w+.{0,40}<info>
        non (ne )?sono( )<adverb>(cert[oa]|sicur[oa]|a conoscenza|al corrente|informat[oa])
        mi mancano? <some><info>|nessuna idea$|boh$
        non (mi|ci) è (not|conosciut)[oa]|(ciò|questo) mi è (sconosciut|ignot)o
        (che io sappia|a me non risulta|non mi risulta)\b
    """,
    "could not find or determine it": r"""
        ((senza|con|in base|a partire|secondo|dal?|sulla base\
            |dato) [^,;]{1,60} )?<cannot><clitic><answer_verb>
        non (abbiamo trovato|ho trovato|troviamo|trovo|vediamo|vedo|siamo riusciti a trovare\
            |siamo stati in grado di trovare)\b.{0,40}?(nulla|niente|alcun\w*|nessun\w*|rispost\w+\
            |informazion\w+)
        sono (impossibilitat[oa]|incapace|nell'impossibilità)\b
        (di )?non poter(e|ti|la|vi|le)? ?<answer_verb>
        (nulla|niente) (è|viene|si)\b.{0,60}?<in_source>
        non (è|sarebbe) possibile rispondere\b.{0,40}$
        non si (può|possono|riesce|sa|potrebbe)( )<adverb>(a )?<clitic><answer_verb>.{0,120}?(domanda|quesito\
            |<in_source>)
        (è|risulta|sarebbe) impossibile( )<adverb><clitic><answer_verb>.{0,120}?(domanda|quesito|<in_source>)
        non (è|risulta|sarebbe|è stato) (\w+ )?possibile( )<adverb><clitic><answer_verb>.{0,120}?(domanda\
            |quesito|<in_source>)
        (<in_source>|con (le|i|queste|questi) .{0,40}?)<more_about_it>,? non (è|risulta|si|posso|ci sono\
            |c'è)\b
    """,
    "the source does not say": r"""
        <subject> (non|neppure|nemmeno)( )<adverb><clitic><says>
        <subject> non( )<adverb><clitic><holds> ?<adverb><some><info>
        <subject> (è|sono|resta|restano|rimane|tace|tacciono|risulta\w*|sorvola)( )?<adverb>(mut[oaie]|silent\
            |insufficient|ambigu|vag|$|su|poco chiar|in merito)
        <subject> non (è|sono|risulta\w*|sembra\w*)( )<adverb>(abbastanza |sufficientemente )?(sufficient\
            |chiar|specific|esplicit|dettagliat|complet|precis|pertinent|rilevant|attinent)
        nessun[oa']?( d(ei|elle|egli|i))? ?(quest[ei] )?([\w-]+ ){0,2}?<evidence><more_about_it> <clitic>(\
            <says>|<holds>)
        (nulla|niente) (in|ne\w+|dei|delle|di)\b.{0,60}<evidence>|da nessuna parte\b.{0,60}
        <subject> (manca|mancano|omett\w+)\b
    """,
    "it is not in the source": r"""
        <lead>non (è|sono|viene|vengono|compare|compaiono|figura\w*|risulta\w*|appare|appaiono|si \w+|emerge\
            |c'è|ci sono)\b.{0,50}?<in_source>
        <in_source><more_about_it>,? ?non( )<adverb><clitic>(è|sono|viene|vengono|c'è|ci sono|ho\
            |si)?( )?.{0,40}?(<told>|<info>)
        non (è|viene|sono|vengono|si|c'è|ci sono|compare|risulta|figura)\b.{0,60}?(<told>\
            |<info>).{0,60}?<in_source>
        <lead>non (è|viene|sono|vengono)( stat[oaie])? (menzionat|specificat|indicat|precisat)[oaie]$
        (la |questa )?(risposta|informazione|domanda)\b.{0,60}? non (è|si|compare|figura|può|ha|esiste\
            |risulta|trova)\b
        <lead>((è|sono) assent[ei]|manca(no)?) (d\w+|n\w+)\b.{0,40}<evidence>
    """,
    "there is no information": r"""
        non (c'è|ci sono|esiste|esistono|vi (è|sono)|si hanno|risulta\w*|sono disponibili\
            |è disponibile)( )<adverb><some><info>($|[,;:]| (su\w*|circa|in|ne\w+|al riguardo|in merito|per\
            |relativ|disponibil|sufficient|che (permett|rispond|indic)|rilevant|pertinent|specific|riguard\
            |con|a|al\w*|d\w+))
        (manca|mancano) (\w+ )?<some>(informazion|dati|contesto)
        <subject> (è|sono) insufficient\w|<the>?(informazion\w+|dati)\b.{0,40}? (è|sono|non) ?(insufficient\
            |bast|sufficient|permett|consent|disponibil)
        (nessun[a']?|senza) ?(informazione|menzione|riferimento|accenno|dato)\b.{0,60}(<in_source>\
            |disponibile|trovat|al riguardo|in merito)
    """,
    "nothing was retrieved": r"""
        non (è stat[oa]|sono stat[ei]|ho|si (è|sono))( )<adverb>(trovat|recuperat|individuat|reperit\
            |restituit)\w*( )<some>(document\w+|informazion\w+|risultat\w+|dat[oi]|font[ei]|bran[oi]\
            |estratt[oi]|rispost\w+|corrispondenz\w+|riferiment\w+|contenut\w+)
        nessun[oa']? ?([\w-]+ )?(documento|risultato|fonte|brano|passaggio|contenuto|informazione\
            |corrispondenza)( [\w-]+){0,2} (trovat|recuperat|disponibil|individuat)
        (la|mia|tua|sua) ?ricerca non (ha|è)
    """,
    "declines by policy": r"""
        (devo|sono costrett[oa] a|mi vedo costrett[oa] a|sono tenut[oa] a|dovrò|preferisco\
            |mi tocca)( )<adverb>(rifiutar|declinar|astenermi|respinger|non )
        (io )?non sono( )<adverb>(qualificat|autorizzat|abilitat|competent)[oae]
        (questa|la (tua|sua)|tale) (richiesta|domanda) non può essere (soddisfatta|evasa|elaborata|accolta\
            |eseguita)
        (mi rifiuto|rifiuto|declino|mi astengo)\b
        (ciò|questo|quest[oa]|la (tua|sua)|il (tuo|suo))( (richiesta|domanda|argomento|tema\
            |informazione))?\b.{0,10}? (esula|è (al di )?fuori|va oltre|va contro|non (rientra|fa parte\
            |è qualcosa|mi compete)|viola|contravviene)
        non (ti |la |vi )?(aiuterò|risponderò|darò|fornirò|scriverò|condividerò|farò|assisterò)\b
        (non|senza) <told> ?<in_source>
        non (offro|fornisco|do|condivido|presto)\b
        non possiamo (aiutar|rispondere) .{0,10}?(quest|alla|a)
    """,
}

_WHOLE_SENTENCE = {
    "the source speaks of something else": r"""
        <subject> <speaks>[^,.;\d]{0,120},? (ma|però|tuttavia|senza)( (il \w+|esso|questo))? (non|specificar\
            |indicar|menzionar|precisar|dir)\w*(?!.*, ma )
        (sebbene|benché|anche se|nonostante|pur|mentre|malgrado) ?(<subject>|si|abbia|parlando|menzionando\
            |trattando)[^,;\d]{0,140}, [^,;]{0,40}?\b(non|nessun\w*|nulla|niente)\b[^,]{0,120}$
    """,
}

_OPENERS = r"""
    (mi (dispiace|spiace|rincresce|scuso)( molto| davvero| tanto| informarti che| informarla che| dirti che\
        | comunicare che)?|sono spiacente|spiacente|scusa(mi)?|scusi|scusate|chiedo scusa|le mie scuse\
        |siamo spiacenti|ci dispiace)\b,? ?(ma |però |di )?
    (purtroppo|sfortunatamente|boh|mah|temo|credo|onestamente|sinceramente|attualmente|per ora|al momento\
        |però|tuttavia|ciao|salve|buongiorno|grazie( per \w+ \w+| della \w+)?|e|ma|a quanto pare|quindi\
        |pertanto|dunque|infatti)\b,?( che| di)? ?
    (secondo|in|ne\w+|di|con|da\w*|a|al|dopo|come|dat[oaie]|per|su\w*|avendo|senza|riguardo|quanto|fino|tra\
        |fra|visto|poiché|sulla base|stando)\b[^,;]{2,140}, ?
    (in quanto|come|essendo) (un |una |un'|assistente |modello |ia |intelligenza )[^,;]{0,50}?,? (?=non )
    (sembra|pare|va notato|si noti|devo (dire|informar\w+))( che)( )
    (la )?risposta( è)?\b[,:]? ?
"""

_COURTESIES = r"""
    (mi (dispiace|spiace|scuso)|sono spiacente|scusa|scusi|scusate|chiedo scusa|le mie scuse)( molto\
        | per[^,;]{1,40}| davvero)?$
    (per favore|per cortesia|grazie|ciao|contatt[iaoe]\w*|consult[iae]\w*|prov[iae]\w*|verific[ah]\w*\
        |controll[iae]\w*|rivolg\w+|si rivolga|chied[iae]\w*|riformul[iae]\w*|non esit\w+|cerc[ah]\w*\
        |fornisc\w+|indic\w+|fammi|mi faccia|facci|visit\w+|la (invito|prego)|ti (invito|prego|consiglio\
        |suggerisco)|si (prega|consiglia|suggerisce|rimanda))\b
    <no_figure>(se|per|qualora|forse|magari|probabilmente|senza|nel caso)\b
    (potresti|potrebbe|puoi|può|potreste|vuoi|vuole|desideri|desidera|vorresti|hai|ha|c'è (altro|qualcos)\
        |posso)\b.{0,80}?(\?|riformul|forni|contatt|consult|aiut|altr|qualch|indic|chiar|cerc|prov|chied\
        |verific|dar|condivid|dettagl|trovar|rivolg|inviar|bisogno|$)
    (le |ti |vi )?(consiglio|suggerisco|raccomando|invito|consiglierei|suggerirei|consigliamo)\b
    (sarò|sono (qui|a disposizione|a tua|a sua|liet)|posso (solo|aiutar|offrir|cercar|provar|risponder\
        |comunque|però|tuttavia)|sarei|avrei bisogno|ho bisogno|serv\w+|occorr\w+|sarebbe necess|resto a)
    <no_figure>ho (\w+ )?(esaminato|cercato|consultato|letto|analizzato|verificato|controllato)
    <no_figure>(<subject>|quest[ie]|ess[ie]|solo|soltanto)\b.{0,20}?(solo|soltanto|unicamente|esclusivamente\
        |si (concentra|limita|riferisc)|trattano|tratta|parla|parlano|riguarda|descriv)
    <no_figure>(più|altre?|maggiori|ulteriori) (informazioni|dettagli|contesto|dati|font)
    <no_figure>(è|sarebbe|può|potrebbe|conviene|la cosa migliore) (\w+ )?(possibile|consigliabile|meglio\
        |opportuno|preferibile|utile|necessario|essere|che|contattare|consultare)
    (come (ia|modello|assistente)|in quanto|sono (un|una|solo|un')|la mia (funzione|conoscenza|formazione)\
        |le mie (conoscenze|risposte|fonti))\b
    (le risorse umane|l'(ufficio|assistenza)|il (reparto|servizio)|un (medico|avvocato|professionista\
        |esperto)|il (suo|tuo) (medico|responsabile))\b.{0,60}?(potrà|può|potranno|potrebbe)
    (vorrei|mi piacerebbe|sarei (felice|lieto)|magari potessi)\b[^,;]{0,60}$
    <no_figure>(questa|queste|quest[oi]|tali|ciò)\b[^,;]{0,40}? (è|sono) (riservat|confidenzial|privat\
        |sensibil|personal|segret)
    <no_figure>(parla|parlano|tratta|trattano|menziona\w*|descriv\w+|riguarda\w*) (solo|soltanto|solamente\
        |unicamente|esclusivamente)
    (font[ei]|risposta|riferimenti|motivo)($| ?:)|spero|cordiali saluti
"""

PHRASEBOOK = Phrasebook(
    cues=r"""
        \b(non|né|senza|nulla|niente|mai|neppure|nemmeno|nessun\w*|ignoro|impossibilitat[oa]|impossibilità\
            |ignot[oa]|sconosciut\w+|impossibile|incapace|rifiut\w+|declin\w+|respinger\w*|insufficient\w+
        mancan\w*|manca|mut[oaie]|silent\w*|assent[ei]|omett\w+|asten\w+|esula|viola|fuori|contro|oltre\
            |indeterminat\w+|ambigu\w+|vag[oa]|tace|tacciono|boh|indisponibile|sorvola)\b
    """,
    labels="""
        nessuna informazione|nessuna risposta|nessun dato|nessuna informazione disponibile|non disponibile
        informazione non disponibile|informazioni non disponibili|sconosciuto|sconosciuta
        ignoto|informazioni insufficienti|informazione insufficiente|contesto insufficiente|dati insufficienti
        non specificato|non menzionato|non indicato|non trovato|non specificata|non menzionata|non indicata
        non applicabile|non rispondibile|non determinabile|non noto|non nota|nessuna risposta trovata
        risposta non trovata|risposta sconosciuta|nessun risultato|nessun risultato trovato|n/d|n.d
        non pervenuto
        non lo so|non so|non presente|non presente nel testo|non presente nel contesto|non è nel testo
        non è possibile rispondere|non è possibile determinarlo|nessun documento pertinente
        nessun documento rilevante
        nessun documento trovato|nessun documento|senza risposta|senza informazioni|non fornito|non si sa
        informazione non trovata|informazioni non trovate|indeterminato|nessuna idea|impossibile rispondere
        non ci sono informazioni
    """,
    pieces=PIECES,
    refusals=_REFUSALS,
    whole_sentence=_WHOLE_SENTENCE,
    openers=_OPENERS,
    courtesies=_COURTESIES,
    answers=r"""
        (sì|no|si|corretto|vero|falso|esatto|esattamente|certo)([,;:!]| -)
        (non (c'è|ci sono|esist\w+|vi sono|vi è) )?(nessuna?|alcuna?|non)? ?(prov[ae]|dubb[io]o?\
            |motivo)\b(?!.*<in_source>)
        non (so|conosco) (di|nessun\w*|altr[aeio]|(città|persona|luogo|\w+) più)\b
        non posso .{0,60}\b(abbastanza)\b
        .{0,200}\b(salvo|eccetto|tranne|a parte|fatta eccezione)\b.{0,80}\d
    """,
    turns=r"""
        ,? (ma|però|tuttavia|anche se|sebbene|mentre|bensì)\b,?|; ?|: |( [-–—] )|—|, (quindi|perciò|pertanto\
            |solo che)\b
,? e (?=non (sono|posso|ho|devo|mi))
        , e (?=(il|la|lo|i|le|gli|esso|essa|questo)\b.{0,30}\b(è|fu|era|ha|sono|costa|sarà)\b)
        , (?=(forse|probabilmente|credo|penso|suppongo|direi|è |era |fu |circa|sembra|dovrebbe|si prega|può\b\
            |puoi\b))
    """,
)
