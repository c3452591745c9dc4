"""A client's file is replaced whole, in its place and mode, or not at all."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from graphs.mcp import config_file
from tools.base.errors import BrainError, InputError, StorageError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "client" / "mcp.json"
    path.parent.mkdir()
    path.write_text("before")
    path.chmod(0o640)
    return path


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def refuse(number: int) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_a_file_is_replaced_in_its_mode_and_the_old_one_kept_beside_it(path: Path) -> None:
    file = config_file.read(path)
    config_file.write(file, "after", keep_copy=True)
    assert path.read_text() == "after"
    assert file.copy.read_text() == "before"
    assert {one.stat().st_mode & 0o777 for one in (path, file.copy)} == {0o640}
    assert names_in(path.parent) == ["mcp.json", "mcp.json.before-brain"]


def test_the_copy_is_of_before_the_first_change(path: Path) -> None:
    config_file.write(config_file.read(path), "after", keep_copy=True)
    config_file.write(config_file.read(path), "later", keep_copy=False)
    assert config_file.read_copy(config_file.read(path)) == "before"


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(path)
    config_file.write(config_file.read(link), "after", keep_copy=True)
    assert link.is_symlink()
    assert path.read_text() == "after"
    assert names_in(path.parent) == ["mcp.json", "mcp.json.before-brain"]


def test_a_file_and_its_folder_may_be_new(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "mcp.json"
    config_file.write(config_file.read(path), "first", keep_copy=True)
    assert path.read_text() == "first"
    assert names_in(path.parent) == ["mcp.json"]


@pytest.mark.parametrize("meanwhile", ["changed", None])
def test_what_changed_meanwhile_is_not_overwritten(path: Path, meanwhile: str | None) -> None:
    file = config_file.read(path)
    path.unlink()
    if meanwhile is not None:
        path.write_text(meanwhile)
    for change in (
        lambda: config_file.write(file, "after", keep_copy=True),
        lambda: config_file.remove(file),
    ):
        with pytest.raises(InputError, match="meanwhile"):
            change()
    assert (path.read_text() if path.exists() else None) == meanwhile
    assert names_in(path.parent) == ([] if meanwhile is None else ["mcp.json"])


def test_a_file_that_came_meanwhile_is_not_overwritten(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    file = config_file.read(path)
    path.write_bytes(content)
    with pytest.raises(InputError, match="meanwhile"):
        config_file.write(file, "after", keep_copy=True)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("function", "number"),
    [
        ("fsync", errno.ENOSPC),
        ("open", errno.EROFS),
        ("open", errno.EACCES),
        ("fsync", errno.EDQUOT),
    ],
)
def test_where_nothing_can_be_written_all_is_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, function: str, number: int
) -> None:
    file = config_file.read(path)
    with monkeypatch.context() as patched:
        patched.setattr(config_file.os, function, refuse(number))
        with pytest.raises(StorageError, match=os.strerror(number)):
            config_file.write(file, "after", keep_copy=True)
    assert path.read_text() == "before"
    assert names_in(path.parent) == ["mcp.json"]


def test_a_copy_without_its_change_does_not_stay(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = config_file.read(path)
    replaced = Path.replace

    def fail_for_the_file(draft: Path, target: Path) -> Path:
        if target == path:
            refuse(errno.ENOSPC)()
        return replaced(draft, target)

    monkeypatch.setattr(Path, "replace", fail_for_the_file)
    with pytest.raises(StorageError):
        config_file.write(file, "after", keep_copy=True)
    assert names_in(path.parent) == ["mcp.json"]


def test_a_file_that_is_read_only_is_left_alone(path: Path) -> None:
    path.chmod(0o444)
    file = config_file.read(path)
    with pytest.raises(StorageError, match="read-only"):
        config_file.write(file, "after", keep_copy=True)
    with pytest.raises(StorageError, match="read-only"):
        config_file.remove(file)
    assert path.read_text() == "before"
    assert names_in(path.parent) == ["mcp.json"]


def test_what_is_no_text_file_is_one_line(tmp_path: Path) -> None:
    loop = tmp_path / "loop.json"
    loop.symlink_to(loop)
    for path in (tmp_path, loop):
        with pytest.raises(BrainError, match="cannot be read"):
            config_file.read(path)
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe9"}')
    with pytest.raises(InputError, match="UTF-8"):
        config_file.read(tmp_path / "latin.json").text()
