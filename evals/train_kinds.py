"""Train the reading of what kind of answer is asked for: ``python -m evals.train_kinds``.

Multinomial logistic regression over the hashed wording (``agents.features``), from the questions
over the vaults below ``data/reader``, by L-BFGS. Printed is how many of the questions in
``data/answers``, which it does not learn from, it reads as their writers meant them. Needs the
group ``train``; takes half a minute.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from agents.answer_kinds import WEIGHTS, answer_kinds
from agents.features import SIZE, read_features
from tools.domain import ANSWER_KINDS
from tools.semantic.encoder_graph import in_steps

DATA = Path(__file__).parent / "data"
_PENALTY = 0.3
"""Of the squared weights: chosen by the questions that are left out."""
_STEPS = 60

type Labelled = Sequence[tuple[str, str]]


def main() -> int:
    weights, bias = fit(labelled(sorted((DATA / "reader").glob("*/questions.jsonl"))))
    steps, step = in_steps(weights, over=0)
    np.savez_compressed(WEIGHTS, allow_pickle=False, steps=steps, step=step, bias=bias)
    right, asked = Counter[str](), Counter[str]()
    for question, kind in labelled(sorted((DATA / "answers").glob("*.jsonl"))):
        read = answer_kinds(question)
        asked[kind] += 1
        right[kind] += max(ANSWER_KINDS, key=read.__getitem__) == kind
    for kind in ANSWER_KINDS:
        sys.stdout.write(f"{kind:12} {right[kind]} of {asked[kind]}\n")
    sys.stdout.write(f"{right.total() / asked.total():.3f} of all\n")
    return 0


def labelled(files: Iterable[Path]) -> Labelled:
    """The questions whose kind is one of answers: neither what has none nor how it is typed."""
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [(row["q"], row["kind"]) for row in rows if row["kind"] in ANSWER_KINDS]


def fit(given: Labelled) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weights (SIZE × kinds) and biases."""
    read = [read_features(question) for question, _ in given]
    longest = max(len(one.places) for one in read)
    places = np.zeros((len(read), longest), np.int32)
    values = np.zeros((len(read), longest), np.float32)
    for row, one in enumerate(read):
        places[row, : len(one.places)] = one.places
        values[row, : len(one.places)] = one.values
    kinds = np.array([ANSWER_KINDS.index(kind) for _, kind in given])
    shape = (SIZE + 1, len(ANSWER_KINDS))

    def loss(table: jax.Array) -> jax.Array:
        outputs = jnp.einsum("qf,qfk->qk", values, table[places]) + table[-1]
        likely = jax.nn.log_softmax(outputs)[np.arange(len(kinds)), kinds]
        return _PENALTY / 2 * (table[:-1] ** 2).sum() - likely.sum()

    table, optimiser = jnp.zeros(shape), optax.lbfgs()
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
    learned = np.asarray(table)
    return learned[:-1], learned[-1]


if __name__ == "__main__":
    sys.exit(main())
