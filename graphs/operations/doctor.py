"""Is everything as it should be: the vault held against every store, and each store by itself."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.llm.language_model import probe
from graphs.app import make_deps
from graphs.core.deps import Deps
from graphs.core.inferred_facts import inferred_warnings
from graphs.operations.checks import REPAIR, Check, checked, some
from graphs.operations.data_dir import examine_places
from graphs.operations.link_feedback import examine_link_feedback
from graphs.operations.remote_stores import examine_remote_stores
from graphs.operations.self_check import examine_self_check
from graphs.stores.index_lock import is_indexing
from tools.base.errors import BrainError, InputError, StorageError
from tools.runtime.sqlite import damage, reason
from tools.settings.settings import Settings
from tools.text.voice import counted
from tools.vault.catalog.embedded_texts import embedded_texts
from tools.vault.disk.files import read_bytes, scan
from tools.vault.history.history_rows import blob_ids, text_hash
from tools.vault.indexing.indexing import plan_changes
from tools.vault.notes.notes import decode

SAMPLE = 200
"""Passages that are searched for by their own words, and by their own vectors."""
BY_TEXT = 5
"""Passages that are embedded again and searched for; each costs the encoder some milliseconds."""
_HITS = 20
_SPARED = tuple(
    f"file {name}.db" for name in ("inferred", "checkpoints", "readings", "contradictions")
)
"""Checks of files without which the rest can still be compared."""
RECALL = 0.98
"""Share of the sampled vectors that has to be found; less, and the index of vectors is broken."""


async def diagnose(settings: Settings) -> list[Check]:
    """Every check, one line each; the servers that are needed are started.

    Changes nothing. Where the index or the history is damaged, stores are not compared.
    """
    files = await asyncio.to_thread(examine_files, settings)
    stores: list[Check] = []
    if all(check.ok or check.name in _SPARED for check in files):
        try:
            deps = await asyncio.to_thread(make_deps, settings)
            try:
                stores = await _examine_stores(deps)
            finally:
                await deps.close()
        except BrainError as error:
            stores = [Check(name="stores", ok=False, detail=str(error))]
    # Last, when servers that are just starting have put away what killed ones left.
    places = await asyncio.to_thread(examine_places, settings)
    decided = await asyncio.to_thread(examine_link_feedback, settings)
    measured = examine_self_check(settings)
    return [*places, *files, *await examine_remote_stores(settings), *stores, decided, measured]


def examine_files(settings: Settings) -> list[Check]:
    """Have SQLite look through each of our files."""
    try:
        broken = damaged_files(settings)
    except StorageError as error:
        return [Check(name="files", ok=False, detail=str(error))]
    names = ", ".join(path.name for path in store_files(settings) if path.exists())
    return [
        Check(name=f"file {path.name}", ok=False, detail=f"It is damaged ({why}): {REPAIR}.")
        for path, why in broken.items()
    ] or [Check(name="files", ok=True, detail=f"Whole: {names}." if names else "None yet.")]


def store_files(settings: Settings) -> tuple[Path, ...]:
    """The SQLite files of a data directory, whether they are there or not."""
    return (
        *(settings.index_path, settings.history_path, settings.inferred_path),
        *(settings.checkpoint_path, settings.readings_path, settings.contradictions_path),
        *(settings.added_notes_path, settings.link_journal_path),
    )


def damaged_files(settings: Settings) -> dict[Path, str]:
    """Those of our SQLite files that are damaged, with SQLite's word for it."""
    broken: dict[Path, str] = {}
    for path in store_files(settings):
        try:
            found = damage(path)
        except (sqlite3.Error, OSError) as error:
            raise StorageError(
                f"{path.name} in the data directory cannot be opened ({reason(error)}): free some "
                "space or check permissions; nothing was changed."
            ) from error
        if found is not None:
            broken[path] = found
    return broken


async def _examine_stores(deps: Deps) -> list[Check]:
    _, files, *stores = await asyncio.gather(
        deps.wake(),
        asyncio.to_thread(read_files, deps),
        checked("last run", asyncio.to_thread(_last_run, deps)),
        checked("text index", asyncio.to_thread(_text, deps)),
        checked("words", asyncio.to_thread(_words, deps)),
    )
    checks = [
        Check(name="vault", ok=True, detail=f"{counted(files.there, 'note')} can be read."),
        *stores,
        await checked("contents", asyncio.to_thread(_contents, files)),
        await checked("history", asyncio.to_thread(_history, deps, files)),
        await checked("graph", _graph(deps)),
        await checked("vectors", _vectors(deps)),
        await checked("found by meaning", _found_by_meaning(deps)),
    ]
    unreadable = await asyncio.to_thread(inferred_warnings, deps.inferred)
    checks += [
        Check(name=one.source, ok=False, detail=f"{one.error} {one.impact}") for one in unreadable
    ]
    model = await probe(deps.settings.ollama_url, deps.settings.chat_model)
    checks.append(
        Check(name="language model (optional)", ok=True, detail=model.message or "It answers.")
    )
    grouped: dict[str, list[str]] = {}
    for problem in await asyncio.to_thread(deps.catalog.problems):
        grouped.setdefault(problem.message, []).append(problem.note_path)
    checks += [
        Check(name="notes", ok=True, detail=f"{message} ({len(paths)}): {', '.join(paths)}")
        for message, paths in grouped.items()
    ]
    return checks


# --- the files of the vault ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The notes on disk, their bytes read: ``there`` are all, ``read`` those that are as indexed.

    ``other`` are those of them whose bytes are others than what is indexed, although size and time
    are the same; ``forgotten`` those whose text is not the last one that the history knows.
    """

    there: int
    read: int
    other: tuple[str, ...]
    forgotten: tuple[str, ...]


def read_files(deps: Deps) -> Files:
    """Read every note that the index believes to know, and compare it."""
    settings = deps.settings
    found = scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)
    indexed, hashes = deps.catalog.files(), deps.catalog.hashes()
    known = deps.history.latest_texts()
    read = 0
    other: list[str] = []
    forgotten: list[str] = []
    for file in found.files:
        if indexed.get(file.path) != file:
            continue  # the next run reads it
        try:
            raw = read_bytes(settings.vault, file.path, max_bytes=settings.max_note_bytes)
            text, _ = decode(raw)
        except (InputError, OSError):
            continue  # it changed since
        read += 1
        if hashlib.sha256(raw).hexdigest() != hashes.get(file.path):
            other.append(file.path)
            continue
        digest, blob = known.get(file.path, (None, None))
        if digest != text_hash(text) and (blob is None or blob not in blob_ids(raw)):
            forgotten.append(file.path)
    return Files(there=len(found.files), read=read, other=tuple(other), forgotten=tuple(forgotten))


def _contents(files: Files) -> Check:
    off, read = files.other, counted(files.read, "file was", "files were")
    return Check(
        name="contents",
        ok=not off,
        detail=f"{read} read: each is as it was indexed."
        if not off
        else f"{read} read; {len(off)} changed without a new size or time ({some(off)}): {REPAIR}.",
    )


# --- the stores ------------------------------------------------------------------------------


def _last_run(deps: Deps) -> Check:
    if is_indexing(deps.settings):
        return Check(
            name="last run",
            ok=True,
            detail="The vault is being indexed right now: what is missing below may be on its way.",
        )
    interrupted = deps.catalog.soundness.interrupted()
    return Check(
        name="last run",
        ok=not interrupted,
        detail="The last indexing run was interrupted: `brain index` completes it."
        if interrupted
        else "It came to its end.",
    )


def _text(deps: Deps) -> Check:
    settings = deps.settings
    found = scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)
    indexed = deps.catalog.files()
    plan = plan_changes(found.files, indexed, unreadable=found.unreadable)
    new = [file.path for file in plan.read if file.path not in indexed]
    failed = {problem.note_path for problem in deps.catalog.problems()}
    new = [path for path in new if path not in failed]
    changed = [file.path for file in plan.read if file.path in indexed]
    counts = deps.catalog.counts()
    off = _in_words(
        (new, "note is not in it", "notes are not in it"),
        (changed, "note changed since", "notes changed since"),
        (
            plan.remove,
            "note is in it and not in the vault any more",
            "notes are in it and not in the vault any more",
        ),
    )
    return Check(
        name="text index",
        ok=not off,
        detail=f"{off}: run `brain index`."
        if off
        else f"{counted(counts.notes, 'note')}, {counted(counts.passages, 'passage')}.",
    )


def _words(deps: Deps) -> Check:
    found = deps.catalog.soundness.words(sample=SAMPLE)
    if found.whole:
        detail = f"{found.asked} of {deps.catalog.passage_count()} passages were searched for by "
        return Check(name="words", ok=True, detail=f"{detail}their words, and all found.")
    wrong = (
        "The index of words is damaged"
        if found.damaged
        else (
            f"{found.lacking} passages are not in the index of words, {found.unused} of its "
            f"entries are of none, {found.lost} of {found.asked} were not found by their words"
        )
    )
    return Check(name="words", ok=False, detail=f"{wrong}: {REPAIR}.")


def _history(deps: Deps, files: Files) -> Check:
    indexed, live = set(deps.catalog.paths()), deps.history.live()
    unknown, gone = sorted(indexed - live), sorted(live - indexed)
    off = _in_words(
        (unknown, "note is not in it", "notes are not in it"),
        (gone, "note is not in the index any more", "notes are not in the index any more"),
        (
            files.forgotten,
            "note has a text that it does not know",
            "notes have a text that it does not know",
        ),
    )
    return Check(
        name="history",
        ok=not off,
        detail=f"{off}: {REPAIR}."
        if off
        else f"It knows the present text of {counted(len(live), 'note')}.",
    )


async def _graph(deps: Deps) -> Check:
    known = await asyncio.to_thread(deps.history.ledger.digests)
    stored = await deps.graph_writer.digests()
    pending = set(await asyncio.to_thread(deps.history.ledger.dirty))
    paths = set(await asyncio.to_thread(deps.history.paths))
    orphans = sorted(stored.keys() - paths)
    lost = sorted(path for path, digest in known.items() if stored.get(path) != digest)
    held = await deps.graph.status()
    off = _in_words(
        (sorted(pending), "note waits to be written", "notes wait to be written"),
        (
            lost,
            "note is not in it as it was written",
            "notes are not in it as they were written",
        ),
        (orphans, "note is in it that nobody knows", "notes are in it that nobody knows"),
    )
    return Check(
        name="graph",
        ok=not off,
        detail=f"{off}: {REPAIR}."
        if off
        else f"{counted(held.notes, 'note')}, {counted(held.edges, 'relation')}, "
        f"{counted(held.episodes, 'version')}.",
    )


def _in_words(*kinds: tuple[Sequence[str], str, str]) -> str:
    """How many notes are of each kind and some of them, given what one and what many are."""
    return ", ".join(
        f"{counted(len(paths), one, many)} ({some(paths)})" for paths, one, many in kinds if paths
    )


async def _vectors(deps: Deps) -> Check:
    stored = await deps.index.ids()
    needed = set(await asyncio.to_thread(deps.catalog.outbox.needed))
    acknowledged = set(await asyncio.to_thread(deps.catalog.outbox.acknowledged))
    off = [
        counted(count, one, many)
        for count, one, many in (
            (len(needed - stored), "passage has no vector", "passages have no vector"),
            (len(stored - needed), "vector belongs to no passage", "vectors belong to no passage"),
            (
                len((acknowledged ^ stored) & needed),
                "is not what the index believes to have",
                "are not what the index believes to have",
            ),
        )
        if count
    ]
    encoder = (await deps.index.status()).encoder
    return Check(
        name="vectors",
        ok=not off,
        detail=f"{', '.join(off)}: {REPAIR}."
        if off
        else f"{counted(len(stored), 'vector')} of {encoder}.",
    )


async def _found_by_meaning(deps: Deps) -> Check:
    """Whether passages are found by their own vectors, and a few by their own text."""
    found = await findable(deps)
    if not found.asked:
        return Check(name="found by meaning", ok=True, detail="There is no vector to look for.")
    return Check(
        name="found by meaning",
        ok=found.sound,
        detail=f"{found.found} of {found.asked} sampled passages are found by their own vector "
        f"(recall {found.recall:.3f}), {found.read} of {found.texts} by their own text"
        + ("." if found.sound else f": {REPAIR}."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Findable:
    """Of ``asked`` passages ``found`` came back for their vector, of ``texts`` ``read`` as well."""

    asked: int
    found: int
    texts: int
    read: int

    @property
    def recall(self) -> float:
        return self.found / self.asked if self.asked else 1.0

    @property
    def sound(self) -> bool:
        return self.recall >= RECALL and self.read == self.texts


async def findable(deps: Deps, *, sample: int = SAMPLE) -> Findable:
    """Search for a sample of the acknowledged passages. Raises SourceError and StorageError."""
    ids = await asyncio.to_thread(deps.catalog.outbox.sample, sample)
    lost = await deps.index.lost(ids)
    texts = await asyncio.to_thread(
        embedded_texts,
        ids[:: max(1, len(ids) // BY_TEXT)],
        root=deps.settings.vault,
        catalog=deps.catalog,
        max_bytes=deps.settings.max_note_bytes,
    )
    hits = await asyncio.gather(
        *(deps.index.search(text, limit=_HITS, kind="statement") for text in texts.values())
    )
    read = [
        vector_id
        for vector_id, found in zip(texts, hits, strict=True)
        if found and vector_id in {id_ for id_, score in found if score >= found[0][1]}
    ]
    return Findable(asked=len(ids), found=len(ids) - len(lost), texts=len(texts), read=len(read))
