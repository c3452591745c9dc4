"""What the catalog gives of notes: their records, their passages, and how much there is of all."""

from dataclasses import dataclass
from datetime import datetime

from tools.base.domain import DateOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRecord:
    """A note as it was indexed."""

    path: str
    title: str
    content_hash: str
    created: datetime
    modified: datetime
    date_origin: DateOrigin
    building_block: str | None
    note_type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """An indexed passage with its note's title; ``chunk_id`` is the row the text index names."""

    chunk_id: int
    note_path: str
    note_title: str
    vector_id: str
    text: str
    line_start: int
    line_end: int
    heading_path: tuple[str, ...]
    block_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogCounts:
    notes: int
    passages: int
    vectors_pending: int
    problems: int
    undated: int
    """Notes whose only date is their file's."""
