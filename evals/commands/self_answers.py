"""What ``brain eval self`` does: ask questions made from the notes, show and keep how that went."""

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

from rich.table import Table

from evals.answers.ask import ask_one
from evals.answers.evidence import AnswerOutcome
from evals.answers.self_questions import in_turns, self_questions
from evals.commands.outputs import (
    at_least_one,
    notify,
    progress,
    require_outputs,
    write_line,
    written,
)
from evals.datasets.evidence import AnswerCase
from evals.reports.self_page import headline, rows, self_page
from evals.retrieval.search import read_notes
from graphs.app import open_brain
from graphs.checkpoints.factory import open_checkpoints
from graphs.cli.output.console import console, show_line
from graphs.cli.output.exit_codes import OK, STOPPED
from graphs.cli.output.progress_bars import shown_progress
from graphs.operations.self_check import SelfCheck, keep
from tools.base.errors import InputError
from tools.base.output_files import writing
from tools.settings.loading import load_settings
from tools.settings.settings import Settings
from tools.temporal.clock import local_now


def self_answers(
    *, vault: Path | None, data_dir: Path | None, out: Path | None, each: int, report: Path | None
) -> int:
    """Ask the vault what its own titles, headings, links, names, days and lists ask for.

    At most ``each`` questions of every kind. When it is stopped, what was asked so far is told.
    Raises InputError before anything is asked for input that cannot be used, and StorageError.
    """
    at_least_one(each, "question of each kind")
    settings = load_settings(vault=vault, data_dir=data_dir)
    require_outputs(settings.vault, settings.data_dir, out=out, report=report)
    notes = list(read_notes(settings))
    cases = in_turns(self_questions(notes, each=each))
    if not cases:
        raise InputError(
            "The vault has no note with a text to ask for: write some, or give another --vault DIR."
        )
    heard = _ask(cases, settings, out=out)
    found = heard.found
    run = SelfCheck(
        at=local_now(),
        made=len(cases),
        asked=len(found),
        first=sum(one.first for one in found),
        top3=sum(one.top for one in found),
        notes=len(notes),
        version=version("second-brain"),
    )
    if run.stopped:
        notify(f"stopped after {run.asked} of {run.made} questions.")
    page = self_page(run, found, notes, vault=settings.vault.name, lacking=heard.lacking)
    try:
        saved = _save(page, run, settings, report=report)
    finally:
        show_line(headline(run))
        console().print(_table(found))
    if saved is not None:
        show_line(f"The questions missed: {saved}")
    return STOPPED if run.stopped else OK


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """What questions came to so far, and what the index lacked for them, in words."""

    found: list[AnswerOutcome] = field(default_factory=list[AnswerOutcome])
    lacking: list[str] = field(default_factory=list[str])


def _ask(cases: Sequence[AnswerCase], settings: Settings, *, out: Path | None) -> _Heard:
    """What each question came to; where there are any, those before Ctrl-C."""
    heard = _Heard()
    with nullcontext(None) if out is None else written(out) as sink:
        try:
            asyncio.run(_ask_all(cases, settings, heard, sink))
        except KeyboardInterrupt:
            if not heard.found:
                raise
    return heard


async def _ask_all(
    cases: Sequence[AnswerCase], settings: Settings, heard: _Heard, sink: TextIO | None
) -> None:
    """Bring the index up to date, where it may be changed, and ask one question after another.

    Their threads are gone afterwards: they are nobody's conversations.
    """
    async with (
        open_checkpoints(None) as saver,
        open_brain(settings.vault, data_dir=settings.data_dir, mode="local", saver=saver) as brain,
    ):
        if not settings.read_only:
            with shown_progress() as show:
                done = await brain.index(on_progress=show)
            heard.lacking.extend(f"{one.source}: {one.error} {one.impact}" for one in done.warnings)
            for lack in heard.lacking:
                notify(lack)
        with progress("questions asked", len(cases)) as advance:
            for case in cases:
                one = await ask_one(brain, case)
                heard.found.append(one)
                if sink is not None:
                    write_line(sink, one.line())
                advance()


def _table(found: Sequence[AnswerOutcome]) -> Table:
    shown = Table(box=None)
    shown.add_column("", no_wrap=True)
    for name in ("asked", "first line", "first three"):
        shown.add_column(name, justify="right")
    for row in rows(found):
        shown.add_row(row.kind, *map(str, (row.asked, row.first, row.top3)))
    return shown


def _save(page: str, run: SelfCheck, settings: Settings, *, report: Path | None) -> Path | None:
    """Write the page where it is asked for and into the data directory; where to look at it."""
    if report is not None:
        with writing(report):
            report.write_text(page, "utf-8")
    if not settings.read_only:
        keep(settings, run, page)
        return report or settings.self_check_page
    if report is None:
        notify("the data directory is read-only, so no page is kept; --report FILE writes one.")
    return report
