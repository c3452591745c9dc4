"""The candidates of a note: what resembles it, what it names, what its links lead to."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from graphs.core.deps import Deps
from tools.base.domain import Note, SourceWarning
from tools.base.errors import BrainError
from tools.links.mentions import Mention, NameIndex, find_mentions, index_names
from tools.links.signals import Signals, linked_signals
from tools.text.tokens import words_of
from tools.vault.catalog.alike import notes_alike
from tools.vault.catalog.best_passages import term_statistics
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.link_graph import LinkGraph

_PASSAGES = 300
"""Passages that are looked at for how near in meaning they are."""
_SIMILAR = 10
"""Notes whose own links speak for the same link."""
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
        """All notes for which anything but their fame speaks, by path."""
        own = self.signals
        named = (own.meaning, own.words, own.mentions, own.similar_link, own.shared_neighbours)
        return sorted(set[str]().union(*named, own.links_back))


async def gather(
    deps: Deps, note: Note, names: Callable[[], NameIndex], *, pauses: Sequence[float] = PAUSES
) -> Gathered:
    """Look for candidates in all stores; ``names`` gives those of all notes, and blocks.

    Raises StorageError for the catalog's.
    """
    path, catalog = note.path, deps.catalog
    (meaning, warnings), words, (mentions, rarity), graph = await asyncio.gather(
        _near_in_meaning(deps, path, pauses),
        asyncio.to_thread(notes_alike, catalog, note.text),
        asyncio.to_thread(_mentioned, catalog, note, names),
        asyncio.to_thread(catalog.inventory.link_graph),
    )
    similar = {other: near for other, near in meaning.items() if other != path}
    nearest = sorted(similar, key=lambda other: (-similar[other], other))[:_SIMILAR]
    signals = linked_signals(graph, path, {other: similar[other] for other in nearest})
    signals = replace(signals, meaning=meaning, words=words, mentions=rarity)
    return Gathered(signals=signals, graph=graph, mentions=mentions, warnings=warnings)


def _mentioned(
    catalog: Catalog, note: Note, names: Callable[[], NameIndex]
) -> tuple[list[Mention], Mapping[str, float]]:
    """Where other notes' names stand in this one, and for each how rare its rarest name is."""
    found = find_mentions(note, names())
    terms = {f'"{" ".join(words_of(one.words))}"': one.path for one in found}
    rarity: dict[str, float] = {}
    for term, one in term_statistics(catalog, [*terms]).items():
        rarity[terms[term]] = max(rarity.get(terms[term], 0.0), one.weight)
    return found, rarity


def names_of_all(catalog: Catalog) -> NameIndex:
    """Every name of every note, to be looked for; titles and file names as they are written."""

    def named() -> Iterator[tuple[str, str]]:
        yield from catalog.link_targets()
        for note in catalog.inventory.typed_notes():
            yield note.title, note.path
            yield note.path.rpartition("/")[2], note.path

    return index_names(named())


async def _near_in_meaning(
    deps: Deps, path: str, pauses: Sequence[float]
) -> tuple[Mapping[str, float], tuple[SourceWarning, ...]]:
    """For each note near to this one the cosine of its nearest passage to the note's mean."""
    own = await asyncio.to_thread(deps.catalog.passages_of, [path])
    try:
        ids = [passage.vector_id for passage in own.get(path, ())]
        found = await _nearest(deps, ids, pauses)
    except BrainError as error:
        impact = "Links were suggested by words, names and links alone."
        return {}, (SourceWarning(source="semantic", error=str(error), impact=impact),)
    places = await asyncio.to_thread(deps.catalog.places_by_vector, [id_ for id_, _ in found])
    nearest: dict[str, float] = {}
    for id_, cosine in found:
        for note, _, _ in places.get(id_, ()):
            nearest.setdefault(note, cosine)
    return nearest, ()


async def _nearest(
    deps: Deps, ids: Sequence[str], pauses: Sequence[float]
) -> list[tuple[str, float]]:
    for pause in pauses:
        try:
            return await deps.index.nearest_to(ids, limit=_PASSAGES)
        except BrainError:
            await asyncio.sleep(pause)
    return await deps.index.nearest_to(ids, limit=_PASSAGES)
