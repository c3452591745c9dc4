"""The history of a vault as its git repository has it: what each commit did to which note."""

import hashlib
import os
import subprocess
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from tools.base.errors import SourceError
from tools.vault.disk.folders import Folders
from tools.vault.git.command import (
    FAILURES,
    OBJECT,
    Git,
    check,
    ended_after,
    is_outside_repository,
    reason,
    stream,
)
from tools.vault.git.log import FORMAT, Change, Commit, read_commits, read_tree, replay, standing

COMMITS = 20_000
"""So many commits are read at most, the newest of those that changed a note."""
SECONDS = 60.0

_DIFF = (
    *("diff-tree", "--stdin", "-r", "-m", "--root", "-z", "--raw", "--no-abbrev", "-l1000"),
    *("--no-ext-diff", "--no-textconv", "--no-notes", "--no-color", "--relative", FORMAT),
)
_NOTES = ("--", ":(icase)*.md")
_PIECE = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class GitLog:
    """What was read of a history: its changes, oldest first, parents before their children.

    ``head`` is the commit read up to, marked where the clone is shallow; it is to be given back
    as ``after``. ``continues``: the changes follow those up to ``after``; otherwise they replace
    what was known. ``cut`` tells the user since when the history was read, if older is missing;
    a log that continues says nothing of it.
    """

    head: str
    changes: tuple[Change, ...]
    continues: bool
    cut: str | None


def read_log(
    root: Path, *, after: str | None = None, commits: int = COMMITS, seconds: float = SECONDS
) -> GitLog | None:
    """What the commits up to HEAD, or those since ``after``, did to the notes below ``root``.

    Branches are interleaved by author date. After all changes each note has the content that it
    has in HEAD, also where older history is cut off. If ``after`` is no ancestor of HEAD,
    everything is read. None without a repository or a commit. Raises SourceError if there is one
    and git cannot be run, refuses it, fails or takes longer than ``seconds``.
    """
    git = Git(root=root, until=time.monotonic() + seconds)
    try:
        now = _head(git)
        if now is None:
            return None
        if after == now.mark:
            return GitLog(head=now.mark, changes=(), continues=True, cut=None)
        return _since(git, now, after, commits) or _whole(git, now, commits)
    except FAILURES as error:
        if is_outside_repository(root, error):
            return None
        raise SourceError(f"The git history was not read: {reason(error, seconds)}.") from error


def head(root: Path) -> str | None:
    """What ``GitLog.head`` would be now; None where there is no log, empty where git fails."""
    try:
        now = _head(Git(root=root, until=time.monotonic() + SECONDS))
    except FAILURES as error:
        return None if is_outside_repository(root, error) else ""
    return now.mark if now is not None else None


def places_of_head(root: Path) -> tuple[Path, ...]:
    """Files of the repository that a new commit or another branch changes, if there is one."""
    try:
        printed = Git(root=root, until=time.monotonic() + SECONDS).output(
            "rev-parse", "--absolute-git-dir"
        )
    except FAILURES:
        return ()
    folder = Path(os.path.realpath(os.fsdecode(printed.removesuffix(b"\n"))))
    return tuple(file for file in (folder / "HEAD", folder / "logs" / "HEAD") if file.exists())


def within(log: GitLog, folders: Folders) -> GitLog:
    """The log of the notes in these folders only: one that is moved out of them is gone."""
    return replace(log, changes=tuple(_changes_within(log.changes, folders)))


def _changes_within(changes: Iterable[Change], folders: Folders) -> Iterator[Change]:
    for change in changes:
        if change.path in folders:
            yield change
        elif change.former is not None and change.former in folders:
            yield replace(change, path=change.former, former=None, blob=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """A commit, and the commits whose parents a shallow clone lacks."""

    commit: str
    grafts: frozenset[str]

    @property
    def mark(self) -> str:
        """The commit, and where the clone is shallow a sign that changes when it is deepened."""
        if not self.grafts:
            return self.commit
        cut = hashlib.sha256(" ".join(sorted(self.grafts)).encode())
        return f"{self.commit}.{cut.hexdigest()[:12]}"


def _head(git: Git) -> _Head | None:
    """What HEAD is, None before the first commit."""
    ask = ("--is-shallow-repository", "--git-path", "shallow", "HEAD^{commit}")
    try:
        printed = git.output("rev-parse", *ask)
    except subprocess.CalledProcessError:
        branch = git.output("symbolic-ref", "-q", "HEAD").decode("ascii", "replace").strip()
        if git.output("for-each-ref", branch):
            raise
        return None
    shallow, _, rest = printed.removesuffix(b"\n").partition(b"\n")
    path, _, name = rest.rpartition(b"\n")
    commit = name.decode("ascii")
    if not OBJECT.fullmatch(commit):
        raise ValueError("No commit.")
    if shallow != b"true":
        return _Head(commit=commit, grafts=frozenset())
    grafts = (git.root / os.fsdecode(path)).read_text("ascii")
    return _Head(commit=commit, grafts=frozenset(grafts.split()))


def _since(git: Git, head: _Head, after: str | None, commits: int) -> GitLog | None:
    """The commits after an earlier log; None if it cannot be continued, or they are too many."""
    known = _Head(commit=(after or "").partition(".")[0], grafts=head.grafts)
    if after != known.mark or not OBJECT.fullmatch(known.commit):
        return None
    if not git.succeeds("merge-base", "--is-ancestor", known.commit, head.commit):
        return None
    read, older = _newest(git, head.commit, f"^{known.commit}", commits=commits)
    if older is not None:
        return None
    content = _tree(git, known.commit) if read else {}
    changes = tuple(replay(read, known=content, grafted=head.grafts))
    return GitLog(head=head.mark, changes=changes, continues=True, cut=None)


def _whole(git: Git, head: _Head, commits: int) -> GitLog:
    read, older = _newest(git, head.commit, commits=commits)
    grafts = head.grafts
    if older is not None:
        read = [standing(_tree(git, older.id), commit=older), *read]
        grafts |= {older.id}
    changes = tuple(replay(read, known={}, grafted=grafts))
    since = max((change.when for change in changes if change.grafted), default=None)
    cut = None
    if since is not None and older is not None:
        cut = (
            f"Git history before {since:%Y-%m-%d} was not read, only the newest {commits:,} commits"
            " that changed notes: give an older note its date in a `created` property."
        )
    elif since is not None:
        cut = (
            f"Git history before {since:%Y-%m-%d} is not in this shallow clone:"
            " run `git fetch --unshallow` to have it read."
        )
    return GitLog(head=head.mark, changes=changes, continues=False, cut=cut)


def _newest(git: Git, *ends: str, commits: int) -> tuple[list[Commit], Commit | None]:
    """The newest commits that changed notes, oldest first, and the next older one if there is.

    They are listed children first, so the older one has no child outside them.
    """
    # Renames with edits need contents, which a partial clone may lack.
    renames = "-M100%" if git.is_partial() else "-M"
    with (
        git.running("rev-list", "--author-date-order", *ends, "--") as listing,
        git.running(*_DIFF, renames, *_NOTES, stdin=stream(listing.stdout)) as diff,
        ended_after(git.seconds, (listing, diff)),
    ):
        stream(listing.stdout).close()  # Left to the other process alone, which may end first.
        printed = stream(diff.stdout).fileno()
        output = iter(lambda: os.read(printed, _PIECE), b"")
        found = list(islice(read_commits(output), commits + 1))
        if len(found) <= commits:
            check(diff)
            check(listing)
    older = found.pop() if len(found) > commits else None
    return found[::-1], older


def _tree(git: Git, commit: str) -> dict[str, str]:
    return read_tree(git.output("ls-tree", "-r", "-z", commit))
