"""A scan of the whole vault for contradictions: every claim against those nearest in meaning.

It goes on where it was interrupted, and later reads only what has changed.
"""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import batched

import numpy as np

from agents.judge.judge import conflict_from_score, lexical_confirmation, text_for_reader
from agents.judge.nearest_claims import Pairs, nearest_pairs
from agents.judge.pair_scoring import RelationProbabilities
from agents.judge.scan_scoring import WEIGHTS as SCORING
from agents.judge.scan_scoring import WORTH_KEEPING, confidences, scan_scoring
from graphs.core.deps import Deps
from graphs.ingest.graph import Progress
from tools.base.domain import Claim
from tools.claims.report import ScannedConflict
from tools.evidence.span_claims import span_claims
from tools.evidence.spans import spans_of
from tools.semantic.pair_reader import WEIGHTS as PAIR_READER
from tools.text.normalize import fold
from tools.text.tokens import stems_in
from tools.vault.notes.lines import read_lines
from tools.vault.storage.contradictions import ContradictionStore, ReadPair

_NOTES_READ, _NOTES_COMPARED, _PAIRS_COMPARED = 64, 32, 256
"""Notes, and pairs of them, after which what was done is kept."""
_OF_A_NOTE = 1000
"""Claims of one note that are compared, of more the first and the last: a log grows at one end.

Of 2,364 notes in four vaults the longest has 944; a file of data would take all the pairs.
"""
PAIRS_A_CLAIM, _PAIRS = 2, 60_000
"""Pairs compared, the likeliest: in the mean of the claims that are new, and in one run."""
_TEXTS_READ = 4096
"""Claims whose texts are held at once."""
_PAIRS_READ = 128
"""Pairs in one request."""
_MARK_LENGTH = 16
_FORM = b"6"
"""Of how claims are taken out of notes and compared; with another one all is read anew."""


class ContradictionScan:
    """Brings ``store`` up to date with the index."""

    def __init__(self, deps: Deps, store: ContradictionStore) -> None:
        self._deps, self._store = deps, store

    async def run(self, on_progress: Callable[[Progress], None]) -> None:
        """Read what has changed and compare it with all else.

        What is done stays done. Raises StorageError, and SourceError where the semantic server
        does not answer.
        """
        await self._read_notes(on_progress)
        pending = await asyncio.to_thread(self._store.pending)
        if pending:
            await self._compare(pending, on_progress)
        if await asyncio.to_thread(self._store.unsettled):
            found = await asyncio.to_thread(self._found)
            await asyncio.to_thread(self._store.settle, found, at=self._deps.clock())

    def up_to_date(self) -> int:
        """How many notes are compared with all others as they are now. It blocks."""
        now = self._marks()
        kept = self._store.compared_hashes()
        return sum(now.get(path) == known for path, known in kept.items())

    async def _compare(
        self, pending: Sequence[int], on_progress: Callable[[Progress], None]
    ) -> None:
        known = await asyncio.to_thread(self._store.vectors)
        rows = np.flatnonzero(np.isin(known.notes, pending))
        most = min(_PAIRS, PAIRS_A_CLAIM * len(rows))

        def said(places: Sequence[int]) -> Iterator[tuple[str, ...]]:
            for some in batched(known.claims[places].tolist(), _TEXTS_READ):
                texts = self._store.texts(some)
                yield from (stems_in(texts[number]) for number in some)

        nearest = await asyncio.to_thread(
            nearest_pairs, rows, known.vectors, known.notes, known.crowd, said, most=most
        )
        await asyncio.to_thread(
            self._store.keep_crowd, known.claims[rows].tolist(), nearest.crowd.tolist()
        )
        of_note: dict[int, Pairs] = defaultdict(list)
        place = {note: at for at, note in enumerate(pending)}
        for pair in nearest.pairs:
            first = min(known.notes[[*pair]].tolist(), key=lambda note: place.get(note, len(place)))
            of_note[first].append(tuple(known.claims[[*pair]].tolist()))
        compared = 0
        for some in _together(pending, of_note):
            read = await self._read([pair for note in some for pair in of_note[note]])
            await asyncio.to_thread(self._store.record, some, read)
            compared += len(some)
            on_progress(Progress(phase="comparing", done=compared, total=len(pending)))

    def _marks(self) -> dict[str, str]:
        """What each note is kept under: its content, and all that reads it."""
        encoder = self._deps.catalog.encoder() or ""
        readers = hashlib.sha256(_FORM + encoder.encode())
        for file in (PAIR_READER, SCORING):
            readers.update(file.read_bytes())
        by = readers.hexdigest()[:_MARK_LENGTH]
        return {path: f"{known} {by}" for path, known in self._deps.catalog.hashes().items()}

    async def _read_notes(self, on_progress: Callable[[Progress], None]) -> None:
        """Keep the claims of new and changed notes; forget what is gone."""
        now = await asyncio.to_thread(self._marks)
        kept = await asyncio.to_thread(self._store.hashes)
        gone = [path for path, known in kept.items() if now.get(path) != known]
        await asyncio.to_thread(self._store.forget, gone)
        changed = sorted(path for path, known in now.items() if kept.get(path) != known)
        for number, some in enumerate(batched(changed, _NOTES_READ)):
            claims = await asyncio.to_thread(self._claims, some)
            texts = [claim.read_as for own in claims.values() for claim in own]
            vectors = (await self._deps.index.embed_claims(texts)).astype(np.float16)
            start = 0
            for path in some:
                own = claims.get(path, ())
                part = vectors[start : start + len(own)]
                await asyncio.to_thread(self._store.add, path, now[path], own, part)
                start += len(own)
            done = min(len(changed), (number + 1) * _NOTES_READ)
            on_progress(Progress(phase="claims", done=done, total=len(changed)))

    def _claims(self, paths: Sequence[str]) -> dict[str, tuple[Claim, ...]]:
        settings = self._deps.settings
        lines = read_lines(paths, root=settings.vault, max_bytes=settings.max_note_bytes)
        records = self._deps.catalog.records(lines)
        return {
            path: _ends(
                tuple(
                    span_claims(
                        spans_of("\n".join(lines[path])),
                        note_path=path,
                        note_title=record.title,
                        written=None if record.date_origin == "mtime" else record.created,
                    )
                )
            )
            for path, record in records.items()
        }

    async def _read(self, pairs: Pairs) -> list[ReadPair]:
        """Those of the pairs of claims, given by their ids, that may clash."""
        ids = {number for pair in pairs for number in pair}
        claims = await asyncio.to_thread(self._store.claims, ids)
        other = [(a, b) for a, b in pairs if fold(claims[a].text) != fold(claims[b].text)]
        kept: list[ReadPair] = []
        for some in batched(other, _PAIRS_READ):
            texts = [(text_for_reader(claims[a]), text_for_reader(claims[b])) for a, b in some]
            for pair, row in zip(some, await self._deps.relate(texts), strict=True):
                shares = RelationProbabilities(*row.tolist())
                if shares.conflict >= WORTH_KEEPING:
                    changed = shares.changed > shares.contradicts
                    kept.append(ReadPair(*pair, likely=shares.conflict, changed=changed))
        return kept

    def _found(self) -> list[ScannedConflict]:
        """What all pairs kept come to. It blocks."""
        read = self._store.pairs()
        likely = np.array([one.likely for one in read], np.float64)
        confidence = confidences([(one.a, one.b) for one in read], likely).tolist()
        fitted = scan_scoring()
        claims = self._store.claims({at for one in read for at in (one.a, one.b)})
        found: list[ScannedConflict] = []
        for one, sure in zip(read, confidence, strict=True):
            a, b = claims[one.a], claims[one.b]
            by_words = lexical_confirmation(a, b, one.likely)
            if by_words or sure >= fitted.suspected:
                clash = conflict_from_score(a, b, max(sure, by_words), changed=one.changed)
                found.append(ScannedConflict(clash, bool(by_words) or sure >= fitted.told))
        return found


def _ends(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """All claims of a note, or of very many the first and the last."""
    half = _OF_A_NOTE // 2
    return claims if len(claims) <= _OF_A_NOTE else claims[:half] + claims[-half:]


def _together(notes: Sequence[int], pairs: Mapping[int, Pairs]) -> Iterator[list[int]]:
    """The notes in groups that are compared between one keeping of what was done and the next."""
    group, size = list[int](), 0
    for note in notes:
        group.append(note)
        size += len(pairs.get(note, ()))
        if size >= _PAIRS_COMPARED or len(group) == _NOTES_COMPARED:
            yield group
            group, size = [], 0
    if group:
        yield group
