"""From what was recorded to the graph: run by run it becomes what one run would have made."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.ingest.sync_graph import catch_up_with_graph
from tests.support.servers.refusing_graphs import RefusingGraph
from tests.support.vaults.desk import Desk, desk
from tests.support.vaults.histories import change, commit, day
from tests.support.vaults.repositories import git
from tools.base.domain import Moment
from tools.vault.history.history import History

__all__ = ["desk"]


def test_nothing_changed_writes_nothing(desk: Desk) -> None:
    desk.write("Tea.md", "causes:: [[Sleep]]")
    desk.write("Sleep.md", "Good.")
    assert desk.run() == 2
    before = desk.graph_now()
    assert desk.run() == 0
    assert desk.graph_now() == before


def test_words_that_come_to_lead_elsewhere_lead_there(desk: Desk) -> None:
    desk.write("Tea.md", "causes:: [[Sleep]]")
    desk.run()
    assert desk.facts("Sleep") == [("Tea", "CAUSES", "Sleep")]

    desk.write("body/sleep.md", "# Good sleep")
    desk.run()

    assert desk.facts("Tea") == [("Tea", "CAUSES", "Good sleep")]


def test_a_link_to_a_note_that_is_gone_still_leads_to_it(desk: Desk) -> None:
    desk.write("Tea.md", "causes:: [[Sleep]]")
    desk.write("Sleep.md", "leads to:: [[Rest]]")
    desk.run()
    (desk.vault / "Sleep.md").unlink()
    desk.run()

    assert desk.facts("Tea") == [("Tea", "CAUSES", "Sleep")]
    assert desk.facts("Sleep") == []
    assert desk.facts("Sleep", at=Moment(known_at=day(1))) == [("Sleep", "LEADS_TO", "Rest")]


def test_a_former_name_leads_to_the_note_that_moved(desk: Desk) -> None:
    desk.write("Tea.md", "causes:: [[Sleep]]")
    desk.write("Sleep.md", "leads to:: [[Rest]]")
    desk.run()
    (desk.vault / "Sleep.md").rename(desk.vault / "Good nights.md")
    desk.run()

    assert desk.facts("Sleep") == [("Good nights", "LEADS_TO", "Rest")]
    assert desk.facts("Tea") == [("Tea", "CAUSES", "Good nights")]


def test_a_note_is_superseded_as_long_as_its_successor_says_so(desk: Desk) -> None:
    desk.write("Plan.md", "leads to:: [[Rest]]")
    desk.run()
    desk.write("New plan.md", "supersedes:: [[Plan]]")
    desk.run()
    assert desk.facts("Plan") == []
    desk.write("New plan.md", "Never mind.")
    desk.run()
    assert desk.facts("Plan") == [("Plan", "LEADS_TO", "Rest")]


def test_what_was_superseded_by_a_name_is_so_no_more_when_the_name_leads_elsewhere(
    desk: Desk,
) -> None:
    desk.write("old/Plan.md", "leads to:: [[Rest]]")
    desk.write("New plan.md", "supersedes:: [[Plan]]")
    desk.run()
    assert desk.facts("old/Plan") == []

    desk.write("Plan.md", "leads to:: [[Work]]")  # the better match for the name
    desk.run()

    assert desk.facts("old/Plan") == [("Plan", "LEADS_TO", "Rest")]


def test_a_graph_that_was_lost_is_filled_again(desk: Desk) -> None:
    desk.write("Tea.md", "causes:: [[Sleep]]")
    desk.run()
    desk.write("Tea.md", "causes:: [[Rest]]")
    desk.run()
    before = desk.graph_now()

    desk.graph.notes.clear()
    assert desk.fill() == 1
    assert desk.graph_now() == before
    assert desk.fill(rebuild=True) == 1
    assert desk.graph_now() == before


def test_what_nobody_knows_any_more_is_taken_out_of_the_graph(desk: Desk) -> None:
    """Commits were rewritten so that a note never was."""
    desk.write("Tea.md", "Green.")
    desk.run()
    desk.write("Secret.md", "pays:: [[Somebody]]")
    desk.run()
    (desk.vault / "Secret.md").unlink()
    desk.history.close()
    (desk.folder / "history.db").unlink()
    desk.history = History(desk.folder / "history.db")
    desk.run()

    assert desk.facts("Secret") == []
    assert desk.graph.notes.keys() == {
        uuid for uuid, note in desk.graph.notes.items() if note.entity.path == "Tea.md"
    }


def test_a_note_without_a_text_that_can_be_read_is_none(desk: Desk) -> None:
    """Git has its versions, and says that the objects are missing."""
    git(desk.vault, "init", "-q")
    commit(desk.history, change("Tea.md", "Green.", on=0), change("Tea.md", None, on=0.5))

    assert desk.run() == 1
    assert desk.graph.notes == {}
    assert desk.history.unread() == []
    assert desk.run() == 0


def test_what_git_fails_to_give_is_read_by_a_later_run(desk: Desk) -> None:
    commit(desk.history, change("Tea.md", "causes:: [[Sleep]]", on=0))
    commit(desk.history, change("Tea.md", None, on=0.5))

    assert desk.run() == 1
    assert desk.graph.notes == {}

    git(desk.vault, "init", "-q")
    git(desk.vault, "hash-object", "-w", "--stdin", stdin=b"causes:: [[Sleep]]")
    assert desk.run() == 1
    assert desk.facts("Tea", at=Moment(as_of=day(0.2))) == [("Tea", "CAUSES", "Sleep")]
    assert desk.run() == 0


# --- a database that refuses a note ----------------------------------------------------------


def test_a_note_that_the_database_refuses_is_named_and_tried_again(tmp_path: Path) -> None:
    graph = RefusingGraph({"Odd.md"})
    desk = Desk(tmp_path, graph=graph)
    desk.write("Tea.md", "causes:: [[Sleep]]")
    desk.write("Odd.md", "causes:: [[Rest]]")

    report = desk.ingest()
    (told,) = [warning for warning in report.warnings if warning.source == "graph"]
    assert "Odd.md" in told.error
    assert "Tea.md" not in told.error
    assert "brain index" in told.impact
    assert "\n" not in told.error + told.impact
    assert report.graph_written == 1
    assert desk.facts("Tea") == [("Tea", "CAUSES", "Sleep")]
    assert desk.facts("Odd") == []
    assert desk.history.ledger.dirty() == ["Odd.md"]
    assert asyncio.run(catch_up_with_graph(desk.deps)).stale == 1

    graph.refused.clear()
    assert desk.ingest().graph_written == 1
    assert desk.facts("Odd") == [("Odd", "CAUSES", "Rest")]
    assert desk.history.ledger.dirty() == []
    desk.close()


def test_of_many_refused_notes_a_few_are_named(tmp_path: Path) -> None:
    paths = [f"{n:02}.md" for n in range(30)]
    desk = Desk(tmp_path, graph=RefusingGraph(paths))
    for path in paths:
        desk.write(path, "causes:: [[Rest]]")
    (told,) = [warning for warning in desk.ingest().warnings if warning.source == "graph"]
    assert "00.md" in told.error
    assert "29.md" not in told.error
    assert "and 20 more" in told.error
    desk.close()


# --- run by run ----------------------------------------------------------------------------

PATHS = ("A.md", "B.md", "x/A.md", "C.md")
LINES = (
    "[[A]]",
    "causes:: [[B]]",
    "supersedes:: [[A]]",
    "superseded by:: [[C]]",
    "leads to:: [[x/A]]",
    "status:: C",
    "#tag",
)
steps = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sets(st.sampled_from(LINES))),
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sets(st.sampled_from(LINES))),
    st.tuples(st.just("delete"), st.sampled_from(PATHS), st.just(frozenset[str]())),
    st.tuples(st.just("move"), st.sampled_from(PATHS), st.sets(st.sampled_from(PATHS), min_size=1)),
)


def play(desk: Desk, what: str, path: str, given: set[str]) -> None:
    file = desk.vault / path
    if what == "write":
        desk.write(path, "\n\n".join(sorted(given)))
    elif what == "delete":
        file.unlink(missing_ok=True)
    elif file.exists():
        other = desk.vault / min(given)
        other.parent.mkdir(parents=True, exist_ok=True)
        file.replace(other)


@given(st.lists(st.lists(steps, min_size=1, max_size=3), min_size=1, max_size=5))
def test_run_by_run_the_graph_becomes_what_one_run_makes(
    tmp_path_factory: pytest.TempPathFactory, runs: Sequence[Sequence[tuple[str, str, set[str]]]]
) -> None:
    desk = Desk(tmp_path_factory.mktemp("desk"))
    try:
        for run in runs:
            for what, path, given_ in run:
                play(desk, what, path, given_)
            desk.run()
        run_by_run = desk.graph_now()
        assert desk.run() == 0
        desk.fill(rebuild=True)
        assert desk.graph_now() == run_by_run
    finally:
        desk.close()
