"""The tools over MCP: what a client lists and calls, whatever the transport."""

import asyncio
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    CompleteResult,
    GetPromptResult,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PromptReference,
    ReadResourceResult,
    TextContent,
)

from graphs.mcp import elicitation, prompts
from graphs.mcp.listing import tools_of
from tools.base.errors import BrainError
from tools.graph.access.kinds import TIERS

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import (
        CallToolRequestParams,
        CompleteRequestParams,
        GetPromptRequestParams,
        PaginatedRequestParams,
        ReadResourceRequestParams,
    )

    from graphs.toolkit.registry import ToolOutcome
    from graphs.toolkit.tool import Session
    from tools.graph.access.kinds import Tier

NAME, PACKAGE = "brain", "second-brain"
HINTS = "brain/hints"
"""Under this name a result's ``_meta`` says which tools are better called before, which next."""
INSTRUCTIONS = (
    "A person's vault of markdown notes. `ask` answers a question in plain words, each line with "
    "its note, heading and line; `search_notes` and `semantic_search` find notes, `read_note` "
    "reads one. `search_graph` finds what a question is about in the graph of notes and goes "
    "outwards; `traverse_path` tells how two notes are connected; `suggest_links` lists what a "
    "note should link to. Quote what you use with its note and line."
)


class Callers(Protocol):
    """Who sent a request: the tier that it has proven, and its session."""

    def tier(self, context: "ServerRequestContext[Any]", /) -> "Tier":
        """Known before the vault is open."""
        ...

    async def session(self, context: "ServerRequestContext[Any]", /) -> "Session":
        """Raises BrainError where the vault cannot be opened, or the tier was taken away."""
        ...


def mcp_server(callers: Callers) -> Server[Any]:
    """The server over a vault, for those whom ``callers`` knows."""
    listings = {tier: tools_of(tier) for tier in TIERS}

    async def tools(
        context: "ServerRequestContext[Any]", _: "PaginatedRequestParams | None"
    ) -> ListToolsResult:
        return listings[callers.tier(context)]

    async def run(
        context: "ServerRequestContext[Any]", params: "CallToolRequestParams"
    ) -> CallToolResult | InputRequiredResult:
        progress = _Progress(context)
        try:
            opened = await callers.session(context)
            from graphs.toolkit.registry import call  # by now it is loaded

            named = context.session.client_params
            name = named.client_info.name if named is not None else opened.caller.client
            caller = replace(opened.caller, client=name)
            own = replace(opened, caller=caller, tell=progress.report)
            done = await call(own, params.name, elicitation.arguments_of(params))
            if params.name == "ask":
                if wanted := elicitation.input_wanted(context, done.result):
                    return wanted
                while reply := await elicitation.reply_to(context, done.result):
                    done = await call(own, params.name, reply)
            return _given(done)
        except BrainError as error:
            return _failed(error)
        finally:
            await progress.settle()

    async def listed_notes(
        context: "ServerRequestContext[Any]", params: "PaginatedRequestParams | None"
    ) -> ListResourcesResult:
        from graphs.mcp import resources

        with _refused():
            return await resources.list_notes(
                await callers.session(context), params.cursor if params else None
            )

    async def templates(
        _: "ServerRequestContext[Any]", __: "PaginatedRequestParams | None"
    ) -> ListResourceTemplatesResult:
        from graphs.mcp import resources

        return ListResourceTemplatesResult(resource_templates=[resources.TEMPLATE])

    async def read(
        context: "ServerRequestContext[Any]", params: "ReadResourceRequestParams"
    ) -> ReadResourceResult:
        from graphs.mcp import resources

        with _refused():
            return await resources.read_note(await callers.session(context), str(params.uri))

    async def completed(
        context: "ServerRequestContext[Any]", params: "CompleteRequestParams"
    ) -> CompleteResult:
        from graphs.mcp import resources

        with _refused():
            argument, begun = params.argument.name, params.argument.value
            if isinstance(params.ref, PromptReference):
                prompts.require_argument(params.ref.name, argument)
                found = await resources.complete_title(await callers.session(context), begun)
            else:
                resources.require_argument(params.ref.uri, argument)
                found = await resources.complete_path(await callers.session(context), begun)
        return CompleteResult(completion=found)

    async def all_prompts(
        _: "ServerRequestContext[Any]", __: "PaginatedRequestParams | None"
    ) -> ListPromptsResult:
        return ListPromptsResult(prompts=prompts.list_prompts())

    async def one_prompt(
        _: "ServerRequestContext[Any]", params: "GetPromptRequestParams"
    ) -> GetPromptResult:
        with _refused():
            return prompts.prompt(params.name, params.arguments or {})

    return Server(
        NAME,
        version=version(PACKAGE),
        instructions=INSTRUCTIONS,
        on_list_tools=tools,
        on_call_tool=run,
        on_list_resources=listed_notes,
        on_list_resource_templates=templates,
        on_read_resource=read,
        on_completion=completed,
        on_list_prompts=all_prompts,
        on_get_prompt=one_prompt,
    )


class _Progress:
    """Passes on how far a call is; a client that did not ask for it hears nothing.

    A call may count anew in each of its phases; the protocol wants numbers that only rise.
    """

    _LEAST = 0.01

    def __init__(self, context: "ServerRequestContext[Any]") -> None:
        self._context = context
        self._sending = set[asyncio.Task[None]]()
        self._before = self._done = self._sent = 0.0

    def report(self, done: float, total: float | None, what: str) -> None:
        if done < self._done:
            self._before = self._sent
        self._done = done
        self._sent = max(self._before + done, self._sent + self._LEAST)
        whole = None if total is None else max(self._before + total, self._sent)
        sent = self._context.session.report_progress(self._sent, whole, what)
        task = asyncio.create_task(sent)
        self._sending.add(task)  # or it might be forgotten before it is sent
        task.add_done_callback(self._sending.discard)

    async def settle(self) -> None:
        """Wait until all is sent: none of it may follow the reply."""
        await asyncio.gather(*self._sending, return_exceptions=True)


@contextmanager
def _refused() -> Generator[None]:
    """What cannot be done is told as an error of the protocol, in its own words."""
    try:
        yield
    except BrainError as error:
        raise MCPError(INVALID_PARAMS, str(error)) from error


def _given(outcome: "ToolOutcome") -> CallToolResult:
    """The result as structure, and as text for clients that know no structure; hints as ``_meta``.

    What may be done next is no part of the result.
    """
    result = outcome.result
    back = elicitation.asks_back(result)
    text = elicitation.in_words(result) if back else result.get("answer") or _as_json(result)
    lacks = [f"{one.error} {one.impact}" for one in outcome.hints.warnings]
    return CallToolResult(
        content=[TextContent(type="text", text=one) for one in (text, *lacks)],
        structured_content=result,
        _meta={HINTS: asdict(outcome.hints)},
    )


def _as_json(result: Mapping[str, Any]) -> str:
    return json.dumps(result, ensure_ascii=False)


def _failed(error: BrainError) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=str(error))],
        structured_content={"error": type(error).__name__, "message": str(error)},
        is_error=True,
    )
