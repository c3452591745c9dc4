from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.vaults.repositories import blob_id, commit, day, first_and_last, git
from tools.vault.git.log import Change
from tools.vault.git.repository import GitLog, read_log


def read(root: Path, *, after: str | None = None, commits: int = 20_000) -> GitLog:
    log = read_log(root, after=after, commits=commits)
    assert log is not None
    return log


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / "vault" / "çok iyi").mkdir(parents=True)
    git(folder, "init", "-q")
    return folder


def told(changes: Sequence[Change]) -> list[tuple[str | None, str, bool]]:
    """Path before, path after and whether it is there then."""
    return [(change.former, change.path, change.blob is not None) for change in changes]


TEXT = "\n".join(f"line {number} of a note that is long enough" for number in range(20))


def test_a_renamed_and_edited_note_is_one_note(repository: Path) -> None:
    vault = repository / "vault"
    (vault / "a.md").write_text(TEXT)
    commit(repository, on=1)
    git(repository, "mv", "vault/a.md", "vault/çok iyi/ğ @ b.md")
    (vault / "çok iyi" / "ğ @ b.md").write_text(TEXT + "\nmore")
    moved = commit(repository, on=3)
    change = read(vault).changes[-1]
    assert (change.former, change.path, change.commit) == ("a.md", "çok iyi/ğ @ b.md", moved)
    assert (change.when, change.blob) == (day(3), blob_id(TEXT + "\nmore"))
    dates = first_and_last(read(vault).changes)
    assert {path: (found.first, found.last) for path, found in dates.items()} == {
        "çok iyi/ğ @ b.md": (day(1), day(3))
    }


def test_a_note_leaves_and_enters_the_notes_of_the_vault(repository: Path) -> None:
    vault = repository / "vault"
    inside, elsewhere = "vault/a.md", ["a.md", "vault/a.txt", "vault/.trash/a.md", "vault/.a.md"]
    (vault / ".trash").mkdir()
    (vault / "a.md").write_text(TEXT)
    commit(repository, on=1)
    for on, outside in enumerate(elsewhere, start=1):
        git(repository, "mv", inside, outside)
        commit(repository, on=2 * on)
        git(repository, "mv", outside, inside)
        commit(repository, on=2 * on + 1)
    expected = [(None, "a.md", True)]
    expected += [(None, "a.md", there) for _ in elsewhere for there in (False, True)]
    assert told(read(vault).changes) == expected


def test_links_and_submodules_are_no_notes(repository: Path, tmp_path: Path) -> None:
    (repository / "a.md").write_text(TEXT)
    commit(repository, on=1)
    git(repository, "submodule", "--quiet", "add", str(repository), "sub.md")
    (repository / "link.md").symlink_to("a.md")
    commit(repository, on=2)
    (repository / "a.md").unlink()
    (repository / "a.md").symlink_to("link.md")
    commit(repository, on=3)
    assert told(read(repository).changes) == [(None, "a.md", True), (None, "a.md", False)]
    assert told(read(repository / "sub.md").changes) == [(None, "a.md", True)]


def test_what_only_a_merge_did_counts_as_its_change(repository: Path) -> None:
    note = repository / "a.md"
    note.write_text("base")
    commit(repository, on=1)
    git(repository, "checkout", "-q", "-b", "other")
    note.write_text("theirs")
    commit(repository, on=4)
    git(repository, "checkout", "-q", "main")
    note.write_text("ours")
    commit(repository, on=2)
    git(repository, "merge", "-q", "-s", "ours", "--no-commit", "other", on=5)
    note.write_text("both")
    (repository / "b.md").write_text("new")
    commit(repository, on=5)
    changes = read(repository).changes
    assert [(change.when.day, change.blob) for change in changes if change.path == "a.md"] == [
        (1, blob_id("base")),
        (2, blob_id("ours")),
        (4, blob_id("theirs")),
        (5, blob_id("both")),
    ]
    assert [change.when.day for change in changes if change.path == "b.md"] == [5]


def test_later_commits_continue_a_log(repository: Path) -> None:
    (repository / "a.md").write_text("one")
    commit(repository, on=1)
    first = read(repository)
    assert not first.continues
    assert read(repository, after=first.head) == GitLog(
        head=first.head, changes=(), continues=True, cut=None
    )
    (repository / "a.md").write_text("two")
    (repository / "picture.png").write_text("two")
    second = commit(repository, on=2)
    log = read(repository, after=first.head)
    assert (log.head, log.continues, log.cut) == (second, True, None)
    assert [(change.commit, change.path) for change in log.changes] == [(second, "a.md")]


def test_a_rewritten_history_replaces_what_was_known(repository: Path) -> None:
    (repository / "a.md").write_text("one")
    commit(repository, on=1)
    before = read(repository)
    git(repository, "commit", "-q", "--amend", "-m", "another", on=2)
    after = read(repository, after=before.head)
    assert (after.continues, len(after.changes)) == (False, 1)
    for unknown in ("0" * 40, "HEAD", "--all", "", ".", f"{after.head}.0123456789ab"):
        assert read(repository, after=unknown) == after


@pytest.mark.parametrize("commits", [1, 2])
def test_more_commits_than_the_limit_are_cut_and_told(repository: Path, commits: int) -> None:
    (repository / "old.md").write_text("old")
    first = commit(repository, on=1)
    for on in (2, 3, 4):
        (repository / "a.md").write_text(str(on))
        commit(repository, on=on)
    log = read(repository, commits=commits)
    assert log.cut is not None
    assert f"2020-01-0{4 - commits}" in log.cut
    grafted = {change.path: change for change in log.changes if change.grafted}
    assert set(grafted) == {"old.md", "a.md"}
    assert grafted["old.md"].when == day(4 - commits)
    assert set(first_and_last(log.changes)) == {"a.md"}
    assert not read(repository, after=first, commits=commits).continues
    assert read(repository, commits=4).cut is None


def test_a_shallow_clone_says_what_it_lacks_until_it_is_deepened(
    repository: Path, tmp_path: Path
) -> None:
    (repository / "old.md").write_text("a")
    commit(repository, on=1)
    (repository / "new.md").write_text("a")
    commit(repository, on=2)
    (repository / "newest.md").write_text("a")
    git(repository, "tag", "grafted")
    commit(repository, on=3)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "2", repository.as_uri(), "clone")
    log = read(clone)
    assert [(change.path, change.grafted) for change in log.changes] == [
        ("new.md", True),
        ("old.md", True),
        ("newest.md", False),
    ]
    assert log.cut is not None
    assert "2020-01-02" in log.cut
    assert set(first_and_last(log.changes)) == {"newest.md"}
    assert read(clone, after=log.head).continues
    git(clone, "fetch", "-q", "--unshallow")
    whole = read(clone, after=log.head)
    assert (whole.continues, whole.cut) == (False, None)
    assert set(first_and_last(whole.changes)) == {"old.md", "new.md", "newest.md"}


def test_dates_that_cannot_be_are_replaced(repository: Path) -> None:
    """By the committer's, else by that of the commit before."""
    lines = [
        ("-5000", "1577880000"),
        ("garbage", "99999999999999999999"),
        ("1578052800", "1"),
        ("4102444800", "7258118400"),
        ("4133980800", "-1"),
    ]
    parent = ""
    for number, (author, committer) in enumerate(lines):
        blob = git(repository, "hash-object", "-w", "--stdin", stdin=b"%d" % number)
        tree = git(repository, "mktree", stdin=f"100644 blob {blob}\ta.md\n".encode())
        who = f"author t <t> {author} +0000\ncommitter t <t> {committer} +0000"
        text = f"tree {tree}\n{parent}{who}\n\nx\n"
        ask = ("hash-object", "-t", "commit", "-w", "--stdin", "--literally")
        parent = f"parent {git(repository, *ask, stdin=text.encode())}\n"
    git(repository, "update-ref", "HEAD", parent.split()[1])
    found = [int(change.when.timestamp()) for change in read(repository).changes]
    assert found == [1577880000, 1577880000, 1578052800, 4102444800, 4102444800]


def test_a_deleted_note_that_comes_back_keeps_its_first_date_and_a_moved_name_does_not(
    repository: Path,
) -> None:
    note, moved = repository / "a.md", repository / "b.md"
    note.write_text(TEXT)
    commit(repository, on=1)
    note.unlink()
    commit(repository, on=2)
    assert first_and_last(read(repository).changes) == {}
    note.write_text(TEXT)
    commit(repository, on=3)
    note.rename(moved)
    commit(repository, on=4)
    note.write_text("another note")
    commit(repository, on=5)
    dates = first_and_last(read(repository).changes)
    assert {path: (found.first, found.last) for path, found in dates.items()} == {
        "a.md": (day(5), day(5)),
        "b.md": (day(1), day(4)),
    }


def test_a_clock_that_was_wrong_does_not_change_the_order(repository: Path) -> None:
    for on in (9, 2, 5):
        (repository / "a.md").write_text(str(on))
        commit(repository, on=on)
    assert [change.when.day for change in read(repository).changes] == [9, 2, 5]
