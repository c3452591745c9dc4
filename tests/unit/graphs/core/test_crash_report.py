"""The last resort itself must not fail."""

import errno
import resource
import tempfile
from pathlib import Path

import pytest

from graphs.core.crash_report import NO_MEMORY, record


def test_the_report_holds_the_traceback_whatever_its_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    line = record(ValueError("lone \udc80"))
    (file,) = tmp_path.iterdir()
    assert str(file) in line
    assert "lone \\udc80" in file.read_text("utf-8")


def test_without_a_place_for_the_report_there_is_still_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    line = record(ValueError("x"))
    assert "ValueError" in line
    assert "\n" not in line


@pytest.mark.parametrize("limit", [2_000_000_000, resource.RLIM_INFINITY])
def test_too_little_memory_is_no_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def getrlimit(_: int) -> tuple[int, int]:
        return limit, limit

    monkeypatch.setattr(resource, "getrlimit", getrlimit)
    for failed in (
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        RuntimeError("can't start new thread"),
        ImportError("numpy.so: failed to map segment from shared object"),
    ):
        assert record(failed) == NO_MEMORY
    # Python at times says no more than this where it gets no memory.
    silent = record(SystemError("error return without exception set")) == NO_MEMORY
    assert silent == (limit != resource.RLIM_INFINITY)
    assert "SystemError" in record(SystemError("bad argument to internal function"))
    assert len(list(tmp_path.iterdir())) == 1 + (not silent)
