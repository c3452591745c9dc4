"""How much of what is asked a text has. Pure."""

from collections.abc import Callable, Sequence

from tools.text.tokens import stems, stems_in


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
