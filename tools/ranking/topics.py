"""Which of some notes are on a topic: what is seen of each, weighed as people judged it. Pure.

The weights are those of a logistic regression, learned by ``evals/fitting/topics.py`` from
questions that people answered by reading the notes.
"""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

WEIGHTS = Path(__file__).with_name("topic_weights.json")
_SURE = 0.98
"""Of a similarity no more is taken, and no less than what is left to 1: log odds have no end."""


class Seen(NamedTuple):
    """What is seen of a note beside a topic, each in [0, 1].

    ``similar`` is the similarity of its passage that is most like it. Of the topic's words, by
    their rarity, so many are ``said`` in it and ``headed``, in its title, headings or other names.
    """

    similar: float
    said: float
    headed: float


FEATURES = (*Seen._fields, *(f"less_{name}" for name in Seen._fields), "constant")
"""Further what it has less than the best of the notes among which is chosen."""


def features(seen: Mapping[str, Seen]) -> dict[str, tuple[float, ...]]:
    """The ``FEATURES`` of each note, by its path; its similarity in log odds."""
    rows = {path: one._replace(similar=_log_odds(one.similar)) for path, one in seen.items()}
    best = [max(column) for column in zip(*rows.values(), strict=True)]
    return {
        path: (*row, *(most - own for most, own in zip(best, row, strict=True)), 1.0)
        for path, row in rows.items()
    }


def _log_odds(share: float) -> float:
    bounded = min(_SURE, max(1.0 - _SURE, share))
    return math.log(bounded / (1.0 - bounded))


def on_topic(seen: Mapping[str, Seen]) -> set[str]:
    """The notes that are on the topic rather than not."""
    return {path for path, own in features(seen).items() if math.sumprod(_weights(), own) >= 0.0}


@cache
def _weights() -> tuple[float, ...]:
    kept = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return tuple(kept[name] for name in FEATURES)
