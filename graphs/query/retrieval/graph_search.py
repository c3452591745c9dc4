"""The search in the graph: versions, causal chains or neighbours of what is asked about."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from agents.interpreter.plan import about_event, moment
from agents.interpreter.search_targets import (
    Part,
    browses_days,
    names_of,
    searched,
    targets,
    wanted,
)
from graphs.core.deps import Deps
from graphs.query.retrieval.as_of import graph_hits_as_of
from graphs.query.retrieval.by_day import notes_of_days
from graphs.query.retrieval.evolution import note_events
from graphs.query.retrieval.limits import EVOLUTION_NOTES, note_limit
from graphs.query.retrieval.retriever import Retriever, SearchScope
from graphs.query.retrieval.text_search import hits_by_words
from tools.base.domain import Excerpt, GraphRelation, Hit, Intent, QueryPlan
from tools.graph.causal_chains import closed
from tools.graph.relations import CAUSAL
from tools.graph.store import NOW, Neighbour
from tools.vault.catalog.records import Passage
from tools.vault.catalog.text import excerpt, text_query

_SEEDS = 8
"""Notes from which a walk through the graph starts."""
_IMPACT: Mapping[Intent, str] = {
    "factual": "Notes that are only linked, not named, may be missing.",
    "temporal": "What changed, was linked or superseded is missing: only when notes were written "
    "is shown.",
    "causal": "Chains of causes and effects are missing: only what notes say in words is shown.",
    "comparative": "What the compared things share in links is missing.",
    "exploratory": "Notes at the other end of links are missing.",
}
_WEAKER_PER_HOP = 0.8
_SUCCESSOR = 0.6
"""Score of a note that is in a timeline only because it took the place of one."""


def _applies(plan: QueryPlan) -> bool:
    return plan.intent != "factual" or moment(plan) != NOW


async def _hits(plan: QueryPlan, part: Part | None, scope: SearchScope) -> list[Hit]:
    """Notes the graph connects to what is asked about: versions, causal chains or neighbours."""
    if moment(plan) != NOW and plan.intent in ("factual", "temporal"):
        return await graph_hits_as_of(plan, scope.deps, moment(plan))
    match plan.intent:
        case "temporal":
            return await _versions(plan, scope)
        case "causal":
            return await _chains(plan, scope)
        case "factual" | "exploratory" | "comparative":
            subjects = [subject for subject, _ in targets(plan)]
            if part is not None:
                subjects = [subject for subject in subjects if subject == part.subject]
            found = await asyncio.gather(
                *(_neighbours(plan, scope, subject) for subject in subjects)
            )
            return [hit for hits in found for hit in hits]


def _impact(intent: Intent) -> str:
    return _IMPACT[intent]


async def _neighbours(plan: QueryPlan, scope: SearchScope, subject: str | None) -> list[Hit]:
    deps = scope.deps
    seeds = await _seeds(plan, scope, subject)
    if not seeds:
        return []
    hops = 2 if plan.intent == "exploratory" else 1
    found = await deps.graph.neighbours(
        list(seeds), hops=hops, limit=note_limit(plan), at=moment(plan)
    )
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


async def _chains(plan: QueryPlan, scope: SearchScope) -> list[Hit]:
    deps = scope.deps
    seeds = await _seeds(plan, scope, None)
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


async def _versions(plan: QueryPlan, scope: SearchScope) -> list[Hit]:
    """Find the dated versions of the notes that are about what is asked."""
    if browses_days(plan):
        about = await notes_of_days(plan, scope, limit=note_limit(plan))
    else:
        query = text_query(searched(plan), plan.concepts, turkish=plan.reading.turkish)
        most = note_limit(plan) if about_event(plan) else max(EVOLUTION_NOTES, note_limit(plan))
        about = (await hits_by_words(plan, scope, query, plan.concepts))[:most]
    notes = {hit.note_path: hit for hit in about}
    if not notes:
        return []
    deps = scope.deps
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


async def _seeds(plan: QueryPlan, scope: SearchScope, subject: str | None) -> dict[str, float]:
    """Notes to start from, and how likely each is meant, from 0 to 1.

    Those of the sense that was chosen are, or those called by a name in the question; else the best
    text matches may be.
    """
    if plan.sense is not None:
        return dict.fromkeys(plan.sense.notes[:_SEEDS], 1.0)
    names = names_of(plan, subject)

    def called() -> list[str]:
        return [path for name in names for path in scope.deps.catalog.resolve(name)]

    if named := await asyncio.to_thread(called):
        return dict.fromkeys(list(dict.fromkeys(named))[:_SEEDS], 1.0)
    query = text_query(wanted(plan), names)
    found = await hits_by_words(plan, scope, query, names)
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


GRAPH = Retriever(source="graph", applies=_applies, search=_hits, impact=_impact)
