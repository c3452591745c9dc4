"""A comparison from notes: one column a subject, one row an attribute. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tools.attributes import IN_SHORT, Attribute, Cell, assertions, attributes, short_links, tags
from tools.citations import Citation, cite
from tools.claims.assertions import asserts
from tools.claims.sentences import sentences
from tools.claims.stems import is_turkish, stems_of
from tools.connections import connections
from tools.domain import Excerpt, GraphRelation, Note, Result
from tools.folding import fold
from tools.utterances import words_of

_ROWS = 12
_ENOUGH = 3
"""Rows that several subjects share, from which on what one alone has is left out."""
_ALONE = 2
"""Rows of one subject alone."""
_ALONE_WORDS = 6
_TOGETHER = 4
_KEPT_CASE = 3
"""Letters up to which a name counts only as it is written: ``OT`` is not in ``ot``."""

_POINTING = re.compile(
    r"\W*(?:\w+:\W*)?(?:it|its|this|that|these|those|they|he|she|here|such|bu|bunlar|o)\b"
)
"""How a sentence begins that is about something named before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An attribute and its cell of each subject, in the order of the subjects."""

    attribute: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The table's rows, what is said of several subjects at once, and who has no note."""

    rows: tuple[Row, ...] = ()
    together: tuple[Cell, ...] = ()
    without_note: frozenset[str] = frozenset()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every place that the comparison names."""
        cells = (cell for row in self.rows for cell in row.cells if cell)
        return tuple(cell.citation for cell in (*cells, *self.together))


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A subject: the note that is about it, if one is; what was found of it; its edges.

    ``tabled`` is what tables of any note say of it, by folded name.
    """

    subject: str
    note: Note | None = None
    results: Sequence[Result] = ()
    edges: Sequence[GraphRelation] = ()
    tabled: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])

    @property
    def names(self) -> tuple[str, ...]:
        """What a sentence may call it."""
        return (self.subject, *((self.note.title, *self.note.aliases) if self.note else ()))


def compare(columns: Sequence[Compared]) -> Comparison:
    """Set side by side what the notes say of each subject and what they are connected to.

    First comes what several subjects have; what only one has follows where there is little else.
    """
    together = _together(columns)
    own = [
        {**column.tabled, **(attributes(column.note) if column.note else {})} for column in columns
    ]
    rows = [*_attributes(own), *_spoken(columns, together), *_tagged(columns)]
    values = {fold(cell.text) for row in rows for cell in row.cells if cell}
    connected = connections(
        [column.subject for column in columns],
        {column.subject: column.edges for column in columns},
        said=values,
    )
    return Comparison(
        rows=(*rows, *(Row(attribute=label, cells=cells) for label, cells in connected)),
        together=together,
        without_note=frozenset(
            column.subject for column in columns if column.note is None and not column.tabled
        ),
    )


def _attributes(own: Sequence[Mapping[str, Attribute]]) -> list[Row]:
    """What several have; where that is little, also the first things that one alone has."""
    first: dict[str, Attribute] = {}
    for column in own:
        for key, attribute in column.items():
            first.setdefault(key, attribute)
    count = {key: sum(key in column for column in own) for key in first}
    common = sorted(
        (key for key in first if count[key] > 1), key=lambda key: (key != IN_SHORT, -count[key])
    )
    alone = [key for key in first if count[key] == 1]
    useful: set[str] = {IN_SHORT}
    if len(common) < _ENOUGH and all(own):
        for column in own:
            telling = [key for key in alone if key in column and _telling(column[key])]
            useful.update(telling[:_ALONE])
    return [
        Row(
            attribute=first[key].label,
            cells=tuple(column[key].cell if key in column else None for column in own),
        )
        for key in (*common, *(key for key in alone if key in useful))
    ][:_ROWS]


def _telling(attribute: Attribute) -> bool:
    """Whether it is worth a row by itself: a value, or a sentence of some length."""
    words = len(attribute.cell.text.split())
    return attribute.cell.citation.heading is None or words >= _ALONE_WORDS


def _tagged(columns: Sequence[Compared]) -> list[Row]:
    cells = tuple(tags(column.note) if column.note else None for column in columns)
    return [Row(attribute="Tags", cells=cells)] if sum(map(bool, cells)) > 1 else []


# --- what other notes say ------------------------------------------------------------------


def _together(columns: Sequence[Compared]) -> tuple[Cell, ...]:
    """Assertions that name several subjects, or in the note of one another."""
    found: dict[str, tuple[int, Cell]] = {}
    for column in columns:
        others = [other for other in columns if other is not column]
        for cell in assertions(column.note) if column.note else ():
            named = sum(_mentions(cell.text, other.names) for other in others)
            if named:
                found.setdefault(cell.text, (named + _mentions(cell.text, column.names), cell))
    for column in columns:
        for cell in _asserted(column.results):
            named = sum(_mentions(cell.text, other.names) for other in columns)
            if named > 1:
                found.setdefault(cell.text, (named, cell))
    best = sorted(found.values(), key=lambda one: -one[0])
    return tuple(cell for _, cell in best[:_TOGETHER])


def _spoken(columns: Sequence[Compared], together: Sequence[Cell]) -> list[Row]:
    """What other notes say of each subject alone; all there is of one without a note."""
    about = {column.note.path for column in columns if column.note}
    told = {cell.text for cell in together}

    def spoken(column: Compared) -> Cell | None:
        for cell in _asserted(column.results):
            others = (other for other in columns if other is not column)
            alone = not any(_mentions(cell.text, other.names) for other in others)
            elsewhere = cell.citation.note_path not in about and cell.text not in told
            if alone and elsewhere and _mentions(cell.text, column.names):
                return cell
        return None

    cells = tuple(spoken(column) for column in columns)
    lacking = any(column.note is None and not column.tabled for column in columns) and any(cells)
    if not lacking and sum(map(bool, cells)) < 2:
        return []
    return [Row(attribute="What other notes say", cells=cells)]


def _asserted(results: Sequence[Result]) -> Iterator[Cell]:
    """The quotations of the results that assert something."""
    for result in results:
        for excerpt in result.excerpts:
            if _stands_alone(excerpt):
                text = " ".join(one.text for one in sentences(short_links(excerpt.text)))
                yield Cell(text=text, citation=cite(result, excerpt))


def _stands_alone(excerpt: Excerpt) -> bool:
    """Whether it says something that is understood without what stands before it."""
    return asserts(excerpt.text) and not _POINTING.match(fold(excerpt.text))


def _mentions(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence calls something by one of its names, as whole words, in Turkish forms."""
    folded = fold(text)
    turkish = is_turkish(text)
    said = stems_of(" ".join(words_of(text)), turkish=True) if turkish else frozenset[str]()
    for name in names:
        if len(name) <= _KEPT_CASE:
            if re.search(rf"(?<!\w){re.escape(name)}(?:'?s)?(?!\w)", text):
                return True
        elif re.search(rf"(?<!\w){re.escape(fold(name))}(?:'?s|es)?(?!\w)", folded) or (
            turkish and stems_of(" ".join(words_of(name)), turkish=True) <= said
        ):
            return True
    return False
