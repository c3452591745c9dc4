"""The three searches of one question: each takes the plan and returns hits, or fails alone.

Of a comparison each ``part`` can be searched for by itself.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from agents.interpreter.plan import about_event, moment
from agents.interpreter.search_targets import (
    Part,
    Search,
    browses_days,
    names_of,
    searched,
    searches,
    targets,
    wanted,
)
from graphs.core.deps import Deps
from graphs.core.prefetch import Prefetch, SingleFlight
from graphs.query.retrieval.as_of import graph_hits_as_of, retrieve_as_of
from graphs.query.retrieval.by_day import notes_of_days, with_sections
from graphs.query.retrieval.evolution import note_events
from graphs.stores.index_lock import is_indexing
from graphs.stores.store_marks import vectors_in_other_store
from tools.base.domain import Excerpt, GraphRelation, Hit, QueryPlan, SourceWarning
from tools.base.errors import SourceError
from tools.graph.causal_chains import closed
from tools.graph.relations import CAUSAL
from tools.graph.store import NOW, Neighbour
from tools.vault.catalog.catalog import Passage
from tools.vault.catalog.text import TextQuery, excerpt, search_text, text_query

_CHUNKS_PER_NOTE = 3
"""A note is found by several passages: ask the index for this many times the notes wanted."""
_MINOR, _FEW = 0.1, 100
"""Share of the passages, and number, that search by meaning may lack without a warning."""
_REACH = 200
"""Passages at least whose similarity is asked for: the index looks at more in any case. Those that
are not among the nearest find no note, but count for the notes that words find."""
_NOTES = 50
"""Notes that each search finds at least, however few are shown."""
_SEEDS = 8
"""Notes from which a walk through the graph starts."""
_EVOLUTION_NOTES = 30
_WEAKER_PER_HOP = 0.8
_SUCCESSOR = 0.6
"""Score of a note that is in a timeline only because it took the place of one."""
_LOOKED_AT = 0.5
"""Score of a note that is looked at only because it answered the question before, or is meant."""


type Similar = list[tuple[str, float]]
type Nearest = Callable[[str, int], Coroutine[None, None, Similar]]
"""The vectors nearest to a text, at most so many."""


def nearest(deps: Deps) -> Prefetch[str, int, Similar]:
    """The search in the index, which ``begin_semantic`` begins and ``semantic_hits`` ends."""

    async def search(text: str, limit: int) -> Similar:
        return await deps.index.search(text, limit=limit)

    return Prefetch(search)


def begin_semantic(plan: QueryPlan, search: Prefetch[str, int, Similar]) -> None:
    """Have the semantic server at work before the other searches take this process's time."""
    for one in searches(plan):
        search.begin(one.text, candidate_limit(plan))


async def semantic_hits(
    plan: QueryPlan, deps: Deps, search: Nearest | None = None, *, part: Part | None = None
) -> list[Hit]:
    """Notes whose passages mean something similar; the plan's threshold is for the merge.

    Of those that are not among the nearest only the path and the score, without an excerpt.
    """
    if await asyncio.to_thread(vectors_in_other_store, deps.settings):
        raise SourceError("The vectors are to be kept elsewhere now: run `brain index`.")
    found = await asyncio.gather(
        *(
            _semantic(plan, deps, one.text, one.subject, search or nearest(deps))
            for one in searches(plan, part)
        )
    )
    return [hit for hits in found for hit in hits]


def semantic_gap(deps: Deps) -> list[SourceWarning]:
    """Warn where search by meaning knows nothing, or much less than there is: it fills in last."""
    passages, embedded = deps.catalog.passage_count(), deps.catalog.outbox.vector_count()
    enough = passages - max(_FEW, _MINOR * passages) if embedded else passages
    # Passages with the same words share a vector; of a run that was killed another warning tells.
    if embedded >= enough or (embedded and not is_indexing(deps.settings)):
        return []
    return [
        SourceWarning(
            source="semantic",
            error=f"{passages - embedded:,} of {passages:,} passages are not embedded yet.",
            impact="Search by meaning finds those once `brain index` is done.",
        )
    ]


async def text_hits(
    plan: QueryPlan,
    deps: Deps,
    shared: SingleFlight[list[Hit]] | None = None,
    *,
    part: Part | None = None,
) -> list[Hit]:
    """Notes that hold the words of the question, its phrases, or carry its concepts as a name."""
    if (at := moment(plan)) != NOW:
        return await retrieve_as_of(plan, deps, at)
    if browses_days(plan):
        return await notes_of_days(plan, deps, shared, limit=_limit(plan))

    async def about(one: Search) -> list[Hit]:
        query = text_query(one.text, one.names, turkish=one.turkish)
        found = await _with_words(plan, deps, query, one.names, shared)
        return [replace(hit, subject=one.subject) for hit in found[: _limit(plan)]]

    found = await asyncio.gather(*map(about, searches(plan, part)))
    hits = [hit for hits in found for hit in hits]
    if part is not None and part.subject is not None:
        return hits
    looked_at = plan.sense.notes if plan.sense else ()
    if plan.reading.before:
        looked_at = (*looked_at, *plan.reading.before.notes)
    if looked_at:
        hits += await asyncio.to_thread(_unfound, looked_at, hits, deps)
    if plan.intent != "temporal":
        return hits
    return await asyncio.to_thread(with_sections, hits, plan, deps)


def _unfound(paths: Iterable[str], hits: Iterable[Hit], deps: Deps) -> list[Hit]:
    """The notes that are looked at in any case, where they were not found."""
    found = {hit.note_path for hit in hits}
    unfound = [path for path in paths if path not in found]
    return [
        Hit(
            source="text",
            note_path=path,
            note_title=found[0].note_title,
            score=_LOOKED_AT,
            match_type="text",
            excerpts=(excerpt(found[0]),),
        )
        for path, found in deps.catalog.passages_of(unfound).items()
    ]


async def graph_hits(
    plan: QueryPlan,
    deps: Deps,
    shared: SingleFlight[list[Hit]] | None = None,
    *,
    part: Part | None = None,
) -> list[Hit]:
    """Notes the graph connects to what is asked about: versions, causal chains or neighbours.

    What it needs of the search for words it takes from that of ``text_hits``, if both have
    ``shared``.
    """
    if moment(plan) != NOW and plan.intent in ("factual", "temporal"):
        return await graph_hits_as_of(plan, deps, moment(plan))
    match plan.intent:
        case "temporal":
            return await _versions(plan, deps, shared)
        case "causal":
            return await _chains(plan, deps, shared)
        case "factual" | "exploratory" | "comparative":
            subjects = [subject for subject, _ in targets(plan)]
            if part is not None:
                subjects = [subject for subject in subjects if subject == part.subject]
            found = await asyncio.gather(
                *(_neighbours(plan, deps, subject, shared) for subject in subjects)
            )
            return [hit for hits in found for hit in hits]


# --- semantic ------------------------------------------------------------------------------


async def _semantic(
    plan: QueryPlan, deps: Deps, text: str, subject: str | None, search: Nearest
) -> list[Hit]:
    similar = await search(text, candidate_limit(plan))
    quoted = _quoted(plan)
    near = dict(similar[:quoted])
    catalog = deps.catalog
    passages, places = await asyncio.to_thread(
        lambda: (catalog.passages_by_vector(near), catalog.places_by_vector(dict(similar)))
    )
    scores: dict[str, float] = {}
    said: dict[str, list[Passage]] = {}
    found: dict[str, list[tuple[int, int, float]]] = {}
    for vector, score in similar:  # the nearest first
        for passage in passages.get(vector, ()):
            said.setdefault(passage.note_path, []).append(passage)
        for path, first, last in places.get(vector, ()):
            scores.setdefault(path, score)
            found.setdefault(path, []).append((first, last, score))
    for path in list(said)[_limit(plan) :]:
        del said[path]
    return [
        Hit(
            source="semantic",
            note_path=path,
            note_title=said[path][0].note_title if path in said else "",
            score=score,
            match_type="semantic",
            excerpts=tuple(excerpt(one) for one in said.get(path, ())[:_CHUNKS_PER_NOTE]),
            subject=subject,
            places=tuple(found[path]),
        )
        for path, score in scores.items()
    ]


# --- graph ---------------------------------------------------------------------------------


async def _neighbours(
    plan: QueryPlan, deps: Deps, subject: str | None, shared: SingleFlight[list[Hit]] | None
) -> list[Hit]:
    seeds = await _seeds(plan, deps, subject, shared)
    if not seeds:
        return []
    hops = 2 if plan.intent == "exploratory" else 1
    found = await deps.graph.neighbours(list(seeds), hops=hops, limit=_limit(plan), at=moment(plan))
    excerpts = await _evidence(deps, found) if moment(plan) == NOW else {}
    return [
        Hit(
            source="graph",
            note_path=neighbour.path,
            note_title=neighbour.title,
            score=_closeness(neighbour) * _meant(neighbour.via, seeds),
            match_type="neighbour",
            excerpts=excerpts.get(neighbour.path, ()),
            subject=subject,
            chain=neighbour.via,
        )
        for neighbour in found
    ]


def _closeness(neighbour: Neighbour) -> float:
    """Strength of the best connection, weaker with every hop, raised a little by further paths."""
    alone = neighbour.strength * _WEAKER_PER_HOP**neighbour.hops
    return alone + (1 - alone) * min(0.2, 0.05 * (neighbour.paths_count - 1))


async def _chains(plan: QueryPlan, deps: Deps, shared: SingleFlight[list[Hit]] | None) -> list[Hit]:
    seeds = await _seeds(plan, deps, None, shared)
    if not seeds:
        return []
    chains = closed(
        await deps.graph.chains(
            list(seeds),
            relations=frozenset(CAUSAL),
            direction=plan.reading.direction,
            depth=3,
            limit=plan.limit,
            at=moment(plan),
        )
    )
    now = moment(plan) == NOW
    lines = {(step.note_path, step.line) for chain in chains for step in chain if now}
    quoted = await asyncio.to_thread(_passages_at, deps, lines)
    hits: dict[str, Hit] = {}
    for chain in sorted(chains, key=len, reverse=True):
        meant = _meant(chain, seeds)
        for step, away in zip(chain, _distances(chain, seeds), strict=True):
            for path, title in _ends(step):
                steps = 0 if path in seeds else away
                score = max(0.0, step.strength * meant * _WEAKER_PER_HOP ** (steps / 2))
                if path not in hits or hits[path].score < score:
                    own = quoted.get((step.note_path, step.line))
                    excerpts = (own,) if own is not None and path == step.note_path else ()
                    hits[path] = Hit(
                        source="graph",
                        note_path=path,
                        note_title=title,
                        score=score,
                        match_type="chain",
                        excerpts=excerpts,
                        chain=chain,
                    )
    return list(hits.values())


def _distances(chain: Sequence[GraphRelation], seeds: Collection[str]) -> list[int]:
    """How many links each link's far end is away from what is asked about."""
    asked = [at for at, step in enumerate(chain) if {path for path, _ in _ends(step)} & set(seeds)]
    return [1 + min((abs(at - one) for one in asked), default=at) for at in range(len(chain))]


def _meant(chain: Sequence[GraphRelation], seeds: Mapping[str, float]) -> float:
    """How likely that is meant from which the way starts; a start itself has no way."""
    ends = (path for step in chain for path, _ in _ends(step))
    return max((seeds[path] for path in ends if path in seeds), default=max(seeds.values()))


def _ends(step: GraphRelation) -> list[tuple[str, str]]:
    ends = ((step.source_path, step.source_title), (step.target_path, step.target_title))
    return [(path, title) for path, title in ends if path is not None]


async def _versions(
    plan: QueryPlan, deps: Deps, shared: SingleFlight[list[Hit]] | None
) -> list[Hit]:
    """Find the dated versions of the notes that are about what is asked."""
    if browses_days(plan):
        about = await notes_of_days(plan, deps, shared, limit=_limit(plan))
    else:
        query = text_query(searched(plan), plan.concepts, turkish=plan.reading.turkish)
        most = _limit(plan) if about_event(plan) else max(_EVOLUTION_NOTES, _limit(plan))
        about = (await _with_words(plan, deps, query, plan.concepts, shared))[:most]
    notes = {hit.note_path: hit for hit in about}
    if not notes:
        return []
    happened = await note_events(deps, list(notes), plan.concepts)
    later = await asyncio.to_thread(_opening_hits, deps, happened.keys() - notes.keys())
    notes |= later
    return [
        replace(
            notes[path],
            source="graph",
            match_type="version",
            events=tuple(dict.fromkeys(found)),
        )
        for path, found in happened.items()
        if path in notes
    ]


def _opening_hits(deps: Deps, paths: Iterable[str]) -> dict[str, Hit]:
    """Notes that took another's place, whatever words they use."""
    return {
        path: Hit(
            source="graph",
            note_path=path,
            note_title=found[0].note_title,
            score=_SUCCESSOR,
            match_type="version",
            excerpts=(excerpt(found[0]),),
        )
        for path, found in deps.catalog.passages_of(paths).items()
    }


# --- shared --------------------------------------------------------------------------------


async def _with_words(
    plan: QueryPlan,
    deps: Deps,
    query: TextQuery,
    names: tuple[str, ...],
    shared: SingleFlight[list[Hit]] | None,
) -> list[Hit]:
    """Notes by a search for words, as many as any branch wants; once for all that ``shared``."""
    # The name's notes lead; of several things together no note of one of them tells.
    leading = names if len(names) == 1 else ()
    search = partial(
        search_text,
        deps.catalog,
        query,
        names=leading,
        limit=max(_EVOLUTION_NOTES, _limit(plan)),
    )
    if shared is None:
        return await asyncio.to_thread(search)
    # Two questions share nothing: between them a note may have been saved.
    return await shared((id(plan), query, leading), search)


def candidate_limit(plan: QueryPlan) -> int:
    """Passages whose similarity to the question is asked for."""
    return max(_REACH, _quoted(plan))


def _quoted(plan: QueryPlan) -> int:
    """Passages that may be quoted of what meaning finds."""
    return _limit(plan) * _CHUNKS_PER_NOTE


def _limit(plan: QueryPlan) -> int:
    return max(_NOTES, plan.limit)


async def _seeds(
    plan: QueryPlan, deps: Deps, subject: str | None, shared: SingleFlight[list[Hit]] | None
) -> dict[str, float]:
    """Notes to start from, and how likely each is meant, from 0 to 1.

    Those of the sense that was chosen are, or those called by a name in the question; else the best
    text matches may be.
    """
    if plan.sense is not None:
        return dict.fromkeys(plan.sense.notes[:_SEEDS], 1.0)
    names = names_of(plan, subject)

    def called() -> list[str]:
        return [path for name in names for path in deps.catalog.resolve(name)]

    if named := await asyncio.to_thread(called):
        return dict.fromkeys(list(dict.fromkeys(named))[:_SEEDS], 1.0)
    query = text_query(wanted(plan), names)
    found = await _with_words(plan, deps, query, names, shared)
    return {hit.note_path: hit.score for hit in found[: _SEEDS // 2]}


async def _evidence(deps: Deps, neighbours: Iterable[Neighbour]) -> dict[str, tuple[Excerpt, ...]]:
    """For each neighbour the passage with the line that links it, when it stands in that note."""
    own = {
        neighbour.path: sorted(
            {step.line for step in neighbour.via if step.note_path == neighbour.path}
        )
        for neighbour in neighbours
    }
    passages = await asyncio.to_thread(deps.catalog.passages_at, own)
    result: dict[str, tuple[Excerpt, ...]] = {}
    for path, lines in own.items():
        written = passages.get(path, [])
        found = [passage for line in lines for passage in _covering(written, line)]
        result[path] = tuple(dict.fromkeys(excerpt(passage) for passage in (*found, *written[:1])))
    return result


def _passages_at(deps: Deps, places: set[tuple[str, int]]) -> dict[tuple[str, int], Excerpt]:
    """For (note, line) pairs the passage that covers the line."""
    lines: dict[str, set[int]] = {}
    for path, line in places:
        lines.setdefault(path, set()).add(line)
    passages = deps.catalog.passages_at(lines)
    return {
        (path, line): excerpt(passage)
        for path, line in places
        for passage in _covering(passages.get(path, ()), line)
    }


def _covering(passages: Iterable[Passage], line: int) -> list[Passage]:
    """The last passage in which the line stands, if there is one."""
    return [one for one in passages if one.line_start <= line <= one.line_end][-1:]
