"""Notes that other programs added: a person lists, reads, accepts or discards them.

What a person decides changes vault and graph, and is in the audit log as the writes of tools are.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from graphs.core.whole_step import whole
from graphs.ingest.index_written import index_written
from graphs.ingest.new_notes import accept, added_note, forget_staged
from graphs.ingest.staging import (
    agree,
    open_staging,
    parsed_note,
    resolving_in,
    staged_notes,
    staging_behind,
)
from graphs.operations.decisions import audited_decision, with_log_warning
from graphs.toolkit.audit_log.log import Record
from graphs.toolkit.audit_log.redaction import Rule
from tools.base.domain import SourceWarning
from tools.base.errors import BrainError, InputError
from tools.graph.provenance import Provenance, provenance_of
from tools.settings.settings import Settings
from tools.vault.storage.added_notes import AddedNote

if TYPE_CHECKING:
    from graphs.brain import Brain

ACCEPT, DISCARD = "accept_staged", "discard_staged"
"""What the audit log calls the two decisions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedNote:
    """A note that waits; ``text`` is there where it was asked for by its path.

    ``digest`` is the SHA-256 of its text, by which a decision holds for what was read.
    """

    path: str
    digest: str
    title: str
    added_by: str
    added_at: datetime
    source_type: str | None
    confidence: float | None
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of a staged note; ``path`` is where it is in the vault, None if it is nowhere.

    ``warnings`` say what of it the stores do not have yet.
    """

    staged: str
    path: str | None
    warnings: tuple[SourceWarning, ...] = ()


def list_staged(settings: Settings) -> Sequence[StagedNote]:
    """The notes that wait, by path. Raises StorageError."""
    return [_shown(note, text=None) for note in staged_notes(settings)]


def read_staged(settings: Settings, path: str) -> StagedNote:
    """One of them with its text. Raises InputError where none waits under this path."""
    note = _found(settings, path)
    return _shown(note, text=note.text)


async def accept_staged(
    brain: "Brain", path: str, *, new_path: str | None = None, digest: str | None = None
) -> Decision:
    """Put a staged note into the vault, where nothing may be in its place, and index it.

    With a ``digest`` only the text that was read. Raises InputError, NoteExistsError among them,
    and StorageError; it stays staged then.
    """
    settings = brain.settings
    arguments = {"path": path} if new_path is None else {"path": path, "new_path": new_path}
    rules: dict[str, Rule] = dict.fromkeys(arguments, "path")
    async with audited_decision(settings, ACCEPT, arguments, rules=rules) as record:
        note = await asyncio.to_thread(_found, settings, path, digest)
        written = await whole(_accept(settings, note, new_path or note.path, record))
        warnings = (*await index_written(brain.index), *await _take_out(settings))
    return Decision(
        staged=note.path, path=written.path, warnings=with_log_warning(warnings, record)
    )


async def discard_staged(settings: Settings, path: str, *, digest: str | None = None) -> Decision:
    """Let a staged note go for good, with a ``digest`` only the text that was read.

    Raises InputError and StorageError.
    """
    deciding = audited_decision(
        settings, DISCARD, {"path": path}, rules={"path": "path"}, removes_notes=True
    )
    async with deciding as record:
        note = await asyncio.to_thread(_found, settings, path, digest)
        await whole(_discard(settings, note, record))
        warnings = await _take_out(settings)
    return Decision(staged=note.path, path=None, warnings=with_log_warning(warnings, record))


async def _accept(settings: Settings, note: AddedNote, path: str, record: Record) -> AddedNote:
    kept = await asyncio.to_thread(accept, settings, note, path=path)
    record.written.append(kept.path)
    return kept


async def _discard(settings: Settings, note: AddedNote, record: Record) -> None:
    if not await asyncio.to_thread(forget_staged, settings, note):
        raise _changed(note.path)
    record.written.append(note.path)


async def _take_out(settings: Settings) -> tuple[SourceWarning, ...]:
    """Have the staging graph say what is staged now."""
    try:
        async with open_staging(settings, None) as store:
            await agree(store, settings, partial(resolving_in, settings))
    except BrainError as error:
        return (staging_behind(error),)
    return ()


def _found(settings: Settings, path: str, digest: str | None = None) -> AddedNote:
    note = added_note(settings, path)
    if note is None or note.place != "staging":
        raise InputError(f"No staged note is called {path!r}: `brain staged` lists them.")
    if digest is not None and note.digest != digest:
        raise _changed(path)
    return note


def _changed(path: str) -> InputError:
    return InputError(
        f"What waits under {path!r} is not what was shown any more, so nothing was done: `brain "
        "staged show` shows it."
    )


def _shown(note: AddedNote, *, text: str | None) -> StagedNote:
    read = parsed_note(note)
    stated = provenance_of(read.frontmatter) or Provenance()
    return StagedNote(
        path=note.path,
        digest=note.digest,
        title=read.title,
        added_by=note.added_by,
        added_at=note.added_at,
        source_type=stated.source_type,
        confidence=stated.confidence,
        text=text,
    )
