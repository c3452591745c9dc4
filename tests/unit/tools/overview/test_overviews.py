"""Overviews: which are asked for, what statements are made of, what is chosen of them."""

from dataclasses import replace

import pytest

from agents.interpreter.classifiers.features import read_features
from agents.interpreter.classifiers.overview_kinds import overview_kind
from graphs.query.evidence.overview_material import statements_of_note
from tests.support.values.results import a_plan, a_result
from tools.evidence.spans import spans_of
from tools.overview.overview import Group, Overview
from tools.overview.quotations import is_quotation
from tools.overview.selection import score_statements, select, weights_of
from tools.overview.statements import Known, Statement, statements
from tools.rendering.overview import overview_lines
from tools.rendering.page import Page

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
    return statements("kiln.md", spans_of(text), text.split("\n"))


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
        (only,) = told(text)
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
    def chosen(self, text: str, *, room: int = 200) -> list[str]:
        found = score_statements(told(text), weights_of("overview"))
        return [one.text for one in select(found, room=room)]

    def test_the_same_is_not_said_twice(self):
        text = (
            "The kiln reaches its heat in nine hours.\n\nThe kiln reaches its heat in nine hours.\n"
            "\nClay comes from Devon by boat.\n"
        )
        assert len(self.chosen(text)) == 2

    def test_there_is_room_for_so_many_words(self):
        assert 0 < sum(len(one.split()) for one in self.chosen(NOTE, room=30)) <= 30

    def test_what_does_not_answer_is_not_shown(self):
        near, far = told("The kiln reaches its heat in nine hours.\n\nClay comes by boat.\n")
        found = score_statements(
            [near, replace(far, known=Known(score=-20.0))], weights_of("overview")
        )
        assert (select(found), found.selected) == ([near], [near])

    def test_words_of_somebody_come_first_where_quotes_are_wanted(self):
        said, own = told(
            "She said “a cache is a database with amnesia” twice.\n\nIt is fast now.\n"
        )
        assert said.quoted
        assert select(score_statements([own, said], weights_of("quotes")))[0] is said


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


class TestSummaries:
    def test_of_a_huge_note_it_is_said_to_which_line_it_was_read(self):
        result = replace(a_result(), note_path="Log.md", note_title="Log")
        lines = [f"Firing {number} reached {1000 + number} degrees." for number in range(4000)]
        found = statements_of_note(result, lines)
        read = found.texts["Log.md"][0].line_end
        assert found.told[-1].span.line_end <= read < len(lines)
        group = Group(lines=found.lines(found.told[:2]))
        overview = Overview(kind="summary", groups=[group], notes=1, lines=2, read_to=read)
        page = Page(plan=a_plan(), format="list", results=overview.results)
        assert str(read) in overview_lines(page, overview)[0]
        whole = replace(overview, read_to=None)
        assert str(read) not in overview_lines(page, whole)[0]
