"""The tools as MCP clients are told of them, which graphs/mcp/tools.json has."""

import json
import sys

from graphs.mcp.listing import listed
from graphs.toolkit.registry import TOOLS


def generated() -> dict[str, object]:
    """What the program would tell now."""
    return {"tools": [listed(one) for one in TOOLS.values()]}


if __name__ == "__main__":
    json.dump(generated(), sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")
