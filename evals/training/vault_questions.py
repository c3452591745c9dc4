"""Train what of a vault a question asks for: ``python -m evals.training.vault_questions``.

Learns thin changes to the encoder (LoRA) with a linear head over its tokens, and the steps of a
linear-chain conditional random field between the tags of words, as
``evals/training/phrase_tagger.py`` does, from ``data/vault_questions/train`` and, of what goes on
with a list, ``data/listing_follow_ups``. Questions over the vaults below ``data/reader`` and those
below ``data/phrases/train`` and ``data/intents/train`` show what is asked of notes. What narrows a
question down is swapped for what narrows another, so that places are learned and not words; each
vault's own names are seen. Printed is how often what is asked for is right. ``--without NAME``
leaves a file out and measures on it (``train/en_first``).

Needs the group ``train``; takes fifty-five minutes on two cores.
"""

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import batched
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from agents.interpreter.vault.names import Names
from agents.interpreter.vault.questions import (
    GROUPS,
    NARROWS,
    SEEN,
    VAULT_TAGS,
    WEIGHTS,
    VaultNames,
    named_at_all,
    read_vault_query,
    seen_in_vault,
)
from agents.interpreter.wording.concepts import FIRST, INSIDE, pieces_of
from agents.interpreter.wording.question_words import words_of
from evals.datasets.files import DATA
from evals.datasets.vaults import written_vault
from evals.learning import bert
from evals.learning.descent import adamw, descend
from evals.training.phrase_tagger import RANK, chain_loss, dates_in, write
from tools.base.domain import Note
from tools.semantic import minilm, phrase_tagger
from tools.semantic.encoder_graph import DIMENSIONS
from tools.semantic.phrase_tagger import OF_VAULT, PhraseTagger
from tools.text.language import is_turkish
from tools.text.normalize import flatten, fold_name
from tools.vault.catalog.inventory import branches
from tools.vault.catalog.inventory import folders as folders_over
from tools.vault.notes.notes import parse_note
from tools.vault.storage.entries import names_of as note_names

BATCH, RATE, EPOCHS = 32, 1e-3, 5
SEEDS = 1, 2
"""Of the two trainings whose mean ships: it takes fewer ordinary questions for one of these."""
SWAPPED = 0.5
"""How likely a phrase is swapped for another in an epoch."""
_OF_NOTES = 30
"""Questions of each vault that ask what its notes say."""
_OF_PHRASES, _AROUND = 100, 60
"""Questions of each file of phrases, and of each of intents those that look around."""
_ALIKE = 16
"""Batches within which questions are put together by their length."""
_TOKENS, _WORDS = (20, 48), 40

_UNKNOWN = -1
_ASKS_NOTES = (0, *[_UNKNOWN] * (len(GROUPS) - 1))
type Phrase = tuple[int, int, int]
"""From and to which letter it stands, and its place in ``NARROWS``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A question, what its vault's things are called, its phrases, its places in ``GROUPS``.

    ``titles`` are those of the vault's notes, as they are written.

    A place that is not known is ``_UNKNOWN``; ``tagged`` says whether the phrases are. One that
    ``goes_on`` with a list need not say of what.
    """

    query: str
    names: VaultNames
    titles: Sequence[str] = ()
    phrases: Sequence[Phrase] = ()
    asks: tuple[int, ...] = _ASKS_NOTES
    tagged: bool = False
    goes_on: bool = False


def main() -> int:
    folders = DATA / "vault_questions" / "train", DATA / "listing_follow_ups"
    every = sorted(file for folder in folders for file in folder.glob("*"))
    files = {f"{file.parent.name}/{file.stem}": file for file in every}
    parser = argparse.ArgumentParser(description=__doc__)
    help_ = "leave out and measure; do not ship"
    parser.add_argument("--without", metavar="NAME", choices=files, help=help_)
    left_out = parser.parse_args().without
    given = {name: list(_labelled(file)) for name, file in files.items()}
    questions = [one for name, own in given.items() if name != left_out for one in own]
    one, other = (_trained(questions, random.Random(seed)) for seed in SEEDS)  # noqa: S311
    learned = bert.averaged(one, other, rank=RANK)
    kept = {name: np.asarray(value) for name, value in learned.items()}
    write(kept, chain=WEIGHTS, tagger=phrase_tagger.VAULT_WEIGHTS)
    _tell(given.get(left_out) or questions)
    return 0


def _trained(questions: Sequence[Labelled], rng: random.Random) -> dict[str, jax.Array]:
    return train([*questions, *_of_notes(rng), *_of_phrases(rng)], rng)


# --- questions -----------------------------------------------------------------------------


def _labelled(file: Path) -> Iterator[Labelled]:
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for row in (row for row in rows if "slots" in row):
        query, what, goes_on = row["q"], row["what"], "before" in row
        asks = _ASKS_NOTES
        if goes_on or (what != "none" and not _on_topic_alone(row)):
            said = _told(
                what,
                counts=row["count"],
                state=row["state"],
                order=row["order"],
                mentions=row.get("mentions", False),
                most=row.get("most"),
            )
            places = [group.index(one) for group, one in zip(GROUPS, said, strict=True)]
            known = dict(zip(_GROUPS, places, strict=True))
            if what != "tasks" and not goes_on:
                known["state"] = _UNKNOWN
            if not row["order"]:
                known["most"] = _UNKNOWN
            asks = tuple(known.values())
        phrases = sorted(
            (*place, kind)
            for kind, name in enumerate(NARROWS)
            for place in _places(query, row["slots"].get(name, ()))
        )
        vault = row.get("vault")
        yield Labelled(
            query=query,
            names=names_of(vault) if vault else VaultNames(),
            titles=[note.title for note in _notes_of(vault)] if vault else (),
            phrases=phrases,
            asks=asks,
            tagged=bool(asks[0]) or goes_on,
            goes_on=goes_on,
        )


_GROUPS = ("subject", "count", "state", "order", "mentions", "most")


def _told(
    what: str | None,
    *,
    counts: bool,
    state: str | None,
    order: str | None,
    mentions: bool,
    most: int | None,
) -> tuple[str | None, ...]:
    """What holds of each of the ``GROUPS``."""
    named, alone = "mentions" if mentions else None, "one" if most == 1 else None
    return what, "counts" if counts else None, state or "any", order, named, alone


def _on_topic_alone(row: Mapping[str, Any]) -> bool:
    """Whether notes on something are asked for and no more: these are looked for, not listed."""
    narrowed = any(row["slots"].get(name) for name in ("tag", "folder", "note", "period"))
    return row["what"] == "notes" and not (
        narrowed or row["count"] or row["order"] or row.get("mentions")
    )


def _places(query: str, phrases: Iterable[str]) -> Iterator[tuple[int, int]]:
    for phrase in phrases:
        found = re.search(rf"(?<![^\W_]){re.escape(phrase)}", query)
        if found is None:
            raise ValueError(f"{phrase!r} does not stand in {query!r}")
        yield found.span()


def _of_notes(rng: random.Random) -> Iterator[Labelled]:
    for file in sorted((DATA / "reader").glob("*/questions.jsonl")):
        for line in rng.sample(file.read_text("utf-8").splitlines(), _OF_NOTES):
            yield Labelled(query=json.loads(line)["q"], names=names_of(file.parent.name))


def _of_phrases(rng: random.Random) -> Iterator[Labelled]:
    for file in sorted((DATA / "phrases" / "train").glob("*.jsonl")):
        for line in rng.sample(file.read_text("utf-8").splitlines(), _OF_PHRASES):
            yield Labelled(query=json.loads(line)["query"], names=VaultNames())
    for file in sorted((DATA / "intents" / "train").glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        around = [row["query"] for row in rows if row["intent"] == "exploratory"]
        for query in rng.sample(around, min(_AROUND, len(around))):
            yield Labelled(query=query, names=VaultNames())


@cache
def names_of(vault: str) -> VaultNames:
    """What the tags, folders and notes of a written vault are called."""
    tags, folders, notes = set[str](), set[str](), set[str]()
    for note in _notes_of(vault):
        tags.update(note.tags)
        notes.update(name for name, _ in note_names(note))
        folders.update((*folders_over(note.path), *branches(note.path)))
    return VaultNames(tags=Names.of_tags(tags), folders=Names.of_folders(folders), notes=notes)


@cache
def _notes_of(vault: str) -> Sequence[Note]:
    root, written = written_vault(vault), datetime(2024, 1, 1, tzinfo=UTC)
    files = ((file, file.relative_to(root).as_posix()) for file in sorted(root.rglob("*.md")))
    return [parse_note(path, file.read_bytes(), mtime=written) for file, path in files]


# --- swapping ------------------------------------------------------------------------------

type Pool = Mapping[tuple[int, bool, bool], Sequence[str]]


def _drawer(one: Labelled, phrase: Phrase) -> tuple[int, bool, bool]:
    start, _, kind = phrase
    return kind, is_turkish(one.query), one.query[start] == "#"


def _swapped(one: Labelled, pool: Pool, rng: random.Random) -> Labelled:
    """The question with other names in some places, which its vault has if it had those."""
    for start, end, kind in sorted(one.phrases, reverse=True):
        others, old = pool[_drawer(one, (start, end, kind))], one.query[start:end]
        if rng.random() > SWAPPED or one.query[end : end + 1] in ("'", "’"):
            continue
        new = rng.choice(others)
        if one.query == one.query.lower():
            new = new.lower()
        by = len(new) - len(old)
        moved = [(s + by * (s > start), e + by * (e >= end), k) for s, e, k in one.phrases]
        query = f"{one.query[:start]}{new}{one.query[end:]}"
        one = replace(one, query=query, phrases=moved, names=_with(one.names, kind, old, new))
    return one


def _with(names: VaultNames, kind: int, old: str, new: str) -> VaultNames:
    """The names with a new one of a kind, if the old one is there."""
    match NARROWS[kind]:
        case "tag" if names.tags.resolve(old, turkish=False):
            return replace(names, tags=names.tags.with_name(new))
        case "folder" if names.folders.resolve(old, turkish=False):
            return replace(names, folders=names.folders.with_name(new))
        case "note" if fold_name(old) in names.notes:
            return replace(names, notes={*names.notes, fold_name(new)})
        case _:
            return names


# --- learning ------------------------------------------------------------------------------


def train(questions: Sequence[Labelled], rng: random.Random) -> dict[str, jax.Array]:
    pool: defaultdict[tuple[int, bool, bool], list[str]] = defaultdict(list)
    for one in questions:
        for phrase in one.phrases:
            drawer = pool[_drawer(one, phrase)]
            drawer.append(one.query[phrase[0] : phrase[1]])
            # Few names in questions are as long as titles can be.
            if one.titles and NARROWS[phrase[2]] == "note":
                drawer.append(rng.choice(one.titles))
    parts = list[Sequence[Labelled]]()
    for _ in range(EPOCHS):
        order = [_swapped(one, pool, rng) for one in rng.sample(questions, len(questions))]
        for window in batched(order, _ALIKE * BATCH):
            inside = batched(sorted(window, key=lambda one: len(one.query)), BATCH)
            whole = [part for part in inside if len(part) == BATCH]
            parts += rng.sample(whole, len(whole))
    tokenizer: Any = minilm.tokenizer()
    tokenizer.enable_truncation(_TOKENS[-1])
    learned = descend(
        _begin(),
        bert.halved(bert.published()),
        (_batch(part, tokenizer) for part in parts),
        steps=len(parts),
        optimiser=adamw(RATE, len(parts)),
        loss_of=_loss,
    )
    return dict(learned)


def _batch(questions: Sequence[Labelled], tokenizer: Any) -> dict[str, Any]:
    many = len(questions)
    encodings = [tokenizer.encode(flatten(one.query)) for one in questions]
    longest = max(len(encoding.ids) for encoding in encodings)
    tokens = next(most for most in _TOKENS if longest <= most)
    batch: dict[str, Any] = {
        "ids": np.zeros((many, tokens), np.int32),
        "mask": np.zeros((many, tokens), np.float32),
        "first": np.zeros((many, _WORDS), np.int32),
        "there": np.zeros((many, _WORDS), np.float32),
        "seen": np.zeros((many, _WORDS, 3 * SEEN), np.float32),
        "named": np.zeros((many, 3), np.float32),
        "tags": np.zeros((many, _WORDS), np.int32),
        "tagged": np.array([one.tagged for one in questions], np.float32),
        "asks": np.array([one.asks for one in questions], np.int32),
    }
    for row, (one, encoding) in enumerate(zip(questions, encodings, strict=True)):
        batch["ids"][row, : len(encoding.ids)] = encoding.ids
        batch["mask"][row, : len(encoding.ids)] = 1
        places = np.array(encoding.offsets, np.int64).reshape(-1, 2)
        words, first, _ = pieces_of(words_of(one.query, names=one.names.whole), places)
        words = words[:_WORDS]
        count = len(words)
        batch["first"][row, :count] = first[:count]
        batch["there"][row, :count] = 1
        dates = dates_in(one.query)
        around = seen_in_vault(one.query, words, one.names, dates)
        batch["seen"][row, :count], batch["named"][row] = around, named_at_all(around)
        for start, end, kind in one.phrases:
            own = [at for at, word in enumerate(words) if word.start < end and word.end > start]
            places = [FIRST, *[INSIDE] * len(own)][: len(own)]
            batch["tags"][row, own] = [2 * kind + place for place in places]
    return batch


def _begin() -> dict[str, jax.Array]:
    key = jax.random.PRNGKey(1)
    head = jax.random.normal(jax.random.fold_in(key, 1), (DIMENSIONS, OF_VAULT)) * 0.02
    return {
        **bert.unchanged(key, rank=RANK),
        "head/tags": head,
        "head/bias": jnp.zeros(OF_VAULT),
        "steps": jnp.zeros((VAULT_TAGS, VAULT_TAGS)),
        "kinds": jnp.zeros((3 * SEEN, VAULT_TAGS)),
        "named": jnp.zeros((3, OF_VAULT - VAULT_TAGS)),
    }


def _loss(learned: Any, weights: bert.Arrays, batch: dict[str, jax.Array]) -> jax.Array:
    """How unlikely the labelled tags are, and what is asked for."""
    ids = batch["ids"]
    value = bert.hidden(weights, learned, ids, batch["mask"], jnp.zeros_like(ids))
    logits = value @ learned["head/tags"] + learned["head/bias"]
    scores = jnp.take_along_axis(logits, batch["first"][..., None], 1)[..., :VAULT_TAGS]
    scores += batch["seen"] @ learned["kinds"]
    lost = chain_loss(scores, learned["steps"], batch["tags"], batch["there"]) * batch["tagged"]
    whole, at = logits[:, 0, VAULT_TAGS:] + batch["named"] @ learned["named"], 0
    for number, group in enumerate(GROUPS):
        asks, own = batch["asks"][:, number], whole[:, at : at + len(group)]
        right = (jax.nn.log_softmax(own) * jax.nn.one_hot(asks, len(group))).sum(-1)
        lost -= jnp.where(asks >= 0, right, 0.0)
        at += len(group)
    return lost.mean()


def _tell(questions: Sequence[Labelled]) -> None:
    """How often each part is right, with what has been written."""
    tagger, right = PhraseTagger(), defaultdict[str, list[bool]](list)
    for one in questions:
        logits, dates = tagger.logits(one.query), dates_in(one.query)
        query = read_vault_query(one.query, logits, one.names, dates=dates, goes_on=one.goes_on)
        asked = one.asks[0] > 0 or one.goes_on
        right["asked of notes" if not asked else "asked of the vault"].append(
            (query is not None) == asked
        )
        if query is None or not asked:
            continue
        said = _told(
            query.subject,
            counts=query.counts,
            state=query.state,
            order=query.order,
            mentions=query.mentions,
            most=query.most,
        )
        for name, group, place, own in zip(_GROUPS, GROUPS, one.asks, said, strict=True):
            if place >= 0:
                right[name].append(group[place] == own)
        found = (query.tags, query.folders, query.notes, query.topics)
        for kind, (name, own) in enumerate(zip(NARROWS, found, strict=True)):
            gold = {fold_name(one.query[s:e]).lstrip("#") for s, e, k in one.phrases if k == kind}
            right[name].append(gold == {fold_name(name) for name in own})
    for name, own in right.items():
        sys.stdout.write(f"{name:20} {np.mean(own):.3f} of {len(own)}\n")


if __name__ == "__main__":
    sys.exit(main())
