import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.base.errors import InputError
from tools.vault.disk.files import Scan, is_note_path, read_bytes, scan

MOST = 1000


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


def look(root: Path, *folders: str) -> Scan:
    return scan(root, folders=folders, max_bytes=MOST)


def paths(found: Scan) -> list[str]:
    return [file.path for file in found.files]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def test_notes_are_listed_by_path_and_nothing_else_is(vault: Path) -> None:
    write(
        vault, "b.md", "a/z.md", "a/çay.md", "A.MD", "a b/c.md", "a/picture.png", "md", "x.md.txt"
    )
    write(vault, ".obsidian/p.md", ".git/p.md", ".trash/p.md", "a/node_modules/m/r.md", "a/.hid.md")
    (vault / "folder.md").mkdir()
    write(vault, "folder.md/in.md")
    found = look(vault)
    assert paths(found) == ["A.MD", "a b/c.md", "a/z.md", "a/çay.md", "b.md", "folder.md/in.md"]
    assert found.problems == ()
    info = (vault / "b.md").stat()
    assert (found.files[4].size, found.files[4].mtime_ns) == (info.st_size, info.st_mtime_ns)


def test_folders_restrict_the_walk(vault: Path) -> None:
    write(vault, "a/1.md", "a/b/2.md", "ab/3.md", "c/4.md", "5.md")
    assert paths(look(vault, "a/", "a/b", "c")) == ["a/1.md", "a/b/2.md", "c/4.md"]
    found = look(vault, "nowhere", "c")
    assert paths(found) == ["c/4.md"]
    assert [problem.note_path for problem in found.problems] == ["nowhere"]


@pytest.mark.parametrize("folder", ["..", "a/../..", "/etc", "./a", "a\0"])
def test_a_folder_outside_the_vault_is_refused(vault: Path, folder: str) -> None:
    with pytest.raises(InputError):
        look(vault, folder)


def test_links_out_of_the_vault_are_problems_and_loops_end(vault: Path, tmp_path: Path) -> None:
    write(tmp_path, "secret/s.md")
    write(vault, "a/real.md")
    (vault / "out.md").symlink_to(tmp_path / "secret" / "s.md")
    (vault / "outside").symlink_to(tmp_path / "secret")
    (vault / "photo.png").symlink_to(tmp_path / "secret" / "s.md")
    (vault / "a" / "up").symlink_to(vault)
    (vault / "again.md").symlink_to(vault / "a" / "real.md")
    (vault / "me.md").symlink_to("me.md")
    (vault / "gone.md").symlink_to("nowhere.md")
    found = look(vault)
    assert paths(found) == ["a/real.md"]
    messages = {problem.note_path: problem.message for problem in found.problems}
    assert set(messages) == {"out.md", "outside", "gone.md", "me.md"}
    assert messages["out.md"] == messages["outside"] != messages["gone.md"]
    assert not any(str(tmp_path) in message for message in messages.values())
    assert paths(look(vault, "outside")) == []


def test_names_that_no_output_can_show_are_problems(vault: Path) -> None:
    write(vault, "good.md", "line\nbreak.md", "bad\x1b[31mfolder/in.md")
    Path(os.fsdecode(os.fsencode(vault) + b"/caf\xe9.md")).write_text("x")
    found = look(vault)
    assert paths(found) == ["good.md"]
    assert len(found.problems) == 3
    for problem in found.problems:
        problem.note_path.encode()
        assert problem.note_path.isprintable()
    assert not any(is_note_path(path) for path in ("line\nbreak.md", "caf\udce9.md"))


def test_big_files_and_what_is_no_file_are_left_out(vault: Path) -> None:
    (vault / "big.md").write_bytes(b"x" * (MOST + 1))
    (vault / "fits.md").write_bytes(b"x" * MOST)
    os.mkfifo(vault / "pipe.md")
    found = look(vault)
    assert paths(found) == ["fits.md"]
    assert [problem.note_path for problem in found.problems] == ["big.md", "pipe.md"]
    with pytest.raises(InputError, match="1,000"):
        read_bytes(vault, "big.md", max_bytes=MOST)
    with pytest.raises(InputError, match=r"pipe\.md"):
        read_bytes(vault, "pipe.md", max_bytes=MOST)
    assert len(read_bytes(vault, "fits.md", max_bytes=MOST)) == MOST


def test_two_notes_whose_names_look_alike_are_two(vault: Path) -> None:
    names = ["Caf\u00e9.md", "Cafe\u0301.md"]
    for name in names:
        (vault / name).write_text(name, "utf-8")
    on_disk = {entry.name for entry in vault.iterdir()}
    assert len(set(paths(look(vault)))) == len(on_disk & set(names))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_what_may_not_be_read_is_a_problem(vault: Path) -> None:
    write(vault, "a.md", "closed/b.md")
    (vault / "a.md").chmod(0)
    (vault / "closed").chmod(0)
    found = look(vault)
    (vault / "closed").chmod(0o700)
    assert paths(found) == ["a.md"]
    assert [problem.note_path for problem in found.problems] == ["closed"]
    with pytest.raises(InputError, match=r"a\.md"):
        read_bytes(vault, "a.md", max_bytes=MOST)


def test_a_folder_that_fails_costs_its_own_notes_only(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, "a.md", "closed/b.md")
    listing = os.scandir

    def refuse(folder: str) -> object:
        if folder.endswith("closed"):
            raise PermissionError(13, "Permission denied", folder)
        return listing(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    found = look(vault)
    assert paths(found) == ["a.md"]
    assert [problem.note_path for problem in found.problems] == ["closed"]
    assert str(vault) not in found.problems[0].message


def test_a_decomposed_name_stays_as_the_file_system_has_it(vault: Path) -> None:
    write(vault, "cafe\u0301.md")
    (found,) = paths(look(vault))
    assert read_bytes(vault, found, max_bytes=MOST) == "cafe\u0301.md".encode()


def test_reading_a_note_gives_its_bytes(vault: Path) -> None:
    write(vault, "a/b c.md")
    assert read_bytes(vault, "a/b c.md", max_bytes=MOST) == b"a/b c.md"
    (vault / "link.md").symlink_to("a/b c.md")
    assert read_bytes(vault, "link.md", max_bytes=MOST) == b"a/b c.md"


@pytest.mark.parametrize(
    "path",
    [
        *("../secret.md", "a/../../secret.md", "/etc/passwd.md", "", ".", "a//b.md", "./a.md"),
        *("a.txt", "folder", ".git/a.md", "a\0.md", "out.md", "linked/s.md", ".hidden.md", "a.md/"),
    ],
)
def test_reading_refuses_what_is_no_note_of_the_vault(
    vault: Path, tmp_path: Path, path: str
) -> None:
    write(tmp_path, "secret.md", "secrets/s.md")
    write(vault, "a.md", "a.txt", ".git/a.md", ".hidden.md", "folder/x.md")
    (vault / "out.md").symlink_to(tmp_path / "secret.md")
    (vault / "linked").symlink_to(tmp_path / "secrets")
    with pytest.raises(InputError) as refusal:
        read_bytes(vault, path, max_bytes=MOST)
    assert str(tmp_path) not in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("path", ["gone.md", "gone/gone.md", "a.md/in.md", "dangling.md"])
def test_a_note_that_is_gone_is_told_apart(vault: Path, path: str) -> None:
    write(vault, "a.md")
    (vault / "dangling.md").symlink_to("nowhere.md")
    with pytest.raises(FileNotFoundError, match=re.escape(path)):
        read_bytes(vault, path, max_bytes=MOST)


def test_names_that_cannot_be_files_are_refused_in_one_line(vault: Path) -> None:
    (vault / "loop.md").symlink_to("loop.md")
    (vault / "folder.md").mkdir()
    for path in ("x" * 300 + ".md", "loop.md", "folder.md", "\ud800.md"):
        with pytest.raises((InputError, FileNotFoundError)) as refusal:
            read_bytes(vault, path, max_bytes=MOST)
        str(refusal.value).encode()
        assert str(vault) not in str(refusal.value)


@given(st.lists(st.sampled_from(["a", "..", ".", "", "link", "b.md", "~", ".git", "\\", "c.md"])))
def test_no_path_reads_outside(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    base = tmp_path_factory.getbasetemp() / "traversal"
    if not base.exists():
        write(base, "b.md", "c.md", "vault/a/b.md", "vault/b.md", "vault/.git/b.md")
        (base / "vault" / "link").symlink_to(base)
    path = "/".join(parts)
    try:
        read = read_bytes(base / "vault", path, max_bytes=MOST)
    except (InputError, FileNotFoundError):
        return
    assert read == f"vault/{path}".encode()


def test_two_thousand_notes_are_listed_quickly(vault: Path) -> None:
    for folder in range(100):
        (vault / str(folder)).mkdir()
        for note in range(20):
            (vault / str(folder) / f"{note}.md").touch()
    begun = time.process_time()
    found = look(vault)
    spent = time.process_time() - begun
    assert len(found.files) == 2000
    assert spent < 0.5


def test_folders_that_were_listed_are_told(vault: Path) -> None:
    write(vault, "a/1.md", "a/b/2.md", ".obsidian/x.md", "node_modules/m/y.md")
    (vault / "empty").mkdir()
    found = look(vault)
    assert found.folders == ("", "a", "a/b", "empty")
    assert found.unreadable == ()


def test_a_chosen_folder_that_is_missing_is_unreadable(vault: Path) -> None:
    write(vault, "a/1.md")
    assert look(vault, "a", "b").unreadable == ("b",)


def test_a_vault_without_notes_is_unreadable(vault: Path) -> None:
    assert look(vault).unreadable == ("",)
    assert look(vault / "nowhere").unreadable == ("",)
