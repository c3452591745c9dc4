"""Bounds: what holds, and that they only ever get stricter."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals import baseline
from evals.baseline import MARGIN, compared, holds, raised, read_bounds
from evals.measured import Score

_share = st.floats(0, 1)
_scores = st.builds(
    Score, name=st.just("intents/en/x"), value=_share, lower_is_better=st.booleans()
)


def test_a_score_may_equal_its_bound() -> None:
    assert holds(Score(name="accuracy", value=0.7), 0.7)
    assert not holds(Score(name="accuracy", value=0.6999), 0.7)
    assert holds(Score(name="error", value=0.1, lower_is_better=True), 0.1)
    assert not holds(Score(name="error", value=0.11, lower_is_better=True), 0.1)


def test_bounds_follow_what_is_measured_less_a_margin_and_never_loosen() -> None:
    measured = {
        "better": Score(name="better", value=0.9),
        "worse": Score(name="worse", value=0.5),
        "new": Score(name="new", value=0.4),
        "error": Score(name="error", value=0.05, lower_is_better=True),
        "larger error": Score(name="larger error", value=0.3, lower_is_better=True),
    }
    bounds = {"better": 0.7, "worse": 0.6, "error": 0.2, "larger error": 0.2, "gone": 0.3}
    assert raised(bounds, measured) == {
        "better": pytest.approx(0.9 - MARGIN),
        "worse": 0.6,
        "new": pytest.approx(0.4 - MARGIN),
        "error": pytest.approx(0.05 + MARGIN),
        "larger error": 0.2,
        "gone": 0.3,
    }


@given(_scores, st.none() | _share)
def test_a_raised_bound_is_held_where_the_old_one_was(score: Score, bound: float | None) -> None:
    old = {} if bound is None else {score.name: bound}
    new = raised(old, {score.name: score})[score.name]
    if bound is None or holds(score, bound):
        assert holds(score, new)
    if bound is not None:
        assert new <= bound if score.lower_is_better else new >= bound
    assert raised({score.name: new}, {score.name: score}) == {score.name: new}


def test_what_is_missed_unbound_or_gone_is_named() -> None:
    rows = compared(
        {"a": 0.9, "gone": 0.5},
        {"a": Score(name="a", value=0.8), "b": Score(name="b", value=0.1, lower_is_better=True)},
    )
    assert [(row.name, row.bound, row.verdict) for row in rows] == [
        ("a", "≥ 0.900", "MISSED"),
        ("b", "", "no bound yet"),
        ("gone", "≥ 0.500", "not measured"),
    ]


def test_only_raise_writes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    file.write_text('{"dates/en/exact": 0.5}', "utf-8")
    monkeypatch.setattr(baseline, "BASELINE", file)
    monkeypatch.setattr("sys.argv", ["baseline"])
    baseline.main()
    assert json.loads(file.read_text("utf-8")) == {"dates/en/exact": 0.5}
    monkeypatch.setattr("sys.argv", ["baseline", "--raise"])
    baseline.main()
    bounds = read_bounds()
    assert bounds["dates/en/exact"] > 0.5
    assert {"intents/en/accuracy", "intents/tr/calibration error"} <= set(bounds)
