"""What a person with ripgrep would find: the baseline that every search must beat.

Notes and lines that hold the most distinct content words of the question, literally, whatever the
case; among equals the note with more such lines.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from evals.retrieval.places import Place
from evals.retrieval.search import Page
from tools.text.normalize import fold
from tools.text.stopwords import SEARCH_STOP

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


class Grep:
    """The lines of a vault, to be looked through for many questions."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self._pages = pages

    @cached_property
    def _lines(self) -> Mapping[str, Sequence[str]]:
        return {path: [*map(str.lower, page.lines)] for path, page in self._pages.items()}

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        return {path: "\n".join(lines) for path, lines in self._lines.items()}

    def notes(self, question: str) -> list[Place]:
        """Every note with one of the words, best first."""
        words = content_words(question)
        scored: list[tuple[int, int, str]] = []
        for path, text in self._texts.items():
            held = [word for word in words if word in text]
            if held:
                lines = sum(any(word in line for word in held) for line in self._lines[path])
                scored.append((-len(held), -lines, path))
        return [
            Place(note_path=path, block_id=None, score=-held / len(words))
            for held, _, path in sorted(scored)
        ]

    def blocks(self, question: str) -> list[Place]:
        """Every block with a line that has one of the words, best first."""
        words = content_words(question)
        ranks = {place.note_path: rank for rank, place in enumerate(self.notes(question))}
        scored: dict[tuple[str, str], tuple[int, int, int]] = {}
        for path, rank in ranks.items():
            for block in self._pages[path].blocks:
                for number in range(block.line_start, block.line_end + 1):
                    line = self._lines[path][number - 1]
                    held = sum(word in line for word in words)
                    if held:
                        best = scored.get((path, block.block_id), (0, 0, 0))
                        scored[path, block.block_id] = min(best, (-held, rank, number))
        return [
            Place(note_path=path, block_id=block, score=-scored[path, block][0] / len(words))
            for path, block in sorted(scored, key=lambda place: scored[place])
        ]


def content_words(question: str) -> list[str]:
    """The question's words in lower case, each once, without those that no text is about."""
    words = list(dict.fromkeys(_WORD.findall(question.lower())))
    return [word for word in words if len(word) > 1 and fold(word) not in SEARCH_STOP] or words
