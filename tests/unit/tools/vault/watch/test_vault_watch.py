"""What a process that stays hears of its vault; in doubt something may have changed."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import psutil
import pytest

from tools.vault.disk.files import scan
from tools.vault.watch import watching
from tools.vault.watch.watching import FolderWatch, VaultWatch, WatchError, supports_watching


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "note.md").write_text("One.", "utf-8")
    return folder


@pytest.fixture
def fences(tmp_path: Path) -> Path:
    return tmp_path / "run" / "watches"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watch(vault: Path, fences: Path, clock: Clock) -> Iterator[VaultWatch]:
    made = VaultWatch(vault, fences=fences, clock=clock, patience=20)  # a machine may be busy
    yield made
    made.close()


def folders(vault: Path) -> tuple[str, ...]:
    return scan(vault, max_bytes=1000).folders


def look_at_all(watch: VaultWatch, vault: Path) -> None:
    look = watch.look()
    watch.settle(look, folders(vault))


@pytest.fixture
def settled(watch: VaultWatch, vault: Path) -> VaultWatch:
    """One that watches, of whose vault everything was looked at."""
    assert watch.arm(folders(vault))
    look_at_all(watch, vault)
    assert not watch.look().changed
    return watch


def test_without_being_armed_everything_may_have_changed(watch: VaultWatch, vault: Path) -> None:
    for _ in range(3):
        look_at_all(watch, vault)
        assert watch.look().changed


def test_what_was_looked_at_before_it_was_armed_may_have_changed(
    watch: VaultWatch, vault: Path
) -> None:
    look = watch.look()
    watch.arm(folders(vault))
    watch.settle(look, folders(vault))
    assert watch.look().changed


def test_a_save_is_heard_of_by_the_very_next_look(settled: VaultWatch, vault: Path) -> None:
    for number in range(100):
        (vault / "a" / "note.md").write_text(f"Text {number}.", "utf-8")
        assert settled.look().changed, number
        look_at_all(settled, vault)
        assert not settled.look().changed


def test_it_stays_changed_until_somebody_looked_at_all(settled: VaultWatch, vault: Path) -> None:
    (vault / "a" / "note.md").write_text("Two.", "utf-8")
    look = settled.look()
    (vault / "a" / "other.md").write_text("Three.", "utf-8")
    assert settled.look().changed
    settled.settle(look, folders(vault))  # began before the second note came
    assert settled.look().changed


@pytest.mark.parametrize("change", ["write", "over", "rename", "case", "delete", "touch"])
def test_each_way_to_change_a_note_is_heard_of(
    settled: VaultWatch, vault: Path, change: str
) -> None:
    note = vault / "a" / "note.md"
    match change:
        case "write":
            note.write_text("Two.", "utf-8")
        case "over":
            (vault / "draft").write_text("Two.", "utf-8")
            (vault / "draft").replace(note)
        case "rename":
            note.rename(vault / "moved.md")
        case "case":
            note.rename(vault / "a" / "Note.md")
        case "delete":
            note.unlink()
        case _:
            os.utime(note, (1, 1))
    assert settled.look().changed


def test_what_is_no_note_is_no_change(settled: VaultWatch, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "workspace.json").write_text("{}", "utf-8")
    (vault / ".note.md.swp").write_text("x", "utf-8")
    (vault / "note.md~").write_text("x", "utf-8")
    (vault / "picture.png").write_text("x", "utf-8")
    (vault / "a" / "note.md").read_text("utf-8")
    assert not settled.look().changed


def test_a_folder_that_came_is_watched_only_from_the_next_arming_on(
    settled: VaultWatch, vault: Path
) -> None:
    (vault / "new").mkdir()
    assert settled.look().changed
    assert not settled.armed
    look_at_all(settled, vault)
    assert settled.look().changed

    settled.arm(folders(vault))
    look_at_all(settled, vault)
    assert not settled.look().changed
    (vault / "new" / "note.md").write_text("One.", "utf-8")
    assert settled.look().changed


def test_other_folders_than_those_watched_end_the_watch(settled: VaultWatch) -> None:
    settled.settle(settled.look(), ["", "a", "elsewhere"])
    assert settled.look().changed


def test_a_link_to_the_vault_that_leads_elsewhere_is_noticed(
    vault: Path, fences: Path, tmp_path: Path
) -> None:
    link, other = tmp_path / "link", tmp_path / "other"
    link.symlink_to(vault)
    watch = VaultWatch(link, fences=fences, patience=20)
    watch.arm(folders(link))
    look_at_all(watch, link)
    assert not watch.look().changed
    shutil.copytree(vault, other)
    link.unlink()
    link.symlink_to(other)
    assert watch.look().changed
    watch.close()


@pytest.mark.parametrize("comes_back", [False, True])
def test_a_vault_that_goes_away_may_have_changed(
    settled: VaultWatch, vault: Path, *, comes_back: bool
) -> None:
    vault.rename(vault.with_name("away"))
    if comes_back:
        (vault / "a").mkdir(parents=True)
    assert settled.look().changed
    assert not settled.armed


def test_what_is_distrusted_is_not_armed_again_for_a_while(
    settled: VaultWatch, clock: Clock
) -> None:
    settled.distrust()
    assert settled.look().changed
    assert not settled.worth_arming
    clock.now = 1000
    assert settled.worth_arming


@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device"), RuntimeError("OS file watch limit reached.")],
)
def test_a_system_that_refuses_is_no_failure(
    watch: VaultWatch, vault: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(*_: object, **__: object) -> Iterator[set[object]]:
        raise error
        yield set()

    monkeypatch.setattr(watching, "watch", refuse)
    assert not watch.arm(folders(vault))
    assert watch.look().changed
    assert not watch.worth_arming


def test_a_system_that_falls_silent_is_not_believed(
    vault: Path, fences: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(*_: object, **__: object) -> Iterator[set[object]]:
        while True:
            yield set()

    monkeypatch.setattr(watching, "watch", silent)
    watch = VaultWatch(vault, fences=fences)
    assert watch.arm(folders(vault))
    while watch.armed:
        look_at_all(watch, vault)
        assert watch.look().changed


@pytest.mark.parametrize(
    ("mounts", "told"),
    [
        ({"/": "ext4"}, True),
        ({"/": "ext4", "/home/me": "nfs4"}, False),
        ({"/": "ext4", "/home/me/notes": "fuse.sshfs"}, False),
        ({"/": "ext4", "/home/me/notes/shared": "cifs"}, False),
        ({"/": "9p", "/home/me": "btrfs"}, True),
        ({"/": "ext4", "/home/me/notes elsewhere": "nfs4"}, True),
        ({}, False),
    ],
)
def test_only_local_file_systems_tell_of_changes(
    monkeypatch: pytest.MonkeyPatch, mounts: dict[str, str], *, told: bool
) -> None:
    parts = [SimpleNamespace(mountpoint=at, fstype=kind) for at, kind in mounts.items()]
    monkeypatch.setattr(psutil, "disk_partitions", Mock(return_value=parts))
    assert supports_watching(Path("/home/me/notes")) is told


def test_folders_that_are_not_there_cannot_be_watched(vault: Path, fences: Path) -> None:
    with pytest.raises(WatchError):
        FolderWatch(vault, ["", "nowhere"], fences=fences)
    assert not list(fences.glob("watch-*"))


def test_a_run_directory_that_is_deleted_ends_the_watch(
    settled: VaultWatch, vault: Path, fences: Path
) -> None:
    shutil.rmtree(fences.parent)
    assert settled.look().changed
    assert not settled.armed
    assert settled.arm(folders(vault))
    look_at_all(settled, vault)
    assert not settled.look().changed


def test_watches_of_one_vault_do_not_disturb_each_other(
    settled: VaultWatch, vault: Path, fences: Path
) -> None:
    other = VaultWatch(vault, fences=fences, patience=20)
    assert other.arm(folders(vault))
    look_at_all(other, vault)
    for watch in (settled, other, settled, other):
        assert not watch.look().changed
    (vault / "a" / "note.md").write_text("Two.", "utf-8")
    assert settled.look().changed
    assert other.look().changed
    other.close()
    look_at_all(settled, vault)
    assert not settled.look().changed


def test_a_file_beside_the_vault_counts(vault: Path, fences: Path, tmp_path: Path) -> None:
    head = tmp_path / "repository" / "HEAD"
    head.parent.mkdir()
    head.write_text("one", "utf-8")
    watch = FolderWatch(vault, [""], fences=fences, beside=[head])
    (head.parent / "index").write_text("x", "utf-8")
    assert not watch.so_far(patience=20)
    head.write_text("two", "utf-8")
    heard = watch.so_far(patience=20)
    watch.close()
    assert heard is not None
    assert heard.beside
