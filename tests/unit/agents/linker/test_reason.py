"""A reason quotes both notes, in one sentence, as they stand there."""

import re

import pytest

from agents.linker.reason import LONGEST_QUOTE, reason
from agents.linker.relation import RELATIONS

PRINCIPLE = "It is often said.\nA pot that is watched seems to boil later.\n"
CASE = "Sunday was rainy. I watched the pot and it seemed to boil after an hour. We had soup."


def quotes(said: str) -> list[str]:
    return re.findall("“([^”]*)”", said)


@pytest.mark.parametrize("relation", RELATIONS)
def test_each_type_quotes_what_both_have_in_common(relation: str) -> None:
    said = reason(relation, PRINCIPLE, CASE)
    assert said is not None
    assert quotes(said) == [
        "A pot that is watched seems to boil later",
        "I watched the pot and it seemed to boil after an hour",
    ]
    assert said.count(".") == 1
    assert said.endswith(".")


def test_the_types_are_told_in_different_words() -> None:
    assert len({reason(relation, PRINCIPLE, CASE) for relation in RELATIONS}) == len(RELATIONS)


def test_of_a_long_sentence_the_clause_in_common_is_quoted() -> None:
    long = (
        "The weather had been bad since the beginning of the week in all of the northern valleys, "
        "a watched pot seems to boil later, and on the way home the old car broke down twice right "
        "beside the old bridge that everybody avoids in winter, as we should have done."
    )
    said = reason("supports", long, "A watched pot boils later.")
    assert said is not None
    quoted, _ = quotes(said)
    assert "watched pot" in quoted
    assert quoted.startswith("…")
    assert quoted.endswith("…")
    assert quoted.strip("…") in long
    assert len(quoted.split()) <= LONGEST_QUOTE


def test_a_clause_without_an_end_is_cut_between_words() -> None:
    long = "word " * 100
    said = reason("supports", f"{long}.", "A word.")
    assert said is not None
    quoted, _ = quotes(said)
    assert quoted.endswith("word…")
    assert len(quoted.split()) == LONGEST_QUOTE


def test_where_no_clause_is_short_the_words_that_both_share_are_quoted() -> None:
    long = (
        "all that was written on that day about the roads of the valley says again and again "
        "that a watched pot boils later than the others that nobody has an eye on"
    )
    said = reason("supports", long, "A watched pot boils later.")
    assert said is not None
    assert "a watched pot boils later" in quotes(said)[0]


def test_a_pointer_to_another_note_is_not_quoted_where_a_sentence_says_something() -> None:
    said = reason(
        "analogous_to",
        "See the watched pot. A kettle under a lid is slow to sing in the morning.",
        "Compare the watched pot. An oven with a glass door is slow to bake on a Sunday.",
    )
    assert said is not None
    assert "kettle" in said
    assert "oven" in said


def test_a_link_is_quoted_as_it_reads() -> None:
    said = reason("elaborates", "A watched [[Pot|pot]] **boils** later.", "A watched pot boils.")
    assert said is not None
    assert quotes(said)[0] == "A watched pot boils later"


def test_there_is_no_reason_without_a_sentence() -> None:
    assert reason("supports", "", CASE) is None
    assert reason("supports", CASE, "```\nprint(1)\n```") is None
