"""Have a vault searched for questions: every ranking of each, as soon as it is known."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from evals.datasets.judgements import Query
from evals.retrieval.grep import Grep
from evals.retrieval.places import Place, ranked_places
from evals.retrieval.rankings import Searched, rankings
from evals.retrieval.search import Page, find, indexed, read_found
from graphs.core.deps import Deps
from tools.base.domain import Intent, Source
from tools.base.errors import InputError
from tools.base.guards import MAX_QUESTION

type Hear = Callable[[Searched, Sequence[Place]], None]
"""Hears how a question fared, and the places to be answered from."""


async def search_all(
    queries: Sequence[Query],
    *,
    vault: Path,
    pages: Mapping[str, Page],
    data_dir: Path | None = None,
    intent: Intent | None = None,
    now: datetime | None = None,
    hear: Hear = lambda _, __: None,
) -> tuple[list[Searched], Mapping[Source, int]]:
    """How each question fared, in their order, and how often each search gave an error.

    Without a data directory the vault is indexed in a temporary one. Of a question that is too
    long the beginning is searched for. ``intent`` forces how all are read, and
    ``now`` is the present for them. Raises InputError and StorageError.
    """
    grep, failed = Grep(pages), Counter[Source]()
    done: list[Searched] = []

    async def search(query: Query, deps: Deps) -> tuple[Searched, Sequence[Place]]:
        try:
            found = await find(query.query[:MAX_QUESTION], deps, intent=intent)
        except InputError as error:
            return Searched(query=query, rankings={}, answerable=0.0, error=str(error)), ()
        failed.update(found.failed)
        evidence = (await read_found(found, deps)).evidence
        answered = ranked_places(found, evidence, pages)
        one = Searched(
            query=query,
            rankings=rankings(found, answered, pages, grep),
            answerable=evidence.answerable or 0.0,
        )
        return one, answered

    async with indexed(vault, data_dir=data_dir, now=now) as deps:
        for query in queries:
            one, places = await search(query, deps)
            done.append(one)
            hear(one, places)
    return done, failed
