"""The notes that carry a name which a question mentions, and how well each fits the question."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import PurePosixPath

from agents.interpreter.search_targets import searches, wanted
from graphs.core.deps import Deps
from graphs.query.retrieval.limits import candidate_limit
from graphs.query.retrieval.retriever import Nearest
from tools.base.domain import QueryPlan
from tools.base.errors import BrainError
from tools.senses.decision import Fit, Named
from tools.senses.mentions import Mention, find_mentions, left_over
from tools.senses.notes import NamedNote
from tools.vault.catalog.best_passages import any_of, greatest, term_statistics
from tools.vault.catalog.records import Passage
from tools.vault.catalog.text import text_query

_MOST_NOTES = 12
"""A name in the titles of more notes than these is none of one thing."""
_SECONDS = 0.5
"""How long is waited for what is known of meaning."""
_OPENING = 300
"""Characters of how a note begins that its vector is of."""


async def named_notes(plan: QueryPlan, deps: Deps, search: Nearest | None) -> list[Named]:
    """For each name the question mentions that several notes carry, these and how they fit.

    ``search`` gives what of the vault is like a text; without it, or where it fails, nothing is
    known of meaning. Things that are compared are told apart by being compared.
    """
    if plan.intent == "comparative":
        return []
    found = await asyncio.to_thread(_look, plan, deps)
    if not found or search is None:
        return [named for named, _ in found]
    try:
        async with asyncio.timeout(_SECONDS):
            return [await _with_meaning(plan, *one, deps, search) for one in found]
    except (BrainError, TimeoutError):
        return [named for named, _ in found]


type _Passages = dict[str, list[Passage]]


def _look(plan: QueryPlan, deps: Deps) -> list[tuple[Named, _Passages]]:
    names = deps.catalog.name_set()
    found: list[tuple[Named, _Passages]] = []
    for mention in find_mentions(wanted(plan), names):
        carried = deps.catalog.names_matching(mention.names)
        if not 2 <= len(carried) <= _MOST_NOTES:
            continue
        passages = deps.catalog.passages_of(carried)
        notes = _notes(carried, passages, deps)
        if len(notes) > 1:
            found.append((_fitted(plan, mention, notes, passages, deps), passages))
    return found


def _notes(carried: Mapping[str, set[str]], passages: _Passages, deps: Deps) -> list[NamedNote]:
    records = deps.catalog.records(passages)
    total = max(deps.catalog.note_count(), 1)

    @cache
    def information(folder: PurePosixPath) -> float:
        within = deps.catalog.notes_within(str(folder))
        return -math.log(min(1.0, max(within, 1) / total))

    return [
        NamedNote(
            path=path,
            title=records[path].title,
            names=frozenset(carried[path]),
            text="\n".join(one.text for one in own),
            folder_information=tuple(map(information, [*PurePosixPath(path).parents][-2::-1])),
        )
        for path, own in passages.items()
        if path in records
    ]


def _fitted(
    plan: QueryPlan,
    mention: Mention,
    notes: Sequence[NamedNote],
    passages: _Passages,
    deps: Deps,
) -> Named:
    """How well notes fit the question by its other words: by BM25, from 0 to 1."""
    rest = left_over(wanted(plan), mention)
    query = text_query(" ".join(rest), turkish=plan.reading.turkish)
    terms = term_statistics(deps.catalog, query.terms() if rest else ())
    rows = {one.chunk_id: path for path, own in passages.items() for one in own}
    most, words = greatest(terms), dict.fromkeys(passages, 0.0)
    scores = deps.catalog.words.match_among(any_of(terms), rows) if terms else {}
    for row, score in scores.items():
        words[rows[row]] = max(words[rows[row]], min(1.0, score / most))
    return Named(
        mention=mention,
        notes=tuple(notes),
        rest=rest,
        unknown=sum(not term.passages for term in terms.values()),
        explores=plan.reading.likely("explore"),
        fits={path: Fit(words=score) for path, score in words.items()},
    )


async def _with_meaning(
    plan: QueryPlan, named: Named, passages: _Passages, deps: Deps, search: Nearest
) -> Named:
    openings = [f"{one.title}\n{passages[one.path][0].text[:_OPENING]}" for one in named.notes]
    found, vectors = await asyncio.gather(
        search(searches(plan)[0].text, candidate_limit(plan)), deps.index.embed(openings)
    )
    similar = dict(found)
    least = min(similar.values(), default=0.0)
    fits = {
        path: replace(
            named.fits[path],
            meaning=max(similar.get(one.vector_id, least) for one in own),
        )
        for path, own in passages.items()
    }
    notes = (
        replace(note, vector=tuple(map(float, vector)))
        for note, vector in zip(named.notes, vectors, strict=True)
    )
    return replace(named, notes=tuple(notes), fits=fits)
