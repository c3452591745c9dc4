"""The measures of a ranking: against a library where one exists, else by what must always hold."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.ranking import (
    auroc,
    average_precision,
    ndcg,
    precision_recall,
    recall,
    reciprocal_rank,
)

library: Any = sklearn.metrics

_ranked = st.lists(st.integers(0, 15), unique=True, min_size=1)
_gains = st.dictionaries(st.integers(0, 15), st.floats(-1, 4), min_size=1)
_scores = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 1.0]), min_size=1)
_scored = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.9]), st.booleans()), min_size=2
).filter(lambda scored: any(truly for _, truly in scored))


@given(_ranked, _gains, st.integers(1, 12))
def test_every_measure_is_a_share_and_none_falls_when_something_better_comes_first(
    ranked: Sequence[int], gains: Mapping[int, float], depth: int
) -> None:
    relevant = {one for one, gain in gains.items() if gain > 0}
    best = sorted({*ranked, *gains}, key=lambda one: -max(0.0, gains.get(one, 0.0)))
    for reached, ideal in (
        (ndcg(ranked, gains, depth=depth), ndcg(best, gains, depth=depth)),
        (recall(ranked, relevant, depth=depth), recall(best, relevant, depth=depth)),
        (reciprocal_rank(ranked, relevant), reciprocal_rank(best, relevant)),
    ):
        assert 0 <= reached <= ideal + 1e-9
        assert ideal <= 1
    if relevant:
        assert ndcg(best, gains, depth=depth) == pytest.approx(1)
        assert reciprocal_rank(best, relevant) == 1


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.integers(1, 12))
def test_ndcg_is_that_of_scikit_learn(gains: Sequence[int], depth: int) -> None:
    ranked = range(len(gains))
    expected = library.ndcg_score([gains], [[-place for place in ranked]], k=depth)
    assert ndcg(ranked, dict(enumerate(gains)), depth=depth) == pytest.approx(expected)


@given(_ranked, st.sets(st.integers(0, 15)))
def test_recall_grows_with_depth(ranked: Sequence[int], relevant: set[int]) -> None:
    shares = [recall(ranked, relevant, depth=depth) for depth in range(1, 20)]
    assert shares == sorted(shares)


def test_by_hand() -> None:
    assert ndcg(["b", "a"], {"a": 1.0}) == pytest.approx(0.6309, abs=1e-4)
    assert recall(["a", "b", "c"], {"c", "d"}, depth=3) == 0.5
    assert recall(["a", "b", "c"], {"c"}, depth=2) == 0
    assert reciprocal_rank(["a", "b", "c"], {"c", "b"}) == 0.5
    assert reciprocal_rank(["a"], {"z"}) == 0
    assert auroc([0.9, 0.5], [0.5, 0.1]) == 0.875


@given(_scores, _scores)
def test_auroc_is_that_of_scikit_learn(positives: list[float], negatives: list[float]) -> None:
    truth = [1] * len(positives) + [0] * len(negatives)
    expected = library.roc_auc_score(truth, positives + negatives)
    assert auroc(positives, negatives) == pytest.approx(expected)
    assert auroc(negatives, positives) == pytest.approx(1 - expected)


@given(_scored)
def test_average_precision_is_that_of_scikit_learn(scored: list[tuple[float, bool]]) -> None:
    truth, scores = [truly for _, truly in scored], [score for score, _ in scored]
    expected = library.average_precision_score(truth, scores)
    assert average_precision(scored) == pytest.approx(expected)


@given(_scored)
def test_cuts_go_from_the_strictest_to_all(scored: list[tuple[float, bool]]) -> None:
    cuts = precision_recall(scored)
    assert [cut.threshold for cut in cuts] == sorted({s for s, _ in scored}, reverse=True)
    assert [cut.recall for cut in cuts] == sorted(cut.recall for cut in cuts)
    assert cuts[-1].recall == 1
    assert cuts[-1].precision == pytest.approx(sum(t for _, t in scored) / len(scored))
