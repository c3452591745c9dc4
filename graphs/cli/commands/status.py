"""``brain status``: what it shows, at a glance or as JSON. LangGraph is not imported for it."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.extraction.messages import job_in_words
from graphs.operations.status import ServiceStatus, Status, whole_status
from graphs.stores.extraction_progress import extraction_progress
from graphs.stores.ownership import READ_ONLY, claim
from tools.base.errors import InputError, StorageError, StoreVersionError
from tools.settings.loading import load_settings
from tools.settings.settings import Settings
from tools.text.voice import counted
from tools.vault.catalog.catalog import Catalog
from tools.vault.history.history import History

_NAMES = {"semantic": "Semantic server", "graph": "Graph server", "serve": "brain serve"}
_CUT = "the last one was interrupted: `brain index` completes it"
_KINDS = 3
"""Kinds of problem that are shown; `brain doctor` lists all."""


async def status(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Show counts, freshness, sizes, processes and slow questions."""
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir)
    if not await asyncio.to_thread(settings.index_path.exists):
        raise InputError("This vault is not indexed yet: run `brain index`.")
    await asyncio.to_thread(claim, settings)
    catalog = Catalog(settings.index_path)
    history = History(settings.history_path, folders=settings.folders)
    try:
        found = await whole_status(settings, catalog, history)
    finally:
        catalog.close()
        history.close()
    if as_json:
        console.show_json(found)
    else:
        console.show_pairs(
            {**_lines(found, now=datetime.now(UTC)), **_reading(settings), **_looking(found)}
        )
    return OK


def _lines(found: Status, *, now: datetime) -> dict[str, str]:
    relations = "" if found.relations is None else f", {counted(found.relations, 'relation')}"
    encoder = found.program["encoder"]
    by = f" of {encoder}" if found.vectors and encoder else ""
    lines = {
        "Vault": f"{found.vault}, {counted(found.notes_on_disk, 'note')}",
        "Indexed": f"{counted(found.notes_indexed, 'note')}, "
        f"{counted(found.passages, 'passage')}, {counted(found.vectors, 'vector')}{by}",
        "Graph": f"{counted(found.versions, 'version')}{relations}",
        "To do": _to_do(found, now=now),
        "Index run": _run(found, now=now),
        "Problems": _problems(found),
        **({"Data directory": f"{READ_ONLY.error} {READ_ONLY.impact}"} if found.read_only else {}),
        **(
            {"Undated": f"{counted(found.undated, 'note')}, dated by the file only"}
            if found.undated
            else {}
        ),
    }
    for service in found.services:
        lines[_NAMES.get(service.name, service.name)] = _service(service, now=now)
    if found.graph_problem:
        lines["Graph database"] = found.graph_problem
    if found.vectors_problem:
        lines["Vectors"] = found.vectors_problem
    if found.model is not None:
        lines["Language model"] = found.model_problem or f"{found.model_ready} {found.model_may}"
    program = found.program
    return {
        **lines,
        "Slow questions": found.slow_questions.in_words,
        "On disk": ", ".join(f"{name} {_mb(size)}" for name, size in found.bytes_on_disk.items()),
        "Version": f"{program['program']}; formats: index {program['index']}, "
        f"history {program['history']}, graph {program['graph']}",
    }


def _to_do(found: Status, *, now: datetime) -> str:
    files = [
        *([counted(found.changed, "changed note")] if found.changed else []),
        *([f"{found.removed:,} removed"] if found.removed else []),
    ]
    since = f" (the first {_ago(found.changed_since, now=now)})" if found.changed_since else ""
    stores = [
        *([f"{counted(found.graph_pending, 'note')} for the graph"] if found.graph_pending else []),
        *(
            [f"{counted(found.vectors_pending, 'passage')} to embed"]
            if found.vectors_pending
            else []
        ),
    ]
    todo = [*([f"{' and '.join(files)}{since}"] if files else []), *stores]
    return f"{', '.join(todo)}: run `brain index`" if todo else "nothing; all is indexed"


def _run(found: Status, *, now: datetime) -> str:
    run = found.last_run
    if run is None:
        return f"none recorded; {_CUT}" if found.interrupted else "none recorded"
    if found.under_way:
        far = f", {run.phase} {run.done:,} of {run.total:,}" if run.phase else ""
        return f"under way, begun {_ago(run.started_at, now=now)}{far}"
    done = run.complete
    last = (
        "none was completed"
        if done is None
        else f"complete {_ago(done.finished_at, now=now)}, took {done.seconds:,.1f} s"
    )
    return f"{last}; {_CUT}" if found.interrupted or run.state == "running" else last


def _problems(found: Status) -> str:
    if not found.problem_kinds:
        return "none"
    kinds = list(found.problem_kinds.items())
    named = "; ".join(f"{message.rstrip('.')} ({count:,})" for message, count in kinds[:_KINDS])
    more = f"; {len(kinds) - _KINDS} other kinds" if len(kinds) > _KINDS else ""
    return f"{found.problems:,}: {named}{more} (brain doctor lists them)"


def _service(service: ServiceStatus, *, now: datetime) -> str:
    if not service.running:
        return "not running"
    told = ["running"]
    if service.pid is not None:
        told.append(f"pid {service.pid}")
    if service.memory_bytes is not None:
        told.append(_mb(service.memory_bytes))
    if service.started_at is not None:
        told.append(f"started {_ago(service.started_at, now=now)}")
    return ", ".join(told)


def _reading(settings: Settings) -> dict[str, str]:
    try:
        progress = extraction_progress(settings)
    except (StorageError, StoreVersionError) as error:
        return {"Read by a model": str(error)}
    if progress is None:
        return {}
    job, under_way = progress
    return {"Read by a model": job_in_words(job, under_way=under_way)}


def _looking(found: Status) -> dict[str, str]:
    state = found.scan
    if state is None:
        return {"Contradictions": found.scan_problem} if found.scan_problem else {}
    notes = max(state.notes, found.notes_indexed)
    compared = f"{state.notes - state.pending:,} of {counted(notes, 'note')} compared"
    told = f"{counted(state.found, 'pair')} found"
    if state.under_way:  # what it finds is known at its end
        told = f"a comparison goes on: {compared}"
    elif state.pending:
        told = f"{told}, interrupted: {compared}"
    return {"Contradictions": told}


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _ago(moment: datetime, *, now: datetime) -> str:
    """How long ago, in the largest unit that fits; the day where it is long ago."""
    seconds = (now - moment).total_seconds()
    for limit, unit, name in ((90, 1, "s"), (5400, 60, "min"), (172_800, 3600, "h")):
        if seconds < limit:
            return f"{max(0, round(seconds / unit))} {name} ago"
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
