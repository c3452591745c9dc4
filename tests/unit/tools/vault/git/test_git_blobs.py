from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.vaults.repositories import blob_id, commit, git
from tools.base.errors import SourceError
from tools.vault.git.blobs import read_blobs

ROOM = 1_000
FAILED = "`git fsck`"
"""What is to be run where git itself failed."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


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


def read_until_it_fails(root: Path, asked: list[str], *, seconds: float = 60.0) -> tuple[int, str]:
    """How many contents, none of them, came before git failed; and why it did, in one line."""
    contents = read_blobs(root, asked, max_bytes=ROOM, seconds=seconds)
    found: list[tuple[str, bytes | None]] = []
    with pytest.raises(SourceError) as caught:
        found.extend(contents)
    assert found == [(name, None) for name in asked[: len(found)]]
    why = str(caught.value)
    assert "\n" not in why
    assert str(root) not in why
    return len(found), why


def test_without_git_or_a_repository_nothing_is_said_to_be_missing(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "a.md").write_text("here")
    commit(repository, on=1)
    here = [blob_id("here")] * 2
    for nowhere in (tmp_path / "missing", tmp_path):
        read, why = read_until_it_fails(nowhere, here)
        assert (read, "repository" in why, FAILED in why) == (0, True, False)
    monkeypatch.setenv("PATH", str(tmp_path))
    read, why = read_until_it_fails(repository, here)
    assert (read, "No such file or directory" in why) == (0, True)  # git
    assert list(read_blobs(repository, [], max_bytes=ROOM)) == []


type Fail = Callable[..., tuple[int, str]]


@pytest.fixture
def fail(tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Fail:
    """Ask a git that ``does`` something else for contents, until it fails."""

    def ask(does: str, *, seconds: float = 60.0) -> tuple[int, str]:
        program = tmp_path / "bin" / "git"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\ncase "$*" in *config*) exit 1;; esac\n{does}\n')
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
        asked = [f"{number:040x}" for number in range(200)]
        return read_until_it_fails(repository, asked, seconds=seconds)

    return ask


@pytest.mark.parametrize(
    "does",
    [
        "kill -9 $$",
        "echo garbage",
        "echo",
        'read name; echo "$name blob"',
        'read name; echo "$name blob -1"; cat',
        'read name; echo "$name blob 9"; echo short',
        'read name; echo "$name blob 9"; echo short; kill -9 $$',
        'read name; printf "%s blob 4\\nhereX" "$name"; cat',
        'read name; echo "f$name blob 4"; cat',
        "yes",
    ],
)
def test_when_git_ends_or_prints_garbage_the_rest_is_not_said_to_be_missing(
    fail: Fail, does: str
) -> None:
    read, why = fail(does)
    assert (read, FAILED in why) == (0, True)


def test_what_was_read_before_git_ended_is_kept(fail: Fail) -> None:
    does = 'for last in 1 2 3; do read name; echo "$name missing"; done; read name; kill -9 $$'
    read, why = fail(does)
    assert (read, FAILED in why) == (3, True)


@pytest.mark.parametrize(
    "does",
    [
        "exec tail -f /dev/null",
        'read name; echo "$name blob 9"; exec tail -f /dev/null',
        'read name; echo "$name blob 9"; exec >&-; exec sleep 600',
    ],
)
def test_a_git_that_does_not_answer_is_ended_in_time(fail: Fail, does: str) -> None:
    read, why = fail(does, seconds=0.2)
    assert (read, "0.2 s" in why) == (0, True)


@pytest.mark.parametrize("left", [0, 60, 120])
def test_a_damaged_content_costs_no_other(repository: Path, left: int) -> None:
    texts = ["before", "".join(f"line {number}\n" for number in range(90)), "after"]
    for number, text in enumerate(texts):
        (repository / f"{number}.md").write_text(text)
    commit(repository, on=1)
    before, damaged, after = (blob_id(text) for text in texts)
    file = repository / ".git" / "objects" / damaged[:2] / damaged[2:]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:left])
    found = list(read_blobs(repository, [before, damaged, after] * 2, max_bytes=ROOM))
    assert found == [(before, b"before"), (damaged, None), (after, b"after")] * 2


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
