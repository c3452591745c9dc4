"""What a language model replied before: the latest in memory, more in one small SQLite file.

A cache that cannot be read or written costs nothing but the time to ask again, so nothing here
raises. The file may be deleted at any time, by the user or by another process.
"""

import os
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

_WAIT_SECONDS = 0.2
"""How long another process may hold the file before this one goes on without it."""


class ReplyCache:
    """Replies by key, for any number of threads and processes.

    ``path`` None keeps them in memory only. ``in_memory`` and ``in_file`` are how many are kept:
    in memory those used last, in the file those written last.
    """

    def __init__(
        self, path: Path | None = None, *, in_memory: int = 256, in_file: int = 5_000
    ) -> None:
        self._path = path
        self._in_memory, self._in_file = in_memory, in_file
        self._latest: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> str | None:
        """The reply kept under ``key``, or None; may read the file."""
        with self._lock:
            known = self._latest.get(key)
        found = known or self._in_the_file(lambda db: _row(db, key), create=False)
        if found is not None:
            self._remember(key, found)
        return found

    def put(self, key: str, reply: str) -> None:
        """Keep ``reply``, which is not empty, under ``key``; may write the file."""
        self._remember(key, reply)
        self._in_the_file(lambda db: _insert(db, key, reply, keep=self._in_file), create=True)

    def _remember(self, key: str, reply: str) -> None:
        with self._lock:
            self._latest[key] = reply
            self._latest.move_to_end(key)
            while len(self._latest) > self._in_memory:
                self._latest.popitem(last=False)

    def _in_the_file(
        self, use: Callable[[sqlite3.Connection], str | None], *, create: bool
    ) -> str | None:
        """What ``use`` makes of the file, which is opened anew each time: it may be another."""
        if self._path is None:
            return None
        try:
            if create:
                os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            elif not self._path.exists():
                return None
            address = f"{self._path.absolute().as_uri()}?mode=rw"
            with closing(sqlite3.connect(address, uri=True, timeout=_WAIT_SECONDS)) as db, db:
                return use(db)
        except sqlite3.OperationalError:  # held, full, read-only, or without our table yet
            return None
        except sqlite3.DatabaseError:  # not a database any more: the next reply starts a new one
            with suppress(OSError):
                self._path.unlink()
            return None
        except OSError:
            return None


def _row(db: sqlite3.Connection, key: str) -> str | None:
    found = db.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
    return str(found[0]) if found else None


def _insert(db: sqlite3.Connection, key: str, reply: str, *, keep: int) -> None:
    db.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)")
    # Replacing gives a new rowid, so the lowest are those written longest ago.
    db.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, reply))
    db.execute("DELETE FROM replies WHERE rowid <= last_insert_rowid() - ?", (keep,))
