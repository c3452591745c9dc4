"""How much of what is asked a text has. Pure."""

from collections.abc import Callable, Sequence

from tools.text.normalize import fold
from tools.text.tokens import beginnings, stems, stems_in


def coverage(text: str, words: Sequence[str]) -> float:
    """Share of ``words`` (folded) that the text has, from 0 to 1."""
    return covering(words)(text)


def covering(words: Sequence[str]) -> Callable[[str], float]:
    """``coverage`` of the same words for many texts."""
    wanted = stems(words)

    def covered(text: str) -> float:
        present = wanted.intersection(stems_in(text))
        return len(present) / len(wanted) if wanted else 0.0

    return covered


def having_all(words: Sequence[str]) -> Callable[[str], bool]:
    """Whether ``coverage`` of the same words is 1: of most texts a look at the letters tells."""
    wanted = stems(words)
    begun = [beginnings(stem) for stem in wanted]

    def has_all(text: str) -> bool:
        if not wanted:
            return False
        folded = fold(text)
        if not all(any(map(folded.__contains__, some)) for some in begun):
            return False
        return wanted.issubset(stems_in(text))

    return has_all
