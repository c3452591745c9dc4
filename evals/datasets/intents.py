"""Questions to be read with the intents that they have, and how each was read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Self

from pydantic import BeforeValidator
from pydantic import model_validator as validator

from evals.datasets.records import Record, Text
from tools.base.domain import DecidedBy, Intent


class Case(Record):
    """A question to read and, where known, how it is to be read.

    ``also`` holds the other readings that are as good: such a question is ambiguous and should be
    asked back. ``human`` is False where the label follows from the wording instead of a reader.
    """

    query: Text
    intent: Intent | None = None
    also: Annotated[tuple[Intent, ...], BeforeValidator(lambda given: given or ())] = ()
    form: str | None = None
    language: str | None = None
    source: str | None = None
    human: bool | None = None

    @validator(mode="after")
    def _labels_agree(self) -> Self:
        if self.also and self.intent is None:
            raise ValueError("`also` names further readings, so `intent` must name the first")
        return self

    @property
    def ambiguous(self) -> bool:
        return bool(self.also)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """How one question was read, in ``ms`` milliseconds.

    ``clarify``: whether it was asked back, be it for the reading that is meant or for a second
    thing to compare. A question that the interpreter refused has no ``predicted`` and says why in
    ``error``.
    """

    query: str
    predicted: Intent | None
    confidence: float
    probabilities: Mapping[Intent, float]
    clarify: bool
    decided_by: DecidedBy | None
    ms: float
    error: str | None = None

    def line(self) -> str:
        """The prediction as one JSON object, without the time it took."""
        told = {
            "query": self.query,
            "predicted": self.predicted,
            "confidence": self.confidence,
            "probabilities": dict(self.probabilities),
            "clarify": self.clarify,
            "decided_by": self.decided_by,
        }
        refused = {"error": self.error} if self.error is not None else {}
        return json.dumps(told | refused, ensure_ascii=False)
