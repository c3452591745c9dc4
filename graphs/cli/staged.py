"""``brain staged``: the notes that other programs added, for a person to look at and decide."""

from typing import Annotated

import typer

from graphs.cli.options import (
    AsJson,
    AsJsonList,
    DataDir,
    Vault,
    run,
    run_async,
    start_servers,
    writable,
)
from tools.base.errors import InputError

StagedPath = Annotated[str, typer.Argument(metavar="PATH", help="The note, as the list has it.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    staged = typer.Typer(name="staged", invoke_without_command=True, rich_markup_mode=None)
    staged.callback()(waiting)
    for command in (show, accept, discard):
        staged.command()(command)
    app.add_typer(staged)


def waiting(
    context: typer.Context,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    as_json: AsJsonList = False,
) -> None:
    """List the notes that other programs added and that wait for you."""
    if context.invoked_subcommand is not None:
        run(_misplaced) if vault or data_dir or as_json else None
        return

    def start() -> int:
        from graphs.cli.commands import staged as commands

        return commands.waiting(vault=vault, data_dir=data_dir, as_json=as_json)

    run(start)


def show(
    path: StagedPath, *, vault: Vault = None, data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """Show one with its text."""

    def start() -> int:
        from graphs.cli.commands import staged as commands

        return commands.show(path, vault=vault, data_dir=data_dir, as_json=as_json)

    run(start)


def accept(
    path: StagedPath,
    *,
    new_path: Annotated[
        str | None, typer.Option("--as", metavar="PATH", help="Where in the vault it is to be.")
    ] = None,
    vault: Vault = None,
    data_dir: DataDir = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Put it into the vault as a new file, never over one, having asked."""

    def start() -> int:
        writable(vault, data_dir)
        start_servers(vault, data_dir)
        from graphs.cli.commands import staged as commands

        return run_async(
            commands.accept(
                path, new_path=new_path, vault=vault, data_dir=data_dir, yes=yes, as_json=as_json
            )
        )

    run(start)


def discard(
    path: StagedPath,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Let it go for good, having asked."""

    def start() -> int:
        writable(vault, data_dir)
        from graphs.cli.commands import staged as commands

        return run_async(
            commands.discard(path, vault=vault, data_dir=data_dir, yes=yes, as_json=as_json)
        )

    run(start)


def _misplaced() -> int:
    raise InputError("Options of a command of `brain staged` go behind it: `brain staged show X`.")
