"""The named parts of English refusals: who speaks, how evidence is called, what is known or told."""

PIECES = {
    "the": """
        the|this|that|these|those|your|our|my|any|all|all the|all of the|either|both
    """,
    "supplied": """
        provided|supplied|given|retrieved|available|attached|uploaded|referenced|shared|indexed|above\
            |accessible|at (my|our) disposal
    """,
    "artefact": r"""
        contexts?|contextual information|passages?|excerpts?|snippets?|chunks?|extracts?
        (search|retrieval|query) results?|(<supplied>|context) ([\w-]+ )?(results?|content|information|data\
            |details|evidence)
        information(?= (<supplied>|you|i have|at hand|here)\b)
    """,
    "evidence": r"""
        <artefact>
        documents?|docs?|sources?|texts?|materials?|hand ?books?|knowledge ?bases?|documentation|references?
        files?|articles?|paragraphs?|corpus|faqs?|wiki|manuals?|guides?|transcripts?|pages?|website|section\
            |report|input|pdfs?|attachments?|notes|help cent(er|re)
    """,
    "describing": r"""
        (?!(of|in|on|by|to|for|that|who|which|is|are|was|were|and|or|do|does|did|has|have|not|no)\b)[\w'-]+
    """,
    "source": r"((<the>) (<describing> ){0,3}?|(<supplied>) (<describing> )?)<evidence>(?![\w'-])",
    "more_about_it": r"""
        ( (that (i|you|we|were|was|have|has)|which (you|were|was)|you|i|we|<supplied>|at hand|here\
            |in question|from|about
        on|for|to|within|regarding|concerning|below|listed)('ve|'d)?\b( [\w'.¤-]+){0,6}?)?
    """,
    "subject": "<source><more_about_it>",
    "in_source": r"""
        (in|from|by|within|with|using|on|across|among|inside|of|based on|given) ((any|all) of )?<source>(?=$\
            |[,;:)]|<past_it>)
        (from|on|with|in) what (you|i|we|was|is)\b
    """,
    "past_it": r"""
        ( (<supplied>|you|i|we|that|about|and|or|so|at|here|alone|only|itself|to|for|on|regarding|either\
            |because|as|<wh>))\b
    """,
    "adverb": r"""
        ( (\w+ly|seem to|appear to|even|also|itself|themselves|ever|contain or|further|yet|(state|mention\
            |say) or|quite|just
        still|at (this|the) (time|moment))){0,3}
    """,
    "not": "( not|n'?t)",
    "does_not": r"""
        (do|does|did|has|have|had|can|could|is|are|was|were|will|would)<not><adverb>|cannot<adverb>\
            |never<adverb>
    """,
    "be": "is|are|was|were|has been|have been|could be|can be",
    "be_not": r"""
        (is|are|was|were|has|have)<not>( been)?<adverb>|(can'?t|cannot|can not|could ?n'?t\
            |could not) be<adverb>
    """,
    "cannot": """
        <adverb>( can'?t| cannot| can not| could not| couldn'?t| wouldn't be able to\
            | would not be able to)<adverb>
        ( am|'m| are|'re| was| were|n't)<adverb> (not able|unable) to<adverb>
        ( am| was| are| were)n't able to<adverb>
        ( have not|'ve not| haven't) been able to<adverb>
        ( won'?t| will not|'ll not) be able to<adverb>|( did not| didn't) manage to| failed to
    """,
    "say": r"""
        mention|stat(e|ing)|say|specif|address|indicat|discuss|answer|disclos|reveal|describ|explain|clarif\
            |refer|touch|talk|tell
        elaborat|speak (of|to|about)|detail|make <some>(mention|reference|statement)|name|identif|list\
            |comment|shed|define|note|go into
        (allow|permit|enable) (me|us|one)|help (me|answer|with)|cover (this|that|it|the (topic|subject\
            |question|matter|issue))
        give (me )?<some>(answer|reason|figure|date|number|name|amount|price)
    """,
    "hold": r"""
        contain|includ|provid|have|has|had|offer|giv|suppl|present|hold|cover|mention|list|show|yield|return
    """,
    "holds": r"""
        (contain|include|provide|give|offer|make|hold|return|yield|show)(s|d|ed)?|has|have|had|gave|made
    """,
    "some": r"""
        ((any|enough|sufficient|the|an?|specific|relevant|explicit|direct|clear|further|such|this|that\
            |adequate|detailed
        required|necessary|requested|additional|exact|more|needed|concrete|definitive|definite|useful|single\
            |particular|of
        related|reliable|precise|full|complete|pertinent|matching|to|up-to-date|current|suitable\
            |supporting) ){0,4}
    """,
    "info": r"""
        (information|info|details?|data|mention|references?|answers?|anything|specifics|explanation\
            |indication|statement
        evidence|content|facts?|clues?|guidance|description|enough|context|material|documentation|figures?\
            |discussion|entr(y|ies)
        knowledge|records?|basis|insights?|documents?|sources?|passages?|results?)\b
    """,
    "about": "about|on|regarding|concerning|as to|for|relating to|related to|pertaining to",
    "wh": "(who|whom|whose|what|when|where|why|how|which|whether|if)\\b",
    "it": r"(it|that|this|these|those|them|one|any|anything|so)\b",
    "told": r"""
        (mentioned|stated|specified|given|provided|included|found|listed|disclosed|discussed|addressed\
            |indicated|available
        described|covered|defined|clear|named|identified|explained|recorded|contained|present|detailed|noted\
            |reported|known
        answered|determined|established|inferred|derived|located|verified|confirmed|deduced|ascertained\
            |concluded|extracted
        referenced|documented|outlined|evident|apparent|shown|answerable|supplied)\b
    """,
    "hard_to_tell": r"""
        (not possible|impossible|unclear|not clear|not<adverb> (stated|specified|mentioned|known)|difficult\
            |hard|unknown
        no way)\b
    """,
    "help": r"""
        help(?! (but|\w+ing)\b)|assist|comply|fulfil|do (that|this|so)|support|engag|participat|advis|diagnos\
            |act as|answer
        process (this|that|your)|complete (this|that|your)|carry out|condone|respond|satisfy|grant|go into\
            |take part|guid
    """,
    "provide": r"""
        provid|offer|give|giving|shar|disclos|discuss|reveal|browse|search|look up|view|open|generat|creat\
            |writ|produc|predict|access|speculat|instruct|teach
        (describe|explain|show you|tell you) how|list (the|any)|reproduc|have (personal )?opinions|translat
        (make|recommend) (an? |any |that |this )?(specific|particular|\w*medic|treatment|invest|stock|predict\
            |judg|decision|legal)
    """,
    "will_not": r"""
        <cannot>| won'?t| will not|'ll not|( would|'d) rather not|( should| may| must) not| shouldn't\
            | mustn't|( am|'m) not going to
        ( do not| don'?t)( feel comfortable| wish to| want to| think i (should|can))?
    """,
    "found_nothing": r"""
        found (nothing( (on|about|regarding|in|within|relevant|related|matching|that|to|concerning|there)\b\
            |$)|no <some>(<info>|articles?|match(es)?|entr))
    """,
    "the_information": r"""
        (the |that |this |such )?((relevant|requested|required|necessary|needed|specific|exact\
            |full) )?(information|info|answers?|details?|data)\
            ( (you|needed|required|requested|about|on|regarding|to|for|necessary|concerning) [^,;]{1,80}?)?
    """,
    "describes": r"""
        (mention|discuss|describ|refer|cover|talk|address|contain|provid|includ|note|list|focus|explain|touch\
            |deal|reference)\w*|(is|are)( all| only| just| mostly)? (about|on|related|focused|limited)
    """,
    "concession": r"""
        (while|although|though|even though|whilst) (<subject>|i|they\
            |it)\b[^,;\d]{0,30}?<describes>[^,;\d]{0,120},( )
    """,
    "there_is_no": r"""
        there( is| are| was| were|'s| (seems|appears) to be| exists?)( currently| simply| also| \w+ly)?\
            ( no| not any| not enough| insufficient| nothing|<not>( any| enough)?)\b
    """,
    "no_figure": r"(?!.*\d)",
    "then": r"""
        (?=$|[,;:]| (but|that|i|we|the|this|there|no|it|none|nothing|your|my|to)\b)(, ?(but )?|( (but|that\
            |to (say|inform you|tell you)( that)?) )| )?
    """,
    "limits": r"""
        (only|just|mainly|primarily|mostly|solely|instead|merely|focus|concern|deal|relate|discuss|describe\
            |can only)\w*
    """,
    "turn_elsewhere": r"""
    (also |still |always |instead |need |have |be |best |better ){0,4}(to )?(want|wish|need|try|check|contact\
        |consult|refer|reach|ask\
        |visit|look|like|find (more|this|that|it|further|the|out|such)|provide|share|upload|search|rephras\
            |review|submit\
        |welcome|better off|consider|advised|encouraged|seek|speak|talk|call|email|verify|get in touch|give\
            |send|open|raise)
""",
    "offer": r"""
    recommend|suggest|advise|encourage|happy|glad|help|assist|try|offer|urge|invite|ask you|require|point you\
        |here to
    able to (help|assist|answer|provide)|need (more|further|additional|access|to (see|know))|be (able|happy\
        |glad)
    answer (questions|other|general)|provide (general|other|more|information|you)|look (it|that|this|again\
        |into)
""",
}
