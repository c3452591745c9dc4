"""What a question asks back, put to the person by the client itself, where it can.

Since revision 2026-07-28 that is a result that wants input, upon which the client calls once more;
before, a request to the client while the call waits. One that can do neither gets the options,
numbered, as a result.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams

_ASKS_WITHIN_RESULTS = "2026-07-28"
_CHOICE = "choice"


def arguments_of(params: "CallToolRequestParams") -> dict[str, Any]:
    """The arguments of a call; of one that brings a reply, what goes on with the question."""
    given = params.arguments or {}
    reply = (params.input_responses or {}).get(_CHOICE)
    if params.request_state is None or not isinstance(reply, ElicitResult):
        return given
    return _going_on(params.request_state, reply) or {**given, "interactive": False}


def input_wanted(
    context: "ServerRequestContext[Any]", result: Mapping[str, Any]
) -> InputRequiredResult | None:
    """What the client is to ask the person, where the answer asks back and it works so."""
    if not asks_back(result) or not _can_ask(context):
        return None
    if context.session.protocol_version < _ASKS_WITHIN_RESULTS:
        return None
    return InputRequiredResult(
        input_requests={_CHOICE: ElicitRequest(params=_form(result))},
        request_state=str(result["thread_id"]),
    )


async def reply_to(
    context: "ServerRequestContext[Any]", result: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The arguments that go on by what the person chose; None where nobody can be asked now."""
    if not asks_back(result) or not _can_ask(context) or not context.session.can_send_request:
        return None
    form = _form(result)
    reply = await context.session.elicit_form(
        form.message, form.requested_schema, related_request_id=context.request_id
    )
    return _going_on(str(result["thread_id"]), reply)


def asks_back(result: Mapping[str, Any]) -> bool:
    """Whether a result is an answer that waits for the person."""
    return str(result.get("status", "")).startswith("needs_")


def in_words(result: Mapping[str, Any]) -> str:
    """The question back for who puts it to the person, or replies to it, by calling once more."""
    back = result["clarification"]
    options = [f"{one['number']}. {one['label']}" for one in back["options"]]
    reply = "the number of one" if options else "what is meant"
    go_on = (
        f"Nothing is answered yet. To go on, call `ask` with `thread` {result['thread_id']!r} and "
        f"`choose`, which is {reply}."
    )
    return "\n".join((back["question"], *options, "", go_on))


def _can_ask(context: "ServerRequestContext[Any]") -> bool:
    capable = context.session.client_capabilities
    return capable is not None and capable.elicitation is not None


def _going_on(thread: str, reply: ElicitResult) -> dict[str, Any] | None:
    choice = (reply.content or {}).get(_CHOICE)
    if reply.action != "accept" or choice is None:
        return None
    return {"thread": thread, "choose": str(choice)}


def _form(result: Mapping[str, Any]) -> ElicitRequestFormParams:
    back = result["clarification"]
    field: dict[str, Any] = {"type": "string", "title": "Which one?"}
    if back["options"]:
        field["enum"] = [str(one["number"]) for one in back["options"]]
        field["enumNames"] = [one["label"] for one in back["options"]]
    return ElicitRequestFormParams(
        message=back["question"],
        requested_schema={
            "type": "object",
            "properties": {_CHOICE: field},
            "required": [_CHOICE],
        },
    )
