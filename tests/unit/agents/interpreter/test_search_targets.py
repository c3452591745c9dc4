"""What each kind of question is searched for."""

from datetime import UTC, datetime

import pytest

from agents.interpreter.search_targets import (
    answer_format,
    asks_for_period,
    browses_days,
    searches,
    targets,
    time_alone,
    years_alone,
)
from tests.support.questions.reading import interpreted
from tests.support.values.results import a_plan


@pytest.mark.parametrize(
    ("question", "subjects", "expected"),
    [
        ("Compare PARA and Zettelkasten", ("PARA", "Zettelkasten"), ["PARA", "Zettelkasten"]),
        (
            "Which city have both Ada and Ben visited?",
            ("Ada", "Ben"),
            [f"{name}: Which city have both and visited?" for name in ("Ada", "Ben")],
        ),
        ("Who supports Ada when she is ill?", ("Ada",), ["Who supports Ada when she is ill?"]),
    ],
)
def test_a_subject_is_searched_for_with_what_is_asked_of_it(
    question: str, subjects: tuple[str, ...], expected: list[str]
) -> None:
    plan = a_plan(query=question, intent="comparative", subjects=subjects)
    assert targets(plan) == list(zip(subjects, expected, strict=True))


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("What ruins my sleep except caffeine?", "What ruins my sleep ?"),
        ("Kafein hariç uykumu ne bozar?", "uykumu ne bozar?"),
    ],
)
def test_what_is_excluded_is_not_searched_for(question: str, searched: str) -> None:
    plan = interpreted(question, now=datetime(2025, 6, 18, tzinfo=UTC), forced_intent="causal")
    assert [(None, text.strip()) for _, text in targets(plan)] == [(None, searched)]


def test_a_comparison_of_nothing_named_is_searched_for_as_a_whole() -> None:
    plan = a_plan(query="which of them is better?", intent="comparative", subjects=())
    assert targets(plan) == [(None, "which of them is better?")]


def test_one_name_within_another_is_left_alone() -> None:
    plan = a_plan(
        query="Is tea or green tea bitter?", intent="comparative", subjects=("tea", "green tea")
    )
    assert dict(targets(plan))["green tea"] == "green tea: Is or bitter?"


@pytest.mark.parametrize(
    ("question", "browses"),
    [
        ("What happened in March 2024?", True),
        ("What was I busy with in March 2024?", True),
        ("What did I write in March 2024?", True),
        ("Mart 2024'te ne yaptım?", True),
        ("How much did I weigh in March 2024?", False),
        ("Who visited me in March 2024?", False),
    ],
)
def test_only_a_question_of_nothing_else_asks_for_all_of_its_days(
    question: str, browses: bool
) -> None:
    march = datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 4, 1, tzinfo=UTC)
    plan = a_plan(query=question, intent="temporal", concepts=())
    dated = a_plan(
        query=question, intent="temporal", concepts=(), start_date=march[0], end_date=march[1]
    )
    assert browses_days(dated) is browses
    assert not browses_days(plan)
    assert time_alone(dated) == ("March 2024" if browses else "")
    assert not time_alone(plan)


@pytest.mark.parametrize(
    ("question", "concept", "alone"),
    [
        ("What happened in 2030?", "2030", True),
        ("2030'da ne oldu?", "2030", True),
        ("What broke in 2030?", "2030", False),
        ("What happened to 2030 Vision?", "2030 Vision", False),
    ],
)
def test_a_year_ahead_with_nothing_beside_it_is_a_time_alone(
    question: str, concept: str, alone: bool
) -> None:
    plan = a_plan(query=question, intent="temporal", concepts=(concept,))
    assert years_alone(plan) == (("2030",) if alone else ())
    assert time_alone(plan) == ("2030" if alone else "")


def test_a_comparison_is_searched_for_as_a_whole_too() -> None:
    plan = a_plan(query="Compare tea and coffee", intent="comparative", subjects=("tea", "coffee"))
    assert [subject for subject, _ in targets(plan)] == ["tea", "coffee"]
    asked = [(one.subject, one.text) for one in searches(plan)]
    assert asked == [*targets(plan), (None, "Compare tea and coffee")]
    alone = a_plan(query="Everything on basil", intent="exploratory", concepts=("basil",))
    assert searches(alone) == [(None, "Everything on basil", ("basil",), False)]


def test_a_turkish_question_is_searched_for_in_english_too() -> None:
    question = "Mutfak lambasını kim tamir etti?"
    own, english = searches(a_plan(query=question, concepts=("mutfak lambası",)))
    assert own == (None, question, ("mutfak lambası",), True)
    assert english == (None, "who kitchen lamp repaired?", (), False)
    one = a_plan(query=question, intent="comparative", subjects=("mutfak lambası",))
    assert [search.subject for search in searches(one)] == ["mutfak lambası"] * 2


@pytest.mark.parametrize(
    ("question", "timeline"),
    [
        ("How much did I weigh in March 2024?", False),
        ("How many people came to the workshop in March 2024?", False),
        ("Where did we meet on 3 March 2024?", False),
        ("What happened in March 2024?", True),
        ("How did my weight change in March 2024?", True),
        ("Tell me everything about the garden in March 2024", True),
    ],
)
def test_one_thing_of_a_time_is_no_timeline(question: str, *, timeline: bool) -> None:
    march, april = datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 4, 1, tzinfo=UTC)
    plan = a_plan(
        query=question,
        intent="temporal",
        format="timeline",
        start_date=march,
        end_date=april,
        concepts=() if "happened" in question else ("weight",),
    )
    assert asks_for_period(plan) is timeline
    assert answer_format(plan, None) == ("timeline" if timeline else "list")
    assert answer_format(plan, "timeline") == "timeline"
