"""Plans and what came of them: notes that tell the one where the other is asked for. Pure."""

from collections.abc import Sequence

from tools.domain import Result
from tools.evidence import covering
from tools.tense import Tense, against, agrees

_ON_TOPIC = 0.5
"""Share of the words that both must have to be on one thing."""


def as_asked_first(
    results: Sequence[Result], words: Sequence[str], asked: Tense
) -> tuple[Result, ...]:
    """The results, where the first tells a plan and the outcome is asked for, that note before it.

    It must say as many of ``words`` as the plan does. The other way round where a plan is asked
    for.
    """
    given = tuple(results)
    if not (given and _said(given[0]) and against(_said(given[0]), asked)):
        return given
    covered = covering(words)
    least = max(_ON_TOPIC, covered(_said(given[0])))
    for result in given[1:]:
        said = _said(result)
        if not result.superseded and agrees(said, asked) and covered(said) >= least:
            return (result, *(one for one in given if one is not result))
    return given


def _said(result: Result) -> str:
    """The line that is quoted first of a note."""
    return result.excerpts[0].text if result.excerpts else ""
