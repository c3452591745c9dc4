"""Question → plan: intents, how sure, what the question is about, and who decides."""

import asyncio
import gc
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.interpreter.clarification import clarification
from agents.interpreter.classifiers.intents import SURE
from agents.interpreter.interpreter import QuestionContext, interpret_locally, make_interpreter
from agents.interpreter.plan import choose, left_out, with_subjects
from agents.interpreter.wording.concepts import Array
from tests.support.questions.reading import (
    interpreted,
    question_vector,
    read_question,
    tag_question,
)
from tools.base.domain import INTENTS, Intent, QueryPlan
from tools.base.errors import InputError, ServiceUnavailableError

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)


def plan(
    question: str,
    *,
    forced_intent: Intent | None = None,
    limit: int = 10,
    known_names: frozenset[str] = frozenset(),
) -> QueryPlan:
    return interpreted(
        question,
        now=NOW,
        vector=question_vector(question),
        forced_intent=forced_intent,
        limit=limit,
        known_names=known_names,
    )


# --- intents and confidence ----------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "Tell me about Zettelkasten",
        "Zettelkasten",
        "spaced repetition?",
        "machine learning and memory",
        "Show me sourdough",
        "What happened with the boat?",
        "sleep relationship to memory",
        "Zettelkasten'i anlat",
        "verimlilik",
        "kahve ve odak",
    ],
)
def test_a_question_of_several_readings_is_asked_back(question: str) -> None:
    read = plan(question)
    assert read.confidence < SURE
    asked = clarification(read)
    assert asked is not None
    assert 2 <= len(asked.options) <= 4


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("what is a timeline?", "factual"),
        ("Define comparative advantage", "factual"),
        ("What is the root cause of the outage on 12 May?", "causal"),
        ("Show me how Bear differs from Craft", "comparative"),
        ("when did we find out why the roof leaked", "temporal"),
        ("Do atomic notes improve long-term recall?", "causal"),
        ("Obsidian or Roam for a thesis", "comparative"),
        ("everything on sleep", "exploratory"),
        ("who was mayor before Lena", "temporal"),
        ("what does basil want", "factual"),
        ("kahve uykuyu nasıl etkiler", "causal"),
        ("Ayşe'nin telefonu kaç", "factual"),
        ("hangisi ucuz, tren mi otobüs mü", "comparative"),
        ("tezi ne zaman teslim ettim", "temporal"),
        ("arıcılıkla ilgili bütün notlarım", "exploratory"),
    ],
)
def test_a_clear_question_is_read_and_not_asked_back(question: str, intent: Intent) -> None:
    read = plan(question)
    assert read.intent == intent
    assert clarification(read) is None


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("What is Zettelkasten?", "factual"),
        ("How has my understanding of atomic notes evolved?", "temporal"),
        ("Why do atomic notes improve recall?", "causal"),
        ("Compare Zettelkasten and PARA methods", "comparative"),
        ("Show me everything about productivity", "exploratory"),
    ],
)
def test_plain_questions_are_above_085(question: str, intent: Intent) -> None:
    read = plan(question)
    assert read.intent == intent
    assert read.confidence > 0.85


@given(st.text(max_size=500))
def test_any_text_gets_a_sound_plan_or_a_refused_date(text: str) -> None:
    try:
        read = plan(text)
    except InputError:
        return
    assert set(read.probabilities) == set(INTENTS)
    assert sum(read.probabilities.values()) == pytest.approx(1.0)
    assert read.confidence == max(read.probabilities.values())
    assert all(0 < len(concept) <= 100 for concept in read.concepts)
    asked = clarification(read)
    open_reading = read.confidence < SURE and read.vault is None
    open_reading = open_reading and not read.reading.clashes
    assert (asked is not None and len(asked.options) > 0) == open_reading


@pytest.mark.parametrize(
    "question", ["What is Zettelkasten?", "Why was my bread dense?", "Compare tea and coffee"]
)
def test_case_and_space_do_not_change_the_verdict(question: str) -> None:
    assert plan(question.lower()).intent == plan(question).intent
    assert plan(f"{question} ").intent == plan(question).intent


def test_without_a_vector_the_wording_decides() -> None:
    read = interpret_locally("When did I start with Zettelkasten?", now=NOW)
    assert "Zettelkasten" in read.concepts
    assert read.intent == "temporal"
    assert sum(read.probabilities.values()) == pytest.approx(1.0)


async def test_where_one_of_both_networks_is_missing_the_other_is_used() -> None:
    question = "Compare matcha and sencha but not hojicha"
    context = QuestionContext(now=NOW, limit=10)

    async def gone(_: str) -> Array:
        raise ServiceUnavailableError("gone")

    whole = plan(question)
    untagged = await make_interpreter(None, read_question=read_question, tag_question=gone)(
        question, context
    )
    assert untagged.probabilities == whole.probabilities
    assert (untagged.excluded, untagged.reason[-4:]) == ((), "gone")
    unread = await make_interpreter(None, read_question=gone, tag_question=tag_question)(
        question, context
    )
    assert (unread.subjects, unread.excluded) == (whole.subjects, whole.excluded)
    assert unread.reason.endswith("gone")


async def test_whatever_is_commanded_the_kinds_of_answers_are_read_as_without_it() -> None:
    question, context = "When did Ada move to Leeds?", QuestionContext(now=NOW, limit=10)
    interpret = make_interpreter(None, read_question=read_question, tag_question=tag_question)
    asked = await interpret(question, context)
    commanded = await interpret(f"*compare {question}", context)
    assert (commanded.intent, commanded.decided_by) == ("comparative", "command")
    assert commanded.reading.kinds == asked.reading.kinds
    assert commanded.reading.asks("when")


# --- what it is about ----------------------------------------------------------------------


def test_a_known_note_name_stays_whole() -> None:
    question = "What is Thinking, Fast and Slow about?"
    names = frozenset({"thinking, fast and slow", "what"})
    assert plan(question, known_names=names).concepts == ("Thinking, Fast and Slow",)
    compared = plan("Compare Fire and Ice with Salt", known_names=frozenset({"fire and ice"}))
    assert compared.subjects == ("Fire and Ice", "Salt")


def test_only_a_comparison_has_subjects() -> None:
    assert plan("What is Zettelkasten?").subjects == ()


def test_the_period_goes_into_the_plan() -> None:
    read = plan("How has Zettelkasten changed between March and May 2024?")
    assert read.start_date == datetime(2024, 3, 1, tzinfo=UTC)
    assert read.end_date == datetime(2024, 6, 1, tzinfo=UTC)
    open_end = plan("How has Zettelkasten changed since 2024?")
    assert (open_end.start_date, open_end.end_date) == (datetime(2024, 1, 1, tzinfo=UTC), None)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What was the mooring fee last year?", "What was the mooring fee 2024?"),
        ("Bu yıl aidat ne kadar?", "2025 aidat ne kadar?"),
        ("What does the club cost this year, not counting the bar?", "2025"),
        ("What was the mooring fee in 2021?", "What was the mooring fee in 2021?"),
        ("What did I read last month?", "What did I read last month?"),
        ("What have we spent since last year?", "What have we spent since last year?"),
    ],
)
def test_evidence_is_looked_for_of_the_year_that_is_meant(question: str, wanted: str) -> None:
    read = plan(question)
    assert wanted in read.reading.wanted
    assert read.query == question


def test_an_impossible_date_is_refused() -> None:
    with pytest.raises(InputError, match="2024-13-45"):
        plan("What changed since 2024-13-45?")


@pytest.mark.parametrize(
    ("question", "threshold"),
    [
        ("What is Zettelkasten?", 0.7),
        ("Show me everything about sleep", 0.5),
        ("Why do habits fail?", 0.6),
        ("Find notes similar to Deep Work", 0.6),
        ("Find notes very similar to Deep Work", 0.8),
        ("notes related to Deep Work", 0.5),
        ("notes closely related to Deep Work", 0.7),
        ("Derin çalışmayla yakından ilgili notlar", 0.7),
    ],
)
def test_words_of_similarity_set_the_threshold(question: str, threshold: float) -> None:
    assert plan(question).similarity_threshold == threshold


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("What is Zettelkasten?", "list"),
        ("When did I learn about Zettelkasten?", "timeline"),
        ("How has my view of Zettelkasten changed over time?", "timeline"),
        ("Why do atomic notes improve recall?", "narrative"),
        ("Obsidian vs Roam", "table"),
        ("Explore note-taking methods", "list"),
    ],
)
def test_the_intent_sets_the_format(question: str, shape: str) -> None:
    assert plan(question).format == shape


@pytest.mark.parametrize("limit", [0, 101])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(InputError):
        plan("What is Zettelkasten?", limit=limit)


# --- commands, choices, asking back --------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "intent", "concepts"),
    [
        ("*temporal-query atomic notes since 2024-01", "temporal", ("atomic notes",)),
        ("*compare Zettelkasten vs PARA", "comparative", ("Zettelkasten", "PARA")),
        ("*surface-related productivity", "exploratory", ("productivity",)),
        ("*Surface-Related productivity", "exploratory", ("productivity",)),
    ],
)
def test_a_command_forces_the_intent(
    question: str, intent: Intent, concepts: tuple[str, ...]
) -> None:
    read = plan(question)
    assert (read.intent, read.confidence, read.decided_by) == (intent, 1.0, "command")
    assert read.concepts == concepts


def test_the_plain_query_command_forces_nothing() -> None:
    read = plan("*query What is Zettelkasten?")
    assert (read.intent, read.decided_by) == ("factual", "local")
    assert read.concepts == ("Zettelkasten",)


def test_a_forced_intent_wins_over_the_wording() -> None:
    read = plan("What is Zettelkasten?", forced_intent="exploratory")
    assert (read.intent, read.decided_by) == ("exploratory", "command")
    assert read.similarity_threshold == 0.5


def test_options_are_numbered_and_in_the_users_own_words() -> None:
    asked = clarification(plan("Tell me about Zettelkasten"))
    assert asked is not None
    assert [option.number for option in asked.options] == list(range(1, len(asked.options) + 1))
    assert all("Zettelkasten" in option.label for option in asked.options)
    assert {"factual", "exploratory"} <= {option.intent for option in asked.options}
    assert len({option.label for option in asked.options}) == len(asked.options)


def test_turkish_questions_are_asked_back_in_turkish() -> None:
    asked = clarification(plan("Zettelkasten'i anlat"))
    assert asked is not None
    assert "istiyorsunuz" in asked.question
    assert any("Zettelkasten nedir" in option.label for option in asked.options)


def test_a_comparison_of_one_thing_asks_for_the_second() -> None:
    read = plan("Compare atomic notes")
    asked = clarification(read)
    assert asked is not None
    assert asked.options == ()
    assert "atomic notes" in asked.question
    complete = with_subjects(read, ["evergreen notes"])
    assert complete.subjects == ("atomic notes", "evergreen notes")
    assert clarification(complete) is None


@pytest.mark.parametrize(
    "question", ["Compare zettelkasten and Zettelkasten", "zettelkasten vs the Zettelkasten"]
)
def test_a_thing_compared_with_itself_is_said_to_be_the_same(question: str) -> None:
    asked = clarification(plan(question))
    assert asked is not None
    assert asked.options == ()
    assert "zettelkasten" in asked.question
    alone = clarification(plan("Compare zettelkasten"))
    assert alone is not None
    assert asked.question != alone.question  # which asks for the second, too, and says no more


def test_a_thing_within_another_is_not_the_same() -> None:
    assert clarification(plan("Compare sleep with lack of sleep")) is None


def test_what_is_too_much_for_one_comparison_is_known() -> None:
    things = ["cats", "dogs", "elks", "foxes", "gnus", "hens", "bees", "mice", "owls", "pigs"]
    read = plan(f"Compare {', '.join(things)}")
    assert read.subjects == tuple(things[:8])
    assert left_out(read) == ("owls", "pigs")
    assert left_out(plan("Compare cats and dogs")) == ()


@pytest.mark.parametrize(
    ("question", "intent"),
    [("/compare sleep", "comparative"), ("*COMPARE: sleep", "comparative")],
)
def test_a_command_is_known_in_any_case_and_with_a_slash(question: str, intent: Intent) -> None:
    assert plan(question).intent == intent
    assert plan(question).decided_by == "command"
    assert plan("*compare* sleep").decided_by == "local"


def test_a_second_subject_is_cleaned() -> None:
    read = with_subjects(plan("Compare atomic notes"), [" <b>evergreen</b> "])
    assert read.subjects[1] == "b evergreen b"


@pytest.mark.parametrize("intent", INTENTS)
def test_a_choice_is_final(intent: Intent) -> None:
    chosen = choose(plan("coffee and focus in 2024"), intent)
    assert (chosen.intent, chosen.confidence, chosen.decided_by) == (intent, 1.0, "user")
    assert chosen.start_date == datetime(2024, 1, 1, tzinfo=UTC)
    assert clarification(chosen) is None
    expected = ("coffee", "focus") if intent == "comparative" else ()
    assert chosen.subjects == expected


def test_a_chosen_comparison_keeps_note_names_whole() -> None:
    names = frozenset({"fire and ice"})
    read = plan("Fire and Ice, Salt", known_names=names)
    assert choose(read, "comparative").subjects == ("Fire and Ice", "Salt")


async def test_a_question_that_is_stopped_at_once_leaves_nothing_unawaited() -> None:
    interpret = make_interpreter(None, read_question=read_question, tag_question=tag_question)
    asked = asyncio.create_task(interpret("When did we move?", QuestionContext(now=NOW, limit=10)))
    await asyncio.sleep(0)  # it begins; what it waits for does not
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    gc.collect()  # a warning of a coroutine that nobody awaited is an error here
