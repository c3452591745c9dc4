"""A quota that is used up is told of as a full disk is."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphs.stores.index_lock import only_indexer
from tools.base.errors import StorageError
from tools.semantic.chroma_directory import open_client

REFUSED = OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))


def refuse(*_: object, **__: object) -> None:
    raise REFUSED


def test_output_that_a_quota_refuses_is_one_line() -> None:
    program = (
        "import errno, os\n"
        "from graphs.cli.options import run\n"
        "def start():\n"
        "    raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))\n"
        "run(start)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    (said, *_) = done.stderr.splitlines()
    assert said.startswith("brain: ")
    assert os.strerror(errno.EDQUOT) in said
    assert "OSError" not in done.stderr  # it is no defect to report


def test_a_lock_that_a_quota_refuses_is_told_as_storage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StorageError, match=os.strerror(errno.EDQUOT)), only_indexer(tmp_path):
        pass


def test_vectors_that_a_quota_refuses_are_told_as_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StorageError, match="quota"):
        open_client(tmp_path / "chroma")
