"""A note's bytes replaced: only if they are those that were read, and with all else as it was."""

import contextlib
import hashlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes.another_user import NOBODY, as_root
from tests.support.processes.mounts import remount, small_disk
from tools.base.errors import InputError
from tools.vault.disk import file_attributes, replace
from tools.vault.disk.replace import ChangedError, check_replaceable, end_replacing, replace_note

OLD, NEW, SAVED = b"old\n", b"new\r\n", b"saved by an editor"
DRAFT = ".brain-0.draft"


def sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


@pytest.fixture
def note(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    path = tmp_path / "in/A.md"
    path.write_bytes(OLD)
    return path


def unable(*_: object) -> bool:
    return False


@pytest.fixture(params=["exchange", "rename"])
def any_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "rename":
        monkeypatch.setattr(replace, "exchange", unable)
    return request.param


def do(note: Path, content: bytes = NEW) -> None:
    replace_note(note.parents[1], "in/A.md", content, before=sha256(OLD), draft=DRAFT)


def names(note: Path) -> list[str]:
    return sorted(one.name for one in note.parent.iterdir())


@pytest.mark.usefixtures("any_system")
def test_it_has_the_new_bytes_and_all_else_as_it_was(note: Path) -> None:
    note.chmod(0o640)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setxattr(note, "user.tag", b"red")
    if os.getuid() == 0:
        os.chown(note, NOBODY, NOBODY)
    before = note.stat()
    attributes = {name: os.getxattr(note, name) for name in os.listxattr(note)}
    do(note)
    after = note.stat()
    assert note.read_bytes() == NEW
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode, before.st_uid, before.st_gid,
    )  # fmt: skip
    assert after.st_mtime_ns > before.st_mtime_ns  # what synchronises and indexes has to see it
    assert {name: os.getxattr(note, name) for name in os.listxattr(note)} == attributes
    assert names(note) == ["A.md"]


@pytest.mark.usefixtures("any_system")
def test_what_was_changed_since_stays(note: Path) -> None:
    note.write_bytes(SAVED)
    with pytest.raises(ChangedError, match=r"'in/A\.md' was changed since"):
        do(note)
    with pytest.raises(ChangedError):
        check_replaceable(note.parents[1], "in/A.md", before=sha256(OLD))
    assert (note.read_bytes(), names(note)) == (SAVED, ["A.md"])


def test_what_is_saved_in_the_last_moment_stays(
    note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saves in place and by a new file, each before one exchange of names or both."""

    def in_place(content: bytes) -> None:
        note.write_bytes(content)

    def by_a_new_file(content: bytes) -> None:
        beside = note.with_name("A.md.tmp")
        beside.write_bytes(content)
        beside.rename(note)

    exchange = replace.exchange
    ways: list[Callable[[bytes], None]] = [in_place, by_a_new_file]
    for first in ways:
        for second in (None, *ways):
            note.write_bytes(OLD)
            saves: list[tuple[Callable[[bytes], None], bytes]] = [(first, SAVED)]
            if second is not None:
                saves.append((second, b"saved once more"))
            left = list(saves)

            def saving(*names: Any, left: list[Any] = left) -> bool:
                if left:
                    save, content = left.pop(0)
                    save(content)
                return exchange(*names)

            monkeypatch.setattr(replace, "exchange", saving)
            with pytest.raises(ChangedError):
                do(note)
            assert (note.read_bytes(), names(note)) == (saves[-1][1], ["A.md"])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who writes a file")
def test_what_somebody_has_open_for_writing_is_not_replaced(note: Path) -> None:
    with note.open("ab", buffering=0) as file:
        with pytest.raises(ChangedError):
            do(note)
        file.write(b"appended\n")
    assert (note.read_bytes(), names(note)) == (OLD + b"appended\n", ["A.md"])
    with note.open("rb"):
        replace_note(note.parents[1], "in/A.md", NEW, before=sha256(note.read_bytes()), draft=DRAFT)
    assert note.read_bytes() == NEW


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who writes a file")
def test_a_network_mount_that_says_so_of_every_file_is_not_believed(
    note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with note.open("ab") as file:
        kind = file_attributes.file_system_of(file.fileno())
        assert kind
        monkeypatch.setattr(file_attributes, "REMOTE", {kind})
        do(note)
    assert note.read_bytes() == NEW


def _link(note: Path) -> None:
    note.rename(note.with_name("B.md"))
    note.symlink_to("B.md")


def _vim(note: Path) -> None:
    head = bytearray(4096)
    head[:2], head[1007] = b"b0", 0x55
    note.with_name(".A.md.swp").write_bytes(head)


HINDRANCES: list[tuple[Callable[[Path], object], str]] = [
    (_link, "is a link to another file"),
    (lambda note: (note.unlink(), note.mkdir()), "is no regular file"),
    (lambda note: (note.unlink(), os.mkfifo(note)), "is no regular file"),
    (lambda note: os.link(note, note.with_name("B.md")), r"one file under 2 names"),
    (lambda note: note.chmod(0o444), "is read-only"),
    (lambda note: note.parent.chmod(0o555), "in a folder that is read-only"),
    (lambda note: note.unlink(), "is gone"),
    (lambda note: note.rename(note.with_name(".A.md.icloud")), "is in iCloud"),
    (_vim, r"open in Vim with unsaved changes \(\.A\.md\.swp\)"),
    (lambda note: note.with_name(".#A.md").symlink_to("me@host.1"), r"Emacs .*\.#A\.md"),
    (lambda note: note.with_name(".~lock.A.md#").touch(), r"open in LibreOffice \(\.~lock"),
]


@pytest.mark.parametrize(("prepare", "why"), HINDRANCES)
def test_a_note_that_must_not_be_replaced_is_named_in_a_line(
    note: Path, prepare: Callable[[Path], object], why: str
) -> None:
    prepare(note)
    before = names(note)
    with pytest.raises(InputError, match=why) as caught:
        do(note)
    assert str(caught.value).startswith("'in/A.md' ")
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=why):
        check_replaceable(note.parents[1], "in/A.md", before=sha256(OLD))
    note.parent.chmod(0o755)
    assert names(note) == before


@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("A.sync-conflict-20240131-120000-ABCDEFG.md", "Syncthing"),
        ("A (me's conflicted copy 2024-01-31).md", "Dropbox"),
        ("A (Conflicted copy phone 202401311200).md", "Obsidian Sync"),
        ("A_conflict-20240131-120000.md", "ownCloud"),
        ("A (SFConflict me@x.org 2024-01-31).md", "Seafile"),
    ],
)
def test_a_conflicted_copy_is_named_with_who_made_it(
    tmp_path: Path, name: str, program: str
) -> None:
    (tmp_path / name).write_bytes(OLD)
    with pytest.raises(InputError, match=program):
        replace_note(tmp_path, name, NEW, before=sha256(OLD), draft=DRAFT)


def test_a_swap_file_of_vim_without_changes_is_no_hindrance(note: Path) -> None:
    head = bytearray(4096)
    head[:2] = b"b0"
    note.with_name(".A.md.swp").write_bytes(head)
    do(note)
    assert note.read_bytes() == NEW


def test_a_link_on_the_way_leads_nowhere(note: Path, tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("in")
    with pytest.raises(InputError, match="'out' is a link"):
        replace_note(tmp_path, "out/A.md", NEW, before=sha256(OLD), draft=DRAFT)
    assert note.read_bytes() == OLD


@as_root
@pytest.mark.parametrize("why", ["full", "read-only"])
def test_a_disk_that_takes_nothing_is_as_before(tmp_path: Path, why: str) -> None:
    with small_disk(tmp_path / "vault") as disk:
        (disk / "A.md").write_bytes(OLD)
        if why == "full":
            with (disk / "ballast").open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * 4096)
        else:
            remount(disk, "ro")
        with pytest.raises((OSError, InputError)):
            replace_note(disk, "A.md", NEW * 9000, before=sha256(OLD), draft=DRAFT)
        assert (disk / "A.md").read_bytes() == OLD
        assert {one.name for one in disk.iterdir()} <= {"A.md", "ballast"}


def test_nobody_reads_a_private_note_while_it_is_written(
    note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note.chmod(0o600)
    seen: list[int] = []
    sync = os.fsync

    def looking(descriptor: int) -> None:
        seen.extend(stat.S_IMODE(one.stat().st_mode) for one in note.parent.glob(".brain*"))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", looking)
    do(note)
    assert set(seen) == {0o600}


def test_what_was_begun_is_ended(note: Path) -> None:
    digests = sha256(OLD), sha256(NEW)

    def ended() -> str | None:
        return end_replacing(note.parents[1], "in/A.md", digests=digests, draft=DRAFT)

    draft, part = note.with_name(DRAFT), note.with_name(f"{DRAFT}.part")
    part.write_bytes(b"n")
    assert (ended(), names(note)) == (sha256(OLD), ["A.md"])
    draft.write_bytes(NEW)
    assert (ended(), names(note)) == (sha256(OLD), ["A.md"])
    note.write_bytes(NEW)
    draft.write_bytes(OLD)
    assert (ended(), names(note)) == (sha256(NEW), ["A.md"])
    draft.write_bytes(SAVED)
    assert (ended(), note.read_bytes(), names(note)) == (sha256(SAVED), SAVED, ["A.md"])
    draft.write_bytes(b"saved before")
    ended()
    assert {one.read_bytes() for one in note.parent.iterdir()} == {SAVED, b"saved before"}
    note.unlink()
    draft.write_bytes(OLD)
    assert ended() is None
    assert DRAFT not in names(note)
