"""Train the reader of evidence: ``python -m evals.training.evidence_reader PUBLIC --kept FOLDER``.

Learns thin changes to an encoder (LoRA) and a head that give each span of a window, read beside a
question, a score: how surely it answers. The spans of a question's windows compete with each other
and with "none of these", whose score is 0 (a softmax over the candidates and a null, as SQuAD 2.0's
readers have it), so the score is a logit. Two networks are learned: that which reads windows
(``together``) and the one that looks at spans ``alone``. PUBLIC is the folder with ``qamr.jsonl``
and XQuAD. ``--encoder`` names what is changed: MiniLM, or the first layers of e5, which reads
Turkish and questions in the other language, too.

The public questions first, then what is written below ``data/reader``, with the turns of
``data/dialogues/train`` that lean on others, and for e5 the questions of ``data/crossed/train``, at
a lower rate: once with the windows that the program would read beside each answer, then again with
those among them that the reader so far takes for answers (hard negatives, Xiong et al. 2021).
``--go-on`` begins with what ships and does the last of these alone; what ships then is the mean of
both. ``brain eval reader`` measures what comes of it, and ``evals/fitting/evidence_ranking.py`` has
to follow.

Needs the group ``train``: ``uv sync --group train``. About eight hours on two cores.
docs/PERFORMANCE.md says what the weights that ship have seen.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from evals.answers.span_questions import read_windows
from evals.datasets.dialogues import Dialogue
from evals.datasets.files import DATA
from evals.datasets.records import read_lines
from evals.learning import bert
from evals.learning.descent import adamw, descend
from evals.learning.weights import as_kept
from evals.training.reader_groups import Group, own, public, vaults_below
from tools.base.domain import Reading
from tools.evidence.ranking import first_weights
from tools.semantic.e5 import E5
from tools.semantic.encoder_graph import DIMENSIONS, dense
from tools.semantic.evidence_reader import MAX_QUESTION, WEIGHTS, tokens_of
from tools.semantic.minilm import MINILM
from tools.semantic.published import Published

WRITTEN = DATA / "reader"
LAYERS = 6
"""Of the encoder, the first."""
RANK = 48
HIDDEN = 64
TOKENS = 3072
"""Of a batch, with those that only fill it up."""
LENGTHS = (40, 64, 96, 128, 160, 208)
"""Tokens of a window: each group goes into the shortest that holds its longest window."""
SPANS = 16
"""Spans of a window that are learned from."""
_OBSERVED = 160
"""Groups whose values say how the network is put into whole numbers."""
_ALONE = 1 / 6
"""What a span by itself weighs beside the competition of all."""
_NEVER = -1e9
RATE = {"adapter": 8e-4, "head": 2e-3}
LOWER = 0.6
"""Share of the rates at which the reader goes on with the written notes."""
BESIDE = 0.15
"""Public groups beside the written ones, so that nothing is forgotten."""

_READINGS: tuple[Reading, ...] = ("together", "alone")

type Params = dict[str, Any]


def start(seed: int) -> Params:
    key, part = jax.random.split(jax.random.PRNGKey(seed))
    return {
        "adapter": bert.unchanged(key, rank=RANK),
        "head": {
            "down": jax.random.normal(part, (3 * DIMENSIONS, HIDDEN)) * (3 * DIMENSIONS) ** -0.5,
            "down_bias": jnp.zeros(HIDDEN),
            "up": jnp.zeros(HIDDEN),
            "cosine": jnp.full((), 4.0),
            "bias": jnp.full((), -2.0),
        },
    }


def scores(params: Params, weights: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    """The logit of every span (rows of ``ids`` × ``SPANS``).

    From the mean vectors of the question's tokens and of the span's, each read beside all others:
    their cosine, and a hidden layer over both and their product.
    """
    value = bert.hidden(weights, params["adapter"], batch["ids"], batch["mask"], batch["segments"])

    def unit(total: jax.Array) -> jax.Array:
        return total / jnp.sqrt((total**2).sum(-1, keepdims=True) + 1e-6)

    question = batch["mask"] - batch["segments"].astype(jnp.float32)
    said = unit(batch["spans"] @ value)
    asked = jnp.broadcast_to(unit((value * question[:, :, None]).sum(1))[:, None], said.shape)
    alike = asked * said
    both = jnp.concatenate([asked, said, alike * DIMENSIONS**0.5], -1) * DIMENSIONS**0.5
    head = params["head"]
    hidden = jnp.tanh(both @ head["down"] + head["down_bias"])
    return hidden @ head["up"] + head["cosine"] * alike.sum(-1) + head["bias"]


def loss_of(params: Params, weights: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    """The mean over the questions of a batch; ``of`` (groups × windows) says whose a window is."""
    there, gold, of = batch["there"] > 0, batch["gold"] > 0, batch["of"]
    logits = jnp.where(there, scores(params, weights, batch), _NEVER)

    def competing(which: jax.Array) -> jax.Array:
        every = jnp.where((of[:, :, None] > 0) & which, logits, _NEVER)
        return jax.nn.logsumexp(every.reshape(len(of), -1), 1)

    asked = of.max(1)
    answered = (of @ batch["gold"]).max(1) > 0
    right = jnp.where(answered, competing(gold), 0.0)
    listwise = ((jnp.logaddexp(competing(there), 0.0) - right) * asked).sum()
    # Evidence is known by its lines, of which often one sentence answers (hard EM, Min et al.
    # 2019): only the surest of a window has to be taken for an answer by itself.
    surest = jnp.where(gold, logits, _NEVER).max(1, keepdims=True)
    taken = jnp.where(gold & (logits >= surest), jax.nn.softplus(-logits), 0.0)
    refused = jnp.where(there & ~gold, jax.nn.softplus(logits), 0.0)
    return (listwise + _ALONE * (taken + refused).sum()) / asked.sum()


def train(
    base: Published,
    weights: bert.Arrays,
    params: Params,
    groups: Sequence[Group],
    *,
    seed: int,
    rates: Any,
) -> Params:
    rng = random.Random(seed)
    parts = list(batches(groups, rng, base))
    steps = len(parts)
    apart = {name: adamw(rate, steps) for name, rate in rates.items()}
    optimiser = optax.multi_transform(apart, {name: name for name in rates})
    return descend(params, weights, parts, steps=steps, optimiser=optimiser, loss_of=loss_of)


def batches(
    groups: Sequence[Group], rng: random.Random | None, base: Published
) -> Iterator[dict[str, Any]]:
    """Batches of groups of similar length, in random order."""
    tokenizer: Any = base.tokenizer()
    tokenizer.enable_truncation(LENGTHS[-1], strategy="longest_first")
    sized: dict[int, list[tuple[Group, Any]]] = {length: [] for length in LENGTHS}
    for one in groups:
        pairs = tokenizer.encode_batch(
            [(one.question[-MAX_QUESTION:], own.text) for own in one.windows]
        )
        longest = max(len(pair.ids) for pair in pairs)
        sized[next(length for length in LENGTHS if longest <= length)].append((one, pairs))
    parts: list[tuple[int, list[tuple[Group, Any]]]] = []
    for length, same in sized.items():
        if rng:
            rng.shuffle(same)
        room = 0
        for one in same:
            room -= len(one[0].windows)
            if room < 0:
                parts.append((length, []))
                room = TOKENS // length - len(one[0].windows)
            parts[-1][1].append(one)
    if rng:
        rng.shuffle(parts)
    for length, same in parts:
        yield _batch(length, same)


def _batch(length: int, groups: Sequence[tuple[Group, Any]]) -> dict[str, Any]:
    rows = TOKENS // length
    batch: dict[str, Any] = {
        "ids": np.zeros((rows, length), np.int32),
        "segments": np.zeros((rows, length), np.int32),
        "mask": np.zeros((rows, length), np.float32),
        "spans": np.zeros((rows, SPANS, length), np.float32),
        "there": np.zeros((rows, SPANS), np.float32),
        "gold": np.zeros((rows, SPANS), np.float32),
        "of": np.zeros((rows // 2, rows), np.float32),
    }
    batch["mask"][:, 0] = 1
    row = 0
    for number, (one, pairs) in enumerate(groups):
        for shown, pair in zip(one.windows, pairs, strict=True):
            batch["of"][number, row] = 1
            batch["ids"][row, : len(pair.ids)] = pair.ids
            batch["segments"][row, : len(pair.ids)] = pair.type_ids
            batch["mask"][row, : len(pair.ids)] = 1
            places = zip(tokens_of(pair, shown.marks), shown.gold, strict=True)
            seen = [(first, end, gold) for (first, end), gold in places if first < end]
            seen.sort(key=lambda place: not place[2])
            for column, (first, end, gold) in enumerate(seen[:SPANS]):
                batch["spans"][row, column, first:end] = 1
                batch["there"][row, column] = 1
                batch["gold"][row, column] = gold
            row += 1
    return batch


def save(params: Params, file: Path) -> None:
    """Everything exactly, to go on with."""
    flat = {f"{part}/{name}": value for part, own in params.items() for name, value in own.items()}
    np.savez(file, **{name: np.asarray(value, np.float32) for name, value in flat.items()})


def peaks_of(
    weights: bert.Arrays, params: Params, observed: Iterable[Mapping[str, Any]]
) -> dict[str, NDArray[np.float32]]:
    """The greatest value of each input of the wide matrices over some batches."""
    found: dict[str, NDArray[np.float32]] = {}
    for batch in observed:
        peaks: dict[str, jax.Array] = {}
        parts = (batch[name] for name in ("ids", "mask", "segments"))
        bert.hidden(weights, params["adapter"], *parts, peaks=peaks)
        for name, peak in peaks.items():
            found[name] = np.maximum(found.get(name, 0.0), np.asarray(peak))
    return found


def ship(
    weights: bert.Arrays, params: Params, observed: Iterable[Mapping[str, Any]], file: Path
) -> None:
    """Write what the program reads: thin matrices in whole steps, the head as it is.

    The batches ``observed`` say how the network is put into whole numbers.
    """
    kept: dict[str, Any] = {
        f"head/{name}": np.asarray(value, np.float32) for name, value in params["head"].items()
    }
    kept |= as_kept({name: np.asarray(own) for name, own in params["adapter"].items()})
    for name, peak in peaks_of(weights, params, observed).items():
        kept[f"{name}/peaks"] = peak.astype(np.float16)
    np.savez_compressed(file, allow_pickle=False, **kept)


def shipped(file: Path) -> Params:
    """What ships, as near as its whole steps are."""
    with np.load(file) as kept:
        adapter = {
            f"{name}.{part}": jnp.asarray(kept[f"{name}.{part}"] * kept[f"{name}.{part}/step"])
            for name in dense(LAYERS)
            for part in ("down", "up")
        }
        names = [name for name in kept.files if name.startswith("head/")]
        head = {name.removeprefix("head/"): jnp.asarray(kept[name]) for name in names}
    return {"adapter": adapter, "head": head}


def averaged(one: Params, other: Params) -> Params:
    """The mean of two trainings."""
    heads = one["head"], other["head"]
    return {
        "adapter": bert.averaged(one["adapter"], other["adapter"], rank=RANK),
        "head": jax.tree.map(lambda a, b: (a + b) / 2, *heads),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("public", type=Path)
    parser.add_argument("--encoder", choices=[*WEIGHTS], default=MINILM.name)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--kept", type=Path, required=True, help="folder for what each step learns")
    parser.add_argument(
        "--go-on", type=int, metavar="N", help="with what ships, on N questions of each vault"
    )
    options = parser.parse_args()
    base = E5 if options.encoder == E5.name else MINILM
    weights = bert.halved(bert.published(base, most=LAYERS))
    rng, turkish, went_on = random.Random(5), base is E5, options.go_on is not None
    given = {
        reading: public(
            options.public, rng=rng, reading=reading, questions=options.questions, turkish=turkish
        )
        for reading in _READINGS
    }
    parts = [DATA / "dialogues/train"] + [DATA / "crossed/train"] * turkish
    files = [own for part in parts for own in sorted(part.glob("*.jsonl" if turkish else "en_*"))]
    dialogues = [one for own in files for one in read_lines(own, Dialogue)]
    vaults = vaults_below(WRITTEN, dialogues, rng=rng, most=options.go_on)

    def learned(params: Params, reading: Reading, seed: int) -> Params:
        groups = own(vaults, WRITTEN, rng=rng, reading=reading)
        beside = given[reading]
        groups += rng.sample(beside, min(len(beside), int(BESIDE * len(groups))))
        rng.shuffle(groups)
        lower = {name: rate * LOWER for name, rate in RATE.items()}
        params = train(base, weights, params, groups, seed=seed, rates=lower)
        save(params, options.kept / f"{reading}{seed}.npz")
        return params

    def shipping(params: Params, reading: Reading) -> None:
        observed = batches(given[reading][:_OBSERVED], None, base)
        ship(weights, params, observed, WEIGHTS[base.name][reading])

    before: dict[Reading, Params] = {}
    for reading in _READINGS:
        if went_on:
            before[reading] = shipped(WEIGHTS[base.name][reading])
            continue
        params = train(base, weights, start(5), given[reading], seed=5, rates=RATE)
        save(params, options.kept / f"{reading}.npz")
        before[reading] = learned(params, reading, 6)
        shipping(before[reading], reading)
    for found in vaults:
        read_windows(found, first_weights())
    for reading in _READINGS:
        params = learned(before[reading], reading, 7)
        shipping(averaged(before[reading], params) if went_on else params, reading)
    return 0


if __name__ == "__main__":
    sys.exit(main())
