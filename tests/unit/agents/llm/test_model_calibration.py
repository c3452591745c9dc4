"""The pool of a model's stated confidence and the wording: what it must always be, and its fit."""

import errno
import json
import math
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.interpreter.classifiers.intents import SURE
from agents.llm.calibration import DEFAULT, PARAMETERS, Parameters, calibrated, parameters
from evals.fitting.model_calibration import fit, main, pooled, quality, sample
from evals.llm.observations import ObservedCase
from tools.base.domain import INTENTS, Intent

INTENT = st.sampled_from(INTENTS)
SHARE = st.floats(0, 1)


@st.composite
def distributions(draw: st.DrawFn) -> dict[Intent, float]:
    parts = [draw(st.floats(0.001, 1)) for _ in INTENTS]
    return {intent: part / sum(parts) for intent, part in zip(INTENTS, parts, strict=True)}


WEIGHTS = st.builds(
    Parameters,
    fitted_on=st.just("a test"),
    local=st.floats(0, 3),
    model=st.floats(0, 3),
    bias=st.floats(-3, 3),
)
SHIPPED = parameters(DEFAULT)


def towards(sure: Intent, probability: float) -> dict[Intent, float]:
    return {i: probability if i == sure else (1 - probability) / 4 for i in INTENTS}


# --- what always holds ---------------------------------------------------------------------


@given(INTENT, SHARE, st.none() | INTENT, distributions(), WEIGHTS)
def test_it_is_a_distribution(
    intent: Intent,
    confidence: float,
    second: Intent | None,
    local: dict[Intent, float],
    weights: Parameters,
) -> None:
    chances = calibrated(intent, confidence=confidence, second=second, local=local, weights=weights)
    assert tuple(chances) == INTENTS
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert math.fsum(chances.values()) == pytest.approx(1.0)


@given(INTENT, st.tuples(SHARE, SHARE), st.none() | INTENT, distributions(), WEIGHTS)
def test_a_surer_model_never_makes_its_intent_less_likely(
    intent: Intent,
    stated: tuple[float, float],
    second: Intent | None,
    local: dict[Intent, float],
    weights: Parameters,
) -> None:
    low, high = (
        calibrated(intent, confidence=each, second=second, local=local, weights=weights)[intent]
        for each in sorted(stated)
    )
    assert low <= high + 1e-12


@given(INTENT, SHARE, st.none() | INTENT, st.tuples(SHARE, SHARE), WEIGHTS)
def test_a_surer_wording_never_makes_its_intent_less_likely(
    intent: Intent,
    confidence: float,
    second: Intent | None,
    held: tuple[float, float],
    weights: Parameters,
) -> None:
    low, high = (
        calibrated(
            intent,
            confidence=confidence,
            second=second,
            local=towards(intent, each),
            weights=weights,
        )[intent]
        for each in sorted(held)
    )
    assert low <= high + 1e-12


@given(INTENT, SHARE, INTENT, distributions(), WEIGHTS)
def test_naming_a_second_reading_never_makes_it_less_likely(
    intent: Intent,
    confidence: float,
    second: Intent,
    local: dict[Intent, float],
    weights: Parameters,
) -> None:
    without = calibrated(intent, confidence=confidence, second=None, local=local, weights=weights)
    named = calibrated(intent, confidence=confidence, second=second, local=local, weights=weights)
    assert named[second] >= without[second] - 1e-12


@pytest.mark.parametrize("confidence", [0.0, 1.0])
def test_no_certainty_is_endless(confidence: float) -> None:
    local = towards("factual", 1.0)
    chances = calibrated("causal", confidence=confidence, second=None, local=local, weights=SHIPPED)
    assert all(0 < chance < 1 for chance in chances.values())


# --- what ships ----------------------------------------------------------------------------


def test_the_shipped_default_claims_no_measurement() -> None:
    assert not re.search(r"\d+ questions", SHIPPED.fitted_on)
    assert parameters("a model nobody fitted:7b") == SHIPPED


@given(INTENT, st.floats(0.03, 0.97))
def test_by_default_two_that_say_the_same_leave_it_the_same(
    intent: Intent, confidence: float
) -> None:
    local = towards(intent, confidence)
    chances = calibrated(intent, confidence=confidence, second=None, local=local, weights=SHIPPED)
    assert chances == pytest.approx(local)


@given(INTENT, INTENT, st.floats(SURE, 1), SHARE, st.none() | INTENT)
def test_by_default_no_model_alone_overturns_a_sure_wording(
    intent: Intent, sure: Intent, probability: float, confidence: float, second: Intent | None
) -> None:
    local = towards(sure, probability)
    chances = calibrated(intent, confidence=confidence, second=second, local=local, weights=SHIPPED)
    assert all(chances[each] < SURE for each in INTENTS if each != sure)


@pytest.mark.parametrize("chosen", ["exploratory", "factual"])
def test_by_default_a_sure_model_settles_which_likely_reading_is_meant(chosen: Intent) -> None:
    local: dict[Intent, float] = {
        "factual": 0.4,
        "temporal": 0.05,
        "causal": 0.05,
        "comparative": 0.05,
        "exploratory": 0.45,
    }
    settled = calibrated(chosen, confidence=0.9, second=None, local=local, weights=SHIPPED)
    assert settled[chosen] >= SURE
    unsure = calibrated(
        "exploratory", confidence=0.6, second="factual", local=local, weights=SHIPPED
    )
    assert max(unsure.values()) < SURE


# --- the fit -------------------------------------------------------------------------------


def drawn(
    count: int, *, accuracy: float, stated: float, also_local: bool = True
) -> list[ObservedCase]:
    """Questions read by a model that errs at random, and by a wording that is right as it says."""
    rng = np.random.default_rng(7)
    records: list[ObservedCase] = []
    for number in range(count):
        truth = INTENTS[int(rng.integers(5))]
        said = truth if rng.random() < accuracy else INTENTS[int(rng.integers(5))]
        wording = truth if rng.random() < 0.5 else INTENTS[int(rng.integers(5))]
        record = ObservedCase(
            query=f"question {number}",
            intent=truth,
            model="tiny",
            model_intent=said,
            model_confidence=stated,
            local_probabilities=towards(wording, 0.6)
            if also_local
            else dict.fromkeys(INTENTS, 0.2),
        )
        records.append(record)
    return records


def fitted(records: list[ObservedCase]) -> Parameters:
    local, model, bias = (float(weight) for weight in fit(sample(records)))
    return Parameters(fitted_on="a test", local=local, model=model, bias=bias)


@pytest.mark.parametrize("accuracy", [0.5, 0.75, 0.9])
def test_the_fit_finds_how_often_a_boastful_model_is_right(accuracy: float) -> None:
    records = drawn(2000, accuracy=accuracy, stated=0.95, also_local=False)
    right = sum(r.model_intent == r.intent for r in records) / len(records)
    chances = calibrated(
        "causal",
        confidence=0.95,
        second=None,
        local=dict.fromkeys(INTENTS, 0.2),
        weights=fitted(records),
    )
    assert chances["causal"] == pytest.approx(right, abs=0.01)


def test_the_fit_is_calibrated_where_both_speak() -> None:
    records = drawn(4000, accuracy=0.7, stated=0.9)
    weights = fitted(records)
    for agree in (True, False):
        group = [r for r in records if (r.local_probabilities[r.model_intent] > 0.5) == agree]
        right = sum(r.model_intent == r.intent for r in group) / len(group)
        claimed = [
            calibrated(
                r.model_intent,
                confidence=r.model_confidence,
                second=None,
                local=r.local_probabilities,
                weights=weights,
            )[r.model_intent]
            for r in group
        ]
        assert sum(claimed) / len(claimed) == pytest.approx(right, abs=0.03)


def test_a_model_that_is_always_wrong_gets_no_weight_below_zero() -> None:
    records = [
        record.model_copy(update={"model_intent": INTENTS[INTENTS.index(record.intent) - 1]})
        for record in drawn(300, accuracy=1.0, stated=0.9)
    ]
    weights = fitted(records)
    assert weights.model >= 0
    assert weights.local >= 0


def test_the_fit_and_the_program_pool_alike() -> None:
    records = drawn(20, accuracy=0.7, stated=0.8)
    given_all = sample(records)
    rows = pooled(given_all, np.array([SHIPPED.local, SHIPPED.model, SHIPPED.bias]))
    for record, row in zip(records, rows, strict=True):
        alone = calibrated(
            record.model_intent,
            confidence=record.model_confidence,
            second=record.model_second,
            local=record.local_probabilities,
            weights=SHIPPED,
        )
        assert list(row) == pytest.approx([alone[intent] for intent in INTENTS])


def test_an_ambiguous_question_counts_for_each_of_its_readings() -> None:
    record = drawn(1, accuracy=1.0, stated=0.9)[0].model_copy(
        update={"intent": "factual", "also": ("causal",)}
    )
    assert list(sample([record]).truth[0]) == [0.5, 0.0, 0.5, 0.0, 0.0]


def written(folder: Path, lines: list[str]) -> Path:
    file = folder / "seen.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    return file


def test_the_command_writes_the_models_entry_and_keeps_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = written(tmp_path, [r.model_dump_json() for r in drawn(200, accuracy=0.7, stated=0.95)])
    into = tmp_path / "parameters.json"
    into.write_text(PARAMETERS.read_text("utf-8"), "utf-8")
    assert main([str(seen), "--model", "tiny:latest", "--check"], into=into) == 0
    assert into.read_text("utf-8") == PARAMETERS.read_text("utf-8")
    assert main([str(seen), "--model", "tiny:latest"], into=into) == 0
    models = json.loads(into.read_text("utf-8"))["models"]
    assert models[DEFAULT] == SHIPPED.model_dump()
    assert re.search(r"\b200\b.*\bseen\b", Parameters.model_validate(models["tiny"]).fitted_on)
    assert "accuracy" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "model", "told"),
    [
        ([], "tiny", "seen.jsonl"),
        (["{"], "tiny", "line 1"),
        (['{"query": "x", "intent": "poetic"}'], "tiny", "line 1.*'poetic'"),
        (['{"query": "x"}'], "tiny", "line 1.*'intent'"),
        ([drawn(1, accuracy=1, stated=1)[0].model_dump_json()], "tiny", r"\b50\b"),
        ([drawn(1, accuracy=1, stated=1)[0].model_dump_json()], "large", r"\btiny\b"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_in_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    lines: list[str],
    model: str,
    told: str,
) -> None:
    assert main([str(written(tmp_path, lines)), "--model", model], into=tmp_path / "none") == 2
    said = capsys.readouterr()
    assert re.search(told, said.err)
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_parameters_that_cannot_be_written_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    seen = written(tmp_path, [r.model_dump_json() for r in drawn(50, accuracy=0.7, stated=0.95)])
    monkeypatch.setattr(Path, "write_text", full)
    assert main([str(seen), "--model", "tiny"]) == 2
    assert "'model_calibration.json'" in capsys.readouterr().err


def test_ambiguous_questions_have_no_calibration_error() -> None:
    clear = drawn(20, accuracy=0.7, stated=0.8)
    vague = [
        each.model_copy(update={"also": (INTENTS[INTENTS.index(each.intent) - 1],)})
        for each in clear
    ]
    rows = np.full((20, len(INTENTS)), 0.2)
    assert "calibration error" in quality(clear, rows)
    assert "calibration error" not in quality(vague, rows)
