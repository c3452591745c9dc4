"""A comparison table from notes: one column a subject, one row an attribute. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.citations import Citation
from tools.claims.sentences import sentences
from tools.domain import GraphRelation, Heading, Note
from tools.folding import fold

_ROWS = 12
_CONNECTIONS = 6
"""Names of connected notes in one cell."""
_CELL_WORDS = 1
"""Words besides links that a line needs to say something about its subject."""
_UNLINKED = re.compile(r"!?\[\[[^\]]*\]\]|^\w+:\s|\[[^\]]*\]\([^)]*\)")
_CELL_LENGTH = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A value as the note has it, and where."""

    text: str
    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    attribute: str
    cells: tuple[Cell | None, ...]


def compare(subjects: Sequence[str], notes: Mapping[str, Note | None]) -> tuple[Row, ...]:
    """Rows for the attributes of each subject's note: its sections, then its inline fields.

    Attributes that several subjects have come first. ``notes`` maps a subject to the note that
    is about it, or None. A subject whose note has no sections gets its first sentence.
    """
    columns = {subject: _attributes(notes.get(subject)) for subject in subjects}
    labels: dict[str, str] = {}
    for column in columns.values():
        for key, (label, _) in column.items():
            labels.setdefault(key, label)
    shared = {key: sum(key in column for column in columns.values()) for key in labels}
    keys = sorted(labels, key=lambda key: -shared[key])
    common = [key for key in keys if shared[key] > 1]
    rows = [
        Row(
            attribute=labels[key],
            cells=tuple(
                columns[subject][key][1] if key in columns[subject] else None
                for subject in subjects
            ),
        )
        for key in (common or keys)[:_ROWS]
    ]
    return tuple(rows)


def connections(
    subjects: Sequence[str], around: Mapping[str, Sequence[GraphRelation]]
) -> tuple[Row, ...]:
    """What the subjects' notes are all connected to, and what only one of them is.

    ``around`` has the edges at each subject's note, of which it is one end. Tags count too.
    """
    ends = {subject: _ends(subject, around.get(subject, ())) for subject in subjects}
    known = [found for found in ends.values() if found]
    if len(known) < 2:
        return ()
    shared = {end for end in known[0] if all(end in found for found in known)}
    own = {
        subject: [end for end in found if sum(end in other for other in known) == 1]
        for subject, found in ends.items()
    }
    rows = (
        Row(
            attribute="Connected to all alike",
            cells=tuple(_listed([e for e in ends[s] if e in shared], ends[s]) for s in subjects),
        ),
        Row(
            attribute="Connected to it alone",
            cells=tuple(_listed(own[s], ends[s]) for s in subjects),
        ),
    )
    return tuple(row for row in rows if any(row.cells))


def _ends(subject: str, edges: Sequence[GraphRelation]) -> dict[str, tuple[str, GraphRelation]]:
    """Folded name of each other end → (its name, the strongest edge to it, a written one first)."""

    def order(edge: GraphRelation) -> tuple[bool, float, str, int]:
        return edge.origin == "inferred", -edge.strength, edge.note_path, edge.line

    found: dict[str, tuple[str, GraphRelation]] = {}
    for edge in sorted(edges, key=order):
        titles = (edge.source_title, edge.target_title)
        other = titles[0] if fold(titles[1]) == fold(subject) else titles[1]
        if fold(other) != fold(subject):
            found.setdefault(fold(other), (other, edge))
    return found


def _listed(names: Sequence[str], ends: Mapping[str, tuple[str, GraphRelation]]) -> Cell | None:
    if not names:
        return None
    shown = ", ".join(_called(*ends[name]) for name in names[:_CONNECTIONS])
    more = f" and {len(names) - _CONNECTIONS} more" if len(names) > _CONNECTIONS else ""
    edge = ends[names[0]][1]
    return Cell(
        text=f"{shown}{more}",
        citation=Citation(note_path=edge.note_path, note_title=edge.source_title, line=edge.line),
    )


def _called(name: str, edge: GraphRelation) -> str:
    return f"{name} (inferred)" if edge.origin == "inferred" else name


def _attributes(note: Note | None) -> dict[str, tuple[str, Cell]]:
    """Folded attribute name → (name as written, first words under it)."""
    if note is None:
        return {}
    lines = note.text.split("\n")
    found: dict[str, tuple[str, Cell]] = {}
    opening = _first_sentence(note, lines, start=_opening_line(note), heading=None)
    if opening is not None:
        found["in short"] = ("In short", opening)
    for heading in note.headings:
        if heading.level > 1 and fold(heading.text) != fold(note.title):
            cell = _first_sentence(note, lines, start=heading.line + 1, heading=heading)
            if cell is not None:
                found.setdefault(fold(heading.text), (heading.text, cell))
    for field in note.fields:
        if "[[" not in field.value and field.value:
            found.setdefault(
                fold(field.key), (field.key, _cell(note, field.value, field.line, None))
            )
    return found


def _opening_line(note: Note) -> int:
    titles = [heading for heading in note.headings if heading.level == 1]
    return titles[0].line + 1 if titles else note.body_line


def _first_sentence(
    note: Note, lines: Sequence[str], *, start: int, heading: Heading | None
) -> Cell | None:
    """Quote the first sentence of the section whose body starts at line ``start``."""
    end = min((h.line for h in note.headings if h.line >= start), default=len(lines) + 1)
    in_code = False
    for number in range(start, end):
        text = lines[number - 1].strip().lstrip("-*+> ").strip()
        fence = text.startswith(("```", "~~~"))
        in_code ^= fence
        if in_code or fence or not text or text.startswith(("|", "<!--", "[!")) or "::" in text:
            continue
        first = next(iter(sentences(text)), None)
        if first is not None and len(_UNLINKED.sub(" ", text).split()) >= _CELL_WORDS:
            return _cell(note, first.text, number, heading)
    return None


def _cell(note: Note, text: str, line: int, heading: Heading | None) -> Cell:
    short = text if len(text) <= _CELL_LENGTH else text[:_CELL_LENGTH].rsplit(" ", 1)[0] + " …"
    return Cell(
        text=short,
        citation=Citation(
            note_path=note.path,
            note_title=note.title,
            line=line,
            heading=heading.text if heading else None,
        ),
    )
