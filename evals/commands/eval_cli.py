"""``brain eval …``: the arguments of measuring. What is heavy is imported when it is needed."""

from pathlib import Path
from typing import Annotated

import typer

from graphs.cli.options import DataDir, ModeOption, Vault, run

OutOption = Annotated[Path, typer.Option("--out", help="Where the predictions go, as JSON lines.")]
ModelOption = Annotated[
    str | None, typer.Option("--model", help="The Ollama model to ask [BRAIN_CHAT_MODEL].")
]
FirstOption = Annotated[int | None, typer.Option("--limit", help="Only the first so many.")]
ReportOption = Annotated[
    Path | None, typer.Option("--report", help="Also write the figures as an HTML page.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    evaluate = typer.Typer(
        name="eval",
        help="Measure on files of your own: JSON lines in, JSON lines out.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for command in (intents, claims, retrieval, answers, reader):
        evaluate.command()(command)
    evaluate.command(name="self")(self_answers)
    app.add_typer(evaluate)


def intents(
    file: Annotated[Path, typer.Argument(help='JSON lines: {"query": …, "intent": …}.')],
    *,
    out: OutOption,
    mode: ModeOption = None,
    model: ModelOption = None,
    limit: FirstOption = None,
    report: ReportOption = None,
    observations: Annotated[
        Path | None,
        typer.Option("--observations", help="Also keep what the model says, to fit its weight on."),
    ] = None,
) -> None:
    """Read questions and, where labels are given, say how well they were read."""

    def start() -> int:
        from evals.commands import intents as command

        return command.intents(
            file,
            out=out,
            mode=mode,
            model=model,
            limit=limit,
            report=report,
            observations=observations,
        )

    run(start)


def claims(
    file: Annotated[Path, typer.Argument(help='JSON lines: {"a": …, "b": …, "label": …}.')],
    *,
    out: OutOption,
    mode: ModeOption = None,
    model: ModelOption = None,
    limit: FirstOption = None,
    report: ReportOption = None,
) -> None:
    """Judge whether pairs of claims contradict each other, and say how well where it is known."""

    def start() -> int:
        from evals.commands import claims as command

        return command.claims(file, out=out, mode=mode, model=model, limit=limit, report=report)

    run(start)


def retrieval(
    *,
    queries: Annotated[Path, typer.Option("--queries", help='JSON lines: {"id": …, "query": …}.')],
    out: OutOption,
    vault: Vault = None,
    data_dir: DataDir = None,
    qrels: Annotated[
        Path | None,
        typer.Option("--qrels", help="Lines of query id, note path with optional #^block, gain."),
    ] = None,
    limit: FirstOption = None,
    report: ReportOption = None,
) -> None:
    """Search a vault for questions and, where answers are known, say how well they are found."""

    def start() -> int:
        from evals.commands import retrieval as command

        return command.retrieval(
            queries,
            vault=vault,
            data_dir=data_dir,
            qrels=qrels,
            out=out,
            limit=limit,
            report=report,
        )

    run(start)


def answers(
    *,
    questions: Annotated[
        Path,
        typer.Option(
            "--questions", help='JSON lines: {"q": …, "gold": [{"path": …, "lines": …}]}.'
        ),
    ],
    vault: Vault = None,
    data_dir: DataDir = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where each question's outcome goes.")
    ] = None,
    limit: FirstOption = None,
    report: ReportOption = None,
) -> None:
    """Ask a vault questions whose evidence is known; say how often the first line is it."""

    def start() -> int:
        from evals.commands import answers as command

        return command.answers(
            questions, vault=vault, data_dir=data_dir, out=out, limit=limit, report=report
        )

    run(start)


def self_answers(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where each question's outcome goes.")
    ] = None,
    each: Annotated[int, typer.Option("--each", help="Questions of each kind at most.")] = 12,
    report: Annotated[
        Path | None, typer.Option("--report", help="Also write the page to this file.")
    ] = None,
) -> None:
    """Ask a vault some hundred questions made from its own notes; show which are missed."""

    def start() -> int:
        from evals.commands import self_answers as command

        return command.self_answers(
            vault=vault, data_dir=data_dir, out=out, each=each, report=report
        )

    run(start)


def reader(
    file: Annotated[
        Path, typer.Argument(help='JSON lines: {"query": …, "candidates": […], "answers": […]}.')
    ],
    *,
    out: OutOption,
    limit: FirstOption = None,
) -> None:
    """Score texts by how surely they answer a question, and say how well where it is known."""

    def start() -> int:
        from evals.commands import reader as command

        return command.reader(file, out=out, limit=limit)

    run(start)
