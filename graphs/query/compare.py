"""The rows of a comparison: what the notes say side by side, and what they are connected to."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from agents.interpreter.plan import moment
from graphs.core.deps import Deps
from tools.base.domain import (
    DatedEdge,
    GraphRelation,
    Moment,
    Note,
    QueryPlan,
    Result,
    SourceWarning,
)
from tools.base.errors import BrainError
from tools.evidence.attributes import Attribute
from tools.evidence.table_lookup import tabled
from tools.rendering.comparison import Compared, Comparison, compare
from tools.text.markdown.tables import is_rule
from tools.text.normalize import fold
from tools.vault.indexing.indexing import read_notes
from tools.vault.notes.lines import read_lines

_CONNECTION_SECONDS = 0.5
_CONNECTED = 80
"""Entities next to a compared note that are looked at."""
_TABLED = 8
"""Notes, the best ones, whose tables are read."""
_MORE = 2
"""Words that the title of a note may have behind what it is about."""

type _Tabled = Mapping[str, Mapping[str, Attribute]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A comparison, and what is missing from it."""

    comparison: Comparison = field(default_factory=Comparison)
    warnings: tuple[SourceWarning, ...] = ()


async def compare_results(plan: QueryPlan, results: Sequence[Result], deps: Deps) -> Found:
    """Compare the notes that are about the subjects, and what the results say of them.

    At a moment of the past only the results speak: they quote the versions of then.
    """
    past = moment(plan) != Moment()

    def read() -> tuple[Mapping[str, str], Mapping[str, Note], _Tabled]:
        about = _about(plan.subjects, results, deps)
        if past:
            return about, {}, {}
        return about, _read(about, deps), _tabled(plan.subjects, results, deps)

    about, notes, said = await asyncio.to_thread(read)
    warnings: tuple[SourceWarning, ...] = ()
    edges: Mapping[str, Sequence[GraphRelation]] = {}
    try:
        edges = await _edges(plan, about, deps)
    except (BrainError, TimeoutError) as error:
        warnings = (_unconnected(error),)
    columns = [
        Compared(
            subject=subject,
            note=notes.get(subject),
            results=[r for r in results if r.subject == subject],
            edges=edges.get(subject, ()),
            tabled=said.get(subject, {}),
        )
        for subject in plan.subjects
    ]
    comparison = await asyncio.to_thread(compare, columns)
    return Found(comparison=comparison, warnings=warnings)


def _about(subjects: Sequence[str], results: Sequence[Result], deps: Deps) -> dict[str, str]:
    """Each subject's note, by its name or by a title that begins with it: PARA, PARA method.

    A note that would stand for several subjects is about none of them alone.
    """
    found: dict[str, str] = {}
    for subject in subjects:
        own = [result for result in results if result.subject == subject]
        named = deps.catalog.resolve(subject)
        ranked = [result.note_path for result in own if result.note_path in named]
        titled = [result.note_path for result in own if _begins(result.note_title, subject)]
        if best := (*ranked, *named, *titled):
            found[subject] = best[0]
    count = Counter(found.values())
    return {subject: path for subject, path in found.items() if count[path] == 1}


def _begins(title: str, subject: str) -> bool:
    """Whether a title is the subject's name and at most a few words more."""
    words, called = fold(title).split(), fold(subject).split()
    return bool(called) and words[: len(called)] == called and len(words) - len(called) <= _MORE


def _read(about: Mapping[str, str], deps: Deps) -> dict[str, Note]:
    notes = _notes(about.values(), deps)
    return {subject: notes[path] for subject, path in about.items() if path in notes}


def _tabled(subjects: Sequence[str], results: Sequence[Result], deps: Deps) -> _Tabled:
    """What the tables of the best notes say of the subjects."""
    best = sorted(results, key=lambda result: -result.composite_relevance)
    paths = [*dict.fromkeys(result.note_path for result in best)][:_TABLED]
    lines = read_lines(paths, root=deps.settings.vault, max_bytes=deps.settings.max_note_bytes)
    # Most notes have no table, and need not be parsed, which takes far longer than looking.
    paths = [path for path in paths if any(map(is_rule, lines.get(path, ())))]
    notes: Mapping[str, Note] = _notes(paths, deps) if paths else {}
    return tabled(subjects, [notes[path] for path in paths if path in notes])


def _notes(paths: Iterable[str], deps: Deps) -> Mapping[str, Note]:
    return read_notes(
        paths,
        root=deps.settings.vault,
        catalog=deps.catalog,
        max_bytes=deps.settings.max_note_bytes,
    )


async def _edges(
    plan: QueryPlan, about: Mapping[str, str], deps: Deps
) -> dict[str, list[GraphRelation]]:
    """What the graph connects the compared notes to. Raises BrainError and TimeoutError."""
    around: dict[str, list[GraphRelation]] = {}
    at = moment(plan)
    async with asyncio.timeout(_CONNECTION_SECONDS):
        for subject, path in about.items():
            found = await deps.graph.around([path], [], hops=1, limit=_CONNECTED, at=at)
            centre = {node.uuid for node in found.nodes if node.hops == 0}
            around[subject] = [
                _named(edge, subject, centre)
                for edge in found.edges
                if _tells(edge, centre, others=set(about.values()) - {path})
            ]
    return around


def _unconnected(error: BrainError | TimeoutError) -> SourceWarning:
    told = str(error) if isinstance(error, BrainError) else "no answer within the time limit."
    return SourceWarning(
        source="graph",
        error=told,
        impact="What the compared notes are connected to is missing from the table.",
    )


def _tells(edge: DatedEdge, centre: Set[str], *, others: Set[str]) -> bool:
    """Whether the edge connects the compared note to something not compared."""
    relation = edge.relation
    compared = {relation.source_path, relation.target_path} & others
    return bool({edge.source, edge.target} & centre) and not compared


def _named(edge: DatedEdge, subject: str, centre: Set[str]) -> GraphRelation:
    """The edge with the compared note called as the question calls it."""
    if edge.source in centre:
        return replace(edge.relation, source_title=subject)
    return replace(edge.relation, target_title=subject)
