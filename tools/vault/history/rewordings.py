"""What was reworded between two texts, kept so that no question has to compare them again."""

import json
from collections.abc import Collection, Mapping

from tools.graph.changes_over_time import Texts
from tools.graph.sentence_diff import Rewording
from tools.vault.history.history_rows import packed, unpacked
from tools.vault.storage.database import Database


class Rewordings:
    """The part of the history's file that can be made again from its texts."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def of(self, pairs: Collection[Texts]) -> dict[Texts, Rewording]:
        """Those of them that are known. Raises StorageError."""
        rows = self._db.rows_for(
            "SELECT before, after, sentences FROM rewordings WHERE after IN",
            (after for _, after in pairs),
        )
        with self._db.decoding():
            return {
                (before, after): _read(sentences)
                for before, after, sentences in rows
                if (before, after) in pairs
            }

    def keep(self, rewordings: Mapping[Texts, Rewording]) -> None:
        """Raises StorageError."""
        with self._db.transaction() as db:
            db.executemany(
                "INSERT OR REPLACE INTO rewordings (before, after, sentences) VALUES (?, ?, ?)",
                [
                    (before, after, packed(json.dumps([found.added, found.removed])))
                    for (before, after), found in rewordings.items()
                ],
            )

    def clear(self) -> None:
        """Raises StorageError."""
        with self._db.transaction() as db:
            db.execute("DELETE FROM rewordings")


def _read(stored: bytes) -> Rewording:
    """Raises ValueError for what is none."""
    try:
        added, removed = json.loads(unpacked(stored))
        return Rewording(added=tuple(added), removed=tuple(removed))
    except TypeError as error:
        raise ValueError("these are no lists of sentences") from error
