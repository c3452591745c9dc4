"""The history of a vault as its git repository has it: what each commit did to which note."""

import contextlib
import hashlib
import os
import re
import subprocess
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import batched, islice
from pathlib import Path
from typing import IO

from tools.errors import SourceError
from tools.vault.git_command import FAILURES, Git, check, end, ended_after, stream
from tools.vault.git_log import FORMAT, Change, Commit, read_commits, read_tree, replay, standing

COMMITS = 20_000
"""So many commits are read at most, the newest of those that changed a note."""
SECONDS = 60.0

_OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_DIFF = (
    *("diff-tree", "--stdin", "-r", "-m", "--root", "-z", "--raw", "--no-abbrev", "-l1000"),
    *("--no-ext-diff", "--no-textconv", "--no-notes", "--no-color", "--relative", FORMAT),
)
_NOTES = ("--", ":(icase)*.md")
_NO_REPOSITORY = b"not a git repository (or any"
_REFUSED = (b"dubious ownership", b"unsafe repository")
_BARE = ("HEAD", "objects", "refs")
_PIECE = 1 << 16
# So few that their ids fit in any pipe: neither side ever waits for the other to read.
_ASKED_AT_ONCE = 64


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
        if _is_elsewhere(root, error):
            return None
        reason = _reason(error) if git.seconds else _slow(seconds)
        raise SourceError(f"The git history was not read: {reason}.") from error


def head(root: Path) -> str | None:
    """What ``GitLog.head`` would be now; None where there is no log, empty where git fails."""
    try:
        now = _head(Git(root=root, until=time.monotonic() + SECONDS))
    except FAILURES as error:
        return None if _is_elsewhere(root, error) else ""
    return now.mark if now is not None else None


def read_blobs(
    root: Path, blobs: Iterable[str], *, max_bytes: int
) -> Generator[tuple[str, bytes | None]]:
    """Each id with its content, in order; None if it is missing, too big, or git fails.

    No more than one content is in memory, and none that is too big; never raises.
    """
    git = Git(root=root, until=time.monotonic() + SECONDS)
    here: frozenset[str] | None = None
    process = None

    def can_be_read(name: str) -> bool:
        return _OBJECT.fullmatch(name) is not None and (here is None or name in here)

    with contextlib.ExitStack() as running:
        with contextlib.suppress(*FAILURES):
            here = _present(git) if git.is_partial() else None
            batch = git.running("cat-file", "--batch", stdin=subprocess.PIPE)
            process = running.enter_context(batch)
        for names in batched(blobs, _ASKED_AT_ONCE):
            contents = _contents(process, list(filter(can_be_read, names)), max_bytes)
            for name in names:
                yield name, next(contents, None) if can_be_read(name) else None


def within(log: GitLog, folders: Sequence[str]) -> GitLog:
    """The log of the notes in some folders only, or as it is when none is given."""
    inside = tuple(f"{folder.strip('/')}/" for folder in folders)
    if not inside:
        return log
    kept = (change for change in log.changes if change.path.startswith(inside))
    return replace(log, changes=tuple(kept))


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


def _is_elsewhere(root: Path, error: Exception) -> bool:
    """Whether git failed because there is no repository; where it said nothing, by the files."""
    if _NO_REPOSITORY in _complaint(error):
        return True
    real = Path(os.path.realpath(root))
    return not any(
        os.path.lexists(folder / ".git") or all(os.path.lexists(folder / part) for part in _BARE)
        for folder in (real, *real.parents)
    )


def _reason(error: Exception) -> str:
    if any(word in _complaint(error) for word in _REFUSED):
        return (
            "git refuses a repository of another user; to trust it, run "
            "`git config --global --add safe.directory` with its folder"
        )
    if isinstance(error, OSError):
        return f"git cannot be run ({error.strerror or 'unknown error'}); install it"
    return "git failed; `git fsck` may tell why"


def _slow(seconds: float) -> str:
    return f"git took more than {seconds:g} s; `git gc` may make it faster"


def _complaint(error: Exception) -> bytes:
    failed = isinstance(error, subprocess.CalledProcessError)
    return (error.stderr or b"") if failed else b""


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
    if not _OBJECT.fullmatch(commit):
        raise ValueError("No commit.")
    if shallow != b"true":
        return _Head(commit=commit, grafts=frozenset())
    grafts = (git.root / os.fsdecode(path)).read_text("ascii")
    return _Head(commit=commit, grafts=frozenset(grafts.split()))


def _since(git: Git, head: _Head, after: str | None, commits: int) -> GitLog | None:
    """The commits after an earlier log; None if it cannot be continued, or they are too many."""
    known = _Head(commit=(after or "").partition(".")[0], grafts=head.grafts)
    if after != known.mark or not _OBJECT.fullmatch(known.commit):
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


def _present(git: Git) -> frozenset[str]:
    """All objects that a partial clone has: asked for another, some versions of git end."""
    ask = ("--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
    return frozenset(git.output("cat-file", *ask).decode("ascii").split())


def _contents(
    process: subprocess.Popen[bytes] | None, names: Sequence[str], most: int
) -> Iterator[bytes | None]:
    """The content of each object, None if missing or too big; ends early when git does."""
    if process is None:
        return
    try:
        ask = stream(process.stdin)
        ask.write("".join(f"{name}\n" for name in names).encode())
        ask.flush()
        for name in names:
            yield _content(stream(process.stdout), name.encode(), most)
    except FAILURES:
        end(process)
        process.wait()


def _content(reply: IO[bytes], name: bytes, most: int) -> bytes | None:
    words = reply.readline(200).split()
    if words == [name, b"missing"]:
        return None
    found, kind, size = words
    left = int(size)
    if found != name or left < 0:
        raise ValueError("Another reply than that asked for.")
    content = reply.read(left) if kind == b"blob" and left <= most else None
    while content is None and left > 0:
        left -= len(reply.read(min(left, _PIECE))) or left
    if reply.read(1) != b"\n":
        raise ValueError("The content is not whole.")
    return content
