"""Pairs of claims of whole vaults: those known to clash, and neighbours that are nothing of it.

A vault is a folder of notes; one in which pairs are known has a file ``truth.jsonl``.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from agents.judge.nearest_claims import Pairs, nearest_pairs
from evals.datasets.records import Record, Text, read_lines
from graphs.contradictions.scan import PAIRS_A_CLAIM
from tools.base.domain import Claim
from tools.evidence.span_claims import span_claims
from tools.evidence.spans import spans_of
from tools.semantic.encoder import Encoder
from tools.text.normalize import fold
from tools.text.tokens import stems_in, words_of

TRUTH = "truth.jsonl"

type Kind = Literal["contradiction", "change", "lookalike"]
CLASHING: tuple[Kind, ...] = ("contradiction", "change")
type Places = frozenset[tuple[str, int]]
"""Path and line of both sides of a pair."""


class KnownPair(Record):
    """Two lines of a vault, with what part of each is meant, and what they are.

    ``question`` is one that both answer, each in its own way.
    """

    kind: Kind
    note_a: Text
    line_a: int
    piece_a: str = ""
    note_b: Text
    line_b: int
    piece_b: str = ""
    question: str = ""

    @property
    def places(self) -> Places:
        return frozenset(((self.note_a, self.line_a), (self.note_b, self.line_b)))


def vault_name(folder: Path) -> str:
    """What a vault is called: its folder, or the one over its ``notes``."""
    return folder.parent.name if folder.name == "notes" else folder.name


def known_pairs(folder: Path) -> list[KnownPair]:
    """What is known of a vault; nothing of one without truth."""
    file = folder / TRUTH
    return read_lines(file, KnownPair) if file.exists() else []


def claims_of(folder: Path) -> Mapping[tuple[str, int], list[Claim]]:
    """Every claim of a vault by the place where it stands."""
    found: dict[tuple[str, int], list[Claim]] = {}
    for file in sorted(folder.rglob("*.md")):
        path, spans = file.relative_to(folder).as_posix(), spans_of(file.read_text("utf-8"))
        for claim in span_claims(spans, note_path=path, note_title=file.stem, written=None):
            found.setdefault((path, claim.line), []).append(claim)
    return found


class KnownClaims:
    """What is known of the pairs of a vault's claims."""

    def __init__(
        self, known: Sequence[KnownPair], claims: Mapping[tuple[str, int], list[Claim]]
    ) -> None:
        self._lines = {one.places for one in known}
        self._kinds: dict[frozenset[tuple[str, str]], Kind] = {}
        for one in known:
            if meant := _meant(one, claims):
                self._kinds[_told(*meant)] = one.kind

    def kind(self, a: Claim, b: Claim) -> Kind | None:
        """What a pair is known as."""
        return self._kinds.get(_told(a, b))

    def is_conflict(self, a: Claim, b: Claim) -> bool:
        return self.kind(a, b) in CLASHING

    def is_target(self, a: Claim, b: Claim, one: KnownPair | None) -> bool:
        """Whether the pair is the one that a question asks for."""
        return one is not None and _places(a, b) == one.places and self.kind(a, b) is not None

    def is_beside(self, a: Claim, b: Claim) -> bool:
        """Whether the pair stands on the lines of a known one, and is another."""
        return _places(a, b) in self._lines and self.kind(a, b) is None


def _places(a: Claim, b: Claim) -> Places:
    return frozenset(((a.note_path, a.line), (b.note_path, b.line)))


def _told(a: Claim, b: Claim) -> frozenset[tuple[str, str]]:
    return frozenset(((a.note_path, a.text), (b.note_path, b.text)))


def compared(folder: Path, encoder: Encoder) -> tuple[list[Claim], Pairs, list[Kind | None]]:
    """The claims of a vault, the pairs of them that a scan compares, and what each is known as.

    Left out are those that say the same, and those beside a known pair on its lines.
    """
    claims = claims_of(folder)
    known = KnownClaims(known_pairs(folder), claims)
    every = [claim for own in claims.values() for claim in own]
    vectors = np.array(encoder.encode_claims([claim.read_as for claim in every]), np.float32)
    paths = {claim.note_path: number for number, claim in enumerate(every)}
    notes = np.array([paths[claim.note_path] for claim in every], np.int64)
    most = PAIRS_A_CLAIM * len(every)

    def said(places: Sequence[int]) -> list[tuple[str, ...]]:
        return [stems_in(every[at].text) for at in places]

    rows, crowd = np.arange(len(every)), np.zeros(len(every), np.float32)
    pairs = [
        (a, b)
        for a, b in nearest_pairs(rows, vectors, notes, crowd, said, most=most).pairs
        if fold(every[a].text) != fold(every[b].text) and not known.is_beside(every[a], every[b])
    ]
    return every, pairs, [known.kind(every[a], every[b]) for a, b in pairs]


def pairs_of(folder: Path, encoder: Encoder) -> Iterator[tuple[Claim, Claim, Kind | None]]:
    """The known pairs of a vault, and all others that a scan of it compares."""
    claims = claims_of(folder)
    for one in known_pairs(folder):
        if meant := _meant(one, claims):
            yield *meant, one.kind
    every, pairs, kinds = compared(folder, encoder)
    for (a, b), kind in zip(pairs, kinds, strict=True):
        if kind is None:
            yield every[a], every[b], None


def _meant(
    one: KnownPair, claims: Mapping[tuple[str, int], list[Claim]]
) -> tuple[Claim, Claim] | None:
    """The claims of both lines that are meant; None where no claim stands on one of them."""
    a, b = claims.get((one.note_a, one.line_a)), claims.get((one.note_b, one.line_b))
    return (_nearest_to(one.piece_a, a), _nearest_to(one.piece_b, b)) if a and b else None


def _nearest_to(piece: str, claims: list[Claim]) -> Claim:
    words = set(words_of(piece))
    return max(claims, key=lambda claim: len(words & set(words_of(claim.text))))
