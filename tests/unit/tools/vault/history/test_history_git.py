"""What a log of notes makes of git's commits, whether it reads them bit by bit or at once."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.vaults.histories import (
    NOW,
    blob,
    change,
    commit,
    day,
    fill,
    history,
    log,
    see,
    sighting,
    told,
)
from tools.vault.git.log import Change, GitDates
from tools.vault.history.history import History

__all__ = ["history"]


def test_what_commits_did_counts_once_its_text_was_read(history: History) -> None:
    commit(history, change("Tea.md", "Green.", on=1), change("Tea.md", "Black.", on=5))
    assert [(one.path, one.blob) for one in history.unread()] == [
        ("Tea.md", blob("Black.")),
        ("Tea.md", blob("Green.")),
    ]
    assert history.versions(["Tea.md"]) == {}

    fill(history, "Green.", "Black.")

    assert history.unread() == []
    assert told(history, "Tea.md") == [("Green.", day(1)), ("Black.", day(5))]
    keys = [version.key for version in history.versions(["Tea.md"])["Tea.md"]]
    assert [history.text(key) for key in keys] == [None, None]
    assert history.blobs(keys) == dict(zip(keys, [blob("Green."), blob("Black.")], strict=True))


def test_a_version_that_is_no_text_is_left_out_and_not_read_again(history: History) -> None:
    commit(history, change("Tea.md", "Green.", on=1), change("Tea.md", "Black.", on=2))
    newest = history.unread()[0]
    history.fill([(newest.key, newest.blob, None)])
    fill(history, "Green.")

    assert told(history, "Tea.md") == [("Green.", day(1))]
    assert history.unread() == []


def test_a_commit_of_the_future_counts_as_of_when_it_was_read(history: History) -> None:
    history.record_git(log(change("Tea.md", "Green.", on=2000)), read_at=NOW)
    fill(history, "Green.")

    assert told(history, "Tea.md") == [("Green.", NOW)]


def test_a_text_that_git_has_is_not_kept_again(history: History) -> None:
    commit(history, change("Tea.md", "Green.", on=1))
    see(history, {"Tea.md": "Green."}, on=2)
    history.see([sighting("Tea.md", "Green.")], at=day(3))
    fill(history, "Green.")

    (version,) = history.versions(["Tea.md"])["Tea.md"]
    assert (version.origin, version.at) == ("git", day(1))


def test_what_is_on_disk_is_the_last_commit_also_after_a_clock_that_ran_back(
    history: History,
) -> None:
    commit(history, change("Tea.md", "Green.", on=5), change("Tea.md", "Black.", on=3))
    see(history, {"Tea.md": "Black."}, on=8)
    commit(history, change("Tea.md", "White.", on=6))
    fill(history, "Green.", "Black.", "White.")

    assert [text for text, _ in told(history, "Tea.md")] == ["Green.", "Black.", "White."]


def test_what_was_seen_and_not_committed_stands_after_the_commits(history: History) -> None:
    commit(history, change("Tea.md", "Green.", on=1))
    see(history, {"Tea.md": "Draft."}, on=2)
    fill(history, "Green.")

    assert told(history, "Tea.md") == [("Green.", day(1)), ("Draft.", day(2))]


def test_a_note_that_a_commit_renamed_keeps_its_versions(history: History) -> None:
    commit(history, change("Tea.md", "Green.", on=1))
    commit(history, change("Chai.md", "Green.", on=3, former="Tea.md"))
    fill(history, "Green.")

    assert told(history, "Chai.md") == [("Green.", day(1)), ("Green.", day(3))]
    assert (history.paths(), history.live()) == (["Chai.md"], {"Chai.md"})
    assert history.former_names() == [("Tea.md", "Chai.md")]


def test_a_rename_that_was_seen_before_it_was_committed_is_one_note(history: History) -> None:
    commit(history, change("Tea.md", "Green.", on=1))
    fill(history, "Green.")
    see(history, {"Tea.md": "Green."}, on=2)
    history.record_missing(["Tea.md"], at=day(3))
    see(history, {"Chai.md": "Black."}, on=3)  # changed as well: nobody can tell that it moved
    assert history.live() == {"Chai.md"}

    commit(history, change("Chai.md", "Black.", on=4, former="Tea.md"))
    fill(history, "Black.")

    assert told(history, "Chai.md") == [("Green.", day(1)), ("Black.", day(3))]
    assert (history.paths(), history.deleted_paths()) == (["Chai.md"], [])


def test_what_a_note_named_before_it_was_merged_is_still_known(history: History) -> None:
    """Its words must still be followed when they come to lead elsewhere."""
    commit(history, change("Tea.md", "Green.", on=1))
    see(history, {"Chai.md": "causes:: [[Sleep]]"}, on=2)

    commit(history, change("Chai.md", "Black.", on=4, former="Tea.md"))
    see(history, {"Chai.md": "supersedes:: [[Coffee]]"}, on=5)

    assert history.ledger.targets() == {"Sleep": ["Chai.md"], "Coffee": ["Chai.md"]}
    assert history.ledger.succeeding() == [("Chai.md", "Coffee")]


def test_a_rename_onto_the_path_of_a_dead_note_leaves_that_note_its_own_past(
    history: History,
) -> None:
    commit(history, change("Tea.md", "Old tea.", on=1), change("Chai.md", "Chai.", on=2))
    commit(history, change("Tea.md", None, on=3))
    commit(history, change("Tea.md", "Chai.", on=4, former="Chai.md"))
    fill(history, "Old tea.", "Chai.")

    assert told(history, "Tea.md") == [("Chai.", day(2)), ("Chai.", day(4))]
    (other,) = set(history.paths()) - {"Tea.md"}
    assert told(history, other) == [("Old tea.", day(1)), (None, day(3))]
    assert {version.path for version in history.versions([other])[other]} == {"Tea.md"}
    assert history.live() == {"Tea.md"}


def test_a_rewritten_history_takes_the_place_of_the_old_one(history: History) -> None:
    commit(history, change("Tea.md", "Secret.", on=1), change("Tea.md", "Green.", on=2))
    commit(history, change("Diary.md", "Secret.", on=3), change("Diary.md", None, on=4))
    fill(history, "Secret.", "Green.")
    see(history, {"Seen.md": "Never committed."}, on=5)
    history.ledger.acknowledge(dict.fromkeys(history.paths(), "state"))

    commit(history, change("Tea.md", "Green.", on=2), continues=False)
    fill(history, "Green.")

    assert told(history, "Tea.md") == [("Green.", day(2))]
    assert told(history, "Seen.md") == [("Never committed.", day(5))]
    assert set(history.paths()) == {"Tea.md", "Seen.md"}, "nothing tells of the diary any more"
    assert history.ledger.dirty() == ["Tea.md"]


def test_a_note_deleted_by_an_older_commit_is_gone_all_the_same(history: History) -> None:
    """The commit comes from elsewhere; what was seen here after it was never committed."""
    commit(history, change("Tea.md", "Green.", on=1))
    see(history, {"Tea.md": "Draft."}, on=9)
    commit(history, change("Tea.md", None, on=5))
    history.record_missing(["Tea.md"], at=day(12))
    fill(history, "Green.")

    assert told(history, "Tea.md")[-1] == (None, day(12))
    assert history.deleted_paths() == ["Tea.md"]


def test_a_note_is_gone_also_after_a_clock_that_ran_back(history: History) -> None:
    commit(history, change("Tea.md", "Green.", on=1), change("Tea.md", None, on=9))
    commit(history, change("Tea.md", "Black.", on=5))
    fill(history, "Green.", "Black.")
    assert history.live() == {"Tea.md"}

    history.record_missing(["Tea.md"], at=day(12))

    assert told(history, "Tea.md")[-1] == (None, day(12))
    assert history.live() == set()


def test_where_history_is_cut_off_nothing_is_dated(history: History) -> None:
    changes = (
        change("Old.md", "a", on=3, grafted=True),
        change("Edited.md", "a", on=3, grafted=True),
        change("Edited.md", "b", on=5),
        change("New.md", "a", on=4),
        change("New.md", "b", on=6),
        change("New.md", None, on=7),
    )
    history.record_git(log(*changes, cut="Since 2024 only."), read_at=NOW)

    assert history.git_dates() == {
        "Edited.md": GitDates(first=day(5), last=day(5)),
        "New.md": GitDates(first=day(4), last=day(6)),
    }
    assert history.cut() == "Since 2024 only."
    commit(history, change("New.md", "c", on=8))
    assert history.cut() == "Since 2024 only."
    commit(history, continues=False)
    assert history.cut() is None


def test_the_commit_up_to_which_git_was_read_is_known(history: History) -> None:
    assert history.git_head() is None
    commit(history, change("Tea.md", "Green.", on=1))
    assert history.git_head() == "head 1"


# --- recorded bit by bit -------------------------------------------------------------------

NAMES = ("a.md", "b.md", "c.md")


@st.composite
def logs(draw: st.DrawFn) -> tuple[list[Change], set[str]]:
    """The changes of a vault in which notes are written, moved and deleted; what is there then."""
    there: dict[str, str] = {}
    changes: list[Change] = []
    for on in range(draw(st.integers(1, 9))):
        what = draw(st.sampled_from(["write", "write", "move", "delete"]))
        when = draw(st.integers(0, 12)) if draw(st.booleans()) else on
        free = [name for name in NAMES if name not in there]
        if what == "write" or not there:
            path, text = draw(st.sampled_from(NAMES)), f"text {draw(st.integers(0, 3))}"
            if there.get(path) != text:
                there[path] = text
                changes.append(change(path, text, on=when))
        elif what == "move" and free:
            former, path = draw(st.sampled_from(sorted(there))), draw(st.sampled_from(free))
            there[path] = there.pop(former)
            changes.append(change(path, there[path], on=when, former=former))
        elif what == "delete":
            path = draw(st.sampled_from(sorted(there)))
            del there[path]
            changes.append(change(path, None, on=when))
    return changes, set(there)


def everything(history: History) -> dict[str, object]:
    """All that a history tells, whatever numbers its rows have."""
    versions = history.versions(history.paths())
    return {
        "versions": {
            path: [replace(version, key=0) for version in found] for path, found in versions.items()
        },
        "live": history.live(),
        "gone": history.deleted_paths(),
        "dates": history.git_dates(),
        "former": history.former_names(),
    }


def fill_all(history: History) -> None:
    fill(history, *(f"text {number}" for number in range(4)))


@given(logs(), st.sets(st.integers(1, 8)), st.booleans())
def test_recorded_bit_by_bit_it_is_as_recorded_at_once(
    tmp_path_factory: pytest.TempPathFactory,
    made: tuple[list[Change], set[str]],
    cuts: set[int],
    reads: bool,
) -> None:
    changes, there = made
    folder = tmp_path_factory.mktemp("histories")
    at_once, bit_by_bit = History(folder / "once.db"), History(folder / "bits.db")
    commit(at_once, *changes, continues=False)
    fill_all(at_once)
    ends = [0, *sorted(cut for cut in cuts if cut < len(changes)), len(changes)]
    for start, end in pairwise(ends):
        commit(bit_by_bit, *changes[start:end], continues=start > 0)
        if reads:
            fill_all(bit_by_bit)
    fill_all(bit_by_bit)
    expected = everything(at_once)
    found = everything(bit_by_bit)
    commit(at_once, *changes, continues=False)
    fill_all(at_once)
    again = everything(at_once)
    at_once.close()
    bit_by_bit.close()

    assert found == expected
    assert again == expected, "read anew it is the same"
    assert expected["live"] == there
