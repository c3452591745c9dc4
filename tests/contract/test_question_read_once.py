"""A question's words are read by the interpreter; whoever comes after goes by what it found."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READERS = {"agents/interpreter/interpreter.py", "agents/interpreter/plan.py"}
MODULES = sorted(
    path.relative_to(ROOT).as_posix()
    for room in ("agents", "graphs", "tools")
    for path in (ROOT / room).rglob("*.py")
)


def reads_question(source: str) -> bool:
    """Whether the code takes the words of the question from a plan."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "query"
        and ast.unparse(node.value).endswith("plan")
        for node in ast.walk(ast.parse(source))
    )


@pytest.mark.parametrize("module", sorted(READERS))
def test_the_readers_are_where_they_are_said_to_be(module: str) -> None:
    assert module in MODULES


def test_nobody_else_reads_the_question_again() -> None:
    found = {one for one in MODULES if reads_question((ROOT / one).read_text(encoding="utf-8"))}
    assert found <= READERS
