"""From claims to contradictions: which pairs to compare, what each comes to, and who decided.

The local judge reads words alone: a pair contradicts where something in it clashes and little
else differs. A language model, where one answers, decides the pairs on which that is unsure.
"""

import json
import math
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

import prompts
from tools import lexicon
from tools.claims import Alignment, ClaimForm, align, analyse, content_stems, sentences
from tools.domain import (
    Claim,
    Contradiction,
    ContradictionSide,
    ContradictionType,
    DecidedBy,
    Mode,
    SourceWarning,
)
from tools.errors import ModelUnavailableError, SourceError

if TYPE_CHECKING:
    from agents.models import StructuredModel

SAME_TOPIC = 0.7
CONTRADICTS = 0.7
BORDERLINE = (0.4, 0.8)
"""Confidences between which the local judge is unsure and a model is asked."""

MOST_PAIRS = 200
"""Pairs compared word by word; the ones with the most in common come first."""
MOST_FOR_MODEL = 40
BATCH = 10

type Embed = Callable[[Sequence[str]], Awaitable[NDArray[np.float32]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePair:
    """The places of two claims of different notes that may be about one thing."""

    a: int
    b: int
    overlap: float
    similarity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairVerdict:
    """``confidence`` is the probability that both claims cannot hold."""

    contradiction: bool
    confidence: float
    similarity: float
    type: ContradictionType | None
    explanation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The contradictions among some claims, surest first, and who had the last word."""

    contradictions: tuple[Contradiction, ...]
    decided_by: DecidedBy
    warnings: tuple[SourceWarning, ...] = ()


# --- which pairs ---------------------------------------------------------------------------


def candidate_pairs(
    claims: Sequence[Claim], similarities: NDArray[np.float32] | None = None
) -> tuple[CandidatePair, ...]:
    """The pairs across notes that share enough words, or enough meaning, to be compared.

    ``similarities`` holds the cosines of all claims, n by n. At most ``MOST_PAIRS`` are returned.
    """
    if len(claims) < 2:
        return ()
    stems = [content_stems(claim.text) for claim in claims]
    postings: dict[str, list[int]] = {}
    for row, words in enumerate(stems):
        for word in words:
            postings.setdefault(word, []).append(row)
    common = np.zeros((len(claims), len(claims)), np.float32)
    # Word by word: a matrix product would wake a thread per core for a millisecond's work.
    for rows in postings.values():
        if len(rows) > 1:
            common[np.ix_(rows, rows)] += 1.0
    sizes = np.array([len(words) for words in stems], np.float32)
    overlap = common / np.maximum(1.0, (sizes[:, None] + sizes[None, :]) / 2.0)
    contained = common / np.maximum(1.0, np.minimum(sizes[:, None], sizes[None, :]))
    promising = (contained >= 0.5) & (overlap >= 0.4) & (common >= 1.0)
    if similarities is not None:
        promising |= (similarities >= SAME_TOPIC) & (common >= 1.0)
        overlap = np.maximum(overlap, similarities)
    numbers = {path: at for at, path in enumerate({claim.note_path for claim in claims})}
    notes = np.array([numbers[claim.note_path] for claim in claims])
    promising &= np.triu(notes[:, None] != notes[None, :], 1)
    firsts, others = np.nonzero(promising)
    best = np.argsort(-overlap[firsts, others], kind="stable")[:MOST_PAIRS]
    if similarities is None:
        cosines: dict[int, float | None] = {int(at): None for at in best}
    else:
        cosines = {int(at): float(similarities[firsts[at], others[at]]) for at in best}
    return tuple(
        CandidatePair(
            a=int(firsts[at]),
            b=int(others[at]),
            overlap=float(overlap[firsts[at], others[at]]),
            similarity=cosines[int(at)],
        )
        for at in best
    )


# --- what clashes --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Clash:
    type: ContradictionType
    explanation: str


_EVENTS = frozenset(
    lexicon.english_stem(word)
    for word in [
        "founded",
        "established",
        "born",
        "released",
        "published",
        "died",
        "invented",
        "discovered",
        "launched",
        "built",
        "signed",
        "created",
    ]
)


def _clash(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> _Clash | None:
    """The strongest sign that two claims exclude each other; None where their words show none."""
    if _silent(a, b, aligned):
        return None
    if aligned.dates_differ:
        return _event(a, b, aligned)
    if aligned.values:
        one, other = aligned.values[0]
        return _Clash("conflicting_values", f"One says {one.text}, the other {other.text}.")
    if a.weak != b.weak:
        partial, whole = (a, b) if a.weak else (b, a)
        denied = whole.universal and not whole.negated
        return _denial(whole, partial, aligned) if denied else None
    return _worded(a, b, aligned)


def _worded(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> _Clash | None:
    """A clash of words rather than values; two that undo one another are none."""
    flips = bool(aligned.opposites) + bool(aligned.flipped) + aligned.swapped
    if aligned.agreeing or flips > 1:
        return None
    if aligned.opposites:
        one, other = aligned.opposites[0]
        return _Clash("opposing_sentiment", _differing(one.text, other.text))
    if aligned.flipped:
        return _negation(a, b, aligned)
    if aligned.exclusives:
        one, other = aligned.exclusives[0]
        return _Clash("semantic_conflict", _differing(one.text, other.text))
    if aligned.swapped and a.compares and b.compares and not aligned.only_a + aligned.only_b:
        return _Clash("semantic_conflict", "Both rank the same two things, in opposite orders.")
    return None


def _silent(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> bool:
    """Whether the claims speak of different things, times or cases, or assert too little."""
    return (
        a.question
        or b.question
        or a.hedged
        or b.hedged
        or a.conditional
        or b.conditional
        or a.past != b.past
        or a.restricted != b.restricted
        or _diary(a, b)
        or a.anaphoric
        or b.anaphoric
        or aligned.subject == "different"
        or not aligned.shared
        or any(
            token.in_subject and token.weight == 1.0
            for pair in (*aligned.opposites, *aligned.exclusives)
            for token in pair
        )
    )


def _diary(a: ClaimForm, b: ClaimForm) -> bool:
    """Whether somebody tells what they once did: it may have been on different days."""
    told = {"i", "we"} & {*a.subject, *b.subject} and (a.past_tense or b.past_tense)
    return bool(told) and not a.dates & b.dates


def _event(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> _Clash | None:
    """What happens once has one date; anything else may have changed between two dates."""
    stems = {one.stem for one, _ in aligned.shared_tokens}
    if aligned.only_a or aligned.only_b or not stems & _EVENTS:
        return None
    return _Clash("conflicting_values", _differing(min(a.dates), min(b.dates)))


def _negation(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> _Clash | None:
    if any(one.weight and one.negated and other.negated for one, other in aligned.shared_tokens):
        return None
    positive, negative = (a, b) if b.negated else (b, a)
    if negative.existential and not positive.universal:
        return None
    return _denial(positive, negative, aligned)


def _denial(positive: ClaimForm, negative: ClaimForm, aligned: Alignment) -> _Clash:
    flipped = aligned.flipped[:1] or aligned.shared_tokens[-1:]
    said = next((token.text for pair in flipped for token in pair if token in positive.tokens), "")
    return _Clash("negation", _differing(said, negative.denial))


def _differing(one: str, other: str) -> str:
    return f"One says “{one}”, the other “{other}”."


# --- how sure ------------------------------------------------------------------------------

# Fitted by logistic regression (L2, C = 1) on the pairs in which something clashes: those of
# evals/data/claims.jsonl, and at a tenth of the weight some hundred from a public vault under
# the MIT licence, where none was a contradiction.
_INTERCEPT = 3.3
_COEFFICIENTS: Mapping[str, float] = {
    "little in common": -1.0,
    "extra on the denying side": -2.5,
    "more on one side": -0.85,
    "other words on both sides": -1.6,
    "subject unknown": -0.8,
    "other tense": -1.4,
    "one date": -2.5,
}
_NO_CLASH = 0.05


def evidence(
    a: ClaimForm, b: ClaimForm, aligned: Alignment, *, topic: float
) -> Mapping[str, float]:
    """What makes a clash more or less of a contradiction, by the names of the coefficients."""
    return {
        "little in common": 1.0 - topic,
        "extra on the denying side": aligned.extra_negated,
        "more on one side": max(aligned.extra_a, aligned.extra_b),
        "other words on both sides": min(aligned.extra_a, aligned.extra_b),
        "subject unknown": float(aligned.subject == "unknown"),
        "other tense": float(a.past_tense != b.past_tense),
        "one date": float(bool(a.dates) != bool(b.dates)),
    }


def verdict(a: str, b: str, *, similarity: float | None = None) -> PairVerdict:
    """What the words of two texts come to; of several sentences the pair that clashes most.

    ``similarity`` is the cosine of the two, where an encoder gave one.
    """
    found = [_sentence_verdict(one, other, similarity) for one in _parts(a) for other in _parts(b)]
    return max(found, key=lambda one: (one.contradiction, one.confidence), default=_NONE)


_NONE = PairVerdict(contradiction=False, confidence=0.0, similarity=0.0, type=None, explanation="")


@lru_cache(maxsize=4096)
def _parts(text: str) -> tuple[str, ...]:
    return tuple(sentence.text for sentence in sentences(text))


def _sentence_verdict(a: str, b: str, similarity: float | None) -> PairVerdict:
    one, other = analyse(a), analyse(b)
    if one.turkish != other.turkish:
        one, other = analyse(a, turkish=True), analyse(b, turkish=True)
    aligned = align(one, other)
    topic = min(1.0, max(aligned.topic, similarity or 0.0))
    clash = _clash(one, other, aligned)
    if clash is None:
        return replace(_NONE, confidence=_NO_CLASH, similarity=topic)
    logit = _INTERCEPT + sum(
        _COEFFICIENTS[name] * value
        for name, value in evidence(one, other, aligned, topic=topic).items()
    )
    confidence = 1.0 / (1.0 + math.exp(-logit))
    return PairVerdict(
        contradiction=confidence > CONTRADICTS and topic > SAME_TOPIC,
        confidence=round(confidence, 3),
        similarity=round(topic, 3),
        type=clash.type,
        explanation=clash.explanation,
    )


# --- all claims at once --------------------------------------------------------------------


class ModelVerdict(BaseModel):
    """What a model says about the pair with this number."""

    pair: int
    contradiction: bool
    confidence: float = Field(ge=0.0, le=1.0)
    type: ContradictionType | None = None
    explanation: str = ""


class ModelVerdicts(BaseModel):
    verdicts: list[ModelVerdict]


@dataclass(frozen=True, slots=True)
class _Judged:
    a: Claim
    b: Claim
    verdict: PairVerdict
    decided_by: DecidedBy


async def judge(
    claims: Sequence[Claim],
    *,
    similarity: Embed | None,
    model: "StructuredModel | None",
    mode: Mode,
    limit: int = 10,
) -> Judgement:
    """The contradictions among claims of different notes, at most ``limit``, surest first.

    ``similarity`` embeds texts, one row of unit length each. In ``auto`` the model sees the pairs
    the words leave open, in ``llm`` all candidates; where it does not answer, the words decide.
    """
    warnings: list[SourceWarning] = []
    pairs = candidate_pairs(claims, await _cosines(claims, similarity, warnings))
    judged = [
        _Judged(
            claims[pair.a],
            claims[pair.b],
            verdict(claims[pair.a].text, claims[pair.b].text, similarity=pair.similarity),
            "local",
        )
        for pair in pairs
    ]
    decided_by: DecidedBy = "local"
    open_pairs = _for_model(judged, mode=mode)
    if open_pairs and mode != "local":
        answers, warning = await _ask(model, [judged[at] for at in open_pairs], mode=mode)
        for number, answer in answers.items():
            judged[open_pairs[number]] = _overruled(judged[open_pairs[number]], answer)
        if answers:
            decided_by = "llm"
        elif warning:
            decided_by = "fallback"
        warnings += [warning] if warning else []
    found = [one for one in judged if one.verdict.contradiction]
    return Judgement(
        contradictions=tuple(_contradiction(one) for one in _distinct(found)[:limit]),
        decided_by=decided_by,
        warnings=tuple(warnings),
    )


async def _cosines(
    claims: Sequence[Claim], similarity: Embed | None, warnings: list[SourceWarning]
) -> NDArray[np.float32] | None:
    if similarity is None or len(claims) < 2:
        return None
    try:
        vectors = await similarity([claim.text for claim in claims])
    except SourceError as error:
        impact = "Contradictions are sought by shared words only; paraphrases may be missed."
        warnings.append(SourceWarning(source="semantic", error=str(error), impact=impact))
        return None
    return vectors @ vectors.T


def _for_model(judged: Sequence[_Judged], *, mode: Mode) -> list[int]:
    low, high = BORDERLINE
    chosen = [
        at
        for at, one in enumerate(judged)
        if mode == "llm" or (low <= one.verdict.confidence <= high)
    ]
    return chosen[:MOST_FOR_MODEL]


async def _ask(
    model: "StructuredModel | None", pairs: Sequence[_Judged], *, mode: Mode
) -> tuple[dict[int, ModelVerdict], SourceWarning | None]:
    """The model's verdicts by the place of their pair, and what went wrong on the way."""
    impact = "Contradictions were judged by their words alone."
    if model is None:
        error = "No language model is set up."
        missing = SourceWarning(source="model", error=error, impact=impact)
        return {}, missing if mode == "llm" else None
    answers: dict[int, ModelVerdict] = {}
    for start in range(0, len(pairs), BATCH):
        batch = pairs[start : start + BATCH]
        listed = [
            {"pair": number, "a": one.a.text, "b": one.b.text}
            for number, one in enumerate(batch, 1)
        ]
        prompt = prompts.render("judge", pairs=json.dumps(listed, ensure_ascii=False, indent=1))
        try:
            reply = await model(prompt, ModelVerdicts)
        except ModelUnavailableError as error:
            return answers, SourceWarning(source="model", error=str(error), impact=impact)
        for answer in reply.verdicts:
            place = start + answer.pair - 1
            known = 1 <= answer.pair <= len(batch) and place not in answers
            if known and _quotes_stand(answer.explanation, pairs[place]):
                answers[place] = answer
    return answers, None


_QUOTED = re.compile(r"[“\"«]([^”\"»]+)[”\"»]")


def _quotes_stand(explanation: str, pair: _Judged) -> bool:
    """Whether everything the explanation puts in quotation marks is said in the claims."""
    said = " ".join(f"{pair.a.text} {pair.b.text}".casefold().split())
    quoted = (" ".join(quote.casefold().split()) for quote in _QUOTED.findall(explanation))
    return all(quote.strip(" .,;") in said for quote in quoted)


def _overruled(pair: _Judged, answer: ModelVerdict) -> _Judged:
    """The pair as the model sees it; its confidence is turned into that of a contradiction."""
    confidence = answer.confidence if answer.contradiction else 1.0 - answer.confidence
    decided = PairVerdict(
        contradiction=answer.contradiction and confidence > CONTRADICTS,
        confidence=confidence,
        similarity=pair.verdict.similarity,
        type=answer.type or pair.verdict.type or "semantic_conflict",
        explanation=" ".join(answer.explanation.split()) or pair.verdict.explanation,
    )
    return replace(pair, verdict=decided, decided_by="llm")


def _distinct(judged: Sequence[_Judged]) -> list[_Judged]:
    """The surest pair per two notes and topic, surest first."""
    kept: dict[frozenset[str], list[frozenset[str]]] = {}
    best: list[_Judged] = []
    for one in sorted(judged, key=lambda one: -one.verdict.confidence):
        notes = frozenset((one.a.note_path, one.b.note_path))
        topic = content_stems(one.a.text) & content_stems(one.b.text)
        topics = kept.setdefault(notes, [])
        if any(2 * len(topic & other) >= min(len(topic), len(other)) for other in topics):
            continue
        topics.append(topic)
        best.append(one)
    return best


def _contradiction(one: _Judged) -> Contradiction:
    found = one.verdict
    return Contradiction(
        note_a=_side(one.a),
        note_b=_side(one.b),
        confidence=found.confidence,
        similarity=found.similarity,
        type=found.type or "semantic_conflict",
        newer=_newer(one.a, one.b),
        explanation=found.explanation,
        decided_by=one.decided_by,
    )


def _side(claim: Claim) -> ContradictionSide:
    return ContradictionSide(
        path=claim.note_path,
        title=claim.note_title,
        claim=claim.text,
        line=claim.line,
        heading=claim.heading,
        timestamp=claim.timestamp,
    )


def _newer(a: Claim, b: Claim) -> Literal["a", "b", "unknown"]:
    if a.timestamp is None or b.timestamp is None or a.timestamp == b.timestamp:
        return "unknown"
    return "a" if a.timestamp > b.timestamp else "b"
