"""What of the history the graph has, and what it still has to be given.

Whatever is not acknowledged is written again by the next run, so that one that was killed loses
nothing.
"""

from collections.abc import Iterable, Mapping

from tools.vault.disk.folders import Folders
from tools.vault.history.history_rows import meta, paths_in
from tools.vault.storage.database import Database


class GraphLedger:
    """The part of the history's file that speaks of the graph."""

    def __init__(self, db: Database, folders: Folders) -> None:
        self._db = db
        self._folders = folders

    def dirty(self) -> list[str]:
        """Notes whose part of the graph has to be made again: all, if other folders were in it."""
        others = (meta(self._db, "graph_folders") or "") != self._folders.mark
        return paths_in(
            self._folders, self._db, "SELECT path FROM notes WHERE dirty OR ? ORDER BY id", others
        )

    def mark_dirty(self, paths: Iterable[str]) -> None:
        """Have the graph's part of these notes made again."""
        with self._db.transaction() as db:
            db.executemany("UPDATE notes SET dirty = 1 WHERE path = ?", [(path,) for path in paths])

    def acknowledge(self, digests: Mapping[str, str | None]) -> None:
        """Record that the graph holds these notes in these states; None: nothing of them."""
        with self._db.transaction() as db:
            db.executemany(
                "UPDATE notes SET dirty = 0, digest = ? WHERE path = ?",
                [(digest, path) for path, digest in digests.items()],
            )

    def digests(self) -> dict[str, str]:
        """The state of each note that the graph has acknowledged."""
        rows = self._db.texts("SELECT path, digest FROM notes WHERE digest IS NOT NULL")
        return {path: digest for path, digest in rows if path in self._folders}

    def targets(self) -> dict[str, list[str]]:
        """Every target that a version names, as written, with the notes that name it."""
        found: dict[str, list[str]] = {}
        for word, path in self._db.texts(
            "SELECT DISTINCT t.word, n.path FROM targets t JOIN notes n ON n.id = t.note_id"
        ):
            found.setdefault(word, []).append(path)
        return found

    def succeeding(self) -> list[tuple[str, str]]:
        """(Note, target as written) wherever a version says that its note supersedes another."""
        rows = self._db.texts(
            "SELECT n.path, t.word FROM targets t JOIN notes n ON n.id = t.note_id "
            "WHERE t.supersedes ORDER BY n.path, t.word"
        )
        return [(path, word) for path, word in rows if path in self._folders]

    def resolved(self, words: Iterable[str] | None = None) -> dict[str, str | None]:
        """What each target, or each of these, led to when the graph was last filled."""
        if words is None:
            return dict(self._db.texts("SELECT word, path FROM resolved"))
        return dict(self._db.texts_for("SELECT word, path FROM resolved WHERE word IN", words))

    def set_resolved(self, resolved: Mapping[str, str | None]) -> None:
        """Record what each target leads to in the graph, filled from these folders by now."""
        with self._db.transaction() as db:
            db.executemany("INSERT OR REPLACE INTO resolved VALUES (?, ?)", resolved.items())
            db.execute(
                "INSERT OR REPLACE INTO meta VALUES ('graph_folders', ?)", (self._folders.mark,)
            )

    def lacks_inferred(self) -> bool:
        """Whether notes were written to the graph without what a model inferred from them."""
        return meta(self._db, "lacks_inferred") is not None

    def set_lacks_inferred(self, *, lacks: bool) -> None:
        """Record that notes are about to be so written, or that none is left."""
        if lacks == self.lacks_inferred():
            return
        with self._db.transaction() as db:
            if lacks:
                db.execute("INSERT OR REPLACE INTO meta VALUES ('lacks_inferred', '')")
            else:
                db.execute("DELETE FROM meta WHERE key = 'lacks_inferred'")
