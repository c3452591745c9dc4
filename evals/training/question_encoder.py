"""Train how questions are looked for: ``python -m evals.training.question_encoder ENCODER``.

Learns thin changes to an encoder (LoRA) for the side of the question alone, so that it lies closer
to the passages that answer it than to all others of their vault (a softmax over these, as dense
retrievers are trained: Karpukhin et al. 2020). The vectors of passages stay as they are, so no
index has to be made anew. Learned from is what is written below ``data/reader``, the follow-ups of
``data/dialogues/train`` behind what was asked before them, and for e5 the questions of
``data/crossed/train``, in the other language than their notes. Printed is how often the nearest ten
passages hold an answer, in the vaults below ``data/weighed`` and for the dialogues and crossed
questions that it does not learn from. ``evals/fitting/similarity.py`` and
``evals/fitting/evidence_ranking.py`` have to follow.

Needs the group ``train``: ``uv sync --group train``. What ships was learned by these steps on a
GPU, in a minute and a half; on two cores they were not timed.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from agents.interpreter.conversation import with_context
from evals.datasets.dialogues import Dialogue
from evals.datasets.evidence import AnswerCase, Place
from evals.datasets.files import DATA
from evals.datasets.records import read_lines
from evals.datasets.vaults import written_vault
from evals.learning import bert
from evals.learning.descent import adamw, descend
from evals.learning.weights import write_adapter
from tools.base.domain import Chunk
from tools.semantic import e5
from tools.semantic.encoder import Encoder, load_encoder
from tools.semantic.encoder_graph import DIMENSIONS, layers
from tools.semantic.minilm import MINILM
from tools.semantic.question import SEARCHING
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note

RANK = 16
TOKENS = 64
BATCH = 64
RATE = 5e-4
EPOCHS = 3
_SCALE = {MINILM.name: 20.0, e5.NAME: 50.0}
"""What a cosine is multiplied by before the softmax: nearly as when the encoders were trained."""
_SHARE = 0.75
"""Of the change that is kept: part of the way back to the published weights texts of other kinds
are found as well as by these (Wortsman et al. 2022, robust fine-tuning)."""
_WIDTH = 256
"""Vaults get room for passages in steps of so many: each other size is compiled anew."""

type Array = NDArray[np.float32]


class TrainingQuestion(NamedTuple):
    """A question, and the places of the passages that hold its answer among those of its vault."""

    question: str
    gold: tuple[int, ...]


@dataclass(kw_only=True)
class Searched:
    """The passages of a vault with their vectors (passages × 384), and what is asked of it."""

    chunks: Sequence[Chunk]
    vectors: Array
    learned: list[TrainingQuestion] = field(default_factory=list[TrainingQuestion])
    measured: dict[str, list[TrainingQuestion]] = field(
        default_factory=dict[str, list[TrainingQuestion]]
    )

    def with_gold(self, question: str, gold: Iterable[Place]) -> list[TrainingQuestion]:
        """The question with the passages that answer it; none where no passage does."""
        places = list(gold)
        found = tuple(
            at
            for at, one in enumerate(self.chunks)
            if any(
                place.path == one.note_path
                and place.lines[0] <= one.line_end
                and place.lines[1] >= one.line_start
                for place in places
            )
        )
        return [TrainingQuestion(question, found)] if found else []


class Vaults:
    """Vaults by their names, each encoded once."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.known: dict[str, Searched] = {}

    def __getitem__(self, name: str) -> Searched:
        if name not in self.known:
            chunks = _chunks(written_vault(name))
            vectors = self._encoder.encode([one.embedding_text for one in chunks])
            self.known[name] = Searched(chunks=chunks, vectors=vectors)
        return self.known[name]

    def learn(self, files: Iterable[Path]) -> None:
        """Learn from the questions over some vaults."""
        for file in files:
            vault = self[file.parent.name]
            for case in read_lines(file, AnswerCase):
                vault.learned += vault.with_gold(case.q, case.gold)

    def measure(self, files: Iterable[Path], name: str) -> None:
        """Measure by them, under a name."""
        for file in files:
            vault = self[file.parent.name]
            own = vault.measured.setdefault(name, [])
            for case in read_lines(file, AnswerCase):
                own += vault.with_gold(case.q, case.gold)

    def dialogues(self, file: Path, *, name: str | None = None) -> None:
        """Learn from a file of dialogues, or measure what leans in them under a name."""
        for dialogue in read_lines(file, Dialogue):
            vault, before = self[dialogue.vault], list[str]()
            for turn in dialogue.turns:
                leans = turn.leans and bool(before)
                asked = vault.with_gold(
                    with_context(before, turn.q) if leans else turn.q, turn.gold
                )
                if name is None:
                    vault.learned += asked
                elif leans or len(dialogue.turns) == 1:
                    vault.measured.setdefault(name, []).extend(asked)
                before = [*before[:1], turn.q] if leans else [turn.q]


def _chunks(notes: Path) -> list[Chunk]:
    undated = datetime(1970, 1, 1, tzinfo=UTC)
    return [
        chunk
        for file in sorted(notes.rglob("*.md"))
        for chunk in chunk_note(
            parse_note(file.relative_to(notes).as_posix(), file.read_bytes(), mtime=undated)
        )
    ]


class Trainer:
    """Learns the thin matrices for one encoder."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.base = e5.E5 if name == e5.NAME else MINILM
        self._before = e5.QUESTION if name == e5.NAME else ""
        self._tokenizer: Any = self.base.tokenizer()
        self._tokenizer.enable_truncation(TOKENS)

    def batches(
        self, vault: Searched, questions: Sequence[TrainingQuestion]
    ) -> Iterator[dict[str, Any]]:
        """The questions, so many at a time, beside all passages of their vault."""
        room = -(-len(vault.vectors) // _WIDTH) * _WIDTH
        passages = np.zeros((room, DIMENSIONS), np.float32)
        passages[: len(vault.vectors)] = vault.vectors
        for start in range(0, len(questions), BATCH):
            part = questions[start : start + BATCH]
            batch: dict[str, Any] = {
                "ids": np.zeros((BATCH, TOKENS), np.int32),
                "mask": np.zeros((BATCH, TOKENS), np.float32),
                "passages": passages,
                "there": np.arange(room) < len(vault.vectors),
                "gold": np.zeros((BATCH, room), bool),
            }
            batch["mask"][:, 0] = 1
            texts = [f"{self._before}{own.question}" for own in part]
            for row, one in enumerate(self._tokenizer.encode_batch(texts)):
                batch["ids"][row, : len(one.ids)] = one.ids
                batch["mask"][row, : len(one.ids)] = 1
                batch["gold"][row, list(part[row].gold)] = True
            yield batch

    def loss_of(
        self, adapter: Any, weights: bert.Arrays, batch: Mapping[str, jax.Array]
    ) -> jax.Array:
        asked = bert.vectors(weights, adapter, batch["ids"], batch["mask"])
        scale = _SCALE[self.name]
        logits = jnp.where(batch["there"], scale * asked @ batch["passages"].T, -1e9)
        answered = batch["gold"].any(1)
        right = jax.nn.logsumexp(jnp.where(batch["gold"], logits, -1e9), 1)
        lost = jax.nn.logsumexp(logits, 1) - right
        return jnp.where(answered, lost, 0.0).sum() / answered.sum()

    def train(self, vaults: Iterable[Searched], *, seed: int) -> dict[str, Array]:
        """The thin matrices, at a share of what was learned."""
        rng, parts, known = random.Random(seed), list[dict[str, Any]](), list(vaults)
        for _ in range(EPOCHS):
            own: list[dict[str, Any]] = []
            for vault in known:
                own += self.batches(vault, rng.sample(vault.learned, len(vault.learned)))
            rng.shuffle(own)
            parts += own
        weights = bert.published(self.base)
        adapter = descend(
            bert.unchanged(jax.random.PRNGKey(seed), rank=RANK, most=layers(weights)),
            bert.halved(weights),
            parts,
            steps=len(parts),
            optimiser=adamw(RATE, len(parts)),
            loss_of=self.loss_of,
        )
        shares = {name: _SHARE if name.endswith(".up") else 1.0 for name in adapter}
        return {name: share * np.asarray(adapter[name]) for name, share in shares.items()}


def found(vaults: Iterable[Searched], encoder: Encoder, *, most: int = 10) -> Iterator[str]:
    """How many of the questions have an answer among the nearest passages."""
    right: dict[str, list[bool]] = {}
    for vault in vaults:
        for name, questions in vault.measured.items():
            cosines = encoder.encode_questions([one.question for one in questions])
            for one, row in zip(questions, cosines @ vault.vectors.T, strict=True):
                near = {*np.argsort(-row)[:most].tolist()}
                right.setdefault(name, []).append(not near.isdisjoint(one.gold))
    for name, own in right.items():
        yield f"{name}: {len(own)} questions, of the nearest {most} one answers {np.mean(own):.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder", choices=[*SEARCHING])
    name: str = parser.parse_args().encoder
    vaults = Vaults(load_encoder(name, ollama_url=""))
    vaults.learn(sorted((DATA / "reader").glob("*/questions.jsonl")))
    vaults.measure(sorted((DATA / "weighed").glob("*/questions.jsonl")), "weighed")
    for file in sorted((DATA / "dialogues" / "train").glob("*.jsonl")):
        vaults.dialogues(file)
    for file in sorted((DATA / "crossed" / "train").glob("*.jsonl")) if name == e5.NAME else ():
        vaults.dialogues(file)
    for file in sorted((*DATA.glob("dialogues/*.jsonl"), *DATA.glob("crossed/*.jsonl"))):
        vaults.dialogues(file, name=file.stem)
    write_adapter(Trainer(name).train(vaults.known.values(), seed=1), SEARCHING[name])
    for line in found(vaults.known.values(), load_encoder(name, ollama_url="")):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
