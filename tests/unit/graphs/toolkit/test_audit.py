"""The audit log: who called what, and no write that it does not know of."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphs.toolkit.audit_log.log import AuditLog, LoggedCall, calls_in, recorded
from graphs.toolkit.audit_log.verification import ChainReport, check_log
from tests.support.processes.mounts import remount, small_disk
from tests.support.values.calls import a_call
from tools.base.errors import AccessError, InputError, StorageError

OLD_LOG = Path(__file__).parents[3] / "fixtures/audit_log_of_one_chain.jsonl"
"""An append, a search, and a write that was interrupted."""
OLD_HASH = "3fe993671dadd759a840b2968a91148eda367cde4b2b1003f1cfa84f90d7a7f3"
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def log(tmp_path: Path) -> AuditLog:
    return AuditLog(tmp_path / "audit", clock=lambda: NOW, is_note=lambda path: path == "A.md")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk") as disk:
        yield disk


def only(log: AuditLog) -> LoggedCall:
    (call,) = calls_in(log.read())
    return call


def calls_chain(log: AuditLog, *hashes: str) -> ChainReport:
    """What a check finds of the chain of what changed nothing."""
    return check_log(log.read(), since_hashes=hashes).chains[0]


def writes_chain(log: AuditLog) -> ChainReport:
    return check_log(log.read()).chains[1]


def raw(folder: Path) -> str:
    return "".join(path.read_text("ascii") for path in folder.glob("*.jsonl"))


def test_a_write_has_a_line_before_and_one_after(log: AuditLog) -> None:
    reservation = log.reserve(a_call("append", path="A.md", text="Tea", limit=2, made_up=1))
    begun = only(log)
    assert (begun.outcome, begun.ms, begun.written) == ("interrupted", None, ())
    assert log.complete(reservation, written=["A.md"]) is None
    done = only(log)
    assert done.ms is not None
    assert (done.outcome, done.error, done.written) == ("ok", None, ["A.md"])
    assert (done.session, done.client, done.tier) == ("s-1", "Claude Code", "contributor")
    assert (done.tool, done.time) == ("append", "2025-06-01T12:00:00.000000+00:00")
    assert (done.arguments["path"], done.arguments["limit"], done.unknown) == ("A.md", 2, 1)


def test_a_path_is_kept_once_a_note_has_it(log: AuditLog) -> None:
    log.complete(log.reserve(a_call("append", path="What Ada did.md")), written=["What Ada did.md"])
    call = only(log)
    assert "Ada" not in str(call.arguments)
    assert call.written == ["What Ada did.md"]


def test_a_read_has_one_line(log: AuditLog) -> None:
    assert log.add(a_call("search", text="tea"), ms=12.34) is None
    call = only(log)
    assert (call.outcome, call.ms) == ("ok", 12.3)
    assert calls_chain(log).calls == 1


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (InputError("Only a librarian may."), "refused"),
        (StorageError("Quillfeather"), "failed"),
        (ValueError("Quillfeather"), "failed"),
    ],
)
def test_what_went_wrong_is_known_by_its_class_alone(
    log: AuditLog, tmp_path: Path, error: Exception, outcome: str
) -> None:
    log.add(a_call(), ms=1, error=error)
    log.complete(log.reserve(a_call()), error=error)
    found = calls_in(log.read())
    assert [(call.outcome, call.error) for call in found] == [(outcome, type(error).__name__)] * 2
    assert "Quillfeather" not in raw(tmp_path / "audit")
    assert "librarian" not in raw(tmp_path / "audit")


def test_nothing_that_was_said_is_in_the_file(log: AuditLog, tmp_path: Path) -> None:
    log.complete(log.reserve(a_call(path="Quillfeather", text="Quillfeather's key")))
    log.add(a_call("What did Quillfeather say", Quillfeather="Quillfeather"), ms=1)
    assert "Quillfeather" not in raw(tmp_path / "audit")
    assert len(calls_in(log.read())) == 2


async def test_a_call_is_recorded_around_what_it_does(log: AuditLog) -> None:
    async with recorded(log, a_call(), writes=True) as record:
        record.written.append("Projects/Ada.md")
    assert record.warning is None
    with pytest.raises(ValueError, match="broken"):
        async with recorded(log, a_call(), writes=True):
            raise ValueError("broken")
    async with recorded(log, a_call("search"), writes=False):
        pass
    found = [(call.tool, call.outcome, call.written) for call in calls_in(log.read())]
    assert found == [
        ("search", "ok", ()),  # at the same moment
        ("append", "ok", ["Projects/Ada.md"]),
        ("append", "failed", ()),
    ]


async def test_a_call_that_is_cancelled_is_not_left_open(log: AuditLog) -> None:
    begun = asyncio.Event()

    async def work() -> None:
        async with recorded(log, a_call(), writes=True):
            begun.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    call = only(log)
    assert (call.outcome, call.error) == ("failed", "CancelledError")


async def test_where_nothing_can_be_logged_a_write_is_not_done_and_a_read_is(
    tmp_path: Path,
) -> None:
    (tmp_path / "audit").write_text("in the way", "utf-8")
    log, done = AuditLog(tmp_path / "audit"), list[str]()
    with pytest.raises(StorageError, match="Nothing was changed"):
        async with recorded(log, a_call(), writes=True):
            done.append("written")
    async with recorded(log, a_call("search"), writes=False) as record:
        done.append("read")
    assert done == ["read"]
    assert record.warning is not None
    assert record.warning.impact == "This call is not in it."


def test_on_a_read_only_disk_the_log_is_read_and_writes_are_refused(disk: Path) -> None:
    log = AuditLog(disk / "audit")
    reservation = log.reserve(a_call())
    remount(disk, "ro")
    with pytest.raises(StorageError, match=r"Read-only file system.*Nothing was changed"):
        log.reserve(a_call())
    warning = log.add(a_call("search"), ms=1)
    assert warning is not None
    assert "Read-only" in warning.error
    lost = log.complete(reservation)
    assert lost is not None
    assert "interrupted" in lost.impact
    report = writes_chain(log)
    assert (report.broken, report.calls, report.interrupted) == (None, 1, 1)


def test_on_a_full_disk_writes_are_refused_until_there_is_room(disk: Path) -> None:
    log = AuditLog(disk / "audit")
    log.complete(log.reserve(a_call()))
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 4096)
    refused = 0
    while refused == 0:  # the file's last block may still have room
        try:
            log.reserve(a_call(text="tea " * 20))
        except StorageError as error:
            assert "No space left" in str(error)  # noqa: PT017 - how often it works is the disk's
            refused += 1
    assert log.add(a_call("search"), ms=1) is not None
    ballast.unlink()
    log.complete(log.reserve(a_call()))
    report = writes_chain(log)
    assert (report.broken, report.mended, report.torn) == (None, 0, False)


def test_an_outcome_whose_first_line_was_let_go_is_no_call(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit", max_bytes=1_500, kept=2)
    reservation = log.reserve(a_call("old"))
    for _ in range(12):
        log.complete(log.reserve(a_call("new")))
    log.complete(reservation)
    assert {call.tool for call in calls_in(log.read())} == {"new"}
    report = writes_chain(log)
    assert report.broken is None
    assert report.interrupted == 0
    assert report.dropped_lines > 0


def test_what_is_read_never_drives_out_what_was_written(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit", max_bytes=1_500, kept=2)
    log.complete(log.reserve(a_call("append")), written=["A.md"])
    for _ in range(20):
        log.add(a_call("search"), ms=1)
        log.add(a_call("append"), ms=1, error=AccessError("Only a librarian may."))
    found = calls_in(log.read())
    assert (found[0].tool, found[0].outcome, found[0].written) == ("append", "ok", ["A.md"])
    assert calls_chain(log).dropped_lines > 0
    assert writes_chain(log).dropped_lines == 0


def test_reads_and_writes_are_merged_by_time(tmp_path: Path) -> None:
    minutes = iter(range(60))
    log = AuditLog(tmp_path / "audit", clock=lambda: NOW.replace(minute=next(minutes)))
    log.add(a_call("search"), ms=1)
    log.complete(log.reserve(a_call("append")))
    log.add(a_call("read"), ms=1)
    log.reserve(a_call("forget"))
    found = [(call.tool, call.chain, call.outcome) for call in calls_in(log.read())]
    assert found == [
        ("search", "calls", "ok"),
        ("append", "writes", "ok"),
        ("read", "calls", "ok"),
        ("forget", "writes", "interrupted"),
    ]


def test_a_log_from_before_writes_had_a_chain_is_read_checked_and_added_to(tmp_path: Path) -> None:
    (tmp_path / "audit").mkdir(mode=0o700)
    (tmp_path / "audit/calls-000001.jsonl").write_bytes(OLD_LOG.read_bytes())
    log = AuditLog(tmp_path / "audit")
    log.add(a_call("search"), ms=1)
    log.complete(log.reserve(a_call("append")))
    found = [(call.tool, call.chain, call.outcome) for call in calls_in(log.read())]
    assert found == [
        ("append", "calls", "ok"),
        ("search", "calls", "ok"),
        ("forget", "calls", "interrupted"),
        ("search", "calls", "ok"),
        ("append", "writes", "ok"),
    ]
    assert check_log(log.read(), since_hashes=[OLD_HASH]).whole
    assert calls_chain(log, OLD_HASH).lines_since == 1


def test_a_hash_that_was_kept_elsewhere_shows_what_was_rewritten(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit")
    for _ in range(3):
        log.add(a_call("search"), ms=1)
    kept = [one.last_hash for one in check_log(log.read()).chains]
    log.add(a_call("search"), ms=1)
    assert check_log(log.read(), since_hashes=kept).whole  # where a chain has no line yet, too
    assert calls_chain(log, *kept).lines_since == 1
    (path,) = (tmp_path / "audit").glob("*.jsonl")
    path.write_text("".join(path.read_text("ascii").splitlines(keepends=True)[:3]), "ascii")
    assert check_log(log.read()).whole  # the end can be cut off, and nobody sees it
    report = check_log(log.read(), since_hashes=kept)
    assert (report.whole, report.lost_hashes) == (False, kept[:1])
    assert (report.chains[0].broken, report.chains[0].lines_since) == (None, None)


def test_no_log_is_whole_and_has_no_hash_of_anybodys(log: AuditLog) -> None:
    assert check_log(log.read()).whole
    assert not check_log(log.read(), since_hashes=["a" * 64]).whole


def test_lines_are_plain_json_without_more_than_was_promised(log: AuditLog, tmp_path: Path) -> None:
    log.complete(log.reserve(a_call()))
    _, intent, outcome = map(json.loads, raw(tmp_path / "audit").splitlines())
    chained = {"kind", "seq", "prev", "hash", "time"}
    who = {"session", "client", "tier"}
    assert intent.keys() == chained | who | {"tool", "arguments", "unknown", "destructive"}
    assert outcome.keys() == chained | {"intent", "ms", "outcome", "written"}
