"""The commands about the whole vault: facts as of a date, a timeline, the graph, contradictions."""

from pathlib import Path
from typing import Annotated

import typer

from graphs.cli.options import (
    AsJson,
    AsJsonList,
    AsOf,
    DataDir,
    KnownAt,
    Vault,
    run,
    run_async,
    start_servers,
    writable,
)
from tools.base.errors import InputError

Named = Annotated[str, typer.Argument(help="A note, or a name, tag or value in notes.")]


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    app.command()(facts)
    app.command()(timeline)
    app.command()(graph)
    app.command()(contradictions)


def facts(
    subject: Named,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    ever: Annotated[
        bool, typer.Option("--ever", help="Everything that was said at any time.")
    ] = False,
    as_json: AsJsonList = False,
) -> None:
    """List what a note says, or what is said about a thing, now or at a point in time."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands import temporal

        return run_async(
            temporal.facts(
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


def timeline(
    concept: Annotated[str, typer.Argument(help="What it is about, in a word or a few.")],
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    since: Annotated[
        str | None, typer.Option("--since", help="Nothing earlier: a date, a moment, or words.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", help="Nothing later: a date, a moment, or words.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Also write it as a page that a browser opens.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show how the notes about something came, changed, linked to it and went."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands import temporal

        return run_async(
            temporal.timeline(
                concept,
                vault=vault,
                data_dir=data_dir,
                since=since,
                until=until,
                html=html,
                as_json=as_json,
            )
        )

    run(start)


def graph(
    name: Named,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    to: Annotated[
        str | None, typer.Option("--to", help="Instead: the shortest way from that note to this.")
    ] = None,
    hops: Annotated[
        int | None,
        typer.Option("--hops", help="How far to look, 1 to 4 steps (1; with --to 4)."),
    ] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            help="Also write it, at all times, as a page that a browser opens; not with --to.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what something is connected to, now or at a point in time."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands import temporal

        return run_async(
            temporal.graph(
                name,
                vault=vault,
                data_dir=data_dir,
                to=to,
                hops=hops,
                as_of=as_of,
                known_at=known_at,
                html=html,
                as_json=as_json,
            )
        )

    run(start)


def contradictions(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    dismiss: Annotated[
        list[str] | None, typer.Option("--dismiss", help="Never show the pair with this key again.")
    ] = None,
    new_only: Annotated[
        bool, typer.Option("--new", help="Only what was not shown before.")
    ] = False,
    unsure: Annotated[
        bool, typer.Option("--unsure", help="Also what is less sure: fewer of these are right.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Also write it as a page that a browser opens.")
    ] = None,
    background: Annotated[
        bool, typer.Option("--background", help="Look through it while you do other things.")
    ] = False,
    as_json: AsJsonList = False,
) -> None:
    """Look through the whole vault for contradictions and changes; can be stopped and goes on."""

    def start() -> int:
        shown = html is not None or new_only or unsure or as_json
        if (dismiss and background) or ((dismiss or background) and shown):
            raise InputError("--dismiss and --background go alone: they show nothing.")
        writable(vault, data_dir)
        start_servers(vault, data_dir)
        from graphs.cli.commands.contradictions import contradictions as found

        return run_async(
            found(
                vault=vault,
                data_dir=data_dir,
                dismissed=dismiss or [],
                background=background,
                new_only=new_only,
                unsure=unsure,
                html=html,
                as_json=as_json,
            )
        )

    run(start)
