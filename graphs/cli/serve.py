"""``brain serve``: a process that stays, and what asks it instead of starting one of its own."""

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from graphs.cli.options import DataDir, Vault, run
from graphs.toolkit.request import QueryRequest


def register(app: typer.Typer) -> None:
    """Add the command to ``brain``."""
    app.command()(serve)


def serve(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help="Also listen on this port of 127.0.0.1, for MCP clients; 0 takes a free one.",
        ),
    ] = None,
    token: Annotated[
        bool, typer.Option("--token", help="Print the token that MCP clients need, and exit.")
    ] = False,
) -> None:
    """Stay and answer: `brain ask` finds this process and needs no start; so do MCP clients."""

    def start() -> int:
        from graphs.service import process
        from graphs.stores.ownership import claim
        from tools.settings.loading import load_settings

        settings = load_settings(vault=vault, data_dir=data_dir)
        claim(settings)
        if token:
            typer.echo(process.token(settings.data_dir))
            return 0
        service = process.query_service(settings, port=port)
        # A process of its own name, so that `brain stop` knows it from all others.
        _become([sys.executable, "-P", "-m", service.module, *service.arguments])

    run(start)


def _become(command: list[str]) -> NoReturn:
    sys.stdout.flush()
    # Few memory pools, as for the other servers: each thread's own would keep its peak for ever.
    # No thread of a numeric library: one would not come along where the process parts in two.
    settled = {"MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1"}
    os.execve(command[0], command, {**settled, **os.environ})  # noqa: S606


def answer_by_service(
    asked: QueryRequest,
    *,
    vault: Path | None,
    data_dir: Path | None,
    as_json: bool,
    verbose: bool,
) -> int | None:
    """Have the service process answer and show it; None where there is none that can."""
    from graphs.service.client import OtherSettingsError, ask_service
    from tools.settings.sources import find_place

    place = find_place({"vault": vault, "data_dir": data_dir})
    if place is None:
        return None
    try:
        answer = ask_service(place, asked)
    except OtherSettingsError:
        typer.echo(
            "`brain serve` runs with other settings or another version, so this answer is made "
            "without it: restart it.",
            err=True,
        )
        return None
    if answer is None:
        return None
    from graphs.cli.output import answer as terminal_answer
    from graphs.cli.output.exit_codes import exit_code

    if as_json:
        terminal_answer.show_json(answer)
    elif answer["status"] == "needs_confirmation":
        from graphs.cli.output import console  # a plan is shown, which takes more

        console.show_question_back(console.from_object(answer))
    elif answer["clarification"] is not None:
        terminal_answer.show_options(answer)
    else:
        terminal_answer.show_answer(answer, vault=place.vault.name, verbose=verbose)
    return exit_code(answer["status"])
