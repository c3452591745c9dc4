"""How answers are held against evidence lines: by the lines that they quote."""

import json
from dataclasses import replace

import pytest

from evals.answers.evidence import AnswerOutcome, Quoted, by_kind, measured
from evals.datasets.evidence import AnswerCase, Place
from evals.datasets.records import record
from tools.base.errors import InputError

GOLD = (Place(path="Basil.md", lines=(4, 6)),)


def asked(
    *quoted: tuple[str, int, int], gold: tuple[Place, ...] = GOLD, denied: bool = False
) -> AnswerOutcome:
    return AnswerOutcome(
        case=AnswerCase(q="Why?", kind="why", gold=gold, answerable=bool(gold)),
        quoted=tuple(Quoted(path=path, first=first, last=last) for path, first, last in quoted),
        notes=tuple(dict.fromkeys(path for path, *_ in quoted)),
        denied=denied,
        words=100,
        ms=5.0,
    )


@pytest.mark.parametrize(
    ("line", "right"),
    [
        (("Basil.md", 4, 4), True),
        (("Basil.md", 6, 9), True),
        (("Basil.md", 1, 20), True),
        (("Basil.md", 1, 3), False),
        (("Basil.md", 7, 7), False),
        (("Mint.md", 4, 6), False),
    ],
)
def test_a_line_is_right_where_it_shares_one_with_the_evidence(
    line: tuple[str, int, int], right: bool
) -> None:
    assert asked(line).first is right


def test_the_first_three_lines_count_and_no_more() -> None:
    wrong = [("Mint.md", n, n) for n in range(1, 4)]

    assert asked(*wrong[:2], ("Basil.md", 5, 5)).top
    assert not asked(*wrong[:2], ("Basil.md", 5, 5)).first
    assert not asked(*wrong, ("Basil.md", 5, 5)).top


def test_notes_count_whatever_line_is_quoted() -> None:
    found = asked(("Mint.md", 1, 1), ("Basil.md", 1, 1))

    assert (found.note_within(1), found.note_within(2)) == (False, True)


def test_saying_no_is_right_where_there_is_no_answer_and_wrong_elsewhere() -> None:
    found = [
        asked(("Basil.md", 4, 4)),
        asked(("Basil.md", 4, 4), denied=True),
        asked(gold=(), denied=True),
        asked(("Basil.md", 4, 4), gold=()),
    ]

    figures = measured(found)

    assert (figures["said_no"], figures["false_no"]) == (0.5, 0.5)
    assert figures["first"] == 0.5  # an answer that is denied is not given


def test_what_cannot_be_measured_is_left_open() -> None:
    assert measured([asked(gold=())])["first"] is None
    assert measured([asked(("Basil.md", 4, 4))])["said_no"] is None
    assert set(measured([]).values()) == {None}


def test_kinds_come_with_the_most_frequent_first() -> None:
    other = asked(("Basil.md", 4, 4))
    other = replace(other, case=other.case.model_copy(update={"kind": "fact"}))

    assert list(by_kind([asked(), other, other])) == ["fact", "why"]


def test_what_is_written_of_a_question_can_be_read_again() -> None:
    told = json.loads(asked(("Basil.md", 4, 4), ("Mint.md", 2, 3)).line())

    assert told["first"] is True
    assert told["quoted"][1] == {"path": "Mint.md", "lines": [2, 3]}


@pytest.mark.parametrize(
    "line",
    [
        '{"q": "What is PARA?", "answerable": true}',
        '{"q": "What?", "answerable": false, "gold": [{"path": "a.md", "lines": [1, 1]}]}',
        '{"q": "What?", "gold": [{"path": "a.md", "lines": [1]}]}',
        '{"q": " ", "gold": [{"path": "a.md", "lines": [1, 1]}]}',
    ],
)
def test_a_case_that_cannot_be_measured_is_refused_in_one_line(line: str) -> None:
    with pytest.raises(InputError) as caught:
        record(line, AnswerCase, where="file, line 3")

    assert "line 3" in str(caught.value)
    assert "\n" not in str(caught.value)
