"""Catalogs of a few notes, written by the real parser."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from tools.base.domain import NoteFile
from tools.vault.catalog.catalog import Catalog
from tools.vault.git.log import GitDates
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note
from tools.vault.storage.entries import entry


def written_catalog(
    place: Path,
    notes: Mapping[str, str],
    *,
    saved: datetime,
    edited: Mapping[str, datetime] = MappingProxyType({}),
    committed: bool = False,
) -> Catalog:
    """The catalog of these notes, by path, all saved at one time but for those ``edited`` later.

    With ``committed`` it is git that knows these times.
    """
    place.mkdir(exist_ok=True)
    catalog = Catalog(place / "index.db")
    for path, text in notes.items():
        at = edited.get(path, saved)
        git = GitDates(first=at, last=at) if committed else None
        note = parse_note(path, text.encode(), mtime=at, git=git)
        file = NoteFile(path=path, size=len(text), mtime_ns=int(at.timestamp() * 1e9))
        catalog.write([entry(note, chunk_note(note), file, catalog.texts.packing())])
    return catalog
