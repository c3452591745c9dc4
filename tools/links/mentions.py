"""Names of other notes that stand in a note's text and are no links. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tools.text.markdown.links import CODE, COMMENT, LINK
from tools.text.normalize import fold
from tools.text.tokens import TAG, WORD
from tools.vault.notes.markdown import text_lines

_NO_TEXT = re.compile(
    rf"{CODE}|{COMMENT}|{LINK}|\$[^$\n]+\$|<[^<>\n]*>|\b[a-z][a-z0-9+.-]*://\S+|{TAG}"
    r"|\[\[|\[\^[^\]\n]*\]|^\s*\[[^\]\n]*\]:.*|(?<![\w:])[^\W\d_][\w /'-]{0,59}::",
)
"""Code, comments, links, formulas, tags, addresses, footnotes and the keys of inline fields."""
_LONGEST_NAME = 12
"""Words of a name; a longer one is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Words of a note that are another note's name: characters ``start`` to ``end`` of a line."""

    path: str
    words: str
    line: int
    start: int
    end: int


class NameIndex:
    """The names of notes by their first word, so that a text is gone through once."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """``names`` are (folded name, path) pairs, the best note for a name last."""
        self._by_first: dict[str, dict[tuple[str, ...], str]] = defaultdict(dict)
        self._longest: dict[str, int] = {}
        for name, path in names:
            words = tuple(WORD.findall(name.rpartition("/")[2]))
            if words and len(words) <= _LONGEST_NAME:
                self._by_first[words[0]][words] = path
                self._longest[words[0]] = max(self._longest.get(words[0], 0), len(words))

    def mentions(self, text: str) -> Iterator[Mention]:
        """Every mention in a whole file, the longest names first where they overlap."""
        lines = text.split("\n")
        for number in text_lines(text):
            yield from self._in_line(lines[number - 1], number)

    def _in_line(self, line: str, number: int) -> Iterator[Mention]:
        plain = _NO_TEXT.sub(lambda found: "\0" * len(found[0]), line)
        tokens = [(found.start(), found.end()) for found in WORD.finditer(plain)]
        words = [fold(plain[start:end]) for start, end in tokens]
        at = 0
        while at < len(words):
            count, path = self._name_at(words, at)
            start, end = tokens[at][0], tokens[at + max(count, 1) - 1][1]
            if path is not None and "\0" not in plain[start:end]:
                yield Mention(path=path, words=line[start:end], line=number, start=start, end=end)
                at += count
            else:
                at += 1

    def _name_at(self, words: Sequence[str], at: int) -> tuple[int, str | None]:
        """How many words the longest name has that begins there, and the note that it names."""
        known = self._by_first.get(words[at], {})
        longest = min(self._longest.get(words[at], 0), len(words) - at)
        for count in range(longest, 0, -1):
            if path := known.get(tuple(words[at : at + count])):
                return count, path
        return 0, None
