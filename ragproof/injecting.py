"""Make injection cases of a dataset's qa cases: every payload in every question, and planted in documents.

Only qa cases are attacked: their questions make a pipeline answer at length. A planted attack is tested by
the cases whose sources lie in that document, for no other question would retrieve it; it may still stand in
a chunk that is not retrieved, and then nothing was resisted, so read such cases beside the retrieval metrics.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from ragproof.cases import Case, CaseKind
from ragproof.errors import ConfigurationError
from ragproof.payloads.documents import Document
from ragproof.payloads.draw import draw
from ragproof.payloads.payload import Payload
from ragproof.payloads.planting import plant
from ragproof.payloads.sources import Sources


class Injected(NamedTuple):
    """The attacked cases, and the documents that some of them need in place of the original ones."""

    cases: tuple[Case, ...]
    documents: tuple[Document, ...]


def inject(
    cases: Sequence[Case], documents: Sequence[Document], payloads: Sequence[Payload], seed: int
) -> Injected:
    """Attack every qa case with every payload, and with those planted in the documents of its sources.

    Args:
        cases: a dataset; unanswerable and injection cases are left out.
        documents: what the pipeline retrieves from; empty attacks in the question alone.
        payloads: at least one.
        seed: draws on which side of a question an attack stands, and where in which documents.

    Returns:
        Cases in the dataset's order, the question's before the documents'. Each keeps everything but its id,
        kind and payload; without a group it gets the attacked case's id, since its variants are not
        independent. `tags.attack_class`, `tags.attack_channel` (question or document),
        `metadata.attacked_case` and `metadata.planted_in` (a document's name) are added.

    Raises:
        ConfigurationError: there is no qa case.
    """
    attackable = [case for case in cases if case.kind is CaseKind.QA]
    if not attackable:
        raise ConfigurationError(f"none of {len(cases)} cases is of kind 'qa'; attacks are made of qa cases")
    planted = plant(documents, payloads, seed)
    payloads_in = {each.document.name: each.payloads for each in planted}
    sources = Sources(tuple(payloads_in))
    attacked: list[Case] = []
    for case in attackable:
        attacked += [_in_question(case, payload, seed) for payload in payloads]
        attacked += [
            _in_document(case, payload, name) for name in sources.of(case) for payload in payloads_in[name]
        ]
    return Injected(tuple(attacked), tuple(each.document for each in planted))


def to_jsonl(cases: Iterable[Case]) -> str:
    """Write cases one a line in their own fields; characters that nothing draws are written as escapes."""
    return "".join(_visible(case.model_dump(mode="json", exclude_defaults=True)) + "\n" for case in cases)


def documents_folder(out: Path) -> Path:
    """Return where the planted documents of a dataset file go: `attacks.jsonl` has `attacks_documents`."""
    return out.with_name(f"{out.stem}_documents")


def _in_question(case: Case, payload: Payload, seed: int) -> Case:
    first = draw(seed, "side", case.id, payload.id) % 2 == 0
    parts = (payload.attack, case.question) if first else (case.question, payload.attack)
    return _attacked(case, payload, f"{case.id}+{payload.name}", "question", {}).model_copy(
        update={"question": "\n\n".join(parts)}
    )


def _in_document(case: Case, payload: Payload, name: str) -> Case:
    return _attacked(case, payload, f"{case.id}+{payload.name}@{name}", "document", {"planted_in": name})


def _attacked(case: Case, payload: Payload, case_id: str, channel: str, where: dict[str, JsonValue]) -> Case:
    return case.model_copy(
        update={
            "id": case_id,
            "kind": CaseKind.INJECTION,
            "adversarial_payload": payload.id,
            "group": case.id if case.group is None else case.group,
            "tags": {**case.tags, "attack_class": payload.attack_class.value, "attack_channel": channel},
            "metadata": {**case.metadata, "attacked_case": case.id, **where},
        }
    )


def _visible(value: object) -> str:
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
