"""Hidden links looked for: how high each way of ranking puts the notes that were linked."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from langgraph.checkpoint.memory import InMemorySaver
from numpy.typing import NDArray

from agents.linker.ranking import scores
from evals.links.hidden import HiddenLinks, hide_links
from evals.retrieval.search import indexed, read_notes
from graphs.brain import Brain
from graphs.core.deps import Deps
from graphs.links.suggesting.gather import gather, names_of_all
from tools.links.signals import Matrix, Signals

HIT_DEPTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The candidates of a note with hidden links, what speaks for each, and which were linked.

    ``by_cosine`` are all notes that it does not link to, the nearest note vector first.
    """

    paths: Sequence[str]
    signals: Signals
    by_cosine: Sequence[str]
    wanted: frozenset[str]

    @property
    def gold(self) -> NDArray[np.bool_]:
        return np.array([path in self.wanted for path in self.paths])

    def best_first(self, values: Matrix) -> list[str]:
        return [self.paths[int(at)] for at in np.argsort(-values, kind="stable")]


async def samples(vault: Path) -> dict[bool, list[Sample]]:
    """Hide links of a vault, index it as it is then, and look for candidates.

    Once with the words of the links kept (True) and once without: both have the same index, of
    which only the notes with hidden links are written anew.
    """
    found: dict[bool, list[Sample]] = {}
    with tempfile.TemporaryDirectory(prefix="brain-links-") as folder:
        copy = Path(folder)
        hidden = hide_links(vault, copy, keep_words=True)
        async with indexed(copy) as deps:
            found[True] = [sample async for sample in _samples(deps, hidden)]
            hidden = hide_links(vault, copy, keep_words=False)
            await Brain(deps, saver=InMemorySaver()).index()
            found[False] = [sample async for sample in _samples(deps, hidden)]
    return found


async def _samples(deps: Deps, hidden: HiddenLinks) -> AsyncIterator[Sample]:
    notes = {
        note.path: note for note in await asyncio.to_thread(lambda: [*read_notes(deps.settings)])
    }
    names = deps.catalog.remembered(lambda: names_of_all(deps.catalog))
    vectors = await _note_vectors(deps, notes.keys())
    every = np.array([vectors[path] for path in notes])
    for path, wanted in sorted(hidden.of.items()):
        gathered = await gather(deps, notes[path], names)
        linked = gathered.graph.targets(path) | {path}
        paths = [other for other in gathered.candidates if other not in linked]
        near = np.argsort(-(every @ vectors[path]), kind="stable")
        by_cosine = [other for other in np.array([*notes])[near].tolist() if other not in linked]
        yield Sample(
            paths=paths, signals=gathered.signals, by_cosine=by_cosine, wanted=frozenset(wanted)
        )


async def _note_vectors(deps: Deps, paths: Collection[str]) -> Mapping[str, Matrix]:
    """The mean of each note's passages, of length one; zeros for one without any."""
    passages = await asyncio.to_thread(deps.catalog.passages_of, paths)
    ids = {path: [one.vector_id for one in own] for path, own in passages.items()}
    vectors = await deps.index.vectors([*{one for own in ids.values() for one in own}])
    none = np.zeros(len(next(iter(vectors.values()))))
    found = dict.fromkeys(paths, none)
    for path, own in ids.items():
        rows = [vectors[one] for one in own if one in vectors]
        mean = np.mean(rows, axis=0, dtype=np.float64) if rows else none
        found[path] = mean / max(float(np.linalg.norm(mean)), 1e-9)
    return found


def figures(
    found: Sequence[Sample], score: Callable[[Signals, Sequence[str]], Matrix] = scores
) -> dict[str, tuple[float, float]]:
    """hit@10 over the hidden links and MRR over the notes, for each way of ranking."""

    def by_words(one: Sample) -> Matrix:
        return np.array([one.signals.words.get(path, 0.0) for path in one.paths])

    ways: dict[str, Callable[[Sample], Sequence[str]]] = {
        "cosine of note vectors": lambda one: one.by_cosine,
        "BM25": lambda one: one.best_first(by_words(one)),
        "suggested": lambda one: one.best_first(score(one.signals, one.paths)),
    }
    return {name: hits([(way(one), one.wanted) for one in found]) for name, way in ways.items()}


def hits(ranked: Sequence[tuple[Sequence[str], frozenset[str]]]) -> tuple[float, float]:
    """hit@10 and MRR of some orders of notes, each with those that should be first."""
    found = total = 0
    reciprocal: list[float] = []
    for order, wanted in ranked:
        ranks = [rank for rank, path in enumerate(order) if path in wanted]
        total += len(wanted)
        found += sum(rank < HIT_DEPTH for rank in ranks)
        reciprocal.append(1.0 / (ranks[0] + 1) if ranks else 0.0)
    return found / max(total, 1), float(np.mean(reciprocal)) if reciprocal else 0.0
