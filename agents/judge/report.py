"""What is told of judged pairs: contradictions, disagreements of sources, changes. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from agents.entailment.contradiction import PairPrediction
from agents.judge.temporal_order import Order, claim_form, is_newer
from tools.base.domain import (
    Change,
    Claim,
    ClashRelation,
    Contradiction,
    ContradictionSide,
    DecidedBy,
)
from tools.claims.alignment import content_stems
from tools.claims.attribution import attribution


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two claims, what they come to, who said so, and their order where they tell a change."""

    a: Claim
    b: Claim
    verdict: PairPrediction
    decided_by: DecidedBy
    order: Order | None = None


def contradiction_score(one: JudgedPair) -> float:
    """How sure it is that a pair contradicts, or would at one time."""
    return one.verdict.change or one.verdict.confidence


def distinct(judged: Iterable[JudgedPair]) -> list[JudgedPair]:
    """One pair per two notes and topic, and of copies of a note one; the surest come first."""
    said: set[frozenset[str]] = set()
    kept: dict[frozenset[str], list[frozenset[str]]] = {}
    best: list[JudgedPair] = []
    for one in sorted(judged, key=contradiction_score, reverse=True):
        notes = frozenset((one.a.note_path, one.b.note_path))
        words = frozenset((one.a.text, one.b.text))
        topic = content_stems(one.a.text) & content_stems(one.b.text)
        # Of pairs in other words nothing tells whether they are on one thing.
        topics = kept.setdefault(notes, []) if len(topic) > 1 else []
        known = any(2 * len(topic & other) >= min(len(topic), len(other)) for other in topics)
        if known or words in said:
            continue
        said.add(words)
        topics.append(topic)
        best.append(one)
    return best


def contradiction_of(one: JudgedPair) -> Contradiction:
    """The pair as a contradiction, or as two sources that disagree."""
    found = one.verdict
    a, b = sides_of(one)
    return Contradiction(
        note_a=a,
        note_b=b,
        confidence=found.confidence,
        similarity=found.similarity,
        type=found.type or "semantic_conflict",
        newer=_newer(one.a, one.b),
        explanation=found.explanation,
        decided_by=one.decided_by,
        relation=relation_of(a, b),
    )


def change_of(one: JudgedPair) -> Change:
    """The pair, whose order is known, as a change from the earlier claim to the later."""
    found = one.order
    if found is None:
        msg = "these claims have no order"
        raise ValueError(msg)
    a, b = sides_of(one)
    before, after = (a, b) if found.a_first else (b, a)
    return Change(
        before=before,
        after=after,
        changed_on=found.changed_on,
        known_from=found.known_from,
        confidence=contradiction_score(one),
        similarity=one.verdict.similarity,
        type=one.verdict.type or "semantic_conflict",
        explanation=one.verdict.explanation,
        decided_by=one.decided_by,
    )


def as_change(found: Contradiction) -> Contradiction | Change:
    """The contradiction as a change, where it is known which of the writer's own sides is newer."""
    if found.newer == "unknown" or found.note_a.source or found.note_b.source:
        return found
    before, after = (
        (found.note_b, found.note_a) if found.newer == "a" else (found.note_a, found.note_b)
    )
    return Change(
        before=before,
        after=after,
        changed_on=after.timestamp,
        known_from="notes",
        confidence=found.confidence,
        similarity=found.similarity,
        type=found.type,
        explanation=found.explanation,
        decided_by=found.decided_by,
    )


def relation_of(a: ContradictionSide, b: ContradictionSide) -> ClashRelation:
    """A disagreement where two sources are cited, else a contradiction."""
    cited = a.source and b.source and a.source.casefold() != b.source.casefold()
    return "disagreement" if cited else "contradiction"


def cited_from(found: Contradiction, authors: Mapping[str, str]) -> Contradiction:
    """The contradiction with the authors, by path, of the notes whose claims name nobody.

    What is marked as an opinion is the writer's own, whoever the note is about.
    """

    def named(side: ContradictionSide) -> ContradictionSide:
        if side.source or side.opinion or side.path not in authors:
            return side
        return replace(side, source=authors[side.path])

    a, b = named(found.note_a), named(found.note_b)
    return replace(found, note_a=a, note_b=b, relation=relation_of(a, b))


def sides_of(one: JudgedPair) -> tuple[ContradictionSide, ContradictionSide]:
    """Both claims with what is known of them."""
    return _side(one.a), _side(one.b)


def _side(claim: Claim) -> ContradictionSide:
    return ContradictionSide(
        path=claim.note_path,
        title=claim.note_title,
        claim=claim.text,
        line=claim.line,
        heading=claim.heading,
        timestamp=claim.timestamp,
        source=attribution(claim.text).source,
        opinion=claim.opinion,
        speaks_of=claim_form(claim.text).speaks_of,
        version=claim.version,
    )


def _newer(a: Claim, b: Claim) -> Literal["a", "b", "unknown"]:
    if is_newer(a, b):
        return "a"
    return "b" if is_newer(b, a) else "unknown"
