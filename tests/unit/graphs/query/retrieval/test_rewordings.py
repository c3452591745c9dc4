"""What was reworded is compared once, and kept: no timeline depends on whether it was."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.query.retrieval.evolution import find_evolution
from tests.support.vaults.desk import Desk
from tests.support.vaults.repositories import commit, git
from tools.base.domain import Event
from tools.graph.sentence_diff import Rewording, content_sentences, reword


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    git(desk.vault, "init", "-q")
    for on, text in enumerate(["Green is best.", "Green is best. Black is not.", "Only black."], 1):
        desk.write("Tea.md", f"---\ntype: drink\n---\n\n{text}")
        desk.write("Milk.md", "It goes with tea.")
        commit(desk.vault, on=on)
    desk.ingest()
    yield desk
    desk.close()


def timeline(desk: Desk) -> list[Event]:
    return [one.event for one in asyncio.run(find_evolution(desk.deps, "Tea")).occurrences]


def words(desk: Desk) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return [(event.kind, event.added, event.removed) for event in timeline(desk)]


TOLD = [
    ("created", ("It goes with tea.",), ()),
    ("created", ("Green is best.",), ()),
    ("modified", ("Black is not.",), ()),
    ("modified", ("Only black.",), ("Green is best.", "Black is not.")),
]


def test_the_words_of_notes_that_changed_are_told_without_their_texts(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # there is no git

    assert [one for one in words(desk) if one[1] != ("It goes with tea.",)] == TOLD[1:]


def test_what_is_not_kept_is_compared_when_it_is_asked_for(desk: Desk) -> None:
    before = timeline(desk)
    assert words(desk) == TOLD

    desk.history.rewordings.clear()

    assert timeline(desk) == before


def test_a_timeline_is_told_where_nothing_can_be_kept(desk: Desk) -> None:
    desk.history.rewordings.clear()
    with closing(sqlite3.connect(desk.folder / "history.db")) as db, db:
        db.execute(
            "CREATE TRIGGER full BEFORE INSERT ON rewordings BEGIN SELECT RAISE(FAIL, 'full'); END"
        )

    assert words(desk) == TOLD


def test_a_rebuild_compares_anew(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.folder / "history.db")) as db, db:
        db.execute("UPDATE rewordings SET sentences = (SELECT min(sentences) FROM rewordings)")
    assert words(desk) != TOLD

    desk.ingest(rebuild=True)

    assert words(desk) == TOLD


SENTENCES = st.lists(st.sampled_from(["Green.", "Black.", "White.", "Red."]), max_size=8)


@given(SENTENCES, SENTENCES)
def test_a_rewording_names_what_only_one_text_has(old: list[str], new: list[str]) -> None:
    found = reword(old, new)

    assert set(new) - set(old) <= set(found.added) <= set(new)
    assert set(old) - set(new) <= set(found.removed) <= set(old)
    assert not set(found.added) & set(found.removed)
    assert reword(new, new) == Rewording(added=())


def test_frontmatter_headings_and_fields_are_no_words() -> None:
    text = "---\ntitle: Tea\n---\n# Tea\n\nstatus:: done\n\nGreen is best.\n\n- Black too\n"
    assert content_sentences(text) == ("Green is best.", "Black too")
