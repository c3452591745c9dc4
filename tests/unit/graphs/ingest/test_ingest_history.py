"""A run over a vault in git: what it reads of the history, and what it says where it cannot."""

import os
import re
from pathlib import Path
from shutil import which

import pytest

from graphs.core.ingest_report import IngestReport
from tests.support.vaults.desk import Desk
from tests.support.vaults.desk import desk_in_git as desk
from tests.support.vaults.repositories import commit, day
from tools.base.domain import Moment

__all__ = ["desk"]


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
    assert "No such file or directory" in line  # git
    assert "\n" not in line
    assert desk.facts("Tea") == [("Tea", "CAUSES", "Sleep")]

    assert about_history(desk.ingest()) == []
    (version,) = desk.history.versions(["Tea.md"])["Tea.md"]
    assert version.origin == "git"


def fake(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that does something else for some commands, and otherwise what git does."""
    program = folder / "bin" / "git"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\ncase "$*" in {script};; esac\nexec {which("git")} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


def test_texts_that_git_fails_to_give_are_said_and_read_by_the_next_run(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for on, text in enumerate(("causes:: [[Work]]", "causes:: [[Rest]]", "causes:: [[Sleep]]"), 1):
        desk.write("Tea.md", text)
        commit(desk.vault, on=on)
    desk.write("Coffee.md", "causes:: [[Work]]")
    with monkeypatch.context() as failing:
        first = (
            'read name; echo "$name" | "$0" cat-file --batch --buffer | cat; read next; kill -9 $$'
        )
        fake(tmp_path, f"*--buffer);; *cat-file*) {first}", failing)
        report = desk.ingest()
    (line,) = about_history(report)
    assert re.findall(r"\d+|`[^`]+`", line) == ["`git fsck`", "2", "`brain index`"]
    assert desk.facts("Coffee") == [("Coffee", "CAUSES", "Work")]
    assert desk.facts("Tea") == [("Tea", "CAUSES", "Sleep")]
    assert len(desk.history.unread()) == 2

    report = desk.ingest()
    assert (about_history(report), report.graph_written) == ([], 1)
    assert desk.facts("Tea", at=Moment(as_of=day(2))) == [("Tea", "CAUSES", "Rest")]
    assert desk.facts("Tea", at=Moment(as_of=day(1))) == [("Tea", "CAUSES", "Work")]
    assert desk.ingest().graph_written == 0


def test_a_vault_in_no_repository_has_nothing_to_say(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("Tea.md", "Green.")
    assert about_history(desk.ingest()) == []
    desk.close()
