"""The rows of a vault's history: notes that come, move and go, and texts as they are stored."""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from tools.graph.relations import SUPERSEDES
from tools.graph.versions import Version, VersionContent, content_from_json, merge
from tools.vault.disk.folders import Folders
from tools.vault.storage.database import Database, as_text

MOVED_ASIDE = "\n"
"""Stands in the path of a note that is gone and whose path another note was moved to."""


_MOST_BESIDE = 30_000
"""Bytes of a text beside which something is packed: further back zlib does not look."""
_FRAME = (
    b'{"title":"","opening":"# ","created":null,"modified":"2024-05-01T00:00:00+00:00","aliases":[]'
    b',"note_type":null,"building_block":null,"statements":[["LINKS_TO","","link",1,0.6],'
    b'["TAGGED","","tag",3,0.4],["EMBEDS","","link",1,0.7],["CAUSES","","link",1,0.9]]}'
)
"""What all of it begins and ends with. Files are read with it: not a byte of it may ever change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A note as it is on disk, made ready to be kept.

    ``blobs`` is what git may call its content, ``targets`` what it names and whether it supersedes
    that; ``said`` and ``content`` are packed.
    """

    path: str
    digest: str
    blobs: tuple[str, ...]
    said: bytes
    targets: tuple[tuple[str, bool], ...]
    content: bytes
    saved_at: datetime


def sight(
    path: str, raw: bytes, *, text: str, said: VersionContent, saved_at: datetime
) -> Sighting:
    """A note's bytes, its text and what that says, and its file's time, as they are kept."""
    return Sighting(
        path=path,
        digest=text_hash(text),
        blobs=blob_ids(raw),
        said=pack_content(said, text),
        targets=targets(said),
        content=packed(text),
        saved_at=saved_at,
    )


def text_hash(text: str) -> str:
    """What tells one text from another, whatever its line ends were in the file."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def find_note(db: sqlite3.Connection, path: str) -> int | None:
    row = db.execute("SELECT id FROM notes WHERE path = ?", (path,)).fetchone()
    return row[0] if row else None


def add_note(db: sqlite3.Connection, path: str) -> int:
    return db.execute("INSERT INTO notes (path) VALUES (?) RETURNING id", (path,)).fetchone()[0]


def move_note(db: sqlite3.Connection, path: str, digest: str, since: datetime) -> int | None:
    """The note with this text that went missing since this moment, now under ``path``."""
    row = db.execute(
        "SELECT g.note_id, g.id FROM versions g JOIN notes n ON n.id = g.note_id "
        "WHERE g.origin = 'seen' AND g.at >= ? AND NOT n.live AND g.content_hash IS NULL "
        "AND ? = (SELECT content_hash FROM versions v WHERE v.note_id = g.note_id "
        "AND v.content_hash IS NOT NULL ORDER BY v.id DESC LIMIT 1)",
        (moment_text(since), digest),
    ).fetchone()
    if row is None:
        return None
    db.execute("DELETE FROM versions WHERE id = ?", (row[1],))
    db.execute("UPDATE notes SET path = ?, digest = NULL WHERE id = ?", (path, row[0]))
    return row[0]


def rename_note(db: sqlite3.Connection, former: str, path: str) -> int | None:
    """The note that a commit moved from ``former`` to ``path``."""
    note_id, there = find_note(db, former), find_note(db, path)
    if note_id is None:
        return None
    if there is not None and there != note_id:
        in_git = db.execute(
            "SELECT 1 FROM versions WHERE note_id = ? AND origin = 'git'", (there,)
        ).fetchone()
        if in_git:  # another note, which is gone
            db.execute(
                "UPDATE notes SET path = path || ?, dirty = 1, digest = NULL WHERE id = ?",
                (f"{MOVED_ASIDE}{there}", there),
            )
        else:  # the same note, which we saw there before it was committed
            db.execute("UPDATE versions SET note_id = ? WHERE note_id = ?", (note_id, there))
            db.execute(
                "UPDATE OR IGNORE targets SET note_id = ? WHERE note_id = ?", (note_id, there)
            )
            db.execute("DELETE FROM notes WHERE id = ?", (there,))
    db.execute(
        "DELETE FROM versions WHERE note_id = ? AND origin = 'seen' AND content_hash IS NULL",
        (note_id,),
    )
    db.execute("UPDATE notes SET path = ?, dirty = 1, digest = NULL WHERE id = ?", (path, note_id))
    return note_id


def not_before(db: sqlite3.Connection, note_id: int, at: datetime) -> datetime:
    """``at``, or just after all that is known of the note where the clock was put back since.

    What is seen now comes after what was seen before, whatever the clock says.
    """
    ((last,),) = db.execute("SELECT max(at) FROM versions WHERE note_id = ?", (note_id,))
    if last is None or read_moment(last) <= at:
        return at
    return read_moment(last) + timedelta(microseconds=1)


def is_latest(db: sqlite3.Connection, note_id: int, note: Sighting) -> bool:
    """Whether the note's last known text is this one, under this path."""
    path, content_hash, blob = last_text(db, note_id)
    if path != note.path:
        return False
    return content_hash == note.digest or (blob is not None and blob in note.blobs)


def is_there(db: sqlite3.Connection, note_id: int) -> bool:
    """Whether the note's last known version is a text."""
    _, content_hash, blob = last_text(db, note_id)
    return content_hash is not None or blob is not None


def last_text(db: sqlite3.Connection, note_id: int) -> tuple[str | None, str | None, str | None]:
    """(Path, hash, blob) of the version that ``merge`` puts last.

    What was seen after the last commit, else the last commit, whatever its clock said.
    """
    row = db.execute(
        f"SELECT path, content_hash, blob FROM versions v WHERE note_id = ? {_LAST}",  # noqa: S608
        (note_id,),
    ).fetchone()
    return row or (None, None, None)


_LAST = """ORDER BY
CASE WHEN origin = 'git' THEN 1 WHEN at > coalesce((SELECT max(at) FROM versions g
WHERE g.note_id = v.note_id AND g.origin = 'git'), '') THEN 2 ELSE 0 END DESC,
CASE WHEN origin = 'seen' THEN at END DESC, id DESC LIMIT 1"""

LAST_TEXTS = f"""
SELECT n.path, l.content_hash, l.blob FROM notes n JOIN versions l
ON l.id = (SELECT v.id FROM versions v WHERE v.note_id = n.id {_LAST}) WHERE n.live
"""  # noqa: S608
"""(Path, hash, blob) of the same version of every note there is."""


def blob_ids(raw: bytes) -> tuple[str, ...]:
    """What git calls this content, in either object format, also where it turns line ends."""
    names: list[str] = []
    for content in (raw, raw.replace(b"\r\n", b"\n")):
        whole = b"blob %d\0" % len(content) + content
        names += [
            hashlib.sha1(whole, usedforsecurity=False).hexdigest(),
            hashlib.sha256(whole).hexdigest(),
        ]
    return tuple(names)


def targets(said: VersionContent) -> tuple[tuple[str, bool], ...]:
    """What a text names, as it is written, and whether it says that it supersedes that."""
    return tuple(
        (statement.target, statement.relation == SUPERSEDES)
        for statement in said.statements
        if statement.kind != "tag"
    )


def add_targets(db: sqlite3.Connection, note_id: int, named: Iterable[tuple[str, bool]]) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO targets VALUES (?, ?, ?)", [(note_id, *one) for one in named]
    )


def read_version(row: Sequence[Any]) -> Version:
    """A version from its key, origin, path, at, content_hash, saved_at, undated, said and content.

    Raises ValueError for values that make none.
    """
    key, origin, path, at, content_hash, saved_at, undated, said, content = row
    return Version(
        key=key,
        origin="git" if as_text(origin) == "git" else "seen",
        path=as_text(path),
        at=read_moment(at),
        content_hash=as_text(content_hash) if content_hash is not None else None,
        saved_at=read_moment(saved_at) if saved_at else None,
        undated=bool(undated),
        said=_read_said(said, content) if said else None,
    )


def _read_said(stored: Any, content: Any) -> VersionContent:
    beside = unpacked(content) if content is not None else ""
    try:
        unpacking = zlib.decompressobj(zdict=_beside(beside))
        text = (unpacking.decompress(stored) + unpacking.flush()).decode(errors="surrogatepass")
        return content_from_json(text)
    except zlib.error as error:
        raise ValueError("this is no packed text") from error
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("these are not the parts of what a version says") from error


def merged(versions: Sequence[Version]) -> list[Version]:
    """The versions of one note, in any order, as one sequence; what only git has was read."""
    ordered = sorted(versions, key=lambda version: version.key)
    git = [version for version in ordered if version.origin == "git"]
    seen = [version for version in ordered if version.origin == "seen"]
    return merge(git, sorted(seen, key=lambda version: version.at))


def moment_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def read_moment(written: Any) -> datetime:
    """A moment as ``moment_text`` wrote it. Raises ValueError."""
    moment = datetime.fromisoformat(as_text(written))
    if moment.tzinfo is None:
        raise ValueError("no moment without a zone is written")
    return moment


def pack_content(said: VersionContent, text: str = "") -> bytes:
    """What a text says, packed beside that text where it is kept: it says much of it again."""
    packing = zlib.compressobj(zdict=_beside(text))
    return packing.compress(said.to_json().encode(errors="surrogatepass")) + packing.flush()


def _beside(text: str) -> bytes:
    return text.encode(errors="surrogatepass")[:_MOST_BESIDE] + _FRAME


def packed(text: str) -> bytes:
    return zlib.compress(text.encode(errors="surrogatepass"))


def unpacked(stored: Any) -> str:
    """The text that was ``packed`` into this value. Raises ValueError where none was."""
    try:
        return zlib.decompress(stored).decode(errors="surrogatepass")
    except (zlib.error, TypeError) as error:
        raise ValueError("this is no packed text") from error


def meta(db: Database, key: str) -> str | None:
    """A value that the file keeps about itself."""
    rows = db.texts("SELECT value FROM meta WHERE key = ?", (key,))
    return rows[0][0] if rows else None


def paths_in(folders: Folders, db: Database, sql: str, *parameters: object) -> list[str]:
    """Those of the paths that a query gives that are in these folders."""
    return [path for (path,) in db.texts(sql, parameters) if path in folders]
