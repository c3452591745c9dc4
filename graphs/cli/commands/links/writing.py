"""What ``brain link`` does."""

from dataclasses import replace
from pathlib import Path

from graphs.app import open_brain
from graphs.cli.output import console
from graphs.cli.output.agreement import require_agreement, require_person
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.links import (
    AGREE,
    show_not_undone,
    show_plan,
    show_suggestions,
    show_undone,
    show_written,
)
from graphs.links.suggesting.suggest import LinkQuery
from graphs.operations.decisions import TERMINAL
from graphs.operations.links import undo_links, write_link
from tools.base.errors import InputError
from tools.links.planned import LinkRequest


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
        found = await brain.links.suggest(query)
    if as_json:
        console.show_json(found)
    else:
        show_suggestions(found)
    return OK


async def create(
    source: str,
    target: str,
    *,
    kind: str,
    context: str,
    spot: str,
    section: str,
    line: int | None,
    one_way: bool,
    yes: bool,
    vault: Path | None,
    data_dir: Path | None,
    as_json: bool,
) -> int:
    """Write a link once the user agrees to what it changes."""
    if line is not None and spot != "mention":
        raise InputError("--line chooses among mentions: add --at mention, or leave it out.")
    if not yes:
        require_person("Nothing was written: add --yes to have it written without being asked.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        request = LinkRequest.at_spot(
            source,
            target,
            relation=kind,
            context=context,
            spot="section" if spot == "mention" else spot,
            section=section,
            one_way=one_way,
        )
        if spot == "mention":
            place = await brain.links.mention_place(source, target, line=line)
            request = replace(request, place=place)
        planned = await brain.links.plan(request, by=TERMINAL)
        if not (yes and as_json):
            show_plan(planned)
        if not yes:
            await require_agreement(AGREE, otherwise="Nothing was written.")
        written, warnings = await write_link(brain, planned)
    if as_json:
        console.show_json(written)
        console.show_warnings(warnings)
    else:
        show_written(written, warnings)
    return OK


async def undo(count: int, *, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Take the last links out again."""
    if count < 1:
        raise InputError("At least one link is taken out: brain link undo 1.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        outcome, warnings = await undo_links(brain, count)
    if as_json:
        console.show_json(outcome)
        show_not_undone(outcome, warnings)
    else:
        show_undone(outcome, warnings)
    return OK
