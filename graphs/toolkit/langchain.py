"""The tools for LangChain agents: ``brain_tools(brain)``."""

from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from graphs.brain import Brain
from graphs.toolkit.registry import TOOLS, call
from graphs.toolkit.tool import OwnSession
from tools.base.errors import BrainError, InputError
from tools.graph.access.kinds import Tier


def brain_tools(brain: Brain, *names: str, tier: Tier = "reader") -> list[BaseTool]:
    """The tools over an opened vault, all or those named, as an agent of LangChain takes them.

    They are those of a ``tier``, and its login is what the graph is asked with. They answer with
    JSON as MCP clients get it; what cannot be done comes back as its message. Raises InputError
    for names of tools that there are not, or not for this tier.
    """
    given = [name for name, one in TOOLS.items() if one.is_open_to(tier)]
    if unknown := [name for name in names if name not in given]:
        raise InputError(f"There is no tool {unknown[0][:40]!r} for a {tier}.")
    session = OwnSession("langchain", tier)
    return [_tool(brain, session, name) for name in given if not names or name in names]


def _tool(brain: Brain, session: OwnSession, name: str) -> BaseTool:
    async def run(**arguments: Any) -> dict[str, Any]:
        try:
            return (await call(await session.over(brain), name, arguments)).result
        except BrainError as error:
            raise ToolException(str(error)) from error

    one = TOOLS[name]
    return StructuredTool(
        name=name,
        description=one.description,
        args_schema=one.input_schema,
        coroutine=run,
        handle_tool_error=True,
    )
