"""What an evaluation reads, and the one clear error for what it cannot read."""

import json
import re
from pathlib import Path

import pytest

from evals.datasets.intents import Case, Prediction
from evals.datasets.records import read_lines
from tools.base.errors import InputError


def written(folder: Path, *lines: str) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    return file


def test_lines_keep_their_order_and_unknown_fields_are_passed_over(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        '{"query": " Uyku nedir? ", "intent": "factual", "language": "tr", "votes": 3}',
        "",
        '{"query": "Sleep", "intent": "exploratory", "also": ["factual"], "human": false}',
        '{"query": "line\u2028break", "also": null}',
    )
    first, second, third = read_lines(file, Case)
    assert (first.query, first.intent, first.language) == (" Uyku nedir? ", "factual", "tr")
    assert (first.ambiguous, second.ambiguous, second.human) == (False, True, False)
    assert (third.query, third.intent) == ("line\u2028break", None)


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    file = tmp_path / "windows.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"query": "What is sleep?"}\r\n')
    assert [case.query for case in read_lines(file, Case)] == ["What is sleep?"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"query": "x"', "JSON"),
        ('{"intent": "factual"}', "'query'"),
        ('{"query": "  "}', "'query'"),
        ('{"query": 7}', "'query'"),
        ('["query"]', "line 2"),
        ('{"query": "x", "intent": "poetic"}', "factual, temporal"),
        ('{"query": "x", "intent": "factual", "also": ["poetic"]}', "'poetic'"),
        ('{"query": "x", "also": ["factual"]}', "`intent`"),
    ],
)
def test_a_bad_line_is_one_error_with_its_number(tmp_path: Path, line: str, said: str) -> None:
    file = written(tmp_path, '{"query": "fine"}', line)
    with pytest.raises(InputError) as caught:
        read_lines(file, Case)
    message = str(caught.value)
    assert message.startswith("questions.jsonl, line 2: ")
    assert said in message
    assert "\n" not in message


def test_a_file_that_holds_nothing_to_read(tmp_path: Path) -> None:
    empty, foreign = written(tmp_path, "", "  "), tmp_path / "latin.jsonl"
    foreign.write_bytes('{"query": "çay"}'.encode("latin-1"))
    for path in (empty, foreign, tmp_path, tmp_path / "none.jsonl"):
        with pytest.raises(InputError, match=re.escape(path.name)) as caught:
            read_lines(path, Case)
        assert "\n" not in str(caught.value)


def test_a_prediction_is_one_line_of_json_without_its_time() -> None:
    prediction = Prediction(
        query="“çay”\nnedir?",
        predicted="factual",
        confidence=0.8,
        probabilities={"factual": 0.8, "temporal": 0.2},
        clarify=False,
        decided_by="local",
        ms=0.4,
    )
    assert "\n" not in prediction.line()
    assert json.loads(prediction.line()) == {
        "query": "“çay”\nnedir?",
        "predicted": "factual",
        "confidence": 0.8,
        "probabilities": {"factual": 0.8, "temporal": 0.2},
        "clarify": False,
        "decided_by": "local",
    }
