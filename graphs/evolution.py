"""How a concept evolved: what happened to the notes about it, with the words that changed."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from graphs.deps import Deps
from graphs.recall import notes_called
from graphs.succession import supersessions
from tools.domain import Event, Evolution, Note, Occurrence
from tools.evolution import Told, events
from tools.vault.indexing import read_notes
from tools.vault.past import read_past
from tools.vault.text import search_text, text_query
from tools.versions import Dated, date

_NOTES = 30
_COMPARED = 60
"""Latest versions of a note whose words are compared; older ones are told without their words."""


async def find_evolution(deps: Deps, concept: str) -> Evolution:
    """What happened to the notes about ``concept``, notes that are gone included."""

    def about() -> list[str]:
        found = search_text(
            deps.catalog, text_query(concept, (concept,)), names=(concept,), limit=_NOTES
        )
        named = notes_called(deps, concept)
        return list(dict.fromkeys((*named, *(hit.note_path for hit in found))))

    paths = await asyncio.to_thread(about)
    happened = await note_events(deps, paths)
    titles = await asyncio.to_thread(_titles, deps, list(happened))
    occurrences = [
        Occurrence(event=event, note_path=path, note_title=titles[path])
        for path, found in happened.items()
        for event in found
    ]
    occurrences.sort(key=lambda one: (one.event.timestamp, one.note_path))
    return Evolution(concept=concept, occurrences=tuple(occurrences))


async def note_events(deps: Deps, paths: Sequence[str]) -> dict[str, list[Event]]:
    """What happened to each of these notes, and to those that took their place.

    Raises SourceError when the graph does not answer.
    """
    replaced = await deps.graph.superseded(paths)
    happened = await asyncio.to_thread(_told, deps, [*paths, *replaced.values()])
    for old, event in (await supersessions(deps, replaced)).items():
        if old in happened:
            happened[old].append(event)
    return happened


def _told(deps: Deps, paths: Sequence[str]) -> dict[str, list[Event]]:
    versions = {path: date(found) for path, found in deps.history.versions(paths).items()}
    bodies = _bodies(deps, versions.values())
    today = read_notes(
        versions,
        root=deps.settings.vault,
        catalog=deps.catalog,
        max_bytes=deps.settings.max_note_bytes,
    )
    return {
        path: events(
            Told(
                versions=found,
                bodies=bodies,
                lines=today[path].text.split("\n") if path in today else (),
            )
        )
        for path, found in versions.items()
    }


def _bodies(deps: Deps, versions: Iterable[Sequence[Dated]]) -> Mapping[int, str]:
    compared = [
        dated.version
        for found in versions
        if len(found) > 1
        for dated in found[-_COMPARED:]
        if dated.version.said is not None
    ]
    notes = read_past(
        compared,
        root=deps.settings.vault,
        history=deps.history,
        max_bytes=deps.settings.max_note_bytes,
    )
    return {key: _body(note) for key, note in notes.items()}


def _body(note: Note) -> str:
    return "\n".join(note.text.split("\n")[note.body_line - 1 :])


def _titles(deps: Deps, paths: Sequence[str]) -> dict[str, str]:
    titles = {path: record.title for path, record in deps.catalog.records(paths).items()}
    for path, versions in deps.history.versions(set(paths) - titles.keys()).items():
        titles[path] = next((v.said.title for v in reversed(versions) if v.said), path)
    return {path: titles.get(path, path) for path in paths}
