"""A row with the asked column leads, where the line before it says something else."""

import pytest

from tests.results import a_result
from tools.asked_rows import asked_row_first
from tools.domain import Excerpt, Result

PUMPS = a_result(
    "Pumps.md",
    excerpts=(
        Excerpt(
            text="| north | 40 kW | Ines |",
            line_start=4,
            line_end=4,
            columns=("Pump", "Power", "Owner"),
        ),
    ),
)


def note(title: str, text: str) -> Result:
    return a_result(f"{title}.md", excerpts=(Excerpt(text=text, line_start=1, line_end=1),))


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("Who owns the north pump?", note("Teams", "Teams should own a pump.")),
        ("What is the power of north?", note("Site", "The pump north has three valves.")),
    ],
)
def test_the_row_with_the_asked_column_leads(question: str, other: Result) -> None:
    assert asked_row_first([other, PUMPS], question) == (PUMPS, other)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who owns the north pump?", note("North pump", "owner: Omar")),
        ("What is the power of the north pump?", note("Site", "The north pump's power is 40 kW.")),
        ("Who owns the south pump?", note("Site", "The pump south is leased.")),
        ("Who mended the north pump?", note("Log", "Omar mended it.")),
    ],
)
def test_the_order_stays(question: str, first: Result) -> None:
    assert asked_row_first([first, PUMPS], question) == (first, PUMPS)
    assert asked_row_first([], question) == ()
