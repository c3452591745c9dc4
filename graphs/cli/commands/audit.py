"""What ``brain audit`` does: lists calls, and checks the chain they are in."""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from graphs.cli.output import audit as output
from graphs.cli.output import console
from graphs.cli.output.exit_codes import NEEDS_MENDING, OK
from graphs.toolkit.audit_log.log import AuditLog, LoggedCall, calls_in
from graphs.toolkit.audit_log.redaction import has_hash, hash_of, kept_key
from graphs.toolkit.audit_log.verification import check_log
from tools.base.errors import InputError
from tools.settings.loading import load_settings
from tools.temporal.clock import local_now
from tools.temporal.periods.moments import read_start


def calls(
    *,
    vault: Path | None,
    data_dir: Path | None,
    tool: str | None,
    since: str | None,
    text: str | None,
    limit: int,
    as_json: bool,
) -> int:
    """Show the newest calls that fit, the newest last."""
    settings = load_settings(vault=vault, data_dir=data_dir)
    start = read_start(since, now=local_now()) if since is not None else None
    wanted = None if text is None else _hash(text, settings.audit_dir)
    logged = calls_in(AuditLog(settings.audit_dir).read())
    if tool is not None and all(call.tool != tool for call in logged):
        _require_tool(tool)
    found = [
        call
        for call in logged
        if (tool is None or call.tool == tool)
        and (start is None or _is_after(call, start))
        and (wanted is None or any(has_hash(one, wanted) for one in call.arguments.values()))
    ][-limit:]
    if as_json:
        console.show_json(tuple(found))
    elif found:
        for call in found:
            console.show_line(output.call_in_words(call))
    else:
        console.show_line("No such call is logged.")
    return OK


def verify(
    *, vault: Path | None, data_dir: Path | None, since_hashes: Sequence[str], as_json: bool
) -> int:
    """Say in a line for each chain whether it is whole, else where it first breaks."""
    settings = load_settings(vault=vault, data_dir=data_dir)
    if not all(re.fullmatch(r"[0-9a-f]{64}", one) for one in since_hashes):
        raise InputError("--since-hash is no hash of the log: give all 64 letters and digits.")
    report = check_log(AuditLog(settings.audit_dir).read(), since_hashes=since_hashes)
    if as_json:
        console.show_json(report)
    else:
        for line in output.report_in_words(report):
            console.show_line(line)
    return OK if report.whole else NEEDS_MENDING


def _require_tool(name: str) -> None:
    """Raise InputError where neither a tool nor a decision on a staged note has this name."""
    # A second of imports, for a name that the log does not have.
    from graphs.operations.staged import ACCEPT, DISCARD
    from graphs.toolkit.registry import TOOLS, no_such_tool

    names = (*TOOLS, ACCEPT, DISCARD)
    if name not in names:
        raise no_such_tool(name, names)


def _hash(text: str, folder: Path) -> str:
    key = kept_key(folder)
    if key is None:
        raise InputError(
            "The key that texts are logged with is not there, so no call can be found by its text."
        )
    return hash_of(text, key=key)


def _is_after(call: LoggedCall, start: datetime) -> bool:
    try:
        return datetime.fromisoformat(call.time) >= start
    except ValueError:
        return False
