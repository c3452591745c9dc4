"""Ask a vault's own searches many questions, as ``brain ask`` would, and keep what each gave.

Nothing is asked back, judged or written: a question of several readings is read as factual.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from langgraph.checkpoint.memory import InMemorySaver

from graphs.app import make_deps
from graphs.brain import Brain
from graphs.core.deps import Deps
from graphs.core.nodes import Update
from graphs.core.notes_read import NotesRead, Texts
from graphs.core.state import QueryContext, QueryState
from graphs.query import interpret, thread_state
from graphs.query.evidence.evidence import (
    EvidenceQuery,
    candidate_notes,
    evidence_query,
    find_evidence,
    note_texts,
)
from graphs.query.merge import merge_hits
from graphs.query.retrieval.retriever import search_scope
from graphs.query.retrieval.retrievers import RETRIEVERS, with_route
from graphs.stores.server_start import start_servers
from tools.base import guards
from tools.base.domain import Before, Block, Hit, Intent, Note, QueryPlan, Result, Source
from tools.base.errors import BrainError, InputError
from tools.ranking.fusion import each_once, may_find
from tools.runtime.services import local_services, stop
from tools.runtime.telemetry_off import silence_telemetry
from tools.settings.loading import load_settings
from tools.settings.settings import Settings
from tools.vault.disk.files import read_bytes, scan
from tools.vault.notes.lines import read_lines
from tools.vault.notes.notes import parse_note

DEPTH = 50
"""Notes a ranking gives: as ``brain ask --limit 50``."""
_PATIENCE = 30.0
"""Seconds a search may take: figures must not depend on how busy the machine is."""
_ALWAYS = ("semantic", "text")
"""Searches that are measured by themselves, whether a plan asks them or not."""
_CONTEXT = QueryContext(mode="local", interactive=False, limit=DEPTH, logged=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A note as it stands in its file: its lines and the blocks that have an id."""

    lines: Sequence[str]
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a question found: by each search, and merged as it would be answered.

    ``behind`` is what is read beside. ``semantic`` and ``text`` are there even where the plan asks
    neither. ``failed`` names searches that gave an error instead.
    """

    question: str
    plan: QueryPlan
    semantic: Sequence[Hit]
    text: Sequence[Hit]
    merged: Sequence[Result]
    behind: Sequence[Result] = ()
    failed: Sequence[Source] = ()


@asynccontextmanager
async def indexed(
    vault: Path, *, data_dir: Path | None = None, now: datetime | None = None
) -> AsyncGenerator[Deps]:
    """The vault, brought up to date in its data directory, or else in one that goes with the block.

    ``now`` is the present as its questions see it. Raises InputError and StorageError.
    """
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as folder:
        settings = load_settings(
            vault=vault, data_dir=data_dir or folder, mode="local", source_timeout=_PATIENCE
        )
        if data_dir is None:
            # An index that is thrown away must not go to a graph database that is kept.
            own = {"graph_uri": None, "services_owner": os.getpid()}
            settings = settings.model_copy(update=own)
        silence_telemetry()
        await asyncio.to_thread(start_servers, settings)
        deps = await asyncio.to_thread(make_deps, settings, clock=(lambda: now) if now else None)
        try:
            await Brain(deps, saver=InMemorySaver()).index()
            yield deps
        finally:
            await deps.close()
            if data_dir is None:
                await asyncio.gather(*(stop(service) for service in local_services(settings)))


def block_ids(pages: Mapping[str, Page]) -> dict[str, set[str]]:
    """The ids of each note's blocks."""
    return {path: {block.block_id for block in page.blocks} for path, page in pages.items()}


def read_notes(settings: Settings) -> Iterator[Note]:
    """Every note of the vault that can be read."""
    limit = settings.max_note_bytes
    for file in scan(settings.vault, folders=settings.folders, max_bytes=limit).files:
        try:
            raw = read_bytes(settings.vault, file.path, max_bytes=limit)
            yield parse_note(file.path, raw, mtime=datetime.now(UTC))
        except (InputError, OSError):
            continue


def read_pages(settings: Settings) -> dict[str, Page]:
    """Every note of the vault by its path; those that cannot be read are absent."""
    return {
        note.path: Page(lines=note.text.split("\n"), blocks=note.blocks)
        for note in read_notes(settings)
    }


async def looked_into(
    found: Found, sought: EvidenceQuery, deps: Deps
) -> tuple[list[Result], Texts]:
    """The notes found that an answer would read, each once, and what is read of them."""
    hits = [*found.semantic, *found.text]
    looked = each_once(candidate_notes(found.merged, found.behind, hits))
    lines = await asyncio.to_thread(
        read_lines,
        {one.note_path for one in looked},
        root=deps.settings.vault,
        max_bytes=deps.settings.max_note_bytes,
    )
    there = [one for one in looked if one.note_path in lines]
    return there, note_texts(sought, there, lines, hits)


async def read_found(found: Found, deps: Deps) -> NotesRead:
    """What the notes found say, as an answer would read it; nothing is quoted of them yet."""
    sought = await asyncio.to_thread(evidence_query, found.plan, deps)
    looked, texts = await looked_into(found, sought, deps)
    hits = [*found.semantic, *found.text]
    evidence = await find_evidence(sought, looked, texts, hits, deps)
    return NotesRead(results=(), behind=(), lines={}, looked=looked, texts=texts, evidence=evidence)


async def find(
    question: str, deps: Deps, *, intent: Intent | None = None, before: Before | None = None
) -> Found:
    """Read the question, search and merge; ``intent`` forces how it is read.

    It may lean on what was said ``before``. Raises InputError for a question that is refused.
    """
    text = guards.question(question)
    said = {} if before is None else {"before": before}
    state = cast("QueryState", {**thread_state.reset_state(text), "intent": intent, **said})
    state = _with(state, await interpret.interpret_question(state, deps, _CONTEXT))
    state = _with(state, await interpret.clarify(state, deps, _CONTEXT))
    plan, scope = with_route(state["plan"]), search_scope(deps)
    state = _with(state, {"plan": plan})
    asked = [one for one in RETRIEVERS if one.source in (*_ALWAYS, *plan.route)]
    given = await asyncio.gather(
        *(one.search(plan, None, scope) for one in asked), return_exceptions=True
    )
    hits: dict[Source, list[Hit]] = {}
    failed: list[Source] = []
    for source, answer in zip((one.source for one in asked), given, strict=True):
        if isinstance(answer, BrainError):
            failed.append(source)
        elif isinstance(answer, BaseException):
            raise answer
        else:
            hits[source] = answer
    answered: list[Source] = [source for source in plan.route if source in hits]
    own = [hit for source in answered for hit in hits[source]]
    state = _with(state, {"hits": own, "answered_sources": answered})
    merged = await merge_hits(state, deps, mode="local")
    return Found(
        question=text,
        plan=plan,
        semantic=[hit for hit in hits.get("semantic", []) if may_find(hit)],
        text=hits.get("text", []),
        merged=merged["merged"],
        behind=merged["behind"],
        failed=failed,
    )


def _with(state: QueryState, update: Update) -> QueryState:
    return cast("QueryState", {**state, **update})
