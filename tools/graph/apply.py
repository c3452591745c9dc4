"""Bringing the stored graph to what the notes say: read what is known, plan, write, seal.

A seal comes last, so a change that was cut short counts as not done and is done again.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import cast

from tools.graph import queries
from tools.graph.changes import Changes, Known, plan_remove, plan_replace
from tools.graph.connection import Connection, Row
from tools.graph.graphiti_writer import write
from tools.graph.model import Entity, NoteGraph, unresolved_id
from tools.graph.rows import entity_of, iso, relation_of, strings_in


async def replace_notes(graph: Connection, notes: Sequence[NoteGraph]) -> None:
    """Make the graph say what these notes, each given once, say now."""
    changes = plan_replace(notes, await _known(graph, notes))
    if changes != Changes():
        await _apply(graph, changes, [note.entity.uuid for note in notes])


async def remove_notes(graph: Connection, uuids: Sequence[str]) -> None:
    """Delete notes with their versions; what others say about them points at placeholders."""
    about = [relation_of(row) for row in await graph.query(queries.SAID_ABOUT, uuids=uuids)]
    stand_ins = sorted({unresolved_id(word) for relation in about for word in relation.words})
    known = Known(
        notes=_by_uuid(await graph.query(queries.NOTES, uuids=uuids)),
        present=frozenset(strings_in(await graph.query(queries.PRESENT, uuids=stand_ins))),
        episodes=frozenset(),
        relations=about,
    )
    changes = plan_remove(frozenset(uuids), known, seen_at=datetime.now(UTC))
    said = [relation_of(row) for row in await graph.query(queries.SAID, uuids=uuids)]
    outdated = await _superseded_ids(graph, uuids)
    await write(graph, changes)
    await graph.query(queries.DELETE_EPISODES, uuids=uuids)
    await graph.query(queries.DELETE_NOTES, uuids=uuids)
    await graph.query(queries.DELETE_LOOSE, uuids=sorted({relation.target for relation in said}))
    await _note_superseded(graph, outdated)


async def _known(graph: Connection, notes: Sequence[NoteGraph]) -> Known:
    uuids = [note.entity.uuid for note in notes]
    answered = [unresolved_id(name) for note in notes for name in note.entity.names]
    others = {other.uuid for note in notes for other in note.others}
    present = strings_in(await graph.query(queries.PRESENT, uuids=[*uuids, *answered, *others]))
    said = [relation_of(row) for row in await graph.query(queries.SAID, uuids=uuids)]
    if waiting := [uuid for uuid in answered if uuid in present]:
        arriving = [relation_of(r) for r in await graph.query(queries.SAID_ABOUT, uuids=waiting)]
        sources = sorted({relation.source for relation in arriving})
        rows = await graph.query(queries.SAID_BETWEEN, sources=sources, targets=uuids)
        said += [*arriving, *(relation_of(row) for row in rows)]
    return Known(
        notes=_by_uuid(await graph.query(queries.NOTES, uuids=uuids)),
        present=frozenset(present),
        episodes=frozenset(strings_in(await graph.query(queries.WHOLE_EPISODES, uuids=uuids))),
        relations=said,
    )


def _by_uuid(rows: Iterable[Row]) -> dict[str, Entity]:
    return {entity.uuid: entity for entity in map(entity_of, rows)}


async def _apply(graph: Connection, changes: Changes, touched: Sequence[str]) -> None:
    outdated = await _superseded_ids(graph, touched)
    for uuid in changes.relabelled:
        await graph.query(queries.RELABEL, uuid=uuid)
    await write(graph, changes)
    if changes.episodes:
        versions = [
            {"uuid": episode.uuid, "content_hash": episode.content_hash}
            for episode, _ in changes.episodes
        ]
        await graph.query(queries.SEAL_EPISODES, episodes=versions)
    if changes.dropped:
        gone = [{"source": r.source, "uuid": r.uuid} for r in changes.dropped]
        await graph.query(queries.DROP, relations=gone)
        loose = sorted({relation.target for relation in changes.dropped})
        await graph.query(queries.DELETE_LOOSE, uuids=loose)
    if changes.sealed:
        sealed = [
            {
                "uuid": entity.uuid,
                "content_hash": entity.content_hash,
                "created": iso(entity.created),
                "modified": iso(entity.modified),
            }
            for entity in changes.sealed
        ]
        await graph.query(queries.SEAL_NOTES, notes=sealed)
    outdated |= await _superseded_ids(graph, touched)
    await _note_superseded(graph, {*outdated, *touched})


async def _superseded_ids(graph: Connection, uuids: Sequence[str]) -> set[str]:
    return strings_in(await graph.query(queries.SUPERSEDED_BY_WORD, uuids=uuids))


async def _note_superseded(graph: Connection, uuids: Iterable[str]) -> None:
    """Record for each of these notes the latest note that supersedes it, or that none does."""
    newest: dict[str, dict[str, object]] = {
        uuid: {"uuid": uuid, "path": None, "created": None} for uuid in uuids
    }
    for old, path, created in sorted(
        await graph.query(queries.SUPERSEDING, uuids=list(newest)),
        key=lambda row: (str(row[2]), str(row[1])),
    ):
        newest[cast("str", old)] |= {"path": path, "created": created}
    await graph.query(queries.SET_SUPERSEDED, rows=list(newest.values()))
