"""The candidates of a note: what resembles it, what it names, what its links lead to."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from graphs.core.deps import Deps
from graphs.links.suggesting.mention_usage import mention_usages
from tools.base.domain import Note, SourceWarning
from tools.base.errors import BrainError
from tools.links.mention_score import THRESHOLD, mention_probability
from tools.links.mentions import Mention, NameIndex, find_mentions, index_names
from tools.links.signals import Signals, Values, linked_signals, links_of_similar
from tools.vault.catalog.alike import notes_alike
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.link_graph import LinkGraph

_PASSAGES = 300
"""Passages that are looked at for how near in meaning they are."""
PAUSES = (1.0, 2.0, 4.0)
"""Seconds between tries where a store does not answer: nobody waits for a suggestion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What speaks for which candidate, and what could not be looked at."""

    signals: Signals
    graph: LinkGraph
    mentions: Sequence[Mention]
    warnings: tuple[SourceWarning, ...] = ()

    @property
    def candidates(self) -> list[str]:
        """All notes for which anything speaks but what they are themselves, by path."""
        return self.signals.candidates


@dataclass(frozen=True, slots=True, kw_only=True)
class _Near:
    """Notes near in meaning, and what the passages that are nearest link to."""

    meaning: Values = field(default_factory=dict[str, float])
    similar_link: Values = field(default_factory=dict[str, float])
    warnings: tuple[SourceWarning, ...] = ()


async def gather(
    deps: Deps, note: Note, names: Callable[[], NameIndex], *, pauses: Sequence[float] = PAUSES
) -> Gathered:
    """Look for candidates in all stores; ``names`` gives those of all notes, and blocks.

    Raises StorageError for the catalog's.
    """
    path, catalog = note.path, deps.catalog
    near, words, (mentions, own) = await asyncio.gather(
        _near_in_meaning(deps, path, pauses),
        asyncio.to_thread(notes_alike, catalog, note.text),
        asyncio.to_thread(_mentioned, catalog, note, names),
    )
    own = replace(own, meaning=near.meaning, similar_link=near.similar_link, words=words)
    signals, graph = await asyncio.to_thread(_linked, catalog, path, own)
    return Gathered(signals=signals, graph=graph, mentions=mentions, warnings=near.warnings)


def _linked(catalog: Catalog, path: str, signals: Signals) -> tuple[Signals, LinkGraph]:
    """The signals with what links say, and what the candidates are themselves."""
    graph = catalog.inventory.link_graph()
    linked = linked_signals(catalog.inventory.link_walks(), path, signals.meaning)
    both = replace(signals, reached=linked.reached, linked_together=linked.linked_together)
    candidates, passages = both.candidates, catalog.inventory.passages_by_note()
    return replace(
        both,
        links_in={other: float(len(graph.sources(other))) for other in candidates},
        passages={other: float(passages.get(other, 0)) for other in candidates},
    ), graph


def _mentioned(
    catalog: Catalog, note: Note, names: Callable[[], NameIndex]
) -> tuple[list[Mention], Signals]:
    """Where other notes' names surely stand in this one, and what any names say of a link.

    For each note that is how rare its rarest name is, and how many of those who say it link.
    """
    found = find_mentions(note, names())
    usages = mention_usages(catalog, catalog.inventory.link_graph(), found)
    rarity: dict[str, float] = {}
    link_rate: dict[str, float] = {}
    for one, usage in zip(found, usages, strict=True):
        rarity[one.path] = max(rarity.get(one.path, 0.0), usage.idf)
        link_rate[one.path] = max(link_rate.get(one.path, 0.0), usage.link_rate)
    sure = [
        one
        for one, usage in zip(found, usages, strict=True)
        if mention_probability(one, usage) >= THRESHOLD
    ]
    return sure, Signals(mentions=rarity, link_rate=link_rate)


def names_of_all(catalog: Catalog) -> NameIndex:
    """Every name of every note, to be looked for; titles and file names as they are written."""

    def named() -> Iterator[tuple[str, str]]:
        yield from catalog.link_targets()
        for note in catalog.inventory.typed_notes():
            yield note.title, note.path
            yield note.path.rpartition("/")[2], note.path

    return _names_index(tuple(named()))


@lru_cache(maxsize=2)
def _names_index(names: tuple[tuple[str, str], ...]) -> NameIndex:
    """Of a vault whose notes change all the time, but seldom what they are called."""
    return index_names(names)


async def _near_in_meaning(deps: Deps, path: str, pauses: Sequence[float]) -> _Near:
    """For each note near to this one the cosine of its nearest passage to the note's mean."""
    own = await asyncio.to_thread(deps.catalog.passages_of, [path])
    try:
        ids = [passage.vector_id for passage in own.get(path, ())]
        found = await _nearest(deps, ids, pauses)
    except BrainError as error:
        impact = "Links were suggested by words, names and links alone."
        warning = SourceWarning(source="semantic", error=str(error), impact=impact)
        return _Near(warnings=(warning,))
    return await asyncio.to_thread(_placed, deps.catalog, path, found)


def _placed(catalog: Catalog, path: str, found: Sequence[tuple[str, float]]) -> _Near:
    """The notes that have these passages, the nearest first, and what the passages link to."""
    by_vector = catalog.inventory.linked_by_vector([id_ for id_, _ in found])
    places = [
        (cosine, note, linked - {path})
        for id_, cosine in found
        for note, linked in by_vector.get(id_, ())
        if note != path
    ]
    nearest: dict[str, float] = {}
    for cosine, note, _ in places:
        nearest.setdefault(note, cosine)
    linking = ((cosine, linked) for cosine, _, linked in places)
    return _Near(meaning=nearest, similar_link=links_of_similar(linking))


async def _nearest(
    deps: Deps, ids: Sequence[str], pauses: Sequence[float]
) -> list[tuple[str, float]]:
    for pause in pauses:
        try:
            return await deps.index.nearest_to(ids, limit=_PASSAGES)
        except BrainError:
            await asyncio.sleep(pause)
    return await deps.index.nearest_to(ids, limit=_PASSAGES)
