"""What is read of a history is what git has, whatever branches, merges and renames there are."""

import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.vaults.repositories import Made, blob_id, check_out, make, replayed
from tools.vault.disk.files import is_note_path
from tools.vault.git.log import read_commits, read_tree
from tools.vault.git.repository import GitLog, read_log

PATHS = ["a.md", "b.md", "d/c.MD", "d/a.md", ".trash/a.md", "a.txt", "node_modules/m.md"]
BODIES = ["\n".join(f"{name} says line {n}" for n in range(9)) for name in ("one", "two", "three")]
TEXTS = [f"{body}\n{ending}" for body in BODIES for ending in ("then", "now")] + ["", "short"]
START = 1_600_000_000


@st.composite
def trees(draw: st.DrawFn, parents: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """A tree made from those of the parents: each path as in one of them, then a few edits."""
    tree: dict[str, str] = {}
    for path in sorted({path for parent in parents for path in parent}):
        text = draw(st.sampled_from([parent.get(path) for parent in parents]))
        if text is not None:
            tree[path] = text
    for _ in range(draw(st.integers(0 if len(parents) > 1 else 1, 3))):
        path, other = draw(st.sampled_from(PATHS)), draw(st.sampled_from(PATHS))
        text = draw(st.sampled_from(TEXTS))
        match draw(st.sampled_from(["write", "write", "move", "delete"])):
            case "move" if path in tree:
                tree[other] = tree.pop(path)
            case "delete":
                tree.pop(path, None)
            case _:
                tree[path] = text
    return tree


@st.composite
def histories(draw: st.DrawFn, *, linear: bool = False) -> list[Made]:
    made: list[Made] = []
    for number in range(draw(st.integers(1, 9))):
        parents: list[int] = [number - 1] if number else []
        if number and not linear:
            some = st.lists(st.integers(0, number - 1), max_size=3, unique=True)
            parents = draw(some | st.just(parents) | st.just(parents))
        tree = draw(trees([made[parent].tree for parent in parents]))
        seconds = START + draw(st.integers(0, 20)) * 3600
        made.append(Made(parents=parents, seconds=seconds, tree=tree))
    return made


def notes(made: Made) -> dict[str, str]:
    return {path: blob_id(text) for path, text in made.tree.items() if is_note_path(path)}


def ancestors(commits: Sequence[Made], number: int) -> set[int]:
    above = (ancestors(commits, parent) for parent in commits[number].parents)
    return {number}.union(*above)


def read(root: Path, *, after: str | None = None, commits: int = 20_000) -> GitLog:
    log = read_log(root, after=after, commits=commits)
    assert log is not None
    return log


examples = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@examples
@given(commits=histories(), data=st.data())
def test_the_last_content_of_every_path_is_that_of_head(
    commits: list[Made], data: st.DataObject
) -> None:
    last = len(commits) - 1
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        ids = make(root, commits)
        check_out(root, ids[last])
        log = read(root)
        assert log.head == ids[last]
        assert replayed(log.changes) == notes(commits[last])
        order = [ids.index(change.commit) for change in log.changes]
        for at, number in enumerate(order):
            assert not (ancestors(commits, number) - {number}).intersection(order[at:])

        some = data.draw(st.integers(1, 4))
        cut = read(root, commits=some)
        assert replayed(cut.changes) == notes(commits[last])
        assert len({change.commit for change in cut.changes if not change.grafted}) <= some

        earlier = data.draw(st.sampled_from(sorted(ancestors(commits, last))))
        check_out(root, ids[earlier])
        before = read(root)
        check_out(root, ids[last])
        then = read(root, after=before.head)
        assert then.continues
        start = replayed(before.changes)
        assert start == notes(commits[earlier])
        assert replayed(then.changes, start) == notes(commits[last])


@examples
@given(commits=histories(linear=True))
def test_without_branches_every_commit_is_followed_exactly(commits: list[Made]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        ids = make(root, commits)
        check_out(root, ids[-1])
        changes = read(root).changes
    for number, made in enumerate(commits):
        upto = [change for change in changes if ids.index(change.commit) <= number]
        assert replayed(upto) == notes(made)
        for change in upto:
            assert change.former is None or change.former not in notes(
                commits[ids.index(change.commit)]
            )


PRINTED = b"@%b 1577880000 1577880000\0\n:000000 100644 %b %b A\0 a.md\0" % (
    b"1" * 40,
    b"0" * 40,
    b"2" * 40,
) + b":100644 100644 %b %b R087\0b.md\0c.md\0\0" % (b"3" * 40, b"4" * 40)


@given(sizes=st.lists(st.integers(1, 60)))
def test_the_pieces_in_which_git_prints_do_not_matter(sizes: list[int]) -> None:
    def pieces() -> Iterator[bytes]:
        at = 0
        for size in sizes:
            yield PRINTED[at : at + size]
            at += size
        yield PRINTED[at:]

    (found,) = read_commits(pieces())
    assert [(edit.former, edit.path) for edit in found.edits] == [
        (None, " a.md"),
        (None, "b.md"),
        ("b.md", "c.md"),
    ]


@given(
    raw=st.binary()
    | st.integers(0, len(PRINTED)).map(lambda at: PRINTED[:at])
    | st.lists(st.sampled_from([b"@", b":", b"\0", b" ", b"A", b"R", b"\n", b"\xff", b"1"])).map(
        b"".join
    )
)
def test_garbage_is_refused_as_such(raw: bytes) -> None:
    for read_garbage in (lambda: list(read_commits([raw])), lambda: read_tree(raw)):
        with contextlib.suppress(ValueError):
            read_garbage()
