"""From claims to contradictions, changes and disagreements: who decides each pair, what is left.

The reader of pairs decides, with what the words of a pair come to; where it does not answer the
words alone. A language model, where one answers, decides the pairs on which they are unsure.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from agents.entailment.contradiction import CONTRADICTS, UNLIKE, PairPrediction, predict_pair
from agents.interpreter.turkish.gloss import glossed
from agents.judge import question_scoring
from agents.judge.candidate_pairs import Pair, candidate_pairs
from agents.judge.llm import ModelVerdict, ask
from agents.judge.pair_scoring import (
    Relate,
    RelationProbabilities,
    as_conflict,
    features,
    rescored,
    scoring,
)
from agents.judge.report import (
    JudgedPair,
    change_of,
    contradiction_of,
    distinct,
    relation_of,
    sides_of,
)
from agents.judge.temporal_order import order
from tools.base.domain import (
    Change,
    Claim,
    Contradiction,
    DecidedBy,
    Mode,
    SourceWarning,
)
from tools.base.errors import BrainError
from tools.claims.attribution import attribution
from tools.claims.report import Conflict

if TYPE_CHECKING:
    from agents.llm.structured import StructuredModel

BORDERLINE = (0.4, 0.8)
"""Confidences between which a model is asked; of what is not told of, from the first on."""

MOST_TOLD = 10
"""Contradictions told of for one question, and changes."""
MOST_FOR_MODEL = 40
_WORTH_WORDS = 0.05
"""How likely the reader must find a clash for the words to be compared: of long claims that takes
two milliseconds."""
_SECONDED = 0.3
"""How likely the reader must find a clash that the words are sure of, for both to be witnesses:
of what clashes so in vaults left out 5 of 6 were right, from .1 on 5 of 10."""
_ALIKE, _UNLIKELY = 0.5, 0.1
"""What of two claims' words must be on one thing, or how surely they must clash, for more than a
glance at them."""


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

    pairs: tuple[JudgedPair, ...]
    unanswered: frozenset[int] = frozenset()
    warnings: tuple[SourceWarning, ...] = ()
    remarks: tuple[str, ...] = ()


async def judge(
    claims: Sequence[Claim],
    *,
    relate: Relate | None,
    model: "StructuredModel | None",
    mode: Mode,
    outright: bool = False,
    limit: int = MOST_TOLD,
) -> Judgement:
    """What clashes among claims of different notes or versions, ``limit`` of a kind at most.

    The claims come as they answer what is asked, the best first: what is read are the pairs of the
    foremost. Less sure ones are told, too, where changes or clashes are asked for ``outright``.
    Without ``relate`` their words decide alone. Of these pairs a model sees in ``auto`` those left
    open, in ``llm`` all that may clash but what changed over time; where it does not answer, they
    are as they were.
    """
    pairs = candidate_pairs(claims)
    warnings: list[SourceWarning] = []
    judged = (
        await _compared(claims, pairs, relate, warnings, outright=outright)
        if relate and pairs
        else None
    )
    if judged is None:
        judged = [_by_words(claims[a], claims[b]) for a, b in pairs]
    judged = [one for one in judged if _may_clash(one.verdict)]
    done = await _decided(judged, model=model, mode=mode, warnings=warnings)
    decided_by: DecidedBy = "local"
    if any(one.decided_by == "llm" for one in done.pairs):
        decided_by = "llm"
    elif done.unanswered:
        decided_by = "fallback"
    contradictory = (one for one in done.pairs if one.verdict.contradiction and not one.order)
    changed = (one for one in done.pairs if one.order)
    return Judgement(
        contradictions=tuple(map(contradiction_of, distinct(contradictory)))[:limit],
        changes=tuple(map(change_of, distinct(changed)))[:limit],
        decided_by=decided_by,
        warnings=done.warnings,
        remarks=done.remarks,
    )


async def judge_pairs(
    pairs: Sequence[tuple[Claim, Claim]],
    *,
    relate: Relate | None,
    model: "StructuredModel | None",
    mode: Mode,
) -> JudgedPairs:
    """Judge each pair as given alone: no question is asked, and none has a rival.

    A model sees ``MOST_FOR_MODEL`` of them at the most.
    """
    judged = [_by_words(a, b) for a, b in pairs]
    warnings: list[SourceWarning] = []
    if relate is not None and (read := await _read(pairs, relate, warnings)) is not None:
        judged = [_rescored(one, own) for one, own in zip(judged, read, strict=True)]
    return await _decided(judged, model=model, mode=mode, warnings=warnings)


async def _compared(
    claims: Sequence[Claim],
    pairs: Sequence[Pair],
    relate: Relate,
    warnings: list[SourceWarning],
    *,
    outright: bool,
) -> list[JudgedPair] | None:
    """The pairs as the reader and their words see them beside each other; None where it fails."""
    sides = [(claims[a], claims[b]) for a, b in pairs]
    if (read := await _read(sides, relate, warnings)) is None:
        return None
    alone = [score_pair(a, b, own) for (a, b), own in zip(sides, read, strict=True)]
    likely = np.array([likely for _, likely in alone])
    found = question_scoring.confidences(pairs, likely).tolist()
    fitted = question_scoring.question_scoring()
    told = fitted.outright if outright else fitted.told
    judged: list[JudgedPair] = []
    for (a, b), (words, _), own, confidence in zip(sides, alone, read, found, strict=True):
        seen = replace(words, contradiction=False, confidence=confidence, change=0.0)
        by_words = lexical_confirmation(a, b, own.conflict)
        if confidence >= told or by_words:
            changed = own.changed > own.contradicts
            seen = as_conflict(words, a.text, b.text, max(confidence, by_words), changed=changed)
            # What is of two times, and nobody knows of which, is no contradiction.
            seen = replace(seen, contradiction=not words.apart)
        judged.append(JudgedPair(a, b, seen, "local"))
    return judged


def score_pair(a: Claim, b: Claim, read: RelationProbabilities) -> tuple[PairPrediction, float]:
    """What the words of a pair come to, and how likely with what the reader says it clashes."""
    found = predict_pair(a.text, b.text) if read.conflict >= _WORTH_WORDS else UNLIKE
    return found, scoring().confidence(features(found, read))


async def _read(
    pairs: Sequence[tuple[Claim, Claim]], relate: Relate, warnings: list[SourceWarning]
) -> list[RelationProbabilities] | None:
    """How likely each pair is each of the reader's relations; None where it does not answer."""
    try:
        rows = await relate([(text_for_reader(a), text_for_reader(b)) for a, b in pairs])
    except BrainError as error:
        impact = "Contradictions were judged by their words alone; most in other words are missed."
        warnings.append(SourceWarning(source="semantic", error=str(error), impact=impact))
        return None
    return [RelationProbabilities(*row) for row in rows.tolist()]


def _by_words(a: Claim, b: Claim) -> JudgedPair:
    return JudgedPair(a, b, predict_pair(a.text, b.text), "local")


async def _decided(
    judged: Sequence[JudgedPair],
    *,
    model: "StructuredModel | None",
    mode: Mode,
    warnings: list[SourceWarning],
) -> JudgedPairs:
    """The pairs in time, and as a model sees those that it may be asked."""
    remarks: list[str] = []
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


def _rescored(one: JudgedPair, read: RelationProbabilities) -> JudgedPair:
    """The pair as its words and the reader see it alone."""
    return replace(one, verdict=rescored(one.verdict, one.a.text, one.b.text, read))


def conflict_from_score(a: Claim, b: Claim, confidence: float, *, changed: bool) -> Conflict:
    """What two claims come to of which it is known how surely they clash.

    ``changed`` says that they are rather two states at two times.
    """
    found = as_conflict(predict_pair(a.text, b.text), a.text, b.text, confidence, changed=changed)
    one = _in_time(JudgedPair(a, b, found, "local"))
    return change_of(one) if one.order else contradiction_of(one)


def lexical_confirmation(a: Claim, b: Claim, clash: float) -> float:
    """How sure the words are of a contradiction that the reader finds likely, too; else 0."""
    found = predict_pair(a.text, b.text) if clash >= _SECONDED else UNLIKE
    return found.confidence if found.contradiction else 0.0


def text_for_reader(claim: Claim) -> str:
    """A claim under what stands over it, as far as that is known; of what is Turkish the gloss.

    Whom a claim given alone cites is left out.
    """
    if claim.read_as:
        return glossed(claim.read_as)
    said = attribution(claim.text).said
    return glossed(f"{claim.note_title}: {said}" if claim.note_title else said)


def _in_time(one: JudgedPair) -> JudgedPair:
    """The pair with its order in time; two sources that disagree need one that they state."""
    found = order(one.a, one.b, one.verdict)
    if found and found.known_from == "notes" and relation_of(*sides_of(one)) == "disagreement":
        found = None
    return replace(one, order=found)


def _for_model(judged: Sequence[JudgedPair], *, mode: Mode) -> list[int]:
    chosen = [
        at
        for at, one in enumerate(judged)
        if one.order is None and (mode == "llm" or _is_open(one.verdict))
    ]
    return chosen[:MOST_FOR_MODEL]


def _may_clash(found: PairPrediction) -> bool:
    return found.similarity >= _ALIKE or max(found.confidence, found.change) >= _UNLIKELY


def _is_open(found: PairPrediction) -> bool:
    low, high = BORDERLINE
    return found.confidence >= low and (not found.contradiction or found.confidence <= high)


def _overruled(pair: JudgedPair, answer: ModelVerdict) -> JudgedPair:
    """The pair as the model sees it; its confidence is turned into that of a contradiction."""
    confidence = answer.confidence if answer.contradiction else 1.0 - answer.confidence
    decided = PairPrediction(
        contradiction=answer.contradiction and confidence > CONTRADICTS,
        confidence=confidence,
        similarity=pair.verdict.similarity,
        type=answer.type or pair.verdict.type or "semantic_conflict",
        explanation=answer.explanation or pair.verdict.explanation,
    )
    return replace(pair, verdict=decided, decided_by="llm")
