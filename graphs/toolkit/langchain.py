"""The tools for LangChain agents: ``brain_tools(brain)``."""

from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from graphs.brain import Brain
from graphs.toolkit.registry import TOOLS, call
from graphs.toolkit.tool import Session, caller
from tools.base.errors import BrainError


def brain_tools(brain: Brain, *names: str) -> list[BaseTool]:
    """The tools over an opened vault, all or those named, as an agent of LangChain takes them.

    They answer with JSON as MCP clients get it; what cannot be done comes back as its message.
    """
    session = Session(brain, caller("langchain"))
    return [_tool(session, name) for name in TOOLS if not names or name in names]


def _tool(session: Session, name: str) -> BaseTool:
    async def run(**arguments: Any) -> dict[str, Any]:
        try:
            return (await call(session, name, arguments)).result
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
