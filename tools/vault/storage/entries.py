"""What the catalog keeps of a note, made ready to be written. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.base.domain import Chunk, Note, NoteFile
from tools.graph.statements import typed_statements
from tools.text.markdown.properties import properties
from tools.text.normalize import fold, fold_name
from tools.text.tokens import WORD
from tools.vault.storage.packing import Packing

_JOINED = re.compile(r"(?<=[^\W_])[-_]+(?=[^\W_])")
_END_OF_HEADINGS = "\0"
"""Stands in no text: a file that has one is none."""


@dataclass(frozen=True, slots=True)
class EntryPassage:
    """One passage: its row, and the words by which it is found."""

    ordinal: int
    vector_id: str
    line_start: int
    line_end: int
    block_id: str | None
    said: bytes
    headings: str
    body: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One note: the values of its row in the order of the table, and what hangs on it.

    ``links`` are targets as written with their lines, ``typed_links`` relations as the graph calls
    them with names as written, ``tasks`` lines, whether done, and words.
    """

    path: str
    title: str
    title_words: str
    stated: str
    content_hash: str
    size: int
    mtime_ns: int
    created: str
    modified: str
    date_origin: str
    modified_origin: str
    building_block: str | None
    note_type: str | None
    words: int
    names: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    links: tuple[tuple[str, int], ...]
    typed_links: tuple[tuple[str, str], ...]
    tasks: tuple[tuple[int, bool, str], ...]
    passages: tuple[EntryPassage, ...]


def entry(note: Note, chunks: Sequence[Chunk], file: NoteFile, packing: Packing) -> Entry:
    """Fold, pack and name everything, so that writing is all that is left."""
    stated = _stated(note, chunks)
    return Entry(
        path=note.path,
        title=note.title,
        title_words=fold(" ".join((note.title, *note.aliases))),
        stated=stated,
        content_hash=note.content_hash,
        size=file.size,
        mtime_ns=file.mtime_ns,
        created=note.created.isoformat(),
        modified=note.modified.isoformat(),
        date_origin=note.date_origin,
        modified_origin=note.modified_origin,
        building_block=note.building_block,
        note_type=note.note_type,
        words=len(WORD.findall("\n".join(note.text.split("\n")[note.body_line - 1 :]))),
        names=names_of(note),
        tags=note.tags,
        links=tuple((link.target, link.line) for link in note.links if link.target),
        typed_links=tuple((one.relation, one.target) for one in typed_statements(note)),
        tasks=tuple((one.line, one.done, one.text) for one in note.tasks if one.done is not None),
        passages=tuple(_passage(chunk, stated, packing) for chunk in chunks),
    )


def words_of(said: str, *, ordinal: int, stated: str) -> tuple[str, str]:
    """What a passage is found by: its headings and its text, the first by the properties too."""
    headings, text = headings_and_text(said)
    folded = fold(text)
    return fold(headings), folded if ordinal or not stated else f"{folded}\n{stated}"


def headings_and_text(said: str) -> tuple[str, str]:
    """The headings above a passage, one a line, and its text, out of what is kept of both."""
    headings, _, text = said.partition(_END_OF_HEADINGS)
    return headings, text


def _passage(chunk: Chunk, stated: str, packing: Packing) -> EntryPassage:
    said = _END_OF_HEADINGS.join(("\n".join(chunk.heading_path), chunk.text))
    headings, body = words_of(said, ordinal=chunk.ordinal, stated=stated)
    return EntryPassage(
        ordinal=chunk.ordinal,
        vector_id=chunk.vector_id,
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        block_id=chunk.block_id,
        said=packing.pack(said),
        headings=headings,
        body=body,
    )


def _stated(note: Note, chunks: Sequence[Chunk]) -> str:
    """The properties of a note that no passage has, folded; what serves its keeper says nothing."""
    if chunks and chunks[0].line_start < note.body_line:
        return ""
    own = note.text.split("\n")[: note.body_line - 1]
    return fold("\n".join(one.text for one in properties(own) if not one.technical))


def names_of(note: Note) -> tuple[tuple[str, str], ...]:
    """What a note is called, as ``fold_name`` writes it, and of which kind each name is."""
    stem = note.path.rsplit("/", 1)[-1]
    named = [(note.path, "path"), (note.title, "title"), (stem, "stem")]
    named += [(alias, "alias") for alias in note.aliases]
    # As it is said: "the-fools-who-dream.md" is asked for as "the fools who dream".
    if not any(map(str.isspace, stem)):
        named.append((" ".join(_JOINED.split(stem)), "slug"))
    unique: dict[str, str] = {}
    for name, kind in named:
        folded = fold_name(name)
        if folded:
            unique.setdefault(folded, kind)
    return tuple(unique.items())
