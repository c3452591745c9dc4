"""The prompt loader: strict about names, blind to what the values hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prompts

VARIABLES = {
    "answerer": {"question", "evidence", "shape"},
    "interpreter": {"question"},
    "judge": {"pairs"},
    "reranker": {"question", "notes"},
}


def test_there_is_one_prompt_per_agent_with_known_placeholders() -> None:
    assert {name: set(prompts.variables(name)) for name in prompts.names()} == VARIABLES


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_every_value_appears_and_no_placeholder_is_left(name: str) -> None:
    values = {variable: f"<<{variable}>>" for variable in VARIABLES[name]}
    text = prompts.render(name, **values)
    assert all(value in text for value in values.values())
    assert "$" not in text


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_a_missing_value_is_named(name: str) -> None:
    for left_out in VARIABLES[name]:
        values = dict.fromkeys(VARIABLES[name] - {left_out}, "x")
        with pytest.raises(prompts.PromptError, match=left_out):
            prompts.render(name, **values)


def test_a_value_without_a_placeholder_is_named() -> None:
    with pytest.raises(prompts.PromptError, match="mood"):
        prompts.render("judge", pairs="[]", mood="good")


@pytest.mark.parametrize("name", ["nothing", "../pyproject", "judge.md", ""])
def test_an_unknown_prompt_is_named(name: str) -> None:
    with pytest.raises(prompts.PromptError, match="judge"):
        prompts.render(name)


@given(st.text())
def test_values_are_inserted_as_they_are(value: str) -> None:
    around = prompts.render("judge", pairs="\x00").split("\x00")
    assert prompts.render("judge", pairs=value) == value.join(around)
