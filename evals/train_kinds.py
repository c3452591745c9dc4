"""Train the reading of what kind of answer is asked for: ``python -m evals.train_kinds``.

Multinomial logistic regression over the hashed wording (``agents.features``) and the vector of the
questions' reader, whose own training (``evals.train_intents``) comes before; and one over the
wording alone. It learns from the questions over the vaults below ``data/reader``, then also from
those in ``data/kinds``, by other writers, on which the temperatures are set first. Printed is how
many of these, and of the questions in ``data/answers``, which it never learns from, it reads as
their writers meant them. Needs the group ``train``; takes three minutes.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Self

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from agents.answer_kinds import WEIGHTS, answer_kinds
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
_OTHERS = 3.0
"""What a question counts that was written to show a kind, and not for the answers of a vault."""

type Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Questions as numbers: places and values of their wording, vectors, and their kinds."""

    places: NDArray[np.int32]
    values: Array
    vectors: Array
    kinds: NDArray[np.int64]

    @classmethod
    def read(cls, rows: Sequence[Mapping[str, str]], reader: QuestionReader) -> Self:
        """Rows of ``q`` and ``kind`` as numbers."""
        read = [features_of(row["q"]) for row in rows]
        shape = len(read), max(len(one.places) for one in read)
        places, values = np.zeros(shape, np.int32), np.zeros(shape, np.float32)
        for row, one in enumerate(read):
            places[row, : len(one.places)] = one.places
            values[row, : len(one.values)] = one.values
        vectors = [reader.vector(vector_text(row["q"])) for row in rows]
        kinds = np.array([ANSWER_KINDS.index(row["kind"]) for row in rows])
        return cls(places, values, np.array(vectors, np.float32), kinds)

    def part(self, which: slice) -> Self:
        """Some of them."""
        return replace(
            self,
            places=self.places[which],
            values=self.values[which],
            vectors=self.vectors[which],
            kinds=self.kinds[which],
        )


def main() -> int:
    reader = QuestionReader()
    first = rows_in(sorted((DATA / "reader").glob("*/questions.jsonl")))
    others = {file.stem: rows_in([file]) for file in sorted((DATA / "kinds").glob("*.jsonl"))}
    every = Labelled.read([*first, *chain.from_iterable(others.values())], reader)
    head = fit(every.part(slice(len(first))), np.ones(len(first)))
    unseen = every.part(slice(len(first), None))
    logits = logits_of(head, unseen)
    start = 0
    for name, rows in others.items():
        own = slice(start, start := start + len(rows))
        for how, said in zip(("with the vector", "by words alone"), logits, strict=True):
            right = (said[own].argmax(1) == unseen.kinds[own]).mean()
            sys.stdout.write(f"{name:12} unseen, {how}: {right:.3f} of {len(rows)}\n")
    temperatures = [_temperature(said, unseen.kinds) for said in logits]
    counts = np.where(np.arange(len(every.kinds)) < len(first), 1.0, _OTHERS)
    write_head(fit(every, counts), WEIGHTS, temperatures=temperatures)
    _tell(rows_in(sorted((DATA / "answers").glob("*.jsonl"))), reader)
    return 0


def rows_in(files: Iterable[Path]) -> list[Mapping[str, str]]:
    """The questions whose kind is one of answers: neither what has none nor how it is typed."""
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [row for row in rows if row["kind"] in ANSWER_KINDS]


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
        likely = jax.nn.log_softmax(outputs)[np.arange(len(asked.kinds)), asked.kinds]
        return _PENALTY / 2 * (table[:-1] ** 2).sum() - (counts * likely).sum()

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


def logits_of(head: HeadWeights, asked: Labelled) -> tuple[Array, Array]:
    """What a head that was not written yet says: with the vector, and by the wording alone."""

    def by_wording(weights: Array) -> Array:
        return np.einsum("qf,qfk->qk", asked.values, weights[asked.places])

    by_vector = asked.vectors @ head.vector
    both = by_wording(head.wording) + by_vector + head.bias
    return both, by_wording(head.alone) + head.alone_bias


def _temperature(logits: Array, kinds: NDArray[np.int64]) -> float:
    """The temperature at which the kinds are likeliest (Guo et al. 2017)."""

    def surprise(temperature: float) -> float:
        scaled = logits / temperature
        likely = scaled - np.logaddexp.reduce(scaled, 1, keepdims=True)
        return -float(likely[np.arange(len(kinds)), kinds].mean())

    return min((t / 20 for t in range(10, 100)), key=surprise)


def _tell(rows: Sequence[Mapping[str, str]], reader: QuestionReader) -> None:
    """How many questions what ships reads rightly."""
    asked, right = Counter[str](), Counter[str]()
    for row in rows:
        read = answer_kinds(features_of(row["q"]), reader.vector(vector_text(row["q"])))
        asked[row["kind"]] += 1
        right[row["kind"]] += max(ANSWER_KINDS, key=read.__getitem__) == row["kind"]
    for kind in ANSWER_KINDS:
        sys.stdout.write(f"{kind:12} {right[kind]} of {asked[kind]}\n")
    sys.stdout.write(f"{right.total() / asked.total():.3f} of all\n")


if __name__ == "__main__":
    sys.exit(main())
