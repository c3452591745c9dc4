"""What the words of two claims come to: do they contradict each other, and how sure is that.

A pair contradicts where something in it clashes and little else differs. Pure.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from agents.entailment.same_event import (
    are_diary_entries,
    are_different_cases,
    are_start_and_end,
    happens_once,
    is_narrower,
)
from tools.base.domain import ContradictionType
from tools.claims.alignment import Alignment, align
from tools.claims.attribution import attribution
from tools.claims.forms import ClaimForm, Token, analyse, exemplified
from tools.claims.frequencies import UNIT as FREQUENCY
from tools.claims.substitution import substitution
from tools.claims.verbs import begins_with_verb
from tools.text import lexicon
from tools.text.markdown.sentences import sentences

SAME_TOPIC = 0.7
"""How much of two claims must be about one thing."""
CONTRADICTS = 0.7
"""The probability above which a pair is called a contradiction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPrediction:
    """``confidence`` is the probability that both claims cannot hold.

    They are ``apart`` where they say that they speak of different times; ``change`` is how sure it
    is that they clash but for these, 0 where they speak of one time.
    """

    contradiction: bool
    confidence: float
    similarity: float
    type: ContradictionType | None
    explanation: str
    change: float = 0.0
    apart: bool = False


# --- what clashes --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Clash:
    """``sure`` is how sure it is by itself, where nothing else in the claims differs."""

    type: ContradictionType
    explanation: str
    sure: float | None = None


def _clash(a: ClaimForm, b: ClaimForm, aligned: Alignment, *, apart: bool) -> _Clash | None:
    """The strongest sign that two claims exclude each other; None where their words show none.

    Of claims ``apart`` in time it is the sign that they would at one time.
    """
    if found := _substituted(a, b, apart=apart):
        return found
    if _silent(a, b, aligned, apart=apart) or are_start_and_end(a, b, aligned):
        return None
    if happens_once(aligned):
        return _event(a, b, aligned)
    rivals = _asserted(a, b, aligned)
    if aligned.values:
        return _valued(a, b, aligned, rivals)
    if aligned.exclusives and not rivals:
        return None
    if a.weak != b.weak:
        partial, whole = (a, b) if a.weak else (b, a)
        denied = whole.universal and not whole.negated
        return _denial(whole, partial, aligned) if denied else None
    return _worded(a, b, aligned, rivals)


def _valued(
    a: ClaimForm, b: ClaimForm, aligned: Alignment, rivals: Sequence[tuple[Token, Token]]
) -> _Clash | None:
    """A clash of numbers; who runs 5 km on Monday may run 10 km on Friday.

    Two recipes may call for two and for three eggs; how often to do a thing is a rule.
    """
    one, other = aligned.values[0]
    told = one.unit == FREQUENCY or not (_orders(a) and _orders(b))
    # What no longer costs 30 may well cost 36.
    if rivals or not told or a.negated != b.negated or is_narrower(a, b, aligned):
        return None
    return _Clash("conflicting_values", f"One says {one.text}, the other {other.text}.")


def _orders(form: ClaimForm) -> bool:
    """Whether the claim is an imperative."""
    return not form.turkish and not form.subject and begins_with_verb([form.tokens[0].word])


def _asserted(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> Sequence[tuple[Token, Token]]:
    """The values that exclude each other and are asserted on both sides.

    What is not blue may be green, and what is not always blue.
    """
    if a.weak or b.weak:
        return ()
    return [pair for pair in aligned.exclusives if not any(token.negated for token in pair)]


def _substituted(a: ClaimForm, b: ClaimForm, *, apart: bool) -> _Clash | None:
    """Two claims that are one but for a phrase of which both cannot hold."""
    asserted = not (a.question or b.question or a.hedged or b.hedged or a.conditional)
    if not asserted or are_diary_entries(a, b) or a.anaphoric or b.anaphoric:
        return None
    if a.past != b.past and not apart:
        return None
    if (found := substitution(a, b, timed=apart)) is None:
        return None
    return _Clash(found.type, _differing(found.one, found.other), sure=_SUBSTITUTED)


def _worded(
    a: ClaimForm, b: ClaimForm, aligned: Alignment, rivals: Sequence[tuple[Token, Token]]
) -> _Clash | None:
    """A clash of words rather than values; two that undo one another are none."""
    flips = bool(aligned.opposites) + bool(aligned.flipped) + aligned.swapped
    if a.turkish and b.turkish:  # what begins in March and ends in April
        flips += bool(aligned.opposites and aligned.exclusives)
    if aligned.agreeing or flips > 1:
        return None
    if aligned.opposites:
        one, other = aligned.opposites[0]
        # Who is faster than the one may be slower than another.
        apart = a.compares and b.compares and (aligned.subject != "same" or aligned.only_a)
        if apart or {"half"} & {t.word for t in a.tokens} & {t.word for t in b.tokens}:
            return None
        return _Clash("opposing_sentiment", _differing(one.text, other.text))
    if aligned.flipped:
        return _negation(a, b, aligned)
    if rivals:
        one, other = rivals[0]
        if exemplified(a, one) or exemplified(b, other):
            return None
        return _Clash("semantic_conflict", _differing(one.text, other.text))
    if aligned.swapped and a.compares and b.compares and not aligned.only_a + aligned.only_b:
        return _Clash("semantic_conflict", "Both rank the same two things, in opposite orders.")
    return None


def _silent(a: ClaimForm, b: ClaimForm, aligned: Alignment, *, apart: bool) -> bool:
    """Whether the claims speak of different things, times or cases, or assert too little."""
    return (
        a.question
        or b.question
        or a.hedged
        or b.hedged
        or a.conditional
        or b.conditional
        or (a.past != b.past and not apart)
        or a.restricted != b.restricted
        or are_different_cases(a, b)
        or are_diary_entries(a, b)
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


def _event(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> _Clash | None:
    if aligned.only_a and aligned.only_b:
        return None
    return _Clash("conflicting_values", _differing(_date_of(a), _date_of(b)))


def _date_of(form: ClaimForm) -> str:
    """The date as the claim writes it."""
    words = [one.text for one in form.tokens if one.timed and one.word not in lexicon.BEFORE_YEARS]
    return " ".join(words)


def _negation(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> _Clash | None:
    both = any(one.weight and one.negated and other.negated for one, other in aligned.shared_tokens)
    if both or (aligned.shared < _LEAST_SHARED and not a.turkish):
        return None
    positive, negative = (a, b) if b.negated else (b, a)
    if negative.existential and not positive.universal:
        return None
    return _denial(positive, negative, aligned)


def _denial(positive: ClaimForm, negative: ClaimForm, aligned: Alignment) -> _Clash:
    # A Turkish verb, which is what is denied, comes last.
    flipped = aligned.flipped[-1:] if positive.turkish else aligned.flipped[:1]
    flipped = flipped or aligned.shared_tokens[-1:]
    said = next((token.text for pair in flipped for token in pair if token in positive.tokens), "")
    return _Clash("negation", _differing(said, negative.denial))


def _differing(one: str, other: str) -> str:
    return f"One says “{one}”, the other “{other}”."


# --- how sure ------------------------------------------------------------------------------

# Fitted by logistic regression (L2, C = 1) on the pairs in which something clashes: those of
# evals/data/claims.jsonl, and at a tenth of the weight some hundred from a public vault under
# the MIT licence, which were taken as no contradictions after a part of them had been read.
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
_LEAST_SHARED = 1.5
"""Of what a denial denies; one English word alone is too little."""
_SUBSTITUTED = 0.85


def contradiction_features(
    a: ClaimForm, b: ClaimForm, aligned: Alignment, *, topic: float, apart: bool = False
) -> Mapping[str, float]:
    """What makes a clash more or less of a contradiction, by the names of the coefficients.

    Of claims that are ``apart`` in time nothing else is expected than that tense and date differ.
    """
    return {
        "little in common": 1.0 - topic,
        "extra on the denying side": aligned.extra_negated,
        "more on one side": max(aligned.extra_a, aligned.extra_b),
        "other words on both sides": min(aligned.extra_a, aligned.extra_b),
        "subject unknown": float(aligned.subject == "unknown"),
        "other tense": float(a.past_tense != b.past_tense and not apart),
        "one date": float(bool(a.dates) != bool(b.dates) and not apart),
    }


def predict_pair(a: str, b: str) -> PairPrediction:
    """What the words of two texts come to; of several sentences the pair that clashes most."""
    found = [_sentence_verdict(one, other) for one in _parts(a) for other in _parts(b)]
    return max(
        found,
        key=lambda one: (one.contradiction, one.change, one.confidence),
        default=UNLIKE,
    )


UNLIKE = PairPrediction(
    contradiction=False, confidence=0.0, similarity=0.0, type=None, explanation=""
)
"""Of two claims that have nothing in common."""


_MOST_SENTENCES = 20
LONGEST_SENTENCE = 1000
"""Characters; what is longer is a list or a run-on text, and comparing takes their square."""


@lru_cache(maxsize=4096)
def _parts(text: str) -> tuple[str, ...]:
    told = [one.text for one in sentences(text) if len(one.text) <= LONGEST_SENTENCE]
    return tuple(told[:_MOST_SENTENCES])


def _sentence_verdict(a: str, b: str) -> PairPrediction:
    a, b = attribution(a).said, attribution(b).said
    one, other = analyse(a), analyse(b)
    if one.turkish != other.turkish:
        one, other = analyse(a, turkish=True), analyse(b, turkish=True)
    if not (one.tokens and other.tokens):
        return UNLIKE
    aligned = align(one, other)
    topic = min(1.0, aligned.topic)
    apart = _apart(one, other, aligned)
    clash = _clash(one, other, aligned, apart=apart)
    if clash is None:
        return replace(UNLIKE, confidence=_NO_CLASH, similarity=topic, apart=apart)
    confidence = clash.sure
    if confidence is None:
        told = contradiction_features(one, other, aligned, topic=topic, apart=apart)
        logit = _INTERCEPT + sum(_COEFFICIENTS[name] * value for name, value in told.items())
        confidence = 1.0 / (1.0 + math.exp(-logit))
    sure = confidence > CONTRADICTS and (topic > SAME_TOPIC or clash.sure is not None)
    return PairPrediction(
        contradiction=sure and not apart,
        confidence=_NO_CLASH if apart else round(confidence, 3),
        similarity=round(topic, 3),
        type=clash.type,
        explanation=clash.explanation,
        change=round(confidence, 3) if apart and sure else 0.0,
        apart=apart,
    )


def _apart(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> bool:
    """Whether the claims say that they speak of different times."""
    if aligned.dates_differ:
        return not happens_once(aligned)
    dated = bool(a.dates) != bool(b.dates)
    return a.former != b.former or (dated and (a if a.dates else b).momentary)
