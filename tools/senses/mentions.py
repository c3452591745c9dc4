"""The names of notes that a question mentions, whole or in part: Kafka, for "Franz Kafka". Pure."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from tools.text.stopwords import META, NOTING, STOP, TURKISH_STOP
from tools.text.tokens import WORD, words_of

MOST_NAMES = 24
"""A word in more names than these is no name of one thing: "meeting", "recipe"."""
_LONGEST = 6
"""Words of a mention."""
_SHORTEST_PLURAL = 3
"""Letters of a word that is never read as a plural."""
_IDLE = STOP | TURKISH_STOP | META | NOTING


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a question that are one of the ``names``, or stand in each of them side by side."""

    words: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """The words as one folded name: what a choice is remembered by."""
        return " ".join(self.words)


def find_mentions(question: str, names: Set[str]) -> list[Mention]:
    """The longest runs of words that names have, none within another, in their order.

    ``names`` are as ``fold_name`` writes them. A run begins and ends with a word that says
    something.
    """
    words = name_words(question)
    joined = _joined(frozenset(names))
    telling = {own for word, own in _with_singular(question) if word not in _IDLE}
    known = {word: _names_with(word, joined) for word in telling}
    found: list[Mention] = []
    start = 0
    while start < len(words):
        mention = _longest_at(words, start, known)
        if mention is None:
            start += 1
        else:
            found.append(mention)
            start += len(mention.words)
    return found


def left_over(question: str, mention: Mention) -> tuple[str, ...]:
    """The words of the question that say something, but for those of the mention."""
    return tuple(
        word
        for word, own in _with_singular(question)
        if own not in mention.words and word not in _IDLE
    )


def contains(text: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words stand side by side in the text."""
    return bool(words) and place_of(words, text) is not None


def place_of(words: Sequence[str], text: Sequence[str]) -> int | None:
    """Where the words begin in the text."""
    size = len(words)
    spans = range(len(text) - size + 1)
    return next((at for at in spans if tuple(text[at : at + size]) == tuple(words)), None)


def _longest_at(
    words: Sequence[str], start: int, known: dict[str, tuple[str, ...]]
) -> Mention | None:
    if not known.get(words[start]):
        return None
    for end in range(min(len(words), start + _LONGEST), start, -1):
        run = tuple(words[start:end])
        if run[-1] in known and (named := _with_run(run, known[run[0]])):
            return Mention(run, named) if len({*map(name_key, named)}) <= MOST_NAMES else None
    return None


def _with_run(run: tuple[str, ...], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if contains(name_words(name), run))


@lru_cache(maxsize=4)
def _joined(names: frozenset[str]) -> str:
    """All names in one text: ten thousand are looked through at once, not one by one."""
    return "\n".join(["", *sorted(names), ""])


def _names_with(word: str, joined: str) -> tuple[str, ...]:
    """The names that have the letters of the word."""
    found: list[str] = []
    at = joined.find(word)
    while at >= 0:
        start, end = joined.rfind("\n", 0, at) + 1, joined.find("\n", at)
        found.append(joined[start:end])
        at = joined.find(word, end)
    return tuple(found)


def written_as(mention: Mention, name: str) -> str:
    """The words of the mention as a name that has them writes them."""
    words = WORD.findall(name)
    at = place_of(mention.words, name_words(name))
    return " ".join(words[at : at + len(mention.words)]) if at is not None else mention.name


def name_key(name: str) -> str:
    """What a name is known by, however it is written."""
    return " ".join(name_words(name))


@lru_cache(maxsize=2048)
def name_words(text: str) -> tuple[str, ...]:
    """The folded words of a name or text, as mentions have them: "Peppers" mentions "pepper"."""
    return tuple(own for _, own in _with_singular(text))


def _with_singular(text: str) -> list[tuple[str, str]]:
    """The words of a text, each with what is left of it without the ending of a plural."""
    return [(word, _singular(word)) for word in words_of(text)]


def _singular(word: str) -> str:
    plural = len(word) > _SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word
