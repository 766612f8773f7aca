"""The named parts of German refusals: who speaks, how evidence is called, what is known or told."""

PIECES = {
    "the": r"""
        der|das|die|den|dem|des|dies\w{1,2}|ihre?\w{0,2}|meine?\w{0,2}|unsere?\w?|alle\w?|im|vom|zum|beide\w?\
            |jede\w?
    """,
    "supplied": r"""
        (bereitgestellt|vorliegend|verfügbar|vorhanden|gegeben|angegeben|genannt|übermittelt|abgerufen\
            |gefunden|vorgelegt|zitiert
        zur verfügung (stehend|gestellt)|hochgeladen|geliefert|mitgeliefert|beigefügt)e?\w?
    """,
    "evidence": r"""
        \w*kontext\w{0,2}|\w*dokument\w{0,3}|\w*unterlagen?|quellen?|\w*text\w{0,2}|text(auszug|auszüge\
            |abschnitt|passage|stelle|ausschnitt)\w*
        passagen?|abschnitt\w{0,2}|auszug\w?|auszügen?|ausschnitt\w{0,2}|material(ien|s)?|\w*handbuch\w?\
            |\w*handbüchern?|leitfaden
        wissens(datenbank|basis|bestand)|datenbank|dokumentation(en)?|faqs?|anhang|anhänge\w?|artikeln?\
            |datei(en)?|suchergebniss?e?n?|inhalt\w{0,2}|anleitung|treffern?
        <supplied> ([\w-]+ )?(informationen|angaben|daten)
    """,
    "source": r"(<the>|<supplied>)( [\w-]+){0,3}? (<evidence>)\b(?!-)|(dokumente|quellen|textstellen)\b",
    "in_source": r"""
        (in|aus|anhand|auf|mit|nach|gemäß|laut|basierend auf|von|aufgrund|innerhalb|mithilfe|unter|durch\
            |auf (der )?(basis|grundlage)\
            ( von)?) <source>
        (laut|gemäß|laut dem) (<evidence>)\b
        (im|vom|beim|zum)( [\w-]+){0,3}? (<evidence>)\b(?!-)
    """,
    "not": r"(nicht|nichts|kein\w{0,2}|keinerlei|weder|nirgends|nirgendwo)\b",
    "info": r"""
        (information(en)?|angaben?|hinweise?n?|auskunft|auskünfte|antwort(en)?|aussagen?|erwähnung\
            |anhaltspunkte?|einzelheiten
        details?|daten|nennung|belege?|kontext|inhalte?|kenntnisse?|fakten|grundlage|erkenntnisse)\b
    """,
    "no_info": r"""
        (kein\w{0,2}|keinerlei|nicht genügend|nicht genug|nicht (die )?(ausreichend|nötig|notwendig\
            |erforderlich)\w*|zu wenige?\
            |unzureichende|nicht über( die)?( \w+)?) ([\w-]+ ){0,3}?<info>
        nichts\b
    """,
    "told": r"""
        (erwähn\w*|nenn\w*|genannt|benannt|angegeben|angeführt|aufgeführt|beschr[ie]+b\w*|thematisier\w*\
            |behandel\w*|beantwort\w*
        erläuter\w*|erklär\w*|dokumentiert|spezifiziert|definiert|festgehalten|ersichtlich|hervor\w*\
            |entnehm\w*|entnommen|ableit\w*
        steht|stehen|zu finden|finde[nt]|gefunden|auffind\w*|einge(hen|gangen)|abgedeckt|ausgeführt|klar\
            |eindeutig|gesagt|sagen
        bestimm\w*|ermittel\w*|feststell\w*|festzustellen|schließen|enthalten|angesprochen|vermerkt\
            |verzeichnet|dargelegt|vorhanden
        verfügbar|geklärt|mitgeteilt|belegt|erkennbar|ersehen|präzisiert|bekannt|geregelt|aufgelistet|erfasst\
            |beziffert|geht|gehen
        sagen|möglich|hinterlegt|berücksichtigt|zu entnehmen|sich)\b
    """,
    "says": r"""
        (erwähn(t|en)|nenn(t|en)|geben|gibt|sag(t|en)|beschreib(t|en)|thematisier(t|en)|behandel(t|n)\
            |beantworte(t|n)|erläuter(t|n)
        erklär(t|en)|spezifizier(t|en)|definier(t|en)|geh(t|en)|äußer(t|n)|mach(t|en)|befass(t|en)|liefer(t\
            |n)|verrät|verraten
        präzisier(t|en)|konkretisier(t|en)|klär(t|en)|deck(t|en)|reich(t|en)|erlaub(t|en)|ermöglich(t|en)\
            |genüg(t|en)|bezieh(t|en)
        lass(t|en)|lässt|führ(t|en)|besag(t|en)|bezeichne(t|n)|benenn(t|en)|legt|legen|bezifer(t|n)|teil(t\
            |en)|listen|listet)\b
    """,
    "holds": r"""
        (enthalten|enthält|biete(t|n)|liefer(t|n)|gibt|geben|hat|haben|umfass(t|en)|beinhalte(t|n)|mach(t|en)\
            |verfüg(t|en))\b
    """,
    "lead": r"(?!(wenn|falls|wer|sofern|solange|sobald|ohne|was|jeder|alle|ob|um|damit)\b)([^,;]{0,90}?\b)?",
    "may": r"(kann|konnte|könnte|darf|werde|möchte|will|würde|habe|vermag|sollte)\b",
    "answer_verb": r"""
        (beantwort\w*|antworten|finden|gefunden|auffinden|entnehmen|sagen|ermitteln|feststellen|bestimmen\
            |helfen|weiterhelfen|dienen
        unterstützen|bestätigen|auskunft|angeben|bereitstellen|geben|nennen|erteilen|teilen|weitergeben\
            |preisgeben|stellen|erstellen
        schreiben|diskutieren|nachkommen|ausführen|durchführen|entsprechen|eingehen|identifizieren\
            |lokalisieren|herausfinden
        beurteilen|einschätzen|liefern|anbieten|offenlegen|mitteilen|verraten|behilflich|tun|zugreifen\
            |erfüllen|verfassen|erkennen
        besprechen|kommentieren|äußern|prüfen|verifizieren|ausmachen|ableiten|festlegen|herausgeben\
            |übernehmen|bearbeiten|leisten|treffen|abgeben|machen|anfertigen|formulieren|klären|zugang\
            |zugriff)\b
    """,
    "wh": r"""
        (wer|wen|wem|was|wann|wo|wie|warum|wieso|weshalb|ob|welche\w?|wieviel\w?|wofür|wohin|woher|worum)\b
    """,
    "no_figure": r"(?!.*\d)",
    "speaks": r"""
        (erwähn|behandel|beschreib|enth[aä]l|nenn|sprech|sprich|geh|bezieh|befass|thematisier|biet|lief\
            |aufführ|gibt|geben)\w*
    """,
}
