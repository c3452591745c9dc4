"""From claims to contradictions, changes and disagreements: who decides each pair, what is left.

The words of a pair decide it, with the reader of pairs, where one answers; a language model, where
one answers, decides the pairs on which they are unsure.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from agents.clashes import (
    Judged,
    change_of,
    contradiction_of,
    distinct,
    relation_of,
    sides_of,
    sureness,
    without_each_its_own,
)
from agents.contexts import Relevance, on_subject, one_thing, stands_alone
from agents.gloss import glossed
from agents.model_judging import ModelVerdict, ask
from agents.over_time import order
from agents.pair_scoring import Relate, Shares, clashing, rescored
from agents.pairing import CandidatePair, candidate_pairs
from agents.verdict import CONTRADICTS, PairVerdict, verdict
from tools.claims.alignment import content_stems
from tools.claims.attribution import attribution
from tools.clashes import Clash
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
    import numpy as np
    from numpy.typing import NDArray

    from agents.models import StructuredModel

BORDERLINE = (0.4, 0.8)
"""Confidences between which a model is asked; of what is not told of, from the first on."""

MOST_TOLD = 10
"""Contradictions told of for one question, and changes."""
MOST_FOR_MODEL = 40
_ALIKE = 0.2
"""What two claims must have in common for their words to be compared, which takes two milliseconds
for long ones, and for a model to be asked."""
_MOST_WORDS = 250
"""Of all pairs read for one question together: a pair of long claims takes seven milliseconds."""
_WORTH_WORDS = 0.5
"""How likely the reader must find a clash for the words of unlike claims to be compared."""
_UNLIKE = PairVerdict(
    contradiction=False, confidence=0.0, similarity=0.0, type=None, explanation=""
)
MOST_COMPARED = 64
"""Pairs compared word by word for one question."""
MOST_READ = 20
"""Pairs that the reader reads for one question: those whose words clash, then the most alike."""


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
    relate: Relate | None,
    model: "StructuredModel | None",
    mode: Mode,
    relevance: Relevance | None = None,
    limit: int = MOST_TOLD,
) -> Judgement:
    """What clashes among claims of different notes or versions, ``limit`` of a kind at most.

    ``relate`` reads pairs; without it the words decide alone. By ``relevance`` what is asked comes
    first, claims that leave open what they are about may be compared, and only pairs are told that
    hold more than half of what is asked. A model sees pairs that have much in common and may be
    about one thing: in ``auto`` those left open, in ``llm`` all but what changed over time. Where
    it does not answer, they are as they were.
    """
    share = None if relevance is None else [relevance(one.read_as or one.text) for one in claims]
    found = candidate_pairs(claims, share)
    pairs = _worth(claims, found, relevance)[:MOST_COMPARED]
    sides = [(claims[pair.a], claims[pair.b]) for pair in pairs]
    one_thing_each = [
        pair.overlap >= _ALIKE and one_thing(*own, relevance)
        for pair, own in zip(pairs, sides, strict=True)
    ]
    done = await _decided(
        [
            Judged(a, b, verdict(a.text, b.text) if same else _UNLIKE, "local")
            for (a, b), same in zip(sides, one_thing_each, strict=True)
        ],
        relate=relate,
        most_read=MOST_READ,
        model=model,
        mode=mode,
        for_model=[at for at, same in enumerate(one_thing_each) if same],
        most_words=_MOST_WORDS,
    )
    decided_by: DecidedBy = "local"
    if any(one.decided_by == "llm" for one in done.pairs):
        decided_by = "llm"
    elif done.unanswered:
        decided_by = "fallback"
    changed = [one for one in done.pairs if one.order]
    contradictory = [one for one in done.pairs if one.verdict.contradiction and not one.order]
    found = _told(without_each_its_own(contradictory), relevance)
    return Judgement(
        contradictions=tuple(contradiction_of(one) for one in found[:limit]),
        changes=tuple(
            change_of(one, one.order)
            for one in _told(changed, relevance)[:limit]
            if one.order is not None
        ),
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
    most_read: int,
) -> JudgedPairs:
    """Judge each pair as ``judge`` does, but as given alone: each is of one thing.

    Of them ``relate`` reads ``most_read`` at the most, and a model ``MOST_FOR_MODEL``.
    """
    judged = [Judged(a, b, verdict(a.text, b.text), "local") for a, b in pairs]
    return await _decided(
        judged,
        relate=relate,
        most_read=most_read,
        model=model,
        mode=mode,
        for_model=range(len(judged)),
    )


def by_words(a: Claim, b: Claim) -> PairVerdict:
    """What two claims of notes come to by their words: no clash where they may be of two things."""
    found = verdict(a.text, b.text)
    return found if one_thing(a, b) else _silent_on(found)


def _silent_on(found: PairVerdict) -> PairVerdict:
    """The verdict without its clash."""
    return replace(found, contradiction=False, confidence=0.0, type=None, change=0.0)


async def _decided(
    judged: Sequence[Judged],
    *,
    relate: Relate | None,
    model: "StructuredModel | None",
    mode: Mode,
    most_read: int,
    for_model: Sequence[int],
    most_words: int | None = None,
) -> JudgedPairs:
    """Pairs judged by their words, as the reader sees them, and a model those it may be asked."""
    warnings: list[SourceWarning] = []
    remarks: list[str] = []
    if relate is not None:
        judged = await _read(judged, relate, warnings, most=most_read, words=most_words)
    judged = [_in_time(one) for one in judged]
    asked = _for_model(judged, for_model, mode=mode) if mode != "local" else []
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
    frames = {stems[pair.a] & stems[pair.b] for pair in asked} - {frozenset()}
    on_it = set(asked)
    return [one for one in pairs if one in on_it or stems[one.a] & stems[one.b] in frames]


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


async def _read(
    judged: Sequence[Judged],
    relate: Relate,
    warnings: list[SourceWarning],
    *,
    most: int,
    words: int | None,
) -> list[Judged]:
    """The pairs with what the reader makes of ``most`` of them, of so many words together."""
    able = [at for at, one in enumerate(judged) if has_subject(one.a) and has_subject(one.b)]
    chosen = sorted(able, key=lambda at: -_clash_by_words(judged[at]))[:most]
    texts = [(text_for_reader(judged[at].a), text_for_reader(judged[at].b)) for at in chosen]
    if words is not None:
        lengths = accumulate(len(f"{a} {b}".split()) for a, b in texts)
        texts = texts[: sum(length <= words for length in lengths)]
    if not texts:
        return [*judged]
    try:
        shares = await relate(texts)
    except BrainError as error:
        impact = "Contradictions were judged by their words alone; most in other words are missed."
        warnings.append(SourceWarning(source="semantic", error=str(error), impact=impact))
        return [*judged]
    read = [*judged]
    for at, row in zip(chosen, shares, strict=False):
        read[at] = _rescored(judged[at], row)
    return read


def _clash_by_words(one: Judged) -> float:
    return sureness(one) if one.verdict.type else 0.0


def _rescored(one: Judged, shares: "NDArray[np.float32]") -> Judged:
    """The pair, given how likely each of the reader's ``RELATIONS`` is."""
    of_notes = bool(one.a.read_as and one.b.read_as)
    read = Shares(*shares.tolist())
    if one.verdict is _UNLIKE and read.clash > _WORTH_WORDS:
        one = replace(one, verdict=_silent_on(verdict(one.a.text, one.b.text)))
    seen = rescored(one.verdict, one.a.text, one.b.text, read, of_notes=of_notes)
    return replace(one, verdict=seen)


def has_subject(claim: Claim) -> bool:
    """Whether the reader can know what a claim is about: from its words, or from its note.

    What notes say has its note's title; only claims given alone may lack both.
    """
    return bool(claim.read_as or claim.note_title) or stands_alone(claim)


def clash_of(a: Claim, b: Claim) -> Clash | None:
    """What two claims of a whole vault come to by their words; None for no clash."""
    return _clash(Judged(a, b, by_words(a, b), "local"))


def clash_read(a: Claim, b: Claim, confidence: float, *, changed: bool) -> Clash | None:
    """What two claims come to of which it is known how surely they clash.

    ``changed`` says that they are rather two states at two times. The reader has read what supposes
    and what is of other days, too, and is believed.
    """
    found = clashing(verdict(a.text, b.text), a.text, b.text, confidence, changed=changed)
    return _clash(Judged(a, b, found, "local"))


def _clash(judged: Judged) -> Clash | None:
    one = _in_time(judged)
    if one.order is not None:
        return change_of(one, one.order)
    return contradiction_of(one) if one.verdict.contradiction else None


def text_for_reader(claim: Claim) -> str:
    """A claim under what stands over it, where it is known or the claim leaves its subject open.

    Whom it cites is left out; of what is Turkish it is the gloss.
    """
    if claim.read_as:
        return glossed(claim.read_as)
    said = attribution(claim.text).said
    alone = stands_alone(claim) or not claim.note_title
    return glossed(said if alone else f"{claim.note_title}: {said}")


def _in_time(one: Judged) -> Judged:
    """The pair with its order in time; two sources that disagree need one that they state."""
    found = order(one.a, one.b, one.verdict)
    if found and found.known_from == "notes" and relation_of(*sides_of(one)) == "disagreement":
        found = None
    return replace(one, order=found)


def _for_model(judged: Sequence[Judged], places: Sequence[int], *, mode: Mode) -> list[int]:
    chosen = [
        at
        for at in places
        if judged[at].order is None and (mode == "llm" or _is_open(judged[at].verdict))
    ]
    return chosen[:MOST_FOR_MODEL]


def _is_open(found: PairVerdict) -> bool:
    low, high = BORDERLINE
    return found.confidence >= low and (not found.contradiction or found.confidence <= high)


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
