import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tools.vault.git_dates import git_dates


def day(number: int) -> datetime:
    return datetime(2020, 1, number, 12, tzinfo=UTC)


def git(folder: Path, *arguments: str, on: int = 1) -> None:
    when = f"{day(on):%Y-%m-%dT%H:%M:%S}+00:00"
    who = {
        f"GIT_{role}_{what}": "t" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **who, **dates}
    command = ["git", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main", *arguments]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)


def commit(repository: Path, *, on: int) -> None:
    git(repository, "add", "-A", on=on)
    git(repository, "commit", "-q", "-m", "change", on=on)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / "vault" / "çok iyi").mkdir(parents=True)
    git(folder, "init", "-q")
    return folder


def test_first_and_last_change_by_path_within_the_vault(repository: Path) -> None:
    vault = repository / "vault"
    note = vault / "çok iyi" / "ğ @ not.md"
    note.write_text("a")
    (repository / "outside.md").write_text("a")
    (vault / "picture.png").write_text("a")
    commit(repository, on=1)
    note.write_text("b")
    commit(repository, on=3)
    (vault / "@new.md").write_text("n")
    commit(repository, on=5)
    found = git_dates(vault)
    assert set(found) == {"çok iyi/ğ @ not.md", "@new.md"}
    assert (found["çok iyi/ğ @ not.md"].first, found["çok iyi/ğ @ not.md"].last) == (day(1), day(3))
    assert (found["@new.md"].first, found["@new.md"].last) == (day(5), day(5))


def test_a_moved_note_keeps_its_first_date(repository: Path) -> None:
    vault = repository / "vault"
    (vault / "a.md").write_text("words that identify this note")
    commit(repository, on=1)
    git(repository, "mv", "vault/a.md", "vault/b.md")
    commit(repository, on=2)
    git(repository, "mv", "vault/b.md", "vault/c.md")
    commit(repository, on=4)
    (vault / "a.md").write_text("another note under the old name")
    commit(repository, on=6)
    found = git_dates(vault)
    assert (found["c.md"].first, found["c.md"].last) == (day(1), day(4))
    assert (found["a.md"].first, found["a.md"].last) == (day(6), day(6))


def test_the_cut_of_a_shallow_clone_dates_nothing(repository: Path, tmp_path: Path) -> None:
    (repository / "old.md").write_text("a")
    commit(repository, on=1)
    (repository / "new.md").write_text("a")
    commit(repository, on=2)
    (repository / "newest.md").write_text("a")
    commit(repository, on=3)
    git(tmp_path, "clone", "-q", "--depth", "2", repository.as_uri(), "clone")
    assert set(git_dates(tmp_path / "clone")) == {"newest.md"}


def test_the_repositorys_configuration_runs_nothing(repository: Path, tmp_path: Path) -> None:
    (repository / "a.md").write_text("a")
    commit(repository, on=1)
    (repository / "a.md").write_text("b")
    (repository / ".gitattributes").write_text("*.md diff=evil\n")
    commit(repository, on=2)
    mark = tmp_path / "ran"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "diff.external", "diff.evil.command"):
        git(repository, "config", key, str(script))
    git(repository, "config", "diff.evil.textconv", str(script))
    git(repository, "config", "gpg.program", str(script))
    git(repository, "config", "log.showSignature", "true")
    assert git_dates(repository)["a.md"].last == day(2)
    assert not mark.exists()


def test_without_a_repository_a_commit_or_git_there_are_no_dates(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert git_dates(tmp_path / "missing") == {}
    assert git_dates(repository) == {}
    monkeypatch.setenv("GIT_DIR", str(repository / ".git"))
    assert git_dates(tmp_path) == {}
    (repository / "a.md").write_text("a")
    commit(repository, on=1)
    assert set(git_dates(repository)) == {"a.md"}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_dates(repository) == {}
