"""A quota that is used up is told of as a full disk is."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from graphs.arguments import run
from graphs.upkeep import only_indexer
from tools.errors import StorageError
from tools.semantic.chroma_directory import open_client

REFUSED = OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))


def refuse(*_: object, **__: object) -> None:
    raise REFUSED


def test_output_that_a_quota_refuses_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.dup2", lambda *_: None)  # pyright: ignore[reportUnknownLambdaType]
    start: Callable[[], int] = refuse  # pyright: ignore[reportAssignmentType]
    with pytest.raises(typer.Exit):
        run(start)
    said = capsys.readouterr().err
    assert "the output cannot be written" in said
    assert len(said.splitlines()) == 1


def test_a_lock_that_a_quota_refuses_is_told_as_storage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StorageError, match="free some space"), only_indexer(tmp_path):
        pass


def test_vectors_that_a_quota_refuses_are_told_as_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StorageError, match="quota used up; text search still works"):
        open_client(tmp_path / "chroma")
