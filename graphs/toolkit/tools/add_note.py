"""The tool by which another program adds a note: to be looked at first, or to the vault itself."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from graphs.core.whole_step import whole
from graphs.ingest.index_written import index_written
from graphs.ingest.new_notes import Proposal, proposed, writing_vault
from graphs.ingest.staging import graph_of, open_staging, parsed_note, resolving
from graphs.toolkit.arguments import NodeId, Share
from graphs.toolkit.nodes.extracted import Extracted, extracted_of
from graphs.toolkit.tool import Arguments, Session, tool
from graphs.toolkit.tools.note_writes import keep_in_vault, keep_staged
from tools.base.domain import Note, SourceWarning
from tools.base.errors import AccessError, BrainError, InputError
from tools.graph.model import NoteGraph
from tools.graph.provenance import Provenance
from tools.graph.store import GraphReader
from tools.vault.disk.new_notes import has_folder
from tools.vault.storage.added_notes import AddedNote, Place

_MOST_CONTENT = 200_000


type SourceType = Literal["conversation", "document", "web", "thought", "inference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddNote(Arguments):
    path: NodeId
    """Where the note is to be, from the vault's folder on, such as inbox/Idea.md."""
    content: Annotated[str, Field(min_length=1, max_length=_MOST_CONTENT)]
    """The note in markdown, frontmatter included if it has some."""
    extract_entities: bool = True
    """Whether to list the entities and relations that the note states."""
    target: Literal["staging", "vault"] = "staging"
    """staging: the person looks at it first. vault: a file in the folder that they named for it."""
    source_type: SourceType | None = None
    """What kind of source it comes from, where that is known."""
    confidence: Share | None = None
    """How sure it is, 0 to 1, where somebody can say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedNote:
    title: str
    tags: tuple[str, ...]
    wikilinks: tuple[str, ...]
    frontmatter: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedStats:
    nodes_created: int
    edges_created: int


_NOTHING = AddedStats(nodes_created=0, edges_created=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteAdded:
    """``is_new`` is false where the same note was added before; nothing was done then.

    ``warnings`` say what is not indexed yet, which the next question or `brain index` makes good.
    """

    note_id: str
    place: Place
    is_new: bool
    parsed: ParsedNote
    extracted: Extracted | None
    stats: AddedStats
    undo: str
    warnings: tuple[SourceWarning, ...] = ()


@tool(
    "Add a note",
    tier="contributor",
    looks_itself=True,
    prerequisites=("search_notes",),
    next_steps=("undo_add_note",),
    hints={
        "NoteExistsError": "Nothing is ever written over; search_notes shows what there is.",
        "NotPermittedError": "What is staged needs the tier contributor, the vault librarian.",
    },
)
async def add_note_to_graph(session: Session, given: AddNote) -> NoteAdded:
    """Add a new note in markdown, never over one that is there.

    By default it is staged: the person looks at it and accepts or discards it, and until then
    searches do not find it. With target vault it becomes a file at once, if the person has named a
    folder for that. Who added it, source_type and confidence are written into its frontmatter.
    """
    by = session.author
    sure = None if given.confidence is None else round(given.confidence, 6)
    stated = Provenance(created_by=by, source_type=given.source_type, confidence=sure)
    proposal = Proposal(path=given.path, content=given.content, provenance=stated)
    note = await asyncio.to_thread(
        proposed,
        proposal,
        given.target,
        by=by,
        at=session.deps.clock(),
        max_bytes=session.brain.settings.max_note_bytes,
    )
    if given.target == "vault":
        return await _add_to_vault(session, given, note)
    return await _stage(session, given, note)


async def _stage(session: Session, given: AddNote, note: AddedNote) -> NoteAdded:
    settings = session.brain.settings
    parsed, graph = await asyncio.to_thread(_read, session, note)
    async with open_staging(settings, session.login) as store:
        before = await store.present(_uuids(graph))  # asked first: the database says who may
        kept, is_new = await whole(keep_staged(session, store, note))
    if not is_new:
        parsed, graph = await asyncio.to_thread(_read, session, kept)
        return await _told(session, given, kept, parsed=parsed, graph=graph)
    stats = _stats(graph, before)
    return await _told(session, given, kept, parsed=parsed, graph=graph, stats=stats, is_new=True)


async def _add_to_vault(session: Session, given: AddNote, note: AddedNote) -> NoteAdded:
    await asyncio.to_thread(_require_folder, session, note.path)
    parsed, graph = await asyncio.to_thread(_read, session, note)
    before = await _present(session.deps.graph, graph)
    kept, is_new = await whole(keep_in_vault(session, note))
    if not is_new:  # what is kept says who was first
        parsed, graph = await asyncio.to_thread(_read, session, kept)
        return await _told(session, given, kept, parsed=parsed, graph=graph)
    warnings = await index_written(session.brain.index)
    after = await _present(session.deps.graph, graph)
    created = (after or frozenset()) - (before or frozenset())
    written = graph.entity.uuid in created
    return await _told(
        session,
        given,
        kept,
        parsed=parsed,
        graph=graph,
        stats=AddedStats(
            nodes_created=len(created), edges_created=len(graph.relations) if written else 0
        ),
        is_new=True,
        warnings=warnings,
    )


def _require_folder(session: Session, path: str) -> None:
    """The two things that only we check: the database cannot tell of files."""
    folder, tier = session.brain.settings.new_notes_folder, session.caller.tier
    if tier not in ("librarian", "curator"):
        raise AccessError(
            f"A {tier} does not write to the vault: leave target at staging, where the person "
            "looks at the note first."
        )
    if folder is None:
        raise InputError(
            "The person has named no folder for new notes (BRAIN_NEW_NOTES_FOLDER): leave target "
            "at staging, where they look at the note first."
        )
    if not path.startswith(f"{folder}/"):
        raise InputError(
            f"New notes go below the folder {folder!r}: give a path such as {folder}/Idea.md."
        )
    with writing_vault():
        is_there = has_folder(session.brain.settings.vault, folder)
    if not is_there:
        raise InputError(
            f"The folder for new notes, {folder!r}, is not in the vault: the person makes it, or "
            "names another."
        )


async def _present(store: GraphReader, graph: NoteGraph) -> frozenset[str] | None:
    """Which of a note's entities are there; None where the graph does not answer."""
    try:
        return await store.present(_uuids(graph))
    except BrainError:
        return None


def _uuids(graph: NoteGraph) -> list[str]:
    return [graph.entity.uuid, *(other.uuid for other in graph.others)]


def _stats(graph: NoteGraph, before: frozenset[str]) -> AddedStats:
    new = set(_uuids(graph)) - before
    return AddedStats(nodes_created=len(new), edges_created=len(graph.relations))


def _read(session: Session, known: AddedNote) -> tuple[Note, NoteGraph]:
    note = parsed_note(known)
    return note, graph_of(note, known, resolving(session.deps.catalog))


async def _told(
    session: Session,
    given: AddNote,
    kept: AddedNote,
    *,
    parsed: Note,
    graph: NoteGraph,
    stats: AddedStats = _NOTHING,
    is_new: bool = False,
    warnings: tuple[SourceWarning, ...] = (),
) -> NoteAdded:
    extracted = None
    if given.extract_entities:
        extracted = await asyncio.to_thread(extracted_of, session.deps, graph)
    undo = f"undo_add_note with note {kept.path!r} takes it back while nobody has changed it."
    if kept.place == "staging":
        undo += " The person sees it with `brain staged` and accepts or discards it."
    return NoteAdded(
        note_id=kept.path,
        place=kept.place,
        is_new=is_new,
        parsed=ParsedNote(
            title=parsed.title,
            tags=parsed.tags,
            wikilinks=tuple(dict.fromkeys(link.target for link in parsed.links if link.target)),
            frontmatter=dict(parsed.frontmatter),
        ),
        extracted=extracted,
        stats=stats,
        undo=undo,
        warnings=warnings,
    )
