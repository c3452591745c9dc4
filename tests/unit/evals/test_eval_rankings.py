"""Rankings of notes and blocks from what searches found, and the baseline, on made-up pages."""

from collections.abc import Mapping

import pytest

from evals.datasets.judgements import Judgements, Query
from evals.retrieval.grep import Grep
from evals.retrieval.places import Listed, places
from evals.retrieval.rankings import (
    MEASURES,
    Ranked,
    Searched,
    answerability_auroc,
    fused,
    levels,
    ranked,
    recalls,
)
from evals.retrieval.search import Page
from tools.base.domain import Block, Excerpt


def page(*lines: str) -> Page:
    """A page on which every line that ends in ``^id`` is a block."""
    blocks = [
        Block(block_id=line.rsplit("^", 1)[1], line_start=number, line_end=number)
        for number, line in enumerate(lines, start=1)
        if "^" in line
    ]
    return Page(lines=lines, blocks=blocks)


PAGES: Mapping[str, Page] = {
    "a.md": page("Tea is hot. ^one", "Green tea steeps for two minutes. ^two", "Tea. Tea."),
    "b.md": page("Green paint.", "Steeps? No. ^three"),
    "c.md": page("Nothing of it."),
}


def listed(path: str, score: float = 0.5, *lines: tuple[int, int]) -> Listed:
    excerpts = [Excerpt(text="", line_start=first, line_end=last) for first, last in lines]
    return Listed(note_path=path, score=score, excerpts=excerpts)


def test_blocks_with_more_of_the_words_come_first_and_a_note_stands_once() -> None:
    found = places(
        [listed("a.md", 0.9, (1, 3)), listed("c.md", 0.95, (1, 1)), listed("a.md", 0.4, (1, 1))],
        "How long does green tea steep?",
        PAGES,
    )
    assert [(place.note_path, place.block_id) for place in found] == [
        ("c.md", None),
        ("a.md", "two"),
        ("a.md", "one"),
    ]
    scores = [place.score for place in found]
    assert scores == sorted(scores, reverse=True)


def test_a_note_that_is_not_in_the_vault_has_no_place() -> None:
    assert places([listed("gone.md")], "tea", PAGES) == []


def test_grep_puts_first_what_has_most_of_the_words_then_most_lines() -> None:
    grep = Grep(PAGES)
    assert [place.note_path for place in grep.notes("Which GREEN things?")] == ["a.md", "b.md"]
    assert [place.note_path for place in grep.notes("green tea")] == ["a.md", "b.md"]
    blocks = [(place.note_path, place.block_id) for place in grep.blocks("green tea steeps")]
    assert blocks == [("a.md", "two"), ("a.md", "one"), ("b.md", "three")]
    assert grep.notes("xylophone") == []


def test_fusion_prefers_what_both_found() -> None:
    both = fused([listed("a.md"), listed("b.md")], [listed("c.md"), listed("b.md")])
    assert [note.note_path for note in both] == ["b.md", "a.md", "c.md"]


def searched(id_: str, notes: list[str], *, answerable: bool | None, score: float) -> Searched:
    blocks = [(note, "x") for note in notes]
    return Searched(
        query=Query(id=id_, query="tea?", answerable=answerable),
        rankings={"one": Ranked(notes=notes, blocks=blocks)},
        answerable=score,
    )


def test_only_questions_with_something_relevant_are_measured() -> None:
    asked = [
        searched("q", ["a.md", "b.md"], answerable=True, score=0.8),
        searched("none", ["b.md"], answerable=False, score=0.2),
        searched("zero", ["b.md"], answerable=None, score=0.9),
    ]
    refused = Searched(query=Query(id="r", query="tea?"), rankings={}, answerable=0.0, error="no")
    judgements = Judgements(
        notes={"q": {"b.md": 2.0}, "zero": {"b.md": 0.0}, "r": {"c.md": 1.0}},
        blocks={"q": {("a.md", "x"): 1.0}},
    )
    notes, blocks = levels([*asked, refused], judgements)
    assert (notes.name, notes.questions, blocks.questions) == ("notes", 2, 1)
    assert dict(zip(MEASURES, notes.rows["one"], strict=True))["MRR"] == pytest.approx(0.25)
    assert blocks.rows["one"] == [1, 1, 1, 1]
    assert recalls([*asked, refused], judgements, depth=2)["notes"] == {"one": [0, 0.5]}
    assert answerability_auroc(asked) == 1
    assert answerability_auroc(asked[:1]) is None


def test_a_flat_ranking_gives_each_note_and_each_block_once() -> None:
    flat = places([listed("a.md", 0.9, (1, 3)), listed("b.md", 0.4, (1, 1))], "tea", PAGES)
    assert ranked(flat).notes == ["a.md", "b.md"]
    assert {block for _, block in ranked(flat).blocks} == {"one", "two"}
