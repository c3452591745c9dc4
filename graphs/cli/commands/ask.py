"""What each command of ``brain`` does, as a coroutine that ends in an exit code."""

import asyncio
from pathlib import Path

from agents.interpreter.commands import require_question
from graphs.app import make_deps, open_brain
from graphs.brain import read_question
from graphs.cli.output import answer as terminal_answer
from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK, exit_code
from graphs.cli.output.progress_bars import shown_progress
from graphs.toolkit.handler import answer_to, check
from graphs.toolkit.request import QueryRequest
from tools.base.domain import Mode
from tools.settings.loading import load_settings


async def ask(
    asked: QueryRequest, *, vault: Path | None, data_dir: Path | None, as_json: bool, verbose: bool
) -> int:
    """Answer a question, or go on with one that asked back."""
    check(asked)
    async with open_brain(vault, data_dir=data_dir, mode=asked.mode) as brain:
        answer = await answer_to(brain, asked)
        if as_json:
            terminal_answer.show_json(console.as_object(answer))
        elif answer.clarification is not None:
            console.show_question_back(answer)
        else:
            console.show_answer(answer, vault=brain.settings.vault.name, verbose=verbose)
    return exit_code(answer.status)


async def index(*, vault: Path | None, data_dir: Path | None, rebuild: bool, as_json: bool) -> int:
    """Bring the index up to date."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        with shown_progress(quiet=as_json) as show:
            report = await brain.index(rebuild=rebuild, on_progress=show)
        console.show_report(report, as_json=as_json)
    return OK


async def interpret(
    question: str, *, vault: Path | None, data_dir: Path | None, mode: Mode | None, as_json: bool
) -> int:
    """Show how a question is read."""
    require_question(question)
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir, mode=mode)
    deps = await asyncio.to_thread(make_deps, settings)
    try:
        plan = await read_question(deps, question)
    finally:
        await deps.close()
    if as_json:
        console.show_json(plan)
    else:
        console.show_plan(plan)
    return OK


async def search(
    words: str, *, vault: Path | None, data_dir: Path | None, limit: int, as_json: bool
) -> int:
    """List notes."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        answer = await brain.answer_of_search(words, limit=limit)
        console.show_warnings(answer.warnings)
        if as_json:
            console.show_json(answer.results)
        elif answer.results:
            console.show_results(answer.results, vault=brain.settings.vault.name)
        else:
            console.console().print("No note fits. Try other words or check the spelling.")
    return exit_code(answer.status)
