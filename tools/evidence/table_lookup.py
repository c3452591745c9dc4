"""What the tables of notes say of compared subjects, each of which is a row or a column. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import Self

from tools.base.domain import Heading, Note
from tools.evidence.attributes import Attribute, cited_cell
from tools.text.markdown.sentences import sentences, shown_lines
from tools.text.markdown.tables import Table, cells_of, tables_in
from tools.text.normalize import fold
from tools.text.stopwords import GRAMMAR
from tools.text.tokens import stem, words_of

_MOST_COLUMNS, _MOST_ROWS = 30, 1000
"""Of a table that is read; what has more is data, not a comparison."""
_MOST_NAMING = 100
"""Rows that have a word of a subject, of which the first are read: with more it is no name."""
_MOST_VALUES = 50
"""Values of one subject that are read."""
_PREFIX = 3
"""Letters by which a word may be that of a subject; inflected words have them too."""


@dataclass(frozen=True, slots=True)
class _Value:
    """A cell as it is written, its line (from 0), and the heading that it stands under."""

    name: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class _Found:
    """What one table has of each subject: at least one value."""

    note: Note
    over: Heading | None
    values: Mapping[str, Sequence[_Value]]

    @property
    def extent(self) -> tuple[int, int]:
        """Subjects, and values of all of them."""
        return len(self.values), sum(map(len, self.values.values()))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The words of each subject, and a pattern of how the words of any begin in raw text."""

    words: Mapping[str, frozenset[str]]
    beginnings: re.Pattern[str]

    @classmethod
    def of(cls, subjects: Sequence[str]) -> Self:
        """What is asked of at least one subject.

        To fold the text would take longer than all else: any letter with an accent may be any.
        """
        begin = {
            word[:_PREFIX] for one in subjects for word in words_of(one) if word not in GRAMMAR
        }
        spelt = ("".join(f"{_spelt(letter)}+" for letter in one) for one in sorted(begin))
        return cls(
            words={subject: _words(subject) for subject in subjects},
            beginnings=re.compile(rf"(?<![0-9A-Za-z])(?:{'|'.join(spelt)})"),
        )

    def names(self, raw: str) -> bool:
        """Whether some text may name a subject."""
        return self.beginnings.search(raw) is not None


def tabled(subjects: Sequence[str], notes: Sequence[Note]) -> dict[str, dict[str, Attribute]]:
    """Subject → folded name → attribute, for the subjects that some table has values of.

    Each from the first table of those that have values of most of the subjects, and most values.
    """
    worded = [subject for subject in subjects if _words(subject)]
    ruled = [note for note in notes if "|" in note.text]
    if not (worded and ruled):
        return {}
    asked = _Asked.of(worded)
    found = [one for note in ruled for one in _in_note(asked, note)]
    found.sort(key=lambda one: one.extent, reverse=True)
    said: dict[str, dict[str, Attribute]] = {}
    for one in found:
        for subject, values in one.values.items():
            if subject not in said:
                said[subject] = _attributes(one, values)
    return said


def _in_note(asked: _Asked, note: Note) -> Iterator[_Found]:
    """What each table of a note has; one in code or in a comment is none."""
    if not asked.names(note.text):
        return
    lines = shown_lines(note.text)
    for table in tables_in(lines):
        if 0 < len(table.rows) <= _MOST_ROWS and len(table.columns) <= _MOST_COLUMNS:
            above = [heading for heading in note.headings if heading.line <= table.rows[0]]
            over = above[-1] if above else None
            around = _words(f"{note.title} {over.text if over else ''}")
            views = (
                _as_rows(asked, table, lines, around=around),
                _as_columns(asked, table, lines, around=around),
            )
            found = [_Found(note, over, view) for view in views]
            best = max(found, key=lambda one: one.extent)
            if best.values:
                yield best


def _as_rows(
    asked: _Asked, table: Table, lines: Sequence[str], *, around: Set[str]
) -> Mapping[str, Sequence[_Value]]:
    """The values of the subjects that are rows, called by the cells of any one column."""
    naming = islice((at for at in table.rows if asked.names(lines[at])), _MOST_NAMING)
    rows = [(at, _fitted(cells_of(lines[at]), len(table.columns))) for at in naming]
    labels = [[_label(asked, cell) for cell in cells] for _, cells in rows]
    best: Mapping[str, Sequence[_Value]] = {}
    for column, head in enumerate(table.columns):
        chosen = _chosen(
            asked, [row[column] for row in labels], around=around | _words(_plain(head))
        )
        if len(chosen) <= len(best):
            continue
        names = [name if at != column else "" for at, name in enumerate(_told_apart(table.columns))]
        best = _with_values(
            {
                subject: [
                    _Value(name, text, rows[at][0])
                    for name, text in zip(names, rows[at][1], strict=True)
                ]
                for subject, at in chosen.items()
            }
        )
    return best


def _as_columns(
    asked: _Asked, table: Table, lines: Sequence[str], *, around: Set[str]
) -> Mapping[str, Sequence[_Value]]:
    """The values of the subjects that are columns, called by their headings."""
    head, *others = table.columns
    labels = [_label(asked, heading) for heading in others]
    chosen = _chosen(asked, labels, around=around | _words(_plain(head)))
    if not chosen:
        return {}
    rows = [
        (at, _fitted(cells_of(lines[at]), len(table.columns))) for at in table.rows[:_MOST_VALUES]
    ]
    names = _told_apart([cells[0] for _, cells in rows])
    return _with_values(
        {
            subject: [
                _Value(name, cells[column + 1], at)
                for name, (at, cells) in zip(names, rows, strict=True)
            ]
            for subject, column in chosen.items()
        }
    )


def _fitted(cells: Sequence[str], width: int) -> list[str]:
    return [*cells[:width], *[""] * (width - len(cells))]


def _told_apart(names: Sequence[str]) -> list[str]:
    """The names, of which a second one of its kind says so: ``Price``, ``Price (2)``."""
    met: Counter[str] = Counter()
    told: list[str] = []
    for name in names:
        met[fold(name)] += 1
        count = met[fold(name)]
        told.append(f"{name} ({count})" if name and count > 1 else name)
    return told


def _with_values(found: Mapping[str, Sequence[_Value]]) -> Mapping[str, Sequence[_Value]]:
    """The subjects that have any, with the values that have a name."""
    named = {
        subject: [one for one in values if one.name and one.text]
        for subject, values in found.items()
    }
    return {subject: values for subject, values in named.items() if values}


def _attributes(found: _Found, values: Sequence[_Value]) -> dict[str, Attribute]:
    attributes: dict[str, Attribute] = {}
    for value in values:
        name = _plain(value.name)
        cell = cited_cell(found.note, _plain(value.text), value.line + 1, found.over)
        attributes.setdefault(fold(name), Attribute(label=name, cell=cell))
    return attributes


def _chosen(asked: _Asked, labels: Sequence[Set[str]], *, around: Set[str]) -> dict[str, int]:
    """The place of the label that one subject alone is called by, and which is no other's too."""
    places: dict[str, int] = {}
    for subject, words in asked.words.items():
        fits = [_fit(words, label, around=around) for label in labels]
        best = max(fits, default=0)
        if best and fits.count(best) == 1:
            places[subject] = fits.index(best)
    taken = Counter(places.values())
    return {subject: at for subject, at in places.items() if taken[at] == 1}


def _fit(subject: Set[str], label: Set[str], *, around: Set[str]) -> int:
    """How well a label names a subject, from 3 for its very words to 0 for not at all.

    Of "the server alpha" the cell may have "alpha" alone where the column has servers; "alpha" may
    stand there as "alpha (spare)".
    """
    if not subject or not label:
        return 0
    if subject == label:
        return 3
    if label < subject and subject - label <= around:
        return 2
    return int(subject < label)


def _spelt(letter: str) -> str:
    """A pattern of a folded letter as it may be written: in any case, or with any accent.

    It names the other ASCII characters: a class of all accented ones takes long to compile.
    """
    own = sorted(char for char in {letter, *letter.upper()} if char.isascii())
    starts = [0, *(ord(char) + 1 for char in own)]
    ends = [*(ord(char) - 1 for char in own), 127]
    others = (rf"\x{start:02x}-\x{end:02x}" for start, end in zip(starts, ends, strict=True))
    return f"[^{''.join(others)}]"


def _label(asked: _Asked, cell: str) -> frozenset[str]:
    """The words by which a cell may name a subject."""
    return _words(_plain(cell)) if asked.names(cell) else frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words_of(text) if word not in GRAMMAR)


def _plain(cell: str) -> str:
    """A cell without its markup."""
    return " ".join(one.text for one in sentences(cell)) or cell
