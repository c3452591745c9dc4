"""Whole questions with a language model that works: what it decides and when it is asked."""

import pytest
from langchain_ollama import ChatOllama

from graphs.query.progress import QueryProgress
from tests.fakes.ollama import FakeOllama, Reply
from tests.support.questions.model_answers import (
    CLEAR,
    DISPUTED,
    UNCLEAR,
    asked,
    by_role,
    evidence_of,
    ollama,
    role,
    roles_asked,
    verdict,
)
from tests.support.vaults.indexed import Indexed
from tools.base.domain import AnswerFormat, Intent

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("model_client_imported")]


async def test_in_llm_mode_the_model_reads_judges_and_writes(indexed: Indexed) -> None:
    with ollama({"interpreter": verdict("causal", 0.93)}) as (server, name):
        answer = await asked(indexed, DISPUTED, url=server.url, name=name, mode="llm")
    assert answer.status == "answered"
    assert answer.plan is not None
    assert (answer.plan.decided_by, answer.plan.intent) == ("llm", "causal")
    assert f"the model said so ({name}: causal 0.93; wording:" in answer.answer
    assert list(dict.fromkeys(roles_asked(server))) == ["interpreter", "judge", "answerer"]
    assert answer.contradictions == ()  # the words alone would have found one
    evidence = evidence_of(server.prompts[-1])
    first = answer.results[0]
    assert evidence[0]["text"] == first.excerpts[0].text
    assert f"line {first.excerpts[0].line_start}" in answer.answer.split("## ")[1]
    assert answer.warnings == ()


@pytest.mark.parametrize(
    ("intent", "shown"),
    [
        ("comparative", "table"),
        pytest.param("exploratory", "list", marks=pytest.mark.torture),
    ],
)
async def test_what_the_model_says_of_the_intent_changes_the_format(
    indexed: Indexed, intent: Intent, shown: AnswerFormat
) -> None:
    with ollama({"interpreter": verdict(intent, 0.95)}) as (server, name):
        answer = await asked(
            indexed, "Zettelkasten and PARA", url=server.url, name=name, mode="llm"
        )
    assert answer.plan is not None
    assert (answer.plan.intent, answer.format) == (intent, shown)


async def test_a_sure_model_against_a_sure_wording_leaves_the_question_to_the_person(
    indexed: Indexed,
) -> None:
    with ollama({"interpreter": verdict("temporal", 0.95)}) as (server, name):
        answer = await asked(indexed, CLEAR, url=server.url, name=name, mode="llm")
    assert answer.status == "needs_clarification"
    assert answer.clarification is not None
    assert {option.intent for option in answer.clarification.options} >= {"factual", "temporal"}


async def test_a_question_read_once_is_not_sent_again_until_the_file_is_deleted(
    indexed: Indexed,
) -> None:
    kept = indexed.data_dir / "readings.db"
    with ollama({"interpreter": verdict("exploratory", 0.9)}) as (server, name):
        for _ in range(2):
            await asked(indexed, UNCLEAR, url=server.url, name=name, mode="auto")
        assert roles_asked(server).count("interpreter") == 1
        assert kept.stat().st_mode & 0o077 == 0
        kept.unlink()
        await asked(indexed, UNCLEAR, url=server.url, name=name, mode="auto")
        assert roles_asked(server).count("interpreter") == 2


async def test_in_auto_mode_a_clear_question_is_read_without_the_model(indexed: Indexed) -> None:
    with ollama() as (server, name):
        answer = await asked(indexed, CLEAR, url=server.url, name=name, mode="auto")
    assert answer.plan is not None
    assert answer.plan.decided_by == "local"
    assert "interpreter" not in roles_asked(server)


async def test_in_auto_mode_the_model_reads_an_unclear_question(indexed: Indexed) -> None:
    with ollama({"interpreter": verdict("exploratory", 0.9)}) as (server, name):
        answer = await asked(indexed, UNCLEAR, url=server.url, name=name, mode="auto")
    assert answer.status == "answered"
    assert answer.plan is not None
    assert (answer.plan.intent, answer.plan.decided_by) == ("exploratory", "llm")
    assert "interpreter" in roles_asked(server)


async def test_a_model_that_is_unsure_too_leaves_the_question_to_the_person(
    indexed: Indexed,
) -> None:
    with ollama({"interpreter": verdict("exploratory", 0.5)}) as (server, name):
        answer = await asked(indexed, UNCLEAR, url=server.url, name=name, mode="auto")
    assert answer.status == "needs_clarification"


async def test_what_was_edited_while_a_model_judged_is_not_quoted(indexed: Indexed) -> None:
    notes = [indexed.vault / "inbox" / f"{title}.md" for title in ("Our hedges", "Hedgerow wine")]
    said = "The kestrelberry hedge improves the wine."

    def reply(prompt: str) -> Reply:
        if role(prompt) == "judge":
            notes[0].write_text("Nothing is said here any more.\n", "utf-8")
        return by_role({"interpreter": verdict("causal", 0.95)})(prompt)

    notes[0].write_text(f"{said}\n", "utf-8")
    notes[1].write_text("The kestrelberry hedge does not improve the wine.\n", "utf-8")
    try:
        with FakeOllama(replies=reply, models=("edits:latest",)) as server:
            answer = await asked(
                indexed,
                "What does the kestrelberry hedge improve?",
                url=server.url,
                name="edits",
                mode="llm",
            )
    finally:
        for note in notes:
            note.unlink()
    assert "judge" in roles_asked(server)
    assert said not in answer.answer
    assert {one.note_path for one in answer.results} >= {"inbox/Hedgerow wine.md"}


async def test_a_contradiction_the_model_sees_says_so_and_quotes_the_notes(
    indexed: Indexed,
) -> None:
    clash: Reply = {
        "verdicts": [
            {
                "pair": 1,
                "contradiction": True,
                "confidence": 0.95,
                "type": "negation",
                "explanation": "One denies the other.",
            }
        ]
    }
    with ollama({"judge": clash}) as (server, name):
        answer = await asked(indexed, DISPUTED, url=server.url, name=name, mode="llm")
    assert "llm" in {found.decided_by for found in answer.contradictions}
    assert "One denies the other." in answer.answer
    for found in answer.contradictions:
        for side in (found.note_a, found.note_b):
            line = (indexed.vault / side.path).read_text("utf-8").split("\n")[side.line - 1]
            assert side.claim.rstrip(".")[:20] in line


async def test_in_local_mode_nothing_is_asked(indexed: Indexed) -> None:
    with ollama() as (server, name):
        answer = await asked(indexed, CLEAR, url=server.url, name=name, mode="local")
    assert answer.status == "answered"
    assert server.requests == []


async def test_the_mode_of_the_settings_holds_where_a_question_names_none(
    indexed: Indexed,
) -> None:
    with ollama() as (server, name):
        async with indexed.open(mode="llm", ollama_url=server.url, chat_model=name) as brain:
            answer = await brain.ask(CLEAR)
    assert answer.plan is not None
    assert answer.plan.decided_by == "llm"


async def test_a_models_sentences_are_told_while_it_writes(indexed: Indexed) -> None:
    heard: list[QueryProgress] = []
    with ollama() as (server, name):
        async with indexed.open(ollama_url=server.url, chat_model=name, mode="llm") as brain:
            await brain.ask(CLEAR, intent="factual", on_progress=heard.append)
    written = [one.get("text", "") for one in heard if one["state"] == "writing"]
    assert len(written) > 1
    assert "".join(written) == evidence_of(server.prompts[-1])[0]["text"]


async def test_any_chat_model_of_langchain_may_be_given(indexed: Indexed) -> None:
    with ollama({"interpreter": verdict("causal", 0.93)}) as (server, name):
        chat = ChatOllama(model=name, base_url=server.url)
        async with indexed.open(
            ollama_url="http://127.0.0.1:1", chat_model="nobody", model=chat, mode="llm"
        ) as brain:
            answer = await brain.ask(DISPUTED)
    assert answer.plan is not None
    assert (answer.plan.decided_by, answer.plan.intent) == ("llm", "causal")
    assert list(dict.fromkeys(roles_asked(server))) == ["interpreter", "judge", "answerer"]
