"""What the commits of a repository did to the notes of a vault, from what git prints."""

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from tools.vault.disk.files import is_note_path

LATEST_YEAR = 2100
"""Later dates are a clock's mistake."""

FORMAT = "--format=@%H %at %ct"
"""The line that ``read_commits`` expects before the changes of a commit."""

_LONGEST = 1 << 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What one commit did to one note: paths are vault-relative, ``when`` is UTC.

    ``former`` is the path before, where the commit renamed the note; it is gone after this
    change, and may have been gone before when another branch renamed it too. ``blob`` is git's
    id of the content, None when the note is gone. ``grafted``: older history was cut off here,
    so the note had this content by then but was not written then.
    """

    commit: str
    when: datetime
    path: str
    former: str | None
    blob: str | None
    grafted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GitDates:
    """Author dates of the first and the last commit that changed a note."""

    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A note's content after a commit (None: gone), and its path before if it was renamed."""

    path: str
    blob: str | None
    former: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit and its edits, against each of its parents; ``when`` is None if unreadable."""

    id: str
    when: datetime | None
    edits: tuple[Edit, ...]


def replay(
    commits: Sequence[Commit], *, known: Mapping[str, str], grafted: Container[str]
) -> Iterator[Change]:
    """The changes of ``commits`` (oldest first) to a vault whose content was ``known``.

    What a commit left as it was by then, in any branch, is no change. Because a merge is held
    against each parent, the last content of each path is that of the last commit's tree, if all
    others are its ancestors. An unreadable date is that of the commit before.
    """
    content = dict(known)
    when = next((commit.when for commit in commits if commit.when is not None), _EPOCH)
    for commit in commits:
        when = commit.when or when
        after = {edit.path: edit.blob for edit in commit.edits}
        moved = {
            edit.path: edit.former
            for edit in reversed(commit.edits)
            if edit.former is not None and edit.path not in content
        }
        carried = set(moved.values())
        for path, blob in after.items():
            if blob != content.get(path) and not (blob is None and path in carried):
                yield Change(
                    commit=commit.id,
                    when=when,
                    path=path,
                    former=moved.get(path),
                    blob=blob,
                    grafted=commit.id in grafted,
                )
        for path, blob in after.items():
            if blob is None:
                content.pop(path, None)
            else:
                content[path] = blob


def standing(tree: Mapping[str, str], *, commit: Commit) -> Commit:
    """``commit`` as the first of a history that is cut off there: it lists the whole ``tree``."""
    edits = (Edit(path=path, blob=blob, former=None) for path, blob in sorted(tree.items()))
    return Commit(id=commit.id, when=commit.when, edits=tuple(edits))


def read_tree(listing: bytes) -> dict[str, str]:
    """Blob ids by path of the notes in what ``git ls-tree -r -z`` prints; ValueError if garbled."""
    tree: dict[str, str] = {}
    for entry in _parts([listing]):
        about, _, name = entry.partition(b"\t")
        mode, _, blob = about.split(b" ")
        path = _note(name)
        if path is not None and _is_file(mode):
            tree[path] = blob.decode("ascii")
    return tree


def read_commits(output: Iterable[bytes]) -> Iterator[Commit]:
    """The commits in what ``git diff-tree -z -m --raw`` prints with ``FORMAT``, in its order.

    Raises ValueError for anything else, after the commits that were whole.
    """
    commit: Commit | None = None
    edits: list[Edit] = []
    parts = _parts(output)
    for line in parts:
        part = line.removeprefix(b"\n")  # Git ends a commit's line with an empty one.
        if part.startswith(b"@"):
            found = _commit(part)
            # A merge comes once for each parent.
            if commit is None or found.id != commit.id:
                if commit is not None:
                    yield _with(commit, edits)
                commit, edits = found, []
        elif part.startswith(b":") and commit is not None:
            _, mode, _, blob, status = part.split(b" ")
            names = [next(parts, b"") for _ in range(2 if status[:1] in b"RC" else 1)]
            if not all(names):
                raise ValueError("A change without a path.")
            content = blob.decode("ascii") if _is_file(mode) else None
            former = _note(names[0]) if status.startswith(b"R") else None
            path = _note(names[-1])
            if former is not None:
                edits.append(Edit(path=former, blob=None, former=None))
            if path is not None:
                edits.append(Edit(path=path, blob=content, former=former if content else None))
        elif part:
            raise ValueError("Neither a commit nor a change.")
    if commit is not None:
        yield _with(commit, edits)


def _parts(output: Iterable[bytes]) -> Iterator[bytes]:
    """What stands before each NUL."""
    rest = b""
    for piece in output:
        *whole, rest = (rest + piece).split(b"\0")
        yield from whole
        if len(rest) > _LONGEST:
            break
    if rest:
        raise ValueError("A part has no end.")


def _commit(line: bytes) -> Commit:
    name, author, committer = line[1:].decode("ascii").split(" ")
    return Commit(id=name, when=_moment(author) or _moment(committer), edits=())


def _with(commit: Commit, edits: Iterable[Edit]) -> Commit:
    return Commit(id=commit.id, when=commit.when, edits=tuple(edits))


def _note(name: bytes) -> str | None:
    path = os.fsdecode(name)
    return path if is_note_path(path) else None


def _is_file(mode: bytes) -> bool:
    """Whether it is a regular file: links and submodules are no notes."""
    return mode.startswith(b"100")


def _moment(seconds: str) -> datetime | None:
    try:
        when = datetime.fromtimestamp(int(seconds), tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return when if when >= _EPOCH and when.year <= LATEST_YEAR else None
