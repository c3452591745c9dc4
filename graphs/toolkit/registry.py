"""All tools, and how one is called whoever calls: arguments checked, errors told, hints given."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from agents.interpreter.vault.names import nearest
from graphs.core.crash_report import record
from graphs.toolkit.audit_log.log import Call, recorded
from graphs.toolkit.readiness import bring_up_to_date
from graphs.toolkit.request import COMMAND
from graphs.toolkit.tool import Session, Tool
from graphs.toolkit.tools.add_note import add_note_to_graph
from graphs.toolkit.tools.ask import ask
from graphs.toolkit.tools.create_link import create_link
from graphs.toolkit.tools.nodes import get_graph_stats, get_node, list_nodes
from graphs.toolkit.tools.notes import read_note, recent_notes, search_notes, semantic_search
from graphs.toolkit.tools.over_time import contradictions, facts, timeline
from graphs.toolkit.tools.paths import find_related, traverse_path
from graphs.toolkit.tools.search_graph import search_graph
from graphs.toolkit.tools.suggest_links import suggest_links
from graphs.toolkit.tools.undo_link import undo_link
from graphs.toolkit.tools.undo_note import undo_add_note
from tools.base.domain import SourceWarning
from tools.base.errors import AccessError, BrainError, InputError
from tools.text.voice import speak_to_program

TOOLS: Mapping[str, Tool[Any, Any]] = {
    one.name: one
    for one in (
        ask,
        search_notes,
        read_note,
        recent_notes,
        semantic_search,
        search_graph,
        get_node,
        list_nodes,
        find_related,
        traverse_path,
        timeline,
        facts,
        contradictions,
        get_graph_stats,
        suggest_links,
        add_note_to_graph,
        undo_add_note,
        create_link,
        undo_link,
    )
}
_MOST_SAID = 3
"""Things that are wrong with arguments and told of at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What a caller may do before or after; nothing has to be done (``can_proceed``).

    ``warnings`` say what the result lacks, or what else went wrong.
    """

    warnings: tuple[SourceWarning, ...] = ()
    suggested_before: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    can_proceed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """What a tool gave, as JSON has it, and what may come next."""

    result: dict[str, Any]
    hints: Hints


async def call(session: Session, name: str, arguments: Mapping[str, Any]) -> ToolOutcome:
    """Call a tool. Raises BrainError with one line to act on, also for a defect of ours."""
    tool = tool_named(name)
    lacking = tuple(one for one in tool.prerequisites if one not in session.called)
    writes = tool.tier != "reader" and tool.is_open_to(session.caller.tier)
    logged = Call(
        caller=session.caller,
        tool=name,
        arguments=arguments,
        rules=tool.rules,
        destructive=tool.removes == "notes",
    )
    async with recorded(session.log, logged, writes=writes) as record_of_call:
        _require_tier(tool, session)
        # A session may have several calls at a time: each has its own list of what it wrote.
        own = replace(session, written=record_of_call.written)
        result, warnings = await _run(tool, own, _checked(tool, arguments))
    if name not in session.called:
        session.called.append(name)
    if record_of_call.warning is not None:
        warnings.append(record_of_call.warning)
    return ToolOutcome(
        result=tool.result.dump_python(result, mode="json"),
        hints=Hints(
            warnings=tuple(warnings),
            suggested_before=lacking,
            next_steps=tuple(tool.next_steps),
        ),
    )


async def _run(
    tool: Tool[Any, Any], session: Session, given: Any
) -> tuple[Any, list[SourceWarning]]:
    """What the tool gives, and what that lacks, where its result does not say so itself."""
    try:
        with speak_to_program(session.caller.client != COMMAND):
            warnings = [] if tool.looks_itself else await bring_up_to_date(session.deps)
            return await tool.run(session, given), warnings
    except BrainError as error:
        if hint := tool.hints.get(type(error).__name__):
            raise type(error)(f"{error} {hint}") from error
        raise
    except Exception as error:  # a defect costs one answer, not the server
        raise BrainError(record(error)) from error


def _require_tier(tool: Tool[Any, Any], session: Session) -> None:
    """What a caller may call; what the tool then does in the graph is the database's to judge."""
    if not tool.is_open_to(session.caller.tier):
        raise AccessError(
            f"{tool.name} is for a {tool.tier}, and this client is a {session.caller.tier}: its "
            "user can give it the tier with `brain mcp --tier` or the tier's token."
        )


def tool_named(name: str) -> Tool[Any, Any]:
    """The tool. Raises InputError where there is none."""
    if name not in TOOLS:
        raise no_such_tool(name, TOOLS)
    return TOOLS[name]


def no_such_tool(name: str, names: Iterable[str]) -> InputError:
    """That none of the tools has this name, and which there are, those most like it first."""
    ordered = dict.fromkeys((*nearest(name, names), *names))
    return InputError(f"There is no tool {name[:40]!r}: there are {', '.join(ordered)}.")


def _checked(tool: Tool[Any, Any], arguments: Mapping[str, Any]) -> Any:
    try:
        return tool.arguments.validate_python(dict(arguments))
    except ValidationError as error:
        told = [_told(one) for one in error.errors()[:_MOST_SAID]]
        raise InputError(f"{tool.name} cannot use what was given: {'; '.join(told)}.") from None


def _told(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"]) or "arguments"
    return f"{where[:60]}: {str(error['msg']).removesuffix('.')}"
