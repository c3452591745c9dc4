"""Whether the audit log is whole: what its chains show of the calls in them."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphs.toolkit.audit_log.log import CHAINS, Chain, LogFiles, calls_of
from tools.runtime.audit_chain import START, Break, Verdict, verify


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReport:
    """What a check of one chain found, up to its first break.

    ``interrupted`` are writes without an outcome: killed, or still under way. ``dropped_lines`` are
    in files that were full and let go. ``lines_since`` counts the lines after the first of the
    hashes that were asked for; None where the chain has none of them.
    """

    chain: Chain
    broken: Break | None
    calls: int
    interrupted: int
    first: str | None
    last: str | None
    last_hash: str
    dropped_lines: int
    mended: int
    torn: bool
    lines_since: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """What a check of the log found; ``lost_hashes`` were asked for and are in no chain.

    ``whole`` is whether every chain is unbroken and no hash is lost.
    """

    whole: bool
    chains: Sequence[ChainReport]
    lost_hashes: Sequence[str]


def check_log(files: LogFiles, *, since_hashes: Sequence[str] = ()) -> AuditReport:
    """Check each chain of a log, and that it still has the hashes that somebody kept of it."""
    verdicts: dict[Chain, Verdict] = {chain: verify(files[chain]) for chain in CHAINS}
    places = [place for one in verdicts.values() for place in (START.hash, *one.hashes)]
    lost = [one for one in since_hashes if one not in places]
    return AuditReport(
        whole=not lost and all(one.broken is None for one in verdicts.values()),
        chains=[_report(chain, one, since_hashes) for chain, one in verdicts.items()],
        lost_hashes=lost,
    )


def _report(chain: Chain, verdict: Verdict, since_hashes: Sequence[str]) -> ChainReport:
    calls = calls_of(verdict.entries, chain=chain)
    places = [verdict.hashes[one] for one in since_hashes if one in verdict.hashes]
    times = [str(entry.get("time")) for entry in verdict.entries]
    return ChainReport(
        chain=chain,
        broken=verdict.broken,
        calls=len(calls),
        interrupted=sum(call.outcome == "interrupted" for call in calls),
        first=times[0] if times else None,
        last=times[-1] if times else None,
        last_hash=verdict.last.hash,
        dropped_lines=verdict.dropped,
        mended=verdict.mended,
        torn=verdict.torn,
        lines_since=verdict.last.seq - min(places) if places else None,
    )
