"""What compared notes are connected to, as rows of a table. Pure."""

from collections.abc import Mapping, Sequence, Set

from tools.base.domain import GraphRelation
from tools.evidence.attributes import Cell
from tools.evidence.citations import cite_relation
from tools.graph.relations import PLAIN, phrase
from tools.text.normalize import fold

_NAMED = 6
"""Names of connected notes in one cell."""

type _Ends = dict[str, tuple[str, GraphRelation]]
"""Folded name of each other end → its name and the strongest edge to it, a written one first."""


def connections(
    subjects: Sequence[str],
    around: Mapping[str, Sequence[GraphRelation]],
    *,
    said: Set[str] = frozenset(),
) -> list[tuple[str, tuple[Cell | None, ...]]]:
    """Labels and cells of rows: relations that several have, connections of all and of one alone.

    ``around`` has the edges at each subject's note, of which it is one end. Ends whose folded names
    are ``said`` stand elsewhere in the table, and so do tags.
    """
    edges = {
        subject: [
            edge
            for edge in around.get(subject, ())
            if edge.relation != "TAGGED" and fold(_other(subject, edge)) not in said
        ]
        for subject in subjects
    }
    rows: list[tuple[str, tuple[Cell | None, ...]]] = []
    shown: dict[str, set[str]] = {subject: set() for subject in subjects}
    for label in dict.fromkeys(_label(s, e) for s in subjects for e in edges[s] if _typed(e)):
        ends = {s: _ends(s, [e for e in edges[s] if _typed(e) and _label(s, e) == label])
                for s in subjects}  # fmt: skip
        if sum(map(bool, ends.values())) > 1:
            rows.append((label, tuple(_listed(list(ends[s]), ends[s]) for s in subjects)))
            for subject in subjects:
                shown[subject] |= ends[subject].keys()
    every = {subject: _ends(subject, edges[subject]) for subject in subjects}
    known = [found for found in every.values() if found]
    if len(known) > 1:
        shared = {end for end in known[0] if all(end in found for found in known)}
        own = {
            s: [e for e in every[s] if sum(e in other for other in known) == 1] for s in subjects
        }
        alike = "Connected to both" if len(known) == 2 else "Connected to all"
        for label, names in (
            (alike, {s: list(shared) for s in subjects}),
            ("Connected to it alone", own),
        ):
            cells = tuple(
                _listed([e for e in every[s] if e in names[s] and e not in shown[s]], every[s])
                for s in subjects
            )
            rows.append((label, cells))
    return [row for row in rows if any(row[1])]


def _typed(edge: GraphRelation) -> bool:
    return edge.relation not in PLAIN


def _other(subject: str, edge: GraphRelation) -> str:
    """The end of an edge that the subject is not."""
    titles = (edge.source_title, edge.target_title)
    return titles[0] if fold(titles[1]) == fold(subject) else titles[1]


def _label(subject: str, edge: GraphRelation) -> str:
    """``causes`` for what it causes, ``causes it`` for what causes it."""
    words = phrase(edge.relation)
    return words if fold(edge.source_title) == fold(subject) else f"{words} it"


def _ends(subject: str, edges: Sequence[GraphRelation]) -> _Ends:
    def order(edge: GraphRelation) -> tuple[bool, float, str, int]:
        return edge.origin == "inferred", -edge.strength, edge.note_path, edge.line

    found: _Ends = {}
    for edge in sorted(edges, key=order):
        other = _other(subject, edge)
        if fold(other) != fold(subject):
            found.setdefault(fold(other), (other, edge))
    return found


def _listed(names: Sequence[str], ends: _Ends) -> Cell | None:
    if not names:
        return None
    shown = ", ".join(_called(*ends[name]) for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return Cell(text=f"{shown}{more}", citation=cite_relation(ends[names[0]][1]))


def _called(name: str, edge: GraphRelation) -> str:
    return f"{name} (inferred)" if edge.origin == "inferred" else name
