"""Calls of tools by other programs, for the audit log."""

from collections.abc import Mapping
from typing import Any

from graphs.toolkit.audit_log.callers import Caller
from graphs.toolkit.audit_log.log import Call
from graphs.toolkit.audit_log.redaction import Rule

RULES: Mapping[str, Rule] = {
    "path": "path",
    "node": "node",
    "text": "text",
    "limit": "number",
    "kind": frozenset({"task", "idea"}),
}


def a_call(tool: str = "append", **arguments: object) -> Call:
    """A call of a tool with the arguments of ``RULES``, by a contributor."""
    given: dict[str, Any] = arguments or {"path": "Projects/Ada.md", "text": "Tea is cold by now."}
    return Call(
        caller=Caller(session="s-1", client="Claude Code", tier="contributor"),
        tool=tool,
        arguments=given,
        rules=RULES,
    )
