"""What the encoder reads for a passage, made again from its note: no store keeps it."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from tools.base.errors import InputError
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import read_bytes
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""A file's time, of which nothing in a passage depends."""


def embedded_texts(
    vector_ids: Iterable[str], *, root: Path, catalog: Catalog, max_bytes: int
) -> dict[str, str]:
    """The text behind each of these vector ids.

    Absent are those of notes that were changed since they were indexed: the next run reads them.
    """
    wanted: dict[str, set[str]] = {}
    for vector_id, path in catalog.outbox.notes(vector_ids).items():
        wanted.setdefault(path, set()).add(vector_id)
    found: dict[str, str] = {}
    for path, ids in wanted.items():
        try:
            raw = read_bytes(root, path, max_bytes=max_bytes)
            chunks = chunk_note(parse_note(path, raw, mtime=_UNDATED))
        except (InputError, OSError):
            continue
        found |= {one.vector_id: one.embedding_text for one in chunks if one.vector_id in ids}
    return found
