"""Train the reading of what kind of answer is asked for: ``python -m evals.train_kinds``.

Multinomial logistic regression over the hashed wording (``agents.features``) and the vector of the
questions' reader, whose own training (``evals.train_intents``) comes before; and one over the
wording alone. It learns from the questions over the vaults below ``data/reader``, then also from
those in ``data/kinds``, by other writers, on which the temperatures are set first. Printed is how
many of these, and of the questions in ``data/answers``, which it never learns from, it reads as
their writers meant them. Needs the group ``train``; takes six minutes.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from agents.answer_kinds import WEIGHTS
from agents.features import SIZE
from agents.heads import vector_text
from evals.question_batches import features_of
from evals.reader_weights import HeadWeights, write_head
from tools.domain import ANSWER_KINDS
from tools.semantic.question import QuestionReader

DATA = Path(__file__).parent / "data"
_PENALTY = 0.3
"""Of the squared weights: chosen by the questions that are left out."""
_SCALE = 8.0
"""Of the vectors, whose length is one, beside the wording."""
_STEPS = 60

type Array = NDArray[np.float32]
type Logits = tuple[Array, Array]
"""With the vector, and by the wording alone."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions as numbers: places and values of their wording, vectors, and their kinds."""

    places: NDArray[np.int32]
    values: Array
    vectors: Array
    kinds: NDArray[np.int64]

    @classmethod
    def read(cls, files: Iterable[Path], reader: QuestionReader) -> Self:
        """The questions whose kind is one of answers: neither what has none nor how it is typed."""
        rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
        rows = [row for row in rows if row["kind"] in ANSWER_KINDS]
        read = [features_of(row["q"]) for row in rows]
        shape = len(read), max(len(one.places) for one in read)
        places, values = np.zeros(shape, np.int32), np.zeros(shape, np.float32)
        for row, one in enumerate(read):
            places[row, : len(one.places)] = one.places
            values[row, : len(one.values)] = one.values
        vectors = [_SCALE * reader.vector(vector_text(row["q"])) for row in rows]
        kinds = np.array([ANSWER_KINDS.index(row["kind"]) for row in rows])
        return cls(places, values, np.array(vectors, np.float32), kinds)

    def beside(self, other: Self) -> "Asked":
        """These and others."""
        width = max(self.places.shape[1], other.places.shape[1])

        def widened(rows: NDArray[Any]) -> NDArray[Any]:
            return np.pad(rows, ((0, 0), (0, width - rows.shape[1])))

        return Asked(
            np.concatenate([widened(self.places), widened(other.places)]),
            np.concatenate([widened(self.values), widened(other.values)]),
            np.concatenate([self.vectors, other.vectors]),
            np.concatenate([self.kinds, other.kinds]),
        )


def main() -> int:
    reader = QuestionReader()
    first = Asked.read(sorted((DATA / "reader").glob("*/questions.jsonl")), reader)
    others = Asked.read(sorted((DATA / "kinds").glob("*.jsonl")), reader)
    answers = Asked.read(sorted((DATA / "answers").glob("*.jsonl")), reader)
    unseen = logits_of(fit(first), others)
    temperatures = [_temperature(logits, others.kinds) for logits in unseen]
    _tell("data/kinds, unseen", unseen, others)
    head = fit(first.beside(others))
    _tell("data/answers", logits_of(head, answers), answers)
    write_head(head, WEIGHTS, temperatures=temperatures)
    return 0


def fit(asked: Asked) -> HeadWeights:
    """The weights of both regressions."""
    both = _fit(asked, asked.vectors)
    alone = _fit(asked, asked.vectors[:, :0])
    return HeadWeights(
        vector=_SCALE * both[SIZE:-1],
        bias=both[-1],
        wording=both[:SIZE],
        alone=alone[:SIZE],
        alone_bias=alone[-1],
    )


def _fit(asked: Asked, vectors: Array) -> Array:
    """Weights, of the wording, of the ``vectors`` and of nothing (a bias), by L-BFGS."""

    def loss(table: jax.Array) -> jax.Array:
        by_wording = jnp.einsum("qf,qfk->qk", asked.values, table[asked.places])
        outputs = by_wording + vectors @ table[SIZE:-1] + table[-1]
        likely = jax.nn.log_softmax(outputs)[np.arange(len(asked.kinds)), asked.kinds]
        return _PENALTY / 2 * (table[:-1] ** 2).sum() - likely.sum()

    table = jnp.zeros((SIZE + vectors.shape[1] + 1, len(ANSWER_KINDS)))
    optimiser = optax.lbfgs()
    both = optax.value_and_grad_from_state(loss)

    @jax.jit
    def step(table: jax.Array, state: Any) -> Any:
        value, slope = both(table, state=state)
        change, state = optimiser.update(
            slope, state, table, value=value, grad=slope, value_fn=loss
        )
        return optax.apply_updates(table, change), state

    state = optimiser.init(table)
    for _ in range(_STEPS):
        table, state = step(table, state)
    return np.asarray(table)


def logits_of(head: HeadWeights, asked: Asked) -> Logits:
    """What a head says of questions."""

    def sparse(weights: Array) -> Array:
        return np.einsum("qf,qfk->qk", asked.values, weights[asked.places])

    by_vector = asked.vectors @ (head.vector / _SCALE)
    return sparse(head.wording) + by_vector + head.bias, sparse(head.alone) + head.alone_bias


def _temperature(logits: Array, kinds: NDArray[np.int64]) -> float:
    """The temperature at which the kinds are likeliest (Guo et al. 2017)."""

    def surprise(temperature: float) -> float:
        scaled = logits / temperature
        likely = scaled - np.logaddexp.reduce(scaled, 1, keepdims=True)
        return -float(likely[np.arange(len(kinds)), kinds].mean())

    return min((t / 20 for t in range(10, 100)), key=surprise)


def _tell(name: str, logits: Logits, asked: Asked) -> None:
    for how, own in zip(("with the vector", "by the wording alone"), logits, strict=True):
        right = own.argmax(1) == asked.kinds
        told = Counter(ANSWER_KINDS[one] for one in asked.kinds[right].tolist())
        counted = Counter(ANSWER_KINDS[one] for one in asked.kinds.tolist())
        kinds = ", ".join(f"{kind} {told[kind]} of {counted[kind]}" for kind in ANSWER_KINDS)
        sys.stdout.write(f"{name}, {how}: {right.mean():.3f}; {kinds}\n")


if __name__ == "__main__":
    sys.exit(main())
