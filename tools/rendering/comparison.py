"""A comparison from notes: one column a subject, one row an attribute. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from tools.base.domain import Excerpt, GraphRelation, Note, Result
from tools.claims.assertions import asserts
from tools.evidence.attributes import (
    IN_SHORT,
    Attribute,
    Cell,
    assertions,
    attributes,
    short_links,
    tags,
)
from tools.evidence.citations import Citation, cite
from tools.rendering.connections import connections
from tools.text.language import is_turkish
from tools.text.markdown.sentences import sentences
from tools.text.normalize import fold
from tools.text.stemming import stems_of
from tools.text.tokens import words_of

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


@dataclass(frozen=True, slots=True)
class _Heard:
    """A sentence and the numbers of the columns whose subjects it names."""

    cell: Cell
    of: frozenset[int]


def compare(columns: Sequence[Compared]) -> Comparison:
    """Set side by side what the notes say of each subject and what they are connected to.

    First comes what several subjects have; what only one has follows where there is little else.
    """
    naming = [_Naming.of(column.names) for column in columns]

    def heard(cells: Iterable[Cell]) -> list[_Heard]:
        return [
            _Heard(cell, frozenset(at for at, one in enumerate(naming) if one.names(cell.text)))
            for cell in cells
        ]

    asserted = [tuple(assertions(column.note)) if column.note else () for column in columns]
    elsewhere = [heard(_asserted(column.results)) for column in columns]
    together = _together([*map(heard, asserted)], elsewhere)
    own = [
        {**column.tabled, **(attributes(column.note, said) if column.note else {})}
        for column, said in zip(columns, asserted, strict=True)
    ]
    rows = [*_attributes(own), *_spoken(columns, elsewhere, together), *_tagged(columns)]
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


def _together(
    asserted: Sequence[Sequence[_Heard]], elsewhere: Sequence[Sequence[_Heard]]
) -> tuple[Cell, ...]:
    """Assertions that name several subjects, or in the note of one another."""
    found: dict[str, tuple[int, Cell]] = {}
    for at, said in enumerate(asserted):
        for one in said:
            if one.of - {at}:
                found.setdefault(one.cell.text, (len(one.of), one.cell))
    for said in elsewhere:
        for one in said:
            if len(one.of) > 1:
                found.setdefault(one.cell.text, (len(one.of), one.cell))
    best = sorted(found.values(), key=lambda one: -one[0])
    return tuple(cell for _, cell in best[:_TOGETHER])


def _spoken(
    columns: Sequence[Compared], elsewhere: Sequence[Sequence[_Heard]], together: Sequence[Cell]
) -> list[Row]:
    """What other notes say of each subject alone; all there is of one without a note."""
    about = {column.note.path for column in columns if column.note}
    told = {cell.text for cell in together}

    def spoken(at: int) -> Cell | None:
        for one in elsewhere[at]:
            new = one.cell.citation.note_path not in about and one.cell.text not in told
            if new and one.of == frozenset((at,)):
                return one.cell
        return None

    cells = tuple(map(spoken, range(len(columns))))
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


@dataclass(frozen=True, slots=True)
class _Naming:
    """How a sentence names a subject: by whole words, in Turkish by their stems too."""

    kept_case: re.Pattern[str] | None
    folded: re.Pattern[str] | None
    stems: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, names: Sequence[str]) -> Self:
        """What tells that one of these ``names`` is meant."""
        short = [re.escape(name) for name in names if len(name) <= _KEPT_CASE]
        long = [name for name in names if len(name) > _KEPT_CASE]
        return cls(
            kept_case=_any_whole(short, "'?s"),
            folded=_any_whole([re.escape(fold(name)) for name in long], "'?s|es"),
            stems=tuple(_turkish_stems(name) for name in long),
        )

    def names(self, text: str) -> bool:
        """Whether a sentence calls the subject by a name."""
        if self.kept_case is not None and self.kept_case.search(text):
            return True
        if self.folded is None:
            return False
        if self.folded.search(fold(text)):
            return True
        if not is_turkish(text):
            return False
        said = _turkish_stems(text)
        return any(stems <= said for stems in self.stems)


def _any_whole(names: Sequence[str], endings: str) -> re.Pattern[str] | None:
    """A pattern for one of the escaped ``names``, alone or with one of the ``endings``."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?:{endings})?(?!\w)") if names else None


def _turkish_stems(text: str) -> frozenset[str]:
    return stems_of(" ".join(words_of(text)), turkish=True)
