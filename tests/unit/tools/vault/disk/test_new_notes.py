"""New notes: never over a file, never out of the vault, whole or not at all."""

import contextlib
import errno
import hashlib
import os
import stat
import subprocess
import sys
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.processes.another_user import as_root
from tests.support.processes.mounts import read_only_view, small_disk
from tools.base.errors import InputError
from tools.vault.disk.new_note_paths import new_note_path, same_name_key
from tools.vault.disk.new_notes import (
    NoteExistsError,
    WrittenNote,
    existing_note,
    remove_note,
    write_new_note,
)

BEFORE = {
    "A.md": b"mine",
    "Über.md": b"mine",
    "inbox/Café.md": b"mine",
    "inbox/Straße.md": b"mine",
    ".hidden/x.md": b"mine",
    "dir.md/x.md": b"mine",
}
PARTS = st.sampled_from([
    "inbox", "Inbox", "A.md", "a.MD", "a.md", "A", "..", ".", "", "out", "loop", ".hidden",
    "dir.md",
    "node_modules", "con.md", "NUL", "x.md ", " x.md", "x.", "x\n.md", "x\0.md", "x:y.md", "C:",
    "\\..\\y.md", "~", "$HOME", "-rf.md", "Cafe\u0301.md", "CAFÉ.md", "STRASSE.md", "u\u0308ber.md",
    "\u202emd.exe.md", "\ud800.md", "ü" * 120 + ".md", "x" * 300, "new", "New.md", ".md", "..md",
    "\u200d.md", "A\u200d.md", "%2e%2e", "deep",
])  # fmt: skip
PATHS = st.one_of(
    st.lists(PARTS | st.text(max_size=6), min_size=1, max_size=5).map("/".join),
    st.text(max_size=20).map(lambda text: f"{text}.md"),
)


def made_in(folder: Path) -> Path:
    vault = folder / "vault"
    for path, content in BEFORE.items():
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_bytes(content)
    (folder / "outside").mkdir()
    (vault / "out").symlink_to(folder / "outside")
    (vault / "loop").symlink_to(vault)
    return vault


def everything(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for root, folders, names in os.walk(folder)
        for path in (Path(root, name) for name in (*folders, *names))
    }


def outcome(vault: Path, path: str) -> WrittenNote | InputError:
    try:
        return write_new_note(vault, new_note_path(path), b"new")
    except InputError as error:
        return error


@given(PATHS)
def test_whatever_the_path_nothing_is_lost_and_nothing_leaves_the_vault(path: str) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place)
        vault = made_in(folder)
        before = everything(folder)
        added = outcome(vault, path)
        after = everything(folder)
        if isinstance(added, InputError):
            assert str(added).isprintable()
            assert str(folder) not in str(added)
            assert after == before
            return
        composed = added.path
        assert {name: after[name] for name in before} == before
        new = after.keys() - before.keys()
        assert {name for name in new if after[name] is not None} == {f"vault/{composed}"}
        assert (vault / composed).read_bytes() == b"new"
        assert not (vault / composed).resolve().is_relative_to(folder / "outside")
        keys = [same_name_key(name) for name in after]
        assert len(set(keys)) == len(keys)
        assert remove_note(vault, added)
        assert everything(folder) == before


@pytest.mark.parametrize(
    "path",
    ["A.md", "a.md", "ÜBER.md", "u\u0308ber.md", "inbox/cafe\u0301.md", "inbox/STRASSE.md"],
)
def test_what_some_system_takes_for_the_same_name_is_there(tmp_path: Path, path: str) -> None:
    vault = made_in(tmp_path)
    composed = new_note_path(path)
    assert existing_note(vault, composed) in BEFORE
    with pytest.raises(NoteExistsError, match="nothing is written over"):
        write_new_note(vault, composed, b"new")


@pytest.mark.parametrize("path", ["Inbox/x.md", "out/x.md", "loop/x.md", "A.md/x.md"])
def test_no_link_file_or_twin_of_a_folder_is_gone_through(tmp_path: Path, path: str) -> None:
    vault = made_in(tmp_path)
    before = everything(tmp_path)
    with pytest.raises(InputError):
        write_new_note(vault, new_note_path(path), b"new")
    assert everything(tmp_path) == before


def test_missing_folders_are_made_and_go_again(tmp_path: Path) -> None:
    vault = made_in(tmp_path)
    written = write_new_note(vault, "inbox/a/b/New.md", b"new")
    assert written.folders == ("inbox/a", "inbox/a/b")
    (vault / "inbox/a/Other.md").write_bytes(b"theirs")
    assert remove_note(vault, written)
    assert (vault / "inbox/a/Other.md").exists()
    assert not (vault / "inbox/a/b").exists()
    assert not remove_note(vault, written)


def test_a_note_that_was_changed_stays(tmp_path: Path) -> None:
    vault = made_in(tmp_path)
    written = write_new_note(vault, "New.md", b"new")
    (vault / "New.md").write_bytes(b"newer")
    with pytest.raises(InputError, match="changed since"):
        remove_note(vault, written)
    assert (vault / "New.md").read_bytes() == b"newer"
    (vault / "New.md").unlink()
    (vault / "New.md").symlink_to(vault / "A.md")
    forged = WrittenNote(path="New.md", digest=hashlib.sha256(b"mine").hexdigest())
    with pytest.raises(InputError, match="changed since"):
        remove_note(vault, forged)
    assert (vault / "A.md").read_bytes() == b"mine"
    assert (vault / "New.md").is_symlink()


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("newer", [True, False])
def test_what_an_editor_saves_while_a_note_is_taken_out_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, newer: bool, links: bool
) -> None:
    vault = made_in(tmp_path)
    written = write_new_note(vault, "New.md", b"new")
    read = hashlib.file_digest
    reads: list[str] = []

    def save_after_reading(*arguments: Any) -> Any:
        digest = read(*arguments)
        reads.append("one more")
        if len(reads) == 1 or newer:
            (tmp_path / "saved").write_bytes(b"saved %d" % len(reads))
            (tmp_path / "saved").rename(vault / "New.md")
        return digest

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.EPERM, "no links")

    monkeypatch.setattr(hashlib, "file_digest", save_after_reading)
    if not links:
        monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(InputError, match="changed since"):
        remove_note(vault, written)
    new = sorted(path.read_bytes() for path in vault.glob("New*.md"))
    assert new == ([b"saved 1", b"saved 2"] if newer else [b"saved 1"])
    assert (vault / "New.md").read_bytes() == new[-1]
    assert not list(vault.glob(".brain-*"))


def test_what_is_saved_anew_after_it_was_taken_out_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = made_in(tmp_path)
    written = write_new_note(vault, "New.md", b"new")
    unlink = os.unlink

    def save(*arguments: Any, **options: Any) -> None:
        unlink(*arguments, **options)
        (vault / "New.md").write_bytes(b"saved")

    monkeypatch.setattr(os, "unlink", save)
    with pytest.raises(InputError, match="changed since"):
        remove_note(vault, written)
    assert (vault / "New.md").read_bytes() == b"saved"


def test_no_folder_elsewhere_is_removed_for_one_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = made_in(tmp_path)
    written = write_new_note(vault, "a/b/New.md", b"new")
    moved = WrittenNote(path="A.md", digest=hashlib.sha256(b"mine").hexdigest(), folders=("x/b",))
    (tmp_path / "elsewhere/b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert remove_note(vault, moved)
    assert remove_note(vault, written)
    assert (tmp_path / "elsewhere/b").is_dir()
    assert not (vault / "a").exists()


@pytest.mark.parametrize("folder", ["Cafe\u0301", "inbox/Cafe\u0301"])
def test_a_folder_stored_in_another_unicode_form_takes_notes(tmp_path: Path, folder: str) -> None:
    vault = made_in(tmp_path)
    (vault / folder).mkdir()
    (vault / folder).with_name("CAFE\u0301").mkdir()
    (vault / folder / "Old.md").write_bytes(b"mine")
    before = everything(tmp_path)
    path = new_note_path(f"{folder}/deep/New.md")
    written = write_new_note(vault, path, b"new")
    assert (vault / folder / "deep/New.md").read_bytes() == b"new"
    assert existing_note(vault, path) == path
    with pytest.raises(NoteExistsError):
        write_new_note(vault, new_note_path(f"{folder}/old.md"), b"new")
    assert remove_note(vault, written)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("problem", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_a_folder_that_cannot_be_synced_has_the_note_or_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: int
) -> None:
    vault = made_in(tmp_path)
    sync = os.fsync

    def refuse(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(problem, os.strerror(problem))
        sync(descriptor)

    before = everything(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", refuse)
        if problem == errno.EIO:
            with pytest.raises(OSError, match="Input/output"):
                write_new_note(vault, "new/New.md", b"new")
        else:
            assert remove_note(vault, write_new_note(vault, "new/New.md", b"new"))
    assert everything(tmp_path) == before


def test_of_many_who_write_one_path_at_once_one_wins(tmp_path: Path) -> None:
    vault = made_in(tmp_path)
    start = threading.Barrier(8)

    def write(number: int) -> int | None:
        start.wait()
        try:
            write_new_note(vault, "inbox/new/Race.md", b"%d" % number * 1000)
        except NoteExistsError:
            return None
        return number

    with ThreadPoolExecutor(8) as threads:
        won = [number for number in threads.map(write, range(8)) if number is not None]
    assert len(won) == 1
    assert (vault / "inbox/new/Race.md").read_bytes() == b"%d" % won[0] * 1000
    assert [one.name for one in (vault / "inbox/new").iterdir()] == ["Race.md"]


WRITE_EACH = """
import sys
from pathlib import Path
from tools.vault.disk.new_notes import NoteExistsError, write_new_note
vault, content, won = Path(sys.argv[1]), sys.argv[2].encode() * 999, []
for number in range(40):
    try:
        write_new_note(vault, f"new/{number % 4}/{number}.md", content)
    except NoteExistsError:
        continue
    won.append(number)
print(*won)
"""


def test_so_it_is_between_processes(tmp_path: Path) -> None:
    vault = made_in(tmp_path)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITE_EACH, vault, letter], stdout=subprocess.PIPE, text=True
        )
        for letter in "abc"
    ]
    won = [list(map(int, writer.communicate(timeout=60)[0].split())) for writer in writers]
    assert sorted(number for one in won for number in one) == list(range(40))
    for letter, numbers in zip("abc", won, strict=True):
        for number in numbers:
            assert (vault / f"new/{number % 4}/{number}.md").read_text() == letter * 999
    assert len([one for one in (vault / "new").rglob("*") if one.is_file()]) == 40


@pytest.mark.parametrize("there", [False, True])
def test_a_file_system_without_hard_links_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, there: bool
) -> None:
    vault = made_in(tmp_path)

    def refuse(*_: Any, **__: Any) -> None:
        if there:  # somebody is quicker
            (vault / "New.md").write_bytes(b"theirs")
        raise OSError(errno.EPERM, "no links")

    monkeypatch.setattr(os, "link", refuse)
    if there:
        with pytest.raises(NoteExistsError):
            write_new_note(vault, "New.md", b"new")
    else:
        write_new_note(vault, "New.md", b"new")
    assert (vault / "New.md").read_bytes() == (b"theirs" if there else b"new")
    assert not list(vault.glob(".brain-*"))


def fill(disk: Path) -> None:
    with (disk / "ballast").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 65536)


@as_root
def test_a_full_disk_and_a_read_only_one_keep_nothing_half(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        (disk / "A.md").write_bytes(b"mine")
        fill(disk)
        with pytest.raises(OSError, match="No space left"):
            write_new_note(disk, "deep/New.md", b"new" * 100_000)
        assert sorted(one.name for one in disk.iterdir()) == ["A.md", "ballast"]
    (tmp_path / "vault").mkdir()
    with (
        read_only_view(tmp_path / "vault", at=tmp_path / "shown") as shown,
        pytest.raises(OSError, match="Read-only"),
    ):
        write_new_note(shown, "deep/New.md", b"new")


@pytest.mark.parametrize(
    "path",
    [
        *("/etc/x.md", "../x.md", "a/../x.md", "a//x.md", ".x.md", "a/.b/x.md"),
        *("x.txt", "x", "x.MD", "CON.md"),
    ],
)
def test_such_paths_are_refused_in_one_line(path: str) -> None:
    with pytest.raises(InputError) as caught:
        new_note_path(path)
    assert "\n" not in str(caught.value)


IGNORABLE = (
    "\u034f\u115f\u1160\u17b4\u180b\u200b\u202e\u2060\u3164\ufe00\uffa0\U000e0100\u2800\U00013441"
)


@pytest.mark.parametrize("letter", IGNORABLE, ids=ascii)
@pytest.mark.parametrize("path", ["in{}box/A.md", "{}/A.md", "A{}.md", "{}.md"])
def test_letters_that_do_not_show_are_in_no_path(path: str, letter: str) -> None:
    with pytest.raises(InputError, match="do not show"):
        new_note_path(path.format(letter))


@pytest.mark.parametrize("path", ["\u200d.md", "\ufe0f/A.md", "a/\u200c\u200d/A.md"])
def test_a_name_has_more_than_what_joins_letters(path: str) -> None:
    with pytest.raises(InputError, match="do not show"):
        new_note_path(path)


def test_a_path_is_composed() -> None:
    assert new_note_path("Cafe\u0301.md") == unicodedata.normalize("NFC", "Café.md")
    for path in (
        "👩‍👩‍👧 aile/Günlük.md",
        "\u2764\ufe0f.md",
        "می\u200cخواهم.md",
        "한글.md",
        "⠓⠊.md",
    ):
        assert new_note_path(path) == path
