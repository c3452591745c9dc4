"""The file of secrets: private, whole, and silent about what it holds."""

import stat
from pathlib import Path

import pytest

from tools.base.errors import StorageError
from tools.graph.access.secrets import (
    FILE,
    Login,
    Secrets,
    owner_login,
    read_secrets,
    write_secrets,
)

HIDDEN = "hush-hush"
GIVEN = Secrets(
    owner=HIDDEN, tiers={"reader": Login(user="r", secret=HIDDEN)}, days={"reader": 0, "curator": 9}
)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    assert read_secrets(tmp_path) == Secrets()
    assert owner_login(tmp_path) is None
    write_secrets(tmp_path, GIVEN)
    assert read_secrets(tmp_path) == GIVEN
    assert owner_login(tmp_path) == Login(user="default", secret=HIDDEN)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_nobody_else_can_open_it_even_where_a_draft_lay_open(tmp_path: Path) -> None:
    (tmp_path / "access.draft").touch(mode=0o644)
    write_secrets(tmp_path, GIVEN)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_nothing_shows_a_secret() -> None:
    assert HIDDEN not in repr(GIVEN)
    assert HIDDEN not in str(GIVEN.tiers["reader"])


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", f'{{"owner": 1, "tiers": "{HIDDEN}"}}', f'{{"tiers": "{HIDDEN}"', "\0"]
)
def test_a_file_that_is_none_of_ours_is_named_not_quoted(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, "utf-8")
    with pytest.raises(StorageError, match=FILE) as caught:
        read_secrets(tmp_path)
    assert HIDDEN not in str(caught.value)
    assert caught.value.__cause__ is None or HIDDEN not in str(caught.value.__cause__)
