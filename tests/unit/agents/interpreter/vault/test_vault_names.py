"""Names of a vault as a question describes them."""

import pytest

from agents.interpreter.vault.names import Names, described, innermost

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


def test_a_name_with_a_slip_in_it_is_no_description() -> None:
    assert described("Desmond Pyke", ["desmond pike"]) is None
    assert described("Pike Desmond", ["desmond pike"]) == "desmond pike"
    assert described("workshop projects", ["workshop/projects"]) == "workshop/projects"


def test_a_folder_is_found_by_a_word_of_its_stem() -> None:
    folders = Names.of_folders(["meet", "work/reading"])
    assert folders.of_stem("meeting", turkish=False) == {"meet"}
    assert folders.of_stem("sailing", turkish=False) == set()


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
    assert tags.resolve(name, turkish=False) == means


def test_a_tag_that_is_near_is_named_once() -> None:
    assert Names.of_tags(["work/database"]).near("work databaze") == ("work/database",)


@pytest.mark.parametrize(
    ("named", "kept"),
    [
        ([{"stories/council"}, {"stories"}], {"stories/council"}),
        ([{"work"}, {"home"}], {"work", "home"}),
        ([{"stories/council", "work/council"}, {"stories", "old/stories"}], {"stories/council"}),
        ([{"meet"}, {"meet.2021"}, {"meet.2021.may"}], {"meet.2021.may"}),
        ([{"work", "work/old/work"}], {"work", "work/old/work"}),
        ([{"boat"}, {"boats"}], {"boat", "boats"}),
        ([], set[str]()),
    ],
)
def test_a_folder_that_says_where_another_lies_is_not_listed_itself(
    named: list[set[str]], kept: set[str]
) -> None:
    assert innermost(named) == kept


def test_a_turkish_word_names_the_folder_of_its_plural() -> None:
    folders = Names.of_folders(["Toplantılar", "Kararlar", "Günlük"])
    for said in ("toplantı", "toplanti", "Toplantılarımız"):
        assert folders.resolve(said, turkish=True) == {"Toplantılar"}
    assert folders.resolve("kararın", turkish=True) == {"Kararlar"}
    assert folders.resolve("karar", turkish=False) == set()
