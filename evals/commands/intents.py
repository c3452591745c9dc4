"""What ``brain eval intents`` does: questions in, how each was read and figures out."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

from agents.interpreter.llm import Observation
from agents.interpreter.plan import without_command
from evals.commands.outputs import (
    apart,
    at_least_one,
    notify,
    progress,
    require_outputs,
    write_line,
    written,
)
from evals.datasets.intents import Case
from evals.datasets.records import read_lines
from evals.interpretation.intents import build_interpreter, run_cases
from evals.llm.observations import ObservedCase, observed
from evals.metrics.classification import Outcome
from evals.reports.page import Findings, require_report, save_report
from evals.reports.tables import intent_tables
from graphs.cli.output.console import console
from graphs.cli.output.exit_codes import OK
from tools.base import guards
from tools.base.domain import Mode
from tools.base.errors import InputError
from tools.settings.loading import load_model_settings
from tools.temporal.clock import local_now


def intents(
    file: Path,
    *,
    out: Path,
    mode: Mode | None,
    model: str | None,
    limit: int | None,
    report: Path | None,
    observations: Path | None,
) -> int:
    """Read every question of ``file`` and write how to ``out``, one line each, in the same order.

    ``observations`` gets an ``ObservedCase`` for each labelled question a model gave a verdict on.
    Raises InputError before anything is written for input that cannot be used. Each line is
    written as soon as it is known, so what is there when the run is stopped is whole.
    """
    at_least_one(limit, "question")
    outputs = require_outputs(out=out, report=report, observations=observations)
    cases = read_lines(file, Case)[:limit]
    apart(file, outputs)
    settings = load_model_settings(mode=mode, chat_model=model)
    if report is not None:
        require_report()
        _labelled(cases, "--report")
    if observations is not None:
        _labelled(cases, "--observations")
        if settings.mode == "local":
            raise InputError(
                "--observations keeps what a model says, and mode local asks none: add --mode llm."
            )
    now = local_now()
    said: dict[str, Observation] = {}

    def hear(observation: Observation) -> None:
        said[observation.query] = observation

    with (
        written(out) as sink,
        written(observations) if observations else nullcontext() as kept,
        progress("questions read", len(cases)) as advance,
    ):

        def write(outcome: Outcome) -> None:
            write_line(sink, outcome.prediction.line())
            if kept is not None and (line := _observed(outcome, said)) is not None:
                write_line(kept, line.model_dump_json())
            advance()

        outcomes = asyncio.run(
            run_cases(
                cases,
                build_interpreter(settings, observe=hear),
                mode=settings.mode,
                now=now,
                on_outcome=write,
            )
        )
    if settings.mode == "llm" or observations is not None:
        _say_unanswered(outcomes, observations=observations)
    for table in intent_tables(file.name, outcomes):
        console().print(table, "")
    if report is not None:
        findings = Findings(title="How questions were read", sets={file.name: outcomes})
        save_report(report, findings)
    return OK


def _say_unanswered(outcomes: Sequence[Outcome], *, observations: Path | None) -> None:
    """Warn of questions that a model was to read and did not."""
    silent = sum(outcome.prediction.decided_by == "fallback" for outcome in outcomes)
    if not silent:
        return
    said = f"no model answered {silent} of {len(outcomes)} questions: those are read locally."
    if observations is not None and observations.stat().st_size == 0:
        said += f" {observations.name!r} is empty: nothing was observed."
    notify(said)


def _labelled(cases: Sequence[Case], option: str) -> None:
    """Raise InputError where the option has no label to go by."""
    if all(case.intent is None for case in cases):
        raise InputError(f"{option} needs labels, and no question has an `intent`: label some.")


def _observed(outcome: Outcome, said: Mapping[str, Observation]) -> ObservedCase | None:
    """What the model said of a labelled question; None where it gave no verdict on it.

    Equal questions may each have a label: what was last said of one holds for all.
    """
    case, prediction = outcome.case, outcome.prediction
    if case.intent is None or prediction.decided_by not in ("llm", "local"):
        return None
    observation = said.get(without_command(guards.question(case.query)))
    return None if observation is None else observed(case, observation)
