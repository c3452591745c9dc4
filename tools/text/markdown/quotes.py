"""The words that are quoted of a passage, and how they read. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from tools.base.domain import Excerpt, Result
from tools.text.markdown.links import (
    CODE,
    COMMENT,
    ENTITY,
    LABEL,
    NOTE_LINK,
    SCRIPT,
    TARGET,
    character,
    unlinked,
)
from tools.text.markdown.sentences import Sentence
from tools.text.markdown.tables import read_row
from tools.text.normalize import fold
from tools.text.tokens import WORD, stem

LONGEST = 600
"""Characters of a quotation; of what is longer the part that says most of what is asked."""
_NUMBER = 0.5
"""A number counts for so much of the rarest word that is asked: it may be what is asked for."""
_ANY_NUMBER = "#"
_HEADING = re.compile(r"[>\s]*#{1,6}\s")
_NUMERAL = re.compile(r"\d")
# What looks like a tag and is none, as in "ask <name>", is for the reader.
_TAG = (
    r"</?(?:abbr|audio|a|big|blockquote|br|b|center|cite|code|dd|del|details|dfn|div|dl|dt|em"
    r"|figcaption|figure|font|h[1-6]|hr|img|ins|i|kbd|label|li|mark|ol|p|picture|q|samp|small|span"
    r"|strike|strong|sub|summary|sup|s|table|tbody|td|tfoot|thead|th|tr|u|ul|var|video|wbr)"
    r"(?:\s[^<>]*+)?/?>"
)
_LINK = re.compile(
    rf"(?P<kept>{CODE}|{NOTE_LINK}|\\[\[<&])|(?P<note>\s?\[\^[^\[\]\s]++\])"
    rf"|(?P<unseen>{COMMENT}|{SCRIPT}|%%(?:[^%]|%(?!%))*+%%)|(?P<tag>(?i:{_TAG}))"
    rf"|(?P<entity>{ENTITY})|!?\[(?P<label>{LABEL})\]{TARGET}"
)
"""What stays as it is (code, links to notes), marks of footnotes, what a page made of the text
would not show, tags, characters by name, and links to elsewhere."""
_MARKED = re.compile(r"[\[<&]|%%")
_POWER = re.compile(r"[+−-]?\d")
_MOST_MOVED = LONGEST // 3
"""Characters of a link's words that an end of a quotation moves by; in longer ones it cuts."""


def quote(
    passage: Excerpt, sentence: Sentence, *, columns: Sequence[str], weights: Mapping[str, float]
) -> Excerpt:
    """A sentence of a passage as it stands there, at its line; ``reads`` where it reads otherwise.

    A row reads with the headings of its ``columns``. Of what is longer than ``LONGEST`` that part
    is quoted that has most of the stems of ``weights``. A heading keeps its signs.
    """
    start, end = sentence.start, sentence.end
    if sentence.kind == "heading":
        start = passage.text.rfind("\n", 0, start) + 1
    said = passage.text[start:end]
    start, said = start + len(said) - len(said.lstrip()), said.strip()
    reads = None
    if len(said) > LONGEST:
        first, last = _part(said, weights)
        reads = f"{'… ' if first else ''}{said[first:last]}{' …' if last < len(said) else ''}"
        start, said = start + first, said[first:last]
    elif sentence.kind == "heading":
        reads = sentence.text
    elif sentence.kind == "cell" and (columns or said.startswith("|")):
        reads = read_row(said, columns)
    line = passage.line_start + passage.text.count("\n", 0, start)
    return replace(
        passage,
        text=said,
        line_start=line,
        line_end=line + said.count("\n"),
        columns=tuple(columns),
        reads=reads,
    )


def is_heading(excerpt: Excerpt) -> bool:
    """Whether what is quoted is a heading: the place of an answer, not what answers."""
    return excerpt.reads is not None and _HEADING.match(excerpt.text) is not None


def only_points(excerpt: Excerpt) -> bool:
    """Whether what is quoted says nothing itself: a heading, or nothing but links to notes."""
    links = excerpt.text.count("[[")
    return is_heading(excerpt) or (links > 1 and not WORD.search(unlinked(excerpt.text)))


def quoted_first(results: Sequence[Result]) -> Result | None:
    """The note that an answer quotes first: the best, unless it has only a heading or links.

    Where the best has nothing to quote it is the next that has.
    """
    first = results[0] if results else None
    if first is None or (first.excerpts and not only_points(first.excerpts[0])):
        return first
    alike = (r for r in results if r.excerpts and (not first.excerpts or r.tier == first.tier))
    return next((r for r in alike if not only_points(r.excerpts[0])), first)


def link_texts(text: str) -> str:
    """The text as a page would show it, but for its links to notes, its code and its emphasis.

    Links to elsewhere are their words, marks of footnotes, comments, scripts and tags are left out.
    What is nothing but pictures and marks stays. A link by reference is no link here: what it
    refers to stands elsewhere in its note, and "[2][3]" may be two numbers.
    """
    read = _read(text)
    return read if read.strip() else _LINK.sub(lambda m: "" if m["unseen"] else m[0], text)


def _read(text: str) -> str:
    return _LINK.sub(_text_of, text) if _MARKED.search(text) else text


def _text_of(part: re.Match[str]) -> str:
    after = part.string[part.end() :][:2]
    match part.lastgroup:
        case "entity":
            return character(part[0], after)
        case "tag":
            if part[0].lower().startswith("<sup"):
                return "^" if _POWER.match(after) else ""
            return " " if part[0].lower().startswith("<br") else ""
        case _:
            return part["kept"] or _read(part["label"] or "")


@dataclass(frozen=True, slots=True)
class _Link:
    """Where a link begins and ends, and where what it shows ends."""

    start: int
    end: int
    shown: int


@dataclass(frozen=True, slots=True)
class _Word:
    """A word that is asked, by its sign."""

    start: int
    end: int
    sign: str


def _part(text: str, weights: Mapping[str, float]) -> tuple[int, int]:
    """Where the part of a long text begins and ends; it cuts no word and no short link.

    What a link does not show is not asked for: its address may have any word.
    """
    links = [*_links(text)]
    words = [*_shown_words(text, links)]
    if not words:
        return 0, LONGEST
    worth = {**weights, _ANY_NUMBER: _NUMBER * max(weights.values(), default=1.0)}
    marked = (_Word(*word.span(), _sign(word[0], weights)) for word in words)
    first, last = _asked_span([word for word in marked if word.sign], worth)
    if first == last:
        first = last = words[0].start()
    room = (LONGEST - (last - first)) // 2
    start = max(0, min(first - room, len(text) - LONGEST))
    return _whole(text, start, links, keep=(first, last))


def _links(text: str) -> Iterator[_Link]:
    for link in _LINK.finditer(text):
        if link["kept"] or link["entity"]:
            shown = link.end()
        else:
            shown = link.end("label") if link["label"] else link.start()
        yield _Link(link.start(), link.end(), shown)


def _shown_words(text: str, links: Iterable[_Link]) -> Iterator[re.Match[str]]:
    at = 0
    for start, end in (*((link.shown, link.end) for link in links), (len(text), len(text))):
        yield from WORD.finditer(text, at, start)
        at = end


def _asked_span(marked: Sequence[_Word], worth: Mapping[str, float]) -> tuple[int, int]:
    """Where of the words that fit into one quotation those begin and end that are worth most."""
    held: Counter[str] = Counter()
    most, found, stop = 0.0, (0, 0), 0
    for number, word in enumerate(marked):
        while stop < len(marked) and marked[stop].end - word.start <= LONGEST:
            held[marked[stop].sign] += 1
            stop += 1
        if stop <= number:  # longer than a quotation
            stop = number + 1
            continue
        value = fsum(worth[sign] for sign, count in held.items() if count)
        if value > most:
            most, found = value, (number, stop)
        held[word.sign] -= 1
    ends: dict[str, int] = {}
    for word in marked[slice(*found)]:
        ends.setdefault(word.sign, word.end)
    return (marked[found[0]].start, max(ends.values())) if ends else (0, 0)


def _sign(word: str, weights: Mapping[str, float]) -> str:
    """The stem of a word that is asked, one sign for all numbers, else nothing."""
    stemmed = stem(fold(word))
    return stemmed if stemmed in weights else _ANY_NUMBER if _NUMERAL.search(word) else ""


def _whole(
    text: str, start: int, links: Sequence[_Link], *, keep: tuple[int, int]
) -> tuple[int, int]:
    """The part from a place on less what would be half a word or half a link at its ends."""
    cut = next((link for link in links if link.start < start < link.end), None)
    if cut and cut.end <= keep[0] and cut.shown - start <= _MOST_MOVED:
        start = cut.end
    stop = min(len(text), start + LONGEST)
    cut = next((link for link in links if link.start < stop < link.end), None)
    if cut and cut.start >= keep[1] and min(stop, cut.shown) - cut.start <= _MOST_MOVED:
        stop = cut.start
    elif cut and keep[1] <= cut.shown < stop:
        stop = cut.shown
    if start and not text[start - 1].isspace():
        start = _after_space(text, start, before=keep[0])
    if stop < len(text) and not text[stop].isspace():
        space = max(text.rfind(" ", start, stop), text.rfind("\n", start, stop))
        stop = space if space > keep[1] else stop
    said = text[start:stop]
    return start + len(said) - len(said.lstrip()), start + len(said.rstrip())


def _after_space(text: str, start: int, *, before: int) -> int:
    space = next((at for at in range(start, before) if text[at].isspace()), None)
    return start if space is None else space + 1
