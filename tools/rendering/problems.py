"""What is wrong with notes, in few lines. Pure."""

from collections.abc import Iterable, Sequence

from tools.base.domain import Problem


def by_message(problems: Iterable[Problem]) -> dict[str, list[str]]:
    """The notes that have each kind of problem."""
    grouped: dict[str, list[str]] = {}
    for problem in problems:
        grouped.setdefault(problem.message, []).append(problem.note_path)
    return grouped


def some_of(paths: Sequence[str], *, most: int, of: int | None = None) -> str:
    """The first of them by name, and how many more there are; ``of`` counts all, named or not."""
    more = (len(paths) if of is None else of) - most
    return ", ".join(paths[:most]) + (f" and {more} more" if more > 0 else "")
