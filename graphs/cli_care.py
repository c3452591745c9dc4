"""The commands that look after the index: is it whole, mend it, delete it, end its servers."""

import asyncio
from typing import Annotated

import typer

from graphs.arguments import AsJson, AsJsonList, DataDir, Vault, run, start_servers


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    app.command()(doctor)
    app.command()(reset)
    app.command()(stop)


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
        start_servers(vault, data_dir)
        from graphs import commands_care

        return asyncio.run(
            commands_care.doctor(vault=vault, data_dir=data_dir, mend=repair, as_json=as_json)
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
        from graphs import commands_care

        return asyncio.run(
            commands_care.reset(
                vault=vault, data_dir=data_dir, everything=everything, yes=yes, as_json=as_json
            )
        )

    run(start)


def stop(*, vault: Vault = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """End the vault's local servers."""

    def start() -> int:
        from graphs import commands_care

        return asyncio.run(commands_care.stop(vault=vault, data_dir=data_dir, as_json=as_json))

    run(start)
