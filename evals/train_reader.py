"""Train the reader of evidence: ``python -m evals.train_reader PUBLIC``.

Learns thin changes to the encoder (LoRA) and a head that give a pair of question and text a score:
how surely the text answers it. A group's texts compete with each other and with "none of these",
whose score is 0 (a softmax over the candidates and a null, as SQuAD 2.0's readers have it), so the
score is a logit. PUBLIC is the folder with ``qamr.jsonl`` and ``xquad_en.jsonl``.

Needs the group ``train``: ``uv sync --group train``. About an hour on two cores.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from tokenizers import Tokenizer

from evals import bert
from evals.reader_groups import CANDIDATES, Group, own, public
from tools.semantic import minilm
from tools.semantic.encoder_graph import DENSE, DIMENSIONS

WRITTEN = Path(__file__).parent / "data" / "reader"
RANK = 16
GROUPS = 8
"""Groups of a batch."""
LENGTHS = (32, 44, 56, 64, 80, 96)
"""Tokens of a batch: each group goes into the shortest that holds its longest pair."""
RATE = {"adapter": 8e-4, "head": 2e-3}

type Params = dict[str, Any]


def start(seed: int) -> Params:
    key = jax.random.PRNGKey(seed)
    adapter = {}
    for name, (inputs, outputs) in DENSE.items():
        key, part = jax.random.split(key)
        adapter[f"{name}.down"] = jax.random.normal(part, (inputs, RANK)) * inputs**-0.5
        adapter[f"{name}.up"] = jnp.zeros((RANK, outputs))
    key, part = jax.random.split(key)
    return {
        "adapter": adapter,
        "head": {
            "down": jax.random.normal(part, (DIMENSIONS, 64)) * DIMENSIONS**-0.5,
            "down_bias": jnp.zeros(64),
            "up": jnp.zeros(64),
            "bias": jnp.zeros(()),
        },
    }


def scores(params: Params, weights: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    """The logit of every pair (rows of ``ids``)."""
    value = bert.hidden(weights, params["adapter"], batch["ids"], batch["mask"], batch["segments"])
    mean = (value * batch["mask"][:, :, None]).sum(1) / batch["mask"].sum(1)[:, None]
    head = params["head"]
    return jnp.tanh(mean @ head["down"] + head["down_bias"]) @ head["up"] + head["bias"]


def loss_of(params: Params, weights: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    logits = scores(params, weights, batch).reshape(-1, CANDIDATES)
    gold = batch["gold"]
    null = jnp.zeros((len(logits), 1))
    right = jnp.concatenate([gold, 1 - gold.max(1, keepdims=True)], 1)
    every = jnp.concatenate([logits, null], 1)
    best = jax.nn.logsumexp(jnp.where(right > 0, every, -1e9), 1)
    listwise = (jax.nn.logsumexp(every, 1) - best).mean()
    alone = optax.sigmoid_binary_cross_entropy(logits, gold).mean()
    return listwise + alone


def train(
    weights: bert.Arrays, params: Params, groups: Sequence[Group], *, seed: int, rates: Any
) -> Params:
    rng = random.Random(seed)
    parts = list(batches(groups, rng))
    steps = len(parts)
    optimiser = optax.multi_transform(
        {
            name: optax.chain(
                optax.clip_by_global_norm(1.0),
                optax.adamw(
                    optax.warmup_cosine_decay_schedule(0, rate, steps // 15, steps, rate / 50),
                    weight_decay=0.01,
                ),
            )
            for name, rate in rates.items()
        },
        {name: name for name in rates},
    )
    state = optimiser.init(params)

    @jax.jit
    def step(weights: bert.Arrays, params: Any, state: Any, batch: Any) -> Any:
        loss, gradient = jax.value_and_grad(loss_of)(params, weights, batch)
        change, state = optimiser.update(gradient, state, params)
        return optax.apply_updates(params, change), state, loss

    began, losses = time.perf_counter(), []
    for number, batch in enumerate(parts, 1):
        params, state, loss = step(weights, params, state, batch)
        losses.append(float(loss))
        if number % 50 == 0:
            took = time.perf_counter() - began
            print(f"{number}/{steps} loss {np.mean(losses[-100:]):.4f} {took:.0f} s", flush=True)
    return params


def pairs(groups: Sequence[Group], *, longest: int) -> list[Any]:
    """The token ids of all pairs, in order."""
    tokenizer: Any = Tokenizer.from_file(str(minilm.model_dir() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest, strategy="only_second")
    return tokenizer.encode_batch(
        [(one.question[:200], text) for one in groups for text in one.texts]
    )


def batches(groups: Sequence[Group], rng: random.Random | None) -> Iterator[dict[str, Any]]:
    """Batches of groups of similar length, in random order."""
    encoded = pairs(groups, longest=LENGTHS[-1])
    sized: dict[int, list[int]] = {length: [] for length in LENGTHS}
    for number in range(len(groups)):
        own = encoded[number * CANDIDATES : (number + 1) * CANDIDATES]
        longest = max(len(one.ids) for one in own)
        sized[next(length for length in LENGTHS if longest <= length)].append(number)
    parts = [
        (length, numbers[at : at + GROUPS])
        for length, numbers in sized.items()
        for at in range(0, len(numbers) - GROUPS + 1, GROUPS)
    ]
    if rng:
        rng.shuffle(parts)
    for length, numbers in parts:
        shape = (GROUPS * CANDIDATES, length)
        batch = {
            "ids": np.zeros(shape, np.int32),
            "segments": np.zeros(shape, np.int32),
            "mask": np.zeros(shape, np.float32),
            "gold": np.zeros((GROUPS, CANDIDATES), np.float32),
        }
        for row, number in enumerate(numbers):
            for gold in groups[number].gold:
                batch["gold"][row, gold] = 1
            for at in range(CANDIDATES):
                one = encoded[number * CANDIDATES + at]
                place = row * CANDIDATES + at
                batch["ids"][place, : len(one.ids)] = one.ids
                batch["segments"][place, : len(one.ids)] = one.type_ids
                batch["mask"][place, : len(one.ids)] = 1
        yield batch


def save(params: Params, file: Path) -> None:
    flat = {f"{part}/{name}": value for part, own in params.items() for name, value in own.items()}
    np.savez(file, **{name: np.asarray(value, np.float32) for name, value in flat.items()})


def load(file: Path) -> Params:
    params: Params = {"adapter": {}, "head": {}}
    with np.load(file) as kept:
        for key in kept.files:
            part, _, name = key.partition("/")
            params[part][name] = jnp.asarray(kept[key])
    return params


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("public", type=Path)
    parser.add_argument("--questions", type=int, default=12_000)
    parser.add_argument("--epochs", type=int, default=4, help="over the written notes")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--begun", type=Path, help="weights after the public questions")
    options = parser.parse_args()
    weights = bert.published()
    rng = random.Random(5)
    if options.begun is None:
        groups = list(public(options.public, rng=rng, questions=options.questions))
        params = train(weights, start(5), groups, seed=5, rates=RATE)
        save(params, options.out.with_stem(f"{options.out.stem}-public"))
    else:
        params = load(options.begun)
    groups = own(WRITTEN, rng=rng, epochs=options.epochs)
    lower = {name: rate / 2 for name, rate in RATE.items()}
    save(train(weights, params, groups, seed=6, rates=lower), options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
