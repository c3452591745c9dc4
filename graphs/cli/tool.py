"""``brain tool``: the tools that other programs call, from a terminal."""

from typing import Annotated

import typer

from graphs.cli.options import DataDir, Vault, run, run_async, start_servers


def register(app: typer.Typer) -> None:
    """Add the command to ``brain``."""
    app.command()(tool)


def tool(
    *,
    name: Annotated[
        str | None, typer.Argument(help="The tool; without one all are listed.")
    ] = None,
    arguments: Annotated[
        str | None,
        typer.Option("--json", help="Its arguments as a JSON object, - to read it from the input."),
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Show what it takes and gives.")] = False,
    vault: Vault = None,
    data_dir: DataDir = None,
) -> None:
    """Call a tool as MCP clients do; it prints the JSON that they get."""
    from graphs.cli.commands import tool as commands

    if name is None:
        commands.show_list()
    elif schema:
        run(lambda: commands.show_schema(name))
    else:

        def start() -> int:
            start_servers(vault, data_dir)
            return run_async(commands.call_tool(name, arguments, vault=vault, data_dir=data_dir))

        run(start)
