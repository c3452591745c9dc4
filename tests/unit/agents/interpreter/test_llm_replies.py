"""Replies of a language model: which are kept for the next time, and which are observed."""

import asyncio
import multiprocessing
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import prompts
from agents.interpreter.interpreter import QuestionContext, interpret_locally, make_interpreter
from agents.interpreter.llm import Observation
from evals.datasets.intents import Case
from evals.llm.observations import observed
from tests.support.questions.model_readings import NOW, OPEN, OVERVIEW, Scripted, ask, reply
from tests.support.questions.reading import question_vector, read_question, tag_question
from tools.base.domain import INTENTS, Intent
from tools.base.errors import ModelUnavailableError
from tools.runtime.llm_cache import ReplyCache

# --- what is kept --------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "readings.db"


@pytest.mark.parametrize(
    "same",
    [
        "tell me about zettelkasten",
        "Tell me  about\tZettelkasten ",
        "Tell me about Zettelkasten?!",
        "Tell me about Zettelkasten …",
        "*query Tell me about Zettelkasten",
    ],
)
async def test_case_space_and_closing_marks_make_no_new_question(file: Path, same: str) -> None:
    model = Scripted(OVERVIEW)
    await ask(model, OPEN, "llm", kept=ReplyCache(file))
    read = await ask(model, same, "llm", kept=ReplyCache(file))
    assert len(model.prompts) == 1
    assert read.query == same


@pytest.mark.parametrize(
    ("question", "name", "asked"),
    [
        (OPEN, "llama3.2:latest", 1),
        (OPEN, "llama3.2:1b", 2),
        (OPEN, "qwen3:8b", 2),
        ("Tell me about Zettelkästen", "llama3.2", 2),
        ("Tell me about C", "llama3.2", 2),
    ],
)
async def test_another_question_or_model_is_asked_anew(
    file: Path, question: str, name: str, asked: int
) -> None:
    model = Scripted(OVERVIEW)
    await ask(model, OPEN, "llm", kept=ReplyCache(file))
    await ask(model, question, "llm", name=name, kept=ReplyCache(file))
    assert len(model.prompts) == asked


async def test_another_prompt_is_asked_anew(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Scripted(OVERVIEW)
    await ask(model, OPEN, "llm", kept=ReplyCache(file))
    shipped = prompts.render

    def edited(name: str, **values: str) -> str:
        return f"{shipped(name, **values)}One more rule."

    monkeypatch.setattr(prompts, "render", edited)
    await ask(model, OPEN, "llm", kept=ReplyCache(file))
    assert len(model.prompts) == 2
    assert "One more rule." in model.prompts[1]


async def test_the_file_holds_no_question(file: Path) -> None:
    await ask(Scripted(OVERVIEW), OPEN, "llm", kept=ReplyCache(file))
    with closing(sqlite3.connect(file)) as db:
        assert "Zettelkasten" not in "\n".join(db.iterdump())


@pytest.mark.parametrize(
    "tampered", ['{"intent": "poetic"}', "", "{", '{"intent": "causal", "confidence": 2}']
)
async def test_a_kept_verdict_is_checked_like_a_new_one(file: Path, tampered: str) -> None:
    model = Scripted(OVERVIEW)
    await ask(model, OPEN, "llm", kept=ReplyCache(file))
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("UPDATE replies SET reply = ?", (tampered,))
    read = await ask(model, OPEN, "llm", kept=ReplyCache(file))
    assert len(model.prompts) == 2
    assert read.intent == "exploratory"
    await ask(model, OPEN, "llm", kept=ReplyCache(file))
    assert len(model.prompts) == 2


async def test_a_broken_file_costs_no_answer(file: Path) -> None:
    await asyncio.to_thread(file.write_bytes, b"broken" * 1000)
    read = await ask(Scripted(OVERVIEW), OPEN, "llm", kept=ReplyCache(file))
    assert read.decided_by == "llm"


def _ask_elsewhere(file: Path) -> None:
    nobody = Scripted(ModelUnavailableError("not asked"))
    read = asyncio.run(ask(nobody, OPEN, "llm", kept=ReplyCache(file)))
    raise SystemExit(0 if "earlier" in read.reason else 3)


async def test_another_process_finds_what_this_one_asked(file: Path) -> None:
    await ask(Scripted(OVERVIEW), OPEN, "llm", kept=ReplyCache(file))
    spawn = multiprocessing.get_context("spawn")
    others = [spawn.Process(target=_ask_elsewhere, args=(file,)) for _ in range(2)]
    for other in others:
        other.start()
    for other in others:
        await asyncio.to_thread(other.join, 100)
    assert [other.exitcode for other in others] == [0, 0]


# --- what is observed ----------------------------------------------------------------------


async def test_each_verdict_can_be_written_down_before_it_is_weighed() -> None:
    seen: list[Observation] = []
    read = make_interpreter(
        Scripted(reply("temporal", 1.0, second="factual")),
        read_question=read_question,
        tag_question=tag_question,
        name="m:latest",
        observe=seen.append,
    )
    context = QuestionContext(now=NOW, limit=10, mode="llm")
    for _ in range(2):  # the second time it is a kept one
        await read(OPEN, context)
    expected = Observation(
        query=OPEN,
        model="m",
        model_intent="temporal",
        model_confidence=1.0,
        model_second="factual",
        local_probabilities=interpret_locally(
            OPEN, now=NOW, vector=question_vector(OPEN)
        ).probabilities,
    )
    assert seen == [expected, expected]
    labelled = observed(Case(query=OPEN, intent="exploratory"), expected)
    assert (labelled.query, labelled.model_second) == (OPEN, "factual")


@pytest.mark.parametrize("intent", INTENTS)
async def test_a_failure_is_not_observed(intent: Intent) -> None:
    seen: list[Observation] = []
    failing = Scripted(ModelUnavailableError("gone"))
    read = make_interpreter(
        failing, read_question=read_question, tag_question=tag_question, observe=seen.append
    )
    plan = await read(OPEN, QuestionContext(now=NOW, limit=10, mode="llm"))
    forced = await read(OPEN, QuestionContext(now=NOW, limit=10, mode="llm", forced_intent=intent))
    assert (plan.decided_by, forced.decided_by, seen) == ("fallback", "command", [])
