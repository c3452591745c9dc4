"""The audit log in words: a line for each call, and one for a check."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import cast

from graphs.toolkit.audit_log.log import LoggedCall
from graphs.toolkit.audit_log.verification import AuditReport, ChainReport
from tools.base.guards import one_line
from tools.text.voice import counted

_WORD = re.compile(r"\w[\w./@+-]*")


def call_in_words(call: LoggedCall) -> str:
    """When, who, what, and what came of it; times are the clock's of this machine."""
    result = call.outcome if call.error is None else f"{call.outcome} ({call.error})"
    took = () if call.ms is None else (f"{call.ms:,.0f} ms",)
    unknown = () if not call.unknown else (f"({counted(call.unknown, 'unknown argument')})",)
    did = "removed" if call.destructive else "wrote"
    wrote = (did, ", ".join(map(_shown, call.written))) if call.written else ()
    arguments = (f"{name}={_shown(value)}" for name, value in call.arguments.items())
    who = f"{_shown(call.client)}, session {_shown(call.session)}, {call.tier}:"
    parts = (_time(call.time), who, _shown(call.tool), *arguments, *unknown, "–", result)
    return one_line(" ".join((*parts, *took, *wrote)))


def report_in_words(report: AuditReport) -> Iterator[str]:
    """A line for each chain, and for each hash that none of them has."""
    yield from map(_chain_in_words, report.chains)
    dropped = any(one.dropped_lines for one in report.chains)
    older = "its file was let go" if dropped else "it is of another log"
    for lost in report.lost_hashes:
        yield (
            f"No chain has the hash {lost}: the log was rewritten, its end was cut off, or {older}."
        )


def _chain_in_words(report: ChainReport) -> str:
    """Whether a chain is whole, else where it first breaks and what is wrong there."""
    broken = report.broken
    if broken is not None:
        return (
            f"The chain of {report.chain} breaks in {broken.file}, line {broken.line}: "
            f"{broken.problem} ({broken.detail}). Before it: {_span(report)}."
        )
    return f"The chain of {report.chain} holds: {'; '.join((_span(report), *_remarks(report)))}."


def _span(report: ChainReport) -> str:
    calls = counted(report.calls, "call")
    if report.first is None or report.last is None:
        return "no calls"
    return f"{calls} from {_time(report.first)} to {_time(report.last)}"


def _remarks(report: ChainReport) -> Iterator[str]:
    if report.interrupted:
        yield f"{counted(report.interrupted, 'write')} interrupted or under way"
    if report.mended:
        yield f"{counted(report.mended, 'half line')} of killed processes mended"
    if report.torn:
        yield "half a line at the end, of a process that was killed, or cut off"
    if report.dropped_lines:
        yield f"{counted(report.dropped_lines, 'older line')} let go with full files"
    if report.lines_since is not None:
        yield f"{counted(report.lines_since, 'line')} since that hash"
    if report.first is not None:
        yield f"last hash {report.last_hash}"


def _shown(value: object) -> str:
    """A value as it is logged; a text by its length and hash.

    What a client may have chosen is quoted where it could be taken for more than one word of ours.
    """
    match value:
        case str():
            return value if _WORD.fullmatch(value) else _quoted(value)
        case {"length": int(length), "hash": str(digest)}:
            return f"[{counted(length, 'character')}, {digest}]"
        case {"more": int(more)}:
            return f"{more} more"
        case list():
            return ", ".join(map(_shown, cast("list[object]", value)))
        case dict():
            return json.dumps(cast("Mapping[str, object]", value))
        case _:
            return json.dumps(value)


def _quoted(text: str) -> str:
    """In quotation marks, what cannot be seen or ends a line as its number."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _time(text: str) -> str:
    try:
        return f"{datetime.fromisoformat(text).astimezone():%Y-%m-%d %H:%M:%S}"
    except ValueError:
        return "at an unknown time"
