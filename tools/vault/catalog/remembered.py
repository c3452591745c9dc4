"""What is made of all notes at once, and kept until one of them changes."""

from collections.abc import Callable

from tools.vault.storage.database import Database

MARK_WRITTEN = "INSERT OR REPLACE INTO meta VALUES ('written', hex(randomblob(8)))"
"""Tells every process that what it remembers of the notes is old."""


class Remembered[T]:
    """Gives the same object each time, until another process or this one writes a note.

    Calling it blocks, and raises StorageError. Safe to call from many threads.
    """

    def __init__(self, db: Database, make: Callable[[], T]) -> None:
        self._db = db
        self._make = make
        self._known: tuple[object, T] | None = None

    def __call__(self) -> T:
        written = self._db.rows("SELECT value FROM meta WHERE key = 'written'")
        known = self._known
        if known is None or known[0] != written:
            known = self._known = written, self._make()
        return known[1]
