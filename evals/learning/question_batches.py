"""The written questions as batches of numbers, for training."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from agents.interpreter.classifiers.features import Features, read_features
from agents.interpreter.classifiers.head import vector_text
from agents.interpreter.plan import parse_question
from tools.base.domain import INTENTS
from tools.base.errors import InputError
from tools.semantic import minilm
from tools.semantic.question import MAX_TOKENS

BATCH = 32
LENGTHS = (9, 12, 15, 19, 24, MAX_TOKENS)
"""Tokens of a batch: every question goes into the shortest that holds it."""
MAX_FEATURES = 512
BLIND = 0.1
"""Share of the examples that see only the wording, and of those that see only the vector."""
SMOOTHING = 0.03
NOISE = 0.25
"""Share of the examples that are changed a little each time: letters, case, punctuation."""
NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A written question: its share of each intent, and 1 if it has several readings."""

    query: str
    language: str
    target: tuple[float, ...]
    doubt: float


def read_examples(file: Path) -> Iterator[Example]:
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


def _tokenizer() -> Tokenizer:
    tokenizer: Tokenizer = minilm.tokenizer()
    tokenizer.enable_truncation(MAX_TOKENS, direction="left")  # pyright: ignore[reportUnknownMemberType]
    return tokenizer


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One way to write an example, as the model sees it."""

    ids: list[int]
    features: Features
    row: int


def encoded(queries: Sequence[str]) -> list[Read]:
    """The questions as the model sees them, in their order."""
    encodings = _tokenizer().encode_batch([vector_text(query) for query in queries])
    return [
        Read(
            ids=encoding.ids,
            features=features_of(query),
            row=row,
        )
        for row, (query, encoding) in enumerate(zip(queries, encodings, strict=True))
    ]


def with_noise(queries: Sequence[str], rng: random.Random) -> list[str]:
    """Each question as somebody in a hurry would write it."""
    return [_noisy(query, rng) for query in queries]


def one_epoch(plain: Sequence[Read], noisy: Sequence[Read], rng: random.Random) -> list[Read]:
    """All questions in random order, some of them noisy."""
    picked = [n if rng.random() < NOISE else p for p, n in zip(plain, noisy, strict=True)]
    rng.shuffle(picked)
    return picked


def batches(
    examples: Sequence[Example],
    reads: Sequence[Read],
    *,
    rng: random.Random | None = None,
) -> Iterator[dict[str, Any]]:
    """Batches of similar length; with ``rng`` in random order and partly blind.

    ``row`` is the example's place, -1 where a batch is not full.
    """
    groups: dict[int, list[Read]] = {length: [] for length in LENGTHS}
    for read in reads:
        groups[next(n for n in LENGTHS if len(read.ids) <= n)].append(read)
    parts = [
        (length, group[start : start + BATCH])
        for length, group in groups.items()
        for start in range(0, len(group), BATCH)
    ]
    if rng:
        rng.shuffle(parts)
    for length, group in parts:
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


def features_of(query: str) -> Features:
    """As the interpreter reads them; a question whose date is refused is read without it."""
    try:
        return parse_question(query, now=NOW).features
    except InputError:
        return read_features(query)


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
