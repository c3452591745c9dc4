"""A file's bytes become a Note: pure, and whatever the bytes are."""

import codecs
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from markdown_it.token import Token

from tools.base.domain import Block, Callout, Heading, InlineField, Json, Link, Note, Task
from tools.base.errors import InputError
from tools.vault.git.log import GitDates
from tools.vault.notes import dating, markdown
from tools.vault.notes.frontmatter import read_frontmatter
from tools.vault.notes.links import hyperlink, wikilink

LONGEST_NAME = 300
"""Characters of a title or heading; a longer one is text."""

_BLOCK_ID = re.compile(r"(?:^|[ \t\n])\^([A-Za-z0-9-]+)[ \t]*\Z")
_CALLOUT = re.compile(r"\[!([^\]|]++)[^\]]*+\][+-]?[ \t]*(.*)")
_TASK = re.compile(r"\[(.)\][ \t]+(.*)")


@dataclass(slots=True)
class _Body:
    """What the blocks of one note hold, gathered while they are walked."""

    headings: list[Heading] = field(default_factory=list[Heading])
    links: list[Link] = field(default_factory=list[Link])
    tags: list[str] = field(default_factory=list[str])
    fields: list[InlineField] = field(default_factory=list[InlineField])
    tasks: list[Task] = field(default_factory=list[Task])
    callouts: list[Callout] = field(default_factory=list[Callout])
    blocks: list[Block] = field(default_factory=list[Block])
    warning: str | None = None


def parse_note(path: str, raw: bytes, *, mtime: datetime, git: GitDates | None = None) -> Note:
    """Everything the other layers need to know of one file.

    What cannot be read becomes a warning and the rest still counts. Raises InputError only for
    bytes that are no text.
    """
    text, guessed = decode(raw)
    document = markdown.parse(text)
    lines = text.split("\n")
    properties, links, unread, body_line = read_frontmatter(document, lines)
    body = _read_body(document, lines, path)
    dates = dating.note_dates(properties, path, mtime=mtime, git=git)
    # A property of the frontmatter stands before a field of the same name, the first before others.
    said: dict[str, Json] = {_key(entry.key): entry.value for entry in reversed(body.fields)}
    said |= {_key(key): value for key, value in properties.items()}
    h1 = next((heading.text for heading in body.headings if heading.level == 1), None)
    return Note(
        path=path,
        title=_clipped(_word(properties.get("title")) or h1 or _stem(path)),
        text=text,
        content_hash=hashlib.sha256(raw).hexdigest(),
        body_line=body_line,
        created=dates.created,
        modified=dates.modified,
        date_origin=dates.origin,
        modified_origin=dates.modified_origin,
        stated_created=dates.stated_created,
        stated_modified=dates.stated_modified,
        aliases=_unique(_named(properties, "alias", "aliases", read=_words)),
        tags=_unique([*_named(properties, "tag", "tags", read=_tags), *body.tags]),
        headings=tuple(body.headings),
        links=(*links, *body.links),
        fields=tuple(body.fields),
        tasks=tuple(body.tasks),
        callouts=tuple(body.callouts),
        blocks=tuple(body.blocks),
        frontmatter=properties,
        note_type=_word(said.get("type")),
        building_block=_word(said.get("building block")),
        warnings=tuple(filter(None, (guessed, unread, body.warning, dates.warning))),
    )


def decode(raw: bytes) -> tuple[str, str | None]:
    r"""A file's text with ``\n`` as its only line end, and a warning where letters are guessed.

    Raises InputError for bytes that are no text.
    """
    utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    warning: str | None = None
    try:
        text = raw.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        text, warning = _guess(raw, utf16=utf16)
    if "\0" in text:
        raise InputError("This is not a text file; it is left out.")
    return text.replace("\r\n", "\n").replace("\r", "\n"), warning


def _guess(raw: bytes, *, utf16: bool) -> tuple[str, str]:
    """Damaged Unicode if most of its letters make sense, else the old Western encoding."""
    text = raw.decode("utf-16" if utf16 else "utf-8-sig", "replace")
    damaged = text.count("\ufffd")
    if utf16 or damaged < sum(letter > "\x7f" for letter in text) - damaged:
        return text, "Some bytes of this file are damaged; \ufffd stands for them."
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return text, "This file is not UTF-8; read as Windows-1252, some letters may be wrong."


# --- properties -----------------------------------------------------------------------------


def _key(name: str) -> str:
    return name.casefold().replace("_", " ").replace("-", " ")


def _named[T](
    properties: Mapping[str, Json], *names: str, read: Callable[[Json], list[T]]
) -> list[T]:
    return [item for key, value in properties.items() if _key(key) in names for item in read(value)]


def _word(value: Json) -> str | None:
    return next(iter(_words(value)), None)


def _words(value: Json) -> list[str]:
    """A property's value as texts on one line: one, several or none."""
    if isinstance(value, list):
        return [word for part in value for word in _words(part)]
    if value is None or isinstance(value, bool | dict):
        return []
    word = " ".join(str(value).split()).removeprefix("[[").removesuffix("]]")
    return [word] if word else []


def _tags(value: Json) -> list[str]:
    words = re.split(r"[,\s]+", value) if isinstance(value, str) else _words(value)
    return [tag for word in words if (tag := word.strip().lstrip("#").strip("/"))]


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    """In order of appearance; letters' case tells no two apart."""
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(word.casefold(), word)
    return tuple(first.values())


def _clipped(name: str) -> str:
    return name[:LONGEST_NAME].rstrip()


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name


# --- body ----------------------------------------------------------------------------------

type _Span = tuple[int, int]
"""Lines as markdown-it counts them: 0-based, half-open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """One run of inline text and where it stands.

    ``block`` is what a block id at its end names, ``previous`` what one standing alone names.
    """

    content: str
    line: int
    place: Literal["heading", "item", "quote", "cell", "paragraph"]
    level: int
    block: _Span
    previous: _Span | None


def _read_body(document: markdown.Document, lines: Sequence[str], path: str) -> _Body:
    body = _Body()
    for text in _texts(document.tokens):
        first = text.content.partition("\n")[0]
        if text.level and (words := _clipped(markdown.plain(text.content.replace("\n", " ")))):
            body.headings.append(Heading(text=words, level=text.level, line=text.line))
        if text.place == "item" and (match := _TASK.match(first)):
            words = markdown.plain(match[2])
            done = {" ": False, "x": True, "X": True}.get(match[1])
            body.tasks.append(Task(text=words, done=done, line=text.line))
        if text.place == "quote" and (match := _CALLOUT.match(first)):
            kind, title = match[1].strip().lower(), markdown.plain(match[2])
            body.callouts.append(Callout(kind=kind, title=title, line=text.line))
        if "^" in text.content and (match := _BLOCK_ID.search(text.content)):
            body.blocks.append(_block(match, text, lines))
        if len(text.content) > markdown.LONGEST_TEXT:
            body.warning = f"The paragraph at line {text.line} is too long; its links are not read."
        _read_marks(body, text, document, path)
    return body


def _texts(tokens: Sequence[Token]) -> Iterator[_Text]:
    containers: list[tuple[str, _Span]] = []
    latest: dict[int, _Span] = {}  # by level, the latest block that began there
    previous: _Span | None = None
    for index, token in enumerate(tokens):
        if token.type in ("list_item_close", "blockquote_close", "table_close"):
            containers.pop()
        if token.map is None:
            continue
        span = (token.map[0], token.map[1])
        if token.type == "inline":
            yield _text(tokens, index, containers=containers, previous=previous)
            continue
        previous = latest.get(token.level)
        latest = {level: begun for level, begun in latest.items() if level < token.level}
        latest[token.level] = span
        if token.type in ("list_item_open", "blockquote_open", "table_open"):
            containers.append((token.type, span))


def _text(
    tokens: Sequence[Token],
    index: int,
    *,
    containers: Sequence[tuple[str, _Span]],
    previous: _Span | None,
) -> _Text:
    token, parent, above = tokens[index], tokens[index - 1], tokens[index - 2].type
    begin, end = token.map or (0, 0)
    place: Literal["heading", "item", "quote", "cell", "paragraph"] = "paragraph"
    block, level = (begin, end), 0
    container, around = containers[-1] if containers else ("", block)
    if parent.type == "heading_open":
        place, level = "heading", 0 if containers else int(parent.tag[1:])
    elif parent.type in ("td_open", "th_open"):
        place, block, previous = "cell", around, (around[0], begin)
    elif container == "list_item_open":
        place, block = ("item" if above == "list_item_open" else "paragraph"), around
    elif above == "blockquote_open":
        place = "quote"
    return _Text(
        content=token.content,
        line=begin + 1,
        place=place,
        level=level,
        block=block,
        previous=previous,
    )


def _block(match: re.Match[str], text: _Text, lines: Sequence[str]) -> Block:
    alone = not text.content[: match.start()].strip()
    begin, end = (text.previous if alone else None) or text.block
    while end - 1 > begin and not lines[end - 1].strip():
        end -= 1
    return Block(block_id=match[1], line_start=begin + 1, line_end=end)


def _read_marks(body: _Body, text: _Text, document: markdown.Document, path: str) -> None:
    found = markdown.marks(text.content, document)
    line, counted = text.line, 0
    around: list[markdown.Field] = []  # that began before the mark, the innermost last
    for mark in found:
        line += text.content.count("\n", counted, mark.at)
        counted = mark.at
        while around and around[-1].end <= mark.at:
            around.pop()
        relation = around[-1].key if around else None
        match mark:
            case markdown.Tag():
                body.tags.append(mark.name)
            case markdown.Wikilink():
                body.links += wikilink(mark.inner, line, embed=mark.embed, relation=relation)
            case markdown.Hyperlink():
                body.links += hyperlink(mark, line, path=path, relation=relation)
            case markdown.Field():
                if text.place != "heading":
                    around.append(mark)
                    body.fields.append(InlineField(key=mark.key, value=mark.value, line=line))
