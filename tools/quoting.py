"""The words that are quoted of a passage, and how they read. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tools.claims.sentences import Sentence
from tools.domain import Excerpt
from tools.folding import fold
from tools.tables import read_row
from tools.utterances import stem

LONGEST = 600
"""Characters of a quotation; of what is longer the part that says most of what is asked."""
_NUMBER = 0.5
"""A number counts for so much of the rarest word that is asked: it may be what is asked for."""
_ANY_NUMBER = "#"
_HEADING = re.compile(r"[>\s]*#{1,6}\s")
_WORD = re.compile(r"[^\W_]+")
_NUMERAL = re.compile(r"\d")
_TARGET = r"(?:<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)"
_TITLE = r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?"
_LABEL = r"(?:[^\[\]\n]|\[[^\[\]\n]*\])"
_LINK = re.compile(
    r"(?P<kept>(?P<tick>`+)[^`\n]+(?P=tick)|!?\[\[[^\]\n]*\]\]|\\\[)"
    r"|(?P<note>\s?\[\^[^\]\s]+\])"
    rf"|!?\[(?P<label>{_LABEL}*)\]\(\s*{_TARGET}{_TITLE}\s*\)"
    rf"|(?<![\w\]])\[(?P<named>{_LABEL}+)\]\[[^\[\]\n^]+\]"
)
"""What stays as it is (code, links to notes), marks of footnotes, and links to elsewhere."""


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


def link_texts(text: str) -> str:
    """The text with the words of links to elsewhere in their place, without marks of footnotes."""
    return _LINK.sub(_text_of, text) if "[" in text else text


def _text_of(link: re.Match[str]) -> str:
    return link["kept"] or link_texts(link["label"] or link["named"] or "")


def _part(text: str, weights: Mapping[str, float]) -> tuple[int, int]:
    """Where the part of a long text begins and ends; it cuts no word and no link."""
    marked = [
        (word.start(), word.end(), sign)
        for word in _WORD.finditer(text)
        if (sign := _sign(word[0], weights))
    ]
    worth = {**weights, _ANY_NUMBER: _NUMBER * max(weights.values(), default=1.0)}
    most, first, last = 0.0, 0, 0
    for number, (begins, _, _) in enumerate(marked):
        held: dict[str, int] = {}
        for _, ends, sign in marked[number:]:
            if ends - begins > LONGEST:
                break
            held.setdefault(sign, ends)
        value = sum(worth[sign] for sign in held)
        if value > most:
            most, first, last = value, begins, max(held.values())
    room = (LONGEST - (last - first)) // 2
    start = max(0, min(first - room, len(text) - LONGEST))
    return _whole_words(text, start, min(len(text), start + LONGEST), keep=(first, last))


def _sign(word: str, weights: Mapping[str, float]) -> str:
    """The stem of a word that is asked, one sign for all numbers, else nothing."""
    stemmed = stem(fold(word))
    return stemmed if stemmed in weights else _ANY_NUMBER if _NUMERAL.search(word) else ""


def _whole_words(text: str, start: int, stop: int, *, keep: tuple[int, int]) -> tuple[int, int]:
    """The part between two places less what would be half a word or half a link at its ends."""
    for link in _LINK.finditer(text):
        if link.start() < start < link.end():
            start = link.end()
        if link.start() < stop < link.end():
            stop = link.start()
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
