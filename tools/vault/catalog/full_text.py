"""The full-text index of the catalog's file: which passages have which words."""

import sqlite3
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tools.vault.catalog.remembered import MARK_WRITTEN, Remembered
from tools.vault.storage.database import Database
from tools.vault.storage.entries import Entry, words_of
from tools.vault.storage.packed_texts import PackedTexts

_MATCH = "SELECT rowid, -bm25(words, 6.0, 3.0, 1.0) AS score FROM words WHERE words MATCH ?"
_ADD = "INSERT INTO words (rowid, title, headings, body) VALUES (?, ?, ?, ?)"
_DROP = "INSERT INTO words (words, rowid, title, headings, body) VALUES ('delete', ?, ?, ?, ?)"
_KEPT = (
    "SELECT c.id, n.title_words, c.said, c.ordinal, n.stated FROM chunks c "
    "JOIN notes n ON n.id = c.note_id"
)
_COUNTED = 32768
"""Expressions of which it is kept how many passages match, until a note changes."""


class FullText:
    """Finds passages, by their rows, with SQLite's FTS5. Every method raises StorageError."""

    def __init__(self, db: Database, *, texts: PackedTexts) -> None:
        self._db = db
        self._texts = texts
        self._counted = Remembered(db, lambda: lru_cache(_COUNTED)(self._count))

    def match(self, expression: str, *, limit: int) -> list[tuple[int, float]]:
        """Rows matching an FTS5 expression with their BM25 (higher is better), best first."""
        return self._db.rows(f"{_MATCH} ORDER BY score DESC LIMIT ?", (expression, limit))

    def match_among(self, expression: str, rows: Iterable[int]) -> dict[int, float]:
        """The same for those of the given rows that match."""
        # The plus has SQLite match once: else it would for each row, counting every word anew.
        return dict(self._db.rows_for(f"{_MATCH} AND +rowid IN ", rows, given=(expression,)))

    def document_frequency(self, expression: str) -> int:
        """How many passages match an FTS5 expression."""
        return self.document_frequencies([expression])[expression]

    def document_frequencies(self, expressions: Iterable[str]) -> dict[str, int]:
        """The same for each of these."""
        counted = self._counted()
        return {expression: counted(expression) for expression in expressions}

    def _count(self, expression: str) -> int:
        ((count,),) = self._db.rows("SELECT count(*) FROM words WHERE words MATCH ?", (expression,))
        return int(count)

    def beginning_with(self, letter: str) -> list[tuple[str, int]]:
        """The stems that begin with a letter, and how many passages have each."""
        return self._db.rows(
            "SELECT term, doc FROM terms WHERE term >= ? AND term < ?",
            (letter, chr(ord(letter) + 1)),
        )

    def add(self, db: sqlite3.Connection, note: Entry, *, first_row: int) -> None:
        """Within a transaction: add the note's passages, whose rows begin with ``first_row``."""
        db.executemany(
            _ADD,
            [
                (row, note.title_words, one.headings, one.body)
                for row, one in enumerate(note.passages, start=first_row)
            ],
        )

    def drop(self, db: sqlite3.Connection, path: str) -> None:
        """Within a transaction: take out the passages of a note that is still in the tables."""
        # The index keeps no copy of the words, so it is told again which ones to drop.
        rows = db.execute(f"{_KEPT} WHERE n.path = ?", (path,)).fetchall()
        db.executemany(_DROP, map(self._words, rows))

    def write_anew(self) -> None:
        """Make the index again from the passages, in one transaction."""
        with self._db.transaction() as db:
            db.execute("INSERT INTO words (words) VALUES ('delete-all')")
            rows = db.execute(_KEPT).fetchall()
            db.executemany(_ADD, map(self._words, rows))
            db.execute(MARK_WRITTEN)

    def merge(self) -> None:
        """Merge the parts in which words were written, so that fewer are searched."""
        with self._db.transaction() as db:
            db.execute("INSERT INTO words (words) VALUES ('optimize')")

    def _words(self, row: tuple[Any, ...]) -> tuple[int, str, str, str]:
        """What a passage is found by, as a row of ``words``."""
        chunk_id, title, said, ordinal, stated = row
        headings, body = words_of(self._texts.unpacked(said), ordinal=ordinal, stated=stated)
        return chunk_id, title, headings, body
