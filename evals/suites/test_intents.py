"""Reading intents: accuracy, each intent, calibration, and when to ask back."""

from collections.abc import Mapping

import pytest

from evals.bounds import Score
from evals.suites.bound import BOUNDS, check, names


@pytest.mark.parametrize("name", names("intents"))
def test_intents(name: str, figures: Mapping[str, Score]) -> None:
    check(name, figures)


def test_every_figure_has_a_bound(figures: Mapping[str, Score]) -> None:
    unbound = sorted(set(figures) - set(BOUNDS))
    assert not unbound, f"{unbound}: run `python -m evals.baseline --raise`"
