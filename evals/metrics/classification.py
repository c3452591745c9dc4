"""How good readings are, as pure functions over outcomes.

An ambiguous question counts as rightly read when any of its readings was predicted. Wherever a
truth is needed for it, that is the predicted reading if it is one of them, else the likeliest.
"""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evals.datasets.intents import Case, Prediction
from tools.base.domain import INTENTS, Intent

BINS = 15
"""Equal-width bins of the expected calibration error, as in Guo et al. (2017)."""
PERCENTILES = (50, 95, 99)

type Confusion = Mapping[Intent, Mapping[Intent | None, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A case and how it was read."""

    case: Case
    prediction: Prediction

    @property
    def truth(self) -> Intent:
        """The intent to compare with; only labelled cases have one."""
        case, predicted = self.case, self.prediction.predicted
        if case.intent is None:
            raise ValueError("an unlabelled case has no truth")
        return predicted if predicted is not None and predicted in case.also else case.intent

    @property
    def right(self) -> bool:
        return self.prediction.predicted == self.truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """``hits`` of ``count``, at least one."""

    hits: int
    count: int

    @property
    def value(self) -> float:
        return self.hits / self.count

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of Wilson (1927), sound for few cases and for shares near 0 and 1."""
        z = 1.96
        n, p = self.count, self.value
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Precision, recall and their harmonic mean; each is 0 where it is undefined."""

    precision: float
    recall: float
    f1: float
    support: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """The predictions whose confidence lies in ``(lower, upper]``, 0 being in the first bin."""

    lower: float
    upper: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How well it is told when to ask back: which questions are ambiguous, and which are not.

    ``interrupted`` is the share of clear questions asked back; None without clear questions.
    """

    ambiguity: Scores
    interrupted: Share | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All figures of one set of outcomes; what needs labels is None or empty without them."""

    questions: int
    refused: int
    decided_by: Mapping[str, int]
    ms: Mapping[int, float]
    accuracy: Share | None
    accuracy_of_clear: Share | None
    per_intent: Mapping[Intent, Scores]
    confusion: Confusion
    bins: Sequence[Bin]
    calibration_error: float | None
    asking: Asking | None


GROUPINGS: Mapping[str, Callable[[Outcome], str | None]] = {
    "language": lambda outcome: outcome.case.language,
    "form": lambda outcome: outcome.case.form,
    "source": lambda outcome: outcome.case.source,
    "kind of label": lambda outcome: _LABELS.get(outcome.case.human),
}
"""What the share of right readings is broken down by, where the cases say it."""

_LABELS: Mapping[bool | None, str] = {True: "given by a reader", False: "taken from wording"}


def summarise(outcomes: Sequence[Outcome]) -> Summary:
    """The figures of at least one outcome, over those that are labelled where labels are needed."""
    known = [outcome for outcome in outcomes if outcome.case.intent is not None]
    clear = [outcome for outcome in known if not outcome.case.ambiguous]
    bins = reliability(clear)
    return Summary(
        questions=len(outcomes),
        refused=sum(outcome.prediction.predicted is None for outcome in outcomes),
        decided_by=Counter(o.prediction.decided_by or "refused" for o in outcomes),
        ms=percentiles([outcome.prediction.ms for outcome in outcomes]),
        accuracy=accuracy(known) if known else None,
        accuracy_of_clear=accuracy(clear) if clear else None,
        per_intent=per_intent(known) if known else {},
        confusion=confusion(known),
        bins=bins,
        calibration_error=calibration_error(bins) if bins else None,
        asking=asking(known) if known else None,
    )


def grouped(
    outcomes: Iterable[Outcome], key: Callable[[Outcome], str | None]
) -> dict[str, list[Outcome]]:
    """The labelled outcomes that have this key, by its value, largest group first."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        value = key(outcome)
        if value is not None and outcome.case.intent is not None:
            groups.setdefault(value, []).append(outcome)
    return dict(sorted(groups.items(), key=lambda group: -len(group[1])))


def accuracy(outcomes: Sequence[Outcome]) -> Share:
    """The share rightly read."""
    return Share(hits=sum(outcome.right for outcome in outcomes), count=len(outcomes))


def confusion(outcomes: Iterable[Outcome]) -> Confusion:
    """Counts by truth, then by prediction; None stands for a refused question."""
    counts = Counter((outcome.truth, outcome.prediction.predicted) for outcome in outcomes)
    columns = (*INTENTS, None)
    return {truth: {said: counts[truth, said] for said in columns} for truth in INTENTS}


def per_intent(outcomes: Iterable[Outcome]) -> dict[Intent, Scores]:
    """One against the rest, for each intent."""
    counts = confusion(outcomes)
    return {
        intent: scores(
            hits=counts[intent][intent],
            said=sum(counts[truth][intent] for truth in INTENTS),
            true=sum(counts[intent].values()),
        )
        for intent in INTENTS
    }


def scores(*, hits: int, said: int, true: int) -> Scores:
    """From the number found rightly, the number claimed and the number there is."""
    return Scores(
        precision=hits / said if said else 0.0,
        recall=hits / true if true else 0.0,
        f1=2 * hits / (said + true) if said + true else 0.0,
        support=true,
    )


def reliability(outcomes: Iterable[Outcome], *, bins: int = BINS) -> list[Bin]:
    """The bins that hold clear questions, lowest first; refused ones have no confidence."""
    held: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        if not outcome.case.ambiguous and outcome.prediction.predicted is not None:
            place = min(bins, max(1, math.ceil(outcome.prediction.confidence * bins)))
            held.setdefault(place, []).append(outcome)
    return [
        Bin(
            lower=(place - 1) / bins,
            upper=place / bins,
            count=len(inside),
            confidence=statistics.fmean(outcome.prediction.confidence for outcome in inside),
            accuracy=accuracy(inside).value,
        )
        for place, inside in sorted(held.items())
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Expected calibration error: mean gap of accuracy and confidence, weighted by count."""
    total = sum(held.count for held in bins)
    return sum(held.count * abs(held.accuracy - held.confidence) for held in bins) / total


def asking(outcomes: Iterable[Outcome]) -> Asking:
    """Whether those asked back are those that are ambiguous."""
    counts = Counter((outcome.case.ambiguous, outcome.prediction.clarify) for outcome in outcomes)
    needless, wanted, missed = counts[False, True], counts[True, True], counts[True, False]
    clear = needless + counts[False, False]
    return Asking(
        ambiguity=scores(hits=wanted, said=wanted + needless, true=wanted + missed),
        interrupted=Share(hits=needless, count=clear) if clear else None,
    )


def percentiles(values: Sequence[float]) -> dict[int, float]:
    """The 50th, 95th and 99th percentile of at least one value, interpolated linearly."""
    if len(values) == 1:
        return dict.fromkeys(PERCENTILES, values[0])
    cuts = statistics.quantiles(values, n=100, method="inclusive")
    return {percent: cuts[percent - 1] for percent in PERCENTILES}
