"""The texts of versions, wherever they are kept: in our own file or in git's."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from tools.base.domain import Note
from tools.base.errors import InputError, SourceError
from tools.graph.versions import Version
from tools.vault.git.blobs import read_blobs
from tools.vault.history.history import History
from tools.vault.notes.notes import parse_note

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""A file's time, which a version has none of; only the dates it states count."""


def read_past(
    versions: Iterable[Version], *, root: Path, history: History, max_bytes: int
) -> Mapping[int, Note]:
    """Versions as notes, by key; those whose text cannot be had any more are absent."""
    wanted = {version.key: version for version in versions}
    contents = past_contents(wanted.values(), root=root, history=history, max_bytes=max_bytes)
    parsed = {
        key: parse_version(version.path, raw)
        for (key, version), raw in zip(wanted.items(), contents, strict=True)
        if raw is not None
    }
    return {key: note for key, note in parsed.items() if note is not None}


def past_contents(
    versions: Iterable[Version], *, root: Path, history: History, max_bytes: int
) -> Iterator[bytes | None]:
    """The bytes of each version, in order, one in memory at a time.

    None where they cannot be had: without git there still is what we saw ourselves.
    """
    wanted = [version.key for version in versions]
    blobs = history.blobs(wanted)
    of_git = read_blobs(root, (blobs[key] for key in wanted if key in blobs), max_bytes=max_bytes)
    for key in wanted:
        if key not in blobs:
            text = history.text(key)
            yield text.encode(errors="surrogatepass") if text is not None else None
            continue
        try:
            yield next(of_git)[1]
        except (SourceError, StopIteration):
            yield None  # the generator is at its end once it has failed


def parse_version(path: str, raw: bytes) -> Note | None:
    """A version's bytes as a note, None when they are no text."""
    try:
        return parse_note(path, raw, mtime=_UNDATED)
    except InputError:
        return None
