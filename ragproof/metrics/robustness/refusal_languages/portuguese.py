"""How Portuguese declines, on both continents: "não sei", "o texto não informa", "não posso ajudar"."""

from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook
from ragproof.metrics.robustness.refusal_languages.portuguese_pieces import PIECES

_REFUSALS = {
    "says that it does not know": r"""
        (eu )?não( )<adverb>(o )?(sei|saberia)( dizer| informar| responder)?( ao certo| com certeza\
            | exatamente)?($|[,;:]| (<wh>|a resposta|nada|isso|com base))
        (eu )?(desconheço|ignoro)($|[,;:]| (o|a|os|as|isso|essa|<wh>|qualquer))
        (eu )?não (tenho|temos|dispomos|disponho|possuo|recebi|encontrei|encontro|achei|localizei|vejo|vi\
            |identifiquei|obtive|conheço)( )<adverb>(de |d[ae]ss[ae] |dest[ae] )?<some>(<info>|opini(ão|ões)\
            |preferências|(a menor |a mínima )?(ideia|noção)|certeza|isso|o que|a resposta|nada)
        (eu )?não (encontrei|encontro|localizei|achei|vejo|vi)\b.{0,90}?(<in_source>|<info>)
        não me (foi|foram) (fornecid|dad|disponibilizad)\w+.{0,40}<info>
        não estou( )<adverb>(cert[oa]|segur[oa]|cient|familiarizad|a par|informad)
        (falta-me|faltam-me|me faltam?|careço de) <some><info>
        (isso|isto|a resposta|esse dato)( )?(é-me|me é|nos é) (desconhecid|ignorad)
        não faço (a menor |a mínima )?ideia|sei lá$
    """,
    "could not find or determine it": r"""
        ((sem|com|por|a partir|segundo|de acordo|pel[oa]s?|dado) [^,;]{1,60} )?<cannot><answer_verb>
        não (encontramos|encontrei|achamos|achei|conseguimos (encontrar|achar|localizar)|pudemos encontrar\
            |encontro|localizamos|vemos|vejo|vimos)\b.{0,40}?(nada|nenhum\w*|resposta|informaç)
        sou incapaz de\b|nada encontrei
        (por )?não (poder|conseguir) <answer_verb>
        nada (foi|é|está|se|consta)\b.{0,60}?<in_source>
        não (é|foi|será) possível (responder|determinar isso)\b.{0,40}$
        não se (pode|consegue|sabe|podem)( )<adverb><answer_verb>.{0,120}?(pergunta|questão|<in_source>)
        (é|seria|torna-se) impossível( )<adverb><answer_verb>.{0,120}?(pergunta|questão|<in_source>)
        não (é|foi|seria|será) (\w+ )?possível( )<adverb><answer_verb>.{0,120}?(pergunta|questão|<in_source>)
        (<in_source>|com (as?|os?|ess[ae]s?|est[ae]s?) .{0,40}?)<more_about_it>,? não (é|foi|se|posso|há\
            |consigo|dá)\b
    """,
    "the source does not say": r"""
        <subject> (não|tampouco|também não|nunca|em nenhum momento)( )<adverb><clitic><says>
        <subject> (não|tampouco)( )<adverb><clitic><holds> <adverb><some><info>
        <the> ([\w-]+ ){0,2}?(contextos?|passage(m|ns)|trechos?|excertos?|informações)\b<more_about_it> (não\
            |tampouco)( )<adverb><clitic>(<says>|<holds>)
        <subject> (é|são|permanecem?|fica|guarda|carecem? de|omitem?)( )<adverb>(omiss|silen|insuficient\
            |ambígu|vag|<some><info>)
        <subject> não (é|são|parece\w*)( )<adverb>(o (bastante|suficiente) |suficientemente |tão )?(suficient\
            |clar|específic|explícit|detalhad|complet|precis|relevante|pertinente|relacionad)
        nenhum[a]?( d[oae]s?( \w+)?)? ?([\w-]+ ){0,2}?<evidence><more_about_it> <clitic>(<says>|<holds>)
        nada (n[oa]s?|em|d[oa]s?)\b.{0,60}<evidence>|em (lugar|parte|momento) (nenhum|algum|nenhuma\
            |alguma)\b.{0,60}|em nenhum[a]? (lugar|parte|momento)
    """,
    "it is not in the source": r"""
        <lead>não (está|estão|é|são|foi|foram|aparece\w*|figura\w*|consta\w*|vem|se \w+|fica\
            |há)\b.{0,50}?<in_source>
        <in_source><more_about_it>,? ?(não|tampouco)( )<adverb><clitic><told>
        <in_source><more_about_it>,? ?não (há|existe\w*)\b.{0,60}<info>
        não <clitic>(fica|resulta|aparece|figura|consta|está|menciona|indica|especifica|encontra|diz|detalha\
            |é (mencionad|informad|dit))\w*.{0,60}?<in_source>
        <lead>não (é|foi|está|são|foram) (mencionad|especificad|informad|indicad)[oa]s?$
        (a |essa |esta )?(resposta|informação|pergunta|questão)\b.{0,60}? não (está|se|aparece|figura|pode\
            |tem|é|existe|consta|foi)\b
        <lead>((está|estão) ausentes?|faltam?) (d[eoa]s?|n[oa]s?)\b.{0,40}<evidence>
    """,
    "there is no information": r"""
        não (há|existe\w*|consta\w*|se dispõe de|figura\w*|temos|se tem)( )<adverb><some><info>($|[,;:]\
            | (sobre|acerca|em|n[oa]s?|a(o)? respeito|para|d[oa]s?|d[ae]ss[ae]|relativ|disponív|suficiente\
            |que (permita|responda|indique)|relevante|relacionad|específic|com|a|ao|à|adicional|quanto))
        (falta|faltam) <some>(informaç|dados|contexto)
        <subject> (é|são) insuficientes?|<the> (informaç\w+|dados)\b.{0,40}? (é|são)? ?(insuficientes?\
            |não (basta|é suficiente|são suficientes|permite|está))
        (nenhuma|sem) (informação|menção|referência)\b.{0,40}(<in_source>|disponível|encontrada|a respeito)
    """,
    "nothing was retrieved": r"""
        (não (foi|foram)|nenhum\w*)( )<adverb>(encontrad|localizad|recuperad|obtid\
            |retornad)?\w*( )?(?!$)<some>(documentos?|informaç\w+|resultados?|dados|fontes?|passage\w+\
            |trechos?|respostas?|correspondências|menç\w+|conteúdos?|registros?)( \w+)?( (foi\
            |foram))?( (encontrad|localizad|recuperad|relevante|retornad|disponíve|sobre|para|n[oa])|$)
        não (encontrei|localizei|achei) (nenhum |nenhuma )?(documento|resultado|informaç)
        (a|minha|sua) (busca|pesquisa|consulta) não (deu|retornou|devolveu|produziu|encontrou|trouxe)
    """,
    "declines by policy": r"""
        (devo|tenho (de|que)|preciso|vejo-me obrigad[oa] a|sou obrigad[oa] a|terei (de|que)\
            |prefiro)( )<adverb>(recusar|declinar|rejeitar|negar|me abster|abster-me|não )
        (eu )?não (estou|sou)( )<adverb>(qualificad|capacitad|autorizad|habilitad)[oa]
        (este|esse|o seu|seu|esta|essa) (pedido|solicitação|pergunta|questão) não (pode|poderá) ser (atendid\
            |cumprid|processad|realizad|respondid|satisfeit)[oa]
        não (é|foi) possível (atender|cumprir|processar) (a )?(este|esse|esta|essa|seu|o seu|sua)
        (recuso-me|me recuso|recuso|declino|abstenho-me)\b
        (a |o )?(isso|isto|essa|esta|seu|sua)( (solicitação|pergunta|pedido|questão|informação|tema\
            |assunto))?\b.{0,10}? (está fora|fica fora|foge|excede|vai contra|não (está|faz parte|é algo\
            |cabe)|infringe|viola|ultrapassa)
        não (te |lhe )?(ajudarei|responderei|darei|fornecerei|escreverei|compartilharei|partilharei|farei)\b
        (não|sem) <told> ?<in_source>
        não (ofereço|forneço|dou|compartilho|partilho|presto)\b
        não podemos (ajudar|responder|atender) .{0,10}?(iss|ess|est|sua)
    """,
}

_WHOLE_SENTENCE = {
    "the source speaks of something else": r"""
        <subject> <speaks>[^,.;\d]{0,120},? (mas|porém|contudo|no entanto|embora|sem)( (o \w+|este|ele\
            |ela))? (não|especificar|indicar|mencionar|dizer|informar)\b(?!.*, mas)
        (embora|apesar de|ainda que|mesmo que|se bem que|enquanto) (<subject>|encontrei|se\
            |ele)[^,;\d]{0,140}, [^,;]{0,40}?\b(não|nenhum\w*|nada)\b[^,]{0,120}$
    """,
}

_OPENERS = r"""
    ((sinto|lamento)( muito| imenso| informar que| dizer que)?|desculpa|desculpe(-me)?|me desculpe|desculpas?\
        |perdão|peço (imensa )?desculpas?|(minhas|as minhas) desculpas)\b,? ?(mas |porém )?
    (infelizmente|lamentavelmente|receio|temo|acho|acredito|honestamente|sinceramente|atualmente|por enquanto\
        |no momento|de momento|porém|no entanto|contudo|olá|oi|obrigad[oa]( pela \w+| por \w+)?|e|mas\
        |ao que parece|então|portanto|assim|bem)\b,?( que)? ?
    (segundo|conforme|em|n[oa]s?|de|d[oa]s?|com|a partir|após|depois|como|dad[oa]s?|para|sobre|por|pel[oa]s?\
        |ao|tendo|sem|quanto|até|entre|devido|já que|uma vez que|de acordo)\b[^,;]{2,140}, ?
    (como|sendo|enquanto) (um |uma |assistente |modelo |ia |inteligência )[^,;]{0,50}?,? (?=não )
    (parece|cabe (notar|ressaltar)|devo (dizer|informar)|tenho (de|que) (dizer|informar))( que)( )
    (a )?resposta( é)?\b[,:]? ?
"""

_COURTESIES = r"""
    ((sinto|lamento)( muito)?|desculpa|desculpe|desculpas|perdão|peço desculpas?|(minhas\
        |as minhas) desculpas)( pel[oa][^,;]{1,40}| por[^,;]{1,40})?$
    (por favor|obrigad[oa]|olá|entre em contato|entre em contacto|contate|contacte|consulte|tente|verifique\
        |reveja|procure|pergunte|reformule|não hesite|fale|dirija-se|solicite|forneça|indique|avise|me avise\
        |informe|visite|sinta-se|fique à vontade|envie|recomenda-se|sugere-se)\b
    <no_figure>(se|caso|para|talvez|possivelmente|provavelmente|sem|quem sabe)\b
    (poderia|poderias|pode|podes|poderiam|quer|queres|deseja|gostaria|há algo|precisa|você (pode|poderia|deve\
        |deveria|gostaria|quer|tem|precisa)|tem)\b.{0,80}?(\?|reformul|forne|contat|contact|consult|ajud|algo\
        |alguma|indic|esclarec|procur|tent|pergunt|verific|dar|compartilh|partilh|detalh|encontrar|enviar\
        |recorrer|$)
    (eu )?(lhe |te )?(recomendo|sugiro|aconselho|convido|peço|agradeço|recomendamos|recomendaria|sugeriria)\b
    (eu )?(estou (à|aqui|ao)|posso (ajudar|oferecer|procurar|tentar|responder|auxiliar|orientar)|terei prazer\
        |ficarei|será um prazer|só posso|apenas posso|precisaria|preciso|seria(m)? necess|é necess|são necess)
    <no_figure>(eu )?(revi|procurei|consultei|li|analisei|examinei|verifiquei|pesquisei|busquei)\b
    <no_figure>(<subject>|est[ea]s?|ess[ea]s?|el[ea]s?|apenas|só|somente)\b.{0,20}?(apenas|só|somente\
        |unicamente|se (concentra|limita|refere)|tratam?|fala|falam|aborda|descreve)
    <no_figure>(mais|outr[oa]s?|informações adicionais|maiores) (informaç|detalhes|contexto|dados|fontes\
        |document)
    <no_figure>(é|seria|pode|convém|o melhor|o ideal) (\w+ )?(possível|recomendável|melhor|conveniente\
        |aconselhável|útil|necessário|ser|que|contatar|contactar|consultar)
    (como (ia|modelo|assistente)|sou (um|uma|apenas)|(a )?minha (função|finalidade|base)\
        |(os )?meus? conhecimentos?|as minhas (respostas|fontes))\b
    (o (rh|departamento|suporte)|um (médico|advogado|profissional|especialista)|(o )?seu (médico|gestor\
        |supervisor))\b.{0,60}?(poderá|pode|poderão|poderia)
    (eu )?(gostaria|adoraria|queria|teria gosto|quem me dera)\b[^,;]{0,60}$
    <no_figure>(essa|esta|esses|estes|isso|isto)\b[^,;]{0,40}? (é|são) (confidencia|privad|sensíve|pessoa\
        |secret|sigilos)
    <no_figure>(só|somente|apenas) (fala|trata|menciona|aborda|descreve|se)\w*
    (fontes?|resposta|referências?|motivo|razão)($| ?:)|espero|atenciosamente
"""

PHRASEBOOK = Phrasebook(
    cues=r"""
        \b(não|nem|sem|nada|nunca|tampouco|nenhum\w*|desconheço|desconhecid\w+|ignoro|impossível|incapaz\
            |recus\w+|declin\w+|rejeit\w+|insuficientes?|indisponível
        carec\w+|careço|falta\w*|omiss\w+|silen\w+|ausentes?|abst\w+|excede|infringe|viola|fora|foge\
            |indeterminad\w+|ambígu\w+|vag[oa]|contra|ultrapassa|sei lá)\b
    """,
    labels="""
        sem informação|sem informações|sem resposta|sem dados|sem informações disponíveis|não disponível
        indisponível|não há informação|não há informações
        não há dados|não há resposta|não há informações suficientes|não há informação suficiente
        informação não disponível|informações não disponíveis|desconhecido|desconhecida
        informação indisponível
        informação insuficiente|informações insuficientes|contexto insuficiente|dados insuficientes
        não especificado|não mencionado|não informado|não indicado|não encontrado|não consta
        não especificada|não mencionada|não informada|não encontrada|não se aplica|não aplicável
        não respondível|não é possível responder|não é possível determinar|não se sabe|nenhuma informação
        nenhuma informação encontrada
        resposta não encontrada|resposta desconhecida|nenhuma resposta encontrada|nenhum resultado
        nenhum resultado encontrado|sem resultados|n/d|s/i|ns/nr|não sei|não está no texto
        não está no contexto
        nenhum documento relevante|nenhum documento encontrado|não fornecido|indeterminado
        não existe informação|não faço ideia|informação não encontrada|informações não encontradas
        impossível responder|não determinado
    """,
    pieces=PIECES,
    refusals=_REFUSALS,
    whole_sentence=_WHOLE_SENTENCE,
    openers=_OPENERS,
    courtesies=_COURTESIES,
    answers=r"""
        (sim|não|correto|certo|falso|verdadeiro|verdade|exato|exatamente|claro)([,;:!]| -)
        (não (há|existem?) )?(nenhuma?|não)? ?(provas?|evidências?|dúvidas?|razão)\b(?!.*<in_source>)
        não (sei|conheço) (de|ninguém|nenhum\w*|outr[oa])\b|não há que\b
        não posso .{0,60}\b(suficiente|bastante|o bastante)\b
        .{0,200}\b(salvo|exceto|além de|a não ser|à exceção)\b.{0,80}\d
    """,
    turns=r"""
        ,? (mas|porém|contudo|no entanto|todavia|embora|enquanto que)\b,?|; ?|: |( [-–—] )|—|, (por isso\
            |portanto|pelo que|só que)\b
,? e (?=não (estou|posso|tenho|devo|me))
        , e (?=(ele|ela|o|a|os|as|isso)\b.{0,30}\b(é|foi|era|tem|são|custa|custou|será)\b)
        , (?=(talvez|provavelmente|possivelmente|acho|acredito|creio|suponho|diria|é |era |foi \
            |aproximadamente|parece|cerca|por favor|você pode\b))
    """,
)
