"""From claims to contradictions, changes and disagreements: who decides each pair, what is left.

The words of a pair decide it; a language model, where one answers, decides the pairs on which
they are unsure.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from agents.model_judging import ModelVerdict, ask
from agents.over_time import Order, form, newer, order
from agents.pairing import candidate_pairs
from agents.verdict import CONTRADICTS, PairVerdict, verdict
from tools.claims.alignment import content_stems
from tools.claims.attribution import attribution
from tools.domain import (
    Change,
    Claim,
    ClashRelation,
    Contradiction,
    ContradictionSide,
    DecidedBy,
    Mode,
    SourceWarning,
)
from tools.errors import BrainError

if TYPE_CHECKING:
    from agents.models import StructuredModel

BORDERLINE = (0.4, 0.8)
"""Confidences between which the local judge is unsure and a model is asked."""

MOST_FOR_MODEL = 40

type Embed = Callable[[Sequence[str]], Awaitable[NDArray[np.float32]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What clashes among some claims, surest first, and who had the last word.

    ``remarks`` say in a line each what of a model's verdicts was not used.
    """

    contradictions: tuple[Contradiction, ...]
    decided_by: DecidedBy
    changes: tuple[Change, ...] = ()
    warnings: tuple[SourceWarning, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """Two claims, what they come to, who said so, and their order where they tell a change."""

    a: Claim
    b: Claim
    verdict: PairVerdict
    decided_by: DecidedBy
    order: Order | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPairs:
    """Pairs in the order given; ``unanswered`` are the places of those a model left open."""

    pairs: tuple[Judged, ...]
    unanswered: frozenset[int] = frozenset()
    warnings: tuple[SourceWarning, ...] = ()
    remarks: tuple[str, ...] = ()


async def judge(
    claims: Sequence[Claim],
    *,
    similarity: Embed | None,
    model: "StructuredModel | None",
    mode: Mode,
    limit: int = 10,
) -> Judgement:
    """What clashes among claims of different notes or versions, ``limit`` of a kind at most.

    ``similarity`` embeds texts, one row of unit length each. In ``auto`` the model sees the pairs
    the words leave open, in ``llm`` all candidates but those that changed over time; where it does
    not answer, the words decide.
    """
    warnings: list[SourceWarning] = []
    # Only a model could tell more of pairs that have few words in common.
    vectors = await _vectors(claims, similarity, warnings) if mode == "llm" else None
    pairs = candidate_pairs(claims, vectors)
    done = await judge_pairs(
        [(claims[pair.a], claims[pair.b]) for pair in pairs],
        cosines=None if vectors is None else [pair.similarity for pair in pairs],
        similarity=None if warnings else similarity,  # it failed already
        model=model,
        mode=mode,
    )
    decided_by: DecidedBy = "local"
    if any(one.decided_by == "llm" for one in done.pairs):
        decided_by = "llm"
    elif done.unanswered:
        decided_by = "fallback"
    changed = [one for one in done.pairs if one.order]
    found = [one for one in done.pairs if one.verdict.contradiction and not one.order]
    return Judgement(
        contradictions=tuple(_contradiction(one) for one in _distinct(found)[:limit]),
        changes=tuple(
            _change(one, one.order) for one in _distinct(changed)[:limit] if one.order is not None
        ),
        decided_by=decided_by,
        warnings=(*warnings, *done.warnings),
        remarks=done.remarks,
    )


async def judge_pairs(
    pairs: Sequence[tuple[Claim, Claim]],
    *,
    similarity: Embed | None,
    model: "StructuredModel | None",
    mode: Mode,
    cosines: Sequence[float | None] | None = None,
) -> JudgedPairs:
    """Judge each pair as ``judge`` does; a model is asked about ``MOST_FOR_MODEL`` at the most.

    Where no ``cosines`` are given, those are taken that the words leave open.
    """
    warnings: list[SourceWarning] = []
    remarks: list[str] = []
    known = cosines or [None] * len(pairs)
    judged = [
        Judged(a, b, verdict(a.text, b.text, similarity=cosine), "local")
        for (a, b), cosine in zip(pairs, known, strict=True)
    ]
    if cosines is None:
        judged = await _with_meaning(judged, similarity, warnings)
    judged = [_in_time(one) for one in judged]
    asked = _for_model(judged, mode=mode) if mode != "local" else []
    unanswered: frozenset[int] = frozenset()
    if asked and model is None and mode == "llm":
        warnings.append(_silent("No language model is set up."))
        unanswered = frozenset(asked)
    elif asked and model is not None:
        found = await ask(model, [(judged[at].a, judged[at].b) for at in asked])
        for number, answer in found.verdicts.items():
            judged[asked[number]] = _in_time(_overruled(judged[asked[number]], answer))
        remarks += _not_used(found.dropped)
        unanswered = frozenset(at for n, at in enumerate(asked) if n not in found.verdicts)
        if found.error:
            warnings.append(_silent(found.error))
        if found.error and found.verdicts:
            told = f"The model fell silent after {len(found.verdicts)} of {len(asked)}"
            remarks.append(f"{told} pairs of claims; the words decided the others.")
    return JudgedPairs(
        pairs=tuple(judged),
        unanswered=unanswered,
        warnings=tuple(warnings),
        remarks=tuple(remarks),
    )


def _silent(error: str) -> SourceWarning:
    impact = "Contradictions were judged by their words alone."
    return SourceWarning(source="model", error=error, impact=impact)


def _not_used(dropped: Counter[str]) -> list[str]:
    """One line on the verdicts that were not used."""
    if not dropped:
        return []
    count = dropped.total()
    verdicts = "1 verdict" if count == 1 else f"{count} verdicts"
    kinds = "; ".join(f"{number} {kind}" for kind, number in dropped.most_common())
    return [f"{verdicts} of the model's on contradictions not used ({kinds}): the words decided."]


async def _vectors(
    claims: Sequence[Claim], similarity: Embed | None, warnings: list[SourceWarning]
) -> NDArray[np.float32] | None:
    if similarity is None or len(claims) < 2:
        return None
    try:
        return await similarity([claim.text for claim in claims])
    except BrainError as error:
        impact = "Contradictions are sought by shared words only; paraphrases may be missed."
        warnings.append(SourceWarning(source="semantic", error=str(error), impact=impact))
        return None


async def _with_meaning(
    judged: Sequence[Judged], similarity: Embed | None, warnings: list[SourceWarning]
) -> list[Judged]:
    """Judge again, with their cosine, the pairs whose words clash but leave the subject open.

    Embedding every claim of a question would take longer than all else together.
    """
    undecided = [at for at, one in enumerate(judged) if _clashes_weakly(one.verdict)]
    claims = [claim for at in undecided for claim in (judged[at].a, judged[at].b)]
    vectors = await _vectors(claims, similarity, warnings)
    again = list(judged)
    if vectors is not None:
        for row, at in enumerate(undecided):
            cosine = float(vectors[2 * row] @ vectors[2 * row + 1])
            one = judged[at]
            seen = verdict(one.a.text, one.b.text, similarity=cosine)
            again[at] = replace(one, verdict=seen)
    return again


def _clashes_weakly(found: PairVerdict) -> bool:
    return not found.contradiction and found.confidence > BORDERLINE[0]


def _in_time(one: Judged) -> Judged:
    """The pair with its order in time; two sources that disagree need one that they state."""
    found = order(one.a, one.b, one.verdict)
    if found and found.known_from == "notes" and _relation(*_sides(one)) == "disagreement":
        found = None
    return replace(one, order=found)


def _for_model(judged: Sequence[Judged], *, mode: Mode) -> list[int]:
    low, high = BORDERLINE
    chosen = [
        at
        for at, one in enumerate(judged)
        if one.order is None and (mode == "llm" or (low <= one.verdict.confidence <= high))
    ]
    return chosen[:MOST_FOR_MODEL]


def _overruled(pair: Judged, answer: ModelVerdict) -> Judged:
    """The pair as the model sees it; its confidence is turned into that of a contradiction."""
    confidence = answer.confidence if answer.contradiction else 1.0 - answer.confidence
    decided = PairVerdict(
        contradiction=answer.contradiction and confidence > CONTRADICTS,
        confidence=confidence,
        similarity=pair.verdict.similarity,
        type=answer.type or pair.verdict.type or "semantic_conflict",
        explanation=answer.explanation or pair.verdict.explanation,
    )
    return replace(pair, verdict=decided, decided_by="llm")


# --- what is told of them ------------------------------------------------------------------


def _sureness(one: Judged) -> float:
    return one.verdict.change or one.verdict.confidence


def _distinct(judged: Iterable[Judged]) -> list[Judged]:
    """The surest pair per two notes and topic, and of copies of a note one, surest first."""
    said: set[frozenset[str]] = set()
    kept: dict[frozenset[str], list[frozenset[str]]] = {}
    best: list[Judged] = []
    for one in sorted(judged, key=_sureness, reverse=True):
        notes = frozenset((one.a.note_path, one.b.note_path))
        words = frozenset((one.a.text, one.b.text))
        topic = content_stems(one.a.text) & content_stems(one.b.text)
        topics = kept.setdefault(notes, [])
        known = any(2 * len(topic & other) >= min(len(topic), len(other)) for other in topics)
        if known or words in said:
            continue
        said.add(words)
        topics.append(topic)
        best.append(one)
    return best


def _contradiction(one: Judged) -> Contradiction:
    found = one.verdict
    a, b = _sides(one)
    return Contradiction(
        note_a=a,
        note_b=b,
        confidence=found.confidence,
        similarity=found.similarity,
        type=found.type or "semantic_conflict",
        newer=_newer(one.a, one.b),
        explanation=found.explanation,
        decided_by=one.decided_by,
        relation=_relation(a, b),
    )


def _change(one: Judged, found: Order) -> Change:
    a, b = _sides(one)
    before, after = (a, b) if found.a_first else (b, a)
    return Change(
        before=before,
        after=after,
        changed_on=found.changed_on,
        known_from=found.known_from,
        confidence=_sureness(one),
        similarity=one.verdict.similarity,
        type=one.verdict.type or "semantic_conflict",
        explanation=one.verdict.explanation,
        decided_by=one.decided_by,
    )


def _relation(a: ContradictionSide, b: ContradictionSide) -> ClashRelation:
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
    return replace(found, note_a=a, note_b=b, relation=_relation(a, b))


def _sides(one: Judged) -> tuple[ContradictionSide, ContradictionSide]:
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
        speaks_of=form(claim).speaks_of,
        version=claim.version,
    )


def _newer(a: Claim, b: Claim) -> Literal["a", "b", "unknown"]:
    if newer(a, b):
        return "a"
    return "b" if newer(b, a) else "unknown"
