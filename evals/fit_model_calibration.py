"""Fit how far to believe a language model's stated confidence, on questions of known intent.

``python -m evals.fit_model_calibration FILE --model NAME`` writes the model's entry in
``agents/model_calibration.json``; with ``--check`` it only prints. A line of FILE is JSON: the
question's ``query`` and true ``intent`` (of an ambiguous one, the others in ``also``), and
``model_intent``, ``model_confidence``, ``model_second`` and ``local_probabilities`` as an
``agents.model_reading.Observation`` holds them. Measure on other questions than these.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, ValidationError

from agents.model_calibration import (
    DEFAULT,
    PARAMETERS,
    Parameters,
    canonical,
    evidence,
    parameters,
)
from tools.domain import INTENTS, Intent

FEWEST = 50
"""With fewer questions than this the fit says more about them than about the model."""
CAUTION = 4.0
"""How many questions' worth of pull the default parameters have; it keeps the weights finite."""

type Floats = NDArray[np.float64]


class Record(BaseModel):
    """One question, what it truly asks, and what model and wording said of it."""

    query: str
    intent: Intent
    also: tuple[Intent, ...] = ()
    model_intent: Intent
    model_confidence: float = Field(ge=0, le=1)
    model_second: Intent | None = None
    local_probabilities: dict[Intent, float]


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


def sample(records: Sequence[Record]) -> Sample:
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
    """The probabilities of ``agents.model_calibration.calibrated``, question × intent."""
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


def quality(probabilities: Floats, truth: Floats) -> str:
    """Accuracy, log loss, Brier score and calibration error (ten bins) in one line."""
    best = probabilities.argmax(axis=1)
    rows = np.arange(len(truth))
    sure, right = probabilities[rows, best], (truth[rows, best] > 0).astype(np.float64)
    bins = np.minimum((sure * 10).astype(int), 9)
    error = sum(
        abs(float((sure[bins == number] - right[bins == number]).sum())) for number in range(10)
    )
    log_loss = -float((truth * np.log(np.maximum(probabilities, 1e-12))).sum(axis=1).mean())
    brier = float(((probabilities - truth) ** 2).sum(axis=1).mean())
    return (
        f"accuracy {right.mean():.3f}, log loss {log_loss:.3f}, Brier {brier:.3f}, "
        f"calibration error {error / len(truth):.3f}"
    )


def report(given: Sample) -> str:
    """How the two alone, the default weights and, on unseen questions, fitted ones do."""
    ways = {
        "wording alone": pooled(given, np.array([1.0, 0.0, 0.0])),
        "model as it states": pooled(given, np.array([0.0, 1.0, 0.0])),
        "default weights": pooled(given, _vector(parameters(DEFAULT))),
        "fitted, 5-fold": cross_validated(given),
    }
    return "\n".join(
        f"{way}: {quality(probabilities, given.truth)}" for way, probabilities in ways.items()
    )


def write(model: str, fitted: Parameters, file: Path) -> None:
    """Replace this model's entry in the parameters' file."""
    content = json.loads(file.read_text("utf-8"))
    content["models"][canonical(model)] = fitted.model_dump()
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")


def read(file: Path) -> list[Record]:
    """The records of a file. Raises SystemExit, in one line, for one that cannot be used."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"{file.name} cannot be read: {error}.") from None
    records: list[Record] = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(Record.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "line"
            raise SystemExit(f"{file.name}, line {number}: {place}: {first['msg']}.") from None
    if len(records) < FEWEST:
        raise SystemExit(
            f"{file.name} holds {len(records)} questions: at least {FEWEST} are needed."
        )
    return records


def _vector(weights: Parameters) -> Floats:
    return np.array([weights.local, weights.model, weights.bias])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how good the fit is and, without ``--check``, write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--model", required=True, metavar="NAME", help="as BRAIN_CHAT_MODEL has it")
    parser.add_argument("--check", action="store_true", help="print and write nothing")
    parser.add_argument("--into", type=Path, default=PARAMETERS, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    records = read(given.file)
    fitted_on = sample(records)
    local, model, bias = (round(float(value), 3) for value in fit(fitted_on))
    summary = report(fitted_on)
    fitted = Parameters(
        fitted_on=f"{len(records)} questions of {given.file.name} with "
        f"evals/fit_model_calibration.py; unseen: {summary.rsplit(': ', 1)[1]}",
        local=local,
        model=model,
        bias=bias,
    )
    sys.stdout.write(f"{summary}\nlocal {local}, model {model}, bias {bias}\n")
    if not given.check:
        write(given.model, fitted, given.into)


if __name__ == "__main__":
    main()
