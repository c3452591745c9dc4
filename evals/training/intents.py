"""Train the reading of questions on the written cases: ``python -m evals.training.intents``.

Learns, all at once, thin changes to the encoder (rank 8), a head over its vector and a head over
the sparse wording. Six outputs: the five intents and whether a question has several readings.
Whole files of two writers are held out first; on them the temperatures are set and the figures
printed. Then everything is trained once more on all files and written to where it ships. Each time
several members are trained and their weights averaged.

Needs the group ``train``: ``uv sync --group train``. About 25 minutes on two cores;
``evals.training.answer_kinds`` has to follow.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from agents.interpreter.classifiers.features import SIZE
from agents.interpreter.classifiers.intents import WEIGHTS, settled
from evals.datasets.files import DATA
from evals.learning import bert
from evals.learning.descent import adamw
from evals.learning.question_batches import (
    BATCH,
    LENGTHS,
    Example,
    batches,
    encoded,
    one_epoch,
    read_examples,
    with_noise,
)
from evals.learning.weights import HeadWeights, write_adapter, write_head
from tools.base.domain import INTENTS
from tools.semantic.encoder_graph import DIMENSIONS
from tools.semantic.question import ADAPTERS

TRAIN = DATA / "intents" / "train"
HELD_OUT = ("en_mixed2.jsonl", "tr2.jsonl")
"""Each the work of a writer of its own, all intents and forms."""

SEEDS = (7, 11)
"""Of each member."""
RANK = 8
EPOCHS = 4
LEARNING_RATES = {"adapter": 1.5e-3, "vector": 4e-3, "wording": 6e-3, "alone": 2e-2}
AVERAGE = 0.995
"""Decay of the running mean of the weights, which is what is kept."""
VECTOR_SCALE = 8.0

type Params = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument(
        "--keep-temperatures",
        action="store_true",
        help="do not train without the held-out files; keep the temperatures that are shipped",
    )
    options = parser.parse_args()
    weights = bert.published()
    files = sorted(TRAIN.glob("*.jsonl"))
    if options.keep_temperatures:
        with np.load(WEIGHTS) as shipped:
            temperatures = shipped["temperatures"].tolist()
    else:
        unseen = [e for f in files if f.name in HELD_OUT for e in read_examples(f)]
        seen = [file for file in files if file.name not in HELD_OUT]
        params = _mean(_members(weights, seen, unseen, epochs=options.epochs))
        temperatures = []
        for logits in (_logits, _logits_alone):
            outputs = _outputs(weights, params, unseen, logits=logits)
            temperatures.append(_temperature(outputs, unseen))
            print(f"temperature {temperatures[-1]:.2f}", _figures(outputs, unseen))
    params = _mean(_members(weights, files, [], epochs=options.epochs))
    learned = jax.tree.map(lambda value: np.asarray(value, np.float32), params)
    write_adapter(learned["adapter"], ADAPTERS)
    write_head(_head(learned), WEIGHTS, temperatures=temperatures)
    return 0


def _members(
    weights: bert.Arrays, files: Sequence[Path], unseen: Sequence[Example], *, epochs: int
) -> list[Params]:
    examples = [example for file in files for example in read_examples(file)]
    return [_train(weights, examples, unseen, epochs=epochs, seed=seed) for seed in SEEDS]


def _mean(members: Sequence[Params]) -> Params:
    """One model with the mean of the members' weights (model soup, Wortsman et al. 2022).

    Trainings from one encoder err differently, and so near to it the mean of the weights gives
    about the mean of the outputs, for the price of one. The mean of products of thin matrices is
    exact: one product of all of them side by side.
    """
    adapters = [member["adapter"] for member in members]
    sides = {
        name: (
            jnp.concatenate([adapter[name] for adapter in adapters]) / len(adapters)
            if name.endswith(".up")
            else jnp.concatenate([adapter[name] for adapter in adapters], axis=1)
        )
        for name in adapters[0]
    }
    mean = jax.tree.map(lambda *values: sum(values) / len(values), *members)
    return {**mean, "adapter": sides}


# --- the model -----------------------------------------------------------------------------


def _start(seed: int) -> Params:
    return {
        "adapter": bert.unchanged(jax.random.PRNGKey(seed), rank=RANK),
        "vector": {"weight": jnp.zeros((DIMENSIONS, 6)), "bias": jnp.zeros(6)},
        "wording": {"weight": jnp.zeros((SIZE, 6))},
        "alone": {"weight": jnp.zeros((SIZE, 6)), "bias": jnp.zeros(6)},
    }


def _logits(params: Params, weights: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    """Six outputs by vector and wording together."""
    vector = bert.vectors(weights, params["adapter"], batch["ids"], batch["mask"])
    by_vector = VECTOR_SCALE * vector @ params["vector"]["weight"]
    return (
        batch["sees_vector"][:, None] * by_vector
        + batch["sees_wording"][:, None] * _sparse(params["wording"], batch)
        + params["vector"]["bias"]
    )


def _logits_alone(params: Params, _: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    """Six outputs by the wording alone, for when there is no vector."""
    return _sparse(params["alone"], batch) + params["alone"]["bias"]


def _sparse(head: Params, batch: Mapping[str, jax.Array]) -> jax.Array:
    return (head["weight"][batch["places"]] * batch["values"][:, :, None]).sum(1)


def _loss(params: Params, weights: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    size = (
        2e-5 * (params["wording"]["weight"] ** 2).sum()
        + 1e-4 * (params["vector"]["weight"] ** 2).sum()
        + 2e-5 * (params["alone"]["weight"] ** 2).sum()
    )
    both = _error(_logits(params, weights, batch), batch)
    return both + _error(_logits_alone(params, weights, batch), batch) + size


def _error(logits: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    reading = optax.softmax_cross_entropy(logits[:, :5], batch["target"])
    doubt = optax.sigmoid_binary_cross_entropy(logits[:, 5], batch["doubt"])
    return (reading + 0.5 * doubt).mean()


def _train(
    weights: bert.Arrays,
    examples: Sequence[Example],
    unseen: Sequence[Example],
    *,
    epochs: int,
    seed: int,
) -> Params:
    rng = random.Random(seed)
    steps = epochs * (len(examples) // BATCH + len(LENGTHS))
    optimiser = optax.multi_transform(
        {
            name: adamw(rate, steps, decay=0.01 if name == "adapter" else 0.0)
            for name, rate in LEARNING_RATES.items()
        },
        {name: name for name in LEARNING_RATES},
    )
    params = _start(seed)
    state = optimiser.init(params)
    held = params, state, params

    @jax.jit
    def step(weights: bert.Arrays, held: Any, batch: Any, keep: jax.Array) -> Any:
        params, state, mean = held
        loss, gradient = jax.value_and_grad(_loss)(params, weights, batch)
        change, state = optimiser.update(gradient, state, params)
        params = optax.apply_updates(params, change)
        mean = jax.tree.map(lambda old, new: keep * old + (1 - keep) * new, mean, params)
        return (params, state, mean), loss

    queries = [example.query for example in examples]
    plain, noisy = encoded(queries), encoded(with_noise(queries, rng))
    done = 0
    for epoch in range(epochs):
        began, losses = time.perf_counter(), []
        for batch in batches(examples, one_epoch(plain, noisy, rng), rng=rng):
            done += 1
            keep = jnp.asarray(min(AVERAGE, 1 - 1 / done))
            held, loss = step(weights, held, batch, keep)
            losses.append(float(loss))
        line = f"epoch {epoch + 1}/{epochs} loss {np.mean(losses):.4f}"
        if unseen:
            line += f" {_figures(_outputs(weights, held[2], unseen), unseen)}"
        print(line, f"{time.perf_counter() - began:.0f} s", flush=True)
    return held[2]


# --- figures -------------------------------------------------------------------------------


def _outputs(
    weights: bert.Arrays,
    params: Params,
    examples: Sequence[Example],
    *,
    logits: Callable[[Params, bert.Arrays, Any], jax.Array] = _logits,
) -> np.ndarray:
    run = jax.jit(logits)
    outputs = np.zeros((len(examples), 6), np.float32)
    reads = encoded([example.query for example in examples])
    for batch in batches(examples, reads):
        rows = batch["row"] >= 0
        outputs[batch["row"][rows]] = np.asarray(run(params, weights, batch))[rows]
    return outputs


def _figures(outputs: np.ndarray, examples: Sequence[Example]) -> str:
    doubt = np.array([e.doubt for e in examples]) > 0
    right = outputs[:, :5].argmax(1) == np.array([e.target for e in examples]).argmax(1)
    told = outputs[:, 5] > 0
    parts = []
    for language in sorted({e.language for e in examples}):
        here = np.array([e.language == language for e in examples])
        parts.append(f"{language} {right[here & ~doubt].mean():.4f}")
    f1 = 2 * (told & doubt).sum() / max(1, told.sum() + doubt.sum())
    return f"{' '.join(parts)} doubt F1 {f1:.3f} interrupted {told[~doubt].mean():.4f}"


def _temperature(outputs: np.ndarray, examples: Sequence[Example]) -> float:
    """The temperature at which the final confidence of clear questions is likeliest.

    Temperature scaling (Guo et al. 2017), but of what ``settled`` makes of the probabilities.
    """
    clear = [n for n, example in enumerate(examples) if example.doubt == 0]
    right = outputs[:, :5].argmax(1) == np.array([e.target for e in examples]).argmax(1)

    def surprise(temperature: float) -> float:
        scaled = outputs[:, :5] / temperature
        raised = np.exp(scaled - scaled.max(1, keepdims=True))
        shares = raised / raised.sum(1, keepdims=True)
        doubts = 1 / (1 + np.exp(-outputs[:, 5]))
        total = 0.0
        for n in clear:
            readings = settled(dict(zip(INTENTS, shares[n].tolist(), strict=True)), doubts[n])
            confidence = min(max(readings.values()), 0.999)
            total -= np.log(confidence if right[n] else 1 - confidence)
        return total

    return min((t / 20 for t in range(4, 50)), key=surprise)


def _head(learned: Params) -> HeadWeights:
    return HeadWeights(
        vector=VECTOR_SCALE * learned["vector"]["weight"],
        bias=learned["vector"]["bias"],
        wording=learned["wording"]["weight"],
        alone=learned["alone"]["weight"],
        alone_bias=learned["alone"]["bias"],
    )


if __name__ == "__main__":
    sys.exit(main())
