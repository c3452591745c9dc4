"""The notes whose very name is what is asked: "spaced repetition", "What is Agora?"."""

import re

from agents.targets import wanted
from graphs.deps import Deps
from tools.domain import QueryPlan
from tools.text.normalize import fold, fold_name
from tools.text.stopwords import META, STOP, TURKISH_STOP

_IDLE = STOP | TURKISH_STOP | META
_MOST_IDLE = 6
"""Words that only ask, before a name or behind it."""
_EDGE = re.compile(r"^[\s\"'“”«(\[]+|[\s\"'“”»)\]?!.,;:]+$")


def asked_notes(plan: QueryPlan, deps: Deps) -> tuple[str, ...]:
    """Paths of the notes with the longest name that is all the question asks for, best first.

    Only words that ask may stand around it, so a name that is a part of what is asked is none. Of a
    name whose sense was chosen they are the notes of that sense.
    """
    if plan.sense is not None:
        return plan.sense.notes
    words = wanted(plan).split()
    names = deps.catalog.name_set()
    before = _idle(words)
    behind = _idle(words[::-1])
    spans = [
        (start, len(words) - end)
        for start in range(before + 1)
        for end in range(min(behind, len(words) - start - 1) + 1)
    ]
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        whole = " ".join(words[start:end])
        for name in (whole, _EDGE.sub("", whole)):
            if fold_name(name) in names:
                return deps.catalog.resolve(name)
    return ()


def _idle(words: list[str]) -> int:
    """How many words there are before the first that says what is looked for."""
    for count, word in enumerate(words[:_MOST_IDLE]):
        if fold(_EDGE.sub("", word)) not in _IDLE:
            return count
    return min(len(words), _MOST_IDLE)
