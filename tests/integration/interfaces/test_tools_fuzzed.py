"""Whatever the tools are given, they answer, or say in one line why not."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.brain import Brain
from graphs.toolkit.audit_log.callers import caller
from graphs.toolkit.registry import TOOLS, ToolOutcome, call
from graphs.toolkit.tool import Session
from tests.support.values.schemas import JSON, fitting
from tests.support.vaults.indexed import Indexed
from tools.base.errors import BrainError

pytestmark = pytest.mark.integration

type Opened = tuple[Brain, Callable[[Any], Any]]


def on_disk(place: Indexed) -> dict[Path, bytes]:
    return {one: one.read_bytes() for one in place.vault.rglob("*.md")}


@pytest.fixture(scope="module")
def opened(indexed: Indexed) -> Iterator[Opened]:
    """A brain, and what runs its coroutines: Hypothesis calls a function for each example.

    Whatever it is given writes nothing into the vault. What a comparison of all notes found shows
    in later answers: other modules start without.
    """
    before = on_disk(indexed)
    with asyncio.Runner() as runner:
        held = indexed.open()
        brain = runner.run(held.__aenter__())
        runner.run(brain.contradictions())  # the first time all notes are compared
        yield brain, runner.run
        runner.run(held.__aexit__(None, None, None))
    (indexed.data_dir / "contradictions.db").unlink(missing_ok=True)
    assert on_disk(indexed) == before


async def outcome(calling: Awaitable[ToolOutcome]) -> ToolOutcome | BrainError:
    try:
        return await calling
    except BrainError as error:
        return error


WORDS = (
    "Zettelkasten", "notes/Zettelkasten.md", "Greenhouse", "tag:method", "name:Selin", "Project",
    "status", "active", "Purpose", "last March", "2024-03-01", "sleep", "[[", "../x.md", "*", "",
    "inbox/Fuzzed.md", "---\na: [\n---",
)  # fmt: skip
SLOW = {"ask", "contradictions", "search_notes"}
"""Fuzzed less: an answer takes longer than all else together."""


def spoil(arguments: dict[str, Any], name: str, value: object) -> dict[str, Any]:
    return {**arguments, name: value}


def calls(names: Collection[str]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """A tool with arguments that fit its schema, one of them sometimes spoiled."""

    def of(name: str) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
        fit = fitting(TOOLS[name].input_schema, words=WORDS)
        fields = sorted(TOOLS[name].input_schema.get("properties", {})) or ["x"]
        spoiled = st.builds(spoil, fit, st.sampled_from(fields), JSON)
        return st.tuples(st.just(name), fit | fit | fit | spoiled)

    return st.sampled_from(sorted(names)).flatmap(of)


def assert_answered(opened: Opened, name: str, arguments: dict[str, Any]) -> None:
    brain, run = opened
    began = time.perf_counter()
    session = Session(brain, caller("fuzzer", tier="librarian"))
    found = run(outcome(call(session, name, arguments)))
    assert time.perf_counter() - began < 5
    if isinstance(found, BrainError):
        assert type(found) is not BrainError, found  # a defect, with a crash report
        assert "\n" not in str(found)
    else:
        cast("Any", jsonschema).validate(found.result, TOOLS[name].output_schema)


@given(calls(TOOLS.keys() - SLOW))
@settings(max_examples=5 * settings().max_examples)
def test_whatever_is_given_comes_back_as_a_result_or_one_line(
    opened: Opened, calling: tuple[str, dict[str, Any]]
) -> None:
    assert_answered(opened, *calling)


@given(calls(SLOW))
@settings(max_examples=settings().max_examples // 5)
def test_so_it_does_of_tools_that_take_longer(
    opened: Opened, calling: tuple[str, dict[str, Any]]
) -> None:
    assert_answered(opened, *calling)
