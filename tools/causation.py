"""Which way a question about causes looks: back to the causes, or on to the effects. Pure."""

import re
from typing import Literal

from tools.folding import flatten

Direction = Literal["causes", "effects", "both"]

_EFFECTS = re.compile(
    r"\b(?:effects?|consequences?|impacts?|outcomes?|results?|implications?|aftermath) (?:of|on)\b"
    r"|\bwhat (?:does|do|did|will|would|can|could) .+ (?:cause|lead to|result in|bring about"
    r"|trigger|do to|change|affect|influence|enable|prevent|improve|worsen)\b"
    r"|\bhow (?:does|do|did|will|would|can) .+ (?:affect|influence|impact|change|shape)\b"
    r"|\bwhat (?:happens|follows|comes) (?:if|when|from|of)\b|\bwhere does .+ lead\b"
    r"|\b(?:sonuc(?:lar)?i|etki(?:si|leri)|etkile|yol ac(?:ar|iyor|ti)|neye (?:sebep|neden))"
)
_CAUSES = re.compile(
    r"\bwhy\b|\bhow come\b|\bcauses? of\b|\bcaused by\b|\bwhat (?:causes|caused|leads? to|led to"
    r"|triggers|triggered|makes|made|explains|is behind|was behind|is causing|was causing)\b"
    r"|\breasons?\b|\bbecause of what\b|\bdue to what\b|\broot cause\b"
    r"|\bneden(?:i|leri)?\b|\bnicin\b|\bniye\b|\bsebe[bp]i?\b|\byuzunden\b"
)


def direction(question: str) -> Direction:
    """The way the question looks; both where its words do not say."""
    text = flatten(question)
    effects, causes = _EFFECTS.search(text), _CAUSES.search(text)
    if bool(effects) == bool(causes):
        return "both"
    return "effects" if effects else "causes"
