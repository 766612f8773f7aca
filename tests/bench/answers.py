"""CPU of the answer metrics that need no judge: `python -m tests.bench.answers` scores 10,000 pairs.

The pairs are drawn from a few sentences in eleven languages: 2 to 80 words an answer, 1 to 20 a reference,
every tenth question unanswerable. As in a run, all metrics score a case before the next, and what is timed
includes outcome and details.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from ragproof.cases import Case, CaseKind
from ragproof.catalogue import choose
from ragproof.evidence import Settings
from ragproof.outputs import PipelineOutput
from ragproof.scoring import score

PAIRS = 10_000
GOAL_CPU_MS = 6_000
KEYS = (
    "exact_match",
    "exact_match_unicode",
    "token_f1",
    "token_f1_unicode",
    "rouge_l",
    "contains_answer",
    "abstention_rate",
)

TEXTS = {
    "en": "The lift stops on the third floor, next to the reading room; a day pass costs $5 or 3.5 % less.",
    "de": "Der Aufzug hält im dritten Stock neben dem Lesesaal; ein Tag kostet 5 € oder 3,5 % weniger.",
    "fr": "L’ascenseur s’arrête au troisième étage, près de la salle de lecture ; le billet coûte 5 €.",
    "es": "El ascensor para en la tercera planta, junto a la sala de lectura; el pase cuesta 5 euros.",
    "tr": "Asansör üçüncü katta, okuma salonunun yanında durur; İstanbul'da günlük bilet 5 liradır.",
    "ru": "Лифт останавливается на третьем этаже рядом с читальным залом; билет на день стоит 5 рублей.",
    "ar": "يتوقف المصعد في الطابق الثالث بجوار قاعة القراءة، وتكلف التذكرة اليومية ٥ دنانير.",
    "hi": "लिफ़्ट तीसरी मंज़िल पर वाचनालय के पास रुकती है और दिन का टिकट ५ रुपये का है।",
    "zh": "电梯 停在 三楼 阅览室 旁边， 一日票 要 5 元， 比平时 便宜 3.5％。",
    "ja": "エレベーターは 三階の 閲覧室の 隣に 止まり、 一日券は ５００円 です。",
    "ko": "승강기는 3층 열람실 옆에 서고 하루 이용권은 5,000원입니다.",
}
DECLINES = "I could not find this in the documents."


def pairs(count: int, seed: int = 1) -> Iterator[tuple[Case, PipelineOutput]]:
    """Yield cases with answers, the same for the same seed."""
    rng = random.Random(seed)
    for number in range(count):
        language = rng.choice(tuple(TEXTS))
        words = TEXTS[language].split()
        answer = " ".join(rng.choices(words, k=rng.randint(2, 80)))
        reference = " ".join(rng.choices(words, k=rng.randint(1, 20)))
        unanswerable = number % 10 == 0
        case = Case(
            id=str(number),
            kind=CaseKind.UNANSWERABLE if unanswerable else CaseKind.QA,
            question="Where does the lift stop?",
            expected_answers=() if unanswerable else (reference,),
            tags={"language": language},
        )
        given = DECLINES if number % 20 == 0 else answer
        yield case, PipelineOutput(case_id=case.id, answer=given, latency_ms=1.0)


def measure() -> None:
    """Print CPU milliseconds in all, and each metric's share of the time."""
    settings, metrics = Settings(), choose(KEYS)
    drawn = list(pairs(PAIRS))
    wall_ns = dict.fromkeys(KEYS, 0)
    began_cpu_ns = time.process_time_ns()
    for case, output in drawn:
        for metric in metrics:
            began_ns = time.perf_counter_ns()
            score(metric, case, output, settings)
            wall_ns[metric.key] += time.perf_counter_ns() - began_ns
    cpu_ms = (time.process_time_ns() - began_cpu_ns) / 1e6
    print(f"{PAIRS:,} answer pairs: {cpu_ms:,.0f} ms CPU, the goal is under {GOAL_CPU_MS:,}")
    for key, nanoseconds in wall_ns.items():
        print(f"  {key:<22}{nanoseconds / sum(wall_ns.values()):>6.0%}")


if __name__ == "__main__":
    measure()
