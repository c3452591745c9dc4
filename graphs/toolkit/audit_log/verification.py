"""Whether the audit log is whole: what its chain shows of the calls in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphs.toolkit.audit_log.log import calls_of
from tools.runtime.audit_chain import Break, ChainFile, verify


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """What a check of the log found, up to its first break.

    ``interrupted`` are writes without an outcome: killed, or still under way. ``dropped_lines`` are
    in files that were full and let go. ``lines_since`` counts the lines after the hash that was
    asked for; None where the chain no longer has it, or none was asked for. ``whole`` is whether
    the chain is unbroken and has that hash.
    """

    whole: bool
    broken: Break | None
    calls: int
    interrupted: int
    first: str | None
    last: str | None
    last_hash: str
    dropped_lines: int
    mended: int
    torn: bool
    since_hash: str | None
    lines_since: int | None


def check_log(files: Sequence[ChainFile], *, since_hash: str | None = None) -> AuditReport:
    """Check the files of a log, the oldest first."""
    verdict = verify(files)
    calls = calls_of(verdict.entries)
    place = verdict.hashes.get(since_hash or "")
    times = [str(entry.get("time")) for entry in verdict.entries]
    return AuditReport(
        whole=verdict.broken is None and (since_hash is None or place is not None),
        broken=verdict.broken,
        calls=len(calls),
        interrupted=sum(call.outcome == "interrupted" for call in calls),
        first=times[0] if times else None,
        last=times[-1] if times else None,
        last_hash=verdict.last.hash,
        dropped_lines=verdict.dropped,
        mended=verdict.mended,
        torn=verdict.torn,
        since_hash=since_hash,
        lines_since=None if place is None else verdict.last.seq - place,
    )
