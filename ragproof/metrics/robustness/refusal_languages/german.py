"""How German declines: verb-second order parts the negation from its verb ("das weiß ich leider nicht")."""

from ragproof.metrics.robustness.refusal_languages.german_pieces import PIECES
from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook

_REFUSALS = {
    "says that it does not know": r"""
        .{0,40}?\b(weiß|kenne) ich\b.{0,30}?\b(nicht|nichts)\b
        ich (weiß|kenne)\b( \w+){0,3}? (nicht|nichts)($|[,;:]| (<wh>|genau|darüber|davon|dazu))
        wir (haben|verfügen|besitzen)\b.{0,30}<no_info>
        (da |davon |dazu )?(ich )?habe? (ich )?(leider |dazu |da |davon |hierzu |darüber ){0,4}(keine (ahnung\
            |kenntnis|idee)|<no_info>|keinen (zugriff|zugang))
        mir (ist|sind|liegen|stehen|liegt|steht|fehlen|fehlt|wurden?)\b.{0,70}?(<no_info>|nicht (bekannt\
            |möglich|klar|erlaubt|gestattet)|unbekannt|(?<=fehl).{0,40}<info>)
        mir fehl(t|en)\b.{0,50}<info>
        <lead>(ist|sind|liegen|stehen|liegt|steht) mir\b.{0,50}?(<no_info>|nicht (bekannt|möglich|klar\
            |erlaubt|gestattet)|unbekannt)
        <lead>fehlen mir\b.{0,50}<info>
        ich habe\b.{0,20}keine? (\w+ )?(meinung|ansicht)
        (da |hier |dabei )?(ich )?bin (ich )?(mir )?([\w-]+ ){0,3}?(nicht (\w+ )?sicher|unsicher|überfragt\
            |nicht informiert)
        (weiß|weiss) (ich |es )?nicht$|keine ahnung$
    """,
    "could not find or determine it": r"""
        (ich|wir) (kann|konnte|können|konnten|habe|haben)\b(?=.*\b<not>)(?=.*\b(beantworten|finden|gefunden\
            |entnehmen|ermitteln|feststellen))
        (ich )?(finde|sehe|erkenne) (ich )?.{0,60}?\b(<no_info>|nicht|nirgends|nirgendwo)\b(?=.*(<in_source>\
            |<info>|$))(?=.{0,60}(<info>|<in_source>|dazu|darüber|hierzu|nichts|antwort))
        ich (finde|sehe) (die|eine|keine) antwort\b.{0,30}\b(nicht|nirgends|nirgendwo)\b
        <lead>(finde|sehe) ich\b.{0,60}?\b(<no_info>|nicht|nirgends|nirgendwo)(?=.*(<in_source>|<info>\
            |nichts))
        <lead>(habe|hab|besitze) ich\b.{0,40}?\b(<no_info>|keine? (persönliche? |eigene? )?(meinung|ansicht))
        (diese|die|entsprechende|solche|so eine) ([\w-]+ )?(information|auskunft|daten|angabe)\w* (habe|kenne\
            |besitze|finde|sehe) ich\b.{0,25}\bnicht\b
        ohne [^,;]{3,80}? (kann|könnte) ich\b(?=.*<not>)(?=.*<answer_verb>)
        (dazu |darüber |hierzu |leider |zu [^,;]{2,40} ){0,4}(finde|sehe|fand|habe|habe dazu) (ich )?(leider \
            |dazu |hierzu |darüber ){0,4}(nichts|<no_info>)
        (dazu |darüber |hierzu |leider |zu [^,;]{2,40} |über [^,;]{2,40} ){0,4}(steht|findet sich|stand\
            |gibt es) (dort|da|darin|hier)\b.{0,40}?\b(nichts|<no_info>)
        [^,;]{1,60} fehl(t|en) (in|im|bei) ([\w-]+ ){0,3}?(<evidence>)\b
        (leider )?(nichts|<no_info>)\b.{0,80}\b(gefunden|finden|entdeckt|entdecken)$
        <wh>[^;]{3,90}, (weiß ich|ist mir|kann ich)\b.{0,30}\b(nicht|unbekannt)
        ich verfüge\b.{0,40}?\b(nicht|kein\w*)\b
        <lead><may> ich\b(?=.*\b<not>)(?=.*\b<answer_verb>)
        ich <may>(?=.*\b<not>)(?=.*\b<answer_verb>)
        ich bin\b.{0,40}?nicht in der lage\b
        ich (?=.{0,80}\b<not>)(?=.*\b<answer_verb> (kann|konnte|darf|werde|könnte)\b)
    """,
    "the source does not say": r"""
        <source>( [\w'-]+){0,6}? <says>.{0,90}?\b<not>
        <lead><says> <source>.{0,90}?\b<not>
        <source>(, (die|das|der)\b[^,;]{1,50},)?( [\w'-]+){0,6}? <holds>.{0,60}?\b<no_info>
        <in_source>.{0,60}?\b<no_info>
        ((<the>|<supplied>)( [\w-]+){0,3}? )(kontext\w{0,2}|passagen?|auszug|auszüge|ausschnitte?\
            |textabschnitte?|suchergebnisse?)\b( [\w'-]+){0,6}? (<says>|<holds>).{0,50}?\b<not>
        <lead><holds> <source>.{0,60}?\b<no_info>
        <source>( [\w'-]+){0,6}? (schweig(t|en)|(lassen|lässt)\b.{0,60}offen|(ist|sind) (unklar|unzureichend\
            |nicht (ausreichend|eindeutig|klar|aussagekräftig)))
        <source>( [\w'-]+){0,6}? (ist|sind|haben|hat)\b.{0,40}?\b(nicht|nichts|keinen?)\b.{0,30}?(relevant\
            |passend|bezug|frage|zu tun|einschlägig)
        <source>( [\w'-]+){0,6}? (reich(t|en)|genüg(t|en))\b.{0,30}\bnicht\b
        (keine?r?s?|weder) (de[rs]|dieser|der \w+en) (<evidence>)\b.{0,60}?\b(<says>|<holds>)
        kein\w{0,2} ([\w-]+ ){0,2}?(<evidence>) (<says>|<holds>)
    """,
    "it is not in the source": r"""
        <in_source>(?=.*\b<not>)(?=.*\b<told>)
        <lead>(?=(ist|sind|wird|werden|wurden?|steht|stehen|findet|finden|taucht|kommt|geht|gehen|lässt\
            |lassen|kann|können|konnten?|bleibt)\b)(?=.*<in_source>)(?=.*\b(<not>|unklar|unerwähnt|offen\
            |unbekannt))(?=.*\b(<told>|unklar|unerwähnt|offen|unbekannt))
        <wh>[^;]{3,90}, (steht|wird|ist|geht|lässt|bleibt|kann|findet)\b(?=.*<in_source>)(?=.*\b(<not>|unklar\
            |offen|unbekannt))
        [^,;]{1,90} (wird|werden|wurden?|ist|sind) (leider )?nicht (näher |explizit |ausdrücklich \
            |weiter )?(erwähnt|angegeben|genannt|spezifiziert|angeführt|beziffert)$
        (es|das) wird nicht (gesagt|erwähnt|angegeben|genannt|erläutert)\b
        nicht <in_source>( \w+)? <told>
        nichts (in|aus|im|davon)\b.{0,60}\b(<evidence>)
        nicht (<told>)( \w+)? <in_source>
        es (ist|geht|lässt sich|wird|kann)\b(?=.*<in_source>)(?=.*\b(nicht|kein\w*|unmöglich|unklar))
    """,
    "there is no information": r"""
        (es )?(gibt|liegen|liegt|finden sich|findet sich|existieren|existiert|stehen|sind\
            |bestehen)\b.{0,60}?\b(?!nichts)<no_info>
        (dazu|hierzu|darüber|hierüber|davon|über|zu|zum|zur|bezüglich|hinsichtlich)\b.{0,70}?\b(gibt es\
            |liegen|liegt|finden sich|findet sich|existieren|sind|steht|stehen|wird|ist|enthalten|enthält\
            |lassen sich)\b.{0,60}?\b(<no_info>|(nicht|nichts) <told>)
        (?!nichts)<no_info>\b(?=.*(vorhanden|verfügbar|gefunden|\bvor$|zu finden|enthalten|verfügung\
            |in <source>|<in_source>|$))( (zu|über|zum|zur|bezüglich|hinsichtlich|dazu|hierzu|darüber|im\
            |in)\b.*| (gefunden|vorhanden|verfügbar).*)?$
        (diese|die|eine) (information|angabe|antwort|auskunft)\w*\b.{0,80}?\b(nicht|fehl\w+\
            |kein\w{0,2})\b.{0,60}?\b(<told>|vor|im|in)\b
        es fehl(t|en)\b.{0,60}?<info>
        die ([\w-]+ ){0,5}?(informationen|angaben|daten|details)\b[^,;]{0,60}? (sind|liegen|wurden|stehen\
            |werden|ist)\b.{0,30}?\bnicht (verfügbar|vorhanden|enthalten|angegeben|bekannt|vor|gefunden|zur\
            |bereit|erwähnt)
        (die|entsprechende|diese|relevante) ?(\w+ )?(informationen|angaben|daten) (dazu |hierzu |darüber \
            |zu .{1,50} )?(fehlen|liegen .{0,20}nicht vor|sind nicht)
    """,
    "the question cannot be answered": r"""
        (die|diese|ihre|deine) (\w+ )?(frage|anfrage|fragestellung)\b.{0,20}?\b(kann|lässt sich|konnte|ist\
            |bleibt)\b.{0,100}?\b(nicht|unbeantwort\w+|unmöglich)
        (auf |zu )?(diese|dieser|die) frage\b.{0,60}?\b<no_info>
        <lead>(kann|lässt sich) (die|diese|ihre|deine) (\w+ )?frage\b.{0,100}?\bnicht\b
        eine? (\w+ )?(antwort|beantwortung|aussage)\b.{0,60}?\b(nicht|kein\w{0,2}|unmöglich)\b
        es ist (mir |leider |daher ){0,4}(nicht möglich|unmöglich),? .{0,100}?(beantwort|antwort|zu helfen\
            |auskunft)
    """,
    "nothing was retrieved": r"""
        (es |leider )?(wurden?|konnten?)\b.{0,30}?\bkeine? ([\w-]+ ){0,2}?(antwort|antworten|dokumente?\
            |ergebnisse?|treffer|quellen?|informationen|passagen?|inhalte|unterlagen|einträge\
            |textstellen?)\b.{0,60}?\b(gefunden|ermittelt|abgerufen|geliefert|finden)
        keine ([\w-]+ ){0,2}?(dokumente|ergebnisse|treffer|quellen|passagen|inhalte|unterlagen|einträge\
            |textstellen) ([^,;]{1,50} )?(gefunden|vorhanden|verfügbar)
        (die|meine|ihre) (suche|suchanfrage|abfrage)\b.{0,50}?\b(ergab|lieferte|ergeben|geliefert|gebracht\
            |brachte|hat|blieb)\b.{0,30}?(kein|nichts|ergebnislos|erfolglos)?
    """,
    "declines by policy": r"""
        ich muss\b.{0,80}?\b(ablehnen|verweigern|passen|absehen|zurückweisen|enthalten)\b\
            |<lead>muss ich\b.{0,60}?\b(ablehnen|verweigern|passen|absehen|zurückweisen)
        ich (lehne|verweigere|weigere)\b.{0,60}
        <lead>(lehne|verweigere) ich\b
        (dafür|dazu|hierfür|hierzu) bin ich\b.{0,30}?\bnicht\b
        ich bin\b.{0,30}?\bnicht\b.{0,30}?\b(befugt|berechtigt|autorisiert|qualifiziert|dafür|darauf\
            |in der lage|ermächtigt|dazu)
        wir können (diese|ihre) (an)?frage\b.{0,40}\bnicht\b
        (das|dies|diese (frage|anfrage)|ihre (frage|anfrage))\b.{0,20}?\b(liegt|fällt|geht|verstößt\
            |widerspricht|gehört)\b.{0,40}?\b(außerhalb|nicht|gegen|über|meine\w?)
        (diese|die|ihre|deine) (an)?(frage|bitte|aufgabe)\b.{0,20}\b(kann\
            |darf)\b.{0,30}\bnicht\b.{0,30}(erfüllt|bearbeitet|ausgeführt|umgesetzt|entsprochen)
        es ist mir\b.{0,30}?\b(nicht|untersagt|verboten)
        (das|dies|dabei|dazu|hierbei) ist nichts, (wobei|womit|bei)
    """,
}

_WHOLE_SENTENCE = {
    "the source speaks of something else": r"""
        <source> <speaks>[^,.;\d]{0,120},? (\w+ )?(aber|jedoch|allerdings\
            |doch)\b( \w+){0,3}? <not>(?!.*, (aber|jedoch))
        (obwohl|obgleich|während|auch wenn|wenngleich) (<source>|ich|er|es\
            |sie)\b[^,;\d]{0,140}, (\w+ ){0,4}?(er|es|sie|<source>|darin|dort|ich|wird|werden|ist|sind\
            |sich)\b.{0,60}?\b<not>[^,]*$
    """,
}

_OPENERS = r"""
    (leider|bedauerlicherweise|unglücklicherweise)\b,? ?
    ((es )?tut mir( sehr| wirklich)? leid|entschuldigung|entschuldigen sie( bitte)?|entschuldige( bitte)?\
        |verzeihung|sorry|pardon|ich (bedaure|bedauere)( es)?|ich bitte um entschuldigung)\b(?=$|[,;:]| (aber\
        |dass|ich|leider)),? ?(aber |dass |leider ){0,4}
    ich (fürchte|befürchte|glaube|denke|muss (leider )?(sagen|gestehen|zugeben|mitteilen)),? (dass )?
    (basierend|laut|nach|gemäß|anhand|auf (der )?(basis|grundlage)|als|aufgrund|soweit|in|im|aus|trotz|bei\
        |mit|derzeit|da|weil|zu|zum|zur|bezüglich|hinsichtlich)\b[^,;]{2,140}, ?
    als (ki|sprachmodell|ki-modell|assistent|ein|eine|dein|ihr)(?=[\w -]{0,40}\b(kann|darf|bin|habe|muss\
        |werde)\b)[\w -]{0,40}?(?=(kann|darf|bin|habe|muss|werde)\b)
    (antwort|ergebnis|kurze antwort|die antwort lautet)\b[,:]? ?
    (momentan|derzeit|aktuell|ehrlich gesagt|jedoch|allerdings|also|nun|hallo|danke|vielen dank|guten tag|tja\
        |hm+|ok|okay|zurzeit|daher|deshalb|somit|und|aber|grundsätzlich|insgesamt)\b( für (die|ihre\
        |deine) [\w ]{1,30})?[,:!]? ?
    es (scheint|sieht so aus),? (als|dass)( ob)?\b ?
"""

_COURTESIES = r"""
    ((es )?tut mir( sehr| wirklich)? leid|(ich bitte um )?entschuldigung|sorry|verzeihung|ich (bedaure\
        |bedauere))[^,;]{0,40}$
    (bitte|gerne?|vielen dank|danke|hallo|guten tag|ich hoffe|ich (helfe|unterstütze)|zögern sie|lassen sie\
        |lass (es )?mich|melden? sie|melde dich)\b
    (wenden|kontaktieren|fragen|prüfen|versuchen|formulieren|konsultieren|schauen|sehen|überprüfen|stellen\
        |geben|teilen|ergänzen|laden) sie\b
    (versuche?|formuliere?|kontaktiere?|frage?|prüfe?|schau|wende|probiere?)\b
    <no_figure>(falls|wenn|sofern|sollten|solltest|um|für|ohne|mit|dafür|dazu|hierfür|hierzu|ggf\
        |gegebenenfalls|eventuell|möglicherweise|vielleicht|am besten)\b
    (können|könnten|kannst|könntest|möchten|möchtest|haben|hast|soll|darf|kann|gibt es|wollen|willst\
        |benötigen) (sie|du|ich|noch)\b
    (sie|du) (können|könnten|kannst|könntest|sollten|solltest|finden|findest|müssten) (\w+ ){0,3}?(wenden\
        |kontakt\w*|frag\w*|prüf\w*|versuch\w*|formulier\w*|bereitstell\w*|such\w*|weitere|mehr|im|in|auf|bei\
        |sich|dich|die|den|mir)\b
    (ich|wir) (empfehle|empfehlen|rate|schlage|helfe|stehe|freue|würde (empfehlen|vorschlagen)|benötige\
        |bräuchte|brauche|kann ihnen (gern|jedoch|aber|nur)|kann (dir|ihnen|nur|lediglich|ausschließlich\
        |gerne?))\b
    <no_figure>(ich|wir) (habe|haben) (\w+ ){0,6}?(durchsucht|geprüft|gelesen|überprüft|durchgesehen|gesucht\
        |analysiert)
    <no_figure>(<source>|er|sie|es|darin|dort|diese\w?)( \w+){0,3}? (behandeln?|behandelt|beschreib\w+\
        |befass\w+|bezieh\w+|enth\w+|geht|gehen|handel\w+|konzentrier\w+|thematisier\w+|betreff\w+|betrifft\
        |spricht|sprechen|erzählt|berichtet|nennt|erwähn\w+)\b.{0,20}?\b(nur|lediglich|ausschließlich\
        |vor allem|hauptsächlich|um|auf|mit)
    <no_figure>(weitere|nähere|zusätzliche|genauere|mehr|aktuelle) ([\w-]+ )?(informationen|angaben|details\
        |auskünfte|kontext)
    <no_figure>(es|das|dies) (könnte|kann|wäre|empfiehlt|ist (ratsam|möglich|besser|sinnvoll|denkbar)|würde)\b
    (als (ki|sprachmodell|assistent)|ich bin (nur|lediglich|ein|eine|darauf|hier|gern)|meine (aufgabe\
        |kenntnisse|antworten|daten))\b
    (die |ihre )?(personalabteilung|kundendienst|support|it-abteilung|ein (arzt|anwalt|fachmann\
        |experte))\b.{0,40}?\b(kann|hilft|könnte|weiß)
    <no_figure>(diese|die|solche|das)\b[^,;]{0,40} (sind|ist) (leider )?(vertraulich|privat|geheim|persönlich\
        |geschützt|sensibel)
    ich (würde|möchte|wollte|hätte)\b.{0,40}\b(gerne?|helfen|geholfen)[^,;]{0,20}$
    (quellen?|antwort|ergebnis|hinweis|grund)$|quellen?:
"""

PHRASEBOOK = Phrasebook(
    cues=r"""
        nicht|\b(kein|weder|nirgend|leider|lehne|ablehn|verweiger|schweig|fehl|un(be|klar|sicher|möglich\
            |zureichend)|überfragt|passen
        widerspricht|verstößt|außerhalb|zurückweis|absehen|weiger|k\.\s?a|ergebnislos|erfolglos)|offen\b
    """,
    labels="""
        keine angabe|keine angaben|k.a|k. a|keine information|keine informationen|keine information vorhanden
        keine auskunft
        keine informationen vorhanden|keine informationen verfügbar|keine informationen gefunden|unbekannt
        nicht bekannt
        nicht beantwortbar|unbeantwortbar|nicht verfügbar|nicht angegeben|nicht erwähnt|nicht genannt
        nicht enthalten|nicht vorhanden
        nicht gefunden|keine antwort|keine antwort gefunden|keine antwort möglich|keine antwort verfügbar
        keine daten|keine ahnung
        keine daten vorhanden|nicht im text|nicht im kontext|nicht im text enthalten
        nicht im kontext enthalten|nicht im text erwähnt
        unklar|weiß nicht|weiß ich nicht|nicht genügend informationen|nicht genug informationen
        unzureichende informationen
        zu wenig informationen|nicht zutreffend|keine treffer|keine ergebnisse|keine relevanten dokumente
        nicht spezifiziert
        keine relevanten dokumente gefunden|keine passenden dokumente gefunden|nicht bestimmbar
        nichts gefunden|kann nicht beantwortet werden
        antwort nicht gefunden|antwort unbekannt|information nicht verfügbar|informationen nicht verfügbar
    """,
    pieces=PIECES,
    refusals=_REFUSALS,
    whole_sentence=_WHOLE_SENTENCE,
    openers=_OPENERS,
    courtesies=_COURTESIES,
    answers=r"""
        (ja|nein|doch|richtig|falsch|stimmt|genau)([,;:!]| -)
        (es gibt |es liegen )?(keine|keinerlei) (beweise?|hinweise? (darauf|dafür)|belege?|anhaltspunkte\
            |zweifel)\b(?!.*<in_source>)
        ich kenne keine?\w?\b|ich (kann|könnte)\b.{0,80}\b(nicht genug|gar nicht genug|kaum genug)
        .{0,200}\b(außer|abgesehen von|lediglich|nur, dass)\b.{0,80}\d
    """,
    turns=r"""
        , (aber|jedoch|allerdings|doch|sondern|wobei|dafür|sodass|daher|deshalb|somit|nur dass)\b,?|; ?|: \
            |( [-–—] )|—
, und (?=(ich|daher|deshalb)\b)
        , und (?=(er|sie|es|der|die|das) [\w-]+ (ist|war|hat|wird|wurde|kostet|kam|beträgt)\b)
        , (?=(vermutlich|wahrscheinlich|vielleicht|möglicherweise|ich (glaube|denke|vermute|schätze)|es (ist\
            |war|handelt|dürfte|sind)|etwa|ungefähr|circa|bitte)\b)
    """,
)
