"""Where a note has the name of another in its running words, without a link. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from tools.base.domain import Note
from tools.links.prose import prose
from tools.temporal.periods.vocabulary import MONTH
from tools.text.normalize import flatten, fold, fold_name

_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")
"""A word, its accents as letters of their own or not; an apostrophe ends it: Ada's, Ada'nın."""
_JOINED = frozenset((" ", "-", "_"))
"""Between two words these are the same: file names have the one, prose another."""
_CONTRACTED = frozenset(("t", "re", "ve", "ll", "d", "m"))
_BEFORE = frozenset("/\\@#._-'’&=+~:")
_AFTER = frozenset("/\\@_-=+&(")
_NAMING = re.compile(r"[^\W\d_]|\d{4}-\d\d-\d\d")
"""A name has a letter, or is a day: other numbers stand everywhere."""
_DAY = re.compile(r"(?<![\w.,])\d{1,2}(?:\.|st|nd|rd|th)?(?: of)? $")
_MONTH = re.compile(MONTH)
"""Behind a day a month is part of a date: "19 May 2024" does not mean the note of May 2024."""
_ALONE = (1,)
_APOSTROPHES = frozenset("'’")
_SHORTEST, _SHORTEST_PLURAL = 2, 4
"""Characters of a name, and of a word that may be a plural."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """The name of the note at ``path`` as ``words`` from ``start`` to ``end`` of a line.

    Lines are counted from 1, characters of the line as it stands in the note from 0. ``name`` is
    what the note is called where it is called that most nearly.
    """

    path: str
    name: str
    words: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """What a note is called as it is written, and what of it stands around its words, folded."""

    path: str
    written: str
    before: str
    between: tuple[str, ...]
    after: str


type _Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameIndex:
    """The names of a vault's notes by their words.

    ``sizes`` are how many words those of several have, by ``_beginning``, the most first.
    """

    names: dict[_Words, list[_Name]] = field(default_factory=dict[_Words, list[_Name]])
    sizes: dict[_Words, tuple[int, ...]] = field(default_factory=dict[_Words, tuple[int, ...]])


class _Token(NamedTuple):
    """A folded word; a tuple, since a note has thousands."""

    word: str
    start: int
    end: int


def index_names(names: Iterable[tuple[str, str]]) -> NameIndex:
    """An index of (name, path) pairs: titles, file names and aliases as they are written.

    A note's whole path is no name that a sentence has. A name that is given with capitals and
    without counts as written with them.
    """
    index = NameIndex()
    sizes: dict[_Words, set[int]] = {}
    given = dict.fromkeys(names)
    capital = {(fold(name), path) for name, path in given if not name.islower()}
    for written, path in given:
        if written.islower() and (fold(written), path) in capital:
            continue
        name = " ".join(written.split()).removesuffix(".md")
        tokens = _tokens(name)
        if (
            len(name) < _SHORTEST
            or not _NAMING.search(name)
            or ("/" in name and fold_name(name) == fold_name(path))
        ):
            continue
        words = _key(tokens)
        index.names.setdefault(words, []).append(
            _Name(
                path=path,
                written=name,
                before=fold(name[: tokens[0].start]),
                between=_between(name, tokens),
                after=fold(name[tokens[-1].end :]),
            )
        )
        if len(words) > 1:
            sizes.setdefault(_beginning(words), set()).add(len(words))
    index.sizes.update((begun, tuple(sorted(own, reverse=True))) for begun, own in sizes.items())
    return index


def find_mentions(note: Note, index: NameIndex, *, linked: Set[str] = frozenset()) -> list[Mention]:
    """Each place where the note has another's name in words: the longest, none within another.

    None are the note's own name, one that several notes have, and those of the notes at ``linked``.
    """
    left_out = linked | {note.path}
    return [
        mention
        for line, text in prose(note)
        for mention in _in_line(text, line, index)
        if mention.path not in left_out
    ]


def _in_line(text: str, line: int, index: NameIndex) -> Iterator[Mention]:
    tokens = _tokens(text)
    behind = 0
    for at in range(len(tokens)):
        if at < behind or not (sizes := _sizes(tokens[at : at + 2], index)):
            continue
        size, names = _longest(text, tokens[at : at + sizes[0]], sizes, index)
        behind = at + size
        if len({name.path for name in names}) == 1:
            yield _mention(text, line, tokens[at:behind], names)


def _sizes(run: Sequence[_Token], index: NameIndex) -> tuple[int, ...]:
    """How many words the names have that may begin with two, the most first."""
    alone = _ALONE if (_singular(run[0].word),) in index.names else ()
    return index.sizes.get(_beginning([token.word for token in run]), ()) + alone


def _beginning(words: Sequence[str]) -> _Words:
    """What names of several words are known by: a first word, such as "the", tells too little."""
    return words[0], _singular(words[1]) if len(words) > 1 else ""


def _longest(
    text: str, tokens: Sequence[_Token], sizes: Iterable[int], index: NameIndex
) -> tuple[int, Sequence[_Name]]:
    """How many of the first words are a name, and whose; none and nobody's if none are."""
    for size in sizes:
        run = tokens[:size]
        if len(run) == size and (names := index.names.get(_key(run))):
            between = _between(text, run)
            if same := [name for name in names if _stands(name, text, run, between)]:
                return size, same
    return 0, ()


def _stands(name: _Name, text: str, run: Sequence[_Token], between: tuple[str, ...]) -> bool:
    """Whether a name stands at some words of a text with its signs, and as words of its own."""
    start, end = run[0].start - len(name.before), run[-1].end + len(name.after)
    if (
        between != name.between
        or start < 0
        or (name.before and fold(text[start : run[0].start]) != name.before)
        or (name.after and fold(text[run[-1].end : end]) != name.after)
        or text[max(start - 1, 0) : start] in _BEFORE
        or (_DAY.search(text, max(start - 12, 0), start) and _MONTH.match(flatten(text[start:end])))
        or not _same_case(name.written, text[start:end])
    ):
        return False
    behind, further = text[end : end + 1], text[end + 1 : end + 2]
    if behind in _APOSTROPHES and (ending := _WORD.match(text, end + 1)):
        return fold(ending[0]) not in _CONTRACTED
    return behind not in _AFTER and not (behind in ".:" and further.isalnum())


def _same_case(name: str, words: str) -> bool:
    """Whether words may be a name by their capitals: DID is never "did", nor Json "JSON"."""
    own, said = name.removesuffix("s"), words.removesuffix("s")
    return own == said or name.islower() or not (own.isupper() or said.isupper())


def _mention(text: str, line: int, run: Sequence[_Token], names: Sequence[_Name]) -> Mention:
    before, after = len(names[0].before), len(names[0].after)
    start, end = run[0].start - before, run[-1].end + after
    words = text[start:end]
    written = {name.written for name in names}
    name = words if words in written else names[-1].written
    return Mention(path=names[0].path, name=name, words=words, line=line, start=start, end=end)


def _tokens(text: str) -> list[_Token]:
    if text.isascii():  # folded at once, every letter stays at its place
        return [_Token(found[0], *found.span()) for found in _WORD.finditer(text.lower())]
    return [_Token(fold(found[0]), *found.span()) for found in _WORD.finditer(text)]


def _singular(word: str) -> str:
    plural = len(word) >= _SHORTEST_PLURAL and word[-1] == "s" and word[-2] != "s"
    return word[:-1] if plural else word


def _key(run: Sequence[_Token]) -> _Words:
    """The words, of the last what is left of it without the ending of a plural."""
    return (*(token.word for token in run[:-1]), _singular(run[-1].word))


def _between(text: str, run: Sequence[_Token]) -> tuple[str, ...]:
    """What stands between the words, but for how wide a space is, and which of ``_JOINED``."""
    gaps = (fold(" ".join(f"<{text[a.end : b.start]}>".split())) for a, b in pairwise(run))
    return tuple("< >" if gap[1:-1] in _JOINED else gap for gap in gaps)
