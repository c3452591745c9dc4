"""The note that a name means, as its file is now."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from graphs.core.deps import Deps
from graphs.query.retrieval.facts import notes_by_name
from tools.base import guards
from tools.base.domain import Note
from tools.base.errors import InputError
from tools.vault.disk.files import read_bytes
from tools.vault.notes.notes import parse_note

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_NAMED = 5


def find_note(deps: Deps, name: str, *, alone: bool = False) -> Note:
    """The note of this path, title or alias; it blocks.

    Raises InputError where there is none, and where there are several and it has to be ``alone``.
    """
    said = guards.subject(name)
    paths = [said] if deps.catalog.records([said]) else notes_by_name(deps, said)
    if alone and len(paths) > 1:
        raise InputError(
            f"{said!r} may be {' or '.join(paths[:_MOST_NAMED])}: say which by its path."
        )
    for path in paths[:1]:
        with suppress(OSError):
            return read_note(deps, path)
    raise InputError(_why_none(deps.settings.vault, said))


def read_note(deps: Deps, path: str) -> Note:
    """The note at a path as its file is now, undated; it blocks. Raises OSError and InputError."""
    settings = deps.settings
    raw = read_bytes(settings.vault, path, max_bytes=settings.max_note_bytes)
    return parse_note(path, raw, mtime=_UNDATED)


def _why_none(vault: Path, said: str) -> str:
    parts = said.split("/")
    if said.startswith("/") or ".." in parts:
        return f"{said!r} is not a path inside the vault: give a note's path from its folder on."
    with suppress(OSError, ValueError):
        if len(parts) > 1 or "." in said:
            os.lstat(vault / said)
            return f"{said!r} is no note: only .md files that lie in the vault themselves are."
    return f"No note is called {said!r}: `brain search` finds it by its words."
