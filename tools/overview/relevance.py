"""How surely each span found is about what an overview is asked of. Pure."""

import math
from collections.abc import Mapping, Sequence

from tools.domain import OverviewKind
from tools.evidence_features import FEATURES
from tools.evidence_ranking import Scored

_SOFTNESS = 4.0
"""Of the scores, which are log odds that a span is the one that answers: many do, here."""
LEAST: Mapping[OverviewKind, float] = {
    "overview": 0.05,
    "summary": 0.0,
    "sides": 0.15,
    "quotes": 0.04,
}
"""What a line that is shown counts beside the best one, of sides by itself: more, where lines are
taken out of what stands around them."""
_NAMED = 0.5
"""Share of what is asked, by meaning, from which on a line, under its headings, speaks of it."""
_ASIDE = 0.15
"""What a line counts that neither names what is asked nor, to the reader, answers any of it."""


def relevances(spans: Sequence[Scored]) -> list[float]:
    """In [0, 1], of the best one 1, in the order of ``spans``: e^((score - best) / softness)."""
    best = max((one.score for one in spans), default=0.0)
    return [math.exp((one.score - best) / _SOFTNESS) * _named(one) for one in spans]


def is_named(spans: Sequence[Scored]) -> bool:
    """Whether a line, under its headings and title, speaks of what is asked."""
    return any(_meant(one) >= _NAMED for one in spans)


def _named(one: Scored) -> float:
    taken = one.logit is not None and one.logit > 0.0
    return 1.0 if taken or _meant(one) >= _NAMED else _ASIDE


def _meant(one: Scored) -> float:
    return one.candidate.features[FEATURES.index("whole_meaning")]
