"""What one question of a thread leaves for the next: choices, topics, options, a log."""

import json
import secrets
import stat

import pytest
from langchain_core.runnables import RunnableConfig

from graphs.checkpoints.factory import open_checkpoints
from graphs.core.state import QueryContext
from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration


THINGS = ("cats", "dogs", "elks", "foxes", "gnus", "hens", "bees", "mice", "owls", "pigs")


def thread() -> str:
    return secrets.token_hex(4)


async def test_a_choice_holds_for_questions_of_the_same_form(indexed: Indexed) -> None:
    talk = thread()
    async with indexed.open() as brain:
        asked = await brain.ask("Tell me about Zettelkasten", thread_id=talk)
        assert asked.clarification is not None
        wanted = asked.clarification.options[1]
        await brain.resume(talk, "2")
        same = await brain.ask("Tell me about PARA", thread_id=talk)
        elsewhere = await brain.ask("Tell me about PARA", thread_id=thread())
    assert same.status == "answered"
    assert same.plan is not None
    assert (same.plan.intent, same.plan.decided_by) == (wanted.intent, "user")
    assert f"Read as {wanted.intent}, as you chose before" in same.answer
    assert elsewhere.status == "needs_clarification"


async def test_a_question_back_offers_the_right_spelling_first(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        asked = await brain.ask("Tell me about Zettlekasten")
        meant = await brain.resume(asked.thread_id, "1")
        again = await brain.ask("Tell me about Zettlekasten")
        assert asked.clarification is not None
        options = asked.clarification.options
        as_written = await brain.resume(again.thread_id, str(len(options)))
    assert "Did you mean “Zettelkasten”?" in asked.clarification.question
    assert all("Zettelkasten" in option.label for option in options[:-1])
    assert "Zettlekasten" in options[-1].label
    assert meant.plan is not None
    assert meant.plan.concepts == ("Zettelkasten",)
    assert as_written.plan is not None
    assert as_written.plan.concepts == ("Zettlekasten",)


async def test_a_pronoun_takes_the_topic_of_the_question_before(indexed: Indexed) -> None:
    talk = thread()
    async with indexed.open() as brain:
        await brain.ask("What is a Zettelkasten?", thread_id=talk)
        answer = await brain.ask("and how has that changed over time?", thread_id=talk)
    assert answer.plan is not None
    assert "Zettelkasten" in answer.plan.concepts
    assert answer.query == "and how has that changed over time?"
    assert "Read with what was asked before: What is a Zettelkasten?" in answer.answer


async def test_another_thing_is_asked_as_the_one_before(indexed: Indexed) -> None:
    talk = thread()
    async with indexed.open() as brain:
        await brain.ask("Why was my bread dense?", thread_id=talk)
        answer = await brain.ask("what about the basil leaves?", thread_id=talk)
    assert answer.plan is not None
    assert answer.plan.intent == "causal"


async def test_a_choice_goes_on_with_what_the_question_was_asked_with(indexed: Indexed) -> None:
    asked_for = QueryContext(format="timeline")
    async with indexed.open() as brain:
        asked = await brain.ask("Tell me about Zettelkasten", context=asked_for)
    async with indexed.open() as brain:
        answer = await brain.resume(asked.thread_id, "1")
    assert answer.format == "timeline"


@pytest.mark.parametrize(
    ("question", "yolo", "status", "shown"),
    [
        ("Tell me about Zettelkasten", True, "answered", "[[Zettelkasten#Zettelkasten]]"),
        ("What is a Zettelkasten?", False, "no_results", "Not run"),
    ],
    ids=["a reading is chosen", "the plan is left"],
)
async def test_a_question_left_open_by_an_older_program_is_gone_on_with(
    indexed: Indexed, question: str, yolo: bool, status: str, shown: str
) -> None:
    async with indexed.open() as brain:
        asked = await brain.ask(question, context=QueryContext(yolo=yolo))
        path = brain.settings.checkpoint_path
    async with open_checkpoints(path) as saver:
        config: RunnableConfig = {
            "configurable": {"thread_id": asked.thread_id, "checkpoint_ns": ""}
        }
        kept = await saver.aget_tuple(config)
        assert kept is not None
        state = kept.checkpoint["channel_values"]
        for name in ("stale", "answerable", "confidence", "changes"):  # what its state did not have
            del state[name], kept.checkpoint["channel_versions"][name]
        await saver.aput(config, kept.checkpoint, kept.metadata, {})
    async with indexed.open() as brain:
        answer = await brain.resume(asked.thread_id, "2")
    assert (answer.status, answer.changes) == (status, ())
    assert (answer.answerable is not None) == (status == "answered")
    assert shown in answer.answer


async def test_a_reply_that_names_nothing_is_told_why_and_a_list_names_several(
    indexed: Indexed,
) -> None:
    async with indexed.open() as brain:
        asked = await brain.ask("Compare Zettelkasten")
        for reply, why in {"2": "A number", "zettelkasten": "the same as", "": "nothing"}.items():
            asked = await brain.resume(asked.thread_id, reply)
            assert asked.clarification is not None
            assert why in asked.clarification.question
        answer = await brain.resume(asked.thread_id, "PARA and Johnny Decimal")
    assert answer.plan is not None
    assert answer.plan.subjects == ("Zettelkasten", "PARA", "Johnny Decimal")


async def test_another_language_is_named_and_not_asked_back(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        answer = await brain.ask("Wo ist der Bahnhof?")
    assert answer.clarification is None
    assert "This looks like German." in answer.answer


async def test_what_was_commanded_stays_where_nobody_is_asked(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        answer = await brain.ask("*compare PARA", context=QueryContext(interactive=False))
        longer = await brain.ask(f"Compare {', '.join(THINGS)}")
    assert answer.plan is not None
    assert answer.plan.intent == "comparative"
    assert "Only one thing to compare" in answer.answer
    assert "left out: “owls”, “pigs”" in longer.answer


async def test_unclear_questions_stand_in_a_private_file(indexed: Indexed) -> None:
    file = indexed.data_dir / "unclear-questions.jsonl"
    file.unlink(missing_ok=True)
    async with indexed.open(log_text=True) as brain:
        await brain.ask("Tell me about PARA", context=QueryContext(interactive=False))
        asked = await brain.ask("Tell me about basil")
        assert asked.clarification is not None
        await brain.resume(asked.thread_id, "1")
        await brain.ask("What is a Zettelkasten?")
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["query"] for line in lines] == ["Tell me about PARA", "Tell me about basil"]
    assert "intent" not in lines[0]
    assert lines[1]["intent"] == asked.clarification.options[0].intent
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.unlink()
    async with indexed.open(log_text=True) as brain:
        await brain.ask("Tell me about PARA", context=QueryContext(interactive=False))
    assert len(file.read_text("utf-8").splitlines()) == 1


async def test_no_question_is_kept_where_texts_are_not(indexed: Indexed) -> None:
    file = indexed.data_dir / "unclear-questions.jsonl"
    file.unlink(missing_ok=True)
    async with indexed.open() as brain:
        await brain.ask("Tell me about PARA", context=QueryContext(interactive=False))
        asked = await brain.ask("Tell me about basil")
        await brain.resume(asked.thread_id, "1")
    assert asked.clarification is not None
    assert not file.exists()
