"""The words of two texts that the other does not have in the same place. Pure."""

import difflib
import re

from tools.text.normalize import fold

type Ranges = list[tuple[int, int]]
"""From where to where (characters), in order."""

_WORD = re.compile(r"\w+(?:[-'’.,:/]\w+)*")


def differing_words(a: str, b: str) -> tuple[Ranges, Ranges]:
    """Where each text has words that the other has not; neighbouring ones are one range."""
    words = [[*_WORD.finditer(text)] for text in (a, b)]
    folded = [[fold(word[0]) for word in own] for own in words]
    opcodes = difflib.SequenceMatcher(None, *folded, autojunk=False).get_opcodes()
    found: tuple[Ranges, Ranges] = ([], [])
    for kind, *ends in opcodes:
        if kind == "equal":
            continue
        for side, (first, end) in enumerate((ends[:2], ends[2:])):
            if first < end:
                found[side].append((words[side][first].start(), words[side][end - 1].end()))
    return found
