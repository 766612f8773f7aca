"""Words that say how a question is asked and not what it is about, in the languages of the handbook."""

from __future__ import annotations

from typing import Final

_ENGLISH = """
a about after all also am an and any are as at be been before but by can could did do does for from get
give had has have how i if in into is it its long many may me much must my need no not of on or our out
shall should so than that the their them then there these they this to under until up us was we were
what when where which who whom whose why will with would you your
"""

_GERMAN = """
aber als am an auch auf aus bei bin bis da darf das dass dem den der des die dort du ein eine einem
einen einer eines er es für hat habe haben hoch ich ihr im in ist kann können man mein meine meinen mich
mir mit muss nach nicht noch nur oder sein sich sie sind so soll um und uns unter viel viele vom von vor
wann war was welche welcher welches wem wenn wer werden wie wieviel wir wird wo zu zum zur
"""

_HINDI = """
आप इस इसके एक और कब कर करना करने कहाँ का कितना कितनी कितने किस की के कैसे को कौन क्या जब तक तो था थी थे
दिया दी नहीं पर भी मिलता मिलती मिलेगा मिलेगी में मुझे मेरा मेरी मेरे मैं यह यहाँ या ये रहा लिए वह वाला
वाली वाले वे से हम हमें हर ही हूँ है हैं हो होगा होगी होता होती होना
"""

ENGLISH: Final = frozenset(_ENGLISH.split())
GERMAN: Final = frozenset(_GERMAN.split())
STOPWORDS: Final = ENGLISH | GERMAN | frozenset(_HINDI.split())
"""All of them, in lower case; Japanese drops hiragana by rule instead (see `terms.content_terms`)."""
