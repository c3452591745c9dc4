"""That another note has taken a note's place, and since when."""

import asyncio
import operator
from collections.abc import Mapping

from graphs.core.deps import Deps
from tools.base.domain import Event, GraphRelation, Moment
from tools.graph.relations import SUPERSEDED_BY, SUPERSEDES
from tools.graph.store import NOW


async def supersessions(
    deps: Deps, replaced: Mapping[str, str], *, at: Moment = NOW
) -> dict[str, Event]:
    """For each old path the event that the note at the new path, one of today, took its place.

    It is dated as the end of what the old note says: from when one of both said so as of the
    moment, not from when the newer was written. Raises SourceError when the graph does not answer.
    """
    if not replaced:
        return {}
    newer = await asyncio.to_thread(deps.catalog.records, replaced.values())
    pairs = {old: new for old, new in replaced.items() if new in newer}
    if not pairs:
        return {}
    facts = await deps.graph.facts(list({*pairs, *pairs.values()}), at=at)
    found: dict[str, Event] = {}
    for old, new in pairs.items():
        since = [
            (fact.valid_at, fact.created_at)
            for fact in facts
            if fact.valid_at is not None and _says(fact, old=old, new=new)
        ]
        # Between the two questions the graph may have been filled anew.
        began, known_at = min(
            since, key=operator.itemgetter(0), default=(newer[new].modified, None)
        )
        found[old] = Event(
            timestamp=began,
            kind="superseded",
            detail=newer[new].title,
            successor=new,
            known_at=known_at,
        )
    return found


def _says(fact: GraphRelation, *, old: str, new: str) -> bool:
    return fact.origin == "written" and (fact.source_path, fact.relation, fact.target_path) in (
        (new, SUPERSEDES, old),
        (old, SUPERSEDED_BY, new),
    )
