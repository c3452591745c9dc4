"""deepeval's view of a figure: a metric that holds a measured score against its bound."""

from collections.abc import Mapping
from typing import Any

from deepeval.evaluate import assert_test
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from evals.metrics.bounds import Score, is_within_bound, read_bounds

BOUNDS = read_bounds()


class WithinBound(BaseMetric):
    """Passes when a measured score keeps its bound; asks no model."""

    async_mode = False

    def __init__(self, score: Score, bound: float) -> None:
        self._measured = score
        self.threshold = bound

    def measure(self, test_case: LLMTestCase, *_args: Any, **_options: Any) -> float:
        self.score = self._measured.value
        self.success = is_within_bound(self._measured, self.threshold or 0.0)
        sign = "at most" if self._measured.lower_is_better else "at least"
        self.reason = f"{test_case.input} is {self.score:.3f}, to be {sign} {self.threshold}"
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *_args: Any, **_options: Any) -> float:
        return self.measure(test_case)

    def is_successful(self) -> bool:
        return self.success is True

    @property
    def __name__(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride] - a Literal there
        return self._measured.name


def check(name: str, figures: Mapping[str, Score]) -> None:
    """Fail where the figure of this name misses its bound or is measured no more."""
    assert name in figures, f"{name} has a bound but is no longer measured"
    metric = WithinBound(figures[name], BOUNDS[name])
    case = LLMTestCase(input=name, actual_output=f"{figures[name].value:.3f}")
    assert_test(case, [metric], run_async=False)
