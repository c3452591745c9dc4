"""Train the reader of pairs of claims: ``python -m evals.training.pair_reader``.

Goes on from the reader of evidence (``reader_alone.npz``): its thin changes to the encoder (LoRA)
learn to read two claims beside each other, and a head gives, from the mean vectors of both sides,
the logits of what they are to each other (``RELATIONS``). What is learned from are the files of
``data/claim_pairs/train``, written by hand, the Turkish ones as glosses; a pair is shown in either
order, but for what follows from a side. Whole vaults are learned from as a scan reads them: the
pairs known of those in ``data/claim_pairs/vaults``, and neighbours of these and of the vaults in
``data/reader`` and ``data/weighed``, which are nothing to each other: above all those that what
ships takes for clashes most readily. ``--go-on``
gives what ships an epoch more, with whatever pairs have come since, and keeps the mean of before
and after, which reads better than either (Wortsman et al. 2022): what ships was learned so, in
several steps; ``--share`` is the part of the files of pairs that it is shown, but for those in
``--whole``.
``--without NAME …`` leaves files and vaults out and measures on them, ``--weigh FILE`` measures on
another file of pairs.

Needs the group ``train``: ``uv sync --group train``.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import batched
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from agents.interpreter.turkish.gloss import glossed
from evals.claims.pairs import ClaimPair
from evals.claims.vault_pairs import pairs_of, vault_name
from evals.datasets.files import DATA
from evals.datasets.records import read_lines
from evals.learning import bert
from evals.learning.descent import adamw, descend
from evals.training.evidence_reader import LAYERS, RATE, save, ship, shipped
from tools.claims.word_marks import MARKS
from tools.semantic.encoder import Encoder, load_encoder
from tools.semantic.encoder_graph import DIMENSIONS, SEGMENTS
from tools.semantic.evidence_reader import WEIGHTS as READERS
from tools.semantic.minilm import MINILM
from tools.semantic.pair_reader import CLASHES, RELATIONS, WEIGHTS, PairReader, marked
from tools.semantic.published import Published

TRAIN = DATA / "claim_pairs" / "train"
_VAULTS = DATA / "claim_pairs" / "vaults"
_QUIET = DATA / "reader", DATA / "weighed"
"""Vaults that were written for other things: nothing in them is known to clash."""
_KNOWN = 2
"""Times that each pair known of a vault is shown."""
_NEIGHBOURS, _OF_QUIET = (150, 75), (120, 30)
"""Neighbours of each vault, and of each in which nothing is known: those that the reader takes for
clashes most readily, and some of the others."""
HIDDEN = 64
EPOCHS = 3
GOING_ON = 0.6
"""Times the rates, where a training goes on with what ships."""
TOKENS = 2048
"""Of a batch, with those that only fill it up."""
LENGTHS = (24, 32, 40, 48, 64, 80, 104, 128)
"""Tokens of a pair: it goes into the shortest that holds it."""
_KINDS = 2 * (1 + len(MARKS))
"""Of tokens: of either side, unmarked or with one of the marks."""
_NEVER = -1e9
SMOOTH = 0.05
"""Share of a label that is spread over all."""

_EACH = 20
"""One pair in so many says how the network is put into whole numbers."""

type Params = dict[str, Any]


class Pair(ClaimPair):
    """A pair as the reader is shown it."""

    kind: str | None = None

    @property
    def sides(self) -> tuple[str, str]:
        return glossed(_said(self.a, self.about_a)), glossed(_said(self.b, self.about_b))

    @property
    def relations(self) -> tuple[int, ...]:
        """The places in ``RELATIONS`` of what the pair may be: of ``none`` all but the clashes."""
        label = (
            "change" if self.is_contradiction and self.kind == "change" else self.label or "none"
        )
        return (
            tuple(range(CLASHES, len(RELATIONS))) if label == "none" else (RELATIONS.index(label),)
        )

    @property
    def is_contradiction(self) -> bool:
        return self.label == "contradiction"


def vault_pairs(
    folder: Path, encoder: Encoder, reader: PairReader, rng: random.Random
) -> Iterator[Pair]:
    """The pairs of a vault, as a scan shows them to the reader: two states clash to it."""
    near: list[Pair] = []
    for a, b, kind in pairs_of(folder, encoder):
        label = "contradiction" if kind in ("contradiction", "change") else "none"
        pair = Pair(a=a.read_as, b=b.read_as, label=label, kind=kind)
        if kind:
            yield pair
        else:
            near.append(pair)
    hardest, others = _NEIGHBOURS if folder.parent == _VAULTS else _OF_QUIET
    sure = reader.relations([one.sides for one in near])[:, :CLASHES].sum(1)
    order = np.argsort(-sure).tolist()
    yield from (near[at] for at in order[:hardest])
    yield from (near[at] for at in rng.sample(order[hardest:], min(others, len(order[hardest:]))))


def _said(text: str, about: str) -> str:
    return f"{about}: {text}" if about else text


def start(base: Published, seed: int) -> Params:
    first, second = jax.random.split(jax.random.PRNGKey(seed))
    down = jax.random.normal(first, (4 * DIMENSIONS, HIDDEN)) * (4 * DIMENSIONS) ** -0.5
    up = jax.random.normal(second, (HIDDEN, len(RELATIONS))) * 0.01
    head = {"down": down, "down_bias": jnp.zeros(HIDDEN), "sides": jnp.zeros((_KINDS, DIMENSIONS))}
    head |= {"up": up, "bias": jnp.zeros(len(RELATIONS))}
    return {"adapter": shipped(READERS[base.name]["alone"])["adapter"], "head": head}


def logits(params: Params, weights: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    """Of every relation (pairs × ``RELATIONS``)."""
    weights = with_sides(weights, params)
    value = bert.hidden(weights, params["adapter"], batch["ids"], batch["mask"], batch["segments"])

    def mean(part: jax.Array) -> jax.Array:
        total = (value * part[:, :, None]).sum(1)
        return total / jnp.sqrt((total**2).sum(-1, keepdims=True) + 1e-6)

    second = (batch["segments"] % 2).astype(jnp.float32)
    a, b = mean(batch["mask"] - second), mean(second)
    both = jnp.concatenate([a, b, a * b * DIMENSIONS**0.5, jnp.abs(a - b)], -1) * DIMENSIONS**0.5
    head = params["head"]
    hidden = jnp.tanh(both @ head["down"] + head["down_bias"])
    return hidden @ head["up"] + head["bias"]


def with_sides(weights: bert.Arrays, params: Params) -> bert.Arrays:
    """The weights with what is learned of the kinds of tokens (``pair_graph``)."""
    sides = jnp.tile(weights[SEGMENTS], (_KINDS // 2, 1)) + params["head"]["sides"]
    return {**weights, SEGMENTS: sides}


def loss_of(params: Params, weights: bert.Arrays, batch: Mapping[str, jax.Array]) -> jax.Array:
    likely = jax.nn.log_softmax(logits(params, weights, batch))
    there = batch["right"].max(1)
    right = jax.nn.logsumexp(jnp.where(batch["right"] > 0, likely, _NEVER), 1)
    smoothed = (1 - SMOOTH) * right + SMOOTH * likely.mean(1)
    return -(smoothed * there).sum() / there.sum()


def trained(
    base: Published,
    weights: bert.Arrays,
    pairs: Sequence[Pair],
    *,
    seed: int,
    start: Params,
    epochs: int = EPOCHS,
    slower: float = 1.0,
) -> Params:
    """What ``epochs`` make of ``start``, at ``slower`` times the rates."""
    rng = random.Random(seed)
    parts = [part for _ in range(epochs) for part, _ in batches(pairs, base, rng)]
    apart = {name: adamw(rate * slower, len(parts)) for name, rate in RATE.items()}
    return descend(
        start,
        weights,
        parts,
        steps=len(parts),
        optimiser=optax.multi_transform(apart, {name: name for name in RATE}),
        loss_of=loss_of,
    )


def batches(
    pairs: Sequence[Pair], base: Published, rng: random.Random | None, *, turned: bool = False
) -> Iterator[tuple[dict[str, Any], NDArray[np.intp]]]:
    """Batches of pairs of similar length, and which pair each row is (-1: none).

    In random order, and turned round half of the time; without ``rng`` as they come.
    """
    tokenizer: Any = base.tokenizer()
    tokenizer.enable_truncation(LENGTHS[-1], strategy="longest_first")
    read = [
        one.sides[::-1]
        if (
            one.relations != (RELATIONS.index("entailment"),) and rng.random() < 0.5
            if rng
            else turned
        )
        else one.sides
        for one in pairs
    ]
    sized: dict[int, list[tuple[int, Any]]] = {length: [] for length in LENGTHS}
    for at, encoded in enumerate(tokenizer.encode_batch(read)):
        length = next(length for length in LENGTHS if len(encoded.ids) <= length)
        sized[length].append((at, encoded))
    parts: list[tuple[int, Sequence[tuple[int, Any]]]] = []
    for length, same in sized.items():
        if rng:
            rng.shuffle(same)
        parts += [(length, some) for some in batched(same, TOKENS // length)]
    if rng:
        rng.shuffle(parts)
    for length, some in parts:
        rows = TOKENS // length
        batch = {name: np.zeros((rows, length), np.int32) for name in ("ids", "segments")}
        batch |= {"mask": np.zeros((rows, length), np.float32)}
        batch |= {"right": np.zeros((rows, len(RELATIONS)), np.float32)}
        batch["mask"][:, 0] = 1
        of = np.full(rows, -1)
        for row, (at, encoded) in enumerate(some):
            tokens = len(encoded.ids)
            batch["ids"][row, :tokens] = encoded.ids
            batch["segments"][row, :tokens] = marked(encoded, *read[at])
            batch["mask"][row, :tokens] = 1
            batch["right"][row, list(pairs[at].relations)] = 1
            of[row] = at
        yield batch, of


_likely = jax.jit(lambda *given: jax.nn.softmax(logits(*given)))


def likely(
    base: Published, weights: bert.Arrays, params: Params, pairs: Sequence[Pair]
) -> NDArray[np.float32]:
    """How likely each relation is of each pair: the mean of both orders."""
    found = np.zeros((len(pairs), len(RELATIONS)), np.float32)
    for turned in (False, True):
        for batch, of in batches(pairs, base, None, turned=turned):
            own = np.asarray(_likely(params, weights, batch))
            found[of[of >= 0]] += own[of >= 0] / 2
    return found


def separation(pairs: Sequence[Pair], likely: NDArray[np.float32]) -> str:
    """How well clashes are told from all else, in a line."""
    truly = np.array([one.is_contradiction for one in pairs])
    sure = likely[:, :CLASHES].sum(1)
    if not truly.any():
        shares = "  ".join(f"above {at} {(sure > at).mean():.3f}" for at in (0.5, 0.7, 0.9))
        return f"none contradictory: {shares}"
    order = np.argsort(-sure)
    right = np.cumsum(truly[order])
    precision = right / np.arange(1, len(pairs) + 1)
    average = (precision * truly[order]).sum() / truly.sum()

    def recall(least: float) -> float:
        enough = np.flatnonzero(precision >= least)
        return right[enough[-1]] / truly.sum() if len(enough) else 0.0

    recalls = "  ".join(f"R at P {least} {recall(least):.2f}" for least in (0.95, 0.9, 0.8, 0.7))
    return f"average precision {average:.3f}  {recalls}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without", nargs="*", default=[], help="leave out and measure")
    parser.add_argument("--weigh", nargs="*", default=[], type=Path, help="measure on these files")
    parser.add_argument("--kept", type=Path, required=True, help="file for what is learned")
    parser.add_argument("--go-on", action="store_true", help="one epoch more with what ships")
    parser.add_argument("--share", type=float, default=1.0, help="of the files' pairs")
    parser.add_argument("--whole", nargs="*", default=[], help="files of which all is shown")
    parser.add_argument("--seed", type=int, default=1, help="another one shows other pairs")
    options = parser.parse_args()
    base = MINILM
    weights = bert.halved(bert.published(base, most=LAYERS))
    given = {file.stem: read_lines(file, Pair) for file in sorted(TRAIN.glob("*.jsonl"))}
    encoder, reader = load_encoder(MINILM.name, ollama_url=""), PairReader()
    rng = random.Random(options.seed)
    shown = {
        name: own if name in options.whole else rng.sample(own, round(options.share * len(own)))
        for name, own in given.items()
    }
    quiet = sorted(folder for place in _QUIET for folder in place.glob("*/notes"))
    for folder in (*sorted(_VAULTS.iterdir()), *quiet):
        name = vault_name(folder)
        given[name] = [*vault_pairs(folder, encoder, reader, rng)]
        shown[name] = [one for one in given[name] for _ in range(_KNOWN if one.kind else 1)]
    pairs = [one for name, own in shown.items() if name not in options.without for one in own]
    if options.go_on:
        before = shipped(WEIGHTS)
        after = trained(
            base, weights, pairs, seed=options.seed, start=before, epochs=1, slower=GOING_ON
        )
        # One comes of the other, so that their thin matrices may be averaged as they are.
        params = jax.tree.map(lambda a, b: (a + b) / 2, before, after)
    else:
        params = trained(base, weights, pairs, seed=options.seed, start=start(base, options.seed))
    save(params, options.kept)
    observed = (batch for batch, _ in batches(pairs[::_EACH], base, None))
    ship(with_sides(weights, params), params, observed, WEIGHTS)
    measured = {name: given[name] for name in options.without}
    for file in options.weigh:
        for one in read_lines(file, Pair):
            measured.setdefault(f"{file.stem} {one.source or ''}", []).append(one)
    for name, own in measured.items():
        print(name, len(own), separation(own, likely(base, weights, params, own)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
