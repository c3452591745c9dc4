"""Small git repositories: made by git's commands, or at once from a list of commits."""

import hashlib
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tools.vault.git.log import Change, GitDates


def day(number: int) -> datetime:
    return datetime(2020, 1, number, 12, tzinfo=UTC)


def git(folder: Path, *arguments: str, on: int = 1, stdin: bytes = b"") -> str:
    """What git prints; who commits does so on that day of January 2020."""
    when = f"{day(on):%Y-%m-%dT%H:%M:%S}+00:00"
    who = {
        f"GIT_{role}_{what}": "t" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    # Otherwise glibc gives its memory back after each object of a long import: 3 times as slow.
    memory = {"MALLOC_TRIM_THRESHOLD_": "100000000"}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **memory, **who, **dates}
    safe = ("-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main")
    command = ["git", *safe, "-c", "protocol.file.allow=always", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, input=stdin, check=True, capture_output=True
    )
    return os.fsdecode(done.stdout).strip()


def commit(repository: Path, *, on: int) -> str:
    git(repository, "add", "-A", on=on)
    git(repository, "commit", "-q", "--allow-empty", "-m", "change", on=on)
    return git(repository, "rev-parse", "HEAD")


@dataclass(frozen=True, kw_only=True)
class Made:
    """A commit to be made: its parents by number, its author date, its whole tree by path."""

    parents: Sequence[int]
    seconds: int
    tree: Mapping[str, str]


def make(folder: Path, commits: Sequence[Made]) -> list[str]:
    """Make a repository of ``commits``, each on a branch named by its number; their ids."""
    parts: list[str] = []
    for number, made in enumerate(commits):
        parts += [f"commit refs/heads/c{number}", f"mark :{number + 1}"]
        parts += [f"committer t <t@t> {made.seconds} +0000", "data 0"]
        names = ["from", *["merge"] * len(made.parents)]
        parts += [f"{name} :{at + 1}" for name, at in zip(names, made.parents, strict=False)]
        parts.append("deleteall")
        for path, text in made.tree.items():
            parts += [f"M 100644 inline {path}", f"data {len(text.encode())}", text]
    git(folder, "init", "-q")
    marks = folder / ".git" / "marks"
    stdin = ("\n".join(parts) + "\n").encode()
    git(folder, "fast-import", "--quiet", f"--export-marks={marks}", stdin=stdin)
    ids = dict(line.split() for line in marks.read_text().splitlines())
    return [ids[f":{number + 1}"] for number in range(len(commits))]


def check_out(folder: Path, commit_id: str) -> None:
    """Let HEAD be a commit, without its files."""
    (folder / ".git" / "HEAD").write_text(commit_id + "\n")


def blob_id(text: str) -> str:
    raw = text.encode()
    return hashlib.sha1(b"blob %d\0%b" % (len(raw), raw), usedforsecurity=False).hexdigest()


def replayed(changes: Sequence[Change], start: Mapping[str, str] | None = None) -> dict[str, str]:
    """Blob ids by path after the changes; each has to change something."""
    content = dict(start or {})
    for change in changes:
        assert content.get(change.path) != change.blob
        if change.former is not None:
            assert change.path not in content
            content.pop(change.former, None)
        if change.blob is None:
            del content[change.path]
        else:
            content[change.path] = change.blob
    return content


def first_and_last(changes: Iterable[Change]) -> dict[str, GitDates]:
    """Dates of the notes that are there after all ``changes``, by path.

    A moved note keeps its first date, and so does one that was deleted and came back under its
    name. What is known from a grafted commit alone has no dates.
    """
    dates: dict[str, GitDates | None] = {}
    left: dict[str, GitDates | None] = {}
    gone: set[str] = set()
    for change in changes:
        if change.blob is None:
            gone.add(change.path)
            continue
        gone.discard(change.path)
        known = dates.get(change.path)
        if change.former is not None:
            if change.former in dates:
                left[change.former] = dates.pop(change.former)
            known = left.get(change.former)
        dates[change.path] = known if change.grafted else _widened(known, change.when)
    return {path: found for path, found in dates.items() if found and path not in gone}


def _widened(known: GitDates | None, when: datetime) -> GitDates:
    if known is None:
        return GitDates(first=when, last=when)
    return GitDates(first=min(known.first, when), last=max(known.last, when))
