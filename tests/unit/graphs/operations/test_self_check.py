"""The last self-check as files of the data directory, and the line of ``brain doctor`` on it."""

import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphs.operations.self_check import SelfCheck, examine_self_check, keep, last_self_check
from tools.base.errors import StorageError
from tools.settings.settings import Settings

RUN = SelfCheck(
    at=datetime(2026, 11, 27, 9, tzinfo=UTC),
    made=100,
    asked=100,
    first=84,
    top3=90,
    notes=1200,
    version="0.1.0",
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "data").mkdir()
    return Settings(vault=tmp_path / "vault", data_dir=tmp_path / "data")


def test_what_never_ran_is_said_and_how_to_run_it(settings: Settings) -> None:
    found = examine_self_check(settings)
    assert found.ok
    assert "`brain eval self`" in found.detail


def test_the_last_run_is_told_in_a_line_with_its_page(settings: Settings) -> None:
    keep(settings, RUN, "<p>Şu</p>")
    found = examine_self_check(settings)
    assert found.ok
    assert found.detail == (
        "84 of 100 questions to your own notes answered in the first line (27 November 2026, "
        f"1,200 notes, version 0.1.0); see {settings.self_check_page}."
    )
    assert last_self_check(settings) == RUN
    for file in (settings.self_check_path, settings.self_check_page):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert settings.self_check_page.read_text("utf-8") == "<p>Şu</p>"
    assert len(list(settings.data_dir.iterdir())) == 2


def test_a_page_that_was_deleted_is_not_named(settings: Settings) -> None:
    keep(settings, RUN, "")
    settings.self_check_page.unlink()
    assert "self-check.html" not in examine_self_check(settings).detail


@pytest.mark.parametrize("content", [b"", b"{", b'{"asked": "many"}', b"\xff"])
def test_a_file_that_cannot_be_read_is_as_none(settings: Settings, content: bytes) -> None:
    settings.self_check_path.write_bytes(content)
    assert last_self_check(settings) is None
    assert examine_self_check(settings).ok


def test_what_cannot_be_kept_is_one_line_that_says_what_to_do(settings: Settings) -> None:
    settings.data_dir.rmdir()
    with pytest.raises(StorageError, match="--report FILE"):
        keep(settings, RUN, "")
