"""What ``brain index --extract`` does: say what it takes, ask, start, and tell how far it is."""

import asyncio
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

import typer
from pydantic import BaseModel

from agents.llm.language_model import probe
from graphs.cli.output import console
from graphs.cli.output.exit_codes import ASKED_BACK, INCOMPLETE, OK
from graphs.extraction.chunking import PART_CHARS, read_parts
from graphs.extraction.estimate import Measure, Preview, preview
from graphs.extraction.messages import in_words, job_in_words
from graphs.extraction.plan import Plan, chosen_folders, make_plan
from graphs.jobs.extraction import (
    extract_folders,
    inferred_store,
    opened,
    patient_model,
    start_in_background,
    taken_over,
)
from graphs.stores.extraction_progress import extraction_progress, is_extracting
from graphs.stores.ownership import claim
from tools.base.errors import InputError, ModelUnavailableError
from tools.graph.extraction.job import ExtractionJob
from tools.settings.settings import Settings
from tools.text.voice import counted
from tools.vault.catalog.catalog import Catalog

_MEASURED_CHARS = 2 * PART_CHARS
"""About as long as Graphiti's prompt and a part together."""


class _Names(BaseModel):
    names: list[str]


async def extract_command(
    settings: Settings, folders: Sequence[str], *, yes: bool, wait: bool, as_json: bool
) -> int:
    """Show what reading these folders would take, ask unless ``yes``, and start; 0, 1 or 3.

    Without folders the last run's are taken. With ``wait`` the run is this process's, what was read
    is in the graph when it ends, and 1 says that either was not done whole. Raises InputError,
    ModelUnavailableError and StorageError.
    """
    await asyncio.to_thread(claim, settings)
    if is_extracting(settings):
        return _show_running(settings, as_json=as_json)
    chosen = _chosen(settings, folders)
    foreseen = await _foresee(settings, chosen)
    if not foreseen.parts:
        _show_preview(foreseen, as_json=as_json)
        return OK
    if not (yes and as_json):
        _show_preview(foreseen, as_json=as_json)
    if not yes and (as_json or not _agreed()):
        return ASKED_BACK
    if wait:
        with _progress(foreseen) as show:
            job = await extract_folders(settings, chosen, on_progress=show)
        taken = await taken_over(settings, job)
        _show_job(taken, under_way=False, as_json=as_json)
        whole = job.state == "finished" and not job.notes_failed and taken == job
        return OK if whole else INCOMPLETE
    await start_in_background(settings, chosen, notes=foreseen.notes, parts=foreseen.parts)
    if as_json:
        console.show_json(foreseen)
    else:
        console.show_line("Started. `brain status` tells how far it is, `brain stop` ends it.")
    return OK


def _chosen(settings: Settings, folders: Sequence[str]) -> tuple[str, ...]:
    if folders:
        return chosen_folders(settings, folders)
    last = extraction_progress(settings)
    if last is None:
        raise InputError("Say what to read: `brain index --extract FOLDER`, or `.` for the vault.")
    return chosen_folders(settings, [folder or "." for folder in last[0].folders])


async def _foresee(settings: Settings, folders: tuple[str, ...]) -> Preview:
    model = await probe(settings.ollama_url, settings.chat_model, max_age=0)
    store = inferred_store(settings)
    with opened(settings) as catalog:
        plan = await asyncio.to_thread(make_plan, settings, catalog, store, folders)
        if plan.pending and not model.has_model:
            raise ModelUnavailableError(
                f"{model.reason} Nothing was started; all else works without."
            )
        text = await asyncio.to_thread(_first_text, catalog, plan)
    return await preview(
        plan,
        model=settings.chat_model,
        store=store,
        first_text=text,
        measure=_measure(settings),
    )


def _first_text(catalog: Catalog, plan: Plan) -> str:
    if not plan.pending:
        return ""
    path = plan.pending[0].version.path
    episodes = read_parts(catalog.records([path])[path], catalog.passages_of([path]).get(path, ()))
    return episodes[0].text if episodes else ""


def _measure(settings: Settings) -> Measure:
    """One question as long as those of a run, about a note's own text."""

    async def measure(text: str) -> float | None:
        long = (text * (_MEASURED_CHARS // max(len(text), 1) + 1))[:_MEASURED_CHARS]
        started = time.monotonic()
        try:
            await patient_model(settings)(f"List the names in this text.\n\n{long}", _Names)
        except ModelUnavailableError:  # the run will say so where it matters
            return None
        return time.monotonic() - started

    return measure


def _agreed() -> bool:
    if not sys.stdin.isatty():
        console.show_line("Nothing was started: add --yes to start.")
        return False
    return typer.confirm("Start?", default=False)


# --- what the user sees --------------------------------------------------------------------


def _show_preview(foreseen: Preview, *, as_json: bool) -> None:
    if as_json:
        console.show_json(foreseen)
        return
    where = ", ".join(folder or "the whole vault" for folder in foreseen.folders)
    console.show_pairs(
        {
            "Folders": where,
            "To read": f"{counted(foreseen.notes, 'note')} in {counted(foreseen.parts, 'part')} "
            f"({foreseen.read} are read, {foreseen.given_up} were given up)",
            "Model": f"{foreseen.model}, here: about {counted(foreseen.calls, 'question')}, "
            f"{foreseen.tokens / 1000:.0f} thousand tokens to read; no money",
            "Time": _foreseen_time(foreseen),
        }
    )
    if foreseen.unindexed:
        console.show_line(
            f"{counted(foreseen.unindexed, 'note is', 'notes are')} not in the index as on disk: "
            "run `brain index`."
        )
    if not foreseen.parts:
        console.show_line("There is nothing to read.")


def _foreseen_time(foreseen: Preview) -> str:
    if foreseen.seconds is None:
        return "unknown until the first note is done" if foreseen.parts else "none"
    return f"about {in_words(foreseen.seconds)}, judged by {foreseen.measured_on}"


def _show_running(settings: Settings, *, as_json: bool) -> int:
    last = extraction_progress(settings)
    if last is not None:
        _show_job(last[0], under_way=True, as_json=as_json)
    elif as_json:
        console.show_json({"state": "running"})
    else:
        console.show_line("Reading has just been started.")
    return OK


def _show_job(job: ExtractionJob, *, under_way: bool, as_json: bool) -> None:
    if as_json:
        console.show_json(job)
    else:
        console.show_line(f"Reading notes: {job_in_words(job, under_way=under_way)}")


@contextmanager
def _progress(foreseen: Preview) -> Generator[Callable[[ExtractionJob], None]]:
    """Show a bar of parts on a terminal, nothing in a pipe."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    out = Console(stderr=True)
    columns = (
        TextColumn("parts read"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=out, disable=not out.is_terminal) as bars:
        task = bars.add_task("", total=foreseen.parts)

        def show(job: ExtractionJob) -> None:
            left = "" if job.seconds_left is None else f"{in_words(job.seconds_left)} left"
            bars.update(task, completed=job.parts_done, description=left)

        yield show
