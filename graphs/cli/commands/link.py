"""What ``brain link`` does."""

from pathlib import Path

from graphs.app import open_brain
from graphs.cli.output import console
from graphs.cli.output.agreement import require_agreement, require_person
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.links import show_history, show_plan, show_suggestions
from graphs.links.create import LinkRequest
from graphs.links.journal import reading
from graphs.links.suggest import LinkQuery
from tools.base.errors import InputError
from tools.settings.loading import load_settings
from tools.vault.editing.places import AsField, InFrontmatter, InSection, Place


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


async def create(
    source: str,
    target: str,
    *,
    kind: str,
    context: str,
    spot: str,
    section: str,
    one_way: bool,
    yes: bool,
    vault: Path | None,
    data_dir: Path | None,
    as_json: bool,
) -> int:
    """Write a link once the user agrees to what it changes."""
    place = _place(spot, section)
    request = LinkRequest(
        source=source,
        target=target,
        relation=kind,
        context=context,
        place=place,
        back=None if one_way else place,
    )
    if not yes:
        require_person("Nothing was written: add --yes to have it written without being asked.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        planned = await brain.plan_link(request, by="terminal")
        if not (yes and as_json):
            show_plan(planned)
        if not yes:
            require_agreement("Write this into the notes?", otherwise="Nothing was written.")
        written, warnings = await brain.create_link(planned)
    if as_json:
        console.show_json(written)
    else:
        console.show_line(f"Linked ({written.id}): {written.source} {kind} {written.target}.")
        console.show_remark("`brain link undo` takes it out again.")
    console.show_warnings(warnings)
    return OK


def _place(spot: str, section: str) -> Place:
    if spot == "section":
        return InSection(heading=section)
    return AsField() if spot == "field" else InFrontmatter()


async def undo(count: int, *, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Take the last links out again."""
    if count < 1:
        raise InputError("At least one link is taken out: brain link undo 1.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        outcome, warnings = await brain.undo_links(count)
    if as_json:
        console.show_json(outcome)
    for one in () if as_json else outcome.writes:
        console.show_line(f"Taken out ({one.id}): {one.source} {one.relation} {one.target}.")
    for refused in outcome.refused:
        console.show_remark(refused)
    if not outcome.writes and not outcome.refused:
        console.show_remark("No link is there that was written by `brain link create`.")
    console.show_warnings(warnings)
    return OK


def history(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """List the links that were written."""
    with reading(load_settings(vault=vault, data_dir=data_dir)) as journal:
        writes = journal.history() if journal is not None else []
    if as_json:
        console.show_json(writes)
    else:
        show_history(writes)
    return OK
