"""What a model would have read in notes, ready-made: a test names only what it is about."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from tools.graph.episodes import Closing, Extraction, InferredFact
from tools.graph.extraction.store import InferredStore, NoteVersion

Damage = Literal["no database", "newer", "a damaged fact"]

START = datetime(2024, 1, 1, tzinfo=UTC)


def at(day: int) -> datetime:
    return START + timedelta(days=day)


def version(path: str = "a.md", content: str = "1", parts: int = 1) -> NoteVersion:
    return NoteVersion(path=path, content_hash=content, parts=parts)


def fact(uuid: str, of: NoteVersion, *, day: int = 0) -> InferredFact:
    return InferredFact(
        uuid=uuid,
        note_path=of.path,
        content_hash=of.content_hash,
        episode=f"{of.path}|{of.content_hash}",
        line=1,
        subject="Ada",
        relation="LEADS",
        object=uuid,
        fact=f"Ada leads {uuid}",
        created_at=at(day),
        valid_at=at(day),
    )


def extraction(
    of: NoteVersion, uuids: Sequence[str], *, day: int = 0, closed: Sequence[str] = ()
) -> Extraction:
    return Extraction(
        episode=f"{of.path}|{of.content_hash}",
        facts=tuple(fact(uuid, of, day=day) for uuid in uuids),
        closed=tuple(Closing(uuid=u, invalid_at=at(day), expired_at=at(day)) for u in closed),
        calls=4,
    )


def read(
    store: InferredStore,
    of: NoteVersion,
    uuids: Sequence[str],
    *,
    day: int = 0,
    closed: Sequence[str] = (),
) -> None:
    """Have the store serve what a note of one part says: that Ada leads each of these."""
    found = extraction(of, uuids, day=day, closed=closed)
    store.record(of, part=0, extraction=found, seconds=2.0)
    store.finish(of, at=at(day))


def spoil(file: Path, damage: Damage) -> None:
    """Make a file of inferred facts one that cannot be read."""
    if damage == "no database":
        file.write_text("not a database, by any means, whatever its name says" * 300)
        return
    with closing(sqlite3.connect(file)) as db, db:
        if damage == "newer":
            db.execute("PRAGMA user_version = 99")
        else:
            db.execute("UPDATE facts SET created_at = 'soon', valid_at = x'00'")
