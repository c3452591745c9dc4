"""The file of unclear questions: what a line says, and that it can be measured as it is."""

from datetime import UTC, datetime
from pathlib import Path

from agents.interpreter.clarification import clarification
from evals.datasets.intents import Case
from evals.datasets.records import read_lines
from graphs.query import ambiguity_log
from tests.support.questions.reading import interpreted, question_vector

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)
QUESTION = "Tell me about Zettelkasten"


def test_the_file_can_be_measured_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "unclear.jsonl"
    plan = interpreted(QUESTION, now=NOW, vector=question_vector(QUESTION))
    asked = clarification(plan)
    assert asked is not None
    ambiguity_log.remember(file, plan, asked=asked, now=NOW, chosen="factual")
    ambiguity_log.remember(file, plan, asked=asked, now=NOW, chosen=None)
    answered, unanswered = read_lines(file, Case)
    assert (answered.query, answered.intent) == (QUESTION, "factual")
    assert {answered.intent, *answered.also} == {option.intent for option in asked.options}
    assert (unanswered.intent, unanswered.also) == (None, ())
    assert file.stat().st_mode & 0o777 == 0o600
