"""The running words of a note, where they stand: no links, code, math, comments or keys. Pure."""

import re
from collections.abc import Iterator

from tools.base.domain import Note
from tools.text.markdown.links import COMMENT, LABEL, NOTE_LINK, SCRIPT, TARGET
from tools.text.tokens import TAG
from tools.vault.notes.markdown import LONGEST_TEXT, parse

HIDDEN = "\0"
"""Stands for each character that is none of the running words."""

_SIGN = re.compile(r"[\[!`$%<#^{\\]")
_MARKUP = re.compile(
    "|".join(
        (
            NOTE_LINK,
            rf"!?\[{LABEL}\](?:{TARGET}|\[[^\[\]\n]*+\])?+",
            r"(?P<tick>`++)(?:[^`]++|(?!(?P=tick)(?!`))`++)*+(?P=tick)",
            r"\$\$[^$]++\$\$|\$(?=[^\s$])[^$\n]*+(?<=\S)\$(?!\d)",
            r"%%(?:[^%]|%(?!%))*+%%",
            rf"{COMMENT}|{SCRIPT}|<a\b[^<>]*+>[^<>]*+</a>|</?[A-Za-z%!?][^<>]*+>",
            rf"(?<!\w){TAG}",
            r"(?<!\S)\^[A-Za-z0-9-]++[ \t]*+$",
            r"\{\{[^{}]*+\}\}",
            r"\\.",
        )
    ),
    re.MULTILINE,
)
_ADDRESS = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{0,30}:(?://|\\\\)[^\s<>]++")
_KEY = re.compile(r"(?:^|(?<=\())[^\w\n(]*+[^\W\d_][\w /'-]{0,59}[*_]{0,3}::", re.MULTILINE)
_SEEN = re.compile(r"[^\n]")


def prose(note: Note) -> Iterator[tuple[int, str]]:
    """The lines of a note with running words, counted from 1, with ``HIDDEN`` for all else.

    A line is as long as it stands in the note, so that places in it are places in the note.
    """
    lines = note.text.split("\n")
    blocks = {t.map[0]: t.map[1] for t in parse(note.text).tokens if t.type == "inline" and t.map}
    for begin, end in blocks.items():
        block = "\n".join(lines[begin:end])
        if len(block) <= LONGEST_TEXT:
            yield from enumerate(_unmarked(block).split("\n"), begin + 1)


def _unmarked(text: str) -> str:
    if "::" in text:
        text = _KEY.sub(_hidden, text)
    parts: list[str] = []
    at = kept = 0
    while sign := _SIGN.search(text, at):
        if found := _MARKUP.match(text, sign.start()):
            at = found.end()
            parts += text[kept : sign.start()], _hidden(found)
            kept = at
        else:
            at = sign.end()
    text = "".join((*parts, text[kept:]))
    return _ADDRESS.sub(_hidden, text) if ":/" in text or ":\\" in text else text


def _hidden(found: re.Match[str]) -> str:
    return _SEEN.sub(HIDDEN, found[0])
