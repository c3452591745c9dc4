"""How well the notes of a vault are linked. Pure."""

from collections.abc import Mapping

from tools.base.domain import NoteConnections
from tools.vault.catalog.link_graph import LinkGraph


def connections(graph: LinkGraph, titles: Mapping[str, str]) -> list[NoteConnections]:
    """How each note is linked, by path; ``titles`` are those of all notes, by path."""
    return [
        NoteConnections(
            path=path,
            title=title,
            links_out=len(graph.targets(path)),
            links_in=len(graph.sources(path)),
            neighbours=len(graph.neighbours(path)),
        )
        for path, title in sorted(titles.items())
    ]


def least_connected(graph: LinkGraph, titles: Mapping[str, str]) -> list[NoteConnections]:
    """All notes, those with the fewest neighbours first, then by path."""
    return sorted(connections(graph, titles), key=lambda note: note.order)
