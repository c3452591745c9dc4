"""The rows of a comparison: what the notes say side by side, and what they are connected to."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from agents.planning import moment
from graphs.deps import Deps
from tools.comparison import Row, compare, connections
from tools.domain import DatedEdge, GraphRelation, QueryPlan, Result, SourceWarning
from tools.errors import BrainError
from tools.vault.indexing import read_notes

_CONNECTION_SECONDS = 0.5
_CONNECTED = 80
"""Entities next to a compared note that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The rows of a comparison, and what is missing from them."""

    rows: tuple[Row, ...] = ()
    warnings: tuple[SourceWarning, ...] = ()


async def compare_results(plan: QueryPlan, results: Sequence[Result], deps: Deps) -> Compared:
    """Compare the note that each subject's results put first; a note of that name goes before."""

    def compared() -> tuple[dict[str, str], tuple[Row, ...]]:
        about: dict[str, str] = {}
        for subject in plan.subjects:
            own = [r.note_path for r in results if r.subject == subject]
            named = [path for path in deps.catalog.resolve(subject) if path in own]
            if own:
                about[subject] = (named or own)[0]
        notes = read_notes(
            about.values(),
            root=deps.settings.vault,
            catalog=deps.catalog,
            max_bytes=deps.settings.max_note_bytes,
        )
        by_subject = {subject: notes.get(path) for subject, path in about.items()}
        return about, compare(plan.subjects, by_subject)

    about, rows = await asyncio.to_thread(compared)
    try:
        return Compared(rows=(*rows, *await _connections(plan, about, deps)))
    except (BrainError, TimeoutError) as error:
        return Compared(rows=rows, warnings=(_unconnected(error),))


async def _connections(plan: QueryPlan, about: Mapping[str, str], deps: Deps) -> tuple[Row, ...]:
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
    return connections(plan.subjects, around)


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
