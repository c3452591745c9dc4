"""Notes as MCP resources: ``note:///path/in/the/vault.md``, listed in pages and completed."""

import asyncio
from collections.abc import Collection
from urllib.parse import quote, unquote

from mcp_types import (
    Completion,
    ListResourcesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from graphs.toolkit.paging import page
from graphs.toolkit.tool import Session
from tools.base.errors import InputError
from tools.text.normalize import fold
from tools.vault.disk.files import read_bytes
from tools.vault.notes.notes import decode

SCHEME = "note:///"
TEMPLATE = ResourceTemplate(
    name="note",
    title="A note of the vault",
    uri_template=f"{SCHEME}{{+path}}",
    description="The markdown of a note, by its path in the vault.",
    mime_type="text/markdown",
)
_ON_A_PAGE = 100
_COMPLETED = 50


def uri_of(path: str) -> str:
    """The address of a note."""
    return SCHEME + quote(path)


async def list_notes(session: Session, cursor: str | None) -> ListResourcesResult:
    """A page of all notes, by path. Raises InputError for a cursor of another list."""
    paths = sorted(await asyncio.to_thread(session.deps.catalog.paths))
    shown, following = page(paths, "resources", cursor=cursor, limit=_ON_A_PAGE)
    records = await asyncio.to_thread(session.deps.catalog.records, shown)
    return ListResourcesResult(
        resources=[
            Resource(
                name=path,
                title=records[path].title,
                uri=uri_of(path),
                mime_type="text/markdown",
            )
            for path in shown
            if path in records
        ],
        next_cursor=following,
    )


async def read_note(session: Session, uri: str) -> ReadResourceResult:
    """The text of a note as it is on disk. Raises InputError for anything else."""
    if not uri.startswith(SCHEME):
        raise InputError(f"There is no resource {uri[:80]!r}: notes are {TEMPLATE.uri_template}.")
    path, settings = unquote(uri.removeprefix(SCHEME)), session.deps.settings
    try:
        raw = await asyncio.to_thread(
            read_bytes, settings.vault, path, max_bytes=settings.max_note_bytes
        )
    except FileNotFoundError:
        raise InputError(f"There is no note {path!r}: look for it with search_notes.") from None
    text, _ = decode(raw)
    return ReadResourceResult(
        contents=[TextResourceContents(uri=uri, mime_type="text/markdown", text=text)]
    )


def require_argument(template: str, argument: str) -> None:
    """Raise InputError for anything but the path of our template, which alone is completed."""
    if template != TEMPLATE.uri_template or argument != "path":
        raise InputError(
            f"Nothing is completed for {argument[:40]!r} of {template[:80]!r}: only the path of "
            f"{TEMPLATE.uri_template}."
        )


async def complete_path(session: Session, begun: str) -> Completion:
    """Paths of notes that have what was typed, those whose name begins so first."""
    paths = await asyncio.to_thread(session.deps.catalog.paths)
    return _completed(paths, begun)


async def complete_title(session: Session, begun: str) -> Completion:
    """Titles of notes that have what was typed, those that begin so first."""
    notes = await asyncio.to_thread(session.deps.catalog.inventory.notes)
    return _completed({note.title for note in notes}, begun)


def _completed(names: Collection[str], begun: str) -> Completion:
    wanted = fold(begun)
    found = [name for name in names if wanted in fold(name)]
    found.sort(key=lambda name: (not fold(name.rsplit("/", 1)[-1]).startswith(wanted), name))
    return Completion(values=found[:_COMPLETED], total=len(found), has_more=len(found) > _COMPLETED)
