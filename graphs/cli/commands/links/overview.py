"""What ``brain link orphans``, ``mentions`` and ``map`` do: the links of the whole vault."""

import asyncio
from pathlib import Path

from graphs.app import open_brain
from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.link_overview import show_connected, show_map, show_mentions
from graphs.cli.output.pages import kept_folders, show_written
from graphs.cli.output.progress_bars import shown_progress
from tools.base.domain import LinkMap
from tools.base.errors import InputError
from tools.rendering.html.saving import require_page, write_page


async def orphans(
    *, vault: Path | None, data_dir: Path | None, limit: int, hubs: bool, as_json: bool
) -> int:
    """List the least connected notes, or the most."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        found = await brain.links.orphans(hubs=hubs, limit=limit)
    console.show_warnings(found.warnings)
    if as_json:
        console.show_json(found)
    else:
        show_connected(found, hubs=hubs)
    return OK


async def mentions(
    note: str | None, *, vault: Path | None, data_dir: Path | None, limit: int, as_json: bool
) -> int:
    """List places where a note, or any, names another without a link."""
    if limit < 1:
        raise InputError("At least one place is listed: --limit 1.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        with shown_progress() as show:
            found = await brain.links.mentions(note, on_progress=show if note is None else None)
    console.show_warnings(found.warnings)
    shown = found.mentions[:limit]
    if as_json:
        console.show_json(shown)
    else:
        show_mentions(shown, total=len(found.mentions))
    return OK


async def link_map(
    *, vault: Path | None, data_dir: Path | None, html: Path | None, as_json: bool
) -> int:
    """Show how the vault is linked, and write its map as a page."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        settings = brain.settings
        if html is not None:
            require_page(html, kept=kept_folders(settings))
        found = await brain.links.map()
        console.show_warnings(found.warnings)
        if as_json:
            console.show_json(found)
        else:
            show_map(found)
        if html is not None:
            await asyncio.to_thread(
                _write, found, html, kept=kept_folders(settings), vault=settings.vault.name
            )
            show_written(html, as_json=as_json)
    return OK


def _write(found: LinkMap, html: Path, *, kept: tuple[Path, ...], vault: str) -> None:
    from tools.rendering.html.map_page import map_page  # it loads numpy

    write_page(map_page(found, vault=vault), html, kept=kept)
