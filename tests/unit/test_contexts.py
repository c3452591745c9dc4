"""Claims that leave open what they are about belong to what their note is called after."""

import pytest

from agents.contexts import one_thing
from tools.domain import Claim


def claim(title: str, text: str, folder: str = "") -> Claim:
    return Claim(note_path=f"{folder}{title}.md", note_title=title, text=text, line=1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Kettle", "The warranty is 5 years."), ("Hob", "The warranty is 2 years.")),
        (("Dad", "Should not eat grapefruit."), ("Mum", "Can eat grapefruit.")),
        (("Anna", "Her phone number is 900123."), ("Marco", "His phone number is 900456.")),
        (("Amoxicillin", "Take three times a day."), ("Metronidazole", "Take twice a day.")),
        (("Flat in Bath", "The flat has one bedroom."),
         ("Flat in Bristol", "The flat has two bedrooms.")),
        (("Trip Rome", "I would go back."), ("Trip Oslo", "I would not go back.")),
        (("Python 3.8", "Structural pattern matching is not supported."),
         ("Python 3.10", "Structural pattern matching is supported.")),
        (("2024-03-04 Meeting", "Nine members were present."),
         ("2024-04-08 Meeting", "Seven members were present.")),
        (("Fener oteli", "Oda 2.400 lira."), ("Liman oteli", "Oda 1.900 lira.")),
        (("Annem", "Greyfurt yiyebilir."), ("Babam", "Greyfurt yiyemez.")),
    ],
)  # fmt: skip
def test_what_each_note_says_of_its_own_thing_is_not_compared(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert not one_thing(claim(*one), claim(*other), lambda _: 1.0)
    assert not one_thing(claim(*other), claim(*one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Basil", "Basil needs full sun."), ("Garden", "Basil needs shade.")),
        (("House", "The boiler in Leeds is old."), ("Visit", "The boiler in Leeds is new.")),
        (("Health", "My blood type is A."), ("Visit", "My blood type is B.")),
        (("Boiler", "The boiler was installed in 2011."), ("Visit", "The boiler is from 2013.")),
        (("Kettle", "The warranty is 2 years."), ("Kettle receipt", "The warranty is 3 years.")),
        (("Onboarding", "Every pull request needs one approval."),
         ("Standards", "Every pull request needs two approvals.")),
        (("Coffee and sleep", "Late coffee harms sleep."),
         ("Coffee and work", "Late coffee does not harm sleep.")),
        (("Kahve", "Kahve uykuyu bozar."), ("Uyku", "Kahve uykuyu bozmaz.")),
    ],
)  # fmt: skip
def test_claims_that_name_their_thing_or_stand_in_its_notes_are(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert one_thing(claim(*one), claim(*other))
    assert one_thing(claim(*other), claim(*one))


def test_what_is_asked_by_all_its_words_is_one_thing_but_in_notes_of_a_kind() -> None:
    one, other = "The boiler was installed in 2011.", "The boiler was installed in 2013."
    assert one_thing(claim("House", one), claim("Visit", other), lambda _: 1.0)
    assert not one_thing(claim("House", one), claim("Visit", other), lambda _: 0.5)
    assert not one_thing(claim("Heron", one, "flats/"), claim("Kestrel", other, "flats/"),
                         lambda _: 1.0)  # fmt: skip
