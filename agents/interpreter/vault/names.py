"""The names of a vault's tags and folders as a question may write them. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Self

from rapidfuzz import fuzz, process

from agents.interpreter.wording.name_forms import as_named
from tools.text.normalize import fold, fold_name
from tools.text.stemming import stem

_ORDERING = re.compile(r"^[\W\d_]+(?=[^\W\d_])")
"""What stands before a folder's name to keep it in its place: "02 - Areas"."""
_LEVEL = re.compile(r"[/.]")
_NUMBER = re.compile(r"\d+")
_LEAST_ALIKE = 70.0
"""Per cent of the letters, word by word, that a description shares at least with a name."""
_SLIP = 85.0
"""Per cent of the letters, in their order, that a name with a slip in it shares at least."""
_ALIKE, _MOST = 65.0, 3
"""Per cent of the letters that names near each other share at least; how many are named."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names of one kind, each as it is looked up, and what it stands for."""

    known: Mapping[str, Set[str]] = field(default_factory=dict[str, set[str]])

    @classmethod
    def of_tags(cls, tags: Iterable[str]) -> Self:
        """Each tag and those above it, folded; one that ends so, where none is called so."""
        known: dict[str, set[str]] = {}
        ends: dict[str, set[str]] = {}
        for tag in map(fold, tags):
            levels = [level.span() for level in _LEVEL.finditer(tag)]
            for over in (*(tag[:at] for at, _ in levels), tag):
                known.setdefault(_plain(over), set()).add(over)
                for _, at in levels:
                    if at < len(over):
                        ends.setdefault(_plain(over[at:]), set()).add(over)
        return cls({**ends, **known})

    @classmethod
    def of_folders(cls, folders: Iterable[str]) -> Self:
        """Each folder by its own name, and with those above it before it."""
        known: dict[str, set[str]] = {}
        for folder in folders:
            parts = re.split(r"[/.]", folder)
            for at in range(len(parts)):
                known.setdefault(_plain("/".join(parts[at:])), set()).add(folder)
        return cls(known)

    def resolve(self, name: str, *, turkish: bool) -> Set[str]:
        """What is called so, be it in another form of the word; nothing if there is none."""
        plain = _plain(name)
        if plain in self.known:
            return self.known[plain]
        return self.known.get(fold_name(as_named(plain, self.known.keys(), turkish=turkish)), set())

    def of_stem(self, name: str, *, turkish: bool) -> Set[str]:
        """What is called by a word of the same stem: "meeting" names ``meet``."""
        sought = stem(_plain(name), turkish=turkish)
        called = (one for one in self.known if stem(one, turkish=turkish) == sought)
        return {meant for one in called for meant in self.known[one]}

    def with_name(self, name: str) -> Self:
        """The names and one more."""
        return type(self)({**self.known, _plain(name): {name}})

    def near(self, name: str) -> tuple[str, ...]:
        """What may be meant by a name that nothing has."""
        found = (one for near in nearest(_plain(name), self.known) for one in self.known[near])
        return tuple(dict.fromkeys(found))


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """The names that are most like one, by their letters; none where none is much alike."""
    found = process.extract(name, list(names), scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=_MOST)
    return [one for one, _, _ in found]


def described(description: str, names: Iterable[str]) -> str | None:
    """The one name that is like a description of several words, whatever their order.

    A number that is told has to stand in the name: the meeting of 2021 is not that of 2022. A name
    with a slip in it is no description.
    """
    told, numbers = _words(description), {*_NUMBER.findall(description)}
    if " " not in told:
        return None
    words = {name: _words(name) for name in names if numbers <= {*_NUMBER.findall(name)}}
    scorer, least = fuzz.token_sort_ratio, _LEAST_ALIKE
    found = process.extract(told, words, scorer=scorer, score_cutoff=least, limit=2)
    several = len(found) > 1 and found[0][1] == found[1][1] and found[0][0] != found[1][0]
    if not found or several:
        return None
    like, _, name = found[0]
    slip = told != like and told.count(" ") == like.count(" ")
    return None if slip and fuzz.ratio(told, like) >= _SLIP else name


def innermost(named: Sequence[Set[str]]) -> set[str]:
    """The folders that names stand for, but one that only says where another's lie.

    "My council stories" are those in ``stories/council``; "work and home" are two.
    """
    kept = set[str]()
    for at, own in enumerate(named):
        others = [folder for own in (*named[:at], *named[at + 1 :]) for folder in own]
        if not any(_lies_in(other, folder) for other in others for folder in own):
            lying = {folder for folder in own if any(_lies_in(folder, one) for one in others)}
            kept |= lying or own
    return kept


def _lies_in(inner: str, folder: str) -> bool:
    return inner.startswith((f"{folder}/", f"{folder}."))


def _words(text: str) -> str:
    return re.sub(r"[\W_]+", " ", fold(text)).strip()


def _plain(name: str) -> str:
    """The words of a name alone: without signs and what only orders."""
    parts = (_ORDERING.sub("", part) for part in re.split(r"[/.]", fold(name).strip("#/. ")))
    return " ".join(re.sub(r"[\W_]+", " ", part).strip() for part in parts if part).strip()
