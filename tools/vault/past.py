"""The texts of versions, wherever they are kept: in our own file or in git's."""

import contextlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from tools.domain import Note
from tools.errors import InputError, SourceError
from tools.vault.git_blobs import read_blobs
from tools.vault.history import History
from tools.vault.notes import parse_note
from tools.versions import Version

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""A file's time, which a version has none of; only the dates it states count."""


def read_past(
    versions: Iterable[Version], *, root: Path, history: History, max_bytes: int
) -> Mapping[int, Note]:
    """Versions as notes, by key; those whose text cannot be had any more are absent."""
    wanted = {version.key: version.path for version in versions}
    texts, blobs = history.contents(wanted)
    by_blob: dict[str, list[int]] = {}
    for key, blob in blobs.items():
        by_blob.setdefault(blob, []).append(key)
    found = {
        key: parse_version(wanted[key], text.encode(errors="surrogatepass"))
        for key, text in texts.items()
    }
    # Without git there still is what we saw ourselves.
    with contextlib.suppress(SourceError):
        for blob, raw in read_blobs(root, by_blob, max_bytes=max_bytes):
            if raw is not None:
                found |= {key: parse_version(wanted[key], raw) for key in by_blob[blob]}
    return {key: note for key, note in found.items() if note is not None}


def parse_version(path: str, raw: bytes) -> Note | None:
    """A version's bytes as a note, None when they are no text."""
    try:
        return parse_note(path, raw, mtime=_UNDATED)
    except InputError:
        return None
