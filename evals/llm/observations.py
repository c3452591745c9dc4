"""What a model said of labelled questions: written by ``brain eval``, fitted on by the pool."""

from dataclasses import asdict

from pydantic import Field

from agents.interpreter.llm import Observation
from evals.datasets.intents import Case
from tools.base.domain import INTENTS, Intent


class ObservedCase(Case):
    """A labelled question, what a model said of it and what its wording says, as one line."""

    # A frozen field may be narrowed and required, which pyright cannot see in ``model_config``.
    intent: Intent  # pyright: ignore[reportIncompatibleVariableOverride, reportGeneralTypeIssues]
    model: str
    model_intent: Intent
    model_confidence: float = Field(ge=0, le=1)
    model_second: Intent | None = None
    local_probabilities: dict[Intent, float] = Field(min_length=len(INTENTS))


def observed(case: Case, observation: Observation) -> ObservedCase:
    """The observation with the labels of ``case``, which has an intent."""
    labels = case.model_dump(include={"query", "intent", "also"})
    return ObservedCase.model_validate(asdict(observation) | labels)
