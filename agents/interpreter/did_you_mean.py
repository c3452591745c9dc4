"""Names near a word that no note is called by: "did you mean".

OSA distance (Damerau–Levenshtein with each stretch edited once) counts a swap of neighbours as one
slip, as typing does.
"""

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from agents.interpreter.plan import with_replaced_mention
from tools.base.domain import QueryPlan
from tools.text.normalize import fold_name
from tools.text.stopwords import META, STOP, TURKISH_STOP

MAX_SUGGESTIONS = 3
MIN_LETTERS = 5
"""Shorter words lie too near to other words to be called typos of them."""
SURE_LETTERS = 8
"""From here on one letter in the place of another is a slip; below it makes house of horse."""

_COMMON = STOP | TURKISH_STOP | META


def near_names(concept: str, names: Set[str]) -> tuple[str, ...]:
    """At most three names that ``concept`` may be a slip of, nearest first.

    ``names`` are as ``fold_name`` writes them. None are near where a name equals or contains the
    concept, and none for common or short words.
    """
    folded = fold_name(concept)
    if len(folded) < MIN_LETTERS or all(word in _COMMON for word in folded.split()):
        return ()
    if folded in _joined(frozenset(names)):
        return ()
    near = process.extract(
        folded, list(names), scorer=OSA.distance, score_cutoff=_slips(folded), limit=None
    )
    ranked = sorted((distance, name) for name, distance, _ in near if _may_be_slip(folded, name))
    return tuple(name for _, name in ranked)[:MAX_SUGGESTIONS]


@lru_cache(maxsize=4)
def _joined(names: frozenset[str]) -> str:
    """All names in one text: ten thousand are looked through at once, not one by one."""
    return "\n".join(names)


def respelled(plan: QueryPlan, near: Mapping[str, Sequence[str]]) -> QueryPlan:
    """The plan with each thing that has one near title called by it; else the plan itself."""
    for concept, titles in near.items():
        written = re.compile(rf"(?<!\w){re.escape(concept)}(?!\w)", re.IGNORECASE)
        if len(titles) == 1 and written.search(plan.reading.question):
            plan = with_replaced_mention(plan, written, titles[0])
    return plan


def _slips(folded: str) -> int:
    """How many slips to forgive: one in a short name, three in a long one."""
    if len(folded) < SURE_LETTERS:
        return 1
    return 2 if len(folded) < 2 * SURE_LETTERS else 3


def _may_be_slip(folded: str, name: str) -> bool:
    """In a short word only a letter too many, too few or swapped, never another first letter."""
    if len(folded) >= SURE_LETTERS:
        return True
    return folded[0] == name[0] and (len(folded) != len(name) or sorted(folded) == sorted(name))
