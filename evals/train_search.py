"""Train how a question is looked for by meaning: ``python -m evals.train_search``.

Learns thin changes to the encoder (LoRA) for the side of the question alone, so that it lies closer
to the passages that answer it than to all others of its vault (a softmax over these, as dense
retrievers are trained: Karpukhin et al. 2020). The vectors of passages stay as they are, so no
index has to be made anew. Learned from is what is written below ``data/reader``; printed is how
often the nearest ten passages hold an answer in the vaults below ``data/weighed``, which it does
not learn from. ``evals/fit_similarity.py`` and ``evals/fit_evidence.py`` have to follow.

Needs the group ``train``: ``uv sync --group train``. About a quarter of an hour on two cores.
"""

import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from evals import bert
from evals.descent import adamw, descend
from evals.reader_weights import write_adapter
from tools.semantic import minilm
from tools.semantic.encoder import MiniLmEncoder
from tools.semantic.encoder_graph import DIMENSIONS
from tools.semantic.question import SEARCHING
from tools.vault.chunks import chunk_note
from tools.vault.notes import parse_note

DATA = Path(__file__).parent / "data"
RANK = 16
TOKENS = 48
BATCH = 48
RATE = 5e-4
_SCALE = 20.0
"""What a cosine is multiplied by before the softmax, as when the encoder itself was trained."""
_SHARE = 0.5
"""Of the change that is kept: half way back to the published weights texts of other kinds are found
as well as by these (Wortsman et al. 2022, robust fine-tuning)."""
_WIDTH = 64
"""Vaults get room for passages in steps of so many: each other size is compiled anew."""

type Array = NDArray[np.float32]


class Asked(NamedTuple):
    """A question, and the places of the passages that hold its answer among those of its vault."""

    question: str
    gold: tuple[int, ...]


class Searched(NamedTuple):
    """The passages' vectors (passages × 384) of a vault, and what is asked of it."""

    vectors: Array
    questions: Sequence[Asked]


def searched(notes: Path, questions: Path, encoder: MiniLmEncoder) -> Searched:
    """A vault as its index has it; questions that nothing answers are left out."""
    undated = datetime(1970, 1, 1, tzinfo=UTC)
    chunks = [
        chunk
        for file in sorted(notes.rglob("*.md"))
        for chunk in chunk_note(
            parse_note(file.relative_to(notes).as_posix(), file.read_bytes(), mtime=undated)
        )
    ]
    rows = (json.loads(line) for line in questions.read_text("utf-8").splitlines())
    asked = [
        Asked(
            row["q"],
            tuple(
                at
                for at, one in enumerate(chunks)
                for gold in row["gold"]
                if gold["path"] == one.note_path
                and gold["lines"][0] <= one.line_end
                and gold["lines"][1] >= one.line_start
            ),
        )
        for row in rows
    ]
    vectors = encoder.encode([one.embedding_text for one in chunks])
    return Searched(vectors, [one for one in asked if one.gold])


def below(folder: Path, encoder: MiniLmEncoder) -> list[Searched]:
    """Each vault written below a folder."""
    files = sorted(folder.glob("*/questions.jsonl"))
    return [searched(file.parent / "notes", file, encoder) for file in files]


def batches(vault: Searched, questions: Sequence[Asked]) -> Iterator[dict[str, Any]]:
    """The questions, so many at a time, beside all passages of their vault."""
    tokenizer: Any = Tokenizer.from_file(str(minilm.model_dir() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS)
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
        for row, one in enumerate(tokenizer.encode_batch([own.question for own in part])):
            batch["ids"][row, : len(one.ids)] = one.ids
            batch["mask"][row, : len(one.ids)] = 1
            batch["gold"][row, list(part[row].gold)] = True
        yield batch


def loss_of(adapter: Any, weights: bert.Arrays, batch: dict[str, jax.Array]) -> jax.Array:
    asked = bert.vectors(weights, adapter, batch["ids"], batch["mask"])
    logits = jnp.where(batch["there"], _SCALE * asked @ batch["passages"].T, -1e9)
    answered = batch["gold"].any(1)
    right = jax.nn.logsumexp(jnp.where(batch["gold"], logits, -1e9), 1)
    lost = jax.nn.logsumexp(logits, 1) - right
    return jnp.where(answered, lost, 0.0).sum() / answered.sum()


def train(vaults: Sequence[Searched], *, seed: int) -> dict[str, Array]:
    """The thin matrices, at a share of what was learned."""
    rng, parts = random.Random(seed), list[dict[str, Any]]()
    for vault in vaults:
        parts += batches(vault, rng.sample(vault.questions, len(vault.questions)))
    rng.shuffle(parts)
    adapter = descend(
        bert.unchanged(jax.random.PRNGKey(seed), rank=RANK),
        bert.halved(bert.published()),
        parts,
        steps=len(parts),
        optimiser=adamw(RATE, len(parts)),
        loss_of=loss_of,
    )
    shares = {name: _SHARE if name.endswith(".up") else 1.0 for name in adapter}
    return {name: share * np.asarray(adapter[name]) for name, share in shares.items()}


def found(vaults: Iterable[Searched], encoder: MiniLmEncoder, *, most: int = 10) -> str:
    """How many of the questions have an answer among the nearest passages, before and now."""
    shares = dict.fromkeys((encoder.encode, encoder.encode_questions), 0)
    asked = 0
    for vault in vaults:
        asked += len(vault.questions)
        for encode in shares:
            cosines = encode([one.question for one in vault.questions]) @ vault.vectors.T
            for one, row in zip(vault.questions, cosines, strict=True):
                shares[encode] += not {*np.argsort(-row)[:most].tolist()}.isdisjoint(one.gold)
    before, now = (right / asked for right in shares.values())
    return f"{asked} questions, of the nearest {most} passages one answers: {before:.3f}, {now:.3f}"


def main() -> int:
    encoder = MiniLmEncoder()
    write_adapter(train(below(DATA / "reader", encoder), seed=1), SEARCHING)
    learned = MiniLmEncoder()
    print(found(below(DATA / "weighed", learned), learned))
    return 0


if __name__ == "__main__":
    sys.exit(main())
