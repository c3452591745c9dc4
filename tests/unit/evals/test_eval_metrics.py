"""The measures, by hand where that is possible and against a library where one exists."""

from collections.abc import Sequence
from typing import Any

import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.classification import (
    GROUPINGS,
    Outcome,
    Share,
    accuracy,
    asking,
    calibration_error,
    confusion,
    grouped,
    per_intent,
    percentiles,
    reliability,
    summarise,
)
from tests.fakes.outcomes import outcome
from tools.base.domain import INTENTS

_intents = st.sampled_from(INTENTS)
_outcomes = st.lists(
    st.builds(
        outcome,
        _intents,
        _intents,
        confidence=st.floats(0, 1),
        also=st.lists(_intents, max_size=2).map(tuple),
        clarify=st.booleans(),
    ),
    min_size=1,
    max_size=60,
)

FIVE = (
    outcome("factual", "factual"),
    outcome("factual", "temporal"),
    outcome("temporal", "temporal"),
    outcome("causal", "temporal"),
    outcome("causal", None),
)


def test_accuracy_and_each_intent_by_hand() -> None:
    assert accuracy(FIVE) == Share(hits=2, count=5)
    found = per_intent(FIVE)
    assert (found["factual"].precision, found["factual"].recall) == (1.0, 0.5)
    assert (found["temporal"].precision, found["temporal"].recall) == (1 / 3, 1.0)
    assert found["temporal"].f1 == pytest.approx(0.5)
    assert (found["causal"].f1, found["causal"].support) == (0.0, 2)
    assert (found["comparative"].f1, found["comparative"].support) == (0.0, 0)


def test_a_refused_question_has_a_column_of_its_own() -> None:
    counts = confusion(FIVE)
    assert counts["causal"] == {**dict.fromkeys((*INTENTS, None), 0), "temporal": 1, None: 1}


def test_any_reading_of_an_ambiguous_question_is_right() -> None:
    both = outcome("exploratory", "factual", also=("factual",))
    neither = outcome("exploratory", "causal", also=("factual",))
    assert (both.right, both.truth) == (True, "factual")
    assert (neither.right, neither.truth) == (False, "exploratory")


def test_calibration_by_hand() -> None:
    # Two bins of 15: (0.8667, 0.9333] is right in 1 of 2, (0.4667, 0.5333] in 1 of 1.
    bins = reliability(
        [
            outcome("factual", "factual", confidence=0.9),
            outcome("factual", "causal", confidence=0.92),
            outcome("factual", "factual", confidence=0.5),
        ]
    )
    assert [(held.count, held.accuracy) for held in bins] == [(1, 1.0), (2, 0.5)]
    assert bins[1].confidence == pytest.approx(0.91)
    assert calibration_error(bins) == pytest.approx((1 * 0.5 + 2 * 0.41) / 3)


def test_calibration_looks_at_clear_questions_that_were_read() -> None:
    assert reliability([outcome("causal", "causal", also=("factual",)), FIVE[4]]) == []
    summary = summarise([FIVE[4]])
    assert (summary.calibration_error, summary.refused) == (None, 1)


def test_the_edges_of_the_bins() -> None:
    at = {c: reliability([outcome("causal", "causal", confidence=c)])[0] for c in (0.0, 0.2, 1.0)}
    assert (at[0.0].lower, at[1.0].upper) == (0.0, 1.0)
    assert at[0.2].upper == pytest.approx(0.2)


def test_asking_back_by_hand() -> None:
    found = asking(
        [
            outcome("factual", "factual", also=("causal",), clarify=True),
            outcome("factual", "factual", also=("causal",), clarify=True),
            outcome("factual", "factual", also=("causal",), clarify=False),
            outcome("factual", "factual", clarify=True),
            outcome("factual", "factual"),
            outcome("factual", "factual"),
            outcome("factual", "factual"),
        ]
    )
    assert (found.ambiguity.precision, found.ambiguity.recall) == (2 / 3, 2 / 3)
    assert found.ambiguity.f1 == pytest.approx(2 / 3)
    assert found.interrupted == Share(hits=1, count=4)


def test_percentiles_by_hand() -> None:
    assert percentiles([float(n) for n in range(101)]) == {50: 50.0, 95: 95.0, 99: 99.0}
    assert percentiles([3.0]) == {50: 3.0, 95: 3.0, 99: 3.0}


def test_wilson_intervals() -> None:
    # The worked example of Agresti and Coull (1998): 0 of 10 and 5 of 10.
    assert Share(hits=0, count=10).interval == (0.0, pytest.approx(0.278, abs=0.001))
    assert Share(hits=5, count=10).interval == pytest.approx((0.237, 0.763), abs=0.001)


def test_groups_hold_what_is_labelled_and_named() -> None:
    groups = grouped(
        [
            outcome("causal", "causal", form="typo"),
            outcome("causal", "causal", form="trap"),
            outcome("causal", "factual", form="trap"),
            outcome(None, "factual", form="trap"),
            outcome("causal", "factual"),
        ],
        GROUPINGS["form"],
    )
    assert [(form, accuracy(own)) for form, own in groups.items()] == [
        ("trap", Share(hits=1, count=2)),
        ("typo", Share(hits=1, count=1)),
    ]


def test_without_labels_there_are_times_and_no_scores() -> None:
    summary = summarise([outcome(None, "causal", ms=2.0)])
    assert (summary.accuracy, summary.calibration_error, summary.asking) == (None, None, None)
    assert summary.ms[50] == 2.0


@given(_outcomes)
def test_the_confusion_matrix_holds_every_question_once(outcomes: Sequence[Outcome]) -> None:
    counts = confusion(outcomes)
    assert sum(sum(row.values()) for row in counts.values()) == len(outcomes)
    assert sum(counts[intent][intent] for intent in INTENTS) == accuracy(outcomes).hits


@given(_outcomes)
def test_as_the_library_counts(outcomes: Sequence[Outcome]) -> None:
    library: Any = sklearn.metrics
    truths = [one.truth for one in outcomes]
    said = [one.prediction.predicted for one in outcomes]
    expected = library.precision_recall_fscore_support(
        truths, said, labels=list(INTENTS), zero_division=0
    )
    found = per_intent(outcomes)
    for name, values in zip(("precision", "recall", "f1", "support"), expected, strict=True):
        assert [getattr(found[intent], name) for intent in INTENTS] == pytest.approx(list(values))


@given(_outcomes)
def test_every_figure_is_a_share(outcomes: Sequence[Outcome]) -> None:
    summary = summarise(outcomes)
    assert summary.accuracy is not None
    assert summary.asking is not None
    low, high = summary.accuracy.interval
    assert 0 <= low <= summary.accuracy.value + 1e-12
    assert summary.accuracy.value - 1e-12 <= high <= 1
    assert 0 <= summary.asking.ambiguity.f1 <= 1
    if summary.calibration_error is not None:
        assert 0 <= summary.calibration_error <= 1
        clear = sum(not one.case.ambiguous for one in outcomes)
        assert sum(held.count for held in summary.bins) == clear


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 20)), min_size=1, max_size=8))
def test_confidence_that_equals_the_share_of_right_ones_has_no_error(
    groups: list[tuple[int, int]],
) -> None:
    outcomes: list[Outcome] = []
    for count, drawn in groups:
        right = min(count, drawn)
        outcomes += [
            outcome("causal", "causal" if i < right else "factual", confidence=right / count)
            for i in range(count)
        ]
    assert calibration_error(reliability(outcomes)) == pytest.approx(0, abs=1e-9)
