"""Where in a note a link goes, and what is put in there. Pure.

A place is tried and the note read again: only what reads as the link that was asked for, with all
else as it was, is given back.
"""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from tools.base.domain import Heading, Note
from tools.base.errors import InputError
from tools.text.normalize import fold_name
from tools.vault.editing.encoded_text import EncodedText, Line, read_encoded
from tools.vault.editing.insertions import Insertion, inserted
from tools.vault.editing.properties import property_value
from tools.vault.editing.reread import check_read, read_as
from tools.vault.notes.links import NO_WIKILINK
from tools.vault.notes.markdown import table_lines

DEFAULT_SECTION = "Related"
_MARKUP = re.compile(r"[\\`*_\[\]<>#|~$%=:!&]")
"""What may mean something in the words that a link shows."""
_BULLET = re.compile(r"[-*+][ \t]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    """A link to be put into a note.

    ``name`` stands in its brackets and leads to the target; where brackets cannot have it, it is
    the target's path in the vault. ``relation`` is the word of a typed link; ``context`` a sentence
    that says why there is one.
    """

    name: str
    relation: str | None = None
    context: str = ""

    @property
    def is_wikilink(self) -> bool:
        """Whether brackets can have the name."""
        return NO_WIKILINK.isdisjoint(self.name)

    def written(self, path: str) -> str:
        """The link as the note at ``path`` has it in its text."""
        typed = f"{self.relation}:: " if self.relation else ""
        why = f" — {self.context}" if self.context else ""
        stem = posixpath.basename(self.name).removesuffix(".md")
        label = _MARKUP.sub(r"\\\g<0>", stem)
        shown = f"[[{self.name}]]" if self.is_wikilink else f"[{label}]{self.address(path)}"
        return f"{typed}{shown}{why}"

    def address(self, path: str) -> str:
        """Where the name leads from the note at ``path``, in the parentheses of markdown."""
        way = posixpath.relpath(self.name, posixpath.dirname(path) or ".")
        return f"({quote(way if way.startswith('../') else f'./{way}')})"


@dataclass(frozen=True, slots=True, kw_only=True)
class InSection:
    """An item at the end of the section with this heading, which is made where it is missing."""

    heading: str = DEFAULT_SECTION


@dataclass(frozen=True, slots=True, kw_only=True)
class AsField:
    """A line of its own, below the last inline field or at the end of the note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InFrontmatter:
    """A value of the property that is called like the relation; it has no room for a context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AroundMention:
    """Brackets around the ``words`` that are ``start`` to ``end`` of a line, counted from 1."""

    line: int
    start: int
    end: int
    words: str


type Place = InSection | AsField | InFrontmatter | AroundMention


def insertions(path: str, raw: bytes, link: NewLink, place: Place) -> tuple[Insertion, ...]:
    """What to put into the note for it to have this link there.

    Raises InputError where it would not be read as one, or the note otherwise than before.
    """
    file, note = read_encoded(raw), read_as(path, raw)
    texts = _texts(file, note, link, place)
    made = tuple(Insertion(file.offset(at), file.encoded(text)) for at, text in texts)
    check_read(note, read_as(path, inserted(raw, made)), link.name, link.relation)
    return made


def _texts(file: EncodedText, note: Note, link: NewLink, place: Place) -> Sequence[tuple[int, str]]:
    """The texts to put in, each before a character of the file's text."""
    lines = [*file.lines()]
    match place:
        case InSection():
            return [_in_section(file, lines, note, link, place.heading)]
        case AsField():
            return [_as_field(file, lines, note, link)]
        case InFrontmatter():
            if not link.is_wikilink:
                raise InputError(
                    f"In the frontmatter no link can lead to {link.name}: choose another place, or "
                    "rename it without [ ] | # ^."
                )
            return property_value(file, lines, note, link.relation or "", link.name)
        case AroundMention():
            return _around(file, lines, note, link, place)


def _in_section(
    file: EncodedText, lines: Sequence[Line], note: Note, link: NewLink, name: str
) -> tuple[int, str]:
    wanted, end = fold_name(name), file.line_end
    found = next((one for one in note.headings if fold_name(one.text) == wanted), None)
    if found is None:
        if name.splitlines() != [name] or not name.strip():
            raise InputError("A section's heading is one line with words in it: name another.")
        return _at_end(file, lines, f"## {name}{end * 2}- {link.written(note.path)}")
    section = lines[found.line - 1 : _section_end(note.headings, found, len(lines))]
    last = _last_full(file, section)
    bullet = _list_above(file, section[1 : last + 1])
    begin = f"{end}{bullet}" if bullet else f"{end * 2}- "
    return section[last].end, f"{begin}{link.written(note.path)}"


def _section_end(headings: Sequence[Heading], of: Heading, last: int) -> int:
    """The last line of the section below a heading."""
    after = (one.line for one in headings if one.line > of.line and one.level <= of.level)
    return next(after, last + 1) - 1


def _list_above(file: EncodedText, lines: Sequence[Line]) -> str:
    """The bullet of the list that these lines end with, or nothing."""
    for line in reversed(lines):
        text = file.text[line.start : line.end]
        if bullet := _BULLET.match(text):
            return bullet[0]
        if not text.strip():
            return ""
    return ""


def _as_field(
    file: EncodedText, lines: Sequence[Line], note: Note, link: NewLink
) -> tuple[int, str]:
    for field in reversed(note.fields):
        line = lines[field.line - 1]
        if file.text.startswith(field.key, line.start):
            return line.end, f"{file.line_end}{link.written(note.path)}"
    return _at_end(file, lines, link.written(note.path))


def _at_end(file: EncodedText, lines: Sequence[Line], text: str) -> tuple[int, str]:
    """A paragraph after all that the note has; what it ends with stays its end."""
    last = _last_full(file, lines)
    if last < 0:
        return 0, text
    return lines[last].end, f"{file.line_end * 2}{text}"


def _last_full(file: EncodedText, lines: Sequence[Line]) -> int:
    """The place of the last line with anything in it; -1 where there is none."""
    full = (at for at in reversed(range(len(lines))) if file.of(lines[at]).strip())
    return next(full, -1)


def _around(
    file: EncodedText, lines: Sequence[Line], note: Note, link: NewLink, place: AroundMention
) -> Sequence[tuple[int, str]]:
    line = lines[place.line - 1] if 0 < place.line <= len(lines) else Line(0, 0)
    start, end = line.start + place.start, line.start + place.end
    if not line.start <= start < end <= line.end or file.text[start:end] != place.words:
        raise InputError("The note no longer has the words that were to become a link.")
    before, after = (f"({link.relation}:: ", ")") if link.relation else ("", "")
    if not link.is_wikilink:
        return [(start, f"{before}["), (end, f"]{link.address(note.path)}{after}")]
    # In a table a bar alone would end the cell.
    bar = "\\|" if place.line in table_lines(note.text) else "|"
    shown = "" if place.words == link.name else f"{link.name}{bar}"
    return [(start, f"{before}[[{shown}"), (end, f"]]{after}")]
