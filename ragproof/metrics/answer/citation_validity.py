"""Citation validity: the share of the cited ids that point at something the pipeline had (source A).

It asks whether a citation exists, never whether it supports the text: that is `generation.citation_support`.
What the pipeline had is what it retrieved, and what the generator read where the adapter tells them apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pydantic import JsonValue

from ragproof.evidence import Evidence, SourceMatch
from ragproof.metric import Measurement, Metric, Need


def citation_validity(cited: Iterable[str], known: Collection[str]) -> float:
    """Return the distinct cited ids that are known, over all distinct cited ids.

    Args:
        cited: cited ids in any order, each counted once; at least one.
        known: the ids a citation may point at; empty scores 0, for then every citation points at nothing.

    Returns:
        A value from 0 to 1, higher is better.

    Raises:
        ValueError: nothing is cited, so that there is no share to speak of.
    """
    distinct = dict.fromkeys(cited)
    if not distinct:
        raise ValueError("no citations, expected at least one cited id")
    return sum(1 for source in distinct if source in known) / len(distinct)


def measure(evidence: Evidence) -> Measurement:
    """Score the citations, of an empty answer too; the details name the ids that point at nothing.

    With `source_match: document` a document's id is as good a citation as the id of its chunk.
    """
    cited = tuple(dict.fromkeys(evidence.output.citations or ()))
    had = (*(evidence.output.retrieved or ()), *(evidence.read_chunks or ()))
    known = {chunk.id for chunk in had}
    if evidence.settings.source_match is SourceMatch.DOCUMENT:
        known |= {chunk.document_id for chunk in had}
    invalid: list[JsonValue] = [source for source in cited if source not in known]
    return Measurement(citation_validity(cited, known), {"cited": len(cited), "invalid": invalid})


METRIC = Metric(
    key="generation.citation_validity",
    summary="The share of the cited ids that the pipeline had retrieved.",
    family="answer",
    measure=measure,
    needs=(Need.ANSWER, Need.CITATIONS, Need.RETRIEVAL),
)
