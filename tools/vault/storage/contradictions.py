"""What a scan of the whole vault for contradictions has read and found: a SQLite file of ours.

All of it can be made again from the notes, but which pairs were dismissed: that stands in a file of
lines that the user can read and edit (``Dismissals``).
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from tools.base.domain import Change, Claim, Contradiction
from tools.base.errors import StorageError
from tools.claims.report import Conflict, FoundConflict, ScannedConflict, key_of, sides
from tools.vault.storage.database import Database
from tools.vault.storage.schemas import CONTRADICTIONS

type Vectors = NDArray[np.float16]

_AT_ONCE = 4096
"""Vectors that are read at once."""
_CLAIM = TypeAdapter(Claim)
_CLASH: TypeAdapter[Conflict] = TypeAdapter(Contradiction | Change)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVectors:
    """Every claim read: its id, the id of its note, and its vector (claims × dimensions).

    ``crowd`` is how near others were to it when it was compared; 0 where it is not yet.
    """

    claims: NDArray[np.int64]
    notes: NDArray[np.int64]
    crowd: NDArray[np.float32]
    vectors: Vectors


class ReadPair(NamedTuple):
    """Two claims by their ids, how likely they clash, and whether rather as two states."""

    a: int
    b: int
    likely: float
    changed: bool = False


class ContradictionStore:
    """The file. Safe to use from many threads and processes; writes are transactions.

    Every method raises StorageError.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raises StorageError or StoreVersionError."""
        self._db = Database(path, CONTRADICTIONS)

    def close(self) -> None:
        self._db.close()

    def hashes(self) -> dict[str, str]:
        """The content hash of every note whose claims are kept."""
        return dict(self._db.rows("SELECT path, content_hash FROM notes"))

    def compared_hashes(self) -> dict[str, str]:
        """The content hash of every note that was compared with all others."""
        return dict(self._db.rows("SELECT path, content_hash FROM notes WHERE compared"))

    def forget(self, paths: Iterable[str]) -> None:
        """Drop what notes said, and what was found of it; the pairs left are to be weighed anew."""
        gone = [*paths]
        with self._db.transaction() as db:
            db.executemany("DELETE FROM notes WHERE path = ?", ((path,) for path in gone))
            if gone:
                db.execute("UPDATE notes SET settled = 0")

    def add(self, path: str, content_hash: str, claims: Sequence[Claim], vectors: Vectors) -> None:
        """Keep what a note says, of which nothing is kept yet; a row of ``vectors`` each."""
        with self._db.transaction() as db:
            note = db.execute(
                "INSERT INTO notes (path, content_hash) VALUES (?, ?)", (path, content_hash)
            ).lastrowid
            rows = zip(claims, vectors, strict=True)
            db.executemany(
                "INSERT INTO claims (note_id, claim, vector) VALUES (?, ?, ?)",
                (
                    (note, _CLAIM.dump_json(claim).decode(), vector.astype("<f2").tobytes())
                    for claim, vector in rows
                ),
            )

    def unsettled(self) -> int:
        """How many notes have pairs that are not read or not weighed yet."""
        return self._db.rows("SELECT COUNT(*) FROM notes WHERE NOT settled")[0][0]

    def compared(self) -> int:
        """How many notes were compared with all others."""
        return self._db.rows("SELECT COUNT(*) FROM notes WHERE compared")[0][0]

    def pending(self) -> list[int]:
        """The ids of the notes that are not compared with the others yet."""
        return [note for (note,) in self._db.rows("SELECT id FROM notes WHERE NOT compared")]

    def vectors(self) -> ClaimVectors:
        """The vectors of every claim, for whoever scans (``only_scan``): they are read in parts."""
        query = (
            "SELECT id, note_id, COALESCE(crowd, 0) "
            "FROM claims LEFT JOIN crowds ON claim_id = id ORDER BY id"
        )
        claims, notes, crowd = np.array(self._db.rows(query), np.float64).reshape(-1, 3).T
        vectors = np.zeros((0, 0), np.float16)
        query = "SELECT vector FROM claims WHERE id >= ? ORDER BY id LIMIT ?"
        for at in range(0, len(claims), _AT_ONCE):  # never all of them twice
            rows = self._db.rows(query, (int(claims[at]), _AT_ONCE))
            part = np.frombuffer(b"".join(row[0] for row in rows), "<f2").reshape(len(rows), -1)
            if at == 0:
                vectors = np.zeros((len(claims), part.shape[1]), np.float16)
            vectors[at : at + len(part)] = part
        return ClaimVectors(
            claims=claims.astype(np.int64),
            notes=notes.astype(np.int64),
            crowd=crowd.astype(np.float32),
            vectors=vectors,
        )

    def keep_crowd(self, claims: Iterable[int], crowd: Iterable[float]) -> None:
        """Keep how near others are to each of some claims."""
        with self._db.transaction() as db:
            rows = zip(claims, crowd, strict=True)
            db.executemany("INSERT OR REPLACE INTO crowds VALUES (?, ?)", rows)

    def claims(self, ids: Iterable[int]) -> dict[int, Claim]:
        """The claims of some ids."""
        rows = self._db.rows_for("SELECT id, claim FROM claims WHERE id IN", ids)
        return {number: _CLAIM.validate_json(claim) for number, claim in rows}

    def texts(self, ids: Iterable[int]) -> dict[int, str]:
        """What the claims of some ids say."""
        query = "SELECT id, json_extract(claim, '$.text') FROM claims WHERE id IN"
        return dict(self._db.rows_for(query, ids))

    def record(self, compared: Iterable[int], pairs: Iterable[ReadPair]) -> None:
        """Keep the pairs worth it of some notes, which are ``compared`` then."""
        with self._db.transaction() as db:
            db.executemany("INSERT OR REPLACE INTO pairs VALUES (?, ?, ?, ?)", pairs)
            db.executemany(
                "UPDATE notes SET compared = 1 WHERE id = ?", ((note,) for note in compared)
            )

    def pairs(self) -> list[ReadPair]:
        """Every pair kept."""
        return [
            ReadPair(a, b, likely, bool(changed))
            for a, b, likely, changed in self._db.rows("SELECT a, b, likely, changed FROM pairs")
        ]

    def settle(self, found: Iterable[ScannedConflict], *, at: datetime) -> None:
        """Keep what all pairs come to; what was found before and is so still keeps its day.

        Of what a note says twice the surest is kept.
        """
        by_sureness = sorted(found, key=lambda one: (one.sure, one.clash.confidence))
        every = {key_of(one.clash): one for one in by_sureness}
        with self._db.transaction() as db:
            known = {key for (key,) in db.execute("SELECT key FROM found")}
            gone = known - every.keys()
            db.executemany("DELETE FROM found WHERE key = ?", ((key,) for key in gone))
            for key, (clash, sure) in every.items():
                paths = [side.path for side in sides(clash)]
                db.execute(
                    "INSERT INTO found SELECT ?, a.id, b.id, ?, ?, ? FROM notes a, notes b "
                    "WHERE a.path = ? AND b.path = ? ON CONFLICT(key) DO UPDATE "
                    "SET clash = excluded.clash, sure = excluded.sure",
                    (key, _CLASH.dump_json(clash).decode(), sure, at.isoformat(), *paths),
                )
            db.execute("UPDATE notes SET settled = 1 WHERE compared")

    def found(self) -> list[FoundConflict]:
        """Everything found: what is sure first, of that what is new, then by confidence."""
        rows = self._db.rows(
            "SELECT found.key, clash, sure, found_at, seen.key IS NULL FROM found "
            "LEFT JOIN seen ON seen.key = found.key"
        )
        found = [
            FoundConflict(
                key=key,
                clash=_CLASH.validate_json(clash),
                sure=bool(sure),
                found_at=datetime.fromisoformat(at),
                new=bool(new),
            )
            for key, clash, sure, at, new in rows
        ]
        return sorted(
            found, key=lambda one: (not one.sure, not one.new, -one.clash.confidence, one.key)
        )

    def sure_keys(self) -> frozenset[str]:
        """The keys of what is sure."""
        return frozenset(key for (key,) in self._db.rows("SELECT key FROM found WHERE sure"))

    def among(self, paths: Collection[str]) -> list[Conflict]:
        """What is sure between notes of ``paths``, the surest first."""
        rows = self._db.rows_for(
            "SELECT b.path, clash FROM found JOIN notes a ON a.id = note_a "
            "JOIN notes b ON b.id = note_b WHERE sure AND a.path IN",
            paths,
        )
        found = [_CLASH.validate_json(clash) for path, clash in rows if path in paths]
        return sorted(found, key=lambda one: (-one.confidence, key_of(one)))

    def mark_seen(self, keys: Iterable[str]) -> None:
        """Remember that pairs were shown."""
        with self._db.transaction() as db:
            db.executemany("INSERT OR IGNORE INTO seen VALUES (?)", ((key,) for key in keys))


class Dismissals:
    """The pairs that the user does not want to be told of again: one JSON object a line.

    Lines may be deleted by hand; one that cannot be read dismisses nothing and is left as it is.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def keys(self) -> frozenset[str]:
        """Raises StorageError where the file is there but cannot be read."""
        try:
            lines = self._path.read_text("utf-8", "replace").splitlines()
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            raise StorageError(f"{self._path.name} cannot be read: {error.strerror}.") from error
        return frozenset(filter(None, map(_dismissed, lines)))

    def add(self, found: Iterable[FoundConflict], *, at: datetime) -> None:
        """Raises StorageError."""
        lines = [
            json.dumps(
                {
                    "key": one.key,
                    "dismissed": at.date().isoformat(),
                    **{
                        name: f"{side.path}:{side.line} {side.claim}"
                        for name, side in zip("ab", sides(one.clash), strict=True)
                    },
                },
                ensure_ascii=False,
            )
            for one in found
        ]
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
        except OSError as error:
            raise StorageError(f"{self._path.name} cannot be written: {error.strerror}.") from error


_ENTRY = TypeAdapter(Mapping[str, str])


def _dismissed(line: str) -> str | None:
    try:
        return _ENTRY.validate_json(line).get("key")
    except ValidationError:
        return None
