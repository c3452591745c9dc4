"""``brain …``: arguments, progress and exit codes. What is heavy is imported when it is needed.

Exit codes: 0 answered or no results, 2 bad usage or input, 3 a question back to the user,
4 every source failed.
"""

import io
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from graphs.cli import access, audit, link, mcp, operations, serve, staged, temporal, tool
from graphs.cli.options import (
    AsJson,
    AsJsonList,
    AsOf,
    DataDir,
    KnownAt,
    ModeOption,
    Vault,
    run,
    run_async,
    start_servers,
    writable,
)
from graphs.cli.parser import PACKAGE, Commands
from graphs.cli.serve import answer_by_service
from graphs.toolkit.request import QueryRequest, Wording, require_consistent
from tools.base.errors import InputError
from tools.runtime.process_name import name_process

_OPTIONS = Wording(
    thread="--thread", choose="--choose", confirm="--confirm", never_ask="--no-input"
)

app = typer.Typer(
    name="brain",
    cls=Commands,
    help="Ask a vault of markdown notes; every line of the answer can be traced.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"brain {version(PACKAGE)}")
        raise typer.Exit


@app.callback()
def _brain(
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Show which version this is, and exit.",
        ),
    ] = False,
) -> None:
    pass


Limit = Annotated[int, typer.Option("--limit", help="Notes at the most, 1 to 100.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Show how the question was answered.")]
Whole = Annotated[bool, typer.Option("--all", help="Show everything found, not the short page.")]


@app.command()
def index(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Empty graph and vectors and read every note again.")
    ] = False,
    moved: Annotated[
        bool, typer.Option("--moved", help="Go on with the index of a vault that was moved here.")
    ] = False,
    extract: Annotated[
        bool, typer.Option("--extract", help="Have a model read facts out of notes, behind.")
    ] = False,
    folders: Annotated[
        list[str] | None,
        typer.Argument(help="With --extract: the folders to read, . for all [as in the last run]."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="With --extract: do not ask first.")] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="With --extract: stay until it is done.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Index the vault, or bring the index up to date; --extract has a model read it."""

    def start() -> int:
        if not extract and (folders or yes or wait):
            raise InputError("Folders, --yes and --wait go with --extract.")
        if extract:
            return _extract(vault, data_dir, folders or [], yes=yes, wait=wait, as_json=as_json)
        from graphs.stores.freshness import nothing_to_do

        settings = writable(vault, data_dir)
        operations.settle(settings, moved=moved)
        report = None if rebuild else nothing_to_do(settings)
        if report is not None:
            from graphs.cli.output import console

            console.show_report(report, as_json=as_json)
            return 0
        start_servers(vault, data_dir)
        from graphs.cli.commands import ask as commands

        return run_async(
            commands.index(vault=vault, data_dir=data_dir, rebuild=rebuild, as_json=as_json)
        )

    run(start)


def _extract(
    vault: Path | None,
    data_dir: Path | None,
    folders: list[str],
    *,
    yes: bool,
    wait: bool,
    as_json: bool,
) -> int:
    settings = writable(vault, data_dir)
    start_servers(vault, data_dir)
    from graphs.cli.commands.extract import extract_command

    return run_async(extract_command(settings, folders, yes=yes, wait=wait, as_json=as_json))


@app.command()
def ask(
    question: Annotated[str | None, typer.Argument(help="The question, in plain words.")] = None,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    thread: Annotated[str | None, typer.Option("--thread", help="Go on in this thread.")] = None,
    choose: Annotated[
        str | None, typer.Option("--choose", help="Number of the option to go on with.")
    ] = None,
    intent: Annotated[
        Literal["factual", "temporal", "causal", "comparative", "exploratory"] | None,
        typer.Option("--intent", help="How to read the question."),
    ] = None,
    shown: Annotated[
        Literal["list", "narrative", "table", "timeline"] | None,
        typer.Option("--format", help="How to show the answer."),
    ] = None,
    mode: ModeOption = None,
    limit: Annotated[
        int | None, typer.Option("--limit", help="Notes at the most, 1 to 100 [10].")
    ] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Show the plan and ask before searching.")
    ] = False,
    no_input: Annotated[
        bool, typer.Option("--no-input", help="Never ask back: read an unclear one as factual.")
    ] = False,
    whole: Whole = False,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Ask the vault a question."""

    def start() -> int:
        asked = QueryRequest(
            question=question,
            thread=thread,
            choose=choose,
            intent=intent,
            format=shown,
            mode=mode,
            limit=limit,
            as_of=as_of,
            known_at=known_at,
            confirm=confirm,
            interactive=not no_input,
            whole=whole or verbose,
        )
        require_consistent(asked, _OPTIONS)
        code = answer_by_service(
            asked, vault=vault, data_dir=data_dir, as_json=as_json, verbose=verbose
        )
        if code is not None:
            return code
        start_servers(vault, data_dir)
        from graphs.cli.commands import ask as commands

        return run_async(
            commands.ask(asked, vault=vault, data_dir=data_dir, as_json=as_json, verbose=verbose)
        )

    run(start)


@app.command()
def chat(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    mode: ModeOption = None,
    whole: Whole = False,
    verbose: Verbose = False,
) -> None:
    """Ask one question after another; *help lists the commands."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands import chat as chatting

        return run_async(
            chatting.chat(vault=vault, data_dir=data_dir, mode=mode, verbose=verbose, whole=whole)
        )

    run(start)


@app.command()
def interpret(
    question: Annotated[str, typer.Argument(help="The question, in plain words.")],
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    mode: ModeOption = None,
    as_json: AsJson = False,
) -> None:
    """Show how a question is read, without searching."""

    def start() -> int:
        from graphs.cli.commands import ask as commands

        return run_async(
            commands.interpret(question, vault=vault, data_dir=data_dir, mode=mode, as_json=as_json)
        )

    run(start)


@app.command()
def search(
    words: Annotated[str, typer.Argument(help="What to look for.")],
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    limit: Limit = 10,
    as_json: AsJsonList = False,
) -> None:
    """List the notes that fit some words best."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands import ask as commands

        return run_async(
            commands.search(words, vault=vault, data_dir=data_dir, limit=limit, as_json=as_json)
        )

    run(start)


@app.command()
def status(*, vault: Vault = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show what is indexed, how fresh it is, and which servers run."""

    def start() -> int:
        from graphs.cli.commands import status as status_command

        return run_async(status_command.status(vault=vault, data_dir=data_dir, as_json=as_json))

    run(start)


@app.command()
def watch(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line, as things happen.")
    ] = False,
) -> None:
    """Stay and index what is saved, until Ctrl-C."""

    def start() -> int:
        writable(vault, data_dir)
        start_servers(vault, data_dir)
        from graphs.cli.commands import watch as watching

        return run_async(watching.watch(vault=vault, data_dir=data_dir, as_json=as_json))

    run(start)


# Help lists the commands in this order: to ask, to look closer, to take care; then others'.
temporal.register(app)
serve.register(app)
tool.register(app)
mcp.register(app)
staged.register(app)
link.register(app)
audit.register(app)
operations.register(app)
access.register(app)


def main() -> None:
    """Start the command line."""
    # A caller may have closed them; what is printed then goes nowhere.
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what a terminal's old encoding lacks
    name_process("cli")
    app()
