"""Fit a head over questions: multinomial logistic regression on wording and vector.

One over the hashed wording (``agents.interpreter.classifiers.features``) and the vector of the
questions' reader, whose own training (``evals.training.intents``) comes before; and one over the
wording alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from agents.interpreter.classifiers.features import SIZE
from agents.interpreter.classifiers.head import vector_text
from evals.learning.question_batches import features_of
from evals.learning.weights import HeadWeights
from tools.semantic.question import QuestionReader

_PENALTY = 0.3
"""Of the squared weights: chosen by questions that were left out."""
_SCALE = 8.0
"""Of the vectors, whose length is one, beside the wording."""
_STEPS = 60

type Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Questions as numbers: places and values of their wording, vectors, and their labels."""

    places: NDArray[np.int32]
    values: Array
    vectors: Array
    labels: NDArray[np.int64]

    @classmethod
    def read(cls, questions: Sequence[str], labels: Sequence[int], reader: QuestionReader) -> Self:
        read = [features_of(question) for question in questions]
        shape = len(read), max(len(one.places) for one in read)
        places, values = np.zeros(shape, np.int32), np.zeros(shape, np.float32)
        for row, one in enumerate(read):
            places[row, : len(one.places)] = one.places
            values[row, : len(one.values)] = one.values
        vectors = [reader.vector(vector_text(question)) for question in questions]
        return cls(places, values, np.array(vectors, np.float32), np.array(labels))

    def part(self, which: slice) -> Self:
        """Some of them."""
        return replace(
            self,
            places=self.places[which],
            values=self.values[which],
            vectors=self.vectors[which],
            labels=self.labels[which],
        )


def fit(asked: Labelled, counts: NDArray[np.float64]) -> HeadWeights:
    """The weights of both regressions; each question ``counts`` so much."""
    both = _fit(asked, _SCALE * asked.vectors, counts)
    alone = _fit(asked, asked.vectors[:, :0], counts)
    return HeadWeights(
        vector=_SCALE * both[SIZE:-1],
        bias=both[-1],
        wording=both[:SIZE],
        alone=alone[:SIZE],
        alone_bias=alone[-1],
    )


def _fit(asked: Labelled, vectors: Array, counts: NDArray[np.float64]) -> Array:
    """Weights, of the wording, of the ``vectors`` and of nothing (a bias), by L-BFGS."""

    def loss(table: jax.Array) -> jax.Array:
        by_wording = jnp.einsum("qf,qfk->qk", asked.values, table[asked.places])
        outputs = by_wording + vectors @ table[SIZE:-1] + table[-1]
        likely = jax.nn.log_softmax(outputs)[np.arange(len(asked.labels)), asked.labels]
        return _PENALTY / 2 * (table[:-1] ** 2).sum() - (counts * likely).sum()

    table = jnp.zeros((SIZE + vectors.shape[1] + 1, int(asked.labels.max()) + 1))
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


def logits_of(head: HeadWeights, asked: Labelled) -> tuple[Array, Array]:
    """What a head that was not written yet says: with the vector, and by the wording alone."""

    def by_wording(weights: Array) -> Array:
        return np.einsum("qf,qfk->qk", asked.values, weights[asked.places])

    by_vector = asked.vectors @ head.vector
    both = by_wording(head.wording) + by_vector + head.bias
    return both, by_wording(head.alone) + head.alone_bias


def temperature(logits: Array, labels: NDArray[np.int64]) -> float:
    """The temperature at which the labels are likeliest (Guo et al. 2017)."""

    def surprise(at: float) -> float:
        scaled = logits / at
        likely = scaled - np.logaddexp.reduce(scaled, 1, keepdims=True)
        return -float(likely[np.arange(len(labels)), labels].mean())

    return min((t / 20 for t in range(10, 100)), key=surprise)
