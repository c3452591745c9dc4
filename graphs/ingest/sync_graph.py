"""Filling the graph from the history: what is dirty is projected anew and written, nothing else."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import batched
from typing import Literal

from graphs.core.deps import Deps
from graphs.core.inferred_facts import InferredFacts
from graphs.core.rewordings import rewordings
from graphs.stores.index_lock import only_indexer
from graphs.stores.store_marks import graph_mark, mark_filled
from tools.base.domain import SourceWarning
from tools.base.errors import InputError, SourceError, StorageError
from tools.graph.inference import Resolve
from tools.graph.projection import Successor, project
from tools.graph.statements import version_content
from tools.graph.versions import VersionContent, date
from tools.text.normalize import fold_name
from tools.text.voice import counted
from tools.vault.git.blobs import read_blobs
from tools.vault.history.history import Unread
from tools.vault.history.history_rows import text_hash
from tools.vault.history.past import parse_version
from tools.vault.indexing.indexing import CAUGHT_UP, Freshness, sightings
from tools.vault.notes.links import resolver

_GRAPH_BATCH = 200
_FILLED_AT_ONCE = 200
_NAMED = 10
"""How many notes that the database refused are named."""

type OnProgress = Callable[[Literal["history", "graph"], int, int], None]
"""Told of a phase how much of it is done, and of how much."""


def _nobody(phase: str, done: int, total: int) -> None:
    del phase, done, total


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """How many notes were written and refused, and what of the history could not be read."""

    written: int
    refused: int = 0
    warnings: tuple[SourceWarning, ...] = ()


async def catch_up_with_graph(deps: Deps) -> Freshness:
    """Bring catalog and graph up to date with a few changed files; say how many are left.

    Where another process indexes, or the graph does not answer, what is there has to do.
    """
    settings = deps.settings
    fresh = await asyncio.to_thread(deps.catch_up)
    dirty = await asyncio.to_thread(deps.history.ledger.dirty)
    if not dirty:
        return fresh
    try:
        if len(dirty) > CAUGHT_UP:
            return replace(fresh, stale=max(fresh.stale, len(dirty)))
        with only_indexer(settings.data_dir):
            filled = await fill_graph(deps)
        return replace(fresh, stale=max(fresh.stale, filled.refused))
    except (InputError, SourceError, StorageError):
        return replace(fresh, stale=max(fresh.stale, len(dirty)))


async def fill_graph(deps: Deps, tell: OnProgress = _nobody, *, rebuild: bool = False) -> Filled:
    """Bring the graph to what the history says.

    Raises SourceError; a note counts as written only once the graph has it. One that the database
    refuses is left out, told, and tried again by the next run. Where the file of inferred facts
    cannot be read, what the graph has of them stays, until a run that can read it.
    """
    history = deps.history
    if rebuild:
        await deps.empty_graph()
        await asyncio.to_thread(history.rewordings.clear)
    warnings = await asyncio.to_thread(_read_versions, deps, tell)
    await asyncio.to_thread(_agree_with_disk, deps)
    await _agree_with_graph(deps)
    inferred = InferredFacts(deps.inferred)
    changed = await asyncio.to_thread(inferred.changed)
    await asyncio.to_thread(history.ledger.mark_dirty, changed)
    if inferred.readable and await asyncio.to_thread(history.ledger.lacks_inferred):
        await asyncio.to_thread(history.ledger.mark_dirty, await asyncio.to_thread(history.paths))
    resolve, resolved = await asyncio.to_thread(_resolution, deps)
    succeeding = await asyncio.to_thread(_successions, deps, resolve)
    pending = await asyncio.to_thread(history.ledger.dirty)
    done, refused = 0, list[str]()
    for batch in batched(pending, _GRAPH_BATCH):
        digests = await _write(
            deps, batch, inferred=inferred, resolve=resolve, succeeding=succeeding
        )
        refused += [path for path in batch if path not in digests]
        await asyncio.to_thread(history.ledger.acknowledge, digests)
        done += len(batch)
        tell("graph", done, len(pending))
    await asyncio.to_thread(history.ledger.set_resolved, resolved)
    if inferred.readable:
        await asyncio.to_thread(history.ledger.set_lacks_inferred, lacks=False)
        await asyncio.to_thread(inferred.acknowledge, changed)
    await asyncio.to_thread(mark_filled, graph_mark(deps.settings))
    warnings += inferred.warnings(rebuilt=rebuild)
    if refused:
        warnings += (_left_out(refused),)
    written = len(pending) - len(refused)
    return Filled(written=written, refused=len(refused), warnings=warnings)


async def _write(
    deps: Deps,
    paths: Sequence[str],
    *,
    inferred: InferredFacts,
    resolve: Resolve,
    succeeding: Mapping[str, Sequence[str]],
) -> dict[str, str | None]:
    """Write notes, each with all its versions; return the state of each in the graph.

    A note that the database refuses has none.
    """
    others = {path for note in paths for path in succeeding.get(note, ())}
    versions = await asyncio.to_thread(deps.history.versions, [*paths, *others])
    dated = {path: date(found) for path, found in versions.items()}
    changed = [dated[path] for path in paths if len(dated.get(path, ())) > 1]
    await asyncio.to_thread(rewordings, deps, changed)  # ahead, for no question can wait for it
    facts = await asyncio.to_thread(inferred.of, paths)
    if facts is None:  # said before it is so: a run that is killed must not forget it
        await asyncio.to_thread(deps.history.ledger.set_lacks_inferred, lacks=True)
    graphs = await asyncio.to_thread(
        lambda: [
            project(
                path,
                dated[path],
                resolve=resolve,
                successors=[
                    Successor(path=other, versions=tuple(dated[other]))
                    for other in succeeding.get(path, ())
                    if other in dated
                ],
                inferred=facts.get(path, ()) if facts is not None else None,
            )
            for path in paths
            if path in dated
        ]
    )
    refused = await deps.graph_writer.replace(graphs)
    digests: dict[str, str | None] = dict.fromkeys(paths)
    for graph in graphs:
        if graph.entity.path is not None:
            digests[graph.entity.path] = graph.entity.digest
    return {path: digest for path, digest in digests.items() if path not in refused}


def _read_versions(deps: Deps, tell: OnProgress) -> tuple[SourceWarning, ...]:
    """Read the texts of versions that git has and nobody has read yet, newest first.

    What git fails to give stays unread, for the next run.
    """
    unread = deps.history.unread()
    failed: list[SourceError] = []

    def read() -> Iterator[tuple[int, str, VersionContent | None]]:
        blobs = (version.blob for version in unread)
        contents = read_blobs(deps.settings.vault, blobs, max_bytes=deps.settings.max_note_bytes)
        try:
            for version, (_, raw) in zip(unread, contents, strict=True):
                yield version.key, *_read_version(version, raw)
        except SourceError as error:
            failed.append(error)

    done = 0
    for batch in batched(read(), _FILLED_AT_ONCE):
        deps.history.fill(batch)
        done += len(batch)
        tell("history", done, len(unread))
    return tuple(_left_unread(error, len(unread) - done) for error in failed)


def _left_unread(error: SourceError, versions: int) -> SourceWarning:
    return SourceWarning(
        source="history",
        error=str(error),
        impact=f"The graph lacks {counted(versions, 'version')} of notes and holds the rest; "
        "the next `brain index` tries again.",
    )


def _left_out(paths: Sequence[str]) -> SourceWarning:
    named = ", ".join(paths[:_NAMED])
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return SourceWarning(
        source="graph",
        error=f"The graph database refused what these notes say: {named}{more}.",
        impact="Search still finds them, and the other notes are in the graph. Look in them for a "
        "property of unusual length or kind, change it, and run `brain index`.",
    )


def _read_version(version: Unread, raw: bytes | None) -> tuple[str, VersionContent | None]:
    note = parse_version(version.path, raw) if raw is not None else None
    if note is None:
        return version.blob, None
    return text_hash(note.text), version_content(note)


def _agree_with_disk(deps: Deps) -> None:
    """Record what is there and what is not where git and earlier runs say otherwise."""
    live, known = deps.history.live(), set(deps.catalog.paths())
    if appeared := known - live:
        found = sightings(
            sorted(appeared),
            root=deps.settings.vault,
            catalog=deps.catalog,
            max_bytes=deps.settings.max_note_bytes,
        )
        deps.history.see(found, at=deps.clock())
    if gone := live - known:
        deps.history.record_missing(sorted(gone), at=deps.clock())


async def _agree_with_graph(deps: Deps) -> None:
    """Have notes written again that the graph has lost, and forget those that nobody knows."""
    known = await asyncio.to_thread(deps.history.ledger.digests)
    stored = await deps.graph_writer.digests()
    lost = [path for path, digest in known.items() if stored.get(path) != digest]
    await asyncio.to_thread(deps.history.ledger.mark_dirty, lost)
    versions = set(await asyncio.to_thread(deps.history.paths))
    if forgotten := sorted(stored.keys() - versions):
        await deps.graph_writer.remove(forgotten)


def _resolution(deps: Deps) -> tuple[Resolve, dict[str, str | None]]:
    """How targets lead to notes now; the notes whose targets lead elsewhere than before are dirty.

    A name that no note of today has may be the former name of one, or of one that is gone.
    """
    now = resolver(deps.catalog.link_targets())
    past = resolver(_past_names(deps.history.deleted_paths(), deps.history.former_names()))

    def resolve(target: str) -> str | None:
        return now(target) or past(target)

    targets, before = deps.history.ledger.targets(), deps.history.ledger.resolved()
    resolved = {word: resolve(word) for word in targets}
    moved = {word for word, path in resolved.items() if word in before and before[word] != path}
    deps.history.ledger.mark_dirty({path for word in moved for path in targets[word]})
    # One that was superseded under this name may be so no more.
    deps.history.ledger.mark_dirty({path for word in moved if (path := before[word]) is not None})
    return resolve, resolved


def _past_names(
    gone: Iterable[str], former: Iterable[tuple[str, str]]
) -> Iterable[tuple[str, str]]:
    for path in gone:
        yield fold_name(path), path
    for path, now in former:
        yield fold_name(path), now


def _successions(deps: Deps, resolve: Resolve) -> dict[str, list[str]]:
    """For each note those that say they supersede it; what a dirty one supersedes is dirty too."""
    dirty = set(deps.history.ledger.dirty())
    found: dict[str, list[str]] = {}
    for path, target in deps.history.ledger.succeeding():
        superseded = resolve(target)
        if superseded is not None and superseded != path:
            found.setdefault(superseded, []).append(path)
    deps.history.ledger.mark_dirty(
        superseded for superseded, others in found.items() if not dirty.isdisjoint(others)
    )
    return found
