"""From what the searches found to one flat ranking of places."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evals.retrieval.block_ranking import NoteBlock, block_scores
from evals.retrieval.search import Found, Page
from graphs.core.notes_read import Evidence
from tools.base.domain import Block, Excerpt
from tools.ranking.fusion import leave_out
from tools.vault.catalog.text import text_query

MOST = 200
"""Places of one ranking."""
_BEST, _FAR = 2.0, 40.0
"""Logit of the span that answers best, of which 0 to 4 are as good on conversations, and the
distance behind it from which on nothing is told apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A note, or a block of it. Scores never rise along a ranking."""

    note_path: str
    block_id: str | None
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A note in a ranking, with the passages that were found of it, best first."""

    note_path: str
    score: float
    excerpts: Sequence[Excerpt]


def ranked_places(found: Found, evidence: Evidence, pages: Mapping[str, Page]) -> list[Place]:
    """What is answered from, best first; last the notes found that are too weak for that.

    A block is as good as the best of its spans (``evidence``) and its note together.
    """
    notes = {result.note_path: result.composite_relevance for result in found.merged}
    least = min(notes.values(), default=1.0)
    for hit in leave_out([*found.semantic, *found.text], found.plan.excluded):
        notes.setdefault(hit.note_path, hit.score * least)
    most = max((one.score for one in evidence.spans), default=0.0)
    said: dict[tuple[str, str], float] = {}
    for one in evidence.spans:
        path, span = one.candidate.note.path, one.candidate.span
        if span.kind == "list":
            continue  # its items say it
        own = 1.0 / (1.0 + math.exp(min(most - one.score, _FAR) - _BEST))
        for block in pages[path].blocks if path in pages else ():
            if block.line_start <= span.line_end and span.line_start <= block.line_end:
                key = path, block.block_id
                said[key] = max(own, said.get(key, 0.0))
    ranked = [
        Place(note_path=path, block_id=block, score=(own + notes.get(path, least)) / 2.0)
        for (path, block), own in said.items()
    ]
    quoted = {path for path, _ in said}
    ranked += [
        # Of a note with blocks nothing was read.
        Place(note_path=path, block_id=None, score=score / 2.0 if pages[path].blocks else score)
        for path, score in notes.items()
        if path in pages and path not in quoted
    ]
    return sorted(ranked, key=lambda place: -place.score)[:MOST]


def places(listed: Iterable[Listed], question: str, pages: Mapping[str, Page]) -> list[Place]:
    """The blocks of the passages found, ranked among each other; a note without stands for itself.

    Equal ones stay in the order of their notes.
    """
    ranked: list[Place] = []
    blocks: list[NoteBlock] = []
    ids: list[str] = []
    notes: dict[str, Listed] = {}
    for note in listed:
        if note.note_path in pages:
            notes.setdefault(note.note_path, note)
    for path, note in notes.items():
        page = pages[path]
        inside = [b for b in page.blocks if any(_covers(e, b) for e in note.excerpts)]
        ids += [block.block_id for block in inside]
        blocks += [
            NoteBlock(note_path=path, note_score=note.score, text=_text(page, block))
            for block in inside
        ]
        if not inside:
            ranked.append(Place(note_path=path, block_id=None, score=note.score))
    query = text_query(question)
    scores = block_scores(blocks, query.words, turkish=query.inflected)
    ranked += [
        Place(note_path=block.note_path, block_id=id_, score=round(score, 6))
        for block, id_, score in zip(blocks, ids, scores, strict=True)
    ]
    return sorted(ranked, key=lambda place: -place.score)


def _covers(excerpt: Excerpt, block: Block) -> bool:
    return excerpt.line_start <= block.line_end and block.line_start <= excerpt.line_end


def _text(page: Page, block: Block) -> str:
    """What the block says, without its id."""
    lines = page.lines[block.line_start - 1 : block.line_end]
    return "\n".join(lines).removesuffix(f"^{block.block_id}")
