"""Every figure of ``evals.benchmark.baseline`` keeps its bound.

In one file, for what is measured is measured once for each process that tests are spread over.
"""

from collections.abc import Mapping

import pytest

from evals.metrics.bounds import Score
from evals.suites.bound import BOUNDS, check


@pytest.mark.parametrize("name", BOUNDS)
def test_a_figure_keeps_its_bound(name: str, figures: Mapping[str, Score]) -> None:
    check(name, figures)


def test_every_figure_has_a_bound(figures: Mapping[str, Score]) -> None:
    unbound = sorted(set(figures) - set(BOUNDS))
    assert not unbound, f"{unbound}: run `python -m evals.benchmark.baseline --raise`"
