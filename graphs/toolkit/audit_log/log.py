"""Who called which tool, and what came of it: the audit log of a vault.

A write leaves two lines: what is going to be done before, its outcome after. So nothing is written
that nobody can find: where the first line cannot be written, the write must not be done. A read
that is audited leaves one line, after. Writes have a chain and files of their own, so that nobody
who reads can drive them out; ``calls`` has the rest, and the writes from before there were two.

All of it blocks: from a loop use ``recorded``, or a thread.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from heapq import merge
from operator import attrgetter
from pathlib import Path
from typing import Literal, cast, get_args

from graphs.toolkit.audit_log.callers import Caller
from graphs.toolkit.audit_log.redaction import (
    HOLDING,
    Rule,
    ensure_key,
    redact,
    redact_label,
    redact_written,
)
from tools.base.domain import SourceWarning
from tools.base.errors import InputError, StorageError
from tools.runtime.audit_chain import ChainFile, Entry, entries_of
from tools.runtime.chained_file import ChainedFile

type Outcome = Literal["ok", "refused", "failed"]
type Chain = Literal["calls", "writes"]
type LogFiles = Mapping[Chain, Sequence[ChainFile]]
"""The files of each chain, the oldest first."""

CHAINS: tuple[Chain, ...] = get_args(Chain.__value__)
MAX_BYTES = 2_000_000
KEPT = 10
"""Files of each chain: some thirty thousand writes."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a tool, with what ``rules`` let through of each argument; of others, nothing.

    One that is ``destructive`` takes away what it tells that it wrote.
    """

    caller: Caller
    tool: str
    arguments: Mapping[str, object]
    rules: Mapping[str, Rule]
    destructive: bool = False


@dataclass(frozen=True, slots=True)
class Reservation:
    """A write that may be done now: the place of its first line, and when it was begun."""

    seq: int
    started: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedCall:
    """A call as the log has it. A write without an outcome was interrupted, or is under way."""

    chain: Chain
    seq: int
    time: str
    session: object
    client: object
    tier: str
    tool: object
    arguments: Mapping[str, object]
    unknown: int
    outcome: Outcome | Literal["interrupted"]
    error: str | None
    ms: float | None
    written: Sequence[object]
    destructive: bool


class AuditLog:
    """The audit log in a folder of a data directory, shared by all processes.

    ``is_note`` says of a path whether a note has it; of others the log keeps no more than of texts.
    """

    def __init__(
        self,
        folder: Path,
        *,
        max_bytes: int = MAX_BYTES,
        kept: int = KEPT,
        is_note: Callable[[str], bool] = lambda _: False,
        clock: Callable[[], datetime] = _utc_now,
    ) -> None:
        self._folder = folder
        self._calls, self._writes = (
            ChainedFile(folder, stem=chain, holding=HOLDING, max_bytes=max_bytes, kept=kept)
            for chain in CHAINS
        )
        self._is_note = is_note
        self._clock = clock

    def reserve(self, call: Call) -> Reservation:
        """Log that a write is going to be done. Raises StorageError: it must not be done then."""
        try:
            link = self._writes.add(self._begun("intent", call), durable=True)
        except StorageError as error:
            raise StorageError(f"{error} Nothing was changed.") from error
        return Reservation(link.seq, time.perf_counter())

    def complete(
        self,
        reservation: Reservation,
        *,
        error: BaseException | None = None,
        written: Iterable[str] = (),
    ) -> SourceWarning | None:
        """Log what came of a write, which is done by now: what cannot be logged is a warning."""
        try:
            line = {
                "kind": "outcome",
                "time": self._now(),
                "intent": reservation.seq,
                "ms": _since(reservation.started),
                "written": redact_written(written, key=ensure_key(self._folder)),
                **_result(error),
            }
            self._writes.add(line, durable=True)
        except StorageError as problem:
            return _warning(
                problem,
                "The write was done, but its outcome is not in the log, which shows it as "
                "interrupted.",
            )
        return None

    def add(
        self, call: Call, *, ms: float, error: BaseException | None = None
    ) -> SourceWarning | None:
        """Log a call that changed nothing: an audited read, or a write that was refused."""
        try:
            line = {**self._begun("call", call), "ms": round(ms, 1), **_result(error)}
            self._calls.add(line, durable=False)
        except StorageError as problem:
            return _warning(problem, "This call is not in it.")
        return None

    def read(self) -> LogFiles:
        """All files. Raises StorageError where they cannot be read."""
        return {"calls": self._calls.read(), "writes": self._writes.read()}

    def _begun(self, kind: str, call: Call) -> Entry:
        key = ensure_key(self._folder)
        caller = call.caller
        return {
            "kind": kind,
            "time": self._now(),
            "session": redact_label(caller.session, key=key),
            "client": redact_label(caller.client, key=key, words=4),
            "tier": caller.tier,
            "tool": redact_label(call.tool, key=key),
            "arguments": redact(call.arguments, call.rules, key=key, is_note=self._is_note),
            "unknown": len(call.arguments.keys() - call.rules.keys()),
            "destructive": call.destructive,
        }

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="microseconds")


@dataclass(slots=True)
class Record:
    """What a call tells of itself while it runs; ``warning`` is there when it has ended."""

    written: list[str] = field(default_factory=list[str])
    warning: SourceWarning | None = None


@asynccontextmanager
async def recorded(log: AuditLog, call: Call, *, writes: bool) -> AsyncGenerator[Record]:
    """Log a call around the block that does it. Its errors go on.

    Raises StorageError, before the block, where a write cannot be logged.
    """
    record, started = Record(), time.perf_counter()
    reservation = await asyncio.to_thread(log.reserve, call) if writes else None
    error: BaseException | None = None
    try:
        yield record
    except BaseException as raised:
        error = raised
        raise
    finally:
        if reservation is None:
            end = partial(log.add, call, ms=_since(started), error=error)
        else:
            end = partial(log.complete, reservation, error=error, written=record.written)
        # A cancelled call is cancelled in each wait, and is told of all the same.
        record.warning = await asyncio.shield(asyncio.to_thread(end))


def calls_in(files: LogFiles) -> list[LoggedCall]:
    """The calls that a log tells of, the newest last, each with its outcome. Nothing is checked."""
    chains = (calls_of(entries_of(files[chain]), chain=chain) for chain in CHAINS)
    return [*merge(*chains, key=attrgetter("time"))]


def calls_of(entries: Iterable[Entry], *, chain: Chain) -> list[LoggedCall]:
    """The calls that a chain tells of; an outcome whose first line was let go tells of none."""
    begun: dict[object, Entry] = {}
    ended: dict[object, Entry] = {}
    for entry in entries:
        match entry.get("kind"):
            case "intent" | "call":
                begun[entry["seq"]] = entry
            case "outcome":
                ended[entry.get("intent")] = entry
            case _:
                pass
    return [
        _logged(chain, entry, entry if entry["kind"] == "call" else ended.get(seq))
        for seq, entry in begun.items()
    ]


def _logged(chain: Chain, begun: Entry, end: Entry | None) -> LoggedCall:
    result: Entry = end or {}
    return LoggedCall(
        chain=chain,
        seq=cast("int", begun["seq"]),
        time=str(begun.get("time")),
        session=begun.get("session"),
        client=begun.get("client"),
        tier=str(begun.get("tier")),
        tool=begun.get("tool"),
        arguments=cast("Mapping[str, object]", begun.get("arguments") or {}),
        unknown=cast("int", begun.get("unknown", 0)),
        outcome=cast("Outcome", result.get("outcome", "interrupted")),
        error=cast("str | None", result.get("error")),
        ms=cast("float | None", result.get("ms")),
        written=cast("Sequence[object]", result.get("written") or ()),
        destructive=begun.get("destructive") is True,
    )


def _result(error: BaseException | None) -> Entry:
    if error is None:
        return {"outcome": "ok"}
    refused = isinstance(error, InputError)
    return {"outcome": "refused" if refused else "failed", "error": type(error).__name__}


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)


def _warning(problem: StorageError, impact: str) -> SourceWarning:
    return SourceWarning(source="audit", error=str(problem), impact=impact)
