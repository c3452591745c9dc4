"""Pairs of real notes as suggestions compare them, each judged by somebody who read both.

Only where the passages stand is kept, with their digests; their text is read off the vaults.
"""

import hashlib
from collections.abc import Iterator, Mapping, Set
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.linker.relation import OUTCOMES
from evals.datasets.records import Record, read_lines
from tools.base.domain import Chunk
from tools.links.excerpt_features import Excerpt, Vector, pair_features
from tools.semantic.encoder import Encoder
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note

_EVALS = Path(__file__).parents[1]
LABELS = _EVALS / "data" / "link_types" / "real"
OWN_VAULTS: Mapping[str, Path] = {
    "example": _EVALS.parent / "examples" / "vault",
    "evergreen": _EVALS / "data" / "reader" / "evergreen" / "notes",
    **{
        name: _EVALS / "data" / "weighed" / name / "notes"
        for name in ("essayist", "naturalist", "slipbox", "undergrad", "venture")
    },
}
"""Where the vaults are that are part of this repository."""
_DIGEST = 12
_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
type _Key = tuple[str, int, str]


class PassagePlace(Record):
    """The line a passage begins in, and the first digits of its text's SHA-256."""

    path: str
    line: int
    digest: str

    @property
    def key(self) -> _Key:
        return self.path, self.line, self.digest


class JudgedPair(Record):
    """What "a <type> b" was judged; ``turned`` ones are another pair in the other order."""

    example: ClassVar[str] = (
        '{"a": {"path": "a.md", "line": 3, "digest": "0f"}, "b": {"path": "b.md", "line": 1, '
        '"digest": "1e"}, "type": "none", "sample": "suggested"}'
    )

    a: PassagePlace
    b: PassagePlace
    type: str
    sample: Literal["suggested", "linked", "turned"]


class RealPairs(NamedTuple):
    """The pairs of one vault: features of each, and its type's place in ``OUTCOMES``.

    ``asked`` are those that are as they would be shown: not the turned order of another.
    """

    features: Vector
    types: NDArray[np.int64]
    asked: NDArray[np.bool_]


def read_real_pairs(name: str, vault: Path, encoder: Encoder) -> RealPairs:
    """The judged pairs of a vault that are still as they were judged.

    Raises InputError for labels that cannot be read and for a note that is none.
    """
    pairs = read_lines(LABELS / f"{name}.jsonl", JudgedPair)
    places = {place.key for pair in pairs for place in (pair.a, pair.b)}
    found = dict(_passages(vault, places))
    vectors = encoder.encode([chunk.embedding_text for _, chunk in found.values()])
    excerpts = {
        place: Excerpt(title=title, text=chunk.text, vector=vector.astype(np.float64))
        for (place, (title, chunk)), vector in zip(found.items(), vectors, strict=True)
    }
    kept = [pair for pair in pairs if {pair.a.key, pair.b.key} <= excerpts.keys()]
    return RealPairs(
        pair_features([(excerpts[pair.a.key], excerpts[pair.b.key]) for pair in kept]),
        np.array([OUTCOMES.index(pair.type) for pair in kept], np.int64),
        np.array([pair.sample != "turned" for pair in kept]),
    )


def _passages(vault: Path, wanted: Set[_Key]) -> Iterator[tuple[_Key, tuple[str, Chunk]]]:
    """Each passage that stands where it did, with the title of its note."""
    for path in sorted({path for path, _, _ in wanted if (vault / path).is_file()}):
        note = parse_note(path, (vault / path).read_bytes(), mtime=_UNDATED)
        for chunk in chunk_note(note):
            key = path, chunk.line_start, hashlib.sha256(chunk.text.encode()).hexdigest()[:_DIGEST]
            if key in wanted:
                yield key, (note.title, chunk)
