"""Repositories of all kinds, hostile ones included, and a git that fails."""

import os
from pathlib import Path

import pytest

from tests.support.vaults.repositories import blob_id, commit, day, git, replayed
from tools.base.errors import SourceError
from tools.vault.git.blobs import read_blobs
from tools.vault.git.repository import GitLog, head, read_log

FAILED = "`git fsck`"
"""What is to be run where git itself failed."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


def read(root: Path) -> GitLog:
    log = read_log(root)
    assert log is not None
    return log


def test_without_a_repository_or_a_commit_there_is_no_log(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (read_log(tmp_path / "missing"), head(tmp_path / "missing")) == (None, None)
    assert (read_log(repository), head(repository)) == (None, None)
    (repository / "a.md").write_text("a")
    commit(repository, on=1)
    monkeypatch.setenv("GIT_DIR", str(repository / ".git"))
    assert read_log(tmp_path) is None
    assert len(read(repository).changes) == 1
    (tmp_path / "empty" / ".git").mkdir(parents=True)
    assert (read_log(tmp_path / "empty"), head(tmp_path / "empty")) == (None, None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (read_log(tmp_path), head(tmp_path)) == (None, None)


def refused(root: Path, *, commits: int = 9, seconds: float = 60.0) -> str:
    """Why there is no log, in one line; a run is told that there is something to read."""
    with pytest.raises(SourceError) as caught:
        read_log(root, commits=commits, seconds=seconds)
    assert "\n" not in str(caught.value)
    assert str(root) not in str(caught.value)
    return str(caught.value)


def test_a_repository_that_git_cannot_read_is_told(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "a.md").write_text("a")
    commit(repository, on=1)
    (repository / "deep" / "vault").mkdir(parents=True)
    assert refused(repository, seconds=0).count(" 0 s") == 1
    (tmp_path / "stale").mkdir()
    (tmp_path / "stale" / ".git").write_text(f"gitdir: {tmp_path}/gone")
    assert FAILED in refused(tmp_path / "stale")
    assert head(tmp_path / "stale") == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    for folder in (repository, repository / "deep" / "vault", repository / ".git"):
        assert "No such file or directory" in refused(folder)  # git


def test_a_branch_whose_file_is_damaged_is_not_one_without_a_commit(repository: Path) -> None:
    (repository / "a.md").write_text("a")
    first = commit(repository, on=1)
    (repository / ".git" / "objects" / first[:2] / first[2:]).unlink()
    assert FAILED in refused(repository)


def test_a_repository_without_notes_has_an_empty_log(repository: Path) -> None:
    (repository / "a.txt").write_text("a")
    head = commit(repository, on=1)
    assert read(repository) == GitLog(head=head, changes=(), continues=False, cut=None)


@pytest.mark.parametrize("name", ["ğ @ not.md", '"quo\\ted".md', " b.MD", ":a.md"])
def test_names_are_given_as_they_are(repository: Path, name: str) -> None:
    (repository / name).write_text("a")
    commit(repository, on=1)
    (change,) = read(repository).changes
    assert change.path == name


@pytest.mark.parametrize("name", [b"\xff.md", b"tab\tline\n.md", b"\nb.MD"])
def test_a_name_that_is_no_readable_text_is_no_notes(repository: Path, name: bytes) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", stdin=b"a")
    git(
        repository,
        "update-index",
        "-z",
        "--index-info",
        stdin=f"100644 {blob}\t".encode() + name + b"\0",
    )
    git(repository, "commit", "-q", "-m", "change")
    assert read(repository).changes == ()


def test_a_worktree_has_the_history_of_its_own_head(repository: Path, tmp_path: Path) -> None:
    (repository / "a.md").write_text("one")
    first = commit(repository, on=1)
    (repository / "a.md").write_text("two")
    second = commit(repository, on=2)
    git(repository, "worktree", "add", "-q", "--detach", str(tmp_path / "tree"), first)
    assert read(tmp_path / "tree").head == first
    assert [change.commit for change in read(repository).changes] == [first, second]


def test_a_repository_apart_from_its_files_is_read(repository: Path, tmp_path: Path) -> None:
    (repository / "a.md").write_text("one")
    commit(repository, on=1)
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare")
    git(tmp_path, "clone", "-q", "--separate-git-dir=apart", str(repository), "files")
    expected = read(repository)
    assert read(tmp_path / "bare") == read(tmp_path / "files") == expected


def test_the_vault_is_a_folder_with_signs_of_a_pattern(repository: Path) -> None:
    for folder in ("[a]*", "a", "[A]*"):
        (repository / folder).mkdir()
        (repository / folder / f"{folder[0]}.md").write_text(folder)
    commit(repository, on=1)
    vault = repository / "[a]*"
    assert replayed(read(vault).changes) == {"[.md": blob_id("[a]*")}


def test_objects_with_longer_ids(tmp_path: Path) -> None:
    root = tmp_path / "long"
    root.mkdir()
    git(root, "init", "-q", "--object-format=sha256")
    (root / "a.md").write_text("one")
    first = commit(root, on=1)
    git(root, "mv", "a.md", "b.md")
    commit(root, on=2)
    log = read(root)
    assert [(change.former, change.path) for change in log.changes] == [
        (None, "a.md"),
        ("a.md", "b.md"),
    ]
    blob = log.changes[0].blob
    assert blob is not None
    assert list(read_blobs(root, [blob], max_bytes=9)) == [(blob, b"one")]
    later = read_log(root, after=first)
    assert later is not None
    assert (later.continues, later.changes) == (True, log.changes[1:])


def test_in_a_partial_clone_only_unchanged_notes_are_seen_to_move(
    repository: Path, tmp_path: Path
) -> None:
    text = "\n".join(f"line {number} of a long note" for number in range(20))
    for name in ("same.md", "edited.md"):
        (repository / name).write_text(f"{name}\n{text}")
    commit(repository, on=1)
    for name in ("same.md", "edited.md"):
        (repository / name).rename(repository / f"new {name}")
    (repository / "new edited.md").write_text(f"edited.md\n{text}\nmore")
    commit(repository, on=2)
    (repository / "new edited.md").write_text("later")
    commit(repository, on=3)
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", repository.as_uri(), "clone")

    def formers(root: Path) -> set[tuple[str | None, str]]:
        changes = read(root).changes
        return {(change.former, change.path) for change in changes if change.when == day(2)}

    assert formers(repository) == {("same.md", "new same.md"), ("edited.md", "new edited.md")}
    assert formers(tmp_path / "clone") == {
        ("same.md", "new same.md"),
        (None, "new edited.md"),
        (None, "edited.md"),
    }


def test_settings_do_not_change_what_is_read(repository: Path) -> None:
    (repository / "a.md").write_text("one")
    commit(repository, on=1)
    git(repository, "mv", "a.md", "b.md")
    commit(repository, on=2)
    expected = read(repository)
    for line in (
        *("diff.renames=false", "diff.renameLimit=1", "diff.relative=false", "diff.noprefix=true"),
        *("log.showRoot=false", "log.diffMerges=off", "log.decorate=full", "core.quotePath=true"),
        *("diff.orderFile=missing", "core.abbrev=5", "color.ui=always", "format.pretty=oneline"),
    ):
        git(repository, "config", *line.split("=", 1))
    assert read(repository) == expected
    git(repository, "replace", "--graft", expected.head)
    assert read(repository) == expected


def test_the_repositorys_configuration_runs_nothing(repository: Path, tmp_path: Path) -> None:
    (repository / "a.md").write_text("a")
    commit(repository, on=1)
    (repository / "a.md").write_text("b")
    (repository / ".gitattributes").write_text("*.md diff=evil filter=evil\n")
    commit(repository, on=2)
    missing = blob_id("a")
    (repository / ".git" / "objects" / missing[:2] / missing[2:]).unlink()
    mark = tmp_path / "ran"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    script.chmod(0o755)
    for key in (
        *("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "gpg.program"),
        *("diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.smudge"),
        *("remote.origin.uploadpack", "pager.log", "pager.diff-tree", "alias.log"),
    ):
        git(repository, "config", key, str(script))
    for line in (
        f"remote.origin.url=ext::sh -c {script}",
        *("remote.origin.promisor=true", "protocol.ext.allow=always", "log.showSignature=true"),
    ):
        git(repository, "config", *line.split("=", 1))
    assert read(repository).changes[-1].when == day(2)
    found = dict(read_blobs(repository, [missing, blob_id("b")], max_bytes=9))
    assert found == {missing: None, blob_id("b"): b"b"}
    assert not mark.exists()


def fake(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that does something else, or as a last resort what git does."""
    git_path = next(
        path / "git" for path in map(Path, os.environ["PATH"].split(":")) if (path / "git").exists()
    )
    program = folder / "bin" / "git"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\n{script}\nexec {git_path} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


@pytest.mark.parametrize("command", ["rev-parse", "rev-list", "diff-tree", "ls-tree"])
@pytest.mark.parametrize(
    "does",
    ["kill -9 $$", "exit 1", "echo; exit", "yes | head -n 9999 | tr '\\n' '\\0'; exit", "yes @"],
)
def test_a_git_that_fails_or_prints_garbage_gives_no_log_and_says_so(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, does: str
) -> None:
    for on in (1, 2):
        (repository / "a.md").write_text(str(on))
        commit(repository, on=on)
    fake(tmp_path, f'case "$*" in *{command}*) {does};; esac', monkeypatch)
    refused(repository, commits=1, seconds=0.5)


def test_a_git_that_says_nothing_is_ended_in_time(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "a.md").write_text("a")
    commit(repository, on=1)
    for command in ("rev-parse", "rev-list", "diff-tree", "config"):
        script = f'case "$*" in *{command}*) exec tail -f /dev/null;; esac'
        fake(tmp_path, script, monkeypatch)
        assert "0.2 s" in refused(repository, seconds=0.2)


def test_a_repository_of_another_owner_is_not_read(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "a.md").write_text("a")
    commit(repository, on=1)
    monkeypatch.setenv("HOME", str(tmp_path))
    fake(tmp_path, "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1", monkeypatch)
    assert "safe.directory" in refused(repository)
    assert head(repository) == ""
