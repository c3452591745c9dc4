"""What ``brain link`` does."""

from pathlib import Path

from graphs.app import open_brain
from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.links import show_suggestions
from graphs.links.suggest import LinkQuery


async def suggest(
    note: str,
    *,
    vault: Path | None,
    data_dir: Path | None,
    limit: int,
    threshold: float,
    either_way: bool,
    as_json: bool,
) -> int:
    """List the links that are suggested for a note."""
    query = LinkQuery(note=note, limit=limit, threshold=threshold, either_way=either_way)
    async with open_brain(vault, data_dir=data_dir) as brain:
        found = await brain.suggest_links(query)
    if as_json:
        console.show_json(found)
    else:
        show_suggestions(found)
    return OK
