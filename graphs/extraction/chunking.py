"""A note cut into the parts that a model reads one by one."""

from collections.abc import Iterable, Sequence

from tools.graph.episodes import EpisodeText
from tools.vault.catalog.records import NoteRecord, Passage

PART_CHARS = 4_000
"""A part fits a small model's context beside Graphiti's own words."""
_LEAST_CHARS = 12
"""What is shorter holds no fact between two things."""


def read_parts(record: NoteRecord, passages: Iterable[Passage]) -> tuple[EpisodeText, ...]:
    """A note in parts of whole passages; equal notes are cut alike. Pure."""
    parts: list[list[Passage]] = []
    length = PART_CHARS
    for passage in passages:
        if length + len(passage.text) > PART_CHARS:
            parts.append([])
            length = 0
        parts[-1].append(passage)
        length += len(passage.text)
    # A date that the note states is the one it speaks from; else it speaks as it last was.
    dated = record.date_origin in {"frontmatter", "filename"}
    worth = [part for part in parts if sum(len(one.text.strip()) for one in part) >= _LEAST_CHARS]
    return tuple(
        EpisodeText(
            note_path=record.path,
            title=record.title,
            text=_text(record.title, part),
            content_hash=record.content_hash,
            valid_at=record.created if dated else record.modified,
            part=number,
            line=part[0].line_start,
        )
        for number, part in enumerate(worth)
    )


def _text(title: str, part: Sequence[Passage]) -> str:
    """The passages below the headings they stand under, each heading once."""
    lines = [title]
    above: tuple[str, ...] = ()
    for passage in part:
        if passage.heading_path != above:
            above = passage.heading_path
            lines += ["", " › ".join(above)] if above else [""]
        lines.append(passage.text)
    return "\n".join(lines)
