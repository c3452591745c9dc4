"""What is told without a model: chains from cause to effect and the notes' own sentences."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.answerer.answerer import write_locally
from tests.support.questions.answering import CAFFEINE, material, result
from tests.support.values.results import a_relation
from tools.base.domain import AnswerFormat
from tools.evidence.citations import CitedSentence

FIRST = a_relation("Underdosing", "LEADS_TO", "Low EC")
SECOND = a_relation("Low EC", "CAUSES", "Yellow leaves")
NAMES = re.compile(r"Underdosing|Low EC|Yellow leaves|Cheap dosing pump")


def links(told: Sequence[CitedSentence]) -> list[list[str]]:
    """What each sentence names, in its order."""
    return [NAMES.findall(statement.text) for statement in told]


def test_a_chain_is_told_from_cause_to_effect_with_its_lines() -> None:
    chained = result("Low EC.md", "Coffee made the value far too low.", chain=(FIRST, SECOND))
    coffee, *chain = write_locally(material(chained, shown="narrative"))
    assert coffee.text == "Coffee made the value far too low."  # the chain has nothing of it
    assert links(chain) == [["Underdosing", "Low EC"], ["Low EC", "Yellow leaves"]]
    assert [c.note_path for statement in chain for c in statement.citations] == [
        *("Underdosing.md", "Low EC.md"),
    ]


def test_a_chain_within_a_longer_one_is_told_once() -> None:
    results = (
        result("a.md", chain=(SECOND,)),
        result("b.md", chain=(FIRST, SECOND)),
        result("c.md", chain=(FIRST, SECOND)),
    )
    assert len(write_locally(material(*results, shown="narrative"))) == 2


READ = replace(SECOND, origin="inferred", valid_at=datetime(2024, 1, 28, tzinfo=UTC))


def test_what_a_model_inferred_is_told_as_inferred() -> None:
    told = write_locally(material(result("Low EC.md", chain=(FIRST, READ)), shown="narrative"))
    assert [statement.text for statement in told] == [
        *("Underdosing leads to Low EC.", "Low EC, in turn, causes Yellow leaves (inferred)."),
    ]


def test_what_held_at_a_moment_is_told_as_inferred_where_it_was() -> None:
    given = material(result("Low EC.md", chain=(FIRST, READ)))
    then = replace(given, plan=replace(given.plan, as_of=datetime(2024, 5, 1, tzinfo=UTC)))
    assert [statement.text for statement in write_locally(then)] == [
        "Underdosing leads to Low EC (undated).",
        "Low EC causes Yellow leaves (inferred, since 2024-01-28).",
    ]


@pytest.mark.parametrize("shown", ["list", "table", "timeline"])
def test_other_formats_show_the_quotations_themselves(shown: AnswerFormat) -> None:
    assert write_locally(material(CAFFEINE, shown=shown)) == ()


@given(st.lists(st.lists(st.text(max_size=30), max_size=3), max_size=6))
def test_every_sentence_is_cited_on_one_line_and_ended(texts: list[list[str]]) -> None:
    results = [result(f"{number}.md", *own) for number, own in enumerate(texts)]
    for statement in write_locally(material(*results, shown="narrative")):
        assert statement.citations
        assert "\n" not in statement.text
        assert re.search(r"[.!?…:][”\"]?$", statement.text)


# --- the narrative -------------------------------------------------------------------------


def test_a_link_is_told_in_the_words_of_the_note_that_states_it() -> None:
    said = "Low EC causes yellow leaves because nitrogen runs short."
    chained = result("Low EC.md", said, chain=(FIRST, SECOND))
    told = write_locally(material(chained, shown="narrative", query="Why yellow leaves?"))
    first, second = told
    assert links([first]) == [["Underdosing", "Low EC"]]
    assert (second.text, [c.line for c in second.citations]) == (said, [3, 5])


@pytest.mark.parametrize(
    "other",
    [
        "Yellow leaves cause low EC.",
        "Low EC does not cause yellow leaves.",
        "Low EC and yellow leaves are both a nuisance to me.",
        "Does low EC cause yellow leaves?",
    ],
)
def test_a_sentence_that_says_something_else_tells_no_link(other: str) -> None:
    told = write_locally(material(result("a.md", other, chain=(SECOND,)), shown="narrative"))
    assert told[0].text != other
    assert links(told[:1]) == [["Low EC", "Yellow leaves"]]
    assert [c.line for c in told[0].citations] == [5]


def test_what_names_its_cause_last_is_told_from_the_cause() -> None:
    step = a_relation("Yellow leaves", "CAUSED_BY", "Low EC")
    told = write_locally(material(result("a.md", chain=(step,)), shown="narrative"))
    assert links(told) == [["Low EC", "Yellow leaves"]]


def test_a_link_that_two_notes_state_or_two_chains_share_is_told_once() -> None:
    again = replace(SECOND, note_path="Other.md", line=9)
    root = a_relation("Cheap dosing pump", "CAUSES", "Low EC")
    results = (
        result("a.md", chain=(FIRST, SECOND)),
        result("b.md", chain=(again,)),
        result("c.md", chain=(root, SECOND)),
    )
    told = write_locally(material(*results, shown="narrative"))
    assert [statement.paragraph for statement in told] == [0, 0, 1]
    assert links(told) == [
        ["Underdosing", "Low EC"],
        ["Low EC", "Yellow leaves"],
        ["Cheap dosing pump", "Low EC"],
    ]


@pytest.mark.parametrize(
    "line",
    [
        "[[Coffee]], the cautionary tale",
        "[[Coffee]]: what keeps me up",
        "supports:: [[Coffee]] and other drinks",
        "What I wrote of coffee that evening: [[Coffee]].",
        "Two weeks without coffee; see also [[Coffee]].",
        "[coffee:: too much of it]",
        "Is coffee the cause of it all?",
        "What coffee does to me:",
        "| coffee | three cups a day |",
        "# Coffee and what it does",
    ],
)
def test_what_is_no_sentence_is_not_told(line: str) -> None:
    assert write_locally(material(result("a.md", line), shown="narrative")) == ()
