"""Before a tool looks anything up: the index brought to what is on disk, and what it lacks."""

import asyncio

from graphs.core.deps import Deps
from graphs.ingest.sync_graph import catch_up_with_graph
from graphs.query.freshness_warnings import freshness_warnings
from graphs.stores.index_lock import is_indexing, is_interrupted
from tools.base.domain import SourceWarning
from tools.base.errors import InputError


async def bring_up_to_date(deps: Deps) -> list[SourceWarning]:
    """Index a few changed notes, as a question does, and warn of what is not indexed by then.

    Raises InputError where the vault was never indexed.
    """
    fresh = await catch_up_with_graph(deps)
    if fresh.stale and await asyncio.to_thread(_was_never_indexed, deps):
        raise InputError(
            "This vault is not indexed yet: run `brain index`. Until then `read_note` reads notes "
            "by their paths, and `ask` answers from the few that it can look at."
        )
    # Only now: catching up holds the same lock as a run that is under way.
    interrupted = await asyncio.to_thread(is_interrupted, deps.settings, deps.catalog)
    return freshness_warnings(fresh, interrupted=interrupted, read_only=deps.settings.read_only)


def _was_never_indexed(deps: Deps) -> bool:
    """Whether no run has come to the vectors, which are made last, and none is under way."""
    return not deps.catalog.outbox.vector_count() and not is_indexing(deps.settings)
