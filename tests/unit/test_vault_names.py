"""Names of a vault as a question describes them."""

import pytest

from agents.vault_names import Names, described

NAMES = ("minutes of the board, march 2021", "minutes of the board, march 2022", "ferry accident")


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("the board minutes of March 2021", "minutes of the board, march 2021"),
        ("accident ferry", "ferry accident"),
        ("the ferry accidents", "ferry accident"),
    ],
)
def test_words_in_another_order_describe_a_note(description: str, name: str) -> None:
    assert described(description, NAMES) == name


@pytest.mark.parametrize(
    "description",
    [
        "board minutes of March 2023",
        "minutes of the board, march",
        "ferry",
        "what I had for breakfast",
        "",
    ],
)
def test_another_number_two_notes_alike_or_one_word_describe_none(description: str) -> None:
    assert described(description, NAMES) is None


@pytest.mark.parametrize(
    ("name", "means"),
    [
        ("work", {"work"}),
        ("database", {"work/database"}),
        ("bugcatcher", {"role.bugcatcher"}),
        ("role", {"role"}),
        ("garden", {"garden"}),
        ("gardens", {"garden"}),
        ("home", {"home"}),
        ("middle", {"top/middle"}),
        ("cellar", set[str]()),
    ],
)
def test_a_tag_is_called_by_any_of_its_levels_and_best_by_all_of_it(
    name: str, means: set[str]
) -> None:
    tags = Names.of_tags(
        ["work/database", "role.bugcatcher", "garden", "home/garden", "top/middle/end"]
    )
    assert tags.meant(name, turkish=False) == means


def test_a_tag_that_is_near_is_named_once() -> None:
    assert Names.of_tags(["work/database"]).near("work databaze") == ("work/database",)
