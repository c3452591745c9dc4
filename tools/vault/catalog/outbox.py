"""What the semantic index still has to be given, and what it has acknowledged.

Whatever is not acknowledged is written again by the next run, so that one that was killed loses
nothing.
"""

from collections.abc import Iterable

from tools.vault.storage.database import Database


class Outbox:
    """Passages that wait for a vector."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def passages(self) -> list[str]:
        """Vector ids that passages need and the semantic index has not acknowledged."""
        rows = self._db.rows(
            "SELECT vector_id FROM chunks WHERE vector_id NOT IN (SELECT vector_id FROM vectors) "
            "GROUP BY vector_id ORDER BY min(id)"
        )
        return [vector_id for (vector_id,) in rows]

    def notes(self, vector_ids: Iterable[str]) -> dict[str, str]:
        """For each of these vector ids the path of a note with a passage that it stands for."""
        return dict(
            self._db.rows_for(
                "SELECT c.vector_id, n.path FROM chunks c JOIN notes n ON n.id = c.note_id "
                "WHERE c.vector_id IN",
                vector_ids,
            )
        )

    def unembedded(self, paths: Iterable[str]) -> set[str]:
        """Those of the notes with passages whose vector the semantic index does not have yet."""
        rows = self._db.rows_for(
            "SELECT DISTINCT n.path FROM notes n JOIN chunks c ON c.note_id = n.id WHERE "
            "NOT EXISTS (SELECT 1 FROM vectors v WHERE v.vector_id = c.vector_id) AND n.path IN",
            paths,
        )
        return {path for (path,) in rows}

    def unused_vectors(self) -> list[str]:
        """Vectors in the semantic index that no passage needs any more."""
        rows = self._db.rows(
            "SELECT vector_id FROM vectors WHERE vector_id NOT IN (SELECT vector_id FROM chunks)"
        )
        return [vector_id for (vector_id,) in rows]

    def needed(self) -> list[str]:
        """Every vector id that a passage needs."""
        rows = self._db.rows("SELECT DISTINCT vector_id FROM chunks")
        return [vector_id for (vector_id,) in rows]

    def acknowledged(self) -> list[str]:
        """Every vector id that the semantic index has acknowledged."""
        return [vector_id for (vector_id,) in self._db.rows("SELECT vector_id FROM vectors")]

    def sample(self, count: int) -> list[str]:
        """About ``count`` acknowledged ids that passages need, the same each time."""
        # An id is a hash, so the first ones in order are as good as any.
        rows = self._db.rows(
            "SELECT vector_id FROM vectors WHERE vector_id IN (SELECT vector_id FROM chunks) "
            "ORDER BY vector_id LIMIT ?",
            (count,),
        )
        return [vector_id for (vector_id,) in rows]

    def vector_count(self) -> int:
        ((count,),) = self._db.rows("SELECT count(*) FROM vectors")
        return int(count)

    def acknowledge_vectors(self, added: Iterable[str] = (), removed: Iterable[str] = ()) -> None:
        """Record vectors that the semantic index now holds or has dropped."""
        with self._db.transaction() as db:
            db.executemany("INSERT OR IGNORE INTO vectors VALUES (?)", [(v,) for v in added])
            db.executemany("DELETE FROM vectors WHERE vector_id = ?", [(v,) for v in removed])

    def replace_vectors(self, present: Iterable[str]) -> None:
        """Set the acknowledged vectors to what the semantic index really holds."""
        with self._db.transaction() as db:
            db.execute("DELETE FROM vectors")
            db.executemany("INSERT INTO vectors VALUES (?)", [(v,) for v in present])

    def set_encoder(self, name: str) -> None:
        """Record which encoder made the acknowledged vectors."""
        with self._db.transaction() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES ('encoder', ?)", (name,))
