"""``brain link``: links between notes, suggested, written and taken out; those of all notes."""

from pathlib import Path
from typing import Annotated, Literal

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
from tools.base.errors import InputError
from tools.links.kinds import LinkType, Spot

NoteName = Annotated[str, typer.Argument(metavar="NOTE", help="A note: its path, title or alias.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]
At = Annotated[Spot, typer.Option("--at", help="Where in the notes it goes.")]
Section = Annotated[
    str, typer.Option("--section", help="The heading whose section it goes to; made if missing.")
]
OneWay = Annotated[bool, typer.Option("--one-way", help="Write nothing into the other note.")]
Threshold = Annotated[
    float, typer.Option("--threshold", help="The least similarity in meaning, 0 to 1.")
]
DEFAULT_SECTION = "Related"
"""As in ``tools.vault.editing.places``, which is not loaded before a command needs it."""


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    link = typer.Typer(name="link", help="Links between notes.", rich_markup_mode=None)
    link.callback()(_group)
    for command in (
        suggest, review, create, batch_approve, undo, history, stats, orphans, mentions,
    ):  # fmt: skip
        link.command()(command)
    link.command(name="map")(link_map)
    app.add_typer(link)


def _group() -> None:
    """Suggest links between notes, write those that you approve, take them out again."""


def suggest(
    note: NoteName,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    limit: Annotated[int, typer.Option("--limit", help="At most so many, up to 50.")] = 20,
    threshold: Threshold = 0.0,
    either_way: Annotated[
        bool, typer.Option("--either-way", help="Leave out notes that link to it themselves, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List notes that a note should link to, and where it names them."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands.links import writing

        return run_async(
            writing.suggest(
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
    kind: Annotated[LinkType, typer.Option("--type", help="What the note does to the other.")],
    context: Annotated[
        str, typer.Option("--context", help="A sentence that says why, written beside the link.")
    ] = "",
    spot: Annotated[
        Literal["section", "field", "frontmatter", "mention"],
        typer.Option("--at", help="Where in the notes it goes."),
    ] = "section",
    section: Section = DEFAULT_SECTION,
    line: Annotated[
        int | None,
        typer.Option("--line", help="With --at mention: the line of the note, from 1."),
    ] = None,
    one_way: OneWay = False,
    yes: Yes = False,
    vault: Vault = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Link two notes, both ways, having shown what changes and asked."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands.links import writing

        return run_async(
            writing.create(
                source,
                target,
                kind=kind,
                context=context,
                spot=spot,
                section=section,
                line=line,
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
        from graphs.cli.commands.links import writing

        return run_async(writing.undo(count, vault=vault, data_dir=data_dir, as_json=as_json))

    run(start)


def history(*, vault: Vault = None, data_dir: DataDir = None, as_json: AsJsonList = False) -> None:
    """List the links that were written, the newest first."""

    def start() -> int:
        from graphs.cli.commands.links import history as link_history

        return link_history.history(vault=vault, data_dir=data_dir, as_json=as_json)

    run(start)


def stats(*, vault: Vault = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show what was accepted of the links that were suggested, by type and by what was promised."""

    def start() -> int:
        from graphs.cli.commands.links import stats as link_stats

        return link_stats.stats(vault=vault, data_dir=data_dir, as_json=as_json)

    run(start)


def review(
    note: Annotated[
        str | None, typer.Argument(metavar="[NOTE]", help="Only the links of this note.")
    ] = None,
    *,
    limit: Annotated[int, typer.Option("--limit", help="At most so many of each note.")] = 5,
    least: Annotated[
        float, typer.Option("--least", help="The least probability of a link, 0 to 1.")
    ] = 0.1,
    threshold: Threshold = 0.0,
    spot: At = "section",
    section: Section = DEFAULT_SECTION,
    one_way: OneWay = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Begin again, not where the last review stopped.")
    ] = False,
    vault: Vault = None,
    data_dir: DataDir = None,
) -> None:
    """Go through suggested links, the least connected notes first, and write what you accept."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands.links import review as link_review
        from tools.links.review import ReviewOptions

        _require_share(least)
        options = ReviewOptions(
            limit=limit,
            least=least,
            threshold=threshold,
            spot=spot,
            section=section,
            one_way=one_way,
        )
        return run_async(
            link_review.review(note, options=options, anew=anew, vault=vault, data_dir=data_dir)
        )

    run(start)


def batch_approve(
    note: Annotated[
        str | None, typer.Argument(metavar="[NOTE]", help="The note that links.")
    ] = None,
    others: Annotated[
        list[str] | None,
        typer.Argument(metavar="[OTHER]...", help="The notes that it links to, up to 20."),
    ] = None,
    *,
    file: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="A JSON array of links instead; - is a pipe."),
    ] = None,
    kind: Annotated[
        LinkType | None,
        typer.Option("--type", help="Of all of them, not what is suggested for each."),
    ] = None,
    least: Annotated[
        float, typer.Option("--least", help="Without OTHER: all suggested with this probability.")
    ] = 0.5,
    context: Annotated[
        str, typer.Option("--context", help="A sentence that says why, written beside each.")
    ] = "",
    spot: At = "section",
    section: Section = DEFAULT_SECTION,
    one_way: OneWay = False,
    yes: Yes = False,
    vault: Vault = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Write several links at once, having shown what changes and asked; each whole or not."""

    def start() -> int:
        if (note is None) is (file is None):
            raise InputError("Name the note that links, or a file of links with --from.")
        _require_share(least)
        start_servers(vault, data_dir)
        from graphs.cli.commands.links import batch as link_batch

        if file is not None:
            return run_async(
                link_batch.approve_file(
                    file, yes=yes, as_json=as_json, vault=vault, data_dir=data_dir
                )
            )
        wanted = link_batch.Wanted(
            note=note or "",
            others=others or [],
            least=least,
            relation=kind,
            context=context,
            spot=spot,
            section=section,
            one_way=one_way,
        )
        return run_async(
            link_batch.approve(wanted, yes=yes, as_json=as_json, vault=vault, data_dir=data_dir)
        )

    run(start)


def _require_share(least: float) -> None:
    if not 0 <= least <= 1:  # nor is what is no number
        raise InputError("--least is a probability from 0 to 1, as in --least 0.5.")


def orphans(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    limit: Annotated[int, typer.Option("--limit", help="At most so many.")] = 20,
    hubs: Annotated[
        bool, typer.Option("--hubs", help="Instead: the notes with the most links.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the notes without a link in or out, then those with the fewest."""

    def start() -> int:
        from graphs.cli.commands.links import overview as link_overview

        return run_async(
            link_overview.orphans(
                vault=vault, data_dir=data_dir, limit=limit, hubs=hubs, as_json=as_json
            )
        )

    run(start)


def mentions(
    note: Annotated[
        str | None, typer.Argument(metavar="[NOTE]", help="A note; without one, all of them.")
    ] = None,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    limit: Annotated[int, typer.Option("--limit", help="At most so many.")] = 100,
    as_json: AsJsonList = False,
) -> None:
    """List places where a note is named without a link to it."""

    def start() -> int:
        from graphs.cli.commands.links import overview as link_overview

        return run_async(
            link_overview.mentions(
                note, vault=vault, data_dir=data_dir, limit=limit, as_json=as_json
            )
        )

    run(start)


def link_map(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Also write it as a page that a browser opens.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show how the notes of the vault are linked."""

    def start() -> int:
        from graphs.cli.commands.links import overview as link_overview

        return run_async(
            link_overview.link_map(vault=vault, data_dir=data_dir, html=html, as_json=as_json)
        )

    run(start)
