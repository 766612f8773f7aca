"""How Spanish declines: "no lo sé", "en el texto no se indica ...", "no puedo ayudarte con eso"."""

from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook
from ragproof.metrics.robustness.refusal_languages.spanish_pieces import PIECES

_REFUSALS = {
    "says that it does not know": r"""
        (yo )?no( )<adverb>(lo )?(sé|sabría)( con (certeza|exactitud|seguridad))?($|[,;:]| (<wh>|la respuesta\
            |nada|es[oa]|exactamente|cuál|a partir))
        (yo )?(lo |la )?(desconozco|ignoro)($|[,;:]| (el|la|los|las|es[oa]|<wh>|esa|cuál|cualquier|dich))
        no (tengo|tenemos|dispongo de|disponemos de|cuento con|contamos con|poseo|he recibido|encuentro\
            |encontré|hallo|hallé|veo|localizo|he encontrado|he hallado\
            |he localizado)( )<adverb><some>(<info>|(ni|la menor|la más mínima) idea|idea|certeza|opini(ón\
            |ones)|preferencias|esa |es[oe]|la respuesta|lo que|nada)
        no (encuentro|encontré|veo|hallo|he encontrado|he visto)\b.{0,90}?(<in_source>|<info>)
        no se me (ha |han )?(proporcion|facilit|dado|dio|suministr)\w*.{0,40}<info>
        no estoy( )<adverb>(segur[oa]|al tanto|informad[oa]|familiarizad[oa]|al corriente|ciert[oa])
        (carezco de|me falta(n)?|me faltan) <some><info>
        ni idea$
        (eso|esto|la respuesta|ese dato) (me |nos )?(es|resulta) (desconocid|ignorad)|no me consta
    """,
    "could not find or determine it": r"""
        ((sin|con|ante|por|a partir|según|de acuerdo|basándome\
            |dado) [^,;]{1,60} )?<cannot><clitic><answer_verb>
        no (encontramos|encontré|hallamos|hallé|hemos (podido encontrar|encontrado)|pudimos encontrar\
            |encuentro|he encontrado|vemos|veo|hemos visto)\b.{0,40}?(nada|ningun\w*|respuesta|información)
        (por )?no poder <answer_verb>
        no se (dijo|dice|ha dicho|habló|habla) (nada|ni)\b.{0,60}?<in_source>
        (nada se|nada) (dice|dijo|menciona|indica|ha dicho)\b.{0,60}?<in_source>
        no (es|resulta) posible (responder|contestar)\b.{0,40}$
        no se (puede|pudo|pueden|ha podido|podría|logra|logró\
            |es posible)( )<adverb><clitic><answer_verb>.{0,120}?(pregunta|<in_source>|$)(?<!días)
        (es|resulta|sería) imposible( )<adverb><clitic><answer_verb>.{0,120}?(pregunta|<in_source>)
        no (es|resulta|fue|sería) (\w+ )?posible( )<adverb><clitic><answer_verb>.{0,120}?(pregunta\
            |<in_source>|consulta)
        (<in_source>|con (la|los|esta|estos) .{0,40}?)<more_about_it>,? no (es|resulta|se|puedo|hay)\b
    """,
    "the source does not say": r"""
        <subject> (no|tampoco|nunca|en ningún momento)( )<adverb><clitic><says>
        <subject> (no|tampoco)( )<adverb><clitic><holds> <adverb><some><info>
        <the> ([\w-]+ ){0,2}?(contexto|pasajes?|fragmentos?|extractos?|información)\b<more_about_it> (no\
            |tampoco)( )<adverb><clitic>(<says>|<holds>)
        <subject> (guarda\w*|mantien\w*) silencio|<subject> carec\w+ de|<subject> omit\w+
        <subject> (es|son|resulta\w*)( )<adverb>(insuficiente|ambigu|vag[oa]|inciert)|<subject> no (es|son\
            |resulta\w*|parece\w*)( )<adverb>(lo (bastante|suficientemente) |suficientemente \
            |tan )?(suficiente|clar|específic|explícit|detallad|complet|precis|relevante|pertinente\
            |relacionad)
        ningun[oa]?( de)?( <the>)? ?([\w-]+ ){0,2}?<evidence><more_about_it> <clitic>(<says>|<holds>)
        nada (en|de|dentro)\b.{0,60}<evidence>|en ningun[oa] (parte|lugar|momento|de)\b.{0,60}
    """,
    "it is not in the source": r"""
        <lead>no (está|están|es|son|aparece\w*|figura\w*|consta\w*|viene\w*|se \w+|queda\w*\
            |ha\w* sido)\b.{0,50}?<in_source>
        <in_source><more_about_it>,? ?(no|tampoco)( )<adverb><clitic><told>
        <in_source><more_about_it>,? ?no hay\b.{0,60}<info>
        no <clitic>(queda|resulta|aparece|figura|consta|está|menciona|indica|especifica|encuentra|dice\
            |detalla|hace mención)\w*.{0,60}?<in_source>
        no se (menciona|indica|especifica|dice|precisa|detalla|proporciona|aclara)\w*( )?
        <lead>no se (menciona|especifica|indica|precisa)\w*$
        (la |esta |esa )?(respuesta|información|pregunta)\b.{0,60}? no (está|se|aparece|figura|puede|tiene|es\
            |existe|consta)\b
        <lead>((está|están) ausentes?|faltan?) (de|del|en)\b.{0,40}<evidence>
    """,
    "there is no information": r"""
        no (hay|existe\w*|consta\w*|se dispone de|se cuenta con|se tiene|figura\w*\
            |aparece\w*)( )<adverb><some>(?!evidencia)<info>($|[,;:]| (sobre|acerca|en|al respecto|para\
            |de (la|los|el|es)|relativ|disponible|suficiente|que (permita|responda|indique)|relevante\
            |relacionad|específic|con|a|adicional|concret))
        (falta|faltan) <some>(información|datos|contexto)
        <subject> (es|son) insuficientes?|<the> (información|datos)\b.{0,40}? (es|son\
            |resulta\w*)? ?(insuficientes?|no (basta|es suficiente|permite|está))
        (ninguna|sin) (información|mención|referencia)\b.{0,40}(<in_source>|disponible|encontrada|al respecto)
    """,
    "nothing was retrieved": r"""
        no se (ha |han )?(encontr|hall|localiz|recuper|obtuv|identific\
            |devolv)\w*( )<adverb><some>(documentos?|información|resultados?|datos|fuentes?|pasajes?\
            |fragmentos?|respuestas?|coincidencias|referencias?|menci\w+|nada|registros?|contenidos?|detalles)
        (la|mi|su|tu) (búsqueda|consulta) no (dio|arrojó|devolvió|ha|produjo|obtuvo|encontró|tuvo)
        ningún (documento|resultado)( \w+)? (encontrado|disponible|fue encontrado)
    """,
    "declines by policy": r"""
        (debo|tengo que|me veo obligad[oa] a|he de|prefiero|tendré que|necesito)( )<adverb>(rechazar|declinar\
            |negarme|abstenerme|no )
        (yo )?no (estoy|soy)( )<adverb>(cualificad|calificad|capacitad|autorizad|habilitad|facultad)[oa]
        (esta|la|su|tu|esa) (solicitud|petición|consulta|pregunta) no (puede|podrá) ser (atendid|cumplid\
            |procesad|realizad|respondid|contestad|satisfech)a
        no se (puede|puedo) (atender|cumplir|procesar) (esta|esa|su|tu|la) (solicitud|petición)
        (me niego|rechazo|declino|me abstengo)\b
        (eso|esto|esta|esa|su|tu|la)( (solicitud|pregunta|petición|consulta|información\
            |tema))?\b.{0,10}? (está fuera|queda fuera|excede|va en contra|no (está dentro|forma parte\
            |corresponde|es algo)|infringe|viola|sobrepasa|escapa)
        no (te |le |les )?(ayudaré|responderé|daré|proporcionaré|escribiré|compartiré|haré|asistiré)\b
        (no|sin) <told> ?<in_source>
        no (ofrezco|proporciono|doy|comparto|brindo|facilito)\b
        no podemos (ayudar\w+|responder|atender) (con|a|en)? ?(es[oa]|est[ea]|su|tu)
    """,
}

_WHOLE_SENTENCE = {
    "the source speaks of something else": r"""
        <subject> <speaks>[^,.;\d]{0,120},? (pero|aunque|sin embargo|mas)( (el \w+|este|estos))? (no\
            |sin)\b(?!.*, pero)
        (aunque|si bien|a pesar de que|mientras que) (<subject>|encontré|se)[^,;\d]{0,140}, [^,;]{0,40}?\b(no\
            |ningun\w*|nada)\b[^,]{0,120}$
    """,
}

_OPENERS = r"""
    ((lo |le |te )?(siento|lamento|sentimos|lamentamos)( mucho| muchísimo| decirle que| informarle que| que)?\
        |disculpa|disculpe|disculpas|perdón|perdona|perdone|mis disculpas|pido disculpas\
        |una disculpa)\b,? ?(pero )?
    (lamentablemente|desafortunadamente|desgraciadamente|por desgracia|infelizmente|me temo|creo|honestamente\
        |sinceramente|actualmente|por ahora|de momento|por el momento|sin embargo|no obstante|hola\
        |gracias( por (su|tu|la) \w+)?|y|pero|al parecer|entonces|por tanto|por lo tanto|así que)\b,?( que)? ?
    (según|en|de|con|basándo(me|se)|a|tras|después|como|dado|para|sobre|por|al|teniendo|sin|respecto|hasta\
        |entre|debido|ya que|puesto que)\b[^,;]{2,140}, ?
    como (un |una |asistente |modelo |ia |inteligencia )[^,;]{0,50}?,? (?=no )
    (parece|parecería|cabe señalar|hay que señalar|debo (decir|señalar|informar)\w*\
        |tengo que decir\w*)( que)( )
    (la )?respuesta( es)?\b[,:]? ?
"""

_COURTESIES = r"""
    ((lo |le )?(siento|lamento)|disculpa|disculpe|disculpas|perdón|perdone|mis disculpas)( mucho\
        | por[^,;]{1,40}| las molestias| la molestia)?$
    (por favor|gracias|hola|póngase|ponte|contacte|contacta|consulte|consulta|pruebe|prueba|intente|intenta\
        |verifique|verifica|revise|revisa|diríjase|dirígete|pregunte|pregunta|reformule|reformula|no dude\
        |no dudes|comuníquese|comunícate|acuda|busque|solicite|proporcione|indique|háganme|hágame|avíseme\
        |avísame|visite)\b
    <no_figure>(si|para|en caso|quizás?|tal vez|posiblemente|probablemente|sin) (?!embargo)
    (podría|podrías|puede|puedes|podrían|quiere|quieres|desea|deseas|quisiera|le gustaría|te gustaría\
        |hay algo|necesita|necesitas|tiene|tienes|me (puede|puedes|podría|podrías))\b.{0,80}?(\?|reformul\
        |proporcion|contact|consult|ayud|algo|alguna|indic|aclar|busc|intent|pregunt|revis|dar|compart\
        |verific|detall|acudir|dirigir|encontrar|$)
    (le |te |les )?(recomiendo|sugiero|aconsejo|invito|animo|ruego|agradecería|recomendamos|recomendaría\
        |sugeriría)\b
    (estaré|estoy (aquí|encantad|a su|a tu|disponible)|puedo (ayudar|ofrecer|buscar|intentar|responder\
        |asistir|orientar)|con gusto|será un placer|solo puedo|únicamente puedo|necesitaría|necesito\
        |haría falta|se necesit|se requ)
    <no_figure>(he|hemos) (\w+ )?(revisado|buscado|consultado|leído|analizado|examinado|comprobado)\
        |<no_figure>(revisé|busqué|consulté)
    <no_figure>(<subject>|est[eo]s|ell[oa]s|sol[oa]|sólo|únicamente)\b.{0,20}?(solo|sólo|únicamente|solamente\
        |se (centra|limita|refiere)|tratan?|habla|hablan|aborda|describe)
    <no_figure>(más|otra|mayor|otros|información adicional) (información|detalles|contexto|datos|fuentes\
        |document)
    <no_figure>(es|sería|puede|convendría|conviene|lo mejor|lo más) (\w+ )?(posible|recomendable|mejor\
        |conveniente|aconsejable|útil|necesario|ser|que|contactar|consultar)
    (como (ia|modelo|asistente)|soy (un|una|solo)|mi (función|conocimiento|propósito|entrenamiento)\
        |mis (conocimientos|respuestas|fuentes))\b
    (recursos humanos|el (departamento|equipo|servicio)|un (médico|abogado|profesional|experto)|su (médico\
        |responsable|supervisor))\b.{0,60}?(podrá|puede|podrán|podría)
    (me (gustaría|encantaría)|quisiera|ojalá pudiera)\b[^,;]{0,60}$
    <no_figure>(he )?(busqué|buscado|miré|revisé|revisado|leí|consulté)\b
    <no_figure>(esa|esta|esos|estos|dicha|eso|es) ?[^,;]{0,40}?(es|son) (confidencial|privad|sensible\
        |personal|secret)
    <no_figure>(solo|sólo|únicamente|solamente) (habla|trata|menciona|aborda|describe|se)\w*
    (fuentes?|respuesta|referencias?|motivo|razón)($| ?:)|espero|saludos|qué más
"""

PHRASEBOOK = Phrasebook(
    cues=r"""
        \b(no|ni|sin|nada|nunca|tampoco|ningun\w*|desconozco|desconocid\w+|ignoro|imposible|incapaz|niego\
            |rechaz\w+|declin\w+|insuficiente\w*
        carec\w+|carezco|faltan?|silencio|ausentes?|omit\w+|abstener\w*|abstengo|excede|infringe|viola|fuera\
            |indeterminad\w+|ambigu\w+|vag[oa]
        en contra|escapa|sobrepasa)\b
    """,
    labels="""
        sin información|sin respuesta|sin datos|sin información disponible|no disponible|no hay información
        no hay datos|no hay respuesta
        no hay información disponible|no hay información suficiente|no hay suficiente información
        información no disponible|desconocido|desconocida|se desconoce
        información insuficiente|contexto insuficiente|datos insuficientes|no especificado|no mencionado
        no indicado|no encontrado|no se menciona
        no se especifica|no se indica|no consta|no aplica|no aplicable|no contestable|no se puede responder
        no se puede determinar|no se sabe|ninguna información
        respuesta no encontrada|respuesta desconocida|no se encontró respuesta|no se encontró información
        no se encontraron resultados
        sin resultados|no hay resultados|n/d|s/d|ns/nc|no lo sé|no sé|no aparece en el texto
        no está en el contexto|no está en el texto
        sin documentos relevantes|no proporcionado|no determinado|indeterminado|no existe información
        no tengo idea|ni idea
        imposible de responder|imposible responder|información no encontrada
    """,
    pieces=PIECES,
    refusals=_REFUSALS,
    whole_sentence=_WHOLE_SENTENCE,
    openers=_OPENERS,
    courtesies=_COURTESIES,
    answers=r"""
        (sí|no|si|correcto|cierto|falso|verdadero|efectivamente|exacto|claro)([,;:!]| -)
        (no (hay|existen?) )?(ninguna?|ningún|no)? ?(pruebas?|evidencias?|dudas?|razón)\b(?!.*<in_source>)
        no (sé|conozco) (de )?(a )?(nadie|ningun\w*|otr[oa])\b|no hay que\b
        no puedo .{0,60}\b(suficiente|bastante)\b
        .{0,200}\b(salvo|excepto|aparte de|a excepción|más allá de)\b.{0,80}\d
    """,
    turns=r"""
        ,? (pero|sin embargo|aunque|no obstante|en cambio|sino que|mientras que)\b,?|; ?|: |( [-–—] )|—\
            |, (así que|por lo que|por tanto|solo que)\b
,? y (?=no (estoy|puedo|tengo|debo|me))
        , y (?=(él|ella|el|la|los|las|esto|se)\b.{0,30}\b(es|fue|era|tiene|son|cuesta|costó|será)\b)
        , (?=(quizás?|tal vez|probablemente|posiblemente|creo|supongo|diría|es |era |fue |aproximadamente\
            |parece|alrededor|por favor|puede\b|puedes\b))
    """,
)
