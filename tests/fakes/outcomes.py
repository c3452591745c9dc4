"""Outcomes of reading questions, made up."""

from evals.datasets.intents import Case, Prediction
from evals.metrics.classification import Outcome
from tools.base.domain import Intent


def outcome(
    intent: Intent | None,
    predicted: Intent | None,
    *,
    confidence: float = 0.9,
    also: tuple[Intent, ...] = (),
    clarify: bool = False,
    query: str = "q",
    form: str | None = None,
    language: str | None = None,
    ms: float = 1.0,
) -> Outcome:
    """A question meant as ``intent`` and read as ``predicted``; None is no label, or refused."""
    return Outcome(
        case=Case(query=query, intent=intent, also=also, form=form, language=language),
        prediction=Prediction(
            query=query,
            predicted=predicted,
            confidence=confidence,
            probabilities={},
            clarify=clarify,
            decided_by="local" if predicted else None,
            ms=ms,
        ),
    )
