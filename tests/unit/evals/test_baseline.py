"""Bounds: what holds, and that they only ever get stricter."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.benchmark import baseline
from evals.metrics.bounds import MARGIN, Score, compared, is_within_bound, raised, read_bounds
from tools.base.errors import InputError

_share = st.floats(0, 1)
_scores = st.builds(
    Score, name=st.just("intents/en/x"), value=_share, lower_is_better=st.booleans()
)


def test_a_score_may_equal_its_bound() -> None:
    assert is_within_bound(Score(name="accuracy", value=0.7), 0.7)
    assert not is_within_bound(Score(name="accuracy", value=0.6999), 0.7)
    assert is_within_bound(Score(name="error", value=0.1, lower_is_better=True), 0.1)
    assert not is_within_bound(Score(name="error", value=0.11, lower_is_better=True), 0.1)


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
    if bound is None or is_within_bound(score, bound):
        assert is_within_bound(score, new)
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


def figures() -> dict[str, Score]:
    return {"dates/en/exact": Score(name="dates/en/exact", value=0.9)}


def test_only_raise_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "baseline.json"
    file.write_text('{"dates/en/exact": 0.5, "gone": 0.4}', "utf-8")
    assert baseline.main([], file=file, figures=figures) == 0
    assert read_bounds(file) == {"dates/en/exact": 0.5, "gone": 0.4}
    assert "gone" in capsys.readouterr().out
    assert baseline.main(["--raise"], file=file, figures=figures) == 0
    assert read_bounds(file) == {"dates/en/exact": pytest.approx(0.9 - MARGIN), "gone": 0.4}
    assert re.search(r"^1\b.*\b2\b", capsys.readouterr().out, re.MULTILINE)  # raised, of all


def test_a_damaged_test_set_is_one_line_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def damaged() -> dict[str, Score]:
        raise InputError("dates.jsonl, line 3: this is no JSON.")

    file = tmp_path / "baseline.json"
    file.write_text("{}", "utf-8")
    assert baseline.main(["--raise"], file=file, figures=damaged) == 2
    assert capsys.readouterr().err == "baseline: dates.jsonl, line 3: this is no JSON.\n"
    assert read_bounds(file) == {}
