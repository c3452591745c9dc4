"""Warnings of what the index lacks when a question is asked."""

from graphs.stores.freshness import unreached_warnings
from graphs.stores.ownership import READ_ONLY
from tools.base.domain import SourceWarning
from tools.vault.indexing.indexing import Freshness


def freshness_warnings(
    fresh: Freshness, *, interrupted: bool, read_only: bool = False
) -> list[SourceWarning]:
    """Warn of what a question could not wait for or look at, and of a run that did not end.

    Also of a data directory that is ``read_only``: all else works there.
    """
    warnings = unreached_warnings(fresh.unreached)
    if read_only:
        warnings.append(READ_ONLY)
    if interrupted:
        warnings.append(
            SourceWarning(
                source="index",
                error="The last indexing run was interrupted.",
                impact="What it had not reached is missing: `brain index` completes it.",
            )
        )
    if fresh.stale:
        one = fresh.stale == 1
        notes = "1 new or changed note is" if one else f"{fresh.stale} new or changed notes are"
        first = "it changed" if one else "the first changed"
        since = f"; {first} {fresh.since:%Y-%m-%d at %H:%M}" if fresh.since else ""
        warnings.append(
            SourceWarning(
                source="index",
                error=f"{notes} not indexed yet{since}.",
                impact="Their newest words are missing: run `brain index`.",
            )
        )
    return warnings
