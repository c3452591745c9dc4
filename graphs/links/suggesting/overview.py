"""The links of the whole vault: which notes have few or many, and a map of all."""

from dataclasses import dataclass

from graphs.core.deps import Deps
from tools.base.domain import LinkMap, NoteConnections, SourceWarning, most_connected
from tools.base.errors import InputError
from tools.links.communities import communities
from tools.links.connections import connections, least_connected


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedNotes:
    """The least or the most connected of the vault's ``total`` notes.

    ``orphans`` is how many of all have no link in or out.
    """

    notes: tuple[NoteConnections, ...]
    orphans: int
    total: int
    warnings: tuple[SourceWarning, ...] = ()


def connected_notes(deps: Deps, *, hubs: bool, limit: int) -> ConnectedNotes:
    """The least connected notes first, or with ``hubs`` the most; it blocks.

    Raises InputError for a limit below 1, and StorageError.
    """
    if limit < 1:
        raise InputError("At least one note is listed: --limit 1.")
    every = least_connected(deps.catalog.inventory.link_graph(), _titles(deps))
    ordered = most_connected(every) if hubs else every
    return ConnectedNotes(
        notes=tuple(ordered[:limit]),
        orphans=sum(not note.neighbours for note in every),
        total=len(every),
    )


def map_links(deps: Deps) -> LinkMap:
    """All notes with their links and communities; it blocks. Raises StorageError."""
    graph = deps.catalog.inventory.link_graph()
    notes = connections(graph, _titles(deps))
    number = {note.path: place for place, note in enumerate(notes)}
    links = [
        (place, number[to])
        for path, place in number.items()
        for to in sorted(graph.targets(path))
        if to in number
    ]
    found = communities(len(notes), links)
    return LinkMap(
        notes=tuple(notes),
        communities=tuple(
            own if note.neighbours else None for note, own in zip(notes, found, strict=True)
        ),
        links=tuple(links),
    )


def _titles(deps: Deps) -> dict[str, str]:
    return {note.path: note.title for note in deps.catalog.inventory.typed_notes()}
