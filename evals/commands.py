"""What ``brain eval …`` does: JSON lines in, JSON lines out, figures to the screen."""

import asyncio
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import combinations
from pathlib import Path
from typing import TextIO

from agents.model_reading import Observation
from agents.models import ollama_model
from agents.planning import without_command
from evals.cases import Case, read_lines
from evals.claims import ClaimPair, PairOutcome, run_pairs
from evals.intents import build_interpreter, run_cases
from evals.metrics import Outcome
from evals.observations import ObservedCase, observed
from evals.report import Findings, require_report, write_report
from evals.tables import claim_tables, intent_tables
from graphs.exits import OK
from graphs.terminal import console, show_line
from tools import guards
from tools.clock import local_now
from tools.domain import Mode
from tools.errors import InputError
from tools.outputs import require_output, writing
from tools.settings import load_folders, load_model_settings


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
    _at_least_one(limit, "question")
    outputs = {"--out": out, "--report": report, "--observations": observations}
    given = {option: path for option, path in outputs.items() if path is not None}
    kept_folders = load_folders()
    for option, path in given.items():
        require_output(path, option=option, kept=kept_folders)
    cases = read_lines(file, Case)[:limit]
    _apart(file, given)
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
        _written(out) as sink,
        _written(observations) if observations else nullcontext() as kept,
        _progress("questions read", len(cases)) as advance,
    ):

        def write(outcome: Outcome) -> None:
            _line(sink, outcome.prediction.line())
            if kept is not None and (line := _observed(outcome, said)) is not None:
                _line(kept, line.model_dump_json())
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
        with writing(report):
            write_report(report, findings, now=now)
        show_line(f"Report: {report}")
    return OK


def claims(
    file: Path, *, out: Path, mode: Mode | None, model: str | None, limit: int | None
) -> int:
    """Judge every pair of claims of ``file``, as ``intents`` reads questions.

    Raises InputError before anything is written for input that cannot be used.
    """
    _at_least_one(limit, "pair")
    require_output(out, option="--out", kept=load_folders())
    pairs = read_lines(file, ClaimPair)[:limit]
    _apart(file, {"--out": out})
    settings = load_model_settings(mode=mode, chat_model=model)
    asked = ollama_model(
        url=settings.ollama_url, name=settings.chat_model, timeout=settings.model_timeout
    )
    with _written(out) as sink, _progress("pairs judged", len(pairs)) as advance:

        def write(outcome: PairOutcome) -> None:
            _line(sink, outcome.line())
            advance()

        outcomes = asyncio.run(run_pairs(pairs, model=asked, mode=settings.mode, on_outcome=write))
    silent = sum(outcome.decided_by == "fallback" for outcome in outcomes)
    if settings.mode == "llm" and silent:
        _say(f"no model answered {silent} of {len(outcomes)} pairs: those are judged by words.")
    for table in claim_tables(file.name, outcomes):
        console().print(table, "")
    return OK


def _at_least_one(limit: int | None, what: str) -> None:
    if limit is not None and limit < 1:
        raise InputError(f"The limit {limit} is too small: read at least 1 {what}.")


def _say_unanswered(outcomes: Sequence[Outcome], *, observations: Path | None) -> None:
    """Warn of questions that a model was to read and did not."""
    silent = sum(outcome.prediction.decided_by == "fallback" for outcome in outcomes)
    if not silent:
        return
    said = f"no model answered {silent} of {len(outcomes)} questions: those are read locally."
    if observations is not None and observations.stat().st_size == 0:
        said += f" {observations.name!r} is empty: nothing was observed."
    _say(said)


def _say(text: str) -> None:
    sys.stderr.write(f"brain: {guards.terminal_text(text)}\n")


def _labelled(cases: Sequence[Case], option: str) -> None:
    """Raise InputError where the option has no label to go by."""
    if all(case.intent is None for case in cases):
        raise InputError(f"{option} needs labels, and no question has an `intent`: label some.")


def _apart(file: Path, outputs: Mapping[str, Path]) -> None:
    """Raise InputError where one file would be written over another."""
    for option, path in outputs.items():
        if path.exists() and path.samefile(file):
            raise InputError(f"{option} names the input file itself: give another name.")
    for (one, first), (other, second) in combinations(outputs.items(), 2):
        if first.resolve() == second.resolve():
            raise InputError(f"{one} and {other} name the same file: give two names.")


def _observed(outcome: Outcome, said: Mapping[str, Observation]) -> ObservedCase | None:
    """What the model said of a labelled question; None where it gave no verdict on it.

    Equal questions may each have a label: what was last said of one holds for all.
    """
    case, prediction = outcome.case, outcome.prediction
    if case.intent is None or prediction.decided_by not in ("llm", "local"):
        return None
    observation = said.get(without_command(guards.question(case.query)))
    return None if observation is None else observed(case, observation)


def _line(sink: TextIO, text: str) -> None:
    """Written at once, so that a run that is stopped leaves whole lines."""
    sink.write(f"{text}\n")
    sink.flush()


@contextmanager
def _written(path: Path) -> Generator[TextIO]:
    with writing(path):
        sink = path.open("w", encoding="utf-8")
    with sink:
        yield sink


@contextmanager
def _progress(what: str, total: int) -> Generator[Callable[[], None]]:
    """Show a bar on a terminal, nothing in a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    out = Console(stderr=True)
    with Progress(console=out, disable=not out.is_terminal, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
