"""Train how alike words are: ``python -m evals.training.word_similarity``.

A matrix brings the vectors that the built-in encoder gives single words to a few dimensions, so
that each word of a question is near a word of the spans that answer it (the late interaction of
Khattab and Zaharia 2020, with vectors that do not depend on what stands around a word). Learned
from the English questions below ``data/reader``, each beside other spans of its vault.
``evals/fitting/evidence_ranking.py`` has to follow, which tells what comes of it.

Needs the group ``train``: ``uv sync --group train``. About four minutes on two cores.
"""

import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from evals.answers.span_questions import answers
from evals.datasets.evidence import AnswerCase
from evals.datasets.files import DATA
from evals.datasets.records import read_lines
from evals.learning.descent import descend
from tools.evidence.spans import Span, spans_of
from tools.semantic import minilm
from tools.semantic.encoder import MiniLmEncoder
from tools.semantic.encoder_graph import in_steps
from tools.text.idf import idf
from tools.text.language import is_turkish
from tools.text.likeness import UNLIKE_ITSELF, VECTORS
from tools.text.tokens import stem, stems, stems_in, words_of
from tools.vault.catalog.text import text_query

DIMENSIONS = 64
ROUNDS = 3
BATCH = 24
RATE = {"turn": 2e-3, "apart": 2e-2, "by": 2e-2}
_OFTEN = 5
"""Times that a word outside the encoder's vocabulary has to be written in the notes."""
_COMMON = 2000
"""A word so far down in that vocabulary, which has the common ones first, weighs a half."""
_WORDS, _SPANS, _STEMS = 10, 64, 768
"""Of a question, of the spans beside it, and of all these spans."""
_OWN, _OVER = 40, 32
"""Stems of a span and of what stands over it."""
_ALIKE, _BESIDE = 24, 24
"""Spans that share most words with a question, and of the notes that answer it; the rest is drawn
from the whole vault."""
_WORD = re.compile(r"[a-z]{3,}")

type Array = NDArray[np.float32]


class SpanStems(NamedTuple):
    """A span: its note, its stems, and those of what stands over it alone."""

    path: str
    span: Span
    own: tuple[str, ...]
    over: tuple[str, ...]


class QuestionStems(NamedTuple):
    """The stems of a question by their rarity, and the places of the spans that answer it."""

    weights: Mapping[str, float]
    gold: tuple[int, ...]


class Vault(NamedTuple):
    """All spans of a vault, the places of those that have a stem, and what is asked of it."""

    told: Sequence[SpanStems]
    holding: Mapping[str, Sequence[int]]
    questions: Sequence[QuestionStems]


def vaults_below(folder: Path) -> list[Vault]:
    """Each vault written below a folder."""
    files = sorted(folder.glob("*/questions.jsonl"))
    return [vault(file.parent / "notes", file) for file in files]


def vault(notes: Path, questions: Path) -> Vault:
    """A vault's spans with its English questions; those that nothing answers are left out."""
    told = [one for file in sorted(notes.rglob("*.md")) for one in _told(file, notes)]
    holding: dict[str, list[int]] = defaultdict(list)
    of_note: dict[str, set[str]] = defaultdict(set)
    for at, one in enumerate(told):
        for each in {*one.own, *one.over}:
            holding[each].append(at)
        of_note[one.path].update(one.own, one.over)
    by_note: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(told):
        by_note[one.path].append(at)
    texts = [frozenset(one) for one in of_note.values()]
    asked: list[QuestionStems] = []
    for case in read_lines(questions, AnswerCase):
        if is_turkish(case.q):
            continue
        places = [
            at for path in dict.fromkeys(one.path for one in case.gold) for at in by_note[path]
        ]
        gold = tuple(at for at in places if answers(told[at].path, told[at].span, case.gold))
        words = stems(text_query(case.q).words)
        if gold and words:
            asked.append(QuestionStems(idf(words, texts), gold))
    return Vault(told, holding, asked)


def _told(file: Path, notes: Path) -> Iterator[SpanStems]:
    path = file.relative_to(notes).as_posix()
    for span in spans_of(file.read_text(encoding="utf-8")):
        own = tuple(dict.fromkeys(stems_in(span.text)))
        over = dict.fromkeys(stems_in(span.under(file.stem)))
        yield SpanStems(path, span, own, tuple(one for one in over if one not in own))


def vocabulary(encoder: MiniLmEncoder, vaults: Iterable[Vault]) -> tuple[list[str], Array]:
    """Stems, and for each the mean vector of the words that have it, common words before others."""
    entries: Any = json.loads((minilm.model_dir() / "tokenizer.json").read_text("utf-8"))
    words = [one for one in entries["model"]["vocab"] if _WORD.fullmatch(one)]
    known = {stem(word) for word in words}
    texts = (one.span.text for own in vaults for one in own.told)
    written = Counter(word for text in texts for word in words_of(text))
    words += [
        word
        for word, times in sorted(written.items())
        if times >= _OFTEN and _WORD.fullmatch(word) and stem(word) not in known
    ]
    vectors = encoder.encode(words)
    found: dict[str, Array] = {}
    for place, (word, vector) in enumerate(zip(words, vectors, strict=True)):
        share = 1.0 / (1.0 + place / _COMMON)
        found[stem(word)] = found.get(stem(word), np.zeros_like(vector)) + share * vector
    means = np.array(list(found.values()))
    return list(found), np.float32(means / np.linalg.norm(means, axis=1, keepdims=True))


def beside(one: Vault, asked: QuestionStems, rng: random.Random) -> list[int]:
    """The spans that a question is learned from: those that answer it come first."""
    shared: Counter[int] = Counter()
    for word, weight in asked.weights.items():
        for at in one.holding.get(word, ()):
            shared[at] += weight  # pyright: ignore[reportArgumentType]
    alike = [at for at, _ in shared.most_common(_ALIKE)]
    paths = {one.told[at].path for at in asked.gold}
    near = [at for at, own in enumerate(one.told) if own.path in paths]
    drawn = [*asked.gold[:_ALIKE], *alike, *rng.sample(near, min(len(near), _BESIDE))]
    drawn += rng.sample(range(len(one.told)), min(len(one.told), _SPANS))
    return list(dict.fromkeys(drawn))[:_SPANS]


def packed(
    one: Vault, asked: QuestionStems, places: Sequence[int], rows: Mapping[str, int]
) -> dict[str, Any]:
    """A question beside spans as arrays: row 0 of ``said`` is of no word."""
    words = sorted(asked.weights, key=lambda word: -asked.weights[word])[:_WORDS]
    weights = np.array([asked.weights[word] for word in words], np.float32)
    kept: dict[str, Any] = {
        "asked": np.zeros(_WORDS, np.int32),
        "weights": np.zeros(_WORDS, np.float32),
        "said": np.zeros(_STEMS, np.int32),
        "same": np.zeros((_STEMS, _WORDS), np.int8),
        "own": np.zeros((_SPANS, _OWN), np.int16),
        "over": np.zeros((_SPANS, _OVER), np.int16),
        "length": np.zeros(_SPANS, np.float32),
        "there": np.arange(_SPANS) < len(places),
        "gold": np.zeros(_SPANS, bool),
    }
    kept["asked"][: len(words)] = [rows.get(word, 0) for word in words]
    kept["weights"][: len(words)] = weights / weights.sum()
    known: dict[str, int] = {}
    for row, at in enumerate(places):
        told = one.told[at]
        for name, own in (("own", told.own[:_OWN]), ("over", told.over[:_OVER])):
            for column, each in enumerate(own):
                if len(known) < _STEMS - 1:
                    kept[name][row, column] = known.setdefault(each, len(known) + 1)
        kept["length"][row] = np.log1p(len(told.own))
        kept["gold"][row] = at in asked.gold
    for each, place in known.items():
        kept["said"][place] = rows.get(each, 0)
        if each in words:
            kept["same"][place, words.index(each)] = 1
    return kept


def scores(params: Any, vectors: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    """How well each span (questions × ``_SPANS``) answers, by its words and what they mean."""
    turned = vectors @ params["turn"]
    turned /= jnp.sqrt((turned**2).sum(-1, keepdims=True) + 1e-6)
    asked, said = turned[batch["asked"]], turned[batch["said"]]
    known = (batch["said"] > 0)[:, :, None] & (batch["asked"] > 0)[:, None, :]
    apart = jax.nn.sigmoid(params["apart"])
    cosines = jnp.einsum("bsd,bwd->bsw", said, asked)
    alike = jnp.where(known, jnp.clip((cosines - apart) / (1 - apart), 0, UNLIKE_ITSELF), 0.0)
    same = batch["same"].astype(jnp.float32)
    features = [batch["length"]]
    for likeness in (same, jnp.maximum(alike, same)):
        own, over = (
            jax.vmap(lambda values, rows: values[rows].max(1))(likeness, batch[name])
            for name in ("own", "over")
        )
        weights = batch["weights"][:, None, :]
        features += [(one * weights).sum(-1) for one in (own, jnp.maximum(own, over))]
    return jnp.where(batch["there"], jnp.stack(features, -1) @ params["by"], -1e9)


def loss_of(params: Any, vectors: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    """A softmax over the spans of each question."""
    every = scores(params, vectors, batch)
    right = jax.nn.logsumexp(jnp.where(batch["gold"], every, -1e9), 1)
    return (jax.nn.logsumexp(every, 1) - right).mean()


def train(vaults: Sequence[Vault], stems: Sequence[str], vectors: Array) -> tuple[Array, float]:
    """The matrix (of the encoder's dimensions × ``DIMENSIONS``), and the cosine of unlike words."""
    rng, rows = random.Random(1), {each: row for row, each in enumerate(stems, 1)}
    groups = [
        packed(own, asked, beside(own, asked, rng), rows)
        for own in vaults
        for asked in own.questions
    ]
    turn = np.linalg.svd(vectors, full_matrices=False)[2][:DIMENSIONS].T
    params: Any = {"turn": jnp.asarray(turn), "apart": jnp.asarray(-0.4), "by": jnp.zeros(5)}
    steps = ROUNDS * (len(groups) // BATCH)
    optimiser = optax.multi_transform(
        {name: optax.adam(optax.cosine_decay_schedule(rate, steps)) for name, rate in RATE.items()},
        {name: name for name in RATE},
    )
    given = jnp.asarray(np.vstack([0 * vectors[:1], vectors]))

    def parts() -> Iterator[dict[str, Any]]:
        for _ in range(ROUNDS):
            rng.shuffle(groups)
            for first in range(0, len(groups) - BATCH + 1, BATCH):
                part = groups[first : first + BATCH]
                yield {name: np.stack([own[name] for own in part]) for name in part[0]}

    params = descend(params, given, parts(), steps=steps, optimiser=optimiser, loss_of=loss_of)
    return np.asarray(params["turn"]), float(jax.nn.sigmoid(params["apart"]))


def main() -> int:
    vaults = vaults_below(DATA / "reader")
    stems, vectors = vocabulary(MiniLmEncoder(), vaults)
    turn, apart = train(vaults, stems, vectors)
    kept, _ = in_steps(vectors @ turn, over=1)
    np.savez_compressed(
        VECTORS, allow_pickle=False, stems=np.array(" ".join(stems)), vectors=kept, apart=apart
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
