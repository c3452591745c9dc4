"""Which blocks of the notes that were found say what is asked. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tools.text.idf import idf
from tools.text.stemming import fold_word, stem

_WORD = re.compile(r"[^\W_]+")
_K1, _B = 1.2, 0.75
"""The usual constants of BM25 (Robertson and Zaragoza 2009)."""
# A block answers the one before it and is taken up by the one after: what they say counts in part.
# Chosen on four public conversations, where 0.3 and 0.15 or 0.5 and 0.3 do as well.
_BEFORE, _AFTER = 0.4, 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteBlock:
    """A block of a note that was found; ``note_score`` in [0, 1] says how well the note fits."""

    note_path: str
    note_score: float
    text: str


def block_scores(
    blocks: Sequence[NoteBlock], words: Iterable[str], *, turkish: bool = False
) -> list[float]:
    """How well each block fits, in [0, 1]: the mean of its note's score and of its words' own.

    ``blocks`` stand in the order of their notes, so that neighbours follow each other. The words'
    score is the root of the BM25 over the greatest that ``words`` allow, in which a neighbour's
    words count in part.
    """

    def key(word: str) -> str:
        return stem(fold_word(word), turkish=turkish)

    wanted = {key(word) for word in words}
    said = [Counter(map(key, _WORD.findall(block.text))) for block in blocks]
    counts = [{one: float(own[one]) for one in wanted & own.keys()} for own in said]
    lengths = [float(own.total()) for own in said]
    around = [dict(own) for own in counts]
    sizes = list(lengths)
    for at, (block, next_one) in enumerate(pairwise(blocks)):
        if block.note_path == next_one.note_path:
            for near, far, share in ((at + 1, at, _BEFORE), (at, at + 1, _AFTER)):
                sizes[near] += share * lengths[far]
                for one, count in counts[far].items():
                    around[near][one] = around[near].get(one, 0.0) + share * count
    rare = idf(wanted, [own.keys() for own in around])
    greatest = (_K1 + 1.0) * sum(rare.values())
    average = sum(sizes) / len(sizes) if sizes else 1.0
    return [
        (block.note_score + _own(found, rare, greatest, size / (average or 1.0))) / 2.0
        for block, found, size in zip(blocks, around, sizes, strict=True)
    ]


def _own(
    found: Mapping[str, float], rare: Mapping[str, float], greatest: float, size: float
) -> float:
    norm = _K1 * (1.0 - _B + _B * size)
    bm25 = sum(rare[s] * n * (_K1 + 1.0) / (n + norm) for s, n in found.items())
    return math.sqrt(bm25 / greatest) if greatest else 0.0
