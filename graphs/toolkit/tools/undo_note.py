"""The tool by which another program takes back a note that it, or another one, added."""

import asyncio
from dataclasses import dataclass

from graphs.core.whole_step import whole
from graphs.ingest.index_written import index_written
from graphs.ingest.new_notes import added_note
from graphs.ingest.staging import agree, open_staging, resolving, staging_behind
from graphs.toolkit.arguments import NodeId
from graphs.toolkit.tool import Arguments, Session, tool
from graphs.toolkit.tools.note_writes import remove_added, unstage
from tools.base.domain import SourceWarning
from tools.base.errors import AccessError, BrainError, InputError
from tools.vault.storage.added_notes import AddedNote, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoAddNote(Arguments):
    note: NodeId
    """The path, or note_id, that add_note_to_graph gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteUndone:
    """``removed`` is false where the note was gone from the vault already."""

    note_id: str
    place: Place
    removed: bool
    warnings: tuple[SourceWarning, ...] = ()


@tool(
    "Take back a note that was added",
    tier="contributor",
    looks_itself=True,
    removes="notes",
    prerequisites=("add_note_to_graph",),
    next_steps=("search_notes",),
)
async def undo_add_note(session: Session, given: UndoAddNote) -> NoteUndone:
    """Take back what add_note_to_graph added, if nobody has changed it since.

    A contributor takes back staged notes, a librarian also those that became files in the vault.
    """
    known = await asyncio.to_thread(added_note, session.brain.settings, given.note)
    if known is None:
        raise InputError(
            f"No note was added under {given.note!r}: give the note_id of add_note_to_graph."
        )
    if known.place == "staging":
        return await _unstage(session, known)
    if session.caller.tier not in ("librarian", "curator"):
        raise AccessError(
            f"A {session.caller.tier} takes back staged notes only, and {known.path!r} is in the "
            "vault: the person, or a librarian, removes it."
        )
    removed = await whole(remove_added(session, known))
    warnings = await index_written(session.brain.index)
    return NoteUndone(note_id=known.path, place="vault", removed=removed, warnings=warnings)


async def _unstage(session: Session, known: AddedNote) -> NoteUndone:
    settings = session.brain.settings
    async with open_staging(settings, session.login) as store:
        removed = await whole(unstage(session, store, known))
        warnings: tuple[SourceWarning, ...] = ()
        try:
            await agree(store, settings, lambda: resolving(session.deps.catalog))
        except BrainError as error:
            warnings = (staging_behind(error),)
    return NoteUndone(note_id=known.path, place="staging", removed=removed, warnings=warnings)
