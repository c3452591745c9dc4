"""What each command about time does, as a coroutine that ends in an exit code."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.cli.output import console
from graphs.cli.output import facts as terminal_facts
from graphs.cli.output import timeline as terminal_time
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.pages import kept_folders, show_written
from tools.base.domain import Moment, Neighbourhood
from tools.base.errors import InputError
from tools.graph.cypher.walk import MAX_HOPS
from tools.graph.relations import CAUSAL
from tools.rendering.html.page import require_drawing
from tools.rendering.html.saving import require_page, write_page
from tools.rendering.html.timeline_page import timeline_page
from tools.temporal.clock import local_now
from tools.temporal.periods.moments import read_moment, read_start


async def facts(
    subject: str,
    *,
    vault: Path | None,
    data_dir: Path | None,
    as_of: str | None,
    known_at: str | None,
    ever: bool,
    as_json: bool,
) -> int:
    """List facts."""
    at = moment(as_of, known_at)
    if ever and at != Moment():
        raise InputError("--ever lists every time: leave out --as-of and --known-at.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        found = await brain.facts(subject, at=at, ever=ever)
        console.show_warnings(found.warnings)
        if as_json:
            console.show_json(found.facts)
        else:
            terminal_facts.show_facts(found, subject=subject, at=at, ever=ever)
    return OK


async def timeline(
    concept: str,
    *,
    vault: Path | None,
    data_dir: Path | None,
    since: str | None,
    until: str | None,
    html: Path | None,
    as_json: bool,
) -> int:
    """Show how a concept evolved."""
    now = local_now()
    start = read_start(since, now=now) if since is not None else None
    end = read_moment(until, now=now) if until is not None else None
    if start is not None and end is not None and start > end:
        raise InputError("--since is later than --until: swap them.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        kept = kept_folders(brain.settings)
        if html is not None:
            require_drawing()
            require_page(html, kept=kept)
        found = await brain.evolution(concept, since=start, until=end)
        console.show_warnings(found.warnings)
        if as_json:
            console.show_json(found)
        elif found.occurrences:
            terminal_time.show_evolution(found, vault=brain.settings.vault.name)
        else:
            within = " in that time" if start or end else ""
            console.show_line(f"No note speaks of {concept!r}{within}: try other words.")
        if html is not None:
            await asyncio.to_thread(lambda: write_page(timeline_page(found), html, kept=kept))
            show_written(html, as_json=as_json)
    return OK


async def graph(
    name: str,
    *,
    vault: Path | None,
    data_dir: Path | None,
    to: str | None,
    hops: int | None,
    as_of: str | None,
    known_at: str | None,
    html: Path | None,
    as_json: bool,
) -> int:
    """Show what lies around something, or how two notes are connected."""
    at = moment(as_of, known_at)
    if to is not None and html is not None:
        raise InputError("A page shows what lies around one thing: leave out --to or --html.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        if to is not None:
            return await _connection(
                brain, (name, to), MAX_HOPS if hops is None else hops, at, as_json=as_json
            )
        kept = kept_folders(brain.settings)
        if html is not None:
            require_drawing()
            require_page(html, kept=kept)
        hops = 1 if hops is None else hops
        found = await brain.neighbourhood(name, hops=hops, at=at)
        console.show_warnings(found.warnings)
        if as_json:
            console.show_json(found)
        elif found.nodes:
            terminal_facts.show_neighbourhood(found, at=at)
        else:
            console.show_line(f"No note is called {name!r} and none names it: try `brain search`.")
        if html is not None:  # its slider goes through all times
            ever = await brain.neighbourhood(name, hops=hops, at=None)
            await asyncio.to_thread(_write_graph, ever, at, html, kept)
            show_written(html, as_json=as_json)
    return OK


async def _connection(
    brain: Brain, names: tuple[str, str], hops: int, at: Moment, *, as_json: bool
) -> int:
    found = await brain.connection(*names, hops=hops, at=at)
    console.show_warnings(found.warnings)
    if as_json:
        console.show_json(found)
    else:
        terminal_facts.show_connection(found, names=names, hops=hops, at=at)
    return OK


def _write_graph(found: Neighbourhood, at: Moment, html: Path, kept: Sequence[Path]) -> None:
    from tools.rendering.html.graph_page import graph_page  # it loads numpy

    page = graph_page(found, causal=CAUSAL, now=local_now(), at=at)
    write_page(page, html, kept=kept)


def moment(as_of: str | None, known_at: str | None) -> Moment:
    """The point on both axes that the options name. Raises InputError."""
    now = local_now()
    return Moment(
        as_of=read_moment(as_of, now=now) if as_of is not None else None,
        known_at=read_moment(known_at, now=now) if known_at is not None else None,
    )
