"""``brain link``: links between notes, suggested, written and taken out."""

from enum import StrEnum
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
)

NoteName = Annotated[str, typer.Argument(metavar="NOTE", help="A note: its path, title or alias.")]


Yes = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]


class Kind(StrEnum):
    """The types of links."""

    supports = "supports"
    contradicts = "contradicts"
    elaborates = "elaborates"
    analogous_to = "analogous_to"
    generalizes = "generalizes"
    specializes = "specializes"
    influences = "influences"


class Spot(StrEnum):
    """Where in a note a link goes."""

    section = "section"
    field = "field"
    frontmatter = "frontmatter"


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    link = typer.Typer(name="link", help="Links between notes.", rich_markup_mode=None)
    link.callback()(_group)
    for command in (suggest, create, undo, history):
        link.command()(command)
    app.add_typer(link)


def _group() -> None:
    """Suggest links between notes, write those that you approve, take them out again."""


def suggest(
    note: NoteName,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    limit: Annotated[int, typer.Option("--limit", help="At most so many, up to 100.")] = 20,
    threshold: Annotated[
        float, typer.Option("--threshold", help="The least similarity in meaning, 0 to 1.")
    ] = 0.0,
    either_way: Annotated[
        bool, typer.Option("--either-way", help="Leave out notes that link to it themselves, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List notes that a note should link to, and where it names them."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands import link

        return run_async(
            link.suggest(
                note,
                vault=vault,
                data_dir=data_dir,
                limit=limit,
                threshold=threshold,
                either_way=either_way,
                as_json=as_json,
            )
        )

    run(start)


def create(
    source: NoteName,
    target: Annotated[str, typer.Argument(metavar="OTHER", help="The note that it links to.")],
    *,
    kind: Annotated[Kind, typer.Option("--type", help="What the note does to the other.")],
    context: Annotated[
        str, typer.Option("--context", help="A sentence that says why, written beside the link.")
    ] = "",
    spot: Annotated[Spot, typer.Option("--at", help="Where in the notes it goes.")] = Spot.section,
    section: Annotated[
        str,
        typer.Option("--section", help="The heading whose section it goes to; made if missing."),
    ] = "Related",
    one_way: Annotated[
        bool, typer.Option("--one-way", help="Write nothing into the other note.")
    ] = False,
    yes: Yes = False,
    vault: Vault = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Link two notes, both ways, having shown what changes and asked."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands import link

        return run_async(
            link.create(
                source,
                target,
                kind=kind.value,
                context=context,
                spot=spot.value,
                section=section,
                one_way=one_way,
                yes=yes,
                vault=vault,
                data_dir=data_dir,
                as_json=as_json,
            )
        )

    run(start)


def undo(
    count: Annotated[int, typer.Argument(metavar="[N]", help="How many, the newest first.")] = 1,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Take the last links out of their notes; what else changed in them stays."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands import link

        return run_async(link.undo(count, vault=vault, data_dir=data_dir, as_json=as_json))

    run(start)


def history(*, vault: Vault = None, data_dir: DataDir = None, as_json: AsJsonList = False) -> None:
    """List the links that were written, the newest first."""

    def start() -> int:
        from graphs.cli.commands import link

        return link.history(vault=vault, data_dir=data_dir, as_json=as_json)

    run(start)
