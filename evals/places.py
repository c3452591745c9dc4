"""From what the searches found to one flat ranking of places; whether there is an answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evals.searching import Found, Page
from tools.domain import Block, Excerpt
from tools.evidence import covering
from tools.ranking import leave_out
from tools.vault.text import text_query

BLOCKS_PER_NOTE = 10
MOST = 200
"""Places of one ranking."""


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


def ranked_places(found: Found, pages: Mapping[str, Page]) -> list[Place]:
    """What is answered from, best first: notes as merged, in each its blocks.

    After them come the notes that were found but are too weak to be answered from.
    """
    merged = [
        Listed(
            note_path=result.note_path,
            score=result.composite_relevance,
            excerpts=result.excerpts,
        )
        for result in found.merged
    ]
    hits = leave_out([*found.semantic, *found.text], found.plan.excluded)
    weak = [
        Listed(note_path=hit.note_path, score=hit.score, excerpts=hit.excerpts)
        for hit in sorted(hits, key=lambda hit: -hit.score)
    ]
    return places([*merged, *weak], found.question, pages)[:MOST]


def answerable(found: Found) -> float:
    """Probability in [0, 1] that the vault holds an answer."""
    return max((result.composite_relevance for result in found.merged), default=0.0)


def places(listed: Iterable[Listed], question: str, pages: Mapping[str, Page]) -> list[Place]:
    """The blocks of each note, in the order of the notes; a note without any stands for itself.

    A passage may cover several blocks: those come first that hold more of the question's words.
    """
    covered = covering(text_query(question).words)
    ranked: list[Place] = []
    seen: set[str] = set()
    score = 1.0
    for note in listed:
        if note.note_path in seen or note.note_path not in pages:
            continue
        seen.add(note.note_path)
        score = min(score, max(0.0, note.score))
        page = pages[note.note_path]
        ids: dict[str, None] = {}
        for excerpt in note.excerpts:
            inside = [block for block in page.blocks if _covers(excerpt, block)]
            inside.sort(key=lambda block: -covered(_text(page, block)))
            ids |= dict.fromkeys(block.block_id for block in inside)
        ranked += [
            Place(note_path=note.note_path, block_id=block, score=round(score, 6))
            for block in (list(ids)[:BLOCKS_PER_NOTE] or [None])
        ]
    return ranked


def _covers(excerpt: Excerpt, block: Block) -> bool:
    return excerpt.line_start <= block.line_end and block.line_start <= excerpt.line_end


def _text(page: Page, block: Block) -> str:
    return "\n".join(page.lines[block.line_start - 1 : block.line_end])
