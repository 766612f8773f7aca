"""The named parts of Portuguese refusals: who speaks, how evidence is called, what is known or told."""

PIECES = {
    "the": r"""
        (o|a|os|as|este|esta|estes|estas|esse|essa|esses|essas|seus?|suas?|meus?|minhas?|nossos?|nossas?\
            |teus?|tuas?|um|uma|d[oa]s?
        todos os|todas as|n[oa]s?|pel[oa]s?|aos?|às?|dess[ea]s?|dest[ea]s?|ness[ea]s?|nest[ea]s?)
    """,
    "evidence": r"""
        (contextos?|documentos?|textos?|passagens?|passagem|fontes?|trechos?|excertos?|fragmentos?|extratos?\
            |materia(l|is)|manua(l|is)|guias?
        bases? de (conhecimentos?|dados)|documentação|artigos?|arquivos?|ficheiros?|conteúdos?|parágrafos?\
            |resultados( d[ae] (busca|pesquisa))?
        páginas?|seç(ão|ões)|corpus|relatórios?|referências?
        (informações|informação|dados)(?= (fornecid|disponív|dad[oa]|recuperad|apresentad|que|oferecid|contid\
            |disponibilizad|atua)))\b
    """,
    "source": r"<the> ([\w-]+ ){0,2}?<evidence>|(documentos|fontes) (fornecid|recuperad|disponív)\w+",
    "more_about_it": r"""
        ( (que (me|você|foram|foi|tenho)|fornecid\w+|dad[oa]s?|recuperad\w+|disponíve\w+|apresentad\w+|acima\
            |d[eoa]s?|sobre|em|n[oa]s?|a
        consultad\w+|encontrad\w+|partilhad\w+|compartilhad\w+|enviad\w+|disponibilizad\w+|citad\w+\
            |oferecid\w+|anex\w+)\b( [\w'¤-]+){0,6}?)?
    """,
    "subject": r"<source><more_about_it>",
    "in_source": r"""
        (em|por|a partir|segundo|conforme|com|de|com base|mediante|dentro|entre|desde|através|usando)( em\
            | de)? <source>
        (n[oa]s?|d[oa]s?|nest[ea]s?|ness[ea]s?|dest[ea]s?|dess[ea]s?|pel[oa]s?|aos?\
            |em) ([\w-]+ ){0,2}?<evidence>
    """,
    "clitic": r"((me|te|se|lo|o|a|lhe|lhes|nos|vos|os|as)( )){0,4}",
    "adverb": r"((\w+mente|ainda|também|realmente|mais|muito|bem|sequer|por enquanto)( )){0,4}",
    "says": r"""
        (mencion|menciona|indic|especific|diz|dizem|fal|trat|abord|respond|descrev|explic|revel|nome[ai]\
            |detalh|esclarec|precis|dá\b|dão\b|forne[cç]
        inform|permit|faz |fazem |cit|identific|defin|refer|express|estabelec|cobr|traz|contempl|oferec\
            |apresent|aponta|comenta|aludem?|basta|registr|lista)
    """,
    "holds": r"""
        (cont[eéê]m|conté|inclu|forne[cç]|oferec|tem\b|têm\b|dá\b|dão\b|traz|trazem|apresent|há\b|disp[oõ]\
            |possu|disponibiliz|mencion)\w*
    """,
    "speaks": r"""
        (mencion|indic|fal[ae]|trat|abord|descrev|explic|cont[eéê]m|inclu|cit|refer|oferec|forne[cç]|diz)\w*
    """,
    "some": r"""
        ((nenhum|nenhuma|quaisquer|qualquer|suficientes?|a|o|as|os|uma?|mais|bastantes?|de|sobre|acesso a\
            |relevantes?|específic[oa]s?|explícit[oa]s?
        necessári[oa]s?|clar[oa]s?|diret[oa]s?|essa|esse|esta|este|tal|alguma|algum|ess[ae]s|outr[oa]s?|nada\
            |com|adequad[oa]s?|à|ao)( )){0,4}
    """,
    "info": r"""
        (informaç(ão|ões)|detalhes?|dados?|respostas?|menç(ão|ões)|referências?|indicaç(ão|ões)|elementos\
            |explicaç(ão|ões)|contexto|conteúdos?
        conhecimentos?|nada|acesso|documentos?|resultados?|registros?|registos?|pistas?|especificaç(ão|ões)\
            |alusão|indícios?|esclarecimentos?)\b
    """,
    "wh": r"(quem|que|quê|quando|onde|como|qual|quais|quant\w+|se|por ?qu[eê]|o que|de que|em que)\b",
    "told": r"""
        (mencion|indic|especific|diz|dit[oa]|fal[ae]|trat|descr|explic|revel|nome|detalh|esclarec|forne[cç]\
            |inclu|encontr|aparec|figur|const|disponív|present|dad[oa]
        cit|identific|defin|cont|localiz|respon|inform|refer|determin|clar[oa]|estabelec|oferec|consta\
            |registr|abord|apresent|traz|deduz|possível)\w*
    """,
    "cannot": r"""
        (eu )?não <clitic>(posso|poderia|poderei|pude|podemos|consigo|consegui|conseguirei|devo|quero|vou\
            |desejo|saberia|sou capaz de|fui capaz de|me é permitido|me é possível)( )<adverb>
        (eu )?não (estou|sou|me sinto|fui)( )<adverb>(autorizad[oa]|capacitad[oa]|em condições|apto|apta\
            |habilitad[oa]|qualificad[oa]|programad[oa]|projetad[oa]|em posição|capaz|confortável)( a| para\
            | de| em)?( )?
        não tenho( )<adverb>(permissão|autorização|capacidade|como|meios|condições|competência)( para\
            | de)?( )?
        (é|seria)-?me (impossível|difícil)( )|não me é possível( )
    """,
    "answer_verb": r"""
        (<clitic>)(ajud[aá]|respond|dizer|determinar|confirmar|fornecer|oferecer|dar\b|dar-|partilh\
            |compartilh|revelar|cumprir|assisti|auxili|realizar|fazer (isso|isto)|escrever|criar|gerar
        diagnosticar|encontrar|identificar|saber|precisar|assegurar|discutir|falar|comentar|atender|processar\
            |completar|divulgar|verificar|acessar|aceder|prestar|localizar|estabelecer
        concluir|afirmar|indicar|especificar|emitir|deduzir|inferir|participar|redigir|explicar-|apoiar\
            |satisfazer|esclarecer|opinar|aconselhar|extrair|informar|ver\b|garantir|achar)
    """,
    "no_figure": r"(?!.*\d)",
    "lead": r"(?!(se|quem|quando|os que|sim|não|ninguém)\b)[^,;]{1,110}? ",
}
