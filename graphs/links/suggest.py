"""Suggest links for a note: gather candidates, rank them, say what each has in common with it."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from agents.linker.ranking import probabilities
from graphs.core.deps import Deps
from graphs.links.find import find_note
from graphs.links.gather import PAUSES, Gathered, gather, names_of_all
from tools.base.domain import Note, SourceWarning
from tools.links.concepts import NoteConcepts, rare_stems, shared_concepts, words_by_stem
from tools.links.suggestion import LinkSuggestion, LinkSuggestions
from tools.semantic.similarity import calibrated
from tools.vault.catalog.link_graph import LinkGraph

DEFAULT_LIMIT, MOST_RESULTS = 20, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkQuery:
    """Which links are looked for.

    Notes that link to the note themselves are left out too where ``either_way``; those that are
    linked already are listed among the others where ``linked``.
    """

    note: str
    limit: int = DEFAULT_LIMIT
    threshold: float = 0.0
    either_way: bool = False
    linked: bool = False


class LinkSuggester:
    """Suggests links for the notes of one vault; what it knows of all their names is kept."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._names = deps.catalog.remembered(lambda: names_of_all(deps.catalog))

    async def suggest(
        self, query: LinkQuery, *, pauses: Sequence[float] = PAUSES
    ) -> LinkSuggestions:
        """Suggest notes that a note should link to, the likeliest first.

        Where the store of meaning does not answer it is tried again after each of the ``pauses``
        (seconds), then done without. A limit or threshold that cannot be used falls back to the
        default with a warning. Raises InputError where no note is called so, and StorageError.
        """
        began, deps = time.monotonic(), self._deps
        query, warnings = _usable(query)
        note = await asyncio.to_thread(find_note, deps, query.note)
        gathered = await gather(deps, note, self._names, pauses=pauses)
        linked = gathered.graph.targets(note.path)
        if query.either_way:
            linked |= gathered.graph.sources(note.path)
        every = [path for path in gathered.candidates if path != note.path]
        similar = await _similarities(deps, gathered, every)
        kept = [
            path
            for path in every
            if (query.linked or path not in linked)
            and (not query.threshold or similar.get(path, 0.0) >= query.threshold)
        ]
        likely = probabilities(gathered.signals, kept)
        order = np.argsort(-likely, kind="stable")[: query.limit]
        best = {kept[int(place)]: float(likely[place]) for place in order}
        found = await asyncio.to_thread(_described, deps, note, gathered, best, similar)
        return LinkSuggestions(
            source_note=note.path,
            source_title=note.title,
            query_timestamp=deps.clock(),
            total_candidates=len(every),
            filtered_count=len(kept),
            results=tuple(found),
            execution_time_ms=round(1000 * (time.monotonic() - began)),
            warnings=(*warnings, *gathered.warnings),
        )


def _usable(query: LinkQuery) -> tuple[LinkQuery, list[SourceWarning]]:
    """The query with defaults in place of what cannot be used, and what was put right."""
    warnings: list[SourceWarning] = []
    limit, threshold = query.limit, query.threshold
    if not 1 <= limit <= MOST_RESULTS:
        limit = DEFAULT_LIMIT
        warnings.append(
            SourceWarning(
                source="links",
                error=f"The limit must be from 1 to {MOST_RESULTS}.",
                impact=f"{DEFAULT_LIMIT} was taken instead.",
            )
        )
    if not 0.0 <= threshold <= 1.0:
        threshold = 0.0
        warnings.append(
            SourceWarning(
                source="links",
                error="The least similarity must be from 0 to 1.",
                impact="Notes of any similarity were looked at.",
            )
        )
    return replace(query, limit=limit, threshold=threshold), warnings


async def _similarities(
    deps: Deps, gathered: Gathered, paths: Sequence[str]
) -> Mapping[str, float]:
    """How likely each is on the note's topic, as far as its nearest passage tells."""
    near = [path for path in paths if path in gathered.signals.meaning]
    encoder = await asyncio.to_thread(deps.catalog.encoder)
    if not near or encoder is None:
        return {}
    cosines = np.array([gathered.signals.meaning[path] for path in near])
    values = calibrated(cosines, encoder=encoder, kind="statement")
    return dict(zip(near, values.tolist(), strict=True))


def _described(
    deps: Deps,
    note: Note,
    gathered: Gathered,
    best: Mapping[str, float],
    similar: Mapping[str, float],
) -> list[LinkSuggestion]:
    concepts = _concepts(deps, [note.path, *best], gathered.graph)
    titles = deps.catalog.records(best)
    rare, linked = rare_stems(concepts.values()), gathered.graph.targets(note.path)
    return [
        LinkSuggestion(
            note_id=path,
            note_title=titles[path].title,
            note_path=path,
            probability=round(likely, 3),
            similarity_score=round(similar[path], 2) if path in similar else None,
            shared_concepts=shared_concepts(concepts[note.path], concepts[path], rarity=rare),
            already_linked=path in linked,
            mentions=tuple(one for one in gathered.mentions if one.path == path),
        )
        for path, likely in best.items()
        if path in titles
    ]


def _concepts(deps: Deps, paths: Sequence[str], graph: LinkGraph) -> dict[str, NoteConcepts]:
    """What each note is about, as it was indexed."""
    passages, tags = deps.catalog.passages_of(paths), deps.catalog.inventory.tags_of(paths)
    targets = frozenset[str]().union(*(graph.targets(path) for path in paths))
    titles = {path: one.title for path, one in deps.catalog.records(targets).items()}
    found: dict[str, NoteConcepts] = {}
    for path in paths:
        own = passages.get(path, [])
        found[path] = NoteConcepts(
            linked=[titles[to] for to in sorted(graph.targets(path)) if to in titles],
            tags=tags.get(path, ()),
            headings=[heading for passage in own for heading in passage.heading_path],
            words=words_by_stem("\n".join(passage.text for passage in own)),
        )
    return found
