"""What ``brain eval answers`` does: a vault and questions in, what each came to and figures out."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.answers.ask import ask_all
from evals.answers.evidence import AnswerOutcome
from evals.answers.tables import table
from evals.commands.outputs import (
    apart,
    at_least_one,
    notify,
    progress,
    require_outputs,
    write_line,
    written,
)
from evals.datasets.evidence import AnswerCase
from evals.datasets.records import read_lines
from evals.reports.page import Findings, require_report, save_report
from graphs.cli.output.console import console
from graphs.cli.output.exit_codes import OK
from tools.settings.loading import load_settings
from tools.settings.settings import Settings, default_data_dir


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
    found: list[AnswerOutcome] = []
    with progress("questions asked", len(cases)) as advance:

        def hear(one: AnswerOutcome) -> None:
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


def _warn(cases: Sequence[AnswerCase], vault: Path) -> None:
    """Say which notes the questions name that are not there."""
    paths = {place.path for case in cases for place in case.gold}
    missing = sorted(path for path in paths if not (vault / path).is_file())
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        notify(f"the vault has no note {missing[0]!r}{more}: questions about it count as missed.")
