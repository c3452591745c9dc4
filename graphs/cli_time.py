"""The commands about time: facts as of a date."""

import asyncio
from typing import Annotated

import typer

from graphs.arguments import AsJson, AsOf, DataDir, KnownAt, Vault, run, start_servers


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    app.command()(facts)


def facts(
    subject: Annotated[str, typer.Argument(help="A note, or a name, tag or value in notes.")],
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    ever: Annotated[
        bool, typer.Option("--ever", help="Everything that was said at any time.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List what the notes say about something, now or at a point in time."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs import commands_time

        return asyncio.run(
            commands_time.facts(
                subject,
                vault=vault,
                data_dir=data_dir,
                as_of=as_of,
                known_at=known_at,
                ever=ever,
                as_json=as_json,
            )
        )

    run(start)
