"""A note cut into passages that follow its headings, blocks and sentences. Pure."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from markdown_it.token import Token

from tools.base.domain import Chunk, Heading, Note
from tools.text.markdown.links import COMMENT
from tools.text.markdown.properties import properties
from tools.text.markdown.tables import BORDER
from tools.vault.notes import markdown

type CountTokens = Callable[[str], int]

TINY = 30
"""Tokens below which a passage says too little to stand alone."""
MOST_LINES = 400
"""Lines of a passage that are not blank, however few words they say: headings, hidden text."""
LONGEST_NAME = 160
"""Characters of a title or heading that still name a passage."""
_MOST_PROPERTIES = 20
"""Properties that may stand for a note without a body."""

_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’)\]*_]*(?=\s)|[。！？]")
_LINE_OF_SENTENCE_END = re.compile(r"[.!?…:。！？][\"'”’)\]*_]*\s*$")
_COMMENT = re.compile(COMMENT)
_SCRIPT = re.compile(r"\s*<(?:script|style)\b", re.IGNORECASE)
_INSIDE_SENTENCE, _AFTER_SENTENCE = 1001, 1000
"""How deep a border between two lines of one block lies: deeper than any block."""


@dataclass(frozen=True, slots=True)
class _Page:
    """One note's lines (0-based) with what cutting needs to know of each.

    ``borders[n]`` is the nesting depth of the block that begins at line n, so lower is a better
    place to cut; ``totals[n]`` counts the tokens of all lines before n, ``filled[n]`` those of the
    lines that are not blank; ``blocks`` has the first block id that covers a line.
    """

    lines: Sequence[str]
    words: Sequence[str]
    borders: Sequence[int]
    totals: Sequence[int]
    filled: Sequence[int]
    blocks: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class _Section:
    """Lines under one heading, the headings above them, and those that stand among them."""

    begin: int
    end: int
    path: tuple[str, ...]
    headings: tuple[Heading, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Whole lines, or characters ``columns`` of the line ``begin``."""

    begin: int
    end: int
    words: str
    tokens: int
    columns: tuple[int, int] | None = None


def estimate_tokens(text: str) -> int:
    """About how many WordPiece tokens an English encoder makes of a text; rather too many."""
    return sum(map(_word_tokens, _WORD.findall(text)))


@lru_cache(maxsize=1 << 16)  # a text has few different words
def _word_tokens(word: str) -> int:
    length = len(word)
    if word.isascii() and not word.isdigit():
        return 1 + (length - 1) // 6 if length <= 12 else length // 4
    # Digits and accented Latin letters make short pieces; other scripts one token a letter.
    return 1 + (length - 1) // 3 if max(word) < "\u0250" else length


def chunk_note(
    note: Note,
    *,
    count_tokens: CountTokens = estimate_tokens,
    target: int = 200,
    limit: int = 240,
) -> tuple[Chunk, ...]:
    """Passages of about ``target`` tokens whose ``embedding_text`` stays within ``limit``.

    Every line of the body that is not blank stands in one. Lists, tables and code stay whole
    where they fit. Only a title with headings of more than half the limit can exceed it.
    """
    lines = note.text.split("\n")
    words, borders = _read_lines(note, lines)
    sections = list(_sections(note, words, lines))
    for section in sections:
        _leave_out_headings(section, words)
    totals = list(accumulate((count_tokens(line) if line else 0 for line in words), initial=0))
    blocks = {
        line - 1: block.block_id
        for block in reversed(note.blocks)
        for line in range(block.line_start, block.line_end + 1)
    }
    filled = list(accumulate((bool(line.strip()) for line in lines), initial=0))
    page = _Page(lines, words, borders, totals, filled, blocks)
    chunks: list[Chunk] = []
    for section in sections:
        prefix = _prefix(note.title, section.path)
        room = max(limit - count_tokens(prefix), limit // 2)
        soft = min(target, room)
        pieces = _pieces(page, section.begin, section.end, room=room, soft=soft, count=count_tokens)
        for group in _packed(page, pieces, soft=soft, room=room):
            chunks.append(_chunk(note, page, section, group, prefix=prefix, ordinal=len(chunks)))
    return tuple(chunks) or _stated_chunk(note, lines, count_tokens=count_tokens, limit=limit)


def _read_lines(note: Note, lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """The plain words of each line and the depth of the border before it."""
    tokens = markdown.parse(note.text).tokens
    borders = [
        _AFTER_SENTENCE
        if index and _LINE_OF_SENTENCE_END.search(lines[index - 1][-20:])
        else _INSIDE_SENTENCE
        for index in range(len(lines) + 1)
    ]
    code: dict[int, str] = {}
    tables: set[int] = set()
    for token in tokens:
        if token.map is None or token.type == "inline":
            continue
        begin, end = token.map
        for border in (begin, end):
            borders[border] = min(borders[border], token.level)
        if token.type == "table_open":
            tables.update(range(begin, end))
        elif token.type == "code_block":
            code.update((line, lines[line]) for line in range(begin, end))
        elif token.type == "fence":
            code.update((line, lines[line]) for line in range(begin + 1, end - 1))
            code.update({begin: "", end - 1: ""})
        elif token.type in ("comment", "front_matter") or _is_script(token):
            code.update((line, "") for line in range(begin, end))
    shown = ["" if index in code else line for index, line in enumerate(lines)]
    if any("<!--" in line for line in shown):
        hidden = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), "\n".join(shown))
        shown = hidden.split("\n")
    words = [
        code[index]
        if index in code
        else markdown.plain(BORDER.sub(" ", line) if index in tables else line)
        for index, line in enumerate(shown)
    ]
    return words, borders


def _is_script(token: Token) -> bool:
    return token.type == "html_block" and _SCRIPT.match(token.content) is not None


def _sections(note: Note, words: Sequence[str], lines: Sequence[str]) -> Iterator[_Section]:
    """The body by headings; a heading with nothing under it opens the section after it."""
    heading_lines = [heading.line - 1 for heading in note.headings]
    starts = [note.body_line - 1, *heading_lines, len(lines)]
    path: list[tuple[int, str]] = []
    waiting: int | None = None
    inside: list[Heading] = []
    for number, (begin, end) in enumerate(pairwise(starts)):
        if number:
            heading = note.headings[number - 1]
            inside.append(heading)
            path = [above for above in path if above[0] < heading.level]
            path.append((heading.level, heading.text))
        begun = begin if waiting is None else waiting
        waiting = begun
        has_content = any(map(str.strip, words[begin + bool(number) : end]))
        if has_content or (end == len(lines) and any(map(str.strip, lines[begun:end]))):
            yield _Section(begun, end, tuple(text for _, text in path), tuple(inside))
            waiting, inside = None, []


def _leave_out_headings(section: _Section, words: list[str]) -> None:
    """A heading that names its passages from above is not among their words as well."""
    for heading in section.headings:
        if heading.text in section.path and len(heading.text) <= LONGEST_NAME:
            words[heading.line - 1] = ""


def _prefix(title: str, path: Sequence[str]) -> str:
    below = path[1:] if path and path[0] == title else path
    return " > ".join(name[:LONGEST_NAME] for name in (title, *below))


def _pieces(
    page: _Page, begin: int, end: int, *, room: int, soft: int, count: CountTokens
) -> Iterator[_Piece]:
    """Lines cut at their shallowest borders until every piece fits; one long line last."""
    tokens = page.totals[end] - page.totals[begin]
    if tokens <= room and page.filled[end] - page.filled[begin] <= MOST_LINES:
        words = "\n".join(filter(None, page.words[begin:end]))
        yield _Piece(begin, end, words, tokens)
    elif end - begin == 1:
        yield from _line_pieces(page, begin, size=soft, count=count)
    else:
        depth = min(page.borders[begin + 1 : end])
        inner = (line for line in range(begin + 1, end) if page.borders[line] == depth)
        for first, last in pairwise((begin, *inner, end)):
            yield from _pieces(page, first, last, room=room, soft=soft, count=count)


def _line_pieces(page: _Page, number: int, *, size: int, count: CountTokens) -> Iterator[_Piece]:
    """Parts of one line, cut after sentences, else between words, else anywhere."""
    line = page.lines[number]
    verbatim = page.words[number] == line
    start = 0
    while start < len(line):
        stop = min(start + size * 6, len(line))
        while True:
            if stop < len(line):
                stop = _cut(line, start, stop)
            part = line[start:stop]
            words = part if verbatim else markdown.plain(part)
            tokens = count(words)
            if tokens <= size or stop - start == 1:
                break
            stop = start + max(1, (stop - start) * 3 // 4)
        yield _Piece(number, number + 1, words, tokens, (start, stop))
        start = stop


def _cut(line: str, start: int, stop: int) -> int:
    """The last good place to end a part, but not so early that the part says little."""
    earliest = start + (stop - start) // 3
    ends = [match.end() for match in _SENTENCE_END.finditer(line, earliest, stop)]
    if ends:
        return ends[-1]
    space = max(line.rfind(" ", earliest, stop), line.rfind("\t", earliest, stop))
    return space + 1 if space > start else stop


def _packed(
    page: _Page, pieces: Iterable[_Piece], *, soft: int, room: int
) -> Iterator[list[_Piece]]:
    """Neighbours together up to ``soft`` tokens; what would be tiny may go up to ``room``."""
    groups: list[list[_Piece]] = []
    sizes: list[int] = []
    for piece in pieces:
        fits = groups and sizes[-1] + piece.tokens <= (soft if sizes[-1] >= TINY else room)
        if fits and page.filled[piece.end] - page.filled[groups[-1][0].begin] <= MOST_LINES:
            groups[-1].append(piece)
            sizes[-1] += piece.tokens
        else:
            groups.append([piece])
            sizes.append(piece.tokens)
    if len(groups) > 1 and sizes[-1] < TINY and sizes[-2] + sizes[-1] <= room:
        rest = groups.pop()
        groups[-1] += rest
    yield from groups


def _chunk(
    note: Note,
    page: _Page,
    section: _Section,
    group: Sequence[_Piece],
    *,
    prefix: str,
    ordinal: int,
) -> Chunk:
    begin, end = group[0].begin, group[-1].end
    left, right = group[0].columns, group[-1].columns
    while left is None and not page.lines[begin].strip():
        begin += 1
    while right is None and not page.lines[end - 1].strip():
        end -= 1
    text = "\n".join(page.lines[begin:end])
    if right is not None:
        text = text[: len(text) - len(page.lines[end - 1]) + right[1]].rstrip()
    if left is not None:
        text = text[left[0] :].lstrip()
    words = "\n".join(piece.words for piece in group if piece.words)
    block_ids = (page.blocks[line] for line in range(begin, end) if line in page.blocks)
    return _finished(
        note,
        text,
        f"{prefix}\n{words or ', '.join(note.aliases)}",
        lines=(begin + 1, end),
        path=section.path,
        ordinal=ordinal,
        block_id=next(block_ids, None),
    )


def _stated_chunk(
    note: Note, lines: Sequence[str], *, count_tokens: CountTokens, limit: int
) -> tuple[Chunk, ...]:
    """What stands for a note without a body: its properties, else the one that names it."""
    stated = [one for one in properties(lines) if not one.technical][:_MOST_PROPERTIES]
    for last in reversed(stated):  # as many as fit
        begin, end = stated[0].line, last.line + last.text.count("\n")
        text = "\n".join(lines[begin - 1 : end])
        said = f"{_prefix(note.title, ())}\n{', '.join(note.aliases)}\n{text}"
        if count_tokens(said) <= limit:
            return (_finished(note, text, said, lines=(begin, end), path=(), ordinal=0),)
    names = (note.title, *note.aliases)
    for number, line in enumerate(lines[1 : note.body_line - 2], start=2):
        if any(name in line for name in names):
            said = f"{_prefix(note.title, ())}\n{', '.join(note.aliases)}"
            return (_finished(note, line, said, lines=(number, number), path=(), ordinal=0),)
    return ()


def _finished(
    note: Note,
    text: str,
    said: str,
    *,
    lines: tuple[int, int],
    path: tuple[str, ...],
    ordinal: int,
    block_id: str | None = None,
) -> Chunk:
    said = said.strip()
    return Chunk(
        note_path=note.path,
        ordinal=ordinal,
        text=text,
        embedding_text=said,
        vector_id=hashlib.sha256(said.encode()).hexdigest()[:32],
        line_start=lines[0],
        line_end=lines[1],
        heading_path=path,
        block_id=block_id,
    )
