"""A note's name that is all a question asks for: "spaced repetition", "What is Agora?". Pure."""

import re
from collections.abc import Container, Sequence

from tools.text.normalize import fold, fold_name
from tools.text.stopwords import META, STOP, TURKISH_STOP

_IDLE = STOP | TURKISH_STOP | META
_MOST_IDLE = 6
"""Words that only ask, before a name or behind it."""
_EDGE = re.compile(r"^[\s\"'“”«(\[]+|[\s\"'“”»)\]?!.,;:]+$")


def whole_name(question: str, names: Container[str]) -> str | None:
    """The longest of the ``names`` (as ``fold_name`` writes them) that is all a question asks for.

    As the question has it. Only words that ask may stand around it, so a name that is a part of
    what is asked is none.
    """
    words = question.split()
    before, behind = _idle(words), _idle(words[::-1])
    spans = [
        (start, len(words) - end)
        for start in range(before + 1)
        for end in range(min(behind, len(words) - start - 1) + 1)
    ]
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        whole = " ".join(words[start:end])
        for name in (whole, _EDGE.sub("", whole)):
            if fold_name(name) in names:
                return name
    return None


def _idle(words: Sequence[str]) -> int:
    """How many words there are before the first that says what is looked for."""
    for count, word in enumerate(words[:_MOST_IDLE]):
        if fold(_EDGE.sub("", word)) not in _IDLE:
            return count
    return min(len(words), _MOST_IDLE)
