from pathlib import Path

import pytest

from tests.repositories import blob_id, commit, git
from tools.vault.git import read_blobs

ROOM = 1_000


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


def ids(root: Path, pattern: str = "*.md") -> list[str]:
    return git(root, "ls-files", "-s", "--format=%(objectname)", "--", pattern).splitlines()


def test_contents_come_in_the_order_asked_for(repository: Path) -> None:
    texts = ["", "\n", "line\n", "ğ missing\n", "x" * ROOM, "\0\r\n"]
    for number, text in enumerate(texts):
        (repository / f"{number}.md").write_bytes(text.encode())
    commit(repository, on=1)
    asked = [blob_id(text) for text in texts * 30]
    found = list(read_blobs(repository, iter(asked), max_bytes=ROOM))
    assert [name for name, _ in found] == asked
    assert [content for _, content in found] == [text.encode() for text in texts * 30]


def test_what_is_too_big_missing_or_no_content_is_left_out(repository: Path) -> None:
    (repository / "a.md").write_text("here")
    (repository / "big.md").write_text("ğ" * 100_000)
    head = commit(repository, on=1)
    here, big = blob_id("here"), blob_id("ğ" * 100_000)
    odd = [big, "0" * 40, head, "HEAD:a.md", "", f"{here} {here}", f"{here}\n{here}", "ğ", here[:9]]
    asked = [name for wrong in odd for name in (wrong, here)]
    found = list(read_blobs(repository, asked, max_bytes=ROOM))
    assert found == [(name, b"here" if name == here else None) for name in asked]


def test_without_git_there_are_no_contents(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "a.md").write_text("here")
    commit(repository, on=1)
    here = blob_id("here")
    nothing = [(here, None), (here, None)]
    assert list(read_blobs(tmp_path / "missing", [here, here], max_bytes=ROOM)) == nothing
    assert list(read_blobs(tmp_path, [here, here], max_bytes=ROOM)) == nothing
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(read_blobs(repository, [here, here], max_bytes=ROOM)) == nothing


@pytest.mark.parametrize(
    "does",
    [
        "kill -9 $$",
        "echo garbage",
        "echo",
        'read name; echo "$name blob"',
        'read name; echo "$name blob -1"; cat',
        'read name; echo "$name blob 9"; echo short',
        'read name; printf "%s blob 4\\nhereX" "$name"; cat',
        'read name; read other; printf "%s blob 4\\nhere\\n" "$other"; cat',
        "yes",
    ],
)
def test_when_git_ends_or_prints_garbage_the_rest_is_left_out(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch, does: str
) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\ncase "$*" in *config*) exit 1;; esac\n{does}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    asked = [f"{number:040x}" for number in range(200)]
    found = list(read_blobs(repository, asked, max_bytes=ROOM))
    assert found == [(name, None) for name in asked]


def test_a_reader_that_is_left_early_ends(repository: Path) -> None:
    (repository / "a.md").write_text("here")
    commit(repository, on=1)
    contents = read_blobs(repository, [blob_id("here")] * 500, max_bytes=ROOM)
    assert next(contents) == (blob_id("here"), b"here")
    contents.close()


def test_a_partial_clone_gives_what_it_has(repository: Path, tmp_path: Path) -> None:
    (repository / "a.md").write_text("before")
    commit(repository, on=1)
    (repository / "a.md").write_text("now")
    commit(repository, on=2)
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", repository.as_uri(), "clone")
    before, now = blob_id("before"), blob_id("now")
    found = list(read_blobs(tmp_path / "clone", [before, now, before, now], max_bytes=ROOM))
    assert found == [(before, None), (now, b"now"), (before, None), (now, b"now")]
