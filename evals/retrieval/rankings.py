"""The rankings that are compared, and how good each is: of notes and of blocks."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evals.datasets.judgements import Judgements, Query
from evals.metrics.ranking import auroc, mean, ndcg, recall, reciprocal_rank
from evals.retrieval.grep import Grep
from evals.retrieval.places import Listed, Place, places
from evals.retrieval.search import Found, Page
from tools.base.domain import Hit

RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""
KEPT = 100
"""Places of a ranking that are looked at."""
ANSWERED = "merged, as answered"
MEASURES = ("nDCG@10", "Recall@5", "Recall@10", "MRR")

type Block = tuple[str, str]
"""Note path and block id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Notes by path and blocks, each once, best first."""

    notes: Sequence[str]
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """A question, what each ranking made of it, and how likely the vault answers it.

    One that was refused has no rankings, and says why in ``error``.
    """

    query: Query
    rankings: Mapping[str, Ranked]
    answerable: float
    error: str | None = None


def rankings(
    found: Found, answered: Sequence[Place], pages: Mapping[str, Page], grep: Grep
) -> dict[str, Ranked]:
    """Every ranking by name, the baseline first; ``answered`` is what is answered from."""
    question = found.question
    listed = {
        "semantic alone": by_score(found.semantic),
        "text alone": by_score(found.text),
        "reciprocal rank fusion": fused(by_score(found.semantic), by_score(found.text)),
    }
    return {
        "grep": ranked([*grep.notes(question)[:KEPT], *grep.blocks(question)[:KEPT]]),
        **{name: ranked(places(notes, question, pages)) for name, notes in listed.items()},
        ANSWERED: ranked(answered),
    }


def ranked(found: Iterable[Place]) -> Ranked:
    """The distinct notes and the distinct blocks of a flat ranking, the first so many."""
    listed = list(found)
    notes = dict.fromkeys(place.note_path for place in listed)
    blocks = dict.fromkeys(
        (place.note_path, place.block_id) for place in listed if place.block_id is not None
    )
    return Ranked(notes=[*notes][:KEPT], blocks=[*blocks][:KEPT])


def by_score(hits: Iterable[Hit]) -> list[Listed]:
    """One search's notes, the surest first."""
    return [
        Listed(note_path=hit.note_path, score=hit.score, excerpts=hit.excerpts)
        for hit in sorted(hits, key=lambda hit: -hit.score)
    ]


def fused(*lists: Sequence[Listed]) -> list[Listed]:
    """Reciprocal rank fusion of several rankings of notes."""
    scores: dict[str, float] = defaultdict(float)
    best: dict[str, list[Listed]] = defaultdict(list)
    for one in lists:
        for place, note in enumerate(one, start=1):
            scores[note.note_path] += 1 / (RRF_K + place)
            best[note.note_path].append(note)
    return [
        Listed(
            note_path=path,
            score=scores[path],
            excerpts=[excerpt for note in best[path] for excerpt in note.excerpts],
        )
        for path in sorted(scores, key=lambda path: -scores[path])
    ]


# --- how good ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Mean measures of each ranking over the questions to which something is relevant."""

    name: str
    questions: int
    rows: Mapping[str, Sequence[float]]


def levels(searched: Sequence[Searched], judgements: Judgements) -> list[Level]:
    """Notes, and blocks where any is judged; a level without a judged question is left out."""
    found = [_level(_notes(searched, judgements)), _level(_blocks(searched, judgements))]
    return [level for level in found if level.questions]


def recalls(
    searched: Sequence[Searched], judgements: Judgements, *, depth: int = 20
) -> dict[str, dict[str, list[float]]]:
    """For each level and ranking the mean recall among the first 1, 2, … ``depth``."""
    notes, blocks = _notes(searched, judgements), _blocks(searched, judgements)
    both = {notes.name: _recalls(notes, depth), blocks.name: _recalls(blocks, depth)}
    return {name: found for name, found in both.items() if found}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged[T: Hashable]:
    """The questions to which something is relevant: what each ranking found, and the gains."""

    name: str
    questions: Sequence[tuple[Mapping[str, Sequence[T]], Mapping[T, float]]]

    @property
    def rankings(self) -> list[str]:
        return list(dict.fromkeys(name for found, _ in self.questions for name in found))


def _notes(searched: Iterable[Searched], judgements: Judgements) -> _Judged[str]:
    pairs = (
        (
            {name: found.notes for name, found in one.rankings.items()},
            judgements.notes.get(one.query.key, {}),
        )
        for one in searched
    )
    return _Judged(name="notes", questions=[pair for pair in pairs if _relevant(pair[1])])


def _blocks(searched: Iterable[Searched], judgements: Judgements) -> _Judged[Block]:
    pairs = (
        (
            {name: found.blocks for name, found in one.rankings.items()},
            judgements.blocks.get(one.query.key, {}),
        )
        for one in searched
    )
    return _Judged(name="blocks", questions=[pair for pair in pairs if _relevant(pair[1])])


def _relevant[T: Hashable](gains: Mapping[T, float]) -> set[T]:
    return {one for one, gain in gains.items() if gain > 0}


def _level[T: Hashable](judged: _Judged[T]) -> Level:
    rows = {
        name: [
            *map(
                mean,
                zip(
                    *(measures(found.get(name, ()), gains) for found, gains in judged.questions),
                    strict=True,
                ),
            )
        ]
        for name in judged.rankings
    }
    return Level(name=judged.name, questions=len(judged.questions) if rows else 0, rows=rows)


def _recalls[T: Hashable](judged: _Judged[T], depth: int) -> dict[str, list[float]]:
    return {
        name: [
            mean(
                recall(found.get(name, ()), _relevant(gains), depth=k)
                for found, gains in judged.questions
            )
            for k in range(1, depth + 1)
        ]
        for name in judged.rankings
    }


def measures[T: Hashable](found: Sequence[T], gains: Mapping[T, float]) -> tuple[float, ...]:
    """``MEASURES`` of one ranking for one question."""
    relevant = _relevant(gains)
    return (
        ndcg(found, gains, depth=10),
        recall(found, relevant, depth=5),
        recall(found, relevant, depth=10),
        reciprocal_rank(found, relevant),
    )


def answerability_auroc(searched: Iterable[Searched]) -> float | None:
    """AUROC of ``answerable``; None unless there are questions of both kinds."""
    said = [(one.query.answerable, one.answerable) for one in searched]
    positives = [score for truly, score in said if truly is True]
    negatives = [score for truly, score in said if truly is False]
    return auroc(positives, negatives) if positives and negatives else None
