"""How a concept evolved: what happened to the notes about it, with the words that changed."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from graphs.core.deps import Deps
from graphs.core.rewordings import rewordings
from graphs.query.retrieval.facts import notes_by_name
from graphs.query.retrieval.supersession import supersessions
from tools.base.domain import Event, Evolution, Occurrence
from tools.evidence.coverage import having_all
from tools.evidence.quotation_check import Places
from tools.graph.changes_over_time import Concern, Names, NoteHistory, events
from tools.graph.versions import Dated, Statement, date
from tools.text.normalize import fold, fold_name
from tools.vault.catalog.text import search_text, text_query
from tools.vault.history.history_rows import MOVED_ASIDE
from tools.vault.notes.lines import read_lines

_NOTES = 30

type _Concerning = Callable[[Names], Concern]
"""What a timeline is about, given what links lead to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Life:
    """What happened to a note: where it is or was last, and its last title."""

    path: str
    title: str
    events: list[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class _About:
    """Notes called after something, those whose names have all its words, and any others."""

    called: Sequence[str]
    own: Sequence[str]
    others: Sequence[str]


async def find_evolution(deps: Deps, concept: str) -> Evolution:
    """What happened to the notes about ``concept``, notes that are gone included.

    Of notes that are called otherwise only what speaks of it is told: of those that its words
    find, and of those that ever linked to it.
    """

    def about() -> _About:
        query = text_query(concept, (concept,))
        found = search_text(deps.catalog, query, names=(concept,), limit=_NOTES)
        return _sort_out(deps, [concept], [hit.note_path for hit in found])

    sides = await asyncio.to_thread(about)
    lives = await _lives(deps, sides.own, openings=True)
    spoke = await deps.graph.notes_mentioning(sides.called, [concept], limit=_NOTES + len(lives))
    spoke = [path for path in spoke if path not in lives][:_NOTES]
    others = dict.fromkeys((*(path for path in sides.others if path not in lives), *spoke))
    concern = partial(_concern, [concept], sides.called)
    lives |= await asyncio.to_thread(_told, deps, list(others), openings=True, concerning=concern)
    occurrences = [
        Occurrence(event=event, note_path=life.path, note_title=life.title)
        for life in lives.values()
        for event in life.events
    ]
    occurrences.sort(key=lambda one: (one.event.timestamp, one.note_path))
    return Evolution(concept=concept, occurrences=tuple(occurrences))


async def note_events(
    deps: Deps, paths: Sequence[str], concepts: Sequence[str]
) -> dict[str, list[Event]]:
    """What happened to these notes as far as ``concepts`` go, and to those that took their place.

    Of notes called after one of them, or where there is none, everything is told; and where no
    note speaks of any, since then it is in other words that they are about it. One that never
    changed is told without its first sentence: it is quoted from the note of today. Raises
    SourceError when the graph does not answer.
    """
    sides = await asyncio.to_thread(_sort_out, deps, concepts, paths)
    own = [path for path in paths if not concepts or path in sides.own]
    others = [path for path in paths if path not in own]
    concern = partial(_concern, concepts, sides.called)
    spoken = await asyncio.to_thread(_told, deps, others, openings=False, concerning=concern)
    if not own and not any(life.events for life in spoken.values()):
        own, spoken = others, {}
    lives = spoken | await _lives(deps, own, openings=False)
    replaced = await deps.graph.superseded(list(spoken))
    for old, event in (await supersessions(deps, replaced)).items():
        lives[old].events.append(event)  # one of them may be the successor of another
    return {path: life.events for path, life in lives.items()}


def _sort_out(deps: Deps, concepts: Sequence[str], paths: Iterable[str]) -> _About:
    """Notes called after the concepts, and which of these are."""
    called = list(dict.fromkeys(path for name in concepts for path in notes_by_name(deps, name)))
    all_paths = list(dict.fromkeys((*called, *paths)))
    names = deps.catalog.names_of(all_paths)
    asked = [having_all(text_query(concept, (concept,)).words) for concept in concepts]
    own = [
        path
        for path in all_paths
        if path in called or any(one(n) for n in names.get(path, ()) for one in asked)
    ]
    return _About(called=called, own=own, others=[path for path in all_paths if path not in own])


async def _lives(deps: Deps, paths: Sequence[str], *, openings: bool) -> dict[str, _Life]:
    replaced = await deps.graph.superseded(paths)
    lives = await asyncio.to_thread(_told, deps, [*paths, *replaced.values()], openings=openings)
    for old, event in (await supersessions(deps, replaced)).items():
        if old in lives:
            lives[old].events.append(event)
    return lives


def _told(
    deps: Deps,
    paths: Sequence[str],
    *,
    openings: bool,
    concerning: _Concerning | None = None,
) -> dict[str, _Life]:
    versions = _versions(deps, paths)
    names = _names(deps, versions.values())
    concern = concerning(names) if concerning else None
    reworded = rewordings(deps, (f for f in versions.values() if openings or len(f) > 1))
    # Only what came into a note since its first version is looked for in it.
    changed = [path for path, found in versions.items() if len(found) > 1]
    today = read_lines(changed, root=deps.settings.vault, max_bytes=deps.settings.max_note_bytes)
    return {
        path: _life(
            path,
            found,
            events(
                NoteHistory(
                    versions=found,
                    rewordings=reworded,
                    today=Places(today.get(path, ())),
                    names=names,
                ),
                concern,
            ),
        )
        for path, found in versions.items()
    }


def _concern(concepts: Sequence[str], called: Sequence[str], names: Names) -> Concern:
    folded = {fold_name(concept) for concept in concepts}
    tags = {fold(concept).lstrip("#") for concept in concepts}
    words = [text_query(concept, (concept,)).words for concept in concepts]
    asked = [(having_all(some), len(some)) for some in words]

    def speaks(statement: Statement) -> bool:
        if statement.kind == "tag":
            return fold(statement.target) in tags
        path = names.paths.get(statement.target)
        return fold_name(statement.target) in folded if path is None else path in called

    def mentions(sentence: str) -> bool:
        # One that says nothing more is a link or a tag, which is told as such.
        return any(
            has_all(sentence) and len(text_query(sentence).words) > count
            for has_all, count in asked
        )

    return Concern(speaks=speaks, mentions=mentions)


def _life(path: str, versions: Sequence[Dated], happened: list[Event]) -> _Life:
    if MOVED_ASIDE in path:
        path = versions[-1].version.path
    title = next((d.version.said.title for d in reversed(versions) if d.version.said), path)
    return _Life(path=path, title=title, events=happened)


def _versions(deps: Deps, paths: Sequence[str]) -> dict[str, list[Dated]]:
    return {path: date(found) for path, found in deps.history.versions(paths).items()}


def _names(deps: Deps, versions: Iterable[Sequence[Dated]]) -> Names:
    """What every link in these versions leads to, whatever that was called then."""
    words = {
        statement.target
        for found in versions
        for dated in found
        if dated.version.said is not None
        for statement in dated.version.said.statements
        if statement.kind != "tag"
    }
    paths = deps.history.ledger.resolved(words)
    return Names(paths=paths, left=deps.history.moves(path for path in paths.values() if path))
