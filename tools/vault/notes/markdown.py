"""Obsidian's markdown: its blocks, the marks inside its text, its plain words.

Line maps are markdown-it's: 0-based, half-open. Nothing inside code, math or comments is a mark.
"""

import html
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import reference as reference_rule
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline import link as link_rule
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from tools.text.markdown.links import COMMENT, SCRIPT

LONGEST_TEXT = 100_000
"""Characters of one paragraph; a longer one is data, and is not searched for marks."""
LONGEST_KEY, LONGEST_VALUE = 100, 1000
"""Characters of a field's key with its markup, and of a value in brackets."""
LONGEST_LINE = 8192
"""Characters of a line whose markup is removed at once; longer ones are taken in parts."""


@dataclass(frozen=True, slots=True)
class Wikilink:
    """``[[inner]]`` or ``![[inner]]`` at a position of the text."""

    at: int
    inner: str
    embed: bool


@dataclass(frozen=True, slots=True)
class Hyperlink:
    """``[label](href)``; the href is percent-encoded."""

    at: int
    href: str
    label: str


@dataclass(frozen=True, slots=True)
class Tag:
    at: int
    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """``key:: value``; the value stands at ``at`` to ``end``."""

    at: int
    end: int
    key: str
    value: str


type Mark = Wikilink | Hyperlink | Tag | Field


@dataclass(frozen=True, slots=True)
class Document:
    """The block tokens of a note, without inline children, and its link reference definitions."""

    tokens: tuple[Token, ...]
    references: dict[str, Any]


@lru_cache(maxsize=1)  # a note is read for what it says, and once more to be cut into passages
def parse(text: str) -> Document:
    """Block structure of a whole file, frontmatter included. Never raises."""
    env: dict[str, Any] = {}
    tokens = _parser().parse(text, env)
    return Document(tuple(tokens), cast("dict[str, Any]", env.get("references", {})))


def table_lines(text: str) -> frozenset[int]:
    """The lines of a whole file that belong to tables, counted from 1."""
    spans = (token.map for token in parse(text).tokens if token.type == "table_open" and token.map)
    return frozenset(line + 1 for begin, end in spans for line in range(begin, end))


def marks(content: str, document: Document) -> list[Mark]:
    """Links, tags and fields in one inline text, in order of their positions."""
    if len(content) > LONGEST_TEXT or not _MAY_HOLD_MARKS.search(content):
        return []
    found: list[Mark] = []
    env: dict[str, Any] = {"references": document.references, "marks": found}
    parser = _parser()
    parser.inline.parse(content, parser, env, [])
    return sorted(found, key=lambda mark: mark.at)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    # Block math would look for its end past the list item that holds it.
    parser.block.ruler.disable("math_block")
    parser.core.ruler.disable(["inline", "text_join"])
    # Emphasis is not asked for, and pairing its delimiters is the dear part of inline parsing.
    parser.inline.ruler.disable("emphasis")
    parser.inline.ruler2.disable(["balance_pairs", "emphasis", "fragments_join"])
    parser.inline.ruler.before("link", "wikilink", _wikilink)
    parser.inline.ruler.at("link", _hyperlink)
    parser.inline.ruler.push("tag", _tag)
    parser.inline.ruler.push("field", _field)
    parser.inline.ruler.push("comment", _comment)
    parser.block.ruler.at("reference", _reference)
    parser.block.ruler.before("fence", "comment", _block_comment, {"alt": ["paragraph"]})
    return parser


# --- inline rules: each either advances and says so, or leaves the text to the next rule ------

_MAY_HOLD_MARKS = re.compile(r"\[|#|::")
_WIKILINK = re.compile(r"(!?)\[\[((?:[^\[\]\n]|\](?!\]))+)\]\]")
_IN_TAG = r"[^\s!-,.:-@\[-^`{-~\u2000-\u206f\u3000-\u303f]"
# A dot within it is a level of the tag, as Dendron has it.
_TAG = re.compile(rf"#({_IN_TAG}(?:{_IN_TAG}|\.(?=[^\W_]))*)")
_TAG_BEFORE = frozenset(" \t\n([{,;>\"'*_~=")
_KEY = r"[^\W\d_][\w /'-]{0,59}"
_LINE_KEY = re.compile(rf"\s*(?:\[.\]\s+)?[*_]{{0,3}}({_KEY})[*_]{{0,3}}\s*")
_BRACKET_KEY = re.compile(rf"[*_]{{0,3}}({_KEY})[*_]{{0,3}}\s*")
_LINE_VALUE = re.compile(r"[*_]{0,3}(?:[ \t]+|(?=\[))(?=\S)")


def _found(state: StateInline, mark: Mark) -> None:
    cast("list[Mark]", state.env["marks"]).append(mark)


def _wikilink(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "![":
        return False
    match = _WIKILINK.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        _found(state, Wikilink(state.pos, match[2], match[1] == "!"))
    state.pos = match.end()
    return True


def _hyperlink(state: StateInline, silent: bool) -> bool:
    at, known = state.pos, len(state.tokens)
    if not link_rule(state, silent):
        return False
    if not silent:
        new = state.tokens[known:]
        opened = next(index for index, token in enumerate(new) if token.type == "link_open")
        label = "".join(token.content for token in new[opened:])
        _found(state, Hyperlink(at, str(new[opened].attrGet("href") or ""), label))
    return True


def _tag(state: StateInline, silent: bool) -> bool:
    at = state.pos
    if silent or state.src[at] != "#" or (at and state.src[at - 1] not in _TAG_BEFORE):
        return False
    match = _TAG.match(state.src, at, state.posMax)
    name = match[1].strip("/") if match else ""
    if match is None or not name or name.replace(".", "").isdigit():
        return False
    _found(state, Tag(at, name))
    state.pos = match.end()
    return True


def _field(state: StateInline, silent: bool) -> bool:
    src, at = state.src, state.pos
    if silent or not src.startswith("::", at) or ":" in (src[at - 1 : at], src[at + 2 : at + 3]):
        return False
    begin = max(at - LONGEST_KEY, 0)
    line_start = src.rfind("\n", begin, at) + 1 or begin
    line_end = src.find("\n", at)
    line_end = len(src) if line_end < 0 else line_end
    opener = max(src.rfind("[", line_start, at), src.rfind("(", line_start, at))
    key = _BRACKET_KEY.fullmatch(src, opener + 1, at) if opener >= 0 else None
    start, end = at + 2, _closing(src, opener, line_end) if key else -1
    if end < 0:
        is_line_start = line_start == 0 or src[line_start - 1] == "\n"
        key = _LINE_KEY.fullmatch(src, line_start, at) if is_line_start else None
        value = _LINE_VALUE.match(src, start, line_end)
        if key is None or value is None:
            return False
        start, end = value.end(), line_end
    if key is not None and (text := src[start:end].strip()):
        _found(state, Field(start, end, key[1].strip(), text))
    state.pos = at + 2
    return True


def _closing(src: str, opener: int, line_end: int) -> int:
    """Where the bracket at ``opener`` closes on its line and soon, or -1."""
    left, right = ("[", "]") if src[opener] == "[" else ("(", ")")
    depth = 0
    for position in range(opener, min(line_end, opener + LONGEST_VALUE)):
        depth += (src[position] == left) - (src[position] == right)
        if depth == 0:
            return position
    return -1


def _comment(state: StateInline, silent: bool) -> bool:  # noqa: ARG001
    if not state.src.startswith("%%", state.pos):
        return False
    end = state.src.find("%%", state.pos + 2, state.posMax)
    if end < 0:
        return False
    state.pos = end + 2
    return True


# --- block rules ---------------------------------------------------------------------------


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    # A footnote's text looks like a reference definition when it is one word or one link.
    begin = state.bMarks[start] + state.tShift[start]
    return not state.src.startswith("[^", begin) and reference_rule(state, start, end, silent)


def _block_comment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A ``%%`` that opens a line and closes on a later one hides everything between."""
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("%%", begin):
        return False
    if state.src.find("%%", begin + 2, state.eMarks[start]) >= 0:
        return False
    stop = state.eMarks[end - 1]
    closing = state.src.find("%%", state.eMarks[start], stop)
    if closing < 0:
        return False
    if silent:
        return True
    last = start + state.src.count("\n", begin, closing)
    state.line = last + 1
    token = state.push("comment", "", 0)
    token.map = [start, state.line]
    return True


# --- plain words ---------------------------------------------------------------------------

_VERBATIM = re.compile(r"(`+[^`\n]+`+|\$\$[^$\n]+\$\$|\$(?=[^\s$])[^$\n]*[^\s$]\$(?!\d))")
_MARKUP = re.compile(r"[\[\]<>*_~`\\&$%]|::|==|https?:")
_LEAD = re.compile(
    r"^\s*(?:>\s?)*\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(?:\[.\]\s+|\[![^\]]*\][+-]?\s*)?(?:#{1,6}\s+)?"
)
_RULE = re.compile(r"^[\s>]*+(?:([-*_])\s*(?:\1\s*){2,}|=+\s*|[|:\s]*-[-|:\s]*)$")
_BLOCK_ID = re.compile(r"(?:^|\s)\^[A-Za-z0-9-]+\s*$")
_SUBSTITUTIONS: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (("<", "%%"), re.compile(rf"{COMMENT}|{SCRIPT}|%%(?:[^%]|%(?!%))*+%%"), ""),
    (("[[",), re.compile(r"!?\[\[[^\[\]|]*\|([^\[\]]*)\]\]"), r"\1"),
    (("[[",), re.compile(r"!?\[\[(?:[^\[\]|]*/)?([^\[\]|/]*?)(?:\.md)?\]\]"), r"\1"),
    (("[^",), re.compile(r"\[\^[^\[\]\s]+\]:?"), ""),
    (("](",), re.compile(r"\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)"), "]"),
    (("http",), re.compile(r"<?\bhttps?://[^\s<>\])]+>?"), ""),
    (("<",), re.compile(r"</?[A-Za-z][^<>]*>"), ""),
    (("[", "]"), re.compile(r"(?<!\\)[\[\]]"), ""),
    (("::",), re.compile(r"(?<=\w):: ?"), ": "),
    (
        ("*", "~~", "=="),
        re.compile(r"(?<![\\\s])(?:\*+|~~|==)|(?<!\\)(?:\*+|~~|==)(?=\S)"),
        "",
    ),
    (("_",), re.compile(r"(?<![\w\\])_+(?=\S)|(?<=[^\s\\])_+(?!\w)"), ""),
    (("\\",), re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
"""What to take out, in order; only where one of the signs stands is there anything to look for."""


def plain(line: str) -> str:
    """The words of one line without its markup, addresses, comments and block id."""
    if len(line) > LONGEST_LINE:
        starts = range(0, len(line), LONGEST_LINE)
        return " ".join(plain(line[start : start + LONGEST_LINE]) for start in starts)
    line = line.strip()
    if _RULE.match(line):
        return ""
    line = line[_LEAD.match(line).end() :]  # pyright: ignore[reportOptionalMemberAccess]
    if "^" in line:
        line = _BLOCK_ID.sub("", line)
    if not _MARKUP.search(line):
        return " ".join(line.split())
    parts = _VERBATIM.split(line)
    words = (part.strip("`$") if index % 2 else _unmarked(part) for index, part in enumerate(parts))
    said = " ".join("".join(words).split())
    return said if any(map(str.isalnum, said)) else ""


def _unmarked(text: str) -> str:
    for signs, pattern, replacement in _SUBSTITUTIONS:
        if any(sign in text for sign in signs):
            text = pattern.sub(replacement, text)
    return html.unescape(text) if "&" in text else text
