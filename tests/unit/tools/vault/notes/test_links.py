"""From a link as written to the note it means."""

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.base.domain import Link
from tools.text.normalize import fold_name
from tools.vault.notes.links import hyperlink, resolver, wikilink
from tools.vault.notes.markdown import Hyperlink

# As the catalog gives them: the best note for a name last.
NAMES = [
    ("slip box", "notes/Zettelkasten.md"),
    ("plan", "archive/old/Plan.md"),
    ("plan", "Plan.md"),
    ("zettelkasten", "notes/Zettelkasten.md"),
    ("igdir", "trips/2024/Iğdır.md"),
    ("archive/old/plan", "archive/old/Plan.md"),
    ("plan", "Plan.md"),
    ("notes/zettelkasten", "notes/Zettelkasten.md"),
    ("trips/2024/igdir", "trips/2024/Iğdır.md"),
]
resolve = resolver(NAMES)


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("Zettelkasten", "notes/Zettelkasten.md"),
        ("zettelkasten.md", "notes/Zettelkasten.md"),
        ("  Slip  Box ", "notes/Zettelkasten.md"),
        ("notes/Zettelkasten", "notes/Zettelkasten.md"),
        ("./notes/Zettelkasten.md", "notes/Zettelkasten.md"),
        ("/notes/Zettelkasten", "notes/Zettelkasten.md"),
        ("IĞDIR", "trips/2024/Iğdır.md"),
        ("2024/Iğdır", "trips/2024/Iğdır.md"),
        ("moved/elsewhere/Zettelkasten", "notes/Zettelkasten.md"),
        ("old/Plan", "archive/old/Plan.md"),
        ("archive/old/Plan", "archive/old/Plan.md"),
        ("Plan", "Plan.md"),
    ],
)
def test_a_link_means_the_note_obsidian_opens(written: str, path: str) -> None:
    assert resolve(written) == path


@pytest.mark.parametrize("written", ["Nowhere", "", "/", "notes/", "zettel", "kasten"])
def test_a_link_to_nothing_is_none(written: str) -> None:
    assert resolve(written) is None


def test_of_several_notes_that_end_so_the_best_is_meant() -> None:
    deep, flat = "archive/2020/plans/May.md", "plans/May.md"
    near = "work/plans/May.md"
    # The order of the catalog: longer paths first, so that the shortest wins.
    look_up = resolver([(fold_name(path), path) for path in (deep, near)])
    assert look_up("plans/May") == near
    look_up = resolver([(fold_name(path), path) for path in (deep, near, flat)])
    assert look_up("plans/May") == flat


folders = st.lists(st.sampled_from(["a", "b", "Ç", "x y"]), max_size=3)
files = st.sampled_from(["One", "Two", "Iğdır", "v1.2"])
vault_paths = st.lists(
    st.tuples(folders, files).map(lambda place: posixpath.join(*place[0], f"{place[1]}.md")),
    min_size=1,
    max_size=8,
    unique_by=fold_name,
)


@given(vault_paths)
def test_a_full_path_always_means_its_own_note(paths: list[str]) -> None:
    stems = [(fold_name(posixpath.basename(path)), path) for path in paths]
    whole = [(fold_name(path), path) for path in paths]
    look_up = resolver([*stems, *whole])
    assert [look_up(path) for path in paths] == paths


@given(vault_paths, st.data())
def test_the_last_parts_of_a_path_lead_to_a_note_that_ends_so(
    paths: list[str], data: st.DataObject
) -> None:
    look_up = resolver([(fold_name(path), path) for path in paths])
    path = data.draw(st.sampled_from(paths))
    parts = path.split("/")
    ending = "/".join(parts[data.draw(st.integers(0, len(parts) - 1)) :])
    found = look_up(ending)
    assert found in paths
    assert f"/{fold_name(found)}".endswith(f"/{fold_name(ending)}")


# --- reading the link ----------------------------------------------------------------------


def link(inner: str) -> Link:
    (found,) = wikilink(inner, 4, embed=False, relation=None)
    return found


def test_a_wikilink_gives_target_heading_and_alias() -> None:
    assert link("Plan#Goals|the goals") == Link(
        target="Plan", line=4, alias="the goals", heading="Goals"
    )


def test_a_wikilink_in_a_table_escapes_its_bar() -> None:
    assert link("Plan\\|the plan") == Link(target="Plan", line=4, alias="the plan")


def test_a_wikilink_to_a_block_and_to_a_heading_below_a_heading() -> None:
    assert link("Plan#^goal") == Link(target="Plan", line=4, block_id="goal")
    assert link("Plan#Goals#May") == Link(target="Plan", line=4, heading="May")
    assert link("#Goals") == Link(target="", line=4, heading="Goals")


@pytest.mark.parametrize("inner", ["", " | ", "photo.png", "paper.PDF#page=2", "board.canvas", "#"])
def test_no_note_is_meant_by_an_attachment_or_an_empty_link(inner: str) -> None:
    assert list(wikilink(inner, 1, embed=True, relation=None)) == []


def markdown_link(href: str, *, path: str = "notes/here.md") -> list[Link]:
    mark = Hyperlink(href=href, label="label", at=0)
    return list(hyperlink(mark, 2, path=path, relation="cites"))


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("Plan.md", "Plan.md"),
        ("../archive/My%20plan.md", "archive/My plan.md"),
        ("./Plan.md#Goals", "notes/Plan.md"),
        ("/top/Plan.md", "top/Plan.md"),
        ("Plan", "Plan"),
    ],
)
def test_a_markdown_link_to_a_note_is_read_from_its_folder(href: str, target: str) -> None:
    (found,) = markdown_link(href)
    assert (found.target, found.alias, found.relation, found.line) == (target, "label", "cites", 2)
    assert found.heading == ("Goals" if "#" in href else None)


@pytest.mark.parametrize(
    "href",
    [
        *("https://example.org/Plan.md", "mailto:a@example.org", "//example.org/x"),
        *("photo.png", "example.org/page", "", "obsidian://open?file=Plan"),
    ],
)
def test_a_markdown_link_elsewhere_is_none_of_ours(href: str) -> None:
    assert markdown_link(href) == []
