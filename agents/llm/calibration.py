"""How far to believe the confidence a language model states, beside what the wording says.

A logarithmic opinion pool (Genest and Zidek, Statistical Science 1986) of the local probabilities q
and the distribution r that the model states: p ∝ q^local · r^model · e^bias, the last for the
model's intent only; ``model`` and ``bias`` are slope and intercept of Platt's scaling (1999). Each
model's three numbers sit in ``model_calibration.json``, fitted by
``evals/fitting/model_calibration.py``.
"""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from tools.base.domain import INTENTS, Intent

PARAMETERS = Path(__file__).with_name("model_calibration.json")
DEFAULT = "default"

SURE_AT_MOST = 0.97
"""What a stated certainty counts for: models like to state 1.0, whose odds would be endless.

Chosen as the highest whole percentage at which, with the default weights, a model alone overturns
no sure wording that leaves the other intents equally unlikely.
"""
SECOND_SHARE = 0.5
"""How much of what the model's intent leaves belongs to the second reading it names; chosen."""
_LEAST = 0.001
"""What the wording grants any intent, so that a zero forbids nothing."""

type Probabilities = Mapping[Intent, float]
type Evidence = tuple[float, float, float]
"""What speaks for one intent: log q, log r, and 1 where it is the model's."""


class Parameters(BaseModel):
    """The weights of one model's pool and how they came about; no weight may turn evidence over."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fitted_on: str
    local: float = Field(ge=0, allow_inf_nan=False)
    model: float = Field(ge=0, allow_inf_nan=False)
    bias: float = Field(allow_inf_nan=False)


class _File(BaseModel):
    models: dict[str, Parameters]


@cache
def _known() -> dict[str, Parameters]:
    return _File.model_validate(json.loads(PARAMETERS.read_text("utf-8"))).models


def parameters(model: str) -> Parameters:
    """The parameters of an Ollama model, or the default ones of a model nobody fitted."""
    known = _known()
    return known.get(canonical(model), known[DEFAULT])


def canonical(model: str) -> str:
    """One spelling for a model's name: Ollama takes ``llama3.2`` for ``llama3.2:latest``."""
    return model.strip().removesuffix(":latest")


def evidence(
    intent: Intent, *, confidence: float, second: Intent | None, local: Probabilities
) -> Mapping[Intent, Evidence]:
    """What speaks for each intent, as the pool weighs it."""
    stated = _stated(intent, confidence, second)
    return {
        each: (math.log(max(local[each], _LEAST)), math.log(stated[each]), float(each == intent))
        for each in INTENTS
    }


def calibrated(
    intent: Intent,
    *,
    confidence: float,
    second: Intent | None,
    local: Probabilities,
    weights: Parameters,
) -> dict[Intent, float]:
    """The probability of each intent, after a model stated ``intent`` with ``confidence``.

    That of ``intent`` never falls when ``confidence`` or its local probability rises.
    """
    sides = evidence(intent, confidence=confidence, second=second, local=local)
    sums = {
        each: weights.local * wording + weights.model * stated + weights.bias * named
        for each, (wording, stated, named) in sides.items()
    }
    highest = max(sums.values())
    powers = {each: math.exp(sums[each] - highest) for each in INTENTS}
    total = math.fsum(powers.values())
    return {each: powers[each] / total for each in INTENTS}


def _stated(intent: Intent, confidence: float, second: Intent | None) -> Probabilities:
    """The model's words as a distribution: what its intent leaves goes to the second, then all."""
    sure = min(max(confidence, 1 - SURE_AT_MOST), SURE_AT_MOST)
    others = len(INTENTS) - 1
    if second is None or second == intent:
        return {each: sure if each == intent else (1 - sure) / others for each in INTENTS}
    shares = {intent: sure, second: (1 - sure) * SECOND_SHARE}
    rest = (1 - sure) * (1 - SECOND_SHARE) / (others - 1)
    return {each: shares.get(each, rest) for each in INTENTS}
