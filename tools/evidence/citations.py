"""How a line of evidence is named: a wikilink with heading and line, and a link Obsidian opens."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from posixpath import basename, splitext
from urllib.parse import quote

from tools.base.domain import Excerpt, GraphRelation, Result
from tools.base.guards import terminal_text
from tools.text.voice import stamp, translate

_MARKS = re.compile(r"[\[\]|#^\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where quoted words stand; ``version`` is since when, if not in the note of today."""

    note_path: str
    note_title: str
    line: int
    heading: str | None = None
    block_id: str | None = None
    version: datetime | None = None

    @property
    def heading_unknown(self) -> bool:
        """Whether the note of today may have a heading over the line."""
        return self.heading is None and self.version is None


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSentence:
    """One sentence of an answer and what it rests on; those of one paragraph share its number."""

    text: str
    citations: tuple[Citation, ...]
    paragraph: int = 0


def cite(result: Result, excerpt: Excerpt) -> Citation:
    """Name the place of a result's excerpt."""
    return Citation(
        note_path=result.note_path,
        note_title=result.note_title,
        line=excerpt.line_start,
        heading=excerpt.heading,
        block_id=excerpt.block_id,
        version=excerpt.version,
    )


def cite_relation(step: GraphRelation) -> Citation:
    """Name the place where a note states an edge; it is not known under which heading."""
    return Citation(
        note_path=step.note_path,
        note_title=step.source_title,
        line=step.line,
        version=step.valid_at if step.expired_at else None,
    )


def wikilink(citation: Citation, names: Mapping[str, str]) -> str:
    """``[[Note#Heading]] line 12``, with the day of the version if it is one; see ``note_link``."""
    where = note_link(citation.note_path, names, citation.heading)
    where += f" {translate('line {line}', line=citation.line)}"
    if citation.version:
        where += f" {translate('in the version of {day}', day=stamp(citation.version))}"
    return where


def note_link(path: str, names: Mapping[str, str], heading: str | None = None) -> str:
    """``[[Note]]`` or ``[[Note#Heading]]``.

    ``names`` has the name of each path that its file name alone would not tell from another's.
    """
    anchor = f"#{_plain(heading)}" if heading else ""
    return f"[[{_plain(names.get(path) or splitext(basename(path))[0])}{anchor}]]"


def obsidian_url(vault: str, path: str, heading: str | None = None) -> str:
    """URL that opens the note in Obsidian (Obsidian URI, action ``open``)."""
    file = path.removesuffix(".md") + (f"#{heading}" if heading else "")
    return f"obsidian://open?vault={quote(vault, safe='')}&file={quote(file, safe='')}"


def _plain(text: str) -> str:
    """Drop what would end a wikilink or split a table cell."""
    return _MARKS.sub("", terminal_text(text)).strip()
