"""Bringing the stored graph to what the notes say: read it, plan, write as one change.

While the database writes one batch, the next one is planned and put into words. A batch that it
refuses is written note by note, without the notes that it refuses alone as well.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from tools.base.errors import RefusedError
from tools.graph.changes import Changes, Stored, plan
from tools.graph.cypher import queries
from tools.graph.cypher.graphiti_models import write
from tools.graph.cypher.port import GraphBackend, Statements, Work, Writer, understood
from tools.graph.cypher.rows import entity_of, relation_of, strings_in
from tools.graph.model import NoteGraph

if TYPE_CHECKING:
    from graphiti_core.driver.driver import GraphDriver

type Batch = Sequence[NoteGraph]


class _BatchRefusedError(Exception):
    """The database refused the change of one batch; those before it are written."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


async def replace_notes(graph: GraphBackend, batches: Sequence[Batch]) -> list[NoteGraph]:
    """Make the graph say what these notes say and said; a batch, each note once, is one change.

    Return the notes that the database refuses: nothing that they say or said is stored.
    """
    refused: list[NoteGraph] = []
    while batches:
        try:
            await _write(graph, batches)
        except _BatchRefusedError as stopped:
            refused += await _write_one_by_one(graph, batches[stopped.number])
            batches = batches[stopped.number + 1 :]
        else:
            break
    return refused


async def _write_one_by_one(graph: GraphBackend, notes: Batch) -> list[NoteGraph]:
    # The database may have kept a part of the batch. One that takes nothing refuses this as well.
    await _take_out(graph, notes)
    refused: list[NoteGraph] = []
    for note in notes:
        try:
            await _write(graph, [[note]])
        except _BatchRefusedError:
            await _take_out(graph, [note])
            refused.append(note)
    return refused


async def _take_out(graph: GraphBackend, notes: Batch) -> None:
    others = [other.uuid for note in notes for other in note.others]
    await remove_notes(graph, [note.entity.uuid for note in notes], loose=others)


async def _write(graph: GraphBackend, batches: Sequence[Batch]) -> None:
    under_way: list[asyncio.Task[None]] = []
    coming, stored = Changes(), None
    try:
        pairs = zip_longest(batches, batches[1:], fillvalue=())
        for number, (batch, following) in enumerate(pairs):
            known = stored or await _stored(graph, batch)
            changes = await asyncio.to_thread(plan, batch, _expecting(known, coming))
            turn = asyncio.Event()
            if changes != Changes():
                work = _in_turn(_work(graph, changes), turn)
                under_way.append(asyncio.create_task(_change(graph, work, number)))
            await _ended(under_way, keep=1 if changes != Changes() else 0)
            # What is read before a change must not be otherwise after it.
            ahead = following and changes != Changes() and not _touches(changes, batch, following)
            coming, stored = Changes(), None
            if ahead:
                coming, stored = changes, await _stored(graph, following)
            turn.set()
            if not ahead:
                await _ended(under_way)
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def _change(graph: GraphBackend, work: Work, number: int) -> None:
    try:
        await graph.change(work)
    except RefusedError as error:
        raise _BatchRefusedError(number) from error


async def _ended(under_way: list[asyncio.Task[None]], *, keep: int = 0) -> None:
    """Wait for all changes but the last ``keep``."""
    while len(under_way) > keep:
        await under_way[0]
        del under_way[0]


async def remove_notes(
    graph: GraphBackend, uuids: Sequence[str], *, loose: Sequence[str] = ()
) -> None:
    """Forget notes with all that they say and said; what others say about them stays.

    What no edge touches any more goes with them, also of the entities that are ``loose``.
    """
    with understood():
        said = [relation_of(row) for row in await graph.query(queries.SAID, uuids=uuids)]
        episodes = strings_in(await graph.query(queries.EPISODES, uuids=uuids))
    changes = Changes(dropped_relations=tuple(said), dropped_episodes=tuple(sorted(episodes)))
    drop = _work(graph, changes)

    async def work(driver: "GraphDriver", writer: Writer) -> None:
        await drop(driver, writer)
        await writer.run(queries.STRIP_NOTES, uuids=uuids)
        await writer.run(queries.DROP_LOOSE, uuids=[*uuids, *loose])

    await graph.change(work)


def _expecting(stored: Stored, coming: Changes) -> Stored:
    """What will be stored once the change that is under way has been written."""
    return replace(stored, present=stored.present | {entity.uuid for entity in coming.entities})


def _touches(changes: Changes, batch: Batch, following: Batch) -> bool:
    """Whether a change may take away what the next batch reads, or is about the same notes."""
    takes = changes.dropped_relations or changes.dropped_episodes or changes.relabelled
    same = {note.entity.uuid for note in batch} & {note.entity.uuid for note in following}
    return bool(takes or same)


def _in_turn(work: Work, turn: asyncio.Event) -> Work:
    """``work`` put into words in a thread at once, and run when it is its turn."""

    async def run(driver: "GraphDriver", writer: Writer) -> None:
        statements = Statements()

        async def gather() -> None:
            await work(driver, statements)

        await asyncio.to_thread(lambda: asyncio.run(gather()))
        await turn.wait()
        await writer.run(statements.all)

    return run


async def _stored(graph: GraphBackend, notes: Sequence[NoteGraph]) -> Stored:
    uuids = [note.entity.uuid for note in notes]
    others = sorted({other.uuid for note in notes for other in note.others})
    with understood():
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
