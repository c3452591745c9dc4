"""What the tables of notes say of compared subjects, each of which is a row or a column. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from tools.attributes import Attribute, cited_cell
from tools.claims.sentences import sentences
from tools.domain import Note
from tools.folding import fold
from tools.tables import Table, tables_in
from tools.utterances import stem, words_of
from tools.words import GRAMMAR

_MOST_COLUMNS = 30
"""Columns of a table that is read; what has more is data, not a comparison."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row or column: what it is called, and its values with their lines by what they are of."""

    label: str
    values: Mapping[str, tuple[str, int]]


type _View = tuple[str, Sequence[_Entry]]
"""What stands over the labels of the entries of a table, and these."""


def tabled(subjects: Sequence[str], notes: Sequence[Note]) -> dict[str, dict[str, Attribute]]:
    """Subject → folded name → attribute, for the subjects that some table has an entry for.

    Each from the first table of those that have entries for most of the subjects.
    """
    found: list[tuple[int, dict[str, dict[str, Attribute]]]] = []
    for note in notes:
        for table in tables_in(note.text.split("\n")):
            if len(table.columns) <= _MOST_COLUMNS:
                own = _of_table(subjects, note, table)
                found.append((len(own), own))
    found.sort(key=lambda one: -one[0])
    said: dict[str, dict[str, Attribute]] = {}
    for _, own in found:
        for subject, attributes in own.items():
            said.setdefault(subject, attributes)
    return said


def _of_table(subjects: Sequence[str], note: Note, table: Table) -> dict[str, dict[str, Attribute]]:
    """The attributes of each subject by that view of the table which has most of them."""
    over = [h for h in note.headings if h.line <= table.rows[0].line] if table.rows else []
    around = _words(" ".join((note.title, *(h.text for h in over[-1:]))))
    best: dict[str, _Entry] = {}
    for head, entries in _views(table):
        chosen = _chosen(subjects, entries, around=around | _words(head))
        if len(chosen) > len(best):
            best = chosen
    return {
        subject: {
            fold(name): Attribute(
                label=name, cell=cited_cell(note, text, line + 1, over[-1] if over else None)
            )
            for name, (text, line) in entry.values.items()
        }
        for subject, entry in best.items()
    }


def _views(table: Table) -> Iterator[_View]:
    """The table with its rows as entries, called by any of their cells, then its columns."""
    above = table.rows[0].line if table.rows else 0
    grid = [[(_plain(name), above) for name in table.columns]]
    for row in table.rows:
        cells = [(_plain(cell), row.line) for cell in row.cells[: len(table.columns)]]
        grid.append([*cells, *[("", row.line)] * (len(table.columns) - len(cells))])
    for at, (name, _) in enumerate(grid[0]):
        yield name, _entries(grid, at)
    yield grid[0][0][0], _entries([*map(list, zip(*grid, strict=True))], 0)


def _entries(grid: Sequence[Sequence[tuple[str, int]]], at: int) -> list[_Entry]:
    names = [name if number != at else "" for number, (name, _) in enumerate(grid[0])]
    return [
        _Entry(
            row[at][0],
            {name: cell for name, cell in zip(names, row, strict=True) if name and cell[0]},
        )
        for row in grid[1:]
    ]


def _chosen(
    subjects: Sequence[str], entries: Sequence[_Entry], *, around: Set[str]
) -> dict[str, _Entry]:
    """The entry of each subject that one alone is called by, and which is no other's too."""
    labels = [_words(entry.label) for entry in entries]
    places: dict[str, int] = {}
    for subject in subjects:
        fits = [_fit(_words(subject), label, around=around) for label in labels]
        best = max(fits, default=0)
        if best and fits.count(best) == 1:
            places[subject] = fits.index(best)
    taken = Counter(places.values())
    return {subject: entries[at] for subject, at in places.items() if taken[at] == 1}


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


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words_of(text) if word not in GRAMMAR)


def _plain(cell: str) -> str:
    """A cell without its markup."""
    return " ".join(one.text for one in sentences(cell)) or cell
