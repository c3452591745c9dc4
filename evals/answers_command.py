"""What ``brain eval answers`` does: a vault and questions in, what each came to and figures out."""

import asyncio
import secrets
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from evals.answers import MEASURES, AnswerCase, Asked, asked, by_kind, in_digits, measured
from evals.cases import read_lines
from evals.report import Findings, require_report, save_report
from evals.running import apart, at_least_one, progress, require_outputs, say, write_line, written
from graphs.app import open_brain
from graphs.brain import Brain
from graphs.cli.output.console import console
from graphs.cli.output.exit_codes import OK
from graphs.core.state import QueryContext
from tools.base.errors import InputError
from tools.base.guards import MAX_QUESTION, terminal_text
from tools.settings.settings import Settings, default_data_dir, load_settings

_CONTEXT = QueryContext(mode="local", interactive=False, logged=False)


def answers(
    questions: Path,
    *,
    vault: Path | None,
    data_dir: Path | None,
    out: Path | None,
    limit: int | None,
    report: Path | None,
) -> int:
    """Ask the vault every question; print how often the first line is the evidence.

    Without a data directory the vault is indexed in a temporary one. Raises InputError before
    anything is written for input that cannot be used.
    """
    at_least_one(limit, "question")
    settings = load_settings(vault=vault, data_dir=data_dir)
    outputs = require_outputs(settings.vault, settings.data_dir, out=out, report=report)
    if report is not None:
        require_report()
    cases = read_lines(questions, AnswerCase)[:limit]
    apart(questions, outputs)
    _warn(cases, settings.vault)
    return _measure(cases, settings, data_dir, name=questions.name, outputs=outputs)


def _measure(
    cases: Sequence[AnswerCase],
    settings: Settings,
    data_dir: Path | None,
    *,
    name: str,
    outputs: Mapping[str, Path],
) -> int:
    kept = data_dir or (
        None if settings.data_dir == default_data_dir(settings.vault) else settings.data_dir
    )
    found: list[Asked] = []
    with progress("questions asked", len(cases)) as advance:

        def hear(one: Asked) -> None:
            found.append(one)
            advance()

        asyncio.run(ask_all(cases, vault=settings.vault, data_dir=kept, hear=hear))
    if (out := outputs.get("--out")) is not None:
        with written(out) as sink:
            for one in found:
                write_line(sink, one.line())
    console().print(table(name, found))
    if (report := outputs.get("--report")) is not None:
        title = "How often the first line is the evidence"
        save_report(report, Findings(title=title, answers={name: found}))
    return OK


async def ask_all(
    cases: Sequence[AnswerCase],
    *,
    vault: Path,
    data_dir: Path | None,
    hear: Callable[[Asked], None],
) -> None:
    """Index the vault where it is not yet, and ask every question as ``brain ask`` would.

    Nothing is asked back. Raises InputError and StorageError.
    """
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as folder:
        async with open_brain(vault, data_dir=data_dir or folder, mode="local") as brain:
            await brain.index()
            for case in cases:
                hear(await ask_one(brain, case))


async def ask_one(brain: Brain, case: AnswerCase, *, thread_id: str | None = None) -> Asked:
    """Ask a question as ``brain ask`` would, in a thread or by itself; nothing is asked back.

    One that leans on another is asked behind that, as in ``brain chat``.
    """
    thread = thread_id or (secrets.token_hex(4) if case.after else None)
    questions = [one[:MAX_QUESTION] for one in (case.after, case.q) if one]
    try:
        *_, answer = [
            await brain.ask(question, thread_id=thread, context=_CONTEXT) for question in questions
        ]
        return asked(case, answer)
    except InputError as error:
        return Asked(
            case=case, quoted=(), notes=(), denied=False, words=0, ms=0.0, error=str(error)
        )


def table(name: str, found: Sequence[Asked]) -> Table:
    """The measures of all questions and of each kind."""
    shown = Table(title=Text(terminal_text(name)), title_justify="left", box=None)
    shown.add_column("", no_wrap=True)
    shown.add_column("asked", justify="right")
    for measure in MEASURES:
        shown.add_column(measure.replace("_", " "), justify="right")
    for label, group in {"all": list(found), **by_kind(found)}.items():
        cells = [in_digits(measure, value) for measure, value in measured(group).items()]
        shown.add_row(Text(terminal_text(label)), str(len(group)), *cells)
    return shown


def _warn(cases: Sequence[AnswerCase], vault: Path) -> None:
    """Say which notes the questions name that are not there."""
    paths = {place.path for case in cases for place in case.gold}
    missing = sorted(path for path in paths if not (vault / path).is_file())
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        say(f"the vault has no note {missing[0]!r}{more}: questions about it count as missed.")
