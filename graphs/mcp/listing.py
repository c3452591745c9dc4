"""What MCP clients are told of the tools: kept in a file, since its making imports all of them.

``make schema`` writes ``tools.json``.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_types import ListToolsResult

from tools.graph.access.kinds import Tier, reaches

if TYPE_CHECKING:
    from graphs.toolkit.tool import Tool

TIER = "brain/tier"
"""Under this name a tool's ``_meta`` says who may call it."""
FILE = Path(__file__).with_name("tools.json")


def listed(tool: "Tool[Any, Any]") -> dict[str, Any]:
    """A tool as the protocol has it."""
    reads = tool.tier == "reader"
    return {
        "name": tool.name,
        "title": tool.title,
        "description": _described(tool),
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {
            "readOnlyHint": reads,
            "destructiveHint": tool.is_destructive,
            "idempotentHint": reads,
            "openWorldHint": False,
        },
        "_meta": {TIER: tool.tier},
    }


def tools_of(tier: Tier) -> ListToolsResult:
    """The tools that a caller of this tier may call."""
    tools = ListToolsResult.model_validate_json(FILE.read_bytes()).tools
    return ListToolsResult(tools=[one for one in tools if reaches(tier, (one.meta or {})[TIER])])


def _described(tool: "Tool[Any, Any]") -> str:
    """What a model reads of a tool: what it does, and what goes before and after it."""
    before = f"Better after: {', '.join(tool.prerequisites)}." if tool.prerequisites else ""
    after = f"Then: {', '.join(tool.next_steps)}." if tool.next_steps else ""
    return "\n\n".join(filter(None, (tool.description, before, after)))
