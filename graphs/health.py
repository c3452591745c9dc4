"""Whether the stores agree with each other and with the vault: for ``brain doctor``."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

from agents.models import probe
from graphs.deps import Deps
from graphs.inferred_facts import inferred_warnings
from graphs.status import status
from tools.errors import BrainError


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at; ``detail`` says what was found and what to do."""

    name: str
    ok: bool
    detail: str


async def examine(deps: Deps) -> list[Check]:
    """Compare vault, text index, graph and vectors; start the servers that are needed."""
    await deps.wake()
    now = await asyncio.to_thread(status, deps.settings, deps.catalog, deps.history)
    behind = now.changed + now.removed
    checks = [
        Check(name="vault", ok=True, detail=f"{now.notes_on_disk} notes can be read."),
        Check(
            name="text index",
            ok=behind == 0,
            detail=f"{now.notes_indexed} notes, {now.passages} passages."
            if behind == 0
            else f"{behind} notes changed since: run `brain index`.",
        ),
        await _checked("graph", _graph(deps)),
        await _checked("vectors", _vectors(deps)),
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


async def _graph(deps: Deps) -> Check:
    known = await asyncio.to_thread(deps.history.ledger.digests)
    stored = await deps.graph.digests()
    pending = set(await asyncio.to_thread(deps.history.ledger.dirty))
    off = len({path for path, _ in known.items() ^ stored.items()} | pending)
    held = await deps.graph.status()
    detail = f"{held.notes} notes, {held.edges} relations, {held.episodes} versions."
    if off:
        detail = f"{off} notes differ from the index: run `brain index`."
    return Check(name="graph", ok=off == 0, detail=detail)


async def _vectors(deps: Deps) -> Check:
    stored = await deps.index.ids()
    pending = set(await asyncio.to_thread(deps.catalog.outbox.passages))
    unused = set(await asyncio.to_thread(deps.catalog.outbox.unused_vectors))
    known = await asyncio.to_thread(deps.catalog.outbox.vector_count)
    encoder = (await deps.index.status()).encoder
    off = len(pending) + len(unused) + abs(known - len(stored))
    detail = f"{len(stored)} vectors of {encoder}."
    if off:
        detail = f"{off} vectors are missing or not needed any more: run `brain index`."
    return Check(name="vectors", ok=off == 0, detail=detail)


async def _checked(name: str, check: Awaitable[Check]) -> Check:
    try:
        return await check
    except BrainError as error:
        return Check(name=name, ok=False, detail=str(error))
