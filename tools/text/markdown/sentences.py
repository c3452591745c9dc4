"""The sentences of a markdown text and where they stand. Pure."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from tools.text import lexicon
from tools.text.markdown.links import CODE, COMMENT, ENTITY, LABEL, SCRIPT, TARGET, character
from tools.text.markdown.tables import BORDER, is_rule
from tools.text.normalize import fold

type SentenceKind = Literal["prose", "heading", "item", "task", "cell", "field"]


class Sentence(NamedTuple):
    """One sentence without its markup; ``[start, end)`` is where it stands in the given text.

    A question reads hundreds: a named tuple is made in a fifth of the time of a dataclass.
    """

    text: str
    start: int
    end: int
    kind: SentenceKind = "prose"


type _Runs = list[tuple[int, int]]
"""Where each run of a text begins, and where that character comes from; the rest follow it."""


class _Unit:
    """Text that no sentence crosses, and where its characters stand in the given text."""

    __slots__ = ("kind", "length", "lines", "runs")

    def __init__(self, kind: SentenceKind, line: str, origin: int) -> None:
        self.kind: SentenceKind = kind
        self.lines = [line]
        self.runs = [(0, origin)]
        self.length = len(line)

    def add(self, line: str, origin: int) -> None:
        """A further line, after a space."""
        self.runs.append((self.length + 1, origin))
        self.lines.append(line)
        self.length += 1 + len(line)


def _origin(runs: _Runs, at: int) -> int:
    start, origin = runs[-1]
    if at < start:
        start, origin = runs[bisect_right(runs, (at, sys.maxsize)) - 1]
    return origin + at - start


_FENCE = re.compile(
    r"(?:`{3,}|~{3,}|\$\$|%%(?!.*%%)|<!--(?!.*-->)|(?i:<(?:script|style)\b(?!.*</(?:script|style))))"
)
_OPENS_FENCE = ("`", "~", "$", "%", "<")
_CLOSED_ANYWHERE = {"%%": "%%", "<!--": "-->", "<script": "</script", "<style": "</style"}
"""Comments and scripts: how each opens and closes, be it at the end of a line."""
# Between its dashes every line is a property, a part of one, a comment or empty: a passage may
# begin with a rule, too.
_PROPERTY = r"(?:\w[\w .'/-]*:[^\n]*|[ \t][^\n]*|-[ \t][^\n]*|#[^\n]*)"
_FRONT_MATTER = re.compile(rf"---[ \t]*\n(?:{_PROPERTY}?+\n)*+---[ \t]*(?:\n|\Z)")
_RULE = re.compile(r"(?:[-*_=] ?){3,}|[\s:|]*+-[\s:|-]*+|:{3,}.*")
"""What parts: rules, that of a table, and what opens and closes a container (``:::note``)."""
_QUOTE = re.compile(r"(?:\s{0,3}>)+ ?(?:\[!\w+\][+-]? ?)?")
_HEADING = re.compile(r"#{1,6}\s+")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_TASK = re.compile(r"\[[ xX/>-]\]\s+")
_FOOTNOTE = re.compile(r"\[\^[^\]]+\]:\s+")
_FIELD = re.compile(r"[\w -]{1,40}::\s")
_LABELLED = re.compile(r"\**[^\W\d_][\w .,'’/()&-]{0,38}:\**[ \t]+\S")
"""A line of ``Label: value``, which goes on with no sentence of the line before."""
_MARKUP = re.compile(
    r"!\[\[[^\[\]\n]*+\]\]"
    rf"|\[!\[{LABEL}\]{TARGET}\]{TARGET}|!\[{LABEL}\]{TARGET}"
    rf"|\[\^[^\[\]\s]++\]|%%.*?%%|{COMMENT}|{SCRIPT}|(?P<entity>{ENTITY})"
    r"|\[\[[^\[\]|\n]*+\|(?P<alias>[^\[\]|\n]++)\]\]"
    r"|\[\[(?P<target>[^\[\]|#\n]*+)[^\[\]|\n]*+\]\]"
    rf"|\[(?=[^\]])(?P<label>{LABEL})\]{TARGET}|{CODE}"
    r"|https?://[^\s<>)]*[^\s<>).,;:!?]|(?P<br><br\b[^<>\n]*+>)|</?[A-Za-z][^<>\n]*+>|(?<=\s)\^[\w-]+\s*$"
    r"|\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|~~|=="
    r"|\\(?P<escaped>[^\w\s])|(?<!\S)#(?=[^\W\d])"
)
_MARK = re.compile(r"[!\[`*_~=\\<#%&^]")
_MARK_OR_ADDRESS = re.compile(r"[!\[`*_~=\\<#%&^h]")
"""What any markup begins with: one of some characters is found much faster than the markup is."""
# Inside a link or code a full stop ends nothing: it is masked until the sentence is cut.
_MASKS = ((".", "\ue000"), ("!", "\ue001"), ("?", "\ue002"), ("…", "\ue003"))
_END = re.compile(r"(?P<mark>[.!?…](?<![.!?…]{2})[.!?…]*+)[\"'”’»)\]]*+(?=\s|$)")


def _units(text: str) -> Iterator[_Unit]:
    """Paragraphs, items, headings and cells, without code, comments and front matter."""
    current: _Unit | None = None
    lines = [*_prose_lines(text)]
    in_table = False
    for number, (at, line) in enumerate(lines):
        if not line.strip():
            in_table = False
            if current:
                yield current
                current = None
            continue
        heads = number + 1 < len(lines) and is_rule(lines[number + 1][1])
        in_table = "|" in line and (heads or in_table)
        quote = _quote(line)
        start = quote.end() if quote else 0
        body = line[start:].rstrip()
        indented = current is None and body.startswith(("    ", "\t"))
        code = indented and not _ITEM.match(body)
        kind, width = ("cell", 0) if in_table else _marker(body)
        callout = quote is not None and "[!" in quote[0]
        begins = width > 0 or callout or kind != "prose"
        blank = code or not body.strip() or _is_rule(body)
        labelled = ":" in body and _LABELLED.match(body) is not None
        if current and (blank or begins or labelled):
            yield current
            current = None
        if blank:
            continue
        start += width
        body = body[width:]
        if kind == "cell":
            begin = 0
            for border in (*(found.span() for found in BORDER.finditer(body)), (len(body), 0)):
                if begin < border[0]:
                    yield _Unit(kind, body[begin : border[0]], at + start + begin)
                begin = border[1]
            continue
        if current:
            current.add(body, at + start)
        else:
            current = _Unit(kind, body, at + start)
        hard = line.endswith(("  \n", "\\\n")) or body.endswith("<br>")
        if kind in {"heading", "field"} or hard or callout:
            yield current
            current = None
    if current:
        yield current


def _prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line outside code, formulas, comments, scripts and front matter, with its offset.

    What opens and closes such a part stands in as an empty line.
    """
    offset = 0
    closings = _CLOSED_ANYWHERE.values()
    fence = "---" if _FRONT_MATTER.match(text) else ""
    for number, line in enumerate(text.splitlines(keepends=True)):
        at, offset = offset, offset + len(line)
        if line == "\n":  # most lines of a long note, of which parts alone are read
            yield at, line
            continue
        quote = _quote(line)
        body = line[quote.end() if quote else 0 :].strip()
        if fence:
            if number and (body.startswith(fence) or (fence in closings and fence in body.lower())):
                fence = ""
            yield at, ""
        elif opening := _FENCE.match(body) if body.startswith(_OPENS_FENCE) else None:
            closed = body != opening[0] and body.endswith(opening[0])
            fence = "" if closed else _CLOSED_ANYWHERE.get(opening[0].lower(), opening[0])
            yield at, ""
        else:
            yield at, line


def shown_lines(text: str) -> list[str]:
    """The lines of a text; those of code, formulas, comments and front matter are empty."""
    shown = [""] * (text.count("\n") + 1)
    number = 0
    for line, (_, prose) in zip(text.splitlines(keepends=True), _prose_lines(text), strict=True):
        shown[number] += prose.removesuffix("\n")
        number += line.count("\n")
    return shown


def _quote(line: str) -> re.Match[str] | None:
    return _QUOTE.match(line) if ">" in line else None


def _is_rule(body: str) -> bool:
    return not body[0].isalpha() and _RULE.fullmatch(body.strip()) is not None


def _marker(body: str) -> tuple[SentenceKind, int]:
    """What a line's beginning makes of it, and how long that beginning is."""
    marked = not body[:1].isalpha()  # few lines have a mark before their words
    if marked and (heading := _HEADING.match(body)):
        return "heading", heading.end()
    if body.startswith("|") or body.count(" | ") > 1:
        return "cell", 0
    item = _ITEM.match(body) if marked else None
    mark = _FOOTNOTE.match(body) if marked and not item else item
    width = mark.end() if mark else 0
    if marked and (task := _TASK.match(body, width)):
        return "task", task.end()
    if "::" in body and _FIELD.match(body, width):
        return "field", width
    return "item" if item else "prose", width


def _without_markup(chars: str) -> tuple[str, _Runs]:
    """The text as it reads, and where its runs begin in the one with its markup."""
    opening = _MARK_OR_ADDRESS if "://" in chars else _MARK
    mark = opening.search(chars)
    if mark is None:
        return chars, [(0, 0)]
    parts: list[str] = []
    runs: _Runs = []
    length = last = 0

    def keep(text: str, start: int) -> None:
        nonlocal length
        if text:
            runs.append((length, start))
            parts.append(text)
            length += len(text)

    while mark:
        at = mark.start()
        match = _MARKUP.match(chars, at)
        mark = opening.search(chars, match.end() if match else at + 1)
        if match is None:
            continue
        keep(chars[last:at], last)
        last = match.end()
        if match.lastgroup == "entity":
            keep(character(match[0], chars[last : last + 1]), match.start())
        elif match.lastgroup == "br":
            keep(" ", match.start())
        elif match.lastgroup in {"alias", "target", "label", "code", "escaped"}:
            name = match.lastgroup
            keep(_masked(match[name]), match.start(name))
    keep(chars[last:], last)
    return "".join(parts), runs or [(0, 0)]


def _masked(text: str) -> str:
    for mark, mask in _MASKS:
        text = text.replace(mark, mask)
    return text


def _unmasked(text: str) -> str:
    if not text.isascii():
        for mark, mask in _MASKS:
            text = text.replace(mask, mark)
    return text


def _ends_sentence(chars: str, match: re.Match[str]) -> bool:
    start = _OPENING.match(chars, match.end())
    after = start.end() if start else match.end()
    following = chars[after : after + _WINDOW]
    if not following:
        return True
    upper = following[0].isupper()
    mark = match["mark"]
    if match[0] != mark and _SPEAKER.match(following):
        return False
    if mark != ".":
        ellipsis = "…" in mark or ".." in mark
        return upper or not (ellipsis or match[0].endswith(("'", '"', "”", "’", ")")))
    before = chars[max(0, match.start() - _WINDOW) : match.start()].rsplit(None, 1)
    word = before[-1].lstrip("\"'“‘([*_") if before else ""
    initial = word.isupper() and _INITIALS.fullmatch(word) is not None
    word = fold(word)
    if word in lexicon.ABBREVIATIONS or initial:
        starts = following.split(None, 1)[0].lower().strip(",.;:") in lexicon.STARTERS
        return upper and starts and word not in {"dr", "mr", "mrs", "ms", "prof", "eg", "ie"}
    if word.isdigit():
        return upper or not following[0].isalpha()
    return upper or not following[0].islower() or len(word) > 2


_SAID = re.compile(r"[^\W_]")
_LETTER = re.compile(r"[^\W\d_]")
_RUN_IN = re.compile(r"(\*\*|__)[^\s*_]++(?:\s[^\s*_]++){0,3}(?<=[.!?…])\1(?=\s+\S)")
"""A run-in heading: some bold words with which a paragraph begins. It is no sentence by itself."""
_OPENING = re.compile(r"[ \"'“‘(*_]*")
_CLOSING = re.compile(r"(?i:\s|%%|<!--|<(?:script|style)\b)")
"""What no longer belongs to a sentence before it, unlike the markup around its last word."""
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
"""The last word before a full stop, of "G.K. Chesterton"."""
_SPEAKER = re.compile(r"(?:--?|[—–])\s?[^\W\d_]")
"""Who said what was quoted before it, with a dash."""
_WINDOW = 60
"""Characters on either side of a full stop that tell whether it ends a sentence."""


def _closed(chars: str, at: int) -> int:
    """Where a sentence ends with the markup around its last word, which ends at ``at``."""
    if at == len(chars) or chars[at].isspace():  # as almost always
        return at
    closing = _CLOSING.search(chars, at)
    return closing.start() if closing else len(chars)


def split(text: str) -> tuple[Sentence, ...]:
    """The sentences of a markdown text, in order and without overlap; code is left out."""
    found: list[Sentence] = []
    for unit in _units(text):
        written = " ".join(unit.lines)
        chars, runs = _without_markup(written)
        start, taken = 0, 0
        run_in = _RUN_IN.match(written)
        opened = run_in.end() if run_in else 0
        stops = [
            match.end()
            for match in _END.finditer(chars)
            if _ends_sentence(chars, match) and _origin(runs, match.start()) >= opened
        ]
        for stop in _with_words(chars, [*stops, len(chars)]):
            piece = chars[start:stop]
            cleaned = " ".join(piece.split())
            if cleaned[:1].isalnum() or _SAID.search(cleaned):
                last = start + len(piece.rstrip()) - 1
                first = max(taken, _origin(runs, start) if start else 0)
                while written[first].isspace():
                    first += 1
                end = taken = _closed(written, _origin(runs, last) + 1)
                cleaned = _unmasked(cleaned) if chars is not written else cleaned
                places = _origin(unit.runs, first), _origin(unit.runs, end - 1) + 1
                found.append(Sentence(cleaned, *places, unit.kind))
            start = stop
    return tuple(found)


def _with_words(chars: str, stops: Sequence[int]) -> Iterator[int]:
    """The ends of sentences, but those before a mere number: "Last reg. 1988.", "Rehung. £90."."""
    for stop, after in pairwise(stops):
        if _LETTER.search(chars, stop, after) or not _SAID.search(chars, stop, after):
            yield stop
    yield stops[-1]


sentences = lru_cache(maxsize=1024)(split)
"""``split`` for passages: one question reads each for its evidence and for its claims."""
