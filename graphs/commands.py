"""What each command of ``brain`` does, as a coroutine that ends in an exit code."""

import asyncio
from pathlib import Path

from agents.lines import require_question
from graphs import terminal, terminal_answer
from graphs.app import make_deps, open_brain
from graphs.asked import Asked
from graphs.asking import answer_to, check
from graphs.brain import read_question
from graphs.exits import OK, exit_code
from graphs.extract_command import job_in_words
from graphs.extraction_progress import extraction_progress
from graphs.health import status_with_servers
from graphs.progress import shown_progress
from graphs.upkeep import claim
from tools.domain import Mode
from tools.errors import InputError, StorageError, StoreVersionError
from tools.settings import Settings, load_settings
from tools.telemetry import silence_telemetry
from tools.vault.catalog import Catalog
from tools.vault.history import History


async def ask(
    asked: Asked, *, vault: Path | None, data_dir: Path | None, as_json: bool, verbose: bool
) -> int:
    """Answer a question, or go on with one that asked back."""
    check(asked)
    async with open_brain(vault, data_dir=data_dir, mode=asked.mode) as brain:
        answer = await answer_to(brain, asked)
        if as_json:
            terminal_answer.show_json(terminal.as_object(answer))
        elif answer.clarification is not None:
            terminal.show_question_back(answer)
        else:
            terminal.show_answer(answer, vault=brain.settings.vault.name, verbose=verbose)
    return exit_code(answer.status)


async def index(*, vault: Path | None, data_dir: Path | None, rebuild: bool, as_json: bool) -> int:
    """Bring the index up to date."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        with shown_progress(quiet=as_json) as show:
            report = await brain.index(rebuild=rebuild, on_progress=show)
        terminal.show_report(report, as_json=as_json)
    return OK


async def interpret(
    question: str, *, vault: Path | None, data_dir: Path | None, mode: Mode | None, as_json: bool
) -> int:
    """Show how a question is read."""
    require_question(question)
    silence_telemetry()
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir, mode=mode)
    deps = await asyncio.to_thread(make_deps, settings)
    try:
        plan = await read_question(deps, question)
    finally:
        await deps.close()
    if as_json:
        terminal.show_json(plan)
    else:
        terminal.show_plan(plan)
    return OK


async def search(
    words: str, *, vault: Path | None, data_dir: Path | None, limit: int, as_json: bool
) -> int:
    """List notes."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        results = await brain.search(words, limit=limit)
        if as_json:
            terminal.show_json(results)
        elif results:
            terminal.show_results(results, vault=brain.settings.vault.name)
        else:
            terminal.console().print("No note fits. Try other words or check the spelling.")
    return OK


async def status(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Show counts, freshness and servers."""
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir)
    if not await asyncio.to_thread(settings.index_path.exists):
        raise InputError("This vault is not indexed yet: run `brain index`.")
    await asyncio.to_thread(claim, settings)
    catalog = Catalog(settings.index_path)
    history = History(settings.history_path, folders=settings.folders)
    try:
        found = await status_with_servers(settings, catalog, history)
    finally:
        catalog.close()
        history.close()
    if as_json:
        terminal.show_json(found)
        return OK
    servers = ", ".join(
        f"{name} {'running' if running else 'not running'}"
        for name, running in found.servers.items()
    )
    sizes = ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in found.bytes_on_disk.items())
    terminal.show_pairs(
        {
            "Vault": f"{found.vault}, {found.notes_on_disk} notes",
            "Indexed": f"{found.notes_indexed} notes, {found.passages} passages",
            "To do": f"{found.changed} changed and {found.removed} removed notes, "
            f"{found.graph_pending} for the graph, {found.vectors_pending} passages to embed",
            **({"Last run": "interrupted: brain index completes it"} if found.interrupted else {}),
            "Problems": f"{found.problems} (brain doctor lists them)",
            "Servers": servers,
            **({"Graph": found.graph_problem} if found.graph_problem else {}),
            **({"Vectors": found.vectors_problem} if found.vectors_problem else {}),
            "On disk": sizes,
            **_reading(settings),
        }
    )
    return OK


def _reading(settings: Settings) -> dict[str, str]:
    try:
        progress = extraction_progress(settings)
    except (StorageError, StoreVersionError) as error:
        return {"Read by a model": str(error)}
    if progress is None:
        return {}
    job, under_way = progress
    return {"Read by a model": job_in_words(job, under_way=under_way)}
