"""From claims to contradictions, changes and disagreements: who decides each pair, what is left.

The words of a pair decide it; a language model, where one answers, decides the pairs on which
they are unsure.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from agents.clashes import (
    Judged,
    change_of,
    contradiction_of,
    distinct,
    relation_of,
    sides_of,
    without_each_its_own,
)
from agents.contexts import Relevance, on_subject, one_thing
from agents.model_judging import ModelVerdict, ask
from agents.over_time import order
from agents.pairing import CandidatePair, candidate_pairs
from agents.verdict import CONTRADICTS, PairVerdict, verdict
from tools.claims.alignment import content_stems
from tools.domain import (
    Change,
    Claim,
    Contradiction,
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
    relevance: Relevance | None = None,
    limit: int = 10,
) -> Judgement:
    """What clashes among claims of different notes or versions, ``limit`` of a kind at most.

    ``similarity`` embeds texts, one row of unit length each. By ``relevance`` what is asked comes
    first, claims that leave open what they are about may be compared, and only pairs are told that
    hold more than half of what is asked. In ``auto`` the model sees the pairs the words leave open,
    in ``llm`` all candidates but those that changed over time; where it does not answer, the words
    decide.
    """
    warnings: list[SourceWarning] = []
    # Only a model could tell more of pairs that have few words in common.
    vectors = await _vectors(claims, similarity, warnings) if mode == "llm" else None
    pairs = [
        pair
        for pair in _worth(claims, candidate_pairs(claims, vectors), relevance)
        if one_thing(claims[pair.a], claims[pair.b], relevance)
    ]
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
    clashing = [one for one in done.pairs if one.verdict.contradiction and not one.order]
    found = _told(without_each_its_own(clashing), relevance)
    return Judgement(
        contradictions=tuple(contradiction_of(one) for one in found[:limit]),
        changes=tuple(
            change_of(one, one.order)
            for one in _told(changed, relevance)[:limit]
            if one.order is not None
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


def _worth(
    claims: Sequence[Claim], pairs: Sequence[CandidatePair], relevance: Relevance | None
) -> Sequence[CandidatePair]:
    """The pairs on what is asked, and those that tell of one of them whether each has its own.

    These have the same words in common.
    """
    asked = [pair for pair in pairs if on_subject(claims[pair.a], claims[pair.b], relevance)]
    if not asked or len(asked) == len(pairs):
        return asked
    stems = {at: content_stems(claims[at].text) for pair in pairs for at in (pair.a, pair.b)}
    frames = {stems[pair.a] & stems[pair.b] for pair in asked}
    return [pair for pair in pairs if stems[pair.a] & stems[pair.b] in frames]


def _told(judged: Sequence[Judged], relevance: Relevance | None) -> list[Judged]:
    """The pairs on what is asked, one of a kind."""
    asked = [one for one in judged if on_subject(one.a, one.b, relevance)]
    return distinct(asked, relevance)


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
    if found and found.known_from == "notes" and relation_of(*sides_of(one)) == "disagreement":
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
