"""Reading intents: accuracy, each intent, calibration, and when to ask back."""

from collections.abc import Callable, Mapping

import pytest

from evals.measured import Measured, Score
from evals.metrics import summarise
from evals.suites.bound import BOUNDS, check, names


@pytest.mark.parametrize("name", names("intents"))
def test_intents(name: str, figures: Mapping[str, Score]) -> None:
    check(name, figures)


def test_every_figure_has_a_bound(figures: Mapping[str, Score]) -> None:
    unbound = sorted(set(figures) - set(BOUNDS))
    assert not unbound, f"{unbound}: run `python -m evals.baseline --raise`"


def test_latency_is_reported(measured: Measured, record_property: Callable[..., None]) -> None:
    """A time that depends on the machine has no bound here; the benchmarks have."""
    for percent, ms in summarise(measured.outcomes).ms.items():
        record_property(f"reading a question, p{percent} ms", round(ms, 2))
        assert ms > 0
