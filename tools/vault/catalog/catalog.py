"""What is indexed: notes, their names and passages, in one SQLite file with its full-text index.

SQLite holds the text index too, so a note's record and its words change in one transaction, and any
number of processes read while one writes.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from tools.base.domain import DateOrigin, NoteFile, Problem
from tools.text.normalize import fold_name
from tools.vault.catalog.full_text import FullText
from tools.vault.catalog.inventory import Inventory
from tools.vault.catalog.note_rows import insert_note
from tools.vault.catalog.outbox import Outbox
from tools.vault.catalog.records import CatalogCounts, NoteRecord, Passage
from tools.vault.catalog.remembered import MARK_WRITTEN, Remembered
from tools.vault.storage.database import Database
from tools.vault.storage.entries import Entry
from tools.vault.storage.packed_texts import PackedTexts
from tools.vault.storage.schemas import CATALOG
from tools.vault.storage.soundness import Soundness


class Catalog:
    """The SQLite file. Safe to use from many threads and processes; writes are transactions."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raises StorageError or StoreVersionError."""
        self._db = Database(path, CATALOG)
        self._names = Remembered(self._db, self._name_set)
        self.texts = PackedTexts(self._db)
        self.words = FullText(self._db, texts=self.texts)
        self.outbox = Outbox(self._db)
        self.inventory = Inventory(self._db, words=self.words, targets=self.link_targets)
        self.soundness = Soundness(self._db, texts=self.texts)

    def close(self) -> None:
        """Close every connection this object opened."""
        self._db.close()

    # --- reading ---------------------------------------------------------------------------

    def files(self, paths: Iterable[str] | None = None) -> dict[str, NoteFile]:
        """Every indexed note, or those of ``paths``, with the size and time its file had."""
        columns = "SELECT path, size, mtime_ns FROM notes"
        rows = (
            self._db.rows(columns)
            if paths is None
            else self._db.rows_for(f"{columns} WHERE path IN", paths)
        )
        return {path: NoteFile(path=path, size=size, mtime_ns=ns) for path, size, ns in rows}

    def hashes(self) -> dict[str, str]:
        """Content hash of every indexed note."""
        return dict(self._db.rows("SELECT path, content_hash FROM notes"))

    def paths(self) -> list[str]:
        return [path for (path,) in self._db.rows("SELECT path FROM notes ORDER BY path")]

    def records(self, paths: Iterable[str]) -> dict[str, NoteRecord]:
        """Records of those of ``paths`` that are indexed."""
        columns = (
            "path, title, content_hash, created, modified, date_origin, building_block, note_type"
        )
        rows = self._db.rows_for(f"SELECT {columns} FROM notes WHERE path IN ", paths)  # noqa: S608
        return {
            row[0]: NoteRecord(
                path=row[0],
                title=row[1],
                content_hash=row[2],
                created=datetime.fromisoformat(row[3]),
                modified=datetime.fromisoformat(row[4]),
                date_origin=cast("DateOrigin", row[5]),
                building_block=row[6],
                note_type=row[7],
            )
            for row in rows
        }

    def created_between(self, start: datetime | None, end: datetime | None) -> list[str]:
        """Notes created in the half-open period, oldest first; None is unbounded."""
        rows = self._db.rows("SELECT path, created FROM notes")
        dated = sorted((datetime.fromisoformat(created), path) for path, created in rows)
        return [
            path
            for moment, path in dated
            if (start is None or moment >= start) and (end is None or moment < end)
        ]

    def resolve(self, name: str) -> tuple[str, ...]:
        """Paths of the notes called ``name``: by path, title, file name or alias, best first.

        Where none is, by a file's name as it is said (``slug``).
        """
        rows = self._db.rows(
            "SELECT n.path, m.kind FROM names m JOIN notes n ON n.id = m.note_id "
            "WHERE m.folded = ? ORDER BY "
            "CASE m.kind WHEN 'path' THEN 0 WHEN 'alias' THEN 2 ELSE 1 END, length(n.path), n.path",
            (fold_name(name),),
        )
        written = [path for path, kind in rows if kind != "slug"]
        return tuple(written or (path for path, _ in rows))

    def names_matching(self, names: Iterable[str]) -> dict[str, set[str]]:
        """For each note with one of these folded names (but paths), those it has."""
        return self._named("m.folded", names)

    def notes_within(self, folder: str) -> int:
        """How many notes lie in a folder, or in one within it."""
        ((count,),) = self._db.rows(
            "SELECT count(*) FROM notes WHERE path > ? AND path < ?", (f"{folder}/", f"{folder}0")
        )
        return int(count)

    def full_names(self, paths: Iterable[str]) -> dict[str, str]:
        """For those of ``paths`` whose file name another note has too, the path without ending."""
        stems = {path: fold_name(path.rsplit("/", 1)[-1]) for path in paths}
        shared = self._db.rows_for(
            "SELECT m.folded, count(*) FROM names m WHERE "
            "m.kind != 'slug' AND (m.kind != 'path' OR instr(m.folded, '/') = 0) AND m.folded IN ",
            stems.values(),
            group_by="folded",
        )
        ambiguous = {folded for folded, count in shared if count > 1}
        return {path: path.removesuffix(".md") for path, stem in stems.items() if stem in ambiguous}

    def names_of(self, paths: Iterable[str]) -> dict[str, set[str]]:
        """For each of ``paths`` that is indexed its folded names but the path."""
        return self._named("n.path", paths)

    def _named(self, column: str, values: Iterable[str]) -> dict[str, set[str]]:
        """By note its folded names, of those whose column has one of the values."""
        found: dict[str, set[str]] = {}
        for path, folded in self._db.rows_for(f"{_NAMES} AND {column} IN ", values):
            found.setdefault(path, set()).add(folded)
        return found

    def name_set(self) -> frozenset[str]:
        """Every folded name but paths; the same object until a note changes."""
        return self._names()

    def _name_set(self) -> frozenset[str]:
        # Outside folders a path is the file's own name, and stands for it in the table.
        rows = self._db.rows(
            "SELECT DISTINCT m.folded FROM names m "
            "WHERE (m.kind != 'path' OR instr(m.folded, '/') = 0)"
        )
        return frozenset(name for (name,) in rows)

    def remembered[T](self, make: Callable[[], T]) -> Remembered[T]:
        """What ``make`` gives, made again only when a note has changed."""
        return Remembered(self._db, make)

    def titles_by_name(self) -> dict[str, str]:
        """For every folded name but paths the title of the note that it names best."""
        return dict(
            self._db.rows(
                "SELECT m.folded, n.title FROM names m JOIN notes n ON n.id = m.note_id "
                "WHERE (m.kind != 'path' OR instr(m.folded, '/') = 0) "
                "ORDER BY m.kind NOT IN ('alias', 'slug'), length(n.path) DESC, n.path DESC"
            )
        )

    def link_targets(self) -> list[tuple[str, str]]:
        """Every (folded name, path) pair that a link may write, the best note for a name last."""
        return self._db.rows(
            "SELECT m.folded, n.path FROM names m JOIN notes n ON n.id = m.note_id "
            "WHERE m.kind != 'slug' "
            "ORDER BY CASE m.kind WHEN 'path' THEN 2 WHEN 'stem' THEN 1 WHEN 'title' THEN 1 "
            "ELSE 0 END, length(n.path) DESC, n.path DESC"
        )

    def passages(self, *, chunk_ids: Iterable[int]) -> dict[int, Passage]:
        rows = self._db.rows_for(f"{_PASSAGE} WHERE c.id IN ", chunk_ids)
        return {passage.chunk_id: passage for passage in self._passages(rows)}

    def passages_by_vector(self, vector_ids: Iterable[str]) -> dict[str, list[Passage]]:
        """Passages behind each vector; a vector nobody uses any more is absent."""
        found: dict[str, list[Passage]] = {}
        rows = self._db.rows_for(f"{_PASSAGE} WHERE c.vector_id IN ", vector_ids)
        for passage in self._passages(rows):
            found.setdefault(passage.vector_id, []).append(passage)
        return found

    def places_by_vector(self, vector_ids: Iterable[str]) -> dict[str, list[tuple[str, int, int]]]:
        """The note and the lines (1-based, inclusive) of each passage behind each vector."""
        found: dict[str, list[tuple[str, int, int]]] = {}
        rows = self._db.rows_for(
            "SELECT c.vector_id, n.path, c.line_start, c.line_end FROM chunks c "
            "JOIN notes n ON n.id = c.note_id WHERE c.vector_id IN",
            vector_ids,
        )
        for vector, *place in rows:
            found.setdefault(vector, []).append((place[0], place[1], place[2]))
        return found

    def passages_of(self, paths: Iterable[str]) -> dict[str, list[Passage]]:
        """All passages of the given notes in their order."""
        found: dict[str, list[Passage]] = {}
        for passage in self._passages(self._db.rows_for(f"{_PASSAGE} WHERE n.path IN ", paths)):
            found.setdefault(passage.note_path, []).append(passage)
        for passages in found.values():
            passages.sort(key=lambda passage: passage.line_start)
        return found

    def rows_of(self, paths: Iterable[str]) -> list[int]:
        """The rows of the passages of notes."""
        sql = "SELECT c.id FROM chunks c JOIN notes n ON n.id = c.note_id WHERE n.path IN"
        return [row for (row,) in self._db.rows_for(sql, paths)]

    def with_text(self, paths: Iterable[str]) -> set[str]:
        """Those of the given notes that have a passage."""
        sql = (
            "SELECT n.path FROM notes n WHERE EXISTS (SELECT 1 FROM chunks c "
            "WHERE c.note_id = n.id) AND n.path IN"
        )
        return {path for (path,) in self._db.rows_for(sql, paths)}

    def passages_at(self, lines: Mapping[str, Collection[int]]) -> dict[str, list[Passage]]:
        """Of each note its first passage, then those in which one of its ``lines`` stands."""
        rows: dict[str, list[tuple[Any, ...]]] = {}
        for row in self._db.rows_for(f"{_PASSAGE} WHERE n.path IN ", lines):
            rows.setdefault(row[1], []).append(row)
        found: dict[str, list[Passage]] = {}
        for path, own in rows.items():
            first, *others = sorted(own, key=lambda row: row[5])
            asked = [row for row in others if any(row[5] <= at <= row[6] for at in lines[path])]
            found[path] = list(self._passages([first, *asked]))
        return found

    def all_headings_over(
        self, places: Iterable[tuple[str, int]]
    ) -> dict[tuple[str, int], Sequence[str]]:
        """For each of the (note, line) pairs in a passage its headings, the nearest last."""
        lines: dict[str, list[int]] = {}
        for path, line in places:
            lines.setdefault(path, []).append(line)
        rows = self._db.rows_for(
            "SELECT n.path, c.line_start, c.line_end, c.said FROM chunks c "
            "JOIN notes n ON n.id = c.note_id WHERE n.path IN ",
            lines,
        )
        found: dict[tuple[str, int], Sequence[str]] = {}
        for path, start, end, said in sorted(rows, key=lambda row: row[1]):
            if within := [line for line in lines[path] if start <= line <= end]:
                headings, _ = self.texts.headings_and_text(said)
                chain = headings.split("\n") if headings else ()
                found |= dict.fromkeys(((path, line) for line in within), chain)
        return found

    def headings_over(self, places: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """For those of the (note, line) pairs that stand under a heading, the nearest above."""
        over = self.all_headings_over(places).items()
        return {place: headings[-1] for place, headings in over if headings}

    def note_count(self) -> int:
        ((count,),) = self._db.rows("SELECT count(*) FROM notes")
        return int(count)

    def passage_count(self) -> int:
        ((count,),) = self._db.rows("SELECT count(*) FROM chunks")
        return int(count)

    def counts(self) -> CatalogCounts:
        """How much is indexed and how much of it waits for the graph or for vectors."""
        ((pending,),) = self._db.rows(
            "SELECT count(DISTINCT vector_id) FROM chunks "
            "WHERE vector_id NOT IN (SELECT vector_id FROM vectors)"
        )
        ((problems,),) = self._db.rows("SELECT count(*) FROM problems")
        ((undated,),) = self._db.rows("SELECT count(*) FROM notes WHERE date_origin = 'mtime'")
        return CatalogCounts(
            notes=self.note_count(),
            passages=self.passage_count(),
            vectors_pending=pending,
            problems=problems,
            undated=undated,
        )

    def encoder(self) -> str | None:
        """Name the encoder that made the acknowledged vectors, if there are any."""
        rows = self._db.rows("SELECT value FROM meta WHERE key = 'encoder'")
        return rows[0][0] if rows else None

    def problems(self) -> list[Problem]:
        """What was wrong with notes when they were last read."""
        rows = self._db.rows("SELECT note_path, message FROM problems ORDER BY note_path")
        return [Problem(note_path=path, message=message) for path, message in rows]

    # --- writing ---------------------------------------------------------------------------

    def was_remade(self) -> bool:
        """Whether an index of an older format was dropped and ``acknowledge_remade`` not called."""
        return bool(self._db.rows("SELECT 1 FROM meta WHERE key = 'remade'"))

    def acknowledge_remade(self) -> None:
        with self._db.transaction() as db:
            db.execute("DELETE FROM meta WHERE key = 'remade'")

    def tidy(self, *, after: int) -> None:
        """Keep the file small once a run has written ``after`` notes. Raises StorageError."""
        if after >= _MANY_NOTES:
            self.words.merge()
        self._db.tidy()

    def write(self, notes: Iterable[Entry]) -> None:
        """Insert or replace notes with their names, passages and words, in one transaction."""
        with self._db.transaction() as db:
            for note in notes:
                self._delete(db, note.path)
                self.words.add(db, note, first_row=insert_note(db, note))
            db.execute(MARK_WRITTEN)

    def remove(self, paths: Iterable[str]) -> None:
        """Forget notes with everything that hangs on them."""
        with self._db.transaction() as db:
            for path in paths:
                self._delete(db, path)
            db.execute(MARK_WRITTEN)

    def touch(self, files: Iterable[NoteFile]) -> None:
        """Record new file times of notes whose content did not change."""
        with self._db.transaction() as db:
            db.executemany(
                "UPDATE notes SET size = ?, mtime_ns = ? WHERE path = ?",
                [(file.size, file.mtime_ns, file.path) for file in files],
            )

    def record_problems(self, problems: Iterable[Problem], *, read: Iterable[str]) -> None:
        """Set what is wrong with the notes just ``read``; forget problems of notes not here."""
        with self._db.transaction() as db:
            db.executemany("DELETE FROM problems WHERE note_path = ?", [(path,) for path in read])
            db.execute("DELETE FROM problems WHERE note_path NOT IN (SELECT path FROM notes)")
            db.executemany(
                "INSERT INTO problems VALUES (?, ?)",
                [(problem.note_path, problem.message) for problem in problems],
            )

    # --- inside ----------------------------------------------------------------------------

    def _passages(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[Passage]:
        for row in rows:
            headings, text = self.texts.headings_and_text(row[4])
            yield Passage(
                chunk_id=row[0],
                note_path=row[1],
                note_title=row[2],
                vector_id=row[3],
                text=text,
                line_start=row[5],
                line_end=row[6],
                heading_path=tuple(headings.split("\n")) if headings else (),
                block_id=row[7],
            )

    def _delete(self, db: sqlite3.Connection, path: str) -> None:
        self.words.drop(db, path)
        db.execute("DELETE FROM notes WHERE path = ?", (path,))


_MANY_NOTES = 1000
"""Notes after which it pays to merge the parts in which their words were written."""
_NAMES = (
    "SELECT n.path, m.folded FROM names m JOIN notes n ON n.id = m.note_id "
    "WHERE (m.kind != 'path' OR instr(m.folded, '/') = 0)"
)
_PASSAGE = (
    "SELECT c.id, n.path, n.title, c.vector_id, c.said, c.line_start, c.line_end, c.block_id "
    "FROM chunks c JOIN notes n ON n.id = c.note_id"
)
