"""The sentences of a markdown text and where they stand. Pure."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tools.claims import lexicon
from tools.folding import fold

type SentenceKind = Literal["prose", "heading", "item", "task", "cell", "field"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence without its markup; ``[start, end)`` is where it stands in the given text."""

    text: str
    start: int
    end: int
    kind: SentenceKind = "prose"


@dataclass(slots=True)
class _Unit:
    """Text that no sentence crosses, and the place of each of its characters."""

    kind: SentenceKind
    chars: str
    places: list[int]


_FENCE = re.compile(r"(?:`{3,}|~{3,}|\$\$|%%(?!.*%%))")
# Between its dashes every line is a property, a part of one, a comment or empty: a passage may
# begin with a rule, too.
_PROPERTY = r"(?:\w[\w .'/-]*:[^\n]*|[ \t][^\n]*|-[ \t][^\n]*|#[^\n]*)"
_FRONT_MATTER = re.compile(rf"---[ \t]*\n(?:{_PROPERTY}?+\n)*+---[ \t]*(?:\n|\Z)")
_RULE = re.compile(r"(?:[-*_=] ?){3,}|\|?[\s:|-]*-[\s:|-]*\|?")
_QUOTE = re.compile(r"(?:\s{0,3}>)+ ?(?:\[!\w+\][+-]? ?)?")
_HEADING = re.compile(r"#{1,6}\s+")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_TASK = re.compile(r"\[[ xX/>-]\]\s+")
_FOOTNOTE = re.compile(r"\[\^[^\]]+\]:\s+")
_FIELD = re.compile(r"[\w -]{1,40}::\s")
_MARKUP = re.compile(
    r"!\[\[[^\]\n]*\]\]|!\[[^\]\n]*\]\([^)\n]*\)|\[\^[^\]\s]+\]|%%.*?%%"
    r"|\[\[(?:[^\]|\n]*\|)(?P<alias>[^\]|\n]+)\]\]|\[\[(?P<target>[^\]|#\n]*)[^\]|\n]*\]\]"
    r"|\[(?P<label>[^\]\n]+)\]\([^)\n]*\)|(?P<tick>`+)(?P<code>[^`\n]+)(?P=tick)"
    r"|https?://[^\s<>)]*[^\s<>).,;:!?]|</?[A-Za-z][^>\n]*>|\s\^[\w-]+\s*$"
    r"|\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|~~|=="
    r"|\\(?P<escaped>[^\w\s])|(?<!\S)#(?=[^\W\d])"
)
# Inside a link or code a full stop ends nothing: it is masked until the sentence is cut.
_MASK = str.maketrans(".!?…", "\ue000\ue001\ue002\ue003")
_UNMASK = str.maketrans("\ue000\ue001\ue002\ue003", ".!?…")
_END = re.compile(r"(?P<mark>[.!?…]+)[\"'”’»)\]]*(?=\s|$)")


def _units(text: str) -> Iterator[_Unit]:
    """Paragraphs, items, headings and cells, without code, comments and front matter."""
    current: _Unit | None = None
    for at, line in _prose_lines(text):
        quote = _QUOTE.match(line)
        start = quote.end() if quote else 0
        body = line[start:].rstrip()
        item = _ITEM.match(body)
        code = not item and current is None and body.startswith(("    ", "\t"))
        kind, width = _marker(body)
        callout = quote is not None and "[!" in quote[0]
        begins = width > 0 or callout or kind != "prose"
        blank = code or not body.strip() or _RULE.fullmatch(body.strip()) is not None
        if current and (blank or begins):
            yield current
            current = None
        if blank:
            continue
        start += width
        body = body[width:]
        places = list(range(at + start, at + start + len(body)))
        if kind == "cell":
            for cell in re.finditer(r"[^|]+", body):
                yield _Unit(kind, cell[0], places[cell.start() : cell.end()])
            continue
        if current:
            current.chars += " " + body
            current.places += [at, *places]
        else:
            current = _Unit(kind, body, places)
        hard = line.endswith(("  \n", "\\\n")) or body.endswith("<br>")
        if kind in {"heading", "field"} or hard or callout:
            yield current
            current = None
    if current:
        yield current


def _prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line outside code, formulas, comments and front matter, with its offset.

    What opens and closes such a part stands in as an empty line.
    """
    offset = 0
    fence = "---" if _FRONT_MATTER.match(text) else ""
    for number, line in enumerate(text.splitlines(keepends=True)):
        at, offset = offset, offset + len(line)
        body = _QUOTE.sub("", line, count=1).strip()
        if fence:
            if number and body.startswith(fence):
                fence = ""
            yield at, ""
        elif opening := _FENCE.match(body):
            closed = body != opening[0] and body.endswith(opening[0])
            fence = "" if closed else opening[0]
            yield at, ""
        else:
            yield at, line


def _marker(body: str) -> tuple[SentenceKind, int]:
    """What a line's beginning makes of it, and how long that beginning is."""
    if match := _HEADING.match(body):
        return "heading", match.end()
    if body.startswith("|") or body.count(" | ") > 1:
        return "cell", 0
    width = 0
    if match := _ITEM.match(body) or _FOOTNOTE.match(body):
        width = match.end()
    if task := _TASK.match(body, width):
        return "task", task.end()
    if _FIELD.match(body, width):
        return "field", width
    return "item" if _ITEM.match(body) else "prose", width


def _without_markup(unit: _Unit) -> tuple[str, list[int]]:
    parts: list[str] = []
    places: list[int] = []
    last = 0
    for match in _MARKUP.finditer(unit.chars):
        parts.append(unit.chars[last : match.start()])
        places += unit.places[last : match.start()]
        last = match.end()
        if match.lastgroup in {"alias", "target", "label", "code", "escaped"}:
            name = match.lastgroup
            parts.append(match[name].translate(_MASK))
            places += unit.places[match.start(name) : match.end(name)]
    parts.append(unit.chars[last:])
    places += unit.places[last:]
    return "".join(parts), places


def _ends_sentence(chars: str, match: re.Match[str]) -> bool:
    following = chars[match.end() :].lstrip(" \"'“‘(*_")
    if not following:
        return True
    upper = following[0].isupper()
    mark = match["mark"]
    if mark != ".":
        ellipsis = "…" in mark or ".." in mark
        return upper or not (ellipsis or match[0].endswith(("'", '"', "”", "’", ")")))
    word = chars[: match.start()].rsplit(None, 1)[-1] if match.start() else ""
    word = word.lstrip("\"'“‘([*_")
    initial = len(word) == 1 and word.isupper()
    word = fold(word)
    starts = following.split(None, 1)[0].lower().strip(",.;:") in lexicon.STARTERS
    if word in lexicon.ABBREVIATIONS or initial:
        return upper and starts and word not in {"dr", "mr", "mrs", "ms", "prof", "eg", "ie"}
    if word.isdigit():
        return upper or not following[0].isalpha()
    return upper or not following[0].islower() or len(word) > 2


def split(text: str) -> tuple[Sentence, ...]:
    """The sentences of a markdown text, in order and without overlap; code is left out."""
    found: list[Sentence] = []
    for unit in _units(text):
        chars, places = _without_markup(unit)
        start, taken = 0, 0
        stops = [m.end() for m in _END.finditer(chars) if _ends_sentence(chars, m)]
        for stop in (*stops, len(chars)):
            piece = chars[start:stop].strip()
            if any(char.isalnum() for char in piece):
                last = start + len(chars[start:stop].rstrip()) - 1
                first = max(taken, bisect_left(unit.places, places[start]) if start else 0)
                while unit.chars[first].isspace():
                    first += 1
                end = bisect_left(unit.places, places[last]) + 1
                while end < len(unit.chars) and not unit.chars[end].isspace():
                    end += 1
                taken = end
                cleaned = " ".join(piece.translate(_UNMASK).split())
                found.append(
                    Sentence(cleaned, unit.places[first], unit.places[end - 1] + 1, unit.kind)
                )
            start = stop
    return tuple(found)


sentences = lru_cache(maxsize=1024)(split)
"""``split`` for passages: one question reads each for its evidence and for its claims."""
