"""Train the reader of evidence: ``python -m evals.train_reader PUBLIC``.

Learns thin changes to the encoder (LoRA) and a head that give a pair of question and text a score:
how surely the text answers it. A group's texts compete with each other and with "none of these",
whose score is 0 (a softmax over the candidates and a null, as SQuAD 2.0's readers have it), so the
score is a logit. PUBLIC is the folder with ``qamr.jsonl`` and ``xquad_en.jsonl``.

The public questions first, then what is written below ``data/reader``, at a lower rate: once with
the texts that the program would read beside each answer, then again with those among them that the
reader so far takes for answers (hard negatives, Xiong et al. 2021).
``brain eval reader`` measures what comes of it, and ``evals/fit_evidence.py`` has to follow.

Needs the group ``train``: ``uv sync --group train``. About four hours on two cores.
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
from numpy.typing import NDArray
from tokenizers import Tokenizer

from evals import bert
from evals.reader_groups import CANDIDATES, Group, own, public, vaults_below
from evals.span_questions import read_all
from tools.evidence_ranking import first_weights
from tools.semantic import minilm
from tools.semantic.encoder_graph import DENSE, DIMENSIONS, in_steps
from tools.semantic.evidence_reader import WEIGHTS

WRITTEN = Path(__file__).parent / "data" / "reader"
RANK = 48
HIDDEN = 64
GROUPS = 8
"""Groups of a batch."""
_OBSERVED = 160
"""Groups whose values say how the network is put into whole numbers."""
LENGTHS = (32, 44, 54, 64, 80, 96)
"""Tokens of a batch: each group goes into the shortest that holds its longest pair."""
RATE = {"adapter": 8e-4, "head": 2e-3}
LOWER = 0.8
"""Share of the rates at which the reader goes on with the written notes."""
EPOCHS = (2, 1)
"""So often each written question is learned from, with other texts beside its answer; in the second
round among them those that the reader of the first took for answers."""
BESIDE = 0.2
"""Public groups beside the written ones, so that nothing is forgotten."""

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
            "down": jax.random.normal(part, (3 * DIMENSIONS, HIDDEN)) * (3 * DIMENSIONS) ** -0.5,
            "down_bias": jnp.zeros(HIDDEN),
            "up": jnp.zeros(HIDDEN),
            "cosine": jnp.full((), 4.0),
            "bias": jnp.full((), -2.0),
        },
    }


def scores(params: Params, weights: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    """The logit of every pair (rows of ``ids``).

    From the mean vectors of the question's tokens and of the text's, each read beside the other:
    their cosine, and a hidden layer over both and their product.
    """
    value = bert.hidden(weights, params["adapter"], batch["ids"], batch["mask"], batch["segments"])

    def mean(own: jax.Array) -> jax.Array:
        total = (value * own[:, :, None]).sum(1)
        return total / jnp.linalg.norm(total, axis=-1, keepdims=True)

    text = batch["segments"].astype(jnp.float32)
    asked, said = mean(batch["mask"] - text), mean(text)
    alike = asked * said
    both = jnp.concatenate([asked, said, alike * DIMENSIONS**0.5], -1) * DIMENSIONS**0.5
    head = params["head"]
    hidden = jnp.tanh(both @ head["down"] + head["down_bias"])
    return hidden @ head["up"] + head["cosine"] * alike.sum(-1) + head["bias"]


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
    tokenizer.enable_truncation(longest, strategy="longest_first")
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
    """Everything exactly, to go on with."""
    flat = {f"{part}/{name}": value for part, own in params.items() for name, value in own.items()}
    np.savez(file, **{name: np.asarray(value, np.float32) for name, value in flat.items()})


def peaks_of(
    weights: bert.Arrays, params: Params, groups: Sequence[Group]
) -> dict[str, NDArray[np.float32]]:
    """The greatest value of each input of the wide matrices over the pairs of some groups."""
    found: dict[str, NDArray[np.float32]] = {}
    for batch in batches(groups, None):
        peaks: dict[str, jax.Array] = {}
        parts = (batch[name] for name in ("ids", "mask", "segments"))
        bert.hidden(weights, params["adapter"], *parts, peaks=peaks)
        for name, peak in peaks.items():
            found[name] = np.maximum(found.get(name, 0.0), np.asarray(peak))
    return found


def ship(weights: bert.Arrays, params: Params, groups: Sequence[Group]) -> None:
    """Write what the program reads: thin matrices in whole steps, the head as it is."""
    kept: dict[str, Any] = {
        f"head/{name}": np.asarray(value, np.float32) for name, value in params["head"].items()
    }
    for name, matrix in params["adapter"].items():
        steps = in_steps(np.asarray(matrix), over=1 if name.endswith(".up") else 0)
        kept[name], kept[f"{name}/step"] = steps
    for name, peak in peaks_of(weights, params, groups).items():
        kept[f"{name}/peaks"] = peak.astype(np.float16)
    np.savez_compressed(WEIGHTS, allow_pickle=False, **kept)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("public", type=Path)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--kept", type=Path, required=True, help="folder for what each step learns")
    options = parser.parse_args()
    weights = bert.published()
    rng = random.Random(5)
    given = list(public(options.public, rng=rng, questions=options.questions))
    params = train(weights, start(5), given, seed=5, rates=RATE)
    save(params, options.kept / "public.npz")
    lower = {name: rate * LOWER for name, rate in RATE.items()}
    vaults = vaults_below(WRITTEN)
    for number, epochs in enumerate(EPOCHS):
        if number:
            for found in vaults:
                read_all(found, first_weights())
        groups = own(vaults, WRITTEN, rng=rng, epochs=epochs)
        groups += rng.sample(given, min(len(given), int(BESIDE * len(groups))))
        rng.shuffle(groups)
        params = train(weights, params, groups, seed=6 + number, rates=lower)
        save(params, options.kept / f"written{number}.npz")
        ship(weights, params, groups[:_OBSERVED])
    return 0


if __name__ == "__main__":
    sys.exit(main())
