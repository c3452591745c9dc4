"""Train how phrases are read off a question: ``python -m evals.training.phrase_tagger``.

Learns thin changes to the encoder (LoRA) with a linear head over its tokens, and the steps of a
linear-chain conditional random field (Lafferty et al. 2001) between the tags of words, from the
questions below ``data/phrases/train``; in each a part of what is asked about is swapped for what
another question asks about, so that places are learned and not words. Printed is how often all
phrases of a question in ``data/phrases/test.jsonl`` are right. ``--without NAME`` leaves a file
out and measures on it instead.

Needs the group ``train``: ``uv sync --group train``. About a quarter of an hour on two cores.
"""

import argparse
import asyncio
import json
import random
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from agents.interpreter.plan import parse_question
from agents.interpreter.wording.concepts import (
    FIRST,
    INSIDE,
    KINDS,
    LAYERS,
    SAYS_SO,
    WEIGHTS,
    Layer,
    pieces_of,
    seen,
)
from agents.interpreter.wording.question_words import Span, words_of
from evals.datasets.files import DATA, NOW
from evals.interpretation.intents import build_interpreter
from evals.interpretation.parameters import ParameterCase, check_parameters, shares
from evals.learning import bert
from evals.learning.descent import adamw, descend
from evals.learning.weights import as_kept
from tools.base.errors import InputError
from tools.semantic import minilm, phrase_tagger
from tools.semantic.encoder_graph import DIMENSIONS
from tools.semantic.phrase_tagger import CUTS, TAGS
from tools.settings.settings import ModelSettings
from tools.text.normalize import flatten

PHRASES = DATA / "phrases"
RANK = 16
BATCH = 32
RATE = 1e-3
EPOCHS = 10
SWAPPED = 0.6
"""How likely a concept is swapped for another in an epoch, where none is marked or inside it."""
_TOKENS = 48
_WORDS = 40
"""Tokens and words of a question that are learned from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A question and where the phrases of each layer stand; ``said`` is what excludes some."""

    query: str
    turkish: bool
    phrases: Mapping[Layer, Sequence[Span]]
    said: Span | None


def labelled(lines: Iterable[str]) -> Iterator[Labelled]:
    """The questions of a file. Raises ValueError for a phrase that does not stand there."""
    for line in lines:
        row = json.loads(line)
        said = row["query"].index(row["dropped"])
        yield Labelled(
            query=row["query"],
            turkish=row["language"] == "tr",
            phrases={layer: list(_places(row["query"], row[layer])) for layer in LAYERS},
            said=(said, said + len(row["dropped"])) if row["dropped"] else None,
        )


def _places(query: str, phrases: Sequence[str]) -> Iterator[Span]:
    at = 0
    for phrase in phrases:
        whole = re.compile(rf"(?<![^\W_]){re.escape(phrase)}")
        found = whole.search(query, at) or whole.search(query)
        if found is None:
            raise ValueError(f"{phrase!r} does not stand in {query!r}")
        at = found.end()
        yield found.span()


# --- swapping ------------------------------------------------------------------------------

type Pool = Mapping[str, Sequence[tuple[str, int]]]
"""By the ending that is cut from a phrase: phrases with it, and how many letters it has."""


def _end(query: str, end: int) -> int:
    """Where the last word of a phrase ends that an ending may follow."""
    while end < len(query) and (query[end].isalnum() or query[end] in "'’"):
        end += 1
    return end


def pool_of(questions: Iterable[Labelled]) -> Pool:
    pool: dict[str, list[tuple[str, int]]] = {}
    for one in questions:
        for start, end in one.phrases["concepts"]:
            last = _end(one.query, end)
            ending = flatten(one.query[end:last])
            pool.setdefault(f"{one.turkish}{ending}", []).append(
                (one.query[start:last], last - end)
            )
    return pool


def swapped(one: Labelled, pool: Pool, rng: random.Random) -> Labelled:
    """The question with other things in some places of what it asks about, of the same ending."""
    for start, end in sorted(one.phrases["concepts"], reverse=True):
        last = _end(one.query, end)
        others = pool.get(f"{one.turkish}{flatten(one.query[end:last])}", ())
        borders = {at for own in one.phrases.values() for span in own for at in span}
        inside = any(start < at < last and at != end for at in borders)
        marked = one.query[start - 1 : start] in tuple('["“#`')
        if rng.random() > SWAPPED or inside or marked or not others:
            continue
        phrase, cut = rng.choice(others)
        if one.query == one.query.lower():
            phrase = phrase.lower()
        elif start == 0:
            phrase = phrase[:1].upper() + phrase[1:]
        one = _put(one, (start, end, last), phrase, cut)
    return one


def _put(one: Labelled, place: tuple[int, int, int], phrase: str, cut: int) -> Labelled:
    start, end, last = place

    def moved(at: int) -> int:
        if at <= start:
            return at
        return start + len(phrase) - cut if at == end else at + len(phrase) - (last - start)

    return Labelled(
        query=one.query[:start] + phrase + one.query[last:],
        turkish=one.turkish,
        phrases={
            layer: [(moved(first), moved(stop)) for first, stop in own]
            for layer, own in one.phrases.items()
        },
        said=one.said and (moved(one.said[0]), moved(one.said[1])),
    )


# --- what is learned from ------------------------------------------------------------------


def batch_of(questions: Sequence[Labelled], tokenizer: Any) -> dict[str, Any]:
    """The questions as arrays; ``tags`` are words × layers, ``cuts`` -1 where nothing is known."""
    many = len(questions)
    batch: dict[str, Any] = {
        "ids": np.zeros((many, _TOKENS), np.int32),
        "mask": np.zeros((many, _TOKENS), np.float32),
        "first": np.zeros((many, _WORDS), np.int32),
        "last": np.zeros((many, _WORDS), np.int32),
        "there": np.zeros((many, _WORDS), np.float32),
        "seen": np.zeros((many, _WORDS, 3 * KINDS), np.float32),
        "tags": np.zeros((many, _WORDS, len(LAYERS)), np.int32),
        "cuts": np.full((many, _WORDS), -1, np.int32),
    }
    batch["mask"][:, 0] = 1
    for row, one in enumerate(questions):
        encoding = tokenizer.encode(flatten(one.query))
        batch["ids"][row, : len(encoding.ids)] = encoding.ids
        batch["mask"][row, : len(encoding.ids)] = 1
        words, first, last = pieces_of(
            words_of(one.query), np.array(encoding.offsets, np.int64).reshape(-1, 2)
        )
        words = words[:_WORDS]
        count = len(words)
        batch["first"][row, :count], batch["last"][row, :count] = first[:count], last[:count]
        batch["there"][row, :count] = 1
        batch["seen"][row, :count] = seen(one.query, words, dates_in(one.query))
        for layer, spans in enumerate(one.phrases.values()):
            for start, end in spans:
                own = [at for at, word in enumerate(words) if word.start < end and word.end > start]
                batch["tags"][row, own, layer] = [FIRST, *[INSIDE] * (len(own) - 1)][: len(own)]
                if own:
                    ending = max(0, words[own[-1]].end - end)
                    known = max(ending, batch["cuts"][row, own[-1]])
                    batch["cuts"][row, own[-1]] = min(known, CUTS - 1)
        if one.said:
            for at, word in enumerate(words):
                if one.said[0] <= word.start < one.said[1] and not batch["tags"][row, at, -1]:
                    batch["tags"][row, at, -1] = SAYS_SO
    return batch


def dates_in(query: str) -> Span | None:
    try:
        return parse_question(query, now=NOW).dates
    except InputError:  # a date that is none
        return None


def begin(seed: int) -> dict[str, jax.Array]:
    key = jax.random.PRNGKey(seed)
    head = jax.random.normal(jax.random.fold_in(key, 1), (DIMENSIONS, TAGS + CUTS)) * 0.02
    return {
        **bert.unchanged(key, rank=RANK),
        "head/tags": head,
        "head/bias": jnp.zeros(TAGS + CUTS),
        "steps": jnp.zeros((TAGS, TAGS)),
        "kinds": jnp.zeros((3 * KINDS, TAGS)),
    }


def loss_of(learned: Any, weights: bert.Arrays, batch: dict[str, jax.Array]) -> jax.Array:
    """How unlikely the labelled tags are, and the letters that are cut."""
    ids = batch["ids"]
    value = bert.hidden(weights, learned, ids, batch["mask"], jnp.zeros_like(ids))
    logits = value @ learned["head/tags"] + learned["head/bias"]
    first = jnp.take_along_axis(logits, batch["first"][..., None], 1)[..., :TAGS]
    last = jnp.take_along_axis(logits, batch["last"][..., None], 1)[..., TAGS:]
    scores = first + batch["seen"] @ learned["kinds"]
    lost = jnp.zeros(len(ids))
    for number, own in enumerate(LAYERS.values()):
        steps = learned["steps"][own, own]
        lost += chain_loss(scores[..., own], steps, batch["tags"][..., number], batch["there"])
    known = batch["cuts"] >= 0
    right = jax.nn.log_softmax(last) * jax.nn.one_hot(batch["cuts"], CUTS)
    return (lost - jnp.where(known, right.sum(-1), 0.0).sum(1)).mean()


def chain_loss(scores: jax.Array, steps: jax.Array, tags: jax.Array, there: jax.Array) -> jax.Array:
    """Less the log probability of the rows of tags (batch × words)."""
    chosen = jax.nn.one_hot(tags, len(steps))
    own = ((scores * chosen).sum(-1) * there).sum(1)
    passed = jnp.einsum("bti,ij,btj->bt", chosen[:, :-1], steps, chosen[:, 1:])
    own += (passed * there[:, 1:]).sum(1)

    def forward(reached: jax.Array, word: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, None]:
        on = jax.nn.logsumexp(reached[:, :, None] + steps, 1) + word[0]
        return jnp.where(word[1][:, None] > 0, on, reached), None

    words = (scores[:, 1:].swapaxes(0, 1), there[:, 1:].swapaxes(0, 1))
    reached, _ = jax.lax.scan(forward, scores[:, 0], words)
    return jax.nn.logsumexp(reached, -1) - own


def train(questions: Sequence[Labelled], *, seed: int) -> dict[str, Any]:
    rng, pool = random.Random(seed), pool_of(questions)
    order = [
        swapped(one, pool, rng)
        for _ in range(EPOCHS)
        for one in rng.sample(questions, len(questions))
    ]
    tokenizer: Any = minilm.tokenizer()
    tokenizer.enable_truncation(_TOKENS)
    steps = len(order) // BATCH
    parts = (order[at * BATCH : (at + 1) * BATCH] for at in range(steps))
    learned = descend(
        begin(seed),
        bert.halved(bert.published()),
        (batch_of(part, tokenizer) for part in parts),
        steps=steps,
        optimiser=adamw(RATE, steps),
        loss_of=loss_of,
    )
    return {name: np.asarray(value) for name, value in learned.items()}


def write(learned: Mapping[str, Any], *, chain: Path, tagger: Path) -> None:
    """Write both files that ship: of the ``chain`` between words, and of the ``tagger``."""
    apart = tuple(name for name in ("steps", "kinds", "named") if name in learned)
    np.savez_compressed(chain, allow_pickle=False, **{name: learned[name] for name in apart})
    head = {name: own for name, own in learned.items() if name.startswith("head/")}
    thin = {name: own for name, own in learned.items() if name not in (*head, *apart)}
    np.savez_compressed(tagger, allow_pickle=False, **as_kept(thin), **head)


async def right(lines: Iterable[str]) -> str:
    """How often each list of phrases is all there is, with what has been written."""
    cases = [ParameterCase.model_validate_json(line) for line in lines]
    checks = await check_parameters(cases, build_interpreter(ModelSettings(mode="local")), now=NOW)
    found = shares(checks).items()
    return ", ".join(f"{language} {name} {own.value:.3f}" for (language, name), own in found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without", metavar="NAME", help="leave out and measure; do not ship")
    left_out = parser.parse_args().without
    files = sorted((PHRASES / "train").glob("*.jsonl"))
    questions = [
        one
        for file in files
        if file.stem != left_out
        for one in labelled(file.read_text("utf-8").splitlines())
    ]
    write(train(questions, seed=1), chain=WEIGHTS, tagger=phrase_tagger.WEIGHTS)
    measured = PHRASES / "train" / f"{left_out}.jsonl" if left_out else PHRASES / "test.jsonl"
    print(asyncio.run(right(measured.read_text("utf-8").splitlines())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
