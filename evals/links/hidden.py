"""A copy of a vault in which a fifth of the links is hidden: what suggestions are measured on.

Who hides a link may leave its words in the text, as they stood before somebody made it a link, or
take them out with it.
"""

import random
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tools.base.domain import Note
from tools.base.errors import InputError
from tools.vault.disk.files import read_bytes, scan
from tools.vault.notes import markdown
from tools.vault.notes.links import hyperlink, resolver
from tools.vault.notes.notes import parse_note
from tools.vault.storage.entries import names_of

type Resolve = Callable[[str], str | None]
type Links = frozenset[tuple[str, str]]
"""Paths of source and target."""

_SHARE = 5
_SEED = 7
_MAX_BYTES = 1_000_000
_UNDATED = datetime(2020, 1, 1, tzinfo=UTC)
_BEST_LAST = {"alias": 0, "title": 1, "stem": 1, "path": 2}
"""The kinds of names, by which note a link means that could mean several."""
_WIKILINK = re.compile(r"!?\[\[([^\[\]\n]+?)\]\]")
_HYPERLINK = re.compile(r"(?<!!)\[([^\[\]\n]*)\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)*)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenLinks:
    """The links that are gone from the copy, by the notes that had them."""

    vault: Path
    of: Mapping[str, Collection[str]]


def hide_links(vault: Path, copy: Path, *, keep_words: bool) -> HiddenLinks:
    """Write the notes of a vault to ``copy`` with every fifth pair of linked notes unlinked.

    The same pairs each time. Raises InputError for a vault that has no links.
    """
    notes = [*_notes(vault)]
    resolve = resolver(_names(notes))
    links = _links(notes, resolve)
    pairs = sorted(links)
    random.Random(_SEED).shuffle(pairs)  # noqa: S311
    chosen = frozenset(pairs[: len(pairs) // _SHARE])
    if not chosen:
        raise InputError("The vault has too few links between notes to hide some.")
    written: list[Note] = []
    for note in notes:
        targets = {target for source, target in chosen if source == note.path}
        text = _without(note, targets, resolve, keep_words=keep_words) if targets else note.text
        place = copy / note.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
        written.append(parse_note(note.path, text.encode(), mtime=_UNDATED))
    gone = chosen - _links(written, resolve)
    of: dict[str, set[str]] = {}
    for source, target in gone:
        of.setdefault(source, set()).add(target)
    return HiddenLinks(vault=copy, of=of)


def _notes(vault: Path) -> Iterator[Note]:
    for file in scan(vault, folders=(), max_bytes=_MAX_BYTES).files:
        try:
            raw = read_bytes(vault, file.path, max_bytes=_MAX_BYTES)
            yield parse_note(file.path, raw, mtime=_UNDATED)
        except InputError:
            continue


def _names(notes: Iterable[Note]) -> list[tuple[str, str]]:
    """Folded names and paths, the best note for a name last, as the catalog gives them."""
    named = [
        (_BEST_LAST[kind], -len(note.path), folded, note.path)
        for note in notes
        for folded, kind in names_of(note)
        if kind in _BEST_LAST
    ]
    return [(folded, path) for *_, folded, path in sorted(named)]


def _links(notes: Iterable[Note], resolve: Resolve) -> Links:
    found = ((note.path, resolve(link.target)) for note in notes for link in note.links)
    return frozenset((source, target) for source, target in found if target not in (None, source))


def _without(note: Note, targets: Collection[str], resolve: Resolve, *, keep_words: bool) -> str:
    """A note's text in which the links to some notes are none."""

    def wikilink(match: re.Match[str]) -> str:
        written, _, alias = match[1].replace("\\|", "|").partition("|")
        if resolve(written.partition("#")[0].strip()) not in targets:
            return match[0]
        return (alias or written.partition("#")[0]).strip() if keep_words else ""

    def link(match: re.Match[str]) -> str:
        mark = markdown.Hyperlink(0, match[2], match[1])
        to = [resolve(one.target) for one in hyperlink(mark, 1, path=note.path, relation=None)]
        if not to or to[0] not in targets:
            return match[0]
        return match[1] if keep_words else ""

    return _HYPERLINK.sub(link, _WIKILINK.sub(wikilink, note.text))
