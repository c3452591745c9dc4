"""What is wrong with notes, in few lines. Pure."""

from collections.abc import Iterable, Sequence

from tools.domain import Problem


def by_message(problems: Iterable[Problem]) -> dict[str, list[str]]:
    """The notes that have each kind of problem."""
    grouped: dict[str, list[str]] = {}
    for problem in problems:
        grouped.setdefault(problem.message, []).append(problem.note_path)
    return grouped


def some_of(paths: Sequence[str], *, most: int) -> str:
    """The first of them by name, and how many more there are."""
    more = f" and {len(paths) - most} more" if len(paths) > most else ""
    return f"{', '.join(paths[:most])}{more}"
