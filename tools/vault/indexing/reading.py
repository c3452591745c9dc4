"""One note's file, read, parsed and made ready for the stores. Pure but for reading the file."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tools.base.domain import Note, NoteFile
from tools.base.errors import InputError
from tools.graph.statements import version_content
from tools.vault.disk.files import read_bytes, saved_at
from tools.vault.git.log import GitDates
from tools.vault.history.history_rows import Sighting, sight
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note
from tools.vault.storage.entries import Entry, entry
from tools.vault.storage.packing import Packing


@dataclass(frozen=True, slots=True)
class Task:
    """A file to read, and what is known of it: the hash that was indexed, and git's dates."""

    file: NoteFile
    content_hash: str | None
    git: GitDates | None


@dataclass(frozen=True, slots=True)
class Read:
    """A note as the stores keep it; neither is there where its content is as it was indexed."""

    file: NoteFile
    warnings: tuple[str, ...]
    entry: Entry | None = None
    sighting: Sighting | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that gave no note: it is gone, or ``why`` says what is wrong with it."""

    file: NoteFile
    why: str | None


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the notes below ``root`` that have at most ``max_bytes``."""

    root: Path
    max_bytes: int
    packing: Packing

    def read(self, task: Task) -> Read | Unread:
        """What a run of indexing needs to know of this file."""
        file = task.file
        try:
            raw, note = read_note(file, root=self.root, max_bytes=self.max_bytes, git=task.git)
        except FileNotFoundError:
            return Unread(file, None)
        except (InputError, OSError) as error:
            return Unread(file, _message(error))
        if note.content_hash == task.content_hash:
            return Read(file, note.warnings)
        return Read(
            file,
            note.warnings,
            entry(note, chunk_note(note), file, self.packing),
            sighting_of(file, raw, note),
        )


def read_note(
    file: NoteFile, *, root: Path, max_bytes: int, git: GitDates | None
) -> tuple[bytes, Note]:
    """A file's bytes and what they say. Raises FileNotFoundError, InputError, OSError."""
    raw = read_bytes(root, file.path, max_bytes=max_bytes)
    return raw, parse_file(file, raw, git=git)


def parse_file(file: NoteFile, raw: bytes, *, git: GitDates | None) -> Note:
    """What a file's bytes say, dated by the file where nothing else dates the note."""
    return parse_note(file.path, raw, mtime=saved_at(file, now=datetime.now(UTC)), git=git)


def sighting_of(file: NoteFile, raw: bytes, note: Note) -> Sighting:
    """The note as the history keeps it."""
    saved = saved_at(file, now=datetime.now(UTC))
    return sight(file.path, raw, text=note.text, said=version_content(note), saved_at=saved)


def _message(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror or 'unknown error'}); the other notes are indexed"
    return str(error)
