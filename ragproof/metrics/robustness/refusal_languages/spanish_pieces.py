"""The named parts of Spanish refusals: who speaks, how evidence is called, what is known or told."""

PIECES = {
    "the": r"""
        (el|la|los|las|este|esta|estos|estas|ese|esa|esos|esas|tus?|sus?|mis?|nuestr\w+|vuestr\w+|del|al|un\
            |una|todos los|todas las)
    """,
    "evidence": r"""
        (contextos?|documentos?|textos?|pasajes?|fuentes?|fragmentos?|extractos?|material(es)?|manual(es)?\
            |guías?|documentación
        bases? de (conocimientos?|datos)|artículos?|archivos?|contenidos?|párrafos?\
            |resultados( de (la )?búsqueda)?|páginas?
        secci(ón|ones)|corpus|informes?|referencias?
        (información|informaciones|datos)(?= (proporcionad|disponible|suministrad|dad|recuperad|facilitad\
            |aportad|que|ofrecid|contenid|present|actual)))\b
    """,
    "source": r"""
        <the> ([\w-]+ ){0,2}?<evidence>|(documentos|fuentes) (proporcionad|recuperad|disponibl|consultad)\w+
    """,
    "more_about_it": r"""
        ( (que (me|se|has|ha|han|tengo)|proporcionad\w+|suministrad\w+|dad\w+|recuperad\w+|disponibles?\
            |facilitad\w+|aportad\w+|de|del|sobre
        consultad\w+|encontrad\w+|compartid\w+|en|a|anterior\w*|adjunt\w+|present\w+|citad\w+|indicad\w+\
            |ofrecid\w+)\b( [\w'¤-]+){0,6}?)?
    """,
    "subject": r"<source><more_about_it>",
    "in_source": r"""
        (en|por|a partir|según|con|de|sobre la base|basándo(me|se) en|mediante|dentro|entre\
            |desde)( de)? <source>
        (del|al) ([\w-]+ ){0,2}?<evidence>
    """,
    "clitic": r"((me|te|se|lo|la|le|les|nos|os|los|las)( )){0,4}",
    "adverb": r"((\w+mente|aún|todavía|tampoco|realmente|más|muy|del todo|bien|por ahora)( )){0,4}",
    "says": r"""
        (mencion|indic|especific|dice|dicen|dij|ha dicho|han dicho|habló|señal|habl|trat[ae]|abord|respond\
            |describ|explic|revel|nombr|detall|aclar|precis|da\b|dan\b|contest
        inform|permit|hace |hacen |cit|identific|defin|refier|expres|establec|cubr|recog|aport|proporcion\
            |ofrec|comenta|basta|contempl)
    """,
    "holds": r"""
        (contien|contiene|incluy|proporcion|ofrec|tien|da\b|dan\b|aport|brind|suministr|present|hay\b|facilit\
            |dispone)\w*
    """,
    "speaks": r"""
        (mencion|indic|habl|trat|abord|describ|explic|contien|incluy|cit|refier|ofrec|proporcion|dice|dicen\
            |come)\w*
    """,
    "some": r"""
        ((ningun[oa]?|ningún|suficientes?|la|el|los|las|una?|más|bastantes?|de|sobre|acceso a|relevantes?\
            |específic[oa]s?|explícit[oa]s?
        necesari[oa]s?|clar[oa]s?|direct[oa]s?|esa|ese|esta|este|dich[oa]s?|alguna|algún|tal|otr[oa]s?\
            |nada de|con|a|adecuad[oa]s?)( )){0,4}
    """,
    "info": r"""
        (información|informaciones|detalles?|datos?|respuestas?|menci(ón|ones)|referencias?|indicaci(ón|ones)\
            |elementos|constancia
        explicaci(ón|ones)|contexto|contenidos?|conocimientos?|nada|evidencias? suficientes?|acceso\
            |documentos?|resultados?|registros?|pistas?|especificaci(ón|ones)|indicios?|alusi(ón|ones))\b
    """,
    "wh": r"""
        (qué|que|quién(es)?|cuándo|cuando|dónde|donde|cómo|como|cuál(es)?|cuánt\w+|si|por qué|a qué|de qué\
            |en qué)\b
    """,
    "told": r"""
        (mencion|indic|especific|dice|señal|habl|trat|descri|explic|revel|nombr|detall|aclar|precis\
            |proporcion|inclu|encuentr|encontr|aparec|figur|const
        disponib|present|da\b|dad[oa]|cit|identific|defin|conten|contien|hall|recog|responde|hace (mención\
            |referencia)|determin|clar[oa]|establec|ofrec|deduc|menta|contempl)\w*
    """,
    "cannot": r"""
        (yo )?no <clitic>(puedo|podría|podré|pude|podemos|he podido|consigo|conseguí|logro|logré|debo|quiero\
            |voy a|deseo|pienso|sabría|soy capaz de)( )<adverb>
        (yo )?no (estoy|soy|me encuentro)( )<adverb>(segur[oa] de |autorizad[oa]|capacitad[oa]|en condiciones\
            |capaz|habilitad[oa]|cualificad[oa]|calificad[oa]|diseñad[oa]|programad[oa]|facultad[oa]\
            |preparad[oa]|en posición)( a| para| de)?( )?
        no tengo( )<adverb>(permitido|permiso para|autorización para|la capacidad de|capacidad para|forma de\
            |manera de|la posibilidad de)( )
        me (es|resulta) (imposible|difícil)( )|no (me|nos) (es posible|resulta posible|está permitido\
            |es permitido)( )
    """,
    "answer_verb": r"""
        (ayudar|responder|contestar|decir|determinar|confirmar|proporcionar|ofrecer|dar|compartir|revelar\
            |cumplir|asistir|realizar|hacer(lo| es[oa]|$)|escribir|crear
        generar|diagnosticar|facilitar|encontrar|identificar|saber|precisar|asegurar|discutir|hablar|comentar\
            |atender|procesar|completar|divulgar|verificar|acceder
        brindar|asesorar|localizar|establecer|concluir|afirmar|indicar|especificar|ver\b|emitir|hallar\
            |deducir|inferir|participar|redactar|explicar(te|le)|apoyar|satisfacer|conocer|aclarar|opinar\
            |aconsejar|prestar|extraer|recomendar(te|le)?$)
    """,
    "no_figure": r"(?!.*\d)",
    "lead": r"(?!(si|quien|quienes|los que|cuando|sí|no|nadie)\b)[^,;]{1,110}? ",
}
