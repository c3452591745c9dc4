"""When git first and last saw each note: one pass over the history of the vault's repository."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

SECONDS = 20
COMMITS = 20_000

# What a repository's own configuration could make git run or fetch, switched off.
_SAFE = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"),
    *("-c", "protocol.allow=never", "-c", "log.showSignature=false", "-c", "diff.external="),
)
# Only exact renames are followed: they need no file contents, so no lazy download either.
_LOG = (
    *("log", "-z", "--name-status", "-M100%", "--relative", "--format=format:@%at %D"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-color"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GitDates:
    """Author dates of the first and the last commit that changed a note."""

    first: datetime
    last: datetime


def git_dates(root: Path) -> Mapping[str, GitDates]:
    """Dates of every note below ``root`` by vault-relative path, moved notes included.

    Empty when git or a repository is missing, or git fails or takes too long; never raises.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    limit = f"--max-count={COMMITS}"
    pathspec = ":(glob,icase)**/*.md"
    command = ["git", "--no-pager", *_SAFE, *_LOG, limit, "--", pathspec]
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    return _dates(done.stdout)


def _dates(log: bytes) -> dict[str, GitDates]:
    """Walk newest to oldest; a renamed note's older commits count for its present name."""
    present: dict[str, str] = {}
    dates: dict[str, GitDates] = {}
    for when, old, new in _changes(log):
        name = present.get(new, new)
        if old != new:
            present.pop(new, None)
            present[old] = name
        known = dates.get(name)
        first = min(known.first, when) if known else when
        last = max(known.last, when) if known else when
        dates[name] = GitDates(first=first, last=last)
    return dates


def _changes(log: bytes) -> Iterator[tuple[datetime, str, str]]:
    """Commit time, path before and path after, for each note that a commit left in place.

    The commit where a shallow clone was cut lists every file and dates none.
    """
    parts = iter(log.split(b"\0"))
    when: datetime | None = None
    for part in parts:
        for line in part.strip(b"\n").split(b"\n"):
            if line.startswith(b"@"):
                seconds, _, names = line[1:].partition(b" ")
                when = None if b"grafted" in names else _moment(seconds)
            elif line:
                paths = [next(parts, b"") for _ in range(2 if line[:1] in b"RC" else 1)]
                if when is not None and line[:1] != b"D":
                    yield when, os.fsdecode(paths[0]), os.fsdecode(paths[-1])


def _moment(seconds: bytes) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(seconds), tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
