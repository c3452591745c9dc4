"""Whatever is asked and however it was meant: plans that can be carried out, and only these."""

from datetime import UTC, datetime, timedelta

from hypothesis import assume, given
from hypothesis import strategies as st

from agents.interpreter.plan import FORMATS, MAX_SUBJECTS, as_of, choose, moment, with_subjects
from agents.interpreter.search_targets import answer_format
from tests.support.questions.reading import interpreted
from tools.base.domain import INTENTS, AnswerFormat, Intent, Moment, QueryPlan
from tools.base.errors import InputError
from tools.text.normalize import fold_name

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)
PARTS = (
    *("compare", "tea", "coffee", "Zettelkasten", "with", "vs", "and", "except matcha", ",", "?"),
    *("what is", "why", "how did", "evolve", "what did I know", "as of", "everything about"),
    *("in 2024", "2023", "last week", "before May 2024", "since yesterday", "at least 0.8 similar"),
    *("*compare", "çay", "neden", "geçen yıl", "ile", "farkı"),
)
questions = st.lists(st.sampled_from(PARTS), min_size=1, max_size=12).map(" ".join)
intents = st.sampled_from(INTENTS)
days = st.integers(-10_000, 20_000).map(lambda days: NOW + timedelta(days=days))
names = st.lists(st.sampled_from(["tea", "Tea", "TEA ", "coffee", "maté", "water", "milk", "rum"]))


def planned(question: str) -> QueryPlan:
    try:
        return interpreted(question, now=NOW)
    except InputError:  # a date that is none
        assume(False)
        raise


@given(questions, intents)
def test_a_plan_of_any_intent_can_be_carried_out(question: str, intent: Intent) -> None:
    plan = choose(planned(question), intent)
    assert (plan.intent, plan.confidence, plan.decided_by) == (intent, 1.0, "user")
    assert plan.probabilities == {other: float(other == intent) for other in INTENTS}
    assert 0 <= plan.similarity_threshold <= 1
    assert len(plan.subjects) <= (MAX_SUBJECTS if intent == "comparative" else 0)
    assert plan.start_date is None or plan.end_date is None or plan.start_date < plan.end_date


@given(questions, intents, intents)
def test_what_was_chosen_before_leaves_no_trace(
    question: str, first: Intent, second: Intent
) -> None:
    plan = planned(question)
    assert choose(choose(plan, first), second) == choose(plan, second)


@given(questions, names)
def test_more_subjects_are_each_there_once_behind_those_asked(
    question: str, more: list[str]
) -> None:
    plan = choose(planned(question), "comparative")
    found = with_subjects(plan, more)
    folded = [fold_name(subject) for subject in found.subjects]
    assert len(set(folded)) == len(folded) <= MAX_SUBJECTS
    assert found.subjects[: len(plan.subjects)] == plan.subjects
    assert set(folded) <= {fold_name(concept) for concept in found.concepts} | {
        fold_name(subject) for subject in plan.subjects
    }
    assert with_subjects(found, more) == found


@given(questions, st.none() | days, st.none() | days)
def test_a_moment_is_kept(question: str, valid: datetime | None, known: datetime | None) -> None:
    at = Moment(as_of=valid, known_at=known)
    plan = as_of(choose(planned(question), "factual"), at)
    if at != Moment():
        assert moment(plan) == at


@given(questions, intents, st.none() | st.sampled_from([*FORMATS.values()]))
def test_a_table_is_shown_only_of_things_to_compare(
    question: str, intent: Intent, asked: AnswerFormat | None
) -> None:
    plan = choose(planned(question), intent)
    assert answer_format(plan, asked) != "table" or plan.subjects
