"""Other folders of a vault are looked at than before: nothing is lost, and nothing said to be."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.vaults.desk import Desk, desk
from tests.support.vaults.histories import day as run_day
from tests.support.vaults.histories import see, told
from tests.support.vaults.repositories import commit, day, git
from tools.base.domain import Moment
from tools.vault.history.history import History

__all__ = ["desk"]


def committed(desk: Desk) -> None:
    """Notes of two folders, some superseding, moving to the other, or gone by now."""
    git(desk.vault, "init", "-q")
    desk.write("a/Tea.md", "causes:: [[Sleep]]")
    desk.write("a/Plan.md", "leads to:: [[Rest]]")
    desk.write("b/Old.md", "causes:: [[Work]]")
    commit(desk.vault, on=1)
    desk.write("b/Sleep.md", "supersedes:: [[Plan]]")
    desk.write("a/Moves.md", "causes:: [[Tea]]\n\n" + "words that stay\n" * 20)
    commit(desk.vault, on=2)
    git(desk.vault, "mv", "a/Moves.md", "b/Moved.md")
    git(desk.vault, "rm", "-q", "b/Old.md")
    commit(desk.vault, on=3)


def test_the_history_of_folders_that_are_added_is_read(desk: Desk) -> None:
    committed(desk)
    desk.look_at("a")
    desk.ingest()
    assert set(desk.history.paths()) == {"a/Tea.md", "a/Plan.md", "a/Moves.md"}
    assert desk.history.deleted_paths() == ["a/Moves.md"]
    assert told(desk.history, "a/Moves.md")[-1] == (None, day(3))

    desk.look_at()
    desk.ingest()

    (version,) = desk.history.versions(["b/Sleep.md"])["b/Sleep.md"]
    assert (version.origin, version.at) == ("git", day(2))
    assert desk.facts("Old", at=Moment(as_of=day(2))) == [("Old", "CAUSES", "Work")]
    assert desk.facts("Plan") == []


def test_notes_in_folders_that_are_left_out_are_neither_gone_nor_told(desk: Desk) -> None:
    committed(desk)
    desk.write("b/Seen.md", "causes:: [[Tea]]")
    desk.write("a/Plan.md", "leads to:: [[Rest]] and [[Seen]]")
    desk.ingest()
    seen = desk.history.versions(["b/Seen.md"])
    before = desk.graph_now()

    desk.look_at("a")
    report = desk.ingest()

    assert report.removed == 3
    assert {note.entity.path for note in desk.graph.notes.values()} == {
        *("a/Tea.md", "a/Plan.md", "a/Moves.md"),
    }
    assert desk.facts("Seen") == [("Plan", "LEADS_TO", "Seen")]
    assert ("Plan", "LEADS_TO", "Rest") in desk.facts("Plan"), "its successor is not looked at"
    assert desk.ingest().graph_written == 0

    desk.look_at()
    desk.ingest()
    assert desk.history.versions(["b/Seen.md"]) == seen
    assert desk.graph_now() == before


FOLDERS = ((), ("a",), ("b/",), ("b", "a"))
A, B, BOTH = FOLDERS[1:]

type Folders = tuple[str, ...]
type Found = tuple[object, object, object]
"""The graph, the notes that are there, and those that are gone."""


def found_by(desk: Desk, *looked_at: Folders) -> list[Found]:
    """What each of the folders gives, one after the other."""
    committed(desk)
    found: list[Found] = []
    for folders in looked_at:
        desk.look_at(*folders)
        desk.ingest()
        found.append((desk.graph_now(), desk.history.live(), desk.history.deleted_paths()))
    assert desk.ingest().graph_written == 0
    desk.close()
    return found


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Folders], Found]:
    """What folders give where no others were ever looked at."""

    @cache
    def found(folders: Folders) -> Found:
        return found_by(Desk(tmp_path_factory.mktemp("alone")), folders)[0]

    return found


@pytest.mark.parametrize(
    "looked_at",
    [
        [A, ()],
        [B, A, (), BOTH],
        [(), (), A, A, B, B, BOTH, BOTH, (), B, (), BOTH, A, BOTH, B, A, ()],
    ],
    ids=["more", "others", "each behind each"],
)
def test_whatever_was_looked_at_before_the_graph_is_that_of_the_last_folders(
    tmp_path: Path, alone: Callable[[Folders], Found], looked_at: Sequence[Folders]
) -> None:
    assert found_by(Desk(tmp_path / "desk"), *looked_at) == [alone(one) for one in looked_at]


@pytest.mark.torture
@given(st.lists(st.sampled_from(FOLDERS), min_size=1, max_size=4))
def test_so_it_is_in_any_order(
    tmp_path_factory: pytest.TempPathFactory,
    alone: Callable[[Folders], Found],
    looked_at: Sequence[Folders],
) -> None:
    found = found_by(Desk(tmp_path_factory.mktemp("desk")), *looked_at)
    assert found == [alone(one) for one in looked_at]


def test_the_same_folders_given_otherwise_are_the_same(desk: Desk) -> None:
    committed(desk)
    desk.look_at("a", "b")
    desk.ingest()
    desk.look_at("b/", "a")
    assert (desk.history.git_head() is not None, desk.history.ledger.dirty()) == (True, [])
    desk.look_at("a")
    assert (desk.history.git_head(), desk.history.ledger.dirty()) == (
        None,
        ["a/Plan.md", "a/Tea.md"],
    )


def test_a_question_that_looks_at_fewer_folders_ends_no_note(tmp_path: Path) -> None:
    whole, part = (
        History(tmp_path / "history.db", folders=folders) for folders in ((), ("a", "ab/c"))
    )
    paths = ("a/Tea.md", "ab/Tea.md", "ab/c/Tea.md", "Tea.md")
    notes: dict[str, str] = dict.fromkeys(paths, "Green.")
    see(whole, notes, on=1)
    part.record_missing(notes, at=run_day(2))
    assert whole.live() == {"ab/Tea.md", "Tea.md"}
    assert (part.live(), set(part.deleted_paths())) == (set(), {"a/Tea.md", "ab/c/Tea.md"})
    part.close()
    whole.close()
