"""The three searches of one question: each takes the plan and returns hits, or fails alone."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace

from agents.planning import about_event, moment
from agents.targets import browses_days, searched, targets, wanted
from graphs.begun import Begun
from graphs.browsing import of_days
from graphs.deps import Deps
from graphs.evolution import note_events
from graphs.past import past_facts, past_hits
from graphs.upkeep import vectors_elsewhere
from tools.causation import closed, direction
from tools.claims.stems import is_turkish
from tools.domain import Excerpt, GraphRelation, Hit, QueryPlan
from tools.errors import SourceError
from tools.graph.store import NOW, Neighbour
from tools.relations import CAUSAL
from tools.vault.catalog import Passage
from tools.vault.text import excerpt, search_text, text_query

_CHUNKS_PER_NOTE = 3
"""A note is found by several passages: ask the index for this many times the notes wanted."""
_SEEDS = 8
"""Notes from which a walk through the graph starts."""
_EVOLUTION_NOTES = 30
_WEAKER_PER_HOP = 0.8
_SUCCESSOR = 0.6
"""Score of a note that is in a timeline only because it took the place of one."""


type Similar = list[tuple[str, float]]
type Nearest = Callable[[str, int], Coroutine[None, None, Similar]]
"""The vectors nearest to a text, at most so many."""


def nearest(deps: Deps) -> Begun[str, int, Similar]:
    """The search in the index, which ``begin_semantic`` begins and ``semantic_hits`` ends."""

    async def search(text: str, limit: int) -> Similar:
        return await deps.index.search(text, limit=limit)

    return Begun(search)


def begin_semantic(plan: QueryPlan, search: Begun[str, int, Similar]) -> None:
    """Have the semantic server at work before the other searches take this process's time."""
    for _, text in targets(plan):
        search.begin(text, _limit(plan) * _CHUNKS_PER_NOTE)


async def semantic_hits(plan: QueryPlan, deps: Deps, search: Nearest | None = None) -> list[Hit]:
    """Notes whose passages mean something similar; the plan's threshold is for the merge."""
    if await asyncio.to_thread(vectors_elsewhere, deps.settings):
        raise SourceError("The vectors are to be kept elsewhere now: run `brain index`.")
    found = await asyncio.gather(
        *(
            _semantic(plan, deps, text, subject, search or nearest(deps))
            for subject, text in targets(plan)
        )
    )
    return [hit for hits in found for hit in hits]


async def text_hits(plan: QueryPlan, deps: Deps) -> list[Hit]:
    """Notes that hold the words of the question, its phrases, or carry its concepts as a name."""
    if (at := moment(plan)) != NOW:
        return await past_hits(plan, deps, at)

    def run() -> list[Hit]:
        if browses_days(plan):
            return of_days(plan, deps, limit=_limit(plan))
        hits: list[Hit] = []
        for subject, text in targets(plan):
            concepts = (subject,) if subject else plan.concepts
            query = text_query(text, concepts, turkish=is_turkish(plan.query))
            named = _named(plan, subject)
            found = search_text(deps.catalog, query, names=named, limit=_limit(plan))
            hits += [replace(hit, subject=subject) for hit in found]
        return hits

    return await asyncio.to_thread(run)


async def graph_hits(plan: QueryPlan, deps: Deps) -> list[Hit]:
    """Notes the graph connects to what is asked about: versions, causal chains or neighbours."""
    if moment(plan) != NOW and plan.intent in ("factual", "temporal"):
        return await past_facts(plan, deps, moment(plan))
    match plan.intent:
        case "temporal":
            return await _versions(plan, deps)
        case "causal":
            return await _chains(plan, deps)
        case "factual" | "exploratory" | "comparative":
            found = await asyncio.gather(
                *(_neighbours(plan, deps, subject) for subject, _ in targets(plan))
            )
            return [hit for hits in found for hit in hits]


# --- semantic ------------------------------------------------------------------------------


async def _semantic(
    plan: QueryPlan, deps: Deps, text: str, subject: str | None, search: Nearest
) -> list[Hit]:
    similar = dict(await search(text, _limit(plan) * _CHUNKS_PER_NOTE))
    passages = await asyncio.to_thread(deps.catalog.passages_by_vector, similar)
    grouped: dict[str, list[tuple[float, Passage]]] = {}
    for vector, score in similar.items():
        for passage in passages.get(vector, []):
            grouped.setdefault(passage.note_path, []).append((score, passage))
    hits: list[Hit] = []
    for path, members in grouped.items():
        members.sort(key=lambda member: -member[0])
        best, first = members[0]
        hits.append(
            Hit(
                source="semantic",
                note_path=path,
                note_title=first.note_title,
                score=best,
                match_type="semantic",
                excerpts=tuple(excerpt(passage) for _, passage in members[:_CHUNKS_PER_NOTE]),
                subject=subject,
            )
        )
    hits.sort(key=lambda hit: -hit.score)
    return hits[: _limit(plan)]


# --- graph ---------------------------------------------------------------------------------


async def _neighbours(plan: QueryPlan, deps: Deps, subject: str | None) -> list[Hit]:
    names = (subject,) if subject else plan.concepts
    seeds = await asyncio.to_thread(_seeds, deps, names, wanted(plan))
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


async def _chains(plan: QueryPlan, deps: Deps) -> list[Hit]:
    seeds = await asyncio.to_thread(_seeds, deps, plan.concepts, wanted(plan))
    if not seeds:
        return []
    chains = closed(
        await deps.graph.chains(
            list(seeds),
            relations=frozenset(CAUSAL),
            direction=direction(plan.query),
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


async def _versions(plan: QueryPlan, deps: Deps) -> list[Hit]:
    """Find the dated versions of the notes that are about what is asked."""

    def about() -> list[Hit]:
        if browses_days(plan):
            return of_days(plan, deps, limit=_limit(plan))
        query = text_query(searched(plan), plan.concepts, turkish=is_turkish(plan.query))
        wanted = _limit(plan) if about_event(plan) else max(_EVOLUTION_NOTES, _limit(plan))
        return search_text(deps.catalog, query, names=_named(plan, None), limit=wanted)

    notes = {hit.note_path: hit for hit in await asyncio.to_thread(about)}
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


def _named(plan: QueryPlan, subject: str | None) -> tuple[str, ...]:
    """The name whose notes lead; of several things together no note of one of them tells."""
    names = (subject,) if subject else plan.concepts
    return names if len(names) == 1 else ()


def _limit(plan: QueryPlan) -> int:
    wide = plan.intent == "exploratory" or plan.start_date or plan.end_date
    return max(50, plan.limit) if wide else plan.limit * 2


def _seeds(deps: Deps, names: Sequence[str], question: str) -> dict[str, float]:
    """Notes to start from, and how likely each is meant, from 0 to 1.

    Those called by a name in the question are; else the best text matches may be.
    """
    named = [path for name in names for path in deps.catalog.resolve(name)]
    if named:
        return dict.fromkeys(list(dict.fromkeys(named))[:_SEEDS], 1.0)
    query = text_query(question, names)
    return {hit.note_path: hit.score for hit in search_text(deps.catalog, query, limit=_SEEDS // 2)}


async def _evidence(deps: Deps, neighbours: Iterable[Neighbour]) -> dict[str, tuple[Excerpt, ...]]:
    """For each neighbour the passage with the line that links it, when it stands in that note."""
    own = {
        neighbour.path: sorted(
            {step.line for step in neighbour.via if step.note_path == neighbour.path}
        )
        for neighbour in neighbours
    }
    passages = await asyncio.to_thread(deps.catalog.passages_of, own)
    result: dict[str, tuple[Excerpt, ...]] = {}
    for path, lines in own.items():
        written = passages.get(path, [])
        found = [passage for line in lines for passage in _covering(written, line)]
        result[path] = tuple(dict.fromkeys(excerpt(passage) for passage in (*found, *written[:1])))
    return result


def _passages_at(deps: Deps, places: set[tuple[str, int]]) -> dict[tuple[str, int], Excerpt]:
    """For (note, line) pairs the passage that covers the line."""
    passages = deps.catalog.passages_of({path for path, _ in places})
    return {
        (path, line): excerpt(passage)
        for path, line in places
        for passage in _covering(passages.get(path, ()), line)
    }


def _covering(passages: Iterable[Passage], line: int) -> list[Passage]:
    """The last passage in which the line stands, if there is one."""
    return [one for one in passages if one.line_start <= line <= one.line_end][-1:]
