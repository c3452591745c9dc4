"""The project's own test sets, measured: every figure that has a bound, by name.

Local reading only, at one fixed moment, so that a figure depends on nothing but the code.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from evals.bounds import Score
from evals.cases import Case, read_lines
from evals.claims import ClaimPair, PairOutcome, run_pairs
from evals.claims import summarise as summarise_claims
from evals.intents import build_interpreter, run_cases
from evals.metrics import GROUPINGS, Outcome, grouped, summarise
from evals.parameters import (
    Check,
    DateCase,
    ParameterCase,
    check_dates,
    check_parameters,
    shares,
)
from tools.settings import ModelSettings

DATA = Path(__file__).parent / "data"
QUESTIONS = (DATA / "intents/test/en.jsonl", DATA / "intents/test/tr.jsonl")
PARAMETERS = DATA / "parameters.jsonl"
CLAIMS = DATA / "claims.jsonl"
DATES = (DATA / "dates.jsonl", DATA / "dates_more.jsonl")
NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)
"""The moment at which the questions are asked: "last May" must mean the same on every day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How every case of the project's own test sets fared."""

    outcomes: Sequence[Outcome]
    parameters: Sequence[Check]
    dates: Sequence[Check]
    claims: Sequence[PairOutcome]


async def measure() -> Measured:
    """Read every question, parameter and date, judge every pair of claims.

    Raises InputError for a file that is damaged.
    """
    interpret = build_interpreter(ModelSettings(mode="local"))
    cases = [case for path in QUESTIONS for case in read_lines(path, Case)]
    parameters = read_lines(PARAMETERS, ParameterCase)
    return Measured(
        outcomes=await run_cases(cases, interpret, mode="local", now=NOW),
        parameters=await check_parameters(parameters, interpret, now=NOW),
        dates=await check_dates(
            (case for path in DATES for case in read_lines(path, DateCase)), interpret
        ),
        claims=await run_pairs(read_lines(CLAIMS, ClaimPair), model=None, mode="local"),
    )


def scores(measured: Measured) -> Mapping[str, Score]:
    """Every figure by its name, ``suite/language/measure``."""
    found = [
        *_intents(measured.outcomes),
        *_parameters(measured.parameters),
        *_dates(measured.dates),
        *_claims(measured.claims),
    ]
    return {score.name: score for score in found}


def _intents(outcomes: Sequence[Outcome]) -> Iterator[Score]:
    for language, group in grouped(outcomes, GROUPINGS["language"]).items():
        summary, name = summarise(group), f"intents/{language}"
        if summary.accuracy is not None:
            yield Score(name=f"{name}/accuracy", value=summary.accuracy.value)
        for intent, each in summary.per_intent.items():
            yield Score(name=f"{name}/{intent} F1", value=each.f1)
        if summary.calibration_error is not None:
            yield Score(
                name=f"{name}/calibration error",
                value=summary.calibration_error,
                lower_is_better=True,
            )
        if summary.asking is not None:
            yield Score(name=f"{name}/ambiguity F1", value=summary.asking.ambiguity.f1)
            if summary.asking.interrupted is not None:
                yield Score(
                    name=f"{name}/clear questions interrupted",
                    value=summary.asking.interrupted.value,
                    lower_is_better=True,
                )


def _parameters(checks: Sequence[Check]) -> Iterator[Score]:
    for (language, name), right in shares(checks).items():
        yield Score(name=f"parameters/{language}/{name}", value=right.value)


def _dates(checks: Sequence[Check]) -> Iterator[Score]:
    for (language, _), right in shares(replace(check, name="") for check in checks).items():
        yield Score(name=f"dates/{language}/exact", value=right.value)


def _claims(outcomes: Sequence[PairOutcome]) -> Iterator[Score]:
    summary = summarise_claims(outcomes)
    if summary.found is not None:
        yield Score(name="claims/all/precision", value=summary.found.precision)
        yield Score(name="claims/all/recall", value=summary.found.recall)
    if summary.alarms is not None:
        alarms = summary.alarms.value
        yield Score(name="claims/all/false alarms", value=alarms, lower_is_better=True)
