"""The texts of versions, wherever they are kept: in our own file or in git's."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from tools.domain import Note
from tools.errors import InputError
from tools.vault.git import read_blobs
from tools.vault.history import History
from tools.vault.notes import parse_note
from tools.versions import Version

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""A file's time, which a version has none of; only the dates it states count."""


def read_past(
    versions: Iterable[Version], *, root: Path, history: History, max_bytes: int
) -> Mapping[int, Note]:
    """Versions as notes, by key; those whose text cannot be had any more are absent."""
    wanted = {version.key: version for version in versions}
    texts, blobs = history.contents(wanted)
    raw = {key: text.encode(errors="surrogatepass") for key, text in texts.items()}
    by_blob = dict(read_blobs(root, set(blobs.values()), max_bytes=max_bytes))
    raw |= {key: content for key, blob in blobs.items() if (content := by_blob[blob]) is not None}
    found: dict[int, Note] = {}
    for key, content in raw.items():
        note = parse_version(wanted[key].path, content)
        if note is not None:
            found[key] = note
    return found


def parse_version(path: str, raw: bytes) -> Note | None:
    """A version's bytes as a note, None when they are no text."""
    try:
        return parse_note(path, raw, mtime=_UNDATED)
    except InputError:
        return None
