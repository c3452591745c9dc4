"""Questions to the example vault, through the Python way in, on the real stores."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from graphs.core.notes_read import Evidence
from graphs.core.state import QueryContext
from graphs.query import read
from graphs.query.evidence.evidence import find_evidence
from graphs.query.retrieval.retrievers import SOURCES
from tests.contract.answer_schema import as_json, schema_errors
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.base.domain import Answer
from tools.base.errors import InputError
from tools.vault.notes.notes import decode

pytestmark = pytest.mark.integration

QUESTIONS = {
    "What is a Zettelkasten?": {"notes/Zettelkasten.md"},
    "What is bi-temporal data?": {"notes/Bi-temporal data.md"},
    "How many checkouts failed in the May incident?": {"notes/Checkout timeouts on 12 May 2025.md"},
    "How has my thinking about atomic notes changed over time?": {
        "notes/Atomic note.md",
        "notes/How I write atomic notes now.md",
    },
    "When was the Ledger migration cutover?": {"projects/Ledger migration.md"},
    "Why did the basil leaves turn yellow?": {"notes/Yellow basil leaves.md", "notes/Low EC.md"},
    "Why was my bread dense?": {"notes/Dense loaf.md"},
    "Compare PARA and Johnny Decimal": {"notes/PARA method.md", "notes/Johnny Decimal.md"},
    "Give me an overview of everything about Greenhouse": {"projects/Greenhouse.md"},
}


async def answered(indexed: Indexed, question: str, **context: object) -> Answer:
    async with indexed.open() as brain:
        return await brain.ask(question, context=QueryContext(**context))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(("question", "wanted"), QUESTIONS.items())
async def test_the_right_notes_are_among_the_first_and_quoted_as_they_are(
    indexed: Indexed, question: str, wanted: set[str]
) -> None:
    answer = await answered(indexed, question)
    assert answer.status == "answered"
    first = 10 if answer.format in ("timeline", "table") else 5
    assert wanted <= {result.note_path for result in answer.results[:first]}
    for result in answer.results:
        lines = decode((indexed.vault / result.note_path).read_bytes())[0].split("\n")
        for excerpt in result.excerpts:
            there = " ".join(" ".join(lines[excerpt.line_start - 1 : excerpt.line_end]).split())
            assert " ".join(excerpt.text.split()) in there


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many checkouts failed in the May incident?", "1,312"),
        ("What is a Zettelkasten?", "A Zettelkasten is"),
        ("What EC does basil need?", "EC of"),
        ("Why did the basil turn yellow?", "because the plant runs short of nitrogen"),
    ],
)
async def test_the_line_quoted_first_answers(indexed: Indexed, question: str, said: str) -> None:
    answer = await answered(indexed, question)
    assert said in answer.results[0].excerpts[0].text


async def test_every_source_answers(indexed: Indexed) -> None:
    answer = await answered(indexed, "Give me an overview of everything about Greenhouse")
    assert answer.sources_available == SOURCES
    assert answer.sources_failed == ()
    assert {source for result in answer.results for source in result.sources} == set(SOURCES)


async def test_the_three_contradictions_are_found_with_both_dated_sides(indexed: Indexed) -> None:
    expected = {
        "Do atomic notes improve long-term recall?": {
            "notes/Atomic notes improve recall.md",
            "literature/Critique of atomic notes (Halloran).md",
        },
        "What EC should the nutrient solution for basil have?": {
            "notes/Basil nutrient solution.md",
            "notes/Greenhouse dosing plan.md",
        },
        "Does background music improve concentration during deep work?": {
            "notes/Background music for deep work.md",
            "notes/Deep work setup.md",
        },
    }
    for question, paths in expected.items():
        answer = await answered(indexed, question)
        found = [{c.note_a.path, c.note_b.path} for c in answer.contradictions]
        assert found == [paths]
        (contradiction,) = answer.contradictions
        assert contradiction.note_a.timestamp is not None
        assert contradiction.note_b.timestamp is not None
        assert contradiction.confidence > 0.7
        assert contradiction.similarity > 0.7


async def test_a_temporal_question_gives_a_timeline_in_order(indexed: Indexed) -> None:
    answer = await answered(
        indexed, "How has my thinking about atomic notes changed over time?", whole=True
    )
    assert answer.format == "timeline"
    assert "## Timeline" in answer.answer
    months = [line for line in answer.answer.splitlines() if line.startswith("- **20")]
    dates = [line[4:14] for line in months]
    assert len(dates) >= 6
    assert dates == sorted(dates)


async def test_a_reason_that_no_note_gives_is_not_made_of_other_chains(indexed: Indexed) -> None:
    answer = await answered(indexed, "Why did Tom move to Berlin?")
    assert "## Chains" not in answer.answer
    assert all(result.chain == () for result in answer.results)
    assert "No note states a cause" in answer.answer or "Not in your notes" in answer.answer


async def test_where_nothing_is_compared_a_table_is_a_list_and_says_so(indexed: Indexed) -> None:
    why = "There is no table, for the question names nothing to compare"
    question = "Why was my bread dense?"
    asked = await answered(indexed, question, format="table")
    assert asked.format == "list"
    assert asked.answer.count(why) == 1
    assert asked.checklist is not None
    assert "format" in asked.checklist.failed
    for shown in ("list", "narrative", "timeline"):
        other = await answered(indexed, question, format=shown)
        assert other.format == shown
        assert why not in other.answer


async def test_a_comparison_gives_a_table_with_a_source_in_every_cell(indexed: Indexed) -> None:
    answer = await answered(indexed, "Compare Zettelkasten and PARA")
    assert answer.answer.startswith("## Comparison")  # no line answers as the table does
    assert answer.confidence is None
    rows = [line for line in answer.answer.splitlines() if line.startswith("| **")]
    assert len(rows) >= 3
    for row in rows:
        cells = [cell for cell in row.strip("|").split(" | ")[1:] if cell.strip() != "—"]
        assert all("[[" in cell and " line " in cell for cell in cells)


async def test_a_causal_question_tells_the_chain_with_footnotes(indexed: Indexed) -> None:
    answer = await answered(indexed, "Why did the basil leaves turn yellow?", whole=True)
    assert answer.format == "narrative"
    assert "[^1]: [[" in answer.answer
    chained = [result for result in answer.results if result.chain]
    steps = {(step.source_title, step.target_title) for r in chained for step in r.chain}
    assert ("Low EC", "Yellow basil leaves") in steps


async def test_the_answer_matches_the_published_schema(indexed: Indexed) -> None:
    for question in ("What is a Zettelkasten?", "Tell me about sleep", "qwxyz vbnmk"):
        document = json.loads(as_json(await answered(indexed, question)))
        assert schema_errors(document) == []


async def test_an_unclear_question_asks_back_and_goes_on_elsewhere(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        asked = await brain.ask("Tell me about Zettelkasten")
    assert asked.status == "needs_clarification"
    assert asked.clarification is not None
    assert [option.number for option in asked.clarification.options] == list(
        range(1, len(asked.clarification.options) + 1)
    )
    wanted = asked.clarification.options[0]
    async with indexed.open() as brain:
        answer = await brain.resume(asked.thread_id, "1")
    assert answer.status == "answered"
    assert answer.plan is not None
    assert (answer.plan.intent, answer.plan.decided_by) == (wanted.intent, "user")


async def test_a_number_out_of_range_leaves_the_question_open(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        asked = await brain.ask("Tell me about Zettelkasten")
        with pytest.raises(InputError, match="from 1 to"):
            await brain.resume(asked.thread_id, "9")
        assert (await brain.resume(asked.thread_id, "1")).status == "answered"


async def test_a_thread_without_an_open_question_is_refused(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        with pytest.raises(InputError, match="No question is waiting"):
            await brain.resume("nosuchthread", "1")


async def test_nobody_to_ask_means_factual_and_says_so(indexed: Indexed) -> None:
    answer = await answered(indexed, "Tell me about Zettelkasten", interactive=False)
    assert answer.status == "answered"
    assert answer.plan is not None
    assert (answer.plan.intent, answer.plan.decided_by) == ("factual", "fallback")
    assert "several ways" in answer.answer


async def test_a_plan_is_shown_and_can_be_left(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        asked = await brain.ask("What is a Zettelkasten?", context=QueryContext(yolo=False))
        assert asked.status == "needs_confirmation"
        left = await brain.resume(asked.thread_id, "2", context=QueryContext(yolo=False))
        assert (left.status, left.results) == ("no_results", ())
        again = await brain.ask("What is a Zettelkasten?", context=QueryContext(yolo=False))
        run = await brain.resume(again.thread_id, "1", context=QueryContext(yolo=False))
        assert run.status == "answered"


async def test_a_second_question_in_a_thread_starts_afresh(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        await brain.ask("What is a Zettelkasten?", thread_id="talk")
        answer = await brain.ask("Why was my bread dense?", thread_id="talk")
    assert answer.results[0].note_path in ("notes/Slow fermentation.md", "notes/Dense loaf.md")
    assert "notes/Zettelkasten.md" not in {result.note_path for result in answer.results}


async def test_words_that_are_nowhere_give_no_results_with_suggestions(indexed: Indexed) -> None:
    answer = await answered(indexed, "What is qwxyzvbnmk?")
    assert answer.status == "no_results"
    assert "Nothing found" in answer.answer
    assert answer.sources_failed == ()


@pytest.fixture(scope="module")
def animals(request: pytest.FixtureRequest) -> Indexed:
    """Notes without text, one with some, and many that mean the same."""
    notes = {
        "Quokka feeding.md": "",
        "Axolotl.md": "---\ncreated: 2024-01-01\n---\n",
        "Stork.md": "A stork eats frogs.\n",
    }
    visits = {f"Visit {number}.md": f"Heron {number} eats fish.\n" for number in range(150)}
    return in_turn(request).of(notes | visits)


async def test_a_note_without_text_is_said_to_have_none(animals: Indexed) -> None:
    async with animals.open() as brain:
        answers = [
            (await brain.ask(f"What is the {name}?", intent="factual")).answer
            for name in ("quokka feeding", "Axolotl", "Stork")
        ]
    said = [re.findall(r"The note “(.+)” has no text", answer) for answer in answers]
    assert said == [["quokka feeding"], ["Axolotl"], []]


async def test_a_number_tells_apart_many_notes_that_mean_the_same(animals: Indexed) -> None:
    async with animals.open() as brain:
        for number in (7, 30, 99, 123, 149):
            answer = await brain.ask(f"What does heron {number} eat?")
            assert f"> Heron {number} eats fish." in answer.answer


@pytest.mark.parametrize(
    ("question", "time"),
    [("What happened in 2030?", "2030"), ("What happened in March 2019?", "March 2019")],
)
async def test_a_time_that_no_note_tells_of_is_said_to_have_none(
    indexed: Indexed, question: str, time: str
) -> None:
    answer = await answered(indexed, question)
    assert (answer.status, answer.results) == ("no_results", ())
    assert f"Nothing in your notes is dated {time}." in answer.answer


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Where is the lantern kept?", "lantern"),
    ],
)
async def test_weak_lines_on_something_else_are_no_answer(
    indexed: Indexed, question: str, missing: str
) -> None:
    answer = await answered(indexed, question)
    assert answer.answer.startswith("## Not in your notes")
    assert f"No line found has “{missing}”" in answer.answer


@pytest.mark.parametrize("question", ["", "   ", "x" * 2001, "a\x00b", "\ud800", "<script>x"])
async def test_bad_questions_are_refused_in_one_line(indexed: Indexed, question: str) -> None:
    with pytest.raises(InputError) as caught:
        await answered(indexed, question)
    assert "\n" not in str(caught.value)


async def test_search_lists_notes_with_their_best_line(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        results = await brain.search("late caffeine", limit=3)
    assert len(results) == 3
    assert results[0].note_path == "notes/Late caffeine.md"


async def test_the_vault_is_never_written(indexed: Indexed) -> None:
    def state() -> dict[Path, int]:
        return {p: p.stat().st_mtime_ns for p in indexed.vault.rglob("*")}

    before = state()
    await answered(indexed, "What is a Zettelkasten?")
    async with indexed.open() as brain:
        await brain.index()
    assert state() == before


async def test_a_refused_question_leaves_no_thread(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        with pytest.raises(InputError):
            await brain.ask("What happened on 2024-13-45?")
    with closing(sqlite3.connect(indexed.data_dir / "checkpoints.db")) as db:
        rows = db.execute("SELECT checkpoint FROM checkpoints").fetchall()
    assert not any(b"2024-13-45" in row for (row,) in rows)


async def test_what_the_notes_say_is_read_once(
    indexed: Indexed, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    async def counted(*given: Any) -> Evidence:
        asked.append(given)
        return await find_evidence(*given)

    monkeypatch.setattr(read, "find_evidence", counted)
    async with indexed.open() as brain:
        answer = await brain.ask("What is a Zettelkasten?")
    assert answer.results
    assert len(asked) == 1
