"""Train the reading of questions on the written cases: ``python -m evals.train_intents``.

Learns, all at once, thin changes to the encoder (rank 8), a head over its vector and a head over
the sparse wording. Six outputs: the five intents and whether a question has several readings.
Whole files of two writers are held out first; on them the temperatures are set and the figures
printed. Then everything is trained once more on all files and written to where it ships.

Needs the group ``train``: ``uv sync --group train``. Some twenty minutes on two cores.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from tokenizers import Tokenizer

from agents.features import SIZE, Features, read_features
from agents.intents import WEIGHTS, settled, vector_text
from evals import bert
from tools.dates import find_period
from tools.domain import INTENTS
from tools.errors import InputError
from tools.semantic import minilm
from tools.semantic.question import ADAPTER

TRAIN = Path(__file__).parent / "data" / "intents" / "train"
HELD_OUT = ("en_mixed2.jsonl", "tr2.jsonl")
"""Each the work of a writer of its own, all intents and forms."""

RANK = 8
EPOCHS = 5
BATCH = 32
LENGTHS = (9, 12, 15, 19, 24, 32, 48, 80, 128)
MAX_FEATURES = 512
LEARNING_RATES = {"adapter": 1.5e-3, "vector": 4e-3, "wording": 6e-3, "alone": 2e-2}
BLIND = 0.1
"""Share of the examples that see only the wording, and of those that see only the vector."""
AVERAGE = 0.995
"""Decay of the running mean of the weights, which is what is kept."""
SMOOTHING = 0.03
NOISE = 0.25
"""Share of the examples that are changed a little each time: letters, case, punctuation."""
VECTOR_SCALE = 8.0
NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)

type Params = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    query: str
    language: str
    target: tuple[float, ...]
    doubt: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--only", choices=("held-out", "final"), default=None)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--save-held-out", type=Path, default=None)
    options = parser.parse_args()
    files = sorted(TRAIN.glob("*.jsonl"))
    weights = bert.published()
    temperatures: dict[str, float] = {}
    if options.only != "final":
        seen = [e for f in files if f.name not in HELD_OUT for e in _examples(f)]
        unseen = [e for f in files if f.name in HELD_OUT for e in _examples(f)]
        params = _train(weights, seen, unseen, epochs=options.epochs, seed=options.seed)
        for name, logits in (("both", _logits), ("alone", _logits_alone)):
            outputs = _outputs(weights, params, unseen, logits=logits)
            temperatures[name] = _temperature(outputs, unseen)
            print(f"{name}: temperature {temperatures[name]:.3f}", _figures(outputs, unseen))
        if options.save_held_out:
            _save_outputs(options.save_held_out, _outputs(weights, params, unseen), unseen)
    if options.only != "held-out":
        everything = [e for f in files for e in _examples(f)]
        params = _train(weights, everything, [], epochs=options.epochs, seed=options.seed)
        _write(params, temperatures or {"both": 1.0, "alone": 1.0})
    return 0


def _examples(file: Path) -> Iterator[Example]:
    for line in file.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        also = case.get("also", [])
        target = dict.fromkeys(INTENTS, 0.0)
        if also:
            # The likeliest reading a little before the others.
            target[case["intent"]] = 0.2
            for intent in {case["intent"], *also}:
                target[intent] += 0.8 / len({case["intent"], *also})
        else:
            target[case["intent"]] = 1.0
        yield Example(
            query=case["query"],
            language=case["language"],
            target=tuple((1 - SMOOTHING) * t + SMOOTHING / len(target) for t in target.values()),
            doubt=float(bool(also)),
        )


# --- the model -----------------------------------------------------------------------------


def _start(seed: int) -> Params:
    key = jax.random.PRNGKey(seed)
    adapter = {}
    for name, (inputs, outputs) in minilm.ADAPTED.items():
        key, part = jax.random.split(key)
        adapter[f"{name}.down"] = jax.random.normal(part, (inputs, RANK)) * inputs**-0.5
        adapter[f"{name}.up"] = jnp.zeros((RANK, outputs))
    return {
        "adapter": adapter,
        "vector": {"weight": jnp.zeros((minilm.DIMENSIONS, 6)), "bias": jnp.zeros(6)},
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
            name: optax.chain(
                optax.clip_by_global_norm(1.0),
                optax.adamw(
                    optax.warmup_cosine_decay_schedule(0, rate, steps // 15, steps, rate / 50),
                    weight_decay=0.01 if name == "adapter" else 0.0,
                ),
            )
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

    tokenizer = _tokenizer()
    plain = _read([example.query for example in examples], tokenizer)
    noisy = _read([_noisy(example.query, rng) for example in examples], tokenizer)
    done = 0
    for epoch in range(epochs):
        began, losses = time.perf_counter(), []
        for batch in _batches(examples, _epoch(plain, noisy, rng), rng=rng):
            done += 1
            keep = jnp.asarray(min(AVERAGE, 1 - 1 / done))
            held, loss = step(weights, held, batch, keep)
            losses.append(float(loss))
        line = f"epoch {epoch + 1}/{epochs} loss {np.mean(losses):.4f}"
        if unseen:
            line += f" {_figures(_outputs(weights, held[2], unseen), unseen)}"
        print(line, f"{time.perf_counter() - began:.0f} s", flush=True)
    return held[2]


# --- batches -------------------------------------------------------------------------------


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(minilm.model_dir() / "tokenizer.json"))
    tokenizer.no_padding()
    # The end of a long question is what asks.
    tokenizer.enable_truncation(LENGTHS[-1], direction="left")
    return tokenizer


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One way to write an example, as the model sees it."""

    ids: list[int]
    features: Features
    row: int


def _read(queries: Sequence[str], tokenizer: Tokenizer) -> list[Read]:
    encodings = tokenizer.encode_batch([vector_text(query) for query in queries])
    return [
        Read(
            ids=encoding.ids,
            features=read_features(query, date_span=_date_span(query)),
            row=row,
        )
        for row, (query, encoding) in enumerate(zip(queries, encodings, strict=True))
    ]


def _epoch(plain: Sequence[Read], noisy: Sequence[Read], rng: random.Random) -> list[Read]:
    picked = [n if rng.random() < NOISE else p for p, n in zip(plain, noisy, strict=True)]
    rng.shuffle(picked)
    return picked


def _batches(
    examples: Sequence[Example],
    reads: Sequence[Read],
    *,
    rng: random.Random | None = None,
) -> Iterator[dict[str, Any]]:
    """Batches of similar length; with ``rng`` in random order and partly blind."""
    groups: dict[int, list[Read]] = {length: [] for length in LENGTHS}
    for read in reads:
        groups[next(n for n in LENGTHS if len(read.ids) <= n)].append(read)
    batches = [
        (length, group[start : start + BATCH])
        for length, group in groups.items()
        for start in range(0, len(group), BATCH)
    ]
    if rng:
        rng.shuffle(batches)
    for length, group in batches:
        batch = _empty(length)
        for place, read in enumerate(group):
            batch["ids"][place, : len(read.ids)] = read.ids
            batch["mask"][place, : len(read.ids)] = 1
            kept = min(len(read.features.places), MAX_FEATURES)
            batch["places"][place, :kept] = read.features.places[:kept]
            batch["values"][place, :kept] = read.features.values[:kept]
            batch["target"][place] = examples[read.row].target
            batch["doubt"][place] = examples[read.row].doubt
            chance = rng.random() if rng else 1.0
            batch["sees_vector"][place] = chance >= BLIND
            batch["sees_wording"][place] = not BLIND <= chance < 2 * BLIND
            batch["row"][place] = read.row
        yield batch


def _empty(length: int) -> dict[str, Any]:
    mask = np.zeros((BATCH, length), np.float32)
    mask[:, 0] = 1  # an empty place has one token, so that nothing is divided by nought
    return {
        "ids": np.zeros((BATCH, length), np.int32),
        "mask": mask,
        "places": np.zeros((BATCH, MAX_FEATURES), np.int32),
        "values": np.zeros((BATCH, MAX_FEATURES), np.float32),
        "target": np.full((BATCH, 5), 0.2, np.float32),
        "doubt": np.zeros(BATCH, np.float32),
        "sees_vector": np.ones(BATCH, np.float32),
        "sees_wording": np.ones(BATCH, np.float32),
        "row": np.full(BATCH, -1, np.int32),
    }


def _date_span(query: str) -> tuple[int, int] | None:
    try:
        found = find_period(query, now=NOW)
    except InputError:
        return None
    return found.span if found else None


def _noisy(query: str, rng: random.Random) -> str:
    """What hurried people do: no capitals, no question mark, a letter wrong."""
    kind = rng.randrange(4)
    if kind == 0:
        return query.lower().rstrip("?.! ")
    if kind == 1:
        return query.rstrip("?.! ") + rng.choice(("", "?", "??", "."))
    letters = list(query)
    for _ in range(max(1, len(letters) // 30)):
        place = rng.randrange(1, len(letters)) if len(letters) > 1 else 0
        if letters[place].isalpha():
            letters[place : place + 2] = rng.choice(
                (letters[place : place + 2][::-1], letters[place : place + 1], [letters[place]] * 2)
            )
    return "".join(letters)


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
    reads = _read([example.query for example in examples], _tokenizer())
    for batch in _batches(examples, reads):
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


def _save_outputs(path: Path, outputs: np.ndarray, examples: Sequence[Example]) -> None:
    with path.open("w") as file:
        for row, example in zip(outputs, examples, strict=True):
            case = {"query": example.query, "language": example.language, "doubt": example.doubt}
            case |= {"target": example.target, "outputs": row.tolist()}
            file.write(json.dumps(case, ensure_ascii=False) + "\n")


def _write(params: Params, temperatures: Mapping[str, float]) -> None:
    half = {name: np.asarray(value, np.float16) for name, value in params["adapter"].items()}
    np.savez_compressed(ADAPTER, allow_pickle=False, **half)
    wording, wording_step = _in_bytes(params["wording"]["weight"])
    alone, alone_step = _in_bytes(params["alone"]["weight"])
    np.savez_compressed(
        WEIGHTS,
        allow_pickle=False,
        vector=np.asarray(VECTOR_SCALE * params["vector"]["weight"], np.float16),
        bias=np.asarray(params["vector"]["bias"], np.float32),
        wording=wording,
        wording_step=wording_step,
        alone=alone,
        alone_step=alone_step,
        alone_bias=np.asarray(params["alone"]["bias"], np.float32),
        temperatures=np.array([temperatures["both"], temperatures["alone"]], np.float32),
    )
    for path in (ADAPTER, WEIGHTS):
        print(path.name, path.stat().st_size, "bytes")


def _in_bytes(weight: jax.Array) -> tuple[np.ndarray, np.ndarray]:
    """Whole steps from -127 to 127, and the size of a step for each output."""
    full = np.asarray(weight, np.float32)
    step = np.abs(full).max(0) / 127
    return np.round(full / step).astype(np.int8), step


if __name__ == "__main__":
    sys.exit(main())
