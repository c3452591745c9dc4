"""The texts of passages as the catalog's file keeps them: packed, most with a shared dictionary."""

import threading

from tools.vault.storage.database import Database
from tools.vault.storage.entries import headings_and_text
from tools.vault.storage.packing import Packing


class PackedTexts:
    """Packs texts for the file and unpacks its own, on any thread."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._packings = threading.local()

    def dictionary(self) -> bytes | None:
        """What passages have in common, by which they are packed; None until there are many."""
        rows = self._db.rows("SELECT value FROM meta WHERE key = 'dictionary'")
        return rows[0][0] if rows else None

    def begin_dictionary(self, content: bytes) -> None:
        """Have passages packed with it from now on, unless another process was sooner."""
        with self._db.transaction() as db:
            db.execute("INSERT OR IGNORE INTO meta VALUES ('dictionary', ?)", (content,))
        self._packings = threading.local()

    def packing(self) -> Packing:
        """How the calling thread packs passages as this file keeps them."""
        packing: Packing | None = getattr(self._packings, "packing", None)
        if packing is None:
            packing = self._packings.packing = Packing(self.dictionary())
        return packing

    def headings_and_text(self, said: bytes) -> tuple[str, str]:
        """The headings over a passage, a line each, and its text. Raises StorageError."""
        return headings_and_text(self.unpacked(said))

    def unpacked(self, said: bytes) -> str:
        """Headings and text in one, as ``entries`` joins them. Raises StorageError."""
        try:
            return self.packing().unpack(said)
        except ValueError:  # damaged, or another process has begun a dictionary meanwhile
            self._packings.packing = Packing(self.dictionary())
        with self._db.decoding():
            return self.packing().unpack(said)
