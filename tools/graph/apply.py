"""Bringing the stored graph to what the notes say: read it, plan, write as one change."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tools.graph import queries
from tools.graph.backend import GraphBackend, Work, Writer
from tools.graph.changes import Changes, Stored, plan
from tools.graph.graphiti_models import write
from tools.graph.model import NoteGraph
from tools.graph.rows import entity_of, relation_of, strings_in

if TYPE_CHECKING:
    from graphiti_core.driver.driver import GraphDriver


async def replace_notes(graph: GraphBackend, notes: Sequence[NoteGraph]) -> None:
    """Make the graph say what these notes, each given once, say and said."""
    changes = plan(notes, await _stored(graph, notes))
    if changes != Changes():
        await graph.change(_work(graph, changes))


async def remove_notes(graph: GraphBackend, uuids: Sequence[str]) -> None:
    """Forget notes with all that they say and said; what others say about them stays."""
    said = [relation_of(row) for row in await graph.query(queries.SAID, uuids=uuids)]
    episodes = await graph.query(queries.EPISODES, uuids=uuids)
    changes = Changes(
        dropped_relations=tuple(said), dropped_episodes=tuple(sorted(strings_in(episodes)))
    )
    drop = _work(graph, changes)

    async def work(driver: "GraphDriver", writer: Writer) -> None:
        await drop(driver, writer)
        await writer.run(queries.STRIP_NOTES, uuids=uuids)
        await writer.run(queries.DROP_LOOSE, uuids=uuids)

    await graph.change(work)


async def _stored(graph: GraphBackend, notes: Sequence[NoteGraph]) -> Stored:
    uuids = [note.entity.uuid for note in notes]
    others = sorted({other.uuid for note in notes for other in note.others})
    found = map(entity_of, await graph.query(queries.NOTES, uuids=uuids))
    return Stored(
        notes={entity.uuid: entity for entity in found},
        present=frozenset(strings_in(await graph.query(queries.PRESENT, uuids=others))),
        relations=[relation_of(row) for row in await graph.query(queries.SAID, uuids=uuids)],
        episodes=frozenset(strings_in(await graph.query(queries.EPISODES, uuids=uuids))),
    )


def _work(graph: GraphBackend, changes: Changes) -> Work:
    async def work(driver: "GraphDriver", writer: Writer) -> None:
        for uuid in changes.relabelled:
            await writer.run(graph.dialect.relabel, uuid=uuid)
        await write(
            driver,
            writer,
            entities=changes.entities,
            relations=changes.relations,
            episodes=changes.episodes,
        )
        if changes.episodes:
            hashes = [
                {"uuid": episode.uuid, "content_hash": episode.content_hash}
                for episode, _ in changes.episodes
            ]
            await writer.run(queries.SEAL_EPISODES, episodes=hashes)
        if changes.dropped_episodes:
            await writer.run(queries.DROP_EPISODES, uuids=list(changes.dropped_episodes))
        if changes.dropped_relations:
            gone = [{"source": r.source, "uuid": r.uuid} for r in changes.dropped_relations]
            await writer.run(queries.DROP_RELATIONS, relations=gone)
            await writer.run(queries.DROP_LOOSE, uuids=changes.loose)

    return work
