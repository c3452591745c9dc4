"""What ``brain staged`` does: list, show, accept and discard notes that other programs added."""

import asyncio
from pathlib import Path

from graphs.cli.output import console
from graphs.cli.output.agreement import require_agreement, require_person
from graphs.cli.output.exit_codes import OK
from graphs.operations import staged
from graphs.operations.staged import Decision, StagedNote
from tools.base.guards import one_line, terminal_text
from tools.settings.loading import load_settings
from tools.text.voice import stamp


def waiting(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """List the notes that wait."""
    notes = staged.list_staged(load_settings(vault=vault, data_dir=data_dir))
    if as_json:
        console.show_json(notes)
        return OK
    for note in notes:
        console.show_line(_line(note))
    if notes:
        console.show_remark("`brain staged show`, `accept` or `discard` PATH goes on with one.")
    else:
        console.show_remark("No note waits to be looked at.")
    return OK


def show(path: str, *, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Print one with its text."""
    note = staged.read_staged(load_settings(vault=vault, data_dir=data_dir), path)
    if as_json:
        console.show_json(note)
    else:
        console.show_remark(_line(note))
        console.show_line((note.text or "").rstrip("\n"))
    return OK


async def accept(
    path: str,
    *,
    new_path: str | None,
    vault: Path | None,
    data_dir: Path | None,
    yes: bool,
    as_json: bool,
) -> int:
    """Put one into the vault once the user agrees."""
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir)
    note = await asyncio.to_thread(staged.read_staged, settings, path)
    place = one_line(new_path or note.path)
    if not yes:
        question = f"Put it into the vault as {place!r}?"
        await _agree(note, question, undone="written", as_json=as_json)
    from graphs.app import open_brain  # who only looks waits for none of it

    async with open_brain(vault, data_dir=data_dir) as brain:
        decision = await staged.accept_staged(
            brain, note.path, new_path=new_path, digest=note.digest
        )
    _show(decision, f"Accepted: {decision.path} is in the vault.", as_json=as_json)
    return OK


async def discard(
    path: str, *, vault: Path | None, data_dir: Path | None, yes: bool, as_json: bool
) -> int:
    """Let one go once the user agrees."""
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir)
    note = await asyncio.to_thread(staged.read_staged, settings, path)
    if not yes:
        await _agree(note, "Let it go for good?", undone="discarded", as_json=as_json)
    decision = await staged.discard_staged(settings, note.path, digest=note.digest)
    _show(decision, f"Discarded: {decision.staged}.", as_json=as_json)
    return OK


async def _agree(note: StagedNote, question: str, *, undone: str, as_json: bool) -> None:
    """Show the note and ask. Raises InputError where the user does not agree, or is not there."""
    require_person(
        f"Nothing was {undone}: `brain staged show` shows the note, --yes does it without asking."
    )
    console.show_remark(_line(note))
    text = terminal_text((note.text or "").rstrip("\n"))
    if as_json:  # standard output is for the one document
        console.show_remark(text)
    else:
        console.show_line(text)
    await require_agreement(question, otherwise=f"Nothing was {undone}.")


def _show(decision: Decision, line: str, *, as_json: bool) -> None:
    if as_json:
        console.show_json(decision)
        return
    console.show_line(one_line(line))
    console.show_warnings(decision.warnings)


def _line(note: StagedNote) -> str:
    """When, where, by whom, from what and how surely, on one line."""
    source = f", from a {note.source_type}" if note.source_type else ""
    sure = f", confidence {note.confidence:g}" if note.confidence is not None else ""
    day = stamp(note.added_at.astimezone())
    return one_line(f"{day} {note.path}: {note.title!r} by {note.added_by}{source}{sure}")
