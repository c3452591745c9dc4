"""Suggest links for a note: gather candidates, rank them, say what each has in common with it."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from agents.linker.ranking import Ranking, probabilities
from graphs.core.deps import Deps
from graphs.links.find import find_note
from graphs.links.learn import personal_ranking, rejected_pairs
from graphs.links.suggesting.explain import explain
from graphs.links.suggesting.gather import PAUSES, Gathered, gather, names_of_all
from graphs.links.suggesting.shared_concepts import concepts_shared_with
from tools.base.domain import Note, SourceWarning
from tools.links.rules import MOST_SUGGESTIONS
from tools.links.signals import Matrix, features, features_by_name
from tools.links.suggestion import LinkSuggestion, LinkSuggestions
from tools.semantic.similarity import calibrated

DEFAULT_LIMIT, MOST_RESULTS = 20, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkQuery:
    """Which links are looked for.

    Notes that link to the note themselves are left out too where ``either_way``; those that are
    linked already are listed among the others where ``linked``, those that the person rejected
    where ``rejected``.
    """

    note: str
    limit: int = DEFAULT_LIMIT
    threshold: float = 0.0
    either_way: bool = False
    linked: bool = False
    rejected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What was gathered for a note, how it is ranked, and of it the paths that may be suggested.

    ``similar`` has for those that are near in meaning how likely they are on the note's topic.
    """

    query: LinkQuery
    note: Note
    gathered: Gathered
    ranking: Ranking
    warnings: tuple[SourceWarning, ...]
    kept: Sequence[str] = ()
    similar: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def every(self) -> list[str]:
        return [path for path in self.gathered.candidates if path != self.note.path]


class LinkSuggester:
    """Suggests links for the notes of one vault; what it knows of all their names is kept.

    ``suggest`` does in turn what are steps of the link graph.
    """

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
        began = time.monotonic()
        found = await self.filter(await self.gather(query, pauses=pauses))
        return LinkSuggestions(
            source_note=found.note.path,
            source_title=found.note.title,
            query_timestamp=self._deps.clock(),
            total_candidates=len(found.every),
            filtered_count=len(found.kept),
            results=await self.explain(found),
            execution_time_ms=round(1000 * (time.monotonic() - began)),
            warnings=found.warnings,
        )

    async def gather(self, query: LinkQuery, *, pauses: Sequence[float] = PAUSES) -> Candidates:
        """All notes that anything speaks for. Raises InputError and StorageError."""
        query, warnings = _usable(query)
        note = await asyncio.to_thread(find_note, self._deps, query.note)
        gathered = await gather(self._deps, note, self._names, pauses=pauses)
        ranking, unread = await asyncio.to_thread(personal_ranking, self._deps.settings)
        return Candidates(
            query=query,
            note=note,
            gathered=gathered,
            ranking=ranking,
            warnings=(*warnings, *gathered.warnings, *unread),
        )

    async def filter(self, found: Candidates) -> Candidates:
        """The same without those linked or rejected already, or less similar than is asked for."""
        query, graph, own = found.query, found.gathered.graph, found.note.path
        linked = graph.targets(own)
        if query.either_way:
            linked |= graph.sources(own)
        rejected = await asyncio.to_thread(rejected_pairs, self._deps.settings)
        similar = await _similarities(self._deps, found.gathered, found.every)
        kept = [
            path
            for path in found.every
            if (query.linked or path not in linked)
            and (query.rejected or frozenset((own, path)) not in rejected)
            and (not query.threshold or similar.get(path, 0.0) >= query.threshold)
        ]
        return replace(found, kept=kept, similar=similar)

    async def explain(self, found: Candidates) -> tuple[LinkSuggestion, ...]:
        """The likeliest of them, each with what it has in common with the note."""
        signals, kept = found.gathered.signals, found.kept
        likely, weighed = probabilities(signals, kept, found.ranking), features(signals, kept)
        order = np.argsort(-likely, kind="stable")[: found.query.limit]
        best = {kept[int(at)]: (float(likely[at]), weighed[at]) for at in order}
        described = await asyncio.to_thread(_described, self._deps, found, best)
        # While the semantic server is asked for vectors words are compared.
        explained, shared = await asyncio.gather(
            explain(self._deps, found.note, described),
            asyncio.to_thread(
                concepts_shared_with,
                *(self._deps.catalog, found.gathered.graph, found.note.path),
                [one.note_path for one in described],
            ),
        )
        return tuple(replace(one, shared_concepts=shared[one.note_path]) for one in explained)


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
    if limit > MOST_SUGGESTIONS:
        warnings.append(
            SourceWarning(
                source="links",
                error=f"{limit} suggestions were asked for.",
                impact=f"At most {MOST_SUGGESTIONS} are given at once.",
            )
        )
        limit = MOST_SUGGESTIONS
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
    deps: Deps, found: Candidates, best: Mapping[str, tuple[float, Matrix]]
) -> list[LinkSuggestion]:
    note, gathered, similar = found.note, found.gathered, found.similar
    titles = deps.catalog.records(best)
    linked = gathered.graph.targets(note.path)
    return [
        LinkSuggestion(
            note_id=path,
            note_title=titles[path].title,
            note_path=path,
            probability=round(likely, 3),
            similarity_score=round(similar[path], 2) if path in similar else None,
            already_linked=path in linked,
            mentions=tuple(one for one in gathered.mentions if one.path == path),
            features=features_by_name(values),
        )
        for path, (likely, values) in best.items()
        if path in titles
    ]
