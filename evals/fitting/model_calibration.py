"""Fit how far to believe a language model's stated confidence, on questions of known intent.

``brain eval intents QUESTIONS --out OUT --mode llm --model NAME --observations FILE`` has the model
read labelled questions; ``python -m evals.fitting.model_calibration FILE --model NAME`` then writes
its entry in ``agents/llm/model_calibration.json``, or with ``--check`` only prints. A line of FILE
is an ``evals.llm.observations.ObservedCase``. Measure on other questions than these.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.llm.calibration import (
    DEFAULT,
    PARAMETERS,
    Parameters,
    canonical,
    evidence,
    parameters,
)
from evals.datasets.intents import Prediction
from evals.datasets.records import read_lines
from evals.llm.observations import ObservedCase
from evals.metrics.classification import Outcome, accuracy, calibration_error, reliability
from tools.base.domain import INTENTS
from tools.base.errors import InputError
from tools.base.output_files import writing

FEWEST = 50
"""With fewer questions than this the fit says more about them than about the model."""
CAUTION = 4.0
"""How many questions' worth of pull the default parameters have; it keeps the weights finite."""

UNSEEN = "fitted, 5-fold"

type Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """``sides``: question × intent × the three parts of the evidence; ``truth``: question × intent.

    An ambiguous question's truth is spread evenly over its readings.
    """

    sides: Floats
    truth: Floats

    def part(self, chosen: NDArray[np.bool_]) -> "Sample":
        """The questions that ``chosen`` is true for."""
        return Sample(sides=self.sides[chosen], truth=self.truth[chosen])


def sample(records: Sequence[ObservedCase]) -> Sample:
    """The records as arrays, intents in the order of ``INTENTS``."""
    sides: list[list[tuple[float, float, float]]] = []
    truth: list[list[float]] = []
    for record in records:
        parts = evidence(
            record.model_intent,
            confidence=record.model_confidence,
            second=record.model_second,
            local=record.local_probabilities,
        )
        readings = {record.intent, *record.also}
        sides.append([parts[intent] for intent in INTENTS])
        truth.append([(intent in readings) / len(readings) for intent in INTENTS])
    return Sample(sides=np.array(sides), truth=np.array(truth))


def fit(given: Sample) -> Floats:
    """The weights (local, model, bias) of greatest likelihood, drawn a little to the default ones.

    The loss is convex, and neither weight may be negative: one that would be is held at zero.
    """
    free = np.array([True, True, True])
    while True:
        weights = _newton(given, free)
        negative = free & (weights < 0) & np.array([True, True, False])
        if not negative.any():
            return weights
        free[int(np.where(negative, weights, 0.0).argmin())] = False


def _newton(given: Sample, free: NDArray[np.bool_]) -> Floats:
    """The minimum over the ``free`` weights, the others being zero (conditional logit)."""
    default = np.where(free, _vector(parameters(DEFAULT)), 0.0)
    weights = default
    for _ in range(100):
        probabilities = pooled(given, weights)
        residual = (probabilities - given.truth)[..., None] * given.sides
        gradient = residual.sum(axis=(0, 1)) + CAUTION * (weights - default)
        centred = given.sides - (probabilities[..., None] * given.sides).sum(axis=1, keepdims=True)
        hessian = np.einsum("qi,qij,qik->jk", probabilities, centred, centred) + CAUTION * np.eye(3)
        step = np.zeros(3)
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        # Damping: far from the minimum a whole step of Newton's may overshoot.
        while loss(given, weights - step, default) > loss(given, weights, default) + 1e-12:
            step = step / 2
        weights = weights - step
        if float(np.abs(step).max()) < 1e-9:
            break
    return weights


def loss(given: Sample, weights: Floats, default: Floats) -> float:
    """Minus the log-likelihood, with the pull to ``default``."""
    log_loss = -float((given.truth * np.log(pooled(given, weights) + 1e-300)).sum())
    return log_loss + CAUTION / 2 * float(((weights - default) ** 2).sum())


def pooled(given: Sample, weights: Floats) -> Floats:
    """The probabilities of ``agents.llm.calibration.calibrated``, question × intent."""
    sums = given.sides @ weights
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def cross_validated(given: Sample, folds: int = 5) -> Floats:
    """Probabilities of each question by weights that were fitted without it."""
    fold = np.arange(len(given.truth)) % folds
    probabilities = np.zeros_like(given.truth)
    for left_out in range(folds):
        weights = fit(given.part(fold != left_out))
        probabilities[fold == left_out] = pooled(given.part(fold == left_out), weights)
    return probabilities


def quality(records: Sequence[ObservedCase], probabilities: Floats) -> str:
    """Accuracy, log loss, Brier score and, of clear questions, calibration error, in one line."""
    truth = sample(records).truth
    outcomes = [_outcome(*row) for row in zip(records, probabilities, strict=True)]
    log_loss = -float((truth * np.log(np.maximum(probabilities, 1e-12))).sum(axis=1).mean())
    brier = float(((probabilities - truth) ** 2).sum(axis=1).mean())
    told = f"accuracy {accuracy(outcomes).value:.3f}, log loss {log_loss:.3f}, Brier {brier:.3f}"
    bins = reliability(outcomes)
    return f"{told}, calibration error {calibration_error(bins):.3f}" if bins else told


def _outcome(record: ObservedCase, row: Floats) -> Outcome:
    probabilities = dict(zip(INTENTS, map(float, row), strict=True))
    intent = max(INTENTS, key=probabilities.__getitem__)
    prediction = Prediction(
        query=record.query,
        predicted=intent,
        confidence=probabilities[intent],
        probabilities=probabilities,
        clarify=False,
        decided_by="llm",
        ms=0.0,
    )
    return Outcome(case=record, prediction=prediction)


def report(records: Sequence[ObservedCase]) -> Mapping[str, str]:
    """How the two alone, the default weights and, on unseen questions, fitted ones do."""
    given = sample(records)
    ways = {
        "wording alone": pooled(given, np.array([1.0, 0.0, 0.0])),
        "model as it states": pooled(given, np.array([0.0, 1.0, 0.0])),
        "default weights": pooled(given, _vector(parameters(DEFAULT))),
        UNSEEN: cross_validated(given),
    }
    return {way: quality(records, probabilities) for way, probabilities in ways.items()}


def write(model: str, fitted: Parameters, file: Path) -> None:
    """Replace this model's entry in the parameters' file. Raises InputError where it cannot."""
    content = json.loads(file.read_text("utf-8"))
    content["models"][canonical(model)] = fitted.model_dump()
    with writing(file):
        file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")


def read(file: Path, model: str) -> list[ObservedCase]:
    """The records of a file. Raises InputError for too few, or for what another model said."""
    records = read_lines(file, ObservedCase)
    others = {canonical(record.model) for record in records} - {canonical(model)}
    if others:
        raise InputError(
            f"{file.name} holds what {', '.join(sorted(others))} said, not only {model}: "
            "give a file of one model and its name."
        )
    if len(records) < FEWEST:
        raise InputError(
            f"{file.name} holds {len(records)} questions: at least {FEWEST} are needed, so have "
            "more read with --observations."
        )
    return records


def _vector(weights: Parameters) -> Floats:
    return np.array([weights.local, weights.model, weights.bias])


def main(arguments: Sequence[str] | None = None, *, into: Path = PARAMETERS) -> int:
    """Print how good the fit is and, without ``--check``, write it ``into`` that file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--model", required=True, metavar="NAME", help="as BRAIN_CHAT_MODEL has it")
    parser.add_argument("--check", action="store_true", help="print and write nothing")
    given = parser.parse_args(arguments)
    try:
        records = read(given.file, given.model)
        local, model, bias = (round(float(value), 3) for value in fit(sample(records)))
        told = report(records)
        sys.stdout.writelines(f"{way}: {figures}\n" for way, figures in told.items())
        sys.stdout.write(f"local {local}, model {model}, bias {bias}\n")
        if not given.check:
            fitted_on = (
                f"{len(records)} questions of {given.file.name} with "
                f"evals/fitting/model_calibration.py; unseen: {told[UNSEEN]}"
            )
            fitted = Parameters(fitted_on=fitted_on, local=local, model=model, bias=bias)
            write(given.model, fitted, into)
    except InputError as error:
        sys.stderr.write(f"fit_model_calibration: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
