"""The staging graph: what notes say that nobody has looked at yet, beside the vault's own graph.

The list of added notes is what counts; the graph is made of it, and made good from it.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, closing
from itertools import batched

from graphs.core.graph_backends import staging_graph, vault_graphs
from graphs.ingest.added_list import reading
from tools.base.domain import Note, SourceWarning
from tools.base.errors import BrainError, NoDatabaseError, SourceError
from tools.graph.access.secrets import Login
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.inference import Resolve
from tools.graph.model import NoteGraph
from tools.graph.projection import project
from tools.graph.statements import version_content
from tools.graph.store import GraphStore
from tools.graph.versions import Version, date
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog
from tools.vault.notes.links import resolver
from tools.vault.notes.notes import parse_note
from tools.vault.storage.added_notes import AddedNote

_AT_A_TIME = 50
"""Notes whose texts are in memory at once."""


@asynccontextmanager
async def open_staging(settings: Settings, login: Login | None) -> AsyncGenerator[GraphStore]:
    """The staging graph with somebody's login, or the owner's, until the block ends.

    The block raises SourceError where the server cannot have one.
    """
    store = GraphitiStore(staging_graph(settings, login))
    try:
        yield store
    except NoDatabaseError as error:
        raise SourceError(
            f"Neo4j has no database {vault_graphs(settings).staging!r} to stage notes in: on "
            "Enterprise `brain access provision` makes it, Community can have none. A librarian "
            "adds to the vault all the same."
        ) from error
    finally:
        await store.close()


def parsed_note(note: AddedNote) -> Note:
    """A staged note as it would be read in the vault, saved when it was added."""
    return parse_note(note.path, (note.text or "").encode(), mtime=note.added_at)


def graph_of(note: Note, known: AddedNote, resolve: Resolve) -> NoteGraph:
    """The part of a graph that one text of a note makes, known since it was added.

    Its version is known by the digest of the note's bytes.
    """
    version = Version(
        key=0,
        path=note.path,
        at=known.added_at,
        origin="seen",
        content_hash=known.digest,
        said=version_content(note),
    )
    return project(note.path, date([version]), resolve=resolve)


def resolving(catalog: Catalog) -> Resolve:
    """How links lead to the notes of the vault. Raises StorageError."""
    return resolver(catalog.link_targets())


async def agree(store: GraphStore, settings: Settings, resolve: Callable[[], Resolve]) -> None:
    """Have the staging graph hold the notes that are staged and no others.

    Raises SourceError, NotPermittedError among them, and StorageError.
    """
    # In this order, or a note that is staged meanwhile would be taken for one that is gone.
    stored = {one.path: one.content_hash for one in await store.versions([*await store.digests()])}
    staged = await asyncio.to_thread(staged_digests, settings)
    if missing := [path for path, digest in staged.items() if stored.get(path) != digest]:
        look_up = await asyncio.to_thread(resolve)
        for paths in batched(missing, _AT_A_TIME):
            notes = await asyncio.to_thread(_staged_under, settings, paths)
            await store.replace([graph_of(parsed_note(note), note, look_up) for note in notes])
    if gone := sorted(stored.keys() - staged.keys()):
        await store.remove(gone)


def staging_behind(error: BrainError) -> SourceWarning:
    """That the staging graph does not yet say what is staged."""
    impact = "The staging graph is made good when the next note is added."
    return SourceWarning(source="graph", error=str(error), impact=impact)


def staged_digests(settings: Settings) -> dict[str, str]:
    """The notes that wait to be looked at: their digests by path. Raises StorageError."""
    with reading(settings) as added:
        return {} if added is None else added.staged_digests()


def _staged_under(settings: Settings, paths: Iterable[str]) -> list[AddedNote]:
    """Of these paths the notes that still wait."""
    with reading(settings) as added:
        found = () if added is None else tuple(map(added.find, paths))
        return [note for note in found if note is not None and note.place == "staging"]


def staged_notes(settings: Settings) -> Sequence[AddedNote]:
    """The notes that wait to be looked at, by path; none where nothing was ever added."""
    with reading(settings) as added:
        return () if added is None else added.staged()


def resolving_in(settings: Settings) -> Resolve:
    """How links lead to the notes of the vault, for who has no catalog open."""
    with closing(Catalog(settings.index_path)) as catalog:
        return resolving(catalog)
