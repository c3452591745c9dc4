"""A name with several senses: asked back once a thread, and answered from the notes of one."""

import asyncio
import secrets

import pytest

from graphs.brain import Brain
from graphs.core.state import QueryContext
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.base.domain import Answer

pytestmark = pytest.mark.integration

NOTES = {
    "work/Kafka.md": (
        "Our event backbone since 2021, three brokers. Retention is 7 days on container-events "
        "and 30 days on billing-events. Consumer lag alert goes off at 50k messages."
    ),
    "books/Franz Kafka.md": (
        "Born in Prague in 1883, wrote in German. He asked Max Brod to burn the manuscripts. "
        "The Castle stops in the middle of a sentence. See also [[Novels in German]]."
    ),
    "books/Novels in German.md": "The Trial first, then Kafka's diaries, then Buddenbrooks.",
    "work/Fourth broker.md": "Budget for a fourth broker of [[Kafka]] was asked for in May.",
    "work/Streaming talk.md": "A talk on Kafka and other queues, at the meetup in June.",
    "home/Boiler.md": "Worcester combi from 2015, in the airing cupboard. Pressure 1.2 bar.",
    "home/Boiler service 2023.md": "The boiler was serviced, new seal, burner cleaned, 96 pounds.",
    "home/Garden.md": "Beans and peas in April.",
    "kişiler/Deniz Aksoy.md": "Üniversiteden arkadaşım, İzmir'de mimar. Kedisinin adı Boncuk.",
    "kişiler/Deniz Karaca.md": "Eskişehir'de öğretmen, halamın kızı. Oğlu satranç oynuyor.",
}


@pytest.fixture(scope="module")
def named(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request, languages="English and Turkish").of(NOTES)


async def choose(brain: Brain, asked: Answer, title: str) -> Answer:
    """Reply with the option whose label begins so."""
    assert asked.clarification is not None
    options = asked.clarification.options
    number = next(option.number for option in options if option.label.startswith(title))
    return await brain.resume(asked.thread_id, str(number))


def paths(answer: Answer) -> list[str]:
    return [result.note_path for result in answer.results]


async def test_a_name_is_asked_back_with_its_notes(named: Indexed) -> None:
    async with named.open() as brain:
        asked = await brain.ask("What is Kafka?")
    assert asked.status == "needs_clarification"
    assert asked.clarification is not None
    assert asked.clarification.question == "Which Kafka do you mean?"
    *senses, every = asked.clarification.options
    assert {option.label: option.notes for option in senses} == {
        "Kafka – work": ("work/Kafka.md",),
        "Franz Kafka – books": ("books/Franz Kafka.md",),
    }
    assert [option.number for option in (*senses, every)] == [1, 2, 3]
    assert (every.label, every.notes, every.intent) == ("All of them", (), None)


async def test_an_answer_comes_from_the_sense_and_what_links_with_it(named: Indexed) -> None:
    async with named.open() as brain:
        author = await choose(brain, await brain.ask("tell me about Kafka"), "Franz")
        queue = await choose(brain, await brain.ask("tell me about Kafka"), "Kafka")
    assert (author.status, queue.status) == ("answered", "answered")
    assert paths(author)[0] == "books/Franz Kafka.md"
    assert set(paths(author)) <= {"books/Franz Kafka.md", "books/Novels in German.md"}
    assert paths(queue)[0] == "work/Kafka.md"
    assert set(paths(queue)) <= {"work/Kafka.md", "work/Fourth broker.md"}


async def test_all_of_them_may_be_meant(named: Indexed) -> None:
    talk = secrets.token_hex(4)
    async with named.open() as brain:
        every = await choose(brain, await brain.ask("kafka", thread_id=talk), "All")
        again = await brain.ask("notes on Kafka", thread_id=talk)
    assert {"work/Kafka.md", "books/Franz Kafka.md"} <= set(paths(every))
    assert again.status == "answered"


async def test_the_choice_holds_for_the_thread(named: Indexed) -> None:
    talk = secrets.token_hex(4)
    async with named.open() as brain:
        await choose(brain, await brain.ask("What is Kafka?", thread_id=talk), "Franz")
        again = await brain.ask("what do I know about kafka?", thread_id=talk)
        decided = await brain.ask("What retention do the Kafka events have?", thread_id=talk)
        elsewhere = await brain.ask("what do I know about kafka?")
    assert again.status == "answered"
    assert paths(again)[0] == "books/Franz Kafka.md"
    assert "“Kafka” is Franz Kafka – books, as you chose before." in again.answer
    assert paths(decided)[0] == "work/Kafka.md"
    assert elsewhere.status == "needs_clarification"


async def test_nobody_is_asked_twice(named: Indexed) -> None:
    async with named.open() as brain:
        unclear = await brain.ask("Tell me about the boiler")
        asked = await brain.ask("Tell me about Kafka")
        answer = await choose(brain, asked, "Kafka")
    assert unclear.clarification is not None
    assert all(option.intent for option in unclear.clarification.options)
    assert asked.clarification is not None
    assert not any(option.intent for option in asked.clarification.options)
    assert answer.status == "answered"


@pytest.mark.parametrize(
    "question",
    [
        "Who is Franz Kafka?",
        "Which retention do we have on the Kafka container events?",
        "When was the boiler serviced?",
        "What is the boiler?",
    ],
)
async def test_what_has_one_sense_is_not_asked_back_for_it(named: Indexed, question: str) -> None:
    async with named.open() as brain:
        answer = await brain.ask(question)
    assert answer.plan is not None
    assert answer.plan.ambiguous is None


async def test_where_nobody_is_asked_all_are_searched_and_named(named: Indexed) -> None:
    async with named.open() as brain:
        answer = await brain.ask("What is Kafka?", context=QueryContext(interactive=False))
    assert answer.status == "answered"
    assert "“Kafka” stands for several things in your notes" in answer.answer
    assert "Franz Kafka – books" in answer.answer
    assert {"work/Kafka.md", "books/Franz Kafka.md"} <= set(paths(answer))


async def test_in_turkish_the_first_words_tell_notes_of_one_folder_apart(named: Indexed) -> None:
    async with named.open() as brain:
        asked = await brain.ask("Deniz hakkında ne biliyorum?")
        answer = await choose(brain, asked, "Deniz Karaca")
    assert asked.clarification is not None
    assert asked.clarification.question == "Hangi Deniz?"
    assert asked.clarification.options[-1].label == "Hepsi"
    assert any("mimar" in option.label for option in asked.clarification.options)
    assert paths(answer) == ["kişiler/Deniz Karaca.md"]


async def test_a_note_that_goes_is_asked_for_no_more(named: Indexed) -> None:
    talk, path = secrets.token_hex(4), "work/Kafka.md"
    note = named.vault / path
    async with named.open() as brain:
        await choose(brain, await brain.ask("What is Kafka?", thread_id=talk), "Kafka")
        await asyncio.to_thread(note.unlink)
        answer = await brain.ask("What is Kafka?", thread_id=talk)
        await asyncio.to_thread(note.write_text, NOTES[path], "utf-8")
    assert answer.plan is not None
    assert answer.plan.ambiguous is None
    assert answer.plan.sense is None
