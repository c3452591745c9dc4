"""A note that carries the name asked about, as far as its sense is told by it. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from tools.senses.mentions import Mention, contains, name_words
from tools.text.normalize import flatten
from tools.text.stopwords import STOP, TURKISH_STOP
from tools.text.tokens import stem

_DATED = re.compile(r"\b\d{4}-\d{2}|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_READ = 6000
"""Characters of a note that are looked at."""
_IDLE = STOP | TURKISH_STOP


@dataclass(frozen=True, kw_only=True)
class NamedNote:
    """A note that carries the name asked about: what it is called, where it lies, what it says.

    ``names`` are its title, file name and aliases, folded. ``folder_information`` is of each of its
    folders, the outermost first, minus the logarithm of the share of all notes that lie within.
    ``vector`` is of how it begins, of length one; None where meaning is not known.
    """

    path: str
    title: str
    names: frozenset[str]
    text: str
    folder_information: tuple[float, ...] = ()
    vector: Sequence[float] | None = None

    @cached_property
    def words(self) -> tuple[str, ...]:
        return name_words(self.text[:_READ])

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the words that say something."""
        return frozenset(stem(word) for word in self.words if word not in _IDLE and len(word) > 2)

    @property
    def folder(self) -> tuple[str, ...]:
        return PurePosixPath(self.path).parts[:-1]

    @property
    def dated(self) -> bool:
        """Whether its file name or title has a date, as notes of meetings do."""
        return any(map(_DATED.search, (self.title, PurePosixPath(self.path).stem)))

    def name_for(self, mention: Mention) -> str:
        """The shortest of its names that has the mention, as its title or file name writes it."""
        written = (self.title, PurePosixPath(self.path).stem, *sorted(self.names))
        carrying = [name for name in written if contains(name_words(name), mention.words)]
        return min(carrying, key=lambda name: len(name_words(name)), default=self.title)

    def proper(self, mention: Mention) -> float:
        """The share of mentions that its text writes with a capital; a half where it has none."""
        text = self.text[:_READ]
        words = r"[\W_]+".join(map(re.escape, mention.words))
        capital = [text[one.start()].isupper() for one in re.finditer(rf"\b{words}", flatten(text))]
        return sum(capital) / len(capital) if capital else 0.5
