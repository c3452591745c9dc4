"""From claims to contradictions: which pairs to compare, who decides each, and what is left.

The words of a pair decide it; a language model, where one answers, decides the pairs on which
they are unsure.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

import prompts
from agents.verdict import CONTRADICTS, SAME_TOPIC, PairVerdict, verdict
from tools.claims.alignment import content_stems
from tools.domain import (
    Claim,
    Contradiction,
    ContradictionSide,
    ContradictionType,
    DecidedBy,
    Mode,
    SourceWarning,
)
from tools.errors import BrainError, ModelUnavailableError

if TYPE_CHECKING:
    from agents.models import StructuredModel

BORDERLINE = (0.4, 0.8)
"""Confidences between which the local judge is unsure and a model is asked."""

MOST_PAIRS = 200
"""Pairs compared word by word; the ones with the most in common come first."""
MOST_FOR_MODEL = 40
BATCH = 10
_COSINES_AT_ONCE = 512
"""Pairs whose vectors are gathered at once; they fit the processor's cache."""

type Embed = Callable[[Sequence[str]], Awaitable[NDArray[np.float32]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePair:
    """The places of two claims of different notes that may be about one thing."""

    a: int
    b: int
    overlap: float
    similarity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The contradictions among some claims, surest first, and who had the last word."""

    contradictions: tuple[Contradiction, ...]
    decided_by: DecidedBy
    warnings: tuple[SourceWarning, ...] = ()


# --- which pairs ---------------------------------------------------------------------------


def candidate_pairs(
    claims: Sequence[Claim], vectors: NDArray[np.float32] | None = None
) -> tuple[CandidatePair, ...]:
    """The pairs across notes that share enough words, or enough meaning, to be compared.

    ``vectors`` holds one row of unit length per claim. At most ``MOST_PAIRS`` are returned.
    """
    if len(claims) < 2:
        return ()
    stems = [content_stems(claim.text) for claim in claims]
    firsts, others, common = _sharing(claims, stems)
    sizes = np.array([len(words) for words in stems], np.float32)
    overlap = common / np.maximum(1.0, (sizes[firsts] + sizes[others]) / 2.0)
    contained = common / np.maximum(1.0, np.minimum(sizes[firsts], sizes[others]))
    promising = (contained >= 0.5) & (overlap >= 0.4)
    cosines = None if vectors is None else _cosines(vectors, firsts, others)
    if cosines is not None:
        promising |= cosines >= SAME_TOPIC
        overlap = np.maximum(overlap, cosines)
    kept = np.flatnonzero(promising)
    best = kept[np.argsort(-overlap[kept], kind="stable")[:MOST_PAIRS]]
    return tuple(
        CandidatePair(
            a=int(firsts[at]),
            b=int(others[at]),
            overlap=float(overlap[at]),
            similarity=None if cosines is None else float(cosines[at]),
        )
        for at in best
    )


type _Rows = NDArray[np.intp]


def _sharing(
    claims: Sequence[Claim], stems: Sequence[frozenset[str]]
) -> tuple[_Rows, _Rows, NDArray[np.float32]]:
    """The pairs of different notes that share a stem, by their rows, and how many they share."""
    postings: dict[str, list[int]] = {}
    for row, words in enumerate(stems):
        for word in words:
            postings.setdefault(word, []).append(row)
    common = np.zeros((len(claims), len(claims)), np.float32)
    # Word by word: a matrix product would wake a thread per core for a millisecond's work.
    for rows in postings.values():
        if len(rows) > 1:
            common[np.ix_(rows, rows)] += 1.0
    numbers = {path: at for at, path in enumerate({claim.note_path for claim in claims})}
    notes = np.array([numbers[claim.note_path] for claim in claims])
    firsts, others = np.nonzero(np.triu((common >= 1.0) & (notes[:, None] != notes[None, :]), 1))
    return firsts, others, common[firsts, others]


def _cosines(vectors: NDArray[np.float32], firsts: _Rows, others: _Rows) -> NDArray[np.float32]:
    """The cosine of each pair of rows; a matrix product of all would wake the other threads."""
    cosines = np.empty(len(firsts), np.float32)
    for start in range(0, len(firsts), _COSINES_AT_ONCE):
        part = slice(start, start + _COSINES_AT_ONCE)
        cosines[part] = np.einsum("pd,pd->p", vectors[firsts[part]], vectors[others[part]])
    return cosines


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
class Judged:
    """Two claims, what they come to, and who said so."""

    a: Claim
    b: Claim
    verdict: PairVerdict
    decided_by: DecidedBy


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPairs:
    """Pairs in the order given; ``unanswered`` are the places of those a model left open."""

    pairs: tuple[Judged, ...]
    unanswered: frozenset[int] = frozenset()
    warnings: tuple[SourceWarning, ...] = ()


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
    # Only a model could tell more of pairs that have few words in common.
    vectors = await _vectors(claims, similarity, warnings) if mode == "llm" else None
    pairs = candidate_pairs(claims, vectors)
    done = await judge_pairs(
        [(claims[pair.a], claims[pair.b]) for pair in pairs],
        cosines=None if vectors is None else [pair.similarity for pair in pairs],
        similarity=similarity,
        model=model,
        mode=mode,
    )
    decided_by: DecidedBy = "local"
    if any(one.decided_by == "llm" for one in done.pairs):
        decided_by = "llm"
    elif done.unanswered:
        decided_by = "fallback"
    found = [one for one in done.pairs if one.verdict.contradiction]
    return Judgement(
        contradictions=tuple(_contradiction(one) for one in _distinct(found)[:limit]),
        decided_by=decided_by,
        warnings=(*warnings, *done.warnings),
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
    known = cosines or [None] * len(pairs)
    judged = [
        Judged(a, b, verdict(a.text, b.text, similarity=cosine), "local")
        for (a, b), cosine in zip(pairs, known, strict=True)
    ]
    if cosines is None:
        judged = await _with_meaning(judged, similarity, warnings)
    asked = _for_model(judged, mode=mode) if mode != "local" else []
    unanswered: frozenset[int] = frozenset()
    if asked:
        answers, warning = await _ask(model, [judged[at] for at in asked], mode=mode)
        for number, answer in answers.items():
            judged[asked[number]] = _overruled(judged[asked[number]], answer)
        if warning:
            warnings.append(warning)
            unanswered = frozenset(at for n, at in enumerate(asked) if n not in answers)
    return JudgedPairs(pairs=tuple(judged), unanswered=unanswered, warnings=tuple(warnings))


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


def _for_model(judged: Sequence[Judged], *, mode: Mode) -> list[int]:
    low, high = BORDERLINE
    chosen = [
        at
        for at, one in enumerate(judged)
        if mode == "llm" or (low <= one.verdict.confidence <= high)
    ]
    return chosen[:MOST_FOR_MODEL]


async def _ask(
    model: "StructuredModel | None", pairs: Sequence[Judged], *, mode: Mode
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
        described = json.dumps(listed, ensure_ascii=False, indent=1)
        prompt = await asyncio.to_thread(prompts.render, "judge", pairs=described)
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


def _quotes_stand(explanation: str, pair: Judged) -> bool:
    """Whether everything the explanation puts in quotation marks is said in the claims."""
    said = " ".join(f"{pair.a.text} {pair.b.text}".casefold().split())
    quoted = (" ".join(quote.casefold().split()) for quote in _QUOTED.findall(explanation))
    return all(quote.strip(" .,;") in said for quote in quoted)


def _overruled(pair: Judged, answer: ModelVerdict) -> Judged:
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


def _distinct(judged: Sequence[Judged]) -> list[Judged]:
    """The surest pair per two notes and topic, surest first."""
    kept: dict[frozenset[str], list[frozenset[str]]] = {}
    best: list[Judged] = []
    for one in sorted(judged, key=lambda one: -one.verdict.confidence):
        notes = frozenset((one.a.note_path, one.b.note_path))
        topic = content_stems(one.a.text) & content_stems(one.b.text)
        topics = kept.setdefault(notes, [])
        if any(2 * len(topic & other) >= min(len(topic), len(other)) for other in topics):
            continue
        topics.append(topic)
        best.append(one)
    return best


def _contradiction(one: Judged) -> Contradiction:
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
