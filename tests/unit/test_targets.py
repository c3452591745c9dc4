"""What each kind of question is searched for."""

import pytest

from agents.targets import targets
from tests.results import a_plan


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


def test_a_comparison_of_nothing_named_is_searched_for_as_a_whole() -> None:
    plan = a_plan(query="which of them is better?", intent="comparative", subjects=())
    assert targets(plan) == [(None, "which of them is better?")]


def test_one_name_within_another_is_left_alone() -> None:
    plan = a_plan(
        query="Is tea or green tea bitter?", intent="comparative", subjects=("tea", "green tea")
    )
    assert dict(targets(plan))["green tea"] == "green tea: Is or bitter?"


def test_an_overview_is_searched_for_by_what_it_is_about() -> None:
    plan = a_plan(query="Everything on basil", intent="exploratory", concepts=("basil",))
    assert targets(plan) == [(None, "basil")]
