"""Which of some notes are on a topic: what is seen of each, weighed as people judged it. Pure.

The weights are those of a logistic regression, learned by ``evals/fit_topics.py`` from questions
that people answered by reading the notes.
"""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

WEIGHTS = Path(__file__).with_name("topic_weights.json")
ON = 0.4
"""From this probability on a note is on a topic: chosen with the weights, by leaving vaults out."""


class Seen(NamedTuple):
    """What is seen of a note beside a topic, each in [0, 1].

    ``similar`` is the similarity of its passage that is most like it. Of the topic's words, by
    their rarity, so many are ``said`` in it and ``headed``, in its title or headings.
    """

    similar: float
    said: float
    headed: float


FEATURES = (*Seen._fields, "less_similar", "less_said", "constant")
"""Further what it has less than the best of the notes among which is chosen."""


def features(seen: Mapping[str, Seen]) -> dict[str, tuple[float, ...]]:
    """The ``FEATURES`` of each note, by its path."""
    similar = max((one.similar for one in seen.values()), default=0.0)
    said = max((one.said for one in seen.values()), default=0.0)
    return {path: (*one, similar - one.similar, said - one.said, 1.0) for path, one in seen.items()}


def on_topic(seen: Mapping[str, Seen]) -> set[str]:
    """The notes that are on the topic."""
    return {
        path
        for path, own in features(seen).items()
        if 1.0 / (1.0 + math.exp(-math.sumprod(_weights(), own))) >= ON
    }


@cache
def _weights() -> tuple[float, ...]:
    kept = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return tuple(kept[name] for name in FEATURES)
