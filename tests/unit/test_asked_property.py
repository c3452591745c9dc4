"""A property that a question asks for is found, and none that it only speaks of."""

import time

import pytest

from tools.asked_property import property_question
from tools.properties import properties

BOOK = """---
author: James C. Scott
year: 2017
type: book
tags: [history, grain]
---
# Against the Grain

The author argues that grain made taxation possible.
We talked about the status of slaves in early states.
"""
PERSON = """---
aliases: [Anna Kowalska]
born: 1984-05-04
role: designer
phone_number: 555 0199
languages:
  - Polish
  - English
---
Anna is the head of the print shop.

- Weight: 84.2 kg
- **Allergies:** walnuts
Location:: Leeds
"""
PROJECT = """---
durum: beklemede
teslim tarihi: 2026-03-01
owner: "[[Elif]]"
bütçe: 40.000 TL
sorumlu:
---
# Deniz Projesi

Deniz Projesi kıyıdaki suyu ölçer. Projenin durumu hakkında çok konuştuk.
"""
NOTES = {"Against the Grain": BOOK, "Anna": PERSON, "Deniz Projesi": PROJECT}


def asked(question: str, name: str, text: str | None = None, *, others: bool = False) -> list[str]:
    """The properties of a note that a question asks for, as they are quoted, with their lines."""
    lines = (text or NOTES[name]).split("\n")
    found = property_question(question).answers(lines, (name.lower(),), others=others)
    for one in found:
        assert one.text.split("\n")[0] in lines[one.line - 1]
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("question", "name", "said"),
    [
        ("Who is the author of Against the Grain?", "Against the Grain", "author: James C. Scott"),
        ("Who wrote Against the Grain?", "Against the Grain", "author: James C. Scott"),
        ("When was Against the Grain published?", "Against the Grain", "year: 2017"),
        ("What are the tags of Against the Grain?", "Against the Grain", "tags: [history, grain]"),
        ("When was Anna born?", "Anna", "born: 1984-05-04"),
        ("What is Anna's date of birth?", "Anna", "born: 1984-05-04"),
        ("Do you know Anna's role?", "Anna", "role: designer"),
        ("What is the head of the print shop's phone number?", "Anna", "phone_number: 555 0199"),
        ("How much does Anna weigh?", "Anna", "Weight: 84.2 kg"),
        ("What are Anna's allergies?", "Anna", "**Allergies:** walnuts"),
        ("Where does Anna live?", "Anna", "Location:: Leeds"),
        ("Anna'nın mesleği ne?", "Anna", "role: designer"),
        ("Anna ne zaman doğdu?", "Anna", "born: 1984-05-04"),
        ("Which languages does Anna know?", "Anna", "languages:\n  - Polish\n  - English"),
        ("Deniz Projesi'nin durumu ne?", "Deniz Projesi", "durum: beklemede"),
        ("Deniz Projesinin bütçesi ne kadar?", "Deniz Projesi", "bütçe: 40.000 TL"),
        ("Deniz Projesi'nin teslimi ne zaman?", "Deniz Projesi", "teslim tarihi: 2026-03-01"),
        ("What is the current status of Deniz Projesi?", "Deniz Projesi", "durum: beklemede"),
    ],
)
def test_the_property_that_is_asked_for_is_quoted_as_it_stands(
    question: str, name: str, said: str
) -> None:
    assert asked(question, name) == [said]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What does the author of Against the Grain argue?", "Against the Grain"),
        ("What was the status of slaves in Against the Grain?", "Against the Grain"),
        ("How does Anna describe her role?", "Anna"),
        ("Why is the budget of Deniz Projesi small?", "Deniz Projesi"),
        ("Where was Anna born?", "Anna"),
        ("What is Tom's role?", "Anna"),
        ("What type is Anna?", "Anna"),
        ("How many kinds of grain does the book have?", "Against the Grain"),
        ("Deniz Projesi'nden kim sorumlu?", "Against the Grain"),
        ("Deniz Projesi neden beklemede?", "Deniz Projesi"),
    ],
)
def test_what_is_not_asked_for_is_not_quoted(question: str, name: str) -> None:
    assert asked(question, name) == []


def test_of_another_note_that_is_named_no_property_of_this_one_is_told() -> None:
    text = "---\nrole: printer\n---\nTom is the brother of Anna.\n"
    assert asked("What is the role of the brother of Anna?", "Tom", text) == ["role: printer"]
    assert asked("What is Anna's role?", "Tom", text, others=True) == []


def test_a_label_that_comes_again_is_a_speaker_and_code_is_no_property() -> None:
    talk = "Status: hello\nTom: hi\nStatus: bye\n"
    assert asked("What is the status of Standup?", "Standup", talk) == []
    code = "# Server\n\n```\nstatus: up\n```\n"
    assert asked("What is the status of the Server?", "Server", code) == []


def test_a_technical_property_is_quoted_only_under_its_own_name() -> None:
    text = "---\nkind: note\nid: 7\ntype: person\n---\nAnna likes blood oranges.\n"
    assert asked("What is the id of Anna?", "Anna", text) == ["id: 7"]
    assert asked("What is my blood type?", "Anna", text) == []


@pytest.mark.parametrize(
    "question", ["body", "What is the status of body?", "Gövdenin durumu nedir?"]
)
def test_a_note_of_very_many_keys_takes_no_longer_than_it_is_read(question: str) -> None:
    lines = ["---", *(f"key {number}: value {number}" for number in range(60_000)), "---", "body"]
    started = time.process_time()
    assert list(properties(lines))
    reading = time.process_time() - started
    started = time.process_time()
    assert property_question(question).answers(lines, ["note"]) == ()
    assert time.process_time() - started < 8 * reading


def test_an_irregular_form_asks_for_a_key_of_another_first_letter() -> None:
    (found,) = property_question("What did Anna eat?").answers(["Ate: two plums"], ["Anna"])
    assert found.value == "two plums"
