"""How rare each word is among some texts. Pure."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence, Set


def idf(stems: Iterable[str], texts: Sequence[Set[str]]) -> dict[str, float]:
    """Inverse document frequency of each stem (Robertson and Spärck Jones) over stemmed texts.

    The sum of one and the ratio keeps it above zero. The stems come in alphabetical order, so that
    a sum of these figures is the same to the last digit in every process.
    """
    wanted, total = frozenset(stems), len(texts)
    having = Counter(stem for text in texts for stem in wanted & text)
    return {
        s: math.log(1.0 + (total - having[s] + 0.5) / (having[s] + 0.5)) for s in sorted(wanted)
    }
