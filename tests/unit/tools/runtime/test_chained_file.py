"""A chain in files: many processes at once, killed ones, full disks, and files that are let go."""

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes.dying_writer import LINES, PARTS, chain
from tests.support.waiting import until
from tools.base.errors import StorageError
from tools.runtime import chained_file
from tools.runtime.audit_chain import TORN, Verdict, verify
from tools.runtime.chained_file import ChainedFile
from tools.runtime.server_process import locked

ROOT = Path(__file__).parents[4]
WRITERS, EACH = 4, 40
CALLS_TO_THE_SYSTEM = 132
"""At least as many as a writer makes for all its lines."""
ONE_LINE = range(80, 101)
"""Those of the line that begins a file and lets one go."""


def many(folder: Path, *, kept: int = 99) -> ChainedFile:
    return ChainedFile(folder, stem="calls", holding="the audit log", max_bytes=3_000, kept=kept)


def checked(file: ChainedFile) -> Verdict:
    return verify(file.read())


def writer(folder: Path, who: int, *, kept: int, lines: int = EACH) -> subprocess.Popen[bytes]:
    program = (
        "import sys; from pathlib import Path\n"
        "from tests.unit.tools.runtime.test_chained_file import many\n"
        "file = many(Path(sys.argv[1]), kept=int(sys.argv[3]))\n"
        "for at in range(int(sys.argv[4])):\n"
        "    file.add({'kind': 'call', 'who': int(sys.argv[2]), 'at': at}, durable=at % 2 == 0)\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, str(folder), str(who), str(kept), str(lines)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def killed_writers(folder: Path, first: int, last: int) -> list[Path]:
    """The folders of chains whose writers were killed, one at each moment."""
    program = "tests.support.processes.dying_writer"
    subprocess.run(
        [sys.executable, "-m", program, str(folder), str(first), str(last)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    return sorted(path.with_suffix("") for path in folder.glob("*.acknowledged"))


def first_number(folder: Path) -> int:
    return chain(folder).read()[0].number


def assert_goes_on(folder: Path) -> int:
    """Whatever the killed writer left, nothing acknowledged is lost; how many half lines it left.

    Before another writes and after.
    """
    file = chain(folder)
    acknowledged = Path(f"{folder}.acknowledged").read_text("ascii").split()
    before = checked(file)
    assert before.broken is None, (folder, before.broken)
    link = file.add({"kind": "call", "at": "next"}, durable=True)
    after = checked(file)
    assert after.broken is None, (folder, after.broken)
    assert not after.torn
    assert after.last == link
    assert after.mended == before.mended + before.torn
    names = sorted(path.name for path in folder.glob("*.jsonl"))
    assert len(names) <= 3  # one too many, where it was killed before it let that go
    if acknowledged:
        assert acknowledged[-1] in after.hashes
        begun = after.dropped + len(after.hashes)
        assert begun >= len(acknowledged) + 1
    return after.mended


def test_a_line_is_written_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    file = many(folder)
    assert file.read() == []
    link = file.add({"kind": "call"}, durable=True)
    assert checked(file).last == link
    assert link.seq == 2
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_full_files_are_let_go_and_the_chain_tells_how_many_lines(tmp_path: Path) -> None:
    file = many(tmp_path, kept=3)
    for at in range(100):
        file.add({"kind": "call", "at": at}, durable=False)
    verdict = checked(file)
    assert verdict.broken is None
    assert [entry["at"] for entry in verdict.entries][-1] == 99
    files = file.read()
    assert len(files) == 3
    assert max(len(one.content) for one in files) <= 3_000
    assert verdict.dropped + len(verdict.entries) + 3 == verdict.last.seq
    (tmp_path / files[0].name).unlink()
    found = checked(file).broken
    assert found is not None
    assert (found.file, found.problem) == (files[1].name, "missing")


def test_keeping_more_files_does_not_miss_those_that_were_let_go(tmp_path: Path) -> None:
    for kept in (2, 9, 3):
        for at in range(60):
            many(tmp_path, kept=kept).add({"kind": "call", "at": at}, durable=False)
        assert checked(many(tmp_path)).broken is None


def test_a_line_that_is_larger_than_a_file_has_one_of_its_own(tmp_path: Path) -> None:
    file = many(tmp_path)
    for size in (10, 200_000, 10):
        file.add({"kind": "call", "text": "x" * size}, durable=True)
    verdict = checked(file)
    assert verdict.broken is None
    assert len(verdict.entries) == 3


@pytest.mark.parametrize("kept", [99, 3])
def test_lines_of_many_processes_are_one_chain_at_every_moment(tmp_path: Path, kept: int) -> None:
    writers = [writer(tmp_path, who, kept=kept) for who in range(WRITERS)]
    file = many(tmp_path, kept=kept)
    while any(process.poll() is None for process in writers):
        verdict = checked(file)
        assert verdict.broken is None
        assert not verdict.torn
    assert [process.returncode for process in writers] == [0] * WRITERS
    verdict = checked(file)
    assert verdict.broken is None
    assert verdict.mended == 0
    written = [(entry["who"], entry["at"]) for entry in verdict.entries]
    assert len(set(written)) == len(written)
    assert verdict.last.seq - file.read()[-1].number == WRITERS * EACH
    if kept == 99:
        assert sorted(written) == [(who, at) for who in range(WRITERS) for at in range(EACH)]
        assert len(file.read()) > 5
    else:
        assert len(file.read()) == 3


def test_a_writer_that_is_killed_among_others_costs_them_nothing(tmp_path: Path) -> None:
    victim = writer(tmp_path, 0, kept=99_999, lines=100_000)
    others = [writer(tmp_path, who, kept=99_999) for who in (1, 2)]
    file = many(tmp_path)
    until(lambda: {1, 2} & {entry["who"] for entry in checked(file).entries})
    victim.kill()
    assert victim.wait(30) == -9
    assert [process.wait(60) for process in others] == [0, 0]
    verdict = checked(file)
    assert verdict.broken is None
    whole = [entry["at"] for entry in verdict.entries if entry["who"] == 0]
    assert whole == list(range(len(whole)))
    for who in (1, 2):
        assert [entry["at"] for entry in verdict.entries if entry["who"] == who] == [*range(EACH)]


def test_a_writer_killed_while_it_writes_leaves_half_a_line_that_the_next_mends(
    tmp_path: Path,
) -> None:
    folders = killed_writers(tmp_path, ONE_LINE.start, ONE_LINE.stop)
    assert len(folders) == len(ONE_LINE) * len(PARTS)
    assert sum(map(assert_goes_on, folders)) >= 4  # half of a file's first line, and of the line
    assert {1, 2} <= {first_number(folder) for folder in folders}


@pytest.mark.torture
def test_a_writer_killed_at_any_moment_loses_nothing_it_was_told_to_be_written(
    tmp_path: Path,
) -> None:
    folders = killed_writers(tmp_path, 1, CALLS_TO_THE_SYSTEM)
    assert sum(map(assert_goes_on, folders)) > 20
    last = tmp_path / f"{CALLS_TO_THE_SYSTEM - 1}-1.0.acknowledged"
    assert len(last.read_text("ascii").split()) == LINES  # no moment was left out


def test_one_who_is_killed_while_mending_is_mended_too(tmp_path: Path) -> None:
    file = many(tmp_path)
    file.add({"kind": "call", "at": 0}, durable=True)
    (path,) = tmp_path.glob("*.jsonl")
    for left in (b'{"arg', TORN + b'\n{"argu', TORN + b"\n", TORN[:3]):
        with path.open("ab") as stream:
            stream.write(left)
    assert checked(file).torn
    link = file.add({"kind": "call", "at": 1}, durable=True)
    verdict = checked(file)
    assert (verdict.broken, verdict.torn, verdict.mended) == (None, False, 1)
    assert (verdict.last, link.seq) == (link, 3)


def test_half_a_line_in_a_full_file_is_accounted_for_by_the_next_file(tmp_path: Path) -> None:
    file = ChainedFile(tmp_path, stem="calls", holding="the audit log", max_bytes=700, kept=9)
    file.add({"kind": "call", "at": 0}, durable=True)
    (path,) = tmp_path.glob("*.jsonl")
    with path.open("ab") as stream:
        stream.write(b'{"arguments":{"x":' + b"1" * 100)
    file.add({"kind": "call", "at": 1}, durable=True)
    assert len(file.read()) == 2
    (tmp_path / "calls-000003.jsonl").write_bytes(b'{"file":3')
    file.add({"kind": "call", "at": 2}, durable=True)
    verdict = checked(file)
    assert (verdict.broken, verdict.mended, len(verdict.entries)) == (None, 2, 3)
    path.write_bytes(path.read_bytes()[:-5])
    found = checked(file).broken
    assert found is not None
    assert found.problem == "cut off"


def test_a_changed_line_is_never_mended(tmp_path: Path) -> None:
    file = many(tmp_path)
    file.add({"kind": "call", "at": 0}, durable=True)
    (path,) = tmp_path.glob("*.jsonl")
    for changed in (
        path.read_bytes()[:-20] + b"\n",
        path.read_bytes().replace(b'"at":0', b'"at":9'),
    ):
        path.write_bytes(changed)
        file.add({"kind": "call", "at": 1}, durable=True)
        found = checked(file).broken
        assert found is not None
        assert (found.line, found.problem) == (2, "changed")


def test_without_room_nothing_of_a_line_is_left(tmp_path: Path) -> None:
    file = many(tmp_path)
    file.add({"kind": "call", "at": 0}, durable=True)
    (path,) = tmp_path.glob("*.jsonl")
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 30, limits[1]))  # as on a full disk
    try:
        with pytest.raises(StorageError, match="audit log cannot be written"):
            file.add({"kind": "call", "at": 1}, durable=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    file.add({"kind": "call", "at": 1}, durable=True)
    assert checked(file).mended == 0


def test_what_the_disk_did_not_take_is_not_left_as_if_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = many(tmp_path)
    file.add({"kind": "call", "at": 0}, durable=True)
    before = checked(file).last

    def fail(_: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(StorageError, match="Input/output"):
            file.add({"kind": "call", "at": 1}, durable=True)
        file.add({"kind": "call", "at": 2}, durable=False)
    verdict = checked(file)
    assert verdict.broken is None
    assert (verdict.last.seq, before.seq) == (3, 2)


def test_who_keeps_the_lock_for_too_long_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chained_file, "_PATIENCE", 0.0)
    monkeypatch.setattr(chained_file, "_LOOK_PATIENCE", 0.0)
    file = many(tmp_path)
    file.add({"kind": "call"}, durable=True)
    with locked(tmp_path / "calls.lock"):
        with pytest.raises(StorageError, match="another process"):
            file.add({"kind": "call"}, durable=True)
        assert len(checked(file).entries) == 1


def test_a_link_in_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine", "utf-8")
    folder = tmp_path / "audit"
    folder.mkdir(mode=0o700)
    (folder / "calls-000001.jsonl").symlink_to(precious)
    with pytest.raises(StorageError):
        many(folder).add({"kind": "call"}, durable=True)
    assert precious.read_text("utf-8") == "mine"
