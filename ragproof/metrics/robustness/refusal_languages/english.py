"""How English declines: "I don't know", "the context does not mention ...", "I can't help with that"."""

from ragproof.metrics.robustness.refusal_languages.english_pieces import PIECES
from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook

_REFUSALS = {
    "says that it does not know": r"""
        (i|we)<adverb>( do| did)<not><adverb> know( for (sure|certain)| exactly| yet)?($|[,;:]\
            | (the (exact )?(answer|details)|<it>|<wh>|<about>|based|from|enough|because|as))
        (do not|don'?t) know$
        (i|we)('ve| have) (\w+ly )?no (idea|clue|knowledge|way of knowing|information|data|details|answer\
            |record)\b
        (i|we)('m| am|'re| are)<adverb> (not<adverb>( sure| certain| aware| familiar)|unsure|uncertain\
            |unaware)($|[,;:]| (<wh>|about|of|as to|based|that i|i (can|have|know)))
        (it|that|this)('s| is) (unknown|not known) to me
        i (couldn'?t|could not|can'?t|cannot) (tell you|say)( for (sure|certain))?($|[,;:]| (<wh>|based|from))
    """,
    "lacks the information": r"""
        (i|we)<adverb>( do| did)<not><adverb> (have|possess|hold|see|find) (access|any access|<some>(<info>\
            |ability|means))
        (i|we) (have|'ve|was|were|am|are)( not|n't) (been )?(given|provided|got)( with)? <some><info>
        (i|we)<adverb> (lack|have (no|insufficient|too little)) <some>(<info>|access|ability)
        (do(es)?<not> have|insufficient|not enough) <some>(information|info|details?|context|data\
            |evidence)( <be>? ?<told>)?($| (to|<about>|in)\b)
        (do not|don'?t) have (access|any access|<some><info>)
        i see (no|nothing)\b.{0,60}?(<in_source>|<info>)
    """,
    "could not find or determine it": r"""
        (i|we)(<cannot>|<adverb> did<not>) (find|locate|see|identify|retrieve|access|spot|detect\
            |come across) (<some><info>|<it>|what you|[^,;]{0,90}?(<in_source>|<info>))
        (i|we) <found_nothing>
        (i|we)('ve| have)?( \w+ly| also| just)? (search|review|check|look|went|read|examin|consult\
            |scann)[^,;]{0,90} and( i)? (<found_nothing>|(could not|couldn't|did not|didn't|was unable to\
            |can'?t|cannot) (find|see|locate|answer|determine))
        we<cannot> (answer|respond to|reply to) (this|that|your|the (question|query)|from|based|without)\b
        i<cannot> (answer|respond|reply|determine|confirm|verify|infer|conclude|establish|deduce|ascertain\
            |specify|state|comment|address|speak to|derive|be (sure|certain))\b
        i<cannot> (tell|say)\b(?! (you )?(enough|how much (i|we)\b))
        (i )?(do not|don't) see [^,;]{0,60}?(<in_source>|<info>)
        (cannot|can'?t|can not|could not|couldn't|unable to|not able to|not possible to\
            |impossible to) (answer|determine|find|locate|confirm|tell|say|help|assist|comply|identify|verify\
            |provide)\b(?! (is|was|are)\b)[^,;]{0,100}$
    """,
    "the source does not say": r"""
        <subject> <does_not> <say>
        <subject> <does_not> <hold>\w*( me| us)?( with)? <some><info>
        ((<the>|<supplied>) )?(<describing> ){0,3}?<artefact>(?![\w'-])<more_about_it> <does_not> <hold>
        <source> ((that|which) )?(i|we|you)( [\w'-]+){1,5}? <does_not> <hold>
        i (do not|don't) (think|believe)( that)? <subject> ((can|could|would|will) )?(<say>|<hold>)
        <subject> (\w+ly )?<holds> (absolutely )?no <some><info>
        <subject> (say|mention|contain|state|reveal|offer|indicate|provide)s? nothing\b
        <subject> (lack|omit)s? <some><info>
        <subject> (fail|neglect)(s|ed)? to (<say>|<hold>)
        <subject> (is|are|remains?|stays?) (\w+ly )?(silent|unclear|vague|ambiguous|inconclusive|insufficient\
            |not (clear|enough|specific|explicit|sufficient|about|related))\b
        <subject> leaves? (this|that|it|the question|<wh>)\b[^,;]{0,60}(open|unclear|unanswered|unsaid)
        <subject> (is|are)<not> (clear|enough|sufficient|specific|explicit|helpful|relevant|about|related)\b
    """,
    "no source says it": r"""
        (none|neither|not one) of <the> (<describing> ){0,3}?(<evidence>\
            |information)<more_about_it>( \w+ly)? (<say>|<hold>|<be> (relevant|related))
        (no|neither)( single)? (<describing> ){0,2}?<evidence><more_about_it>( \w+ly)? <say>
        (nothing|nowhere)( [\w-]+){0,5}? (in|from|within|across|among) ((any|all) of )?<source>
    """,
    "it is not in the source": r"""
        [^,;]{1,120}? <be_not> <told>( anywhere| directly| or \w+| as part of)? ?<in_source>
        <in_source>[^;]{0,60}?,? [^,;]{1,80} <be_not> <told>
        [^,;]{1,100}? <be_not> (mentioned|specified|stated)$
        [^,;]{1,120}? (is|are|was|were)<not> (in|part of|within|among) <source>
        [^,;]{1,80}? (is|are) (missing|absent|left out|omitted) (from|in) <source>
        (this|that|the|your) (question|query|request|answer|information|detail\
            |topic)( to this( question)?)? (<be_not> (<told>|possible)|(is|remains) (unanswerable|unanswered\
            |unknown|unavailable|missing))
        <be_not> <told>( anywhere| directly)? <in_source>
        <the_information>(( is| was| are| were)?<adverb> (not( yet| currently)? <told>|unavailable|unknown\
            |missing)| <be_not> <told>)\
            ($|[,;:]| <in_source>| (at (this|the)|to me|yet|here|currently|anywhere)\b)
        (not|nowhere) <told>( anywhere)? <in_source>
    """,
    "it is not possible to tell": r"""
        (it|that|there)('s| is| was) (also )?<hard_to_tell>[^;]{0,120}?<in_source>
        (<in_source>|(based on|from|given|with|in) <subject>)[^,;]{0,30},? (it|that|there)('s\
            | is) <hard_to_tell>
        it('s| is) (not possible|impossible|difficult) (for me )?to (answer|respond|(provide|give) an answer)
        (there is|there's|i have) no way (of knowing|to (know|tell|determine|answer))
    """,
    "there is no information": r"""
        <there_is_no> ?<some>(information|info|details?|answers?|context|specifics|content|relevant [\w-]+\
            |documents?|sources?|passages?)($| (<about>|in|available|provided|given|within|here|to (answer\
            |determine|say|tell|respond|give|provide|confirm)|that (answers?|addresses|mentions?))\b)
        <there_is_no>[^;]{0,100}?<in_source>
        there (is|'s) no (mention|reference)\b(?![^;]* in )
        no <some>(information|info|details?|data|mention|answers?|references?|content|context\
            |record)( (<about>|of|to) [^,;]{1,80}?)? ((<be> )?<told>|exists?|<in_source>)
    """,
    "nothing was retrieved": r"""
        (there (are|were) )?no <some>((search|knowledge base) )?(documents?|results?|passages?|match(es)?\
            |sources?|contexts?|content|records?|entries|articles?|chunks?|hits|information) (<be> )?(found\
            |retrieved|returned|matched|located|available)($|[,;:]| (for (your|this|that|the)|to (answer\
            |support)|matching|that (answer|match|mention)|about|on|related|regarding|<in_source>))
        (<source>|(the|my|your|this) (search|query|retrieval|lookup)) (returned|yielded|produced|gave|found\
            |came (back|up) with|turned up) (no|nothing|empty|zero)\b
    """,
    "declines by policy": r"""
        (i|we)( must|( have|'ll have| will have| need| would have) to| should)( \w+ly)? (decline|refuse\
            |abstain|refrain)\b
        i (\w+ly )?(refuse|decline)\b
        i<will_not>( be)?<adverb> <help>
        we<will_not><adverb> (help (you )?with (this|that|your)|answer (this|that|your)|comply)
        i<will_not><adverb> (?!\w+ an? (better|greater|finer))<provide>
        (i|we)('m| am|'re| are)( not|n't) (comfortable|allowed|permitted|authori[sz]ed|programmed|designed\
            |qualified|supposed|in a position|equipped|licensed|at liberty|trained|meant|going to (help\
            |answer|assist|share|provide|discuss))
        (i|we)('m| am|'re| are) (prohibited|forbidden|prevented|restricted|barred) from
        (that|this|it|your (request|question))('s| is)( not|n't)? (\w+ly )?(something|an? (topic|question\
            |request|subject|area)|information|advice) (that )?i(<will_not>|('m| am) (able|allowed\
            |comfortable)| can)
        [^,;]{3,60}? (is|are)<not> something (that )?i(<will_not>|('m| am) (able|allowed|permitted\
            |comfortable|authori[sz]ed|qualified)| can)
        ((that|this|it)|(that|this|the|your) ([\w-]+ ){0,2}[\w-]+)( is|'s| falls| lies| goes| would be)( well\
            | far)? (outside|beyond|not within|out of|against)( of)? (the scope|(the |my |our )(scope\
            |knowledge|area|expertise|abilit|capabilit|guideline|polic|remit|domain)|what (i|we|the|these\
            |this|my|our)\b)
        (that|this|your|the) (request|question|query) (violates|goes against|conflicts with|is not (allowed\
            |permitted)|(cannot|can't|can not) be (fulfilled|processed|completed|honou?red))
        it (would be|is|'s) (inappropriate|unethical|irresponsible|unsafe|not (appropriate|ethical\
            |safe)) for me to
    """,
}

_WHOLE_SENTENCE = {
    "the source speaks of something else": r"""
        <subject> (do |does |only |briefly )?<describes>\b[^,.;:\d]{0,120},? (but|however|yet|though|although\
            |and)( (it|they|the <evidence>))? \
            (<does_not> (<say>|<hold>)|<holds> no\b|(say|mention|contain)s? nothing)(?!.*, (but|however))
        (i|we)('ve| have)?( \w+ly| also| just)? (search|review|check|look|went|read|examin|consult\
            |scann)[^;\d]{0,100}(, | and | but )[^,;\d]{0,40}(nothing (on|about|regarding|in|relevant\
            |related)|no <info>)\b[^\d]{0,80}$
        <concession>(it|they|these|this|none|i|there|<subject>)\b[^,;]{0,40}? ?(<does_not>|no\b|nothing\b\
            |<be_not>)[^,;]{0,120}$
    """,
}

_OPENERS = r"""
    ((i'm|i am|we're|we are) )?(so |very |really |truly |deeply )?sorry( about that| for (the\
        |any) [\w ]{1,30})?\b<then>
    (my |our |sincere ){0,4}apologies\b<then>|(i (do )?apologi[sz]e)( for [\w ]{1,40})?\b<then>
    (unfortunately|regrettably|sadly|i regret( to (say|inform you))?|i'm afraid|i am afraid)\b<then>
    as (an?|your) ([\w-]+ ){0,4}(ai|model|assistant|chatbot|bot|llm)\b[^,]{0,60},? ?
    (based|from|according|given|judging|after|having|as|with|in|within|upon|looking|regarding|for|about|at|to\
        |per|on|despite\
        |without|since|because|when)\b[^,;]{2,140},( )
    (well|hmm+|hm|honestly|currently|however|actually|so|ok|okay|hello|hi|hey|thanks|thank you|again|also\
        |overall|therefore\
        |thus|presently|frankly|and|but|or|oh|understood)\b( there| for (asking|your [\w ]{1,30}\
            |the question))?[,:!]? ?
    (to be (honest|frank|clear|precise)|as far as i (can (tell|see)|know)|at (this|the) (time|moment|present)\
        |that said\
        |strictly speaking|in short|right now)\b[,:]? ?
    (it (seems|appears|looks)( like| that| as if)?|i (believe|think|fear|must say|must (admit|inform you)\
        |have to (say|admit))( that)?)( )
    ((please |it is worth |it should be |i should )?(note|noting|noted) that|i can see that)( )
    (the )?(final |short )?(answer|response|result)( is)?\b[,:]? ?
    (i'm|i am) an? ([\w-]+ ){0,3}(ai|assistant|model|bot|chatbot)\b( [\w-]+){0,3}(,| and|,? so)( so)?( )
    i (understand|appreciate) [^,;]{1,80}, ?(but )?
    <concession>
"""

_COURTESIES = r"""
    ((i'm|i am|we're|we are) )?(so |very |really |truly )?sorry( (about|for|to|i|that)[\w' ]{1,50})?$
    (my |our |please accept my )?(sincere )?apolog[^,;]{0,80}$|i (do )?apolog[^,;]{0,80}$|i wish i could|i('d\
        | would) (love|like|be happy|be glad) to
    (many )?thank(s| you)\b|(great|good) question|(hello|hi|hey)\b[^,;]{0,20}$|i (understand|appreciate)\b
    please (?!note that (the|a|an|it)\b|be aware|remember|keep|bear)|kindly|feel free|(do not\
        |don'?t) hesitate|let (me|us) know
    (perhaps |maybe )?(try|trying|consider|check|consult|contact|refer|reach out|ask|rephrase)\b|see (the\
        |your|our|also)\b
    (you|users|employees|readers) (may|might|can|could|should|'d|would|will|'ll|are|need\
        |must) <turn_elsewhere>
    (i|we)( would|'d| could|'ll| will| can|'m| am| do)?<adverb>( only| always| instead| gladly| happy\
        | glad){0,4}( to)? <offer>
    if <no_figure>(you|there|it|needed|necessary|possible|the|this|that|so)\b
    (would|could|can|do|is|may|might|shall|should) (you|there|i|we)\b|how (can|may|else)|what (else|would you\
        |other|can i)|anything else
    for <no_figure>(more|further|accurate|up-to-date|the most|the latest|specific|that|this|details\
        |assistance|help|additional\
        |current|any|reliable|precise|legal|medical|a definitive|official|these|such|personal)\b
    to (answer|find|get|learn|obtain|help|give|provide|determine|know|be able|assist|resolve|clarify\
        |confirm)\b <no_figure>
    ((a )?more|additional|further|other|some|the missing|any additional|providing|adding\
        |with more) ([\w-]+ ){0,3}(information|context|details?|sources?|documents?|question|data\
        |clarification|materials?)\b
    <no_figure>(it|that|this|they|doing so|(the|such|sharing|providing|these) [\w ]{1,40}?) (may|might|could\
        |can|would|should) (be|have|need|require|help|not|violat|caus|put|harm|lead|compromis|breach|risk)
    <no_figure>it('s| is) (best|possible|likely|recommended|advisable|better) (to|that)
    <no_figure>(<source><more_about_it>|they|it|these|all|everything|my (context|sources|documents)|what (i\
        |they)|the rest) \
        (<limits>|(is|are|appears? to|seems? to)( be)?( all| \w+ly)? (only|about|limited|unrelated|mostly\
            |<limits>))
    <no_figure>(i|we)('ve| have)?( \w+ly| also| just)? (search|review|check|look|went|read|examin|consult\
        |scann|tried|analy[sz]|gone)
    <no_figure>(you|the user|the question|your question|this question)('re| are| is|'ve| have)? ?(ask|want\
        |inquir|request|concern|seem|relat|about)
    <no_figure>without\b
    (my|our) (knowledge|training|purpose|role|answers|responses|abilit|capabilit|expertise|function|scope\
        |instructions|guidelines|access|data)
    i( was|'m| am)? (trained|designed|built|made|only|just|limited|an?|here|restricted|programmed|instructed\
        |required)\b|i can only
    ((that|this)|(that|this|the|such) (\w+ ){0,2}\w+) ?(is|'s|are) (private|confidential|sensitive|personal\
        |protected|illegal|dangerous|unsafe|against|a matter|outside|beyond)
    (sources?|references?|citations?)($|[: ])|((final |short )?answer|response|result|note|reason)$|(this\
        |your|the) (question|query) (does not|doesn't|is not|isn't) (match|relate|seem|appear|about|related\
        |covered)|hope (this|that) helps|good luck|have a (nice|good)
    (hr|(customer )?support|your (manager|doctor|supervisor|administrator|lawyer|team)|the (hr|support\
        |legal)[\w ]{0,20}|a (lawyer|doctor|qualified|licensed|professional|medical|human)[\w ]{0,40}) (may\
        |might|can|could|should|will|would)\b
"""

_ANSWERS = r"""
    (yes|no|nope|yeah|yep|correct|true|false|right|indeed|absolutely|certainly|exactly)([,;:!]| -)
    i (do not|don't) know (of (a|an|any|no)\b|any(one|body)|a (single|better|more)|how (i|we|anyone)\b)
    (i|we) (can't|cannot|could not|couldn't) (help (but|\w+ing)|recommend\b.{0,80}\benough|(say|tell you\
        |stress|thank|praise|emphasi[sz]e)\b.{0,60}\b(enough|how much))
    (there (is|are|'s) )?no (evidence|proof|doubt|need|reason|information (desk|centre|center|booth\
        |board))\b(?!.{0,80}<in_source>)
    <the> <evidence>'s\b
    .{0,200}\b(exception|except( for| that| in)?|other than|apart from|aside from|only that|beyond (saying\
        |stating))\b.{0,80}\d
"""

PHRASEBOOK = Phrasebook(
    cues=r"""
        n't\b|\b(no|not|none|nor|nothing|nowhere|never|unable|cannot|cant|dont|neither|silent|un(clear|sure\
            |known|certain|aware)|vague
        insufficient|lacks?|omits?|impossible|unanswer\w+|outside|beyond|missing|absent|unavailable|violates\
            |against|difficult
        inappropriate|prohibited|restricted|forbidden|undetermined|idk|dunno|n/a|na)\b|declin|refus|refrain\
            |\bfail
    """,
    labels="""
        n/a|na|n.a|not applicable|unanswerable|not answerable|unknown|not known|undetermined|unclear
        unavailable|not available
        no answer|no answer found|no answer available|answer not found|answer unknown|the answer is unknown
        unable to answer
        not found|nothing found|no information|no info|no information found|no information available
        no relevant information
        no relevant information found|information not found|information not available|information unavailable
        no mention
        no data|no data available|no context|no evidence found|no results|no result|no results found
        no match found
        no matches found|no documents found|no relevant documents|no relevant documents found
        insufficient information
        insufficient context|insufficient data|insufficient evidence|not enough information|not enough info
        not enough context
        not enough data|not mentioned|not specified|not stated|not provided|not given|not covered|not present
        not in context
        not in the context|not in text|not in the text|not in document|cannot answer|can't answer
        i cannot answer|cannot say
        can't say|can't tell|cannot determine|cannot be determined|can't be determined|cannot be answered
        no idea|not sure|idk
        dunno|no comment|refused|declined
    """,
    pieces=PIECES,
    refusals=_REFUSALS,
    whole_sentence=_WHOLE_SENTENCE,
    openers=_OPENERS,
    courtesies=_COURTESIES,
    answers=_ANSWERS,
    turns=r"""
        ,? (but|however|although|though|whereas|nevertheless|nonetheless|, yet)\b,?|; ?|: |( [-–—] )|—
        , (so|therefore|thus|hence|which means|meaning|only that|instead|rather)\b
,? and (?=i( am|'m| do| can| cannot| could| was| have| will)\b)
        , and (?=(i|it|he|she|they|we|there|the [\w-]+|this|that|these|you) (\w+ly )?(is|was|are|were|has|had\
            |will|can|costs?|does|did|have)\b)
        , (?=(maybe|perhaps|probably|possibly|presumably|i (think|believe|guess|suspect|assume)\
            |my (best )?guess|it('s| is| was)(?! (not|im|un|also|hard|difficult))|it (seems|appears)|roughly\
            |approximately|(about|around) \d|please|you (can|may|could|might)|he|she)\b)
    """,
)
