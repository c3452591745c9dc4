"""A line on what the question names comes before the same words of something else."""

import pytest

from tests.results import a_result
from tools.called import as_called_first
from tools.domain import Excerpt, Result


def note(name: str, text: str) -> Result:
    return a_result(f"{name}.md", excerpts=(Excerpt(text=text, line_start=1, line_end=1),))


def first(question: str, *notes: tuple[str, str], beside: str = "") -> str:
    """The note that leads; ``beside`` is what else was found of the last one."""
    quoted = [note(*one) for one in notes]
    found = [*quoted[:-1], note(notes[-1][0], f"{beside} {notes[-1][1]}")]
    return as_called_first(quoted, question, passages=found)[0].note_title


@pytest.mark.parametrize(
    ("question", "other", "own"),
    [
        (
            "Does Ruby 3.1 support data classes?",
            ("Ruby 3.2", "Data classes are supported."),
            ("Ruby 3.1", "Data classes are not supported."),
        ),
        (
            "Teyzem fıstık yiyebilir mi?",
            ("Dayım", "Fıstık yiyebilir."),
            ("Teyzem", "Fıstık yemesin."),
        ),
    ],
)
def test_the_note_that_is_named_leads(
    question: str, other: tuple[str, str], own: tuple[str, str]
) -> None:
    assert first(question, other, own) == own[0]


def test_a_note_that_speaks_of_the_named_leads() -> None:
    notes = (
        ("Dayım", "Fıstık yiyebilir."),
        ("Teyzem", "1950 doğumlu."),
        ("2024-09-11 Doktor", "Fıstık yemesin dedi."),
    )
    question = "Teyzem fıstık yiyebilir mi?"
    assert first(question, *notes, beside="Teyzemi götürdük.") == "2024-09-11 Doktor"
    assert first(question, *notes) == "Dayım"


@pytest.mark.parametrize(
    ("question", "leads", "other"),
    [
        # The line itself speaks of what is named.
        (
            "Does Ines like olives?",
            ("Party", "Ines does not like olives."),
            ("Ines", "She likes olives best in summer."),
        ),
        # The named note says nothing of the rest.
        ("Does Ines like olives?", ("Party", "All like olives."), ("Ines", "She is a painter.")),
        # Both are called after something asked.
        ("Can Ines eat walnuts?", ("Walnuts", "Best in autumn."), ("Ines", "She can eat plums.")),
        # Nothing is named.
        ("Do we eat olives?", ("Party", "All eat olives."), ("Food", "Olives are eaten.")),
    ],
)
def test_the_order_stays(question: str, leads: tuple[str, str], other: tuple[str, str]) -> None:
    assert first(question, leads, other) == leads[0]
