"""Fit the similarity curves of one encoder on our own pairs, and see how they do elsewhere.

``python -m evals.fitting.similarity`` writes ``tools/semantic/similarity.json``;
``--check DIR`` prints how the shipped curve separates another data set and writes nothing.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from evals.datasets.files import DATA
from tools.semantic.encoder import Encoder, load_encoder
from tools.semantic.similarity import PARAMETERS, Curve, Kind, calibrated, cosine_at

PAIRS = DATA / "similarity_pairs.jsonl"
UNRELATED_PER_TEXT = 5
RIDGE = 1e-5
"""Keeps the slope finite where the pairs happen to be separable."""

type Floats = NDArray[np.float64]


class Triple(BaseModel):
    """A text, one that belongs to it, and one of the same field that does not."""

    kind: Kind
    text: str
    match: str
    distractor: str


class Evidence(BaseModel):
    note: str
    block: str


class Question(BaseModel):
    """A question of the conversations of ``--check``, with the turns that answer it."""

    question: str
    vault: str
    evidence: list[Evidence]
    answerable: bool


class Sample(BaseModel, arbitrary_types_allowed=True):
    """Cosines with their labels; each of the three kinds of pair has its share of the weight."""

    cosines: Floats
    labels: Floats
    weights: Floats


def cosines(left: NDArray[np.float32], right: NDArray[np.float32]) -> Floats:
    """Return the cosine of each row of ``left`` with the same row of ``right``."""
    return (left * right).sum(axis=1).astype(np.float64)


def sample(triples: Sequence[Triple], encoder: Encoder) -> Sample:
    """Half of the weight to pairs that belong together, a quarter each to both kinds that do not.

    The triples are of one kind. A text's unrelated partners are the matches of the texts that
    follow it in the file.
    """
    asks = triples[0].kind == "question"
    texts = (encoder.encode_questions if asks else encoder.encode)([one.text for one in triples])
    matches = encoder.encode([triple.match for triple in triples])
    distractors = encoder.encode([triple.distractor for triple in triples])
    groups = (
        (cosines(texts, matches), 1.0, 0.5),
        (cosines(texts, distractors), 0.0, 0.25),
        (
            np.concatenate(
                [
                    cosines(texts, np.roll(matches, -step, axis=0))
                    for step in range(1, UNRELATED_PER_TEXT + 1)
                ]
            ),
            0.0,
            0.25,
        ),
    )
    return Sample(
        cosines=np.concatenate([values for values, _, _ in groups]),
        labels=np.concatenate([np.full(len(values), label) for values, label, _ in groups]),
        weights=np.concatenate(
            [np.full(len(values), share / len(values)) for values, _, share in groups]
        ),
    )


def fit(sample: Sample) -> Curve:
    """Weighted logistic regression of the label on the cosine, by Newton's method."""
    features = np.stack([sample.cosines, np.ones_like(sample.cosines)], axis=1)
    penalty = np.diag([RIDGE, 0.0])
    beta = np.zeros(2)
    for _ in range(100):
        predicted = 1.0 / (1.0 + np.exp(-features @ beta))
        gradient = features.T @ (sample.weights * (predicted - sample.labels)) + penalty @ beta
        spread = sample.weights * predicted * (1.0 - predicted)
        step = np.linalg.solve((features.T * spread) @ features + penalty, gradient)
        beta = beta - step
        if float(np.abs(step).max()) < 1e-9:
            break
    slope, intercept = float(beta[0]), float(beta[1])
    return Curve(slope=round(slope, 3), midpoint=round(-intercept / slope, 4))


def cross_validated(triples: Sequence[Triple], encoder: Encoder, folds: int = 5) -> float:
    """Brier score on pairs that the curve was not fitted on; 0.25 is a coin's."""
    scores: list[float] = []
    for fold in range(folds):
        shape = fit(sample([t for i, t in enumerate(triples) if i % folds != fold], encoder))
        unseen = sample([t for i, t in enumerate(triples) if i % folds == fold], encoder)
        predicted = 1.0 / (1.0 + np.exp(-shape.slope * (unseen.cosines - shape.midpoint)))
        scores.append(float((unseen.weights * (predicted - unseen.labels) ** 2).sum()))
    return sum(scores) / folds


def write(encoder: Encoder) -> None:
    """Replace this encoder's entry in the parameters' file."""
    triples = [Triple.model_validate_json(line) for line in PAIRS.read_text("utf-8").splitlines()]
    content = json.loads(PARAMETERS.read_text("utf-8"))
    entry: dict[str, object] = {
        "fitted_on": "evals/data/similarity_pairs.jsonl with evals/fitting/similarity.py: half of "
        "the weight to pairs that belong together, a quarter to pairs of one field that do not, a "
        "quarter to unrelated pairs"
    }
    kinds: tuple[Literal["question", "statement"], ...] = ("question", "statement")
    for kind in kinds:
        chosen = [triple for triple in triples if triple.kind == kind]
        shape = fit(sample(chosen, encoder))
        entry[kind] = shape.model_dump()
        brier = cross_validated(chosen, encoder)
        sys.stdout.write(f"{kind}: {shape!r} on {len(chosen)} triples, Brier {brier:.3f}\n")
    content["encoders"][encoder.name] = entry
    PARAMETERS.write_text(json.dumps(content, indent=2) + "\n", "utf-8")


def check(directory: Path, encoder: Encoder) -> None:
    """Print how question–turn pairs of conversations fare under the shipped curve."""
    turns: dict[tuple[str, str], str] = {}
    for note in sorted(directory.glob("*/*.md")):
        for line in note.read_text("utf-8").splitlines():
            text, mark, block = line.rpartition(" ^")
            if mark and text.startswith("**"):
                turns[f"{note.parent.name}/{note.name}", block] = text.replace("**", "")
    lines = (directory / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [question for line in lines if (question := Question.model_validate_json(line))]
    pairs = [
        (question, turns[found.note, found.block])
        for question in questions
        if question.answerable
        for found in question.evidence
        if (found.note, found.block) in turns
    ]
    rng = np.random.default_rng(0)
    by_vault = {
        vault: [text for (path, _), text in turns.items() if path.startswith(f"{vault}/")]
        for vault in {question.vault for question, _ in pairs}
    }
    others = [by_vault[question.vault] for question, _ in pairs]
    asked = encoder.encode_questions([question.question for question, _ in pairs])
    answering = cosines(asked, encoder.encode([text for _, text in pairs]))
    random = cosines(
        asked, encoder.encode([texts[int(rng.integers(len(texts)))] for texts in others])
    )
    for name, values in (("evidence", answering), ("random turn", random)):
        similarities = calibrated(values, encoder=encoder.name)
        quantiles = np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95]).round(3).tolist()
        shares = {
            bar: round(float((similarities >= bar).mean()), 3) for bar in (0.5, 0.6, 0.7, 0.8)
        }
        sys.stdout.write(
            f"{name}: {len(values)} pairs, cosine 5–95 % {quantiles}, at least {shares}\n"
        )
    below = (random[:, None] < answering[None, :]).mean()
    sys.stdout.write(f"random below evidence: {below:.3f}\n")
    for bar in (0.5, 0.6, 0.7, 0.8):
        sys.stdout.write(f"similarity {bar} is cosine {cosine_at(bar, encoder=encoder.name):.3f}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--ollama-url", default="http://127.0.0.1:11434")
    parser.add_argument("--check", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    encoder = load_encoder(arguments.model, ollama_url=arguments.ollama_url)
    if arguments.check:
        check(arguments.check, encoder)
    else:
        write(encoder)


if __name__ == "__main__":
    main()
