"""What the vault is made of: its notes with their tags, folders, links and tasks. Reads only."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from tools.text.normalize import fold
from tools.vault.catalog.full_text import FullText
from tools.vault.catalog.link_graph import LinkGraph, link_graph
from tools.vault.catalog.link_walks import LinkWalks, link_walks
from tools.vault.catalog.remembered import Remembered
from tools.vault.catalog.typed_links import TypedLink, typed_links
from tools.vault.notes.links import LinkNames
from tools.vault.storage.database import Database

_COPIED_WITHIN = timedelta(hours=1)
"""Time before and after the middle one of the files that were saved or committed with it."""
_FEWEST_COPIED = 20
_KEPT = 32768
"""Targets of links, and names, whose notes are looked up once until a note changes."""


class ListedNote(NamedTuple):
    """A note as it is counted; a tuple, since a question makes all of them.

    ``dated`` says that more than its file tells when it was written, or than a commit of most notes
    at once; ``change_dated`` that it is known when it changed: by itself, by git or its file unless
    that was copied with the others, or at least by when it was written.
    """

    path: str
    title: str
    created: datetime
    modified: datetime
    dated: bool
    change_dated: bool
    words: int
    tags: tuple[str, ...]
    note_type: str | None

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders it lies in, the outermost first."""
        return tuple(folders(self.path))

    @property
    def branches(self) -> tuple[str, ...]:
        """The beginnings of its dotted name, the shortest first."""
        return tuple(branches(self.path))


def folders(path: str) -> Iterator[str]:
    """The folders that a note lies in, the outermost first."""
    *over, _ = path.split("/")
    return ("/".join(over[:at]) for at in range(1, len(over) + 1))


def branches(path: str) -> Iterator[str]:
    """The beginnings of a dotted name (``a`` and ``a.b`` of ``a.b.c``), which nest like folders."""
    *over, stem = path.removesuffix(".md").split("/")
    parts = stem.split(".")
    return ("/".join((*over, ".".join(parts[:at]))) for at in range(1, len(parts)))


class TypedNote(NamedTuple):
    """A note by what it calls itself; ``created`` in ISO 8601."""

    path: str
    title: str
    created: str
    note_type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLink:
    """A link to another note as it stands in one; ``to`` is that note's path if there is one."""

    path: str
    line: int
    target: str
    to: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTask:
    path: str
    line: int
    done: bool
    text: str


class Inventory:
    """Reads it from the catalog's file. Every method raises StorageError."""

    def __init__(
        self,
        db: Database,
        *,
        words: FullText,
        targets: Callable[[], list[tuple[str, str]]],
    ) -> None:
        self._db = db
        self._words = words
        self._names = Remembered(db, lambda: LinkNames(targets()))
        self._target = Remembered(db, lambda: lru_cache(_KEPT)(self.link_names().note))
        self._typed = Remembered(db, self._typed_links)
        self._tagged = Remembered(db, self._tag_counts)
        self._passages = Remembered(db, self._passage_counts)
        self._saying = Remembered(db, lambda: lru_cache(_KEPT)(self._count_saying))
        self._linked = Remembered(db, self._link_graph)
        self._walks = Remembered(db, lambda: link_walks(self.link_graph()))

    def notes(self, *, tagged: bool = True) -> list[ListedNote]:
        """Every note, by path; unless ``tagged`` without its tags, which is sooner."""
        tags = defaultdict[int, list[str]](list)
        for note, tag in self._db.rows("SELECT note_id, tag FROM tags") if tagged else ():
            tags[note].append(tag)
        rows = self._db.rows(
            "SELECT id, path, title, created, modified, date_origin, modified_origin, words, "
            "note_type FROM notes ORDER BY path"
        )
        saved = [datetime.fromisoformat(row[4]) for row in rows if row[6] != "frontmatter"]
        first = [datetime.fromisoformat(row[3]) for row in rows if row[5] == "git"]
        copied, imported = (_copied_at(times, of=len(rows)) for times in (saved, first))
        held = list[ListedNote]()
        for id_, path, title, written, modified, origin, told_by, words, kind in rows:
            created, changed = map(datetime.fromisoformat, (written, modified))
            stated = told_by == "frontmatter"
            by_copy = not stated and _within(changed, copied)
            dated = origin != "mtime" and not (origin == "git" and _within(created, imported))
            held.append(
                ListedNote(
                    path=path,
                    title=title,
                    created=created,
                    modified=created if by_copy else changed,
                    dated=dated,
                    change_dated=dated or not by_copy,
                    words=words,
                    tags=tuple(tags.get(id_, ())),
                    note_type=kind,
                )
            )
        return held

    def typed_notes(self) -> list[TypedNote]:
        """Every note, by path, as it is listed by type: much sooner than ``notes``."""
        rows = self._db.rows("SELECT path, title, created, note_type FROM notes ORDER BY path")
        return [TypedNote(*row) for row in rows]

    def tags(self) -> list[str]:
        """Every tag, by name, each once in whatever case, as it is written in the first note."""
        rows = self._db.rows(
            "SELECT t.tag FROM tags t JOIN notes n ON n.id = t.note_id "
            "GROUP BY t.tag ORDER BY min(n.path)"
        )
        first: dict[str, str] = {}
        for (tag,) in rows:
            first.setdefault(fold(tag), tag)
        return [first[folded] for folded in sorted(first)]

    def tags_of(self, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The tags of those of ``paths`` that have any."""
        sql = "SELECT n.path, t.tag FROM tags t JOIN notes n ON n.id = t.note_id WHERE n.path IN"
        found = defaultdict[str, list[str]](list)
        for path, tag in self._db.rows_for(sql, paths):
            found[path].append(tag)
        return {path: tuple(tags) for path, tags in found.items()}

    def notes_by_tag(self) -> Mapping[str, int]:
        """How many notes have each tag, as it is written."""
        return self._tagged()

    def _tag_counts(self) -> dict[str, int]:
        return dict(self._db.rows("SELECT tag, count(*) FROM tags GROUP BY tag"))

    def links(self, of: Iterable[str] | None = None) -> Iterator[ListedLink]:
        """Every link from one note, or from those ``of``, to another or to none."""
        resolve = self._target()
        sql = "SELECT n.path, l.target, l.line FROM links l JOIN notes n ON n.id = l.note_id"
        rows = self._db.rows(sql) if of is None else self._db.rows_for(f"{sql} WHERE n.path IN", of)
        for path, target, line in sorted(rows, key=lambda row: (row[0], row[2])):
            to = resolve(target)
            if to != path:
                yield ListedLink(path=path, line=line, target=target, to=to)

    def link_graph(self) -> LinkGraph:
        """All links between notes; the same object until a note changes."""
        return self._linked()

    def typed_links(self) -> tuple[TypedLink, ...]:
        """All links of notes that have a word of their own; the same object until a note changes.

        They are the edges of the graph without what a model inferred, by the names of today.
        """
        return self._typed()

    def _typed_links(self) -> tuple[TypedLink, ...]:
        rows = self._db.rows(
            "SELECT n.path, l.relation, l.target FROM typed_links l "
            "JOIN notes n ON n.id = l.note_id"
        )
        return typed_links(rows, self._target())

    def link_names(self) -> LinkNames:
        """What links may call notes; the same object until a note changes."""
        return self._names()

    def link_walks(self) -> LinkWalks:
        """The same links, to walk along."""
        return self._walks()

    def _link_graph(self) -> LinkGraph:
        resolve = self._target()
        rows = self._db.rows(
            "SELECT n.path, l.target FROM links l JOIN notes n ON n.id = l.note_id"
        )
        return link_graph(
            (path, to)
            for path, target in rows
            if (to := resolve(target)) is not None and to != path
        )

    def tasks(self) -> list[ListedTask]:
        """Every task, by note and line."""
        rows = self._db.rows(
            "SELECT n.path, t.line, t.done, t.text FROM tasks t JOIN notes n ON n.id = t.note_id "
            "ORDER BY n.path, t.line"
        )
        return [
            ListedTask(path=path, line=line, done=bool(done), text=text)
            for path, line, done, text in rows
        ]

    def with_all(self, terms: Sequence[str], *, headed: bool = False) -> dict[str, float]:
        """The notes with a passage that has all of these terms, as FTS5 is asked for them.

        With the BM25 of the best passage; ``headed`` looks at titles and headings only.
        """
        if not terms:
            return {}
        expression = " AND ".join(terms)
        matched = self._words.match(
            f"{{title headings}} : ({expression})" if headed else expression, limit=-1
        )
        scores = dict(matched)
        best: dict[str, float] = {}
        for row, path in self.notes_of_rows(scores):
            best[path] = max(best.get(path, 0.0), scores[row])
        return best

    def linked_by_vector(
        self, vector_ids: Iterable[str]
    ) -> dict[str, list[tuple[str, frozenset[str]]]]:
        """The note of each passage behind each vector, and the notes that the passage links to."""
        resolve = self._target()
        sql = (
            "SELECT c.id, c.vector_id, n.path, l.target FROM chunks c "
            "JOIN notes n ON n.id = c.note_id LEFT JOIN links l ON l.note_id = c.note_id "
            "AND l.line BETWEEN c.line_start AND c.line_end WHERE c.vector_id IN"
        )
        linked = defaultdict[tuple[int, str, str], set[str]](set)
        for row, vector, path, target in self._db.rows_for(sql, vector_ids):
            own = linked[row, vector, path]
            if target is not None and (to := resolve(target)) is not None and to != path:
                own.add(to)
        found = defaultdict[str, list[tuple[str, frozenset[str]]]](list)
        for (_, vector, path), own in linked.items():
            found[vector].append((path, frozenset(own)))
        return found

    def passages_by_note(self) -> Mapping[str, int]:
        """How many passages each note has; one without any is absent."""
        return self._passages()

    def _passage_counts(self) -> dict[str, int]:
        sql = "SELECT n.path, count(*) FROM chunks c JOIN notes n ON n.id = c.note_id GROUP BY n.id"
        return dict(self._db.rows(sql))

    def notes_saying(self, words: Sequence[str]) -> int:
        """How many notes have these words one after the other in their headings or text."""
        return self._saying()(" ".join(words))

    def _count_saying(self, words: str) -> int:
        expression = f'{{headings body}} : "{words}"'
        sql = (
            "SELECT count(DISTINCT note_id) FROM chunks WHERE id IN "
            "(SELECT rowid FROM words WHERE words MATCH ?)"
        )
        ((count,),) = self._db.rows(sql, (expression,))
        return int(count)

    def notes_of_rows(self, rows: Iterable[int]) -> Iterator[tuple[int, str]]:
        """The rows of passages that are still there, each with the path of its note."""
        sql = "SELECT c.id, n.path FROM chunks c JOIN notes n ON n.id = c.note_id WHERE c.id IN"
        yield from self._db.rows_for(sql, rows)


def _copied_at(saved: Sequence[datetime], *, of: int) -> datetime | None:
    """When more than half ``of`` the notes were saved, or committed, at once: they were copied.

    Of a few notes that says nothing: somebody may have written them that day.
    """
    if of < _FEWEST_COPIED or not saved:
        return None
    ordered = sorted(saved)
    middle = ordered[len(ordered) // 2]
    first = bisect_left(ordered, middle - _COPIED_WITHIN)
    together = bisect_right(ordered, middle + _COPIED_WITHIN) - first
    return middle if 2 * together > of else None


def _within(at: datetime, middle: datetime | None) -> bool:
    return middle is not None and abs(at - middle) <= _COPIED_WITHIN
