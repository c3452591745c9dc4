"""A run over a vault in git: what it reads of the history, and what it says where it cannot."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphs.state import IngestReport
from tests.desk import Desk
from tests.repositories import commit, git


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    git(desk.vault, "init", "-q")
    yield desk
    desk.close()


def about_history(report: IngestReport) -> list[str]:
    return [
        f"{warning.error} {warning.impact}"
        for warning in report.warnings
        if warning.source == "history"
    ]


def test_a_history_that_git_does_not_tell_is_said_and_read_by_the_next_run(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("Tea.md", "causes:: [[Sleep]]")
    commit(desk.vault, on=1)
    with monkeypatch.context() as without_git:
        without_git.setenv("PATH", str(tmp_path))
        (line,) = about_history(desk.ingest())
    assert line.startswith("The git history was not read: git cannot be run")
    assert "\n" not in line
    assert desk.facts("Tea") == [("Tea", "CAUSES", "Sleep")]

    assert about_history(desk.ingest()) == []
    (version,) = desk.history.versions(["Tea.md"])["Tea.md"]
    assert version.origin == "git"


def test_a_vault_in_no_repository_has_nothing_to_say(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("Tea.md", "Green.")
    assert about_history(desk.ingest()) == []
    desk.close()
