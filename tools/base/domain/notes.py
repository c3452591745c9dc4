"""A note as it was parsed, and the passages that are indexed of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

type Json = bool | int | float | str | list[Json] | dict[str, Json] | None
DateOrigin = Literal["frontmatter", "filename", "git", "mtime"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFile:
    """A note as the directory listing shows it, before it is read."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    text: str
    level: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A wikilink, embed or markdown link to another note.

    ``relation`` is the word the note gives a typed link (``supports:: [[X]]``), as written.
    """

    target: str
    line: int
    alias: str | None = None
    heading: str | None = None
    block_id: str | None = None
    embed: bool = False
    relation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineField:
    """A Dataview-style ``key:: value``."""

    key: str
    value: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A checkbox: ``done`` with ``[x]``, open with ``[ ]``; None with a mark of another meaning."""

    text: str
    done: bool | None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Callout:
    kind: str
    title: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block id (``^id``) and the lines of the block it names."""

    block_id: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One parsed note. ``text`` is the whole decoded file, frontmatter included.

    ``stated_created`` and ``stated_modified`` are the dates that the note or its file name gives;
    None where ``created`` and ``modified`` had to come from elsewhere.
    """

    path: str
    title: str
    text: str
    content_hash: str
    body_line: int
    created: datetime
    modified: datetime
    date_origin: DateOrigin
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    fields: tuple[InlineField, ...] = ()
    tasks: tuple[Task, ...] = ()
    callouts: tuple[Callout, ...] = ()
    blocks: tuple[Block, ...] = ()
    frontmatter: Mapping[str, Json] = field(default_factory=dict[str, Json])
    note_type: str | None = None
    building_block: str | None = None
    stated_created: datetime | None = None
    stated_modified: datetime | None = None
    modified_origin: DateOrigin = "mtime"
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of one note.

    ``text`` stands verbatim at its lines; ``embedding_text`` is what the encoder reads (title and
    heading path before the passage); ``vector_id`` is derived from ``embedding_text`` alone, so
    equal passages share one vector.
    """

    note_path: str
    ordinal: int
    text: str
    embedding_text: str
    vector_id: str
    line_start: int
    line_end: int
    heading_path: tuple[str, ...] = ()
    block_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something about one note that the user should know; the note's other parts still count."""

    note_path: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteMetadata:
    created_date: datetime | None
    modified_date: datetime | None
    building_block: str | None
    date_origin: DateOrigin | None = None

    @property
    def written(self) -> datetime | None:
        """When the note was written; that its file was saved says nothing of it."""
        return None if self.date_origin == "mtime" else self.created_date
