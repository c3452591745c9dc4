"""Overviews: which are asked for, what statements are made of, what is chosen of them."""

import numpy as np
import pytest

from agents.features import read_features
from agents.overview_kinds import overview_kind
from tools.overview.quotations import block_quoted, is_quotation
from tools.overview.selection import centrality, select, similarity
from tools.overview.statements import Statement, statements
from tools.spans import spans_of

NOTE = """# Kiln

The kiln is an old gas kiln. It reaches 1,280 degrees in nine hours.

Rules

- close the damper
- open the window

Complaints of the neighbours:

- the smell of burning glaze on every Sunday morning in the summer
- the van in front of their gate, which nobody could move for two hours

> Fire does the last third of the work. — Leach
"""


def told(text: str = NOTE) -> list[Statement]:
    return statements("kiln.md", spans_of(text))


class TestStatements:
    def test_a_sentence_that_leans_on_the_one_before_is_read_with_it(self):
        assert told()[0].text.endswith("gas kiln. It reaches 1,280 degrees in nine hours.")

    def test_a_short_list_is_one_statement_under_what_introduces_it(self):
        assert "Rules: close the damper; open the window" in [one.text for one in told()]

    def test_an_item_of_a_longer_one_has_what_introduces_it(self):
        items = [one for one in told() if one.span.kind == "item"]
        assert [one.lead for one in items] == ["Complaints of the neighbours:"] * 2
        assert items[1].goes_on(items[0])

    def test_what_only_introduces_is_no_statement(self):
        assert not {"Rules", "Complaints of the neighbours:"} & {one.text for one in told()}

    def test_a_question_is_read_with_its_answer(self):
        (only,) = told("Is it gas? No. The new one is electric.\n")[:1]
        assert only.text.startswith("Is it gas? No.")


class TestQuotations:
    @pytest.mark.parametrize(
        "text",
        [
            "> Fire works at night. It asks nobody.\n",
            "> Fire works at night.\n> It asks nobody.\n",
            "“Fire works at night. It asks nobody.”\n",
            '"Fire works at night. It asks nobody." (Leach)\n',
            "“Fire works at night. It asks nobody.”\n(Leach, in a letter)\n",
        ],
    )
    def test_what_is_quoted_is_read_whole_with_who_said_it(self, text: str):
        quoted = block_quoted(text.split("\n"))
        (only,) = statements("kiln.md", spans_of(text), block_quoted=quoted)
        assert "at night. It asks nobody." in only.text
        assert ("Leach" in text) == ("Leach" in only.text)

    @pytest.mark.parametrize(
        ("text", "quoted"),
        [
            ("> Fire does the last third of the work.\n", True),
            ("She said “a cache is a database with amnesia” twice.\n", True),
            ("Fire does the last third of the work. — Leach\n", True),
            ("The kiln is an old gas kiln.\n", False),
            ("> [!warning] Mind the door\n> It is hot for a day.\n", False),
        ],
    )
    def test_whose_words_they_are(self, text: str, quoted: bool):
        assert is_quotation(told(text)[-1].span, text.split("\n")) is quoted


class TestSelection:
    def chosen(self, text: str, *, room: int = 200, most: int = 9) -> list[str]:
        found = told(text)
        alike = similarity(found)
        weights = centrality(alike, np.array([one.prior for one in found], np.float32))
        taken = select(found, alike, weights, room=room, group=lambda one: one.path, most=most)
        return [found[at].text for at in taken]

    def test_the_same_is_not_said_twice(self):
        text = (
            "The kiln reaches its heat in nine hours.\n\nThe kiln reaches its heat in nine hours.\n"
            "\nClay comes from Devon by boat.\n"
        )
        assert len(self.chosen(text)) == 2

    def test_there_is_room_for_so_many_words(self):
        assert sum(len(one.split()) for one in self.chosen(NOTE, room=30)) <= 30

    def test_of_a_group_so_many_are_taken(self):
        assert len(self.chosen(NOTE, most=2)) == 2


class TestReading:
    @pytest.mark.parametrize(
        ("question", "kind"),
        [
            ("pros and cons of the kiln", "sides"),
            ("give me quotes about glaze", "quotes"),
            ("who summarised the report?", None),
            ("how much was the deposit?", None),
        ],
    )
    def test_by_its_words_alone(self, question: str, kind: str | None):
        assert overview_kind(read_features(question), None)[0] == kind
