"""Whether two claims contradict each other by their words, how, and how sure that is."""

import json
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.entailment.contradiction import predict_pair

CASES = Path(__file__).parents[4] / "evals" / "data" / "claims.jsonl"


def cases() -> list[dict[str, str]]:
    rows = CASES.read_text("utf-8").splitlines()
    return [cast("dict[str, str]", json.loads(row)) for row in rows]


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (
            "Atomic notes improve long-term recall.",
            "Atomic notes do not improve long-term recall compared with ordinary notes.",
            "negation",
        ),
        (
            "Atomic notes significantly improve long-term recall",
            "Atomic notes do not improve recall compared to traditional notes",
            "negation",
        ),
        (
            "Basil should be kept at an EC of 1.2 mS/cm.",
            "Basil should be kept at an EC of 2.4 mS/cm.",
            "conflicting_values",
        ),
        (
            "Background music improves concentration during deep work.",
            "Background music worsens concentration during deep work.",
            "opposing_sentiment",
        ),
        ("Typing is faster than writing.", "Writing is faster than typing.", "semantic_conflict"),
        ("Kahve uykuyu bozar.", "Kahve uykuyu bozmaz.", "negation"),
    ],
)
def test_contradictions_are_found_with_their_type(a: str, b: str, kind: str) -> None:
    found = predict_pair(a, b)
    assert found.contradiction
    assert found.type == kind
    assert found.confidence > 0.7
    assert found.similarity > 0.7


@pytest.mark.parametrize(
    ("a", "b", "one", "other"),
    [
        (
            *("Basil needs an EC of 1.2 mS/cm.", "Basil needs an EC of 2.4 mS/cm."),
            *("1.2 mS/cm", "2.4 mS/cm"),
        ),
        (
            *("The seed tray holds 24 cells.", "The seed tray holds 36 cells."),
            *("24 cells", "36 cells"),
        ),
        ("Music improves focus.", "Music worsens focus.", "“improves”", "“worsens”"),
        (
            *("Basil survives frost.", "Basil doesn't survive frost."),
            *("“survives”", "“doesn't survive”"),
        ),
    ],
)
def test_the_explanation_names_what_differs(a: str, b: str, one: str, other: str) -> None:
    explanation = predict_pair(a, b).explanation
    assert explanation.index(one) < explanation.index(other)


def test_our_cases_are_judged_precisely_and_mostly_found() -> None:
    rows = cases()
    alarms = [row for row in rows if predict_pair(row["a"], row["b"]).contradiction]
    right = sum(row["label"] == "contradiction" for row in alarms)
    wanted = sum(row["label"] == "contradiction" for row in rows)
    assert len(rows) >= 120
    assert right / len(alarms) >= 0.97
    assert right / wanted >= 0.93


def test_confidence_means_how_often_it_is_right() -> None:
    rows = cases()
    confidence = np.array([predict_pair(row["a"], row["b"]).confidence for row in rows])
    truth = np.array([row["label"] == "contradiction" for row in rows], np.float64)
    assert np.mean((confidence - truth) ** 2) < 0.04
    for low, high in ((0.0, 0.3), (0.7, 1.01)):
        inside = (confidence >= low) & (confidence < high)
        assert abs(confidence[inside].mean() - truth[inside].mean()) < 0.1


@given(st.sampled_from([(row["a"], row["b"]) for row in cases()]))
def test_a_verdict_does_not_depend_on_the_order(pair: tuple[str, str]) -> None:
    there, back = predict_pair(*pair), predict_pair(*reversed(pair))
    assert there.contradiction == back.contradiction
    assert there.confidence == pytest.approx(back.confidence)


@given(st.sampled_from([row["a"] for row in cases()]))
def test_no_claim_contradicts_itself(text: str) -> None:
    assert not predict_pair(text, text).contradiction


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_gets_a_verdict(a: str, b: str) -> None:
    found = predict_pair(a, b)
    assert 0.0 <= found.confidence <= 1.0
    assert 0.0 <= found.similarity <= 1.0


def test_a_state_at_two_dates_changed_but_an_event_has_one_date() -> None:
    assert not predict_pair(
        "Rent was 900 euros in 2018.", "Rent was 950 euros in 2023."
    ).contradiction
    assert predict_pair("The mill was built in 1875.", "The mill was built in 1902.").contradiction
