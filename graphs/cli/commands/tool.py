"""What ``brain tool`` does: list the tools, show one, call one."""

import json
import sys
from pathlib import Path
from typing import Any, cast

from graphs.app import open_brain
from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.core.credentials import OWNER
from graphs.toolkit.registry import TOOLS, call, tool_named
from graphs.toolkit.tool import open_session
from tools.base.errors import InputError

_MOST_BYTES = 1_000_000


def show_list() -> None:
    """A line for each tool."""
    console.show_pairs({one.name: one.title for one in TOOLS.values()})


def show_schema(name: str) -> int:
    """What a tool takes and gives, as JSON schemas."""
    one = tool_named(name)
    console.show_json(
        {
            "name": one.name,
            "description": one.description,
            "tier": one.tier,
            "input": one.input_schema,
            "output": one.output_schema,
            "next_steps": one.next_steps,
        }
    )
    return OK


async def call_tool(
    name: str, arguments: str | None, *, vault: Path | None, data_dir: Path | None
) -> int:
    """Call a tool and print what it gives."""
    tool_named(name)
    given = _read(sys.stdin.read(_MOST_BYTES + 1) if arguments == "-" else arguments or "{}")
    async with open_brain(vault, data_dir=data_dir) as brain:
        called = await call(await open_session(brain, "terminal", OWNER), name, given)
        console.show_json(called.result)
        console.show_warnings(called.hints.warnings)
    return OK


def _read(text: str) -> dict[str, Any]:
    if len(text) > _MOST_BYTES:
        raise InputError("The arguments are larger than a megabyte.")
    try:
        given = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        raise InputError('The arguments are no JSON: --json \'{"query": "sleep"}\'.') from None
    if not isinstance(given, dict):
        raise InputError('The arguments are to be a JSON object: {"query": "sleep"}.')
    return cast("dict[str, Any]", given)
