"""The commands that look after the index: is it whole, mend it, delete it, end its servers."""

import sys
from typing import TYPE_CHECKING, Annotated

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
from tools.text.voice import counted

if TYPE_CHECKING:
    from tools.settings.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    app.command()(doctor)
    app.command()(reset)
    app.command()(stop)


def settle(settings: "Settings", *, moved: bool) -> None:
    """Go on with the index of a vault that was moved here; ask whether it was, where one is found.

    Raises InputError where ``moved`` says so and none is found.
    """
    if not moved and settings.index_path.exists():
        return
    from graphs.cli.output import console
    from graphs.operations import relocate

    if not moved and relocate.left_behind(settings) is not None:
        found = "These are the notes of a vault that is gone"
        if not sys.stdin.isatty():
            console.show_remark(f"{found}: `brain index --moved` would have kept its index.")
        moved = sys.stdin.isatty() and typer.confirm(
            f"{found}. Was it moved here, to go on with its index?", default=True, err=True
        )
    if moved:
        notes = run_async(relocate.take_over(settings))
        console.show_remark(f"The index of {counted(notes, 'note')} was taken over.")


def doctor(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what can be mended, then check again.")
    ] = False,
    as_json: AsJsonList = False,
) -> None:
    """Check the vault against index, history, graph and vectors; --repair mends them."""

    def start() -> int:
        if repair:
            writable(vault, data_dir)
        start_servers(vault, data_dir)
        from graphs.cli.commands import operations

        return run_async(
            operations.doctor(vault=vault, data_dir=data_dir, mend=repair, as_json=as_json)
        )

    run(start)


def reset(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    everything: Annotated[
        bool,
        typer.Option("--everything", help="Also delete what cannot be made again from the notes."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete the vault's index, having asked; the notes are not touched."""

    def start() -> int:
        from graphs.cli.commands import operations

        return run_async(
            operations.reset(
                vault=vault, data_dir=data_dir, everything=everything, yes=yes, as_json=as_json
            )
        )

    run(start)


def stop(*, vault: Vault = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """End the vault's local servers."""

    def start() -> int:
        from graphs.cli.commands import stop as stopping

        return run_async(stopping.stop(vault=vault, data_dir=data_dir, as_json=as_json))

    run(start)
