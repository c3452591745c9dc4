"""``brain mcp …``: what other programs ask over MCP, and how they are told of it."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from graphs.cli.options import DataDir, Vault, run, run_async, start_servers
from graphs.mcp.clients import ClientName, Scope
from tools.base.errors import BrainError
from tools.graph.access.kinds import Tier

mcp = typer.Typer(
    name="mcp",
    help="Have MCP clients, such as Claude Desktop or an editor, ask this vault.",
    invoke_without_command=True,
    rich_markup_mode=None,
)

Name = Annotated[ClientName, typer.Argument(metavar="CLIENT", help="Which program.")]
TierOption = Annotated[
    Tier, typer.Option("--tier", help="What the client may do; see `brain access show`.")
]
ScopeOption = Annotated[
    Scope | None,
    typer.Option("--scope", help="Of claude-code: all your projects, or this folder's .mcp.json."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    app.add_typer(mcp)


@mcp.callback()
def _serve(
    context: typer.Context,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    tier: TierOption = "reader",
) -> None:
    """Answer an MCP client over standard input and output, which is what clients start."""
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty():  # a person, who speaks no JSON
        typer.echo(context.get_help())
        return

    def start() -> int:
        # What is wrong with the vault is told to each call: a client shows nothing else.
        with suppress(BrainError):
            if _by_service(vault, data_dir, tier):
                return 0
            start_servers(vault, data_dir)
        from graphs.mcp.stdio import serve

        return run_async(serve(vault=vault, data_dir=data_dir, tier=tier))

    run(start)


def _by_service(vault: Path | None, data_dir: Path | None, tier: Tier) -> bool:
    """Whether a service process answered this client; one with other settings does not."""
    from graphs.service.client import OtherSettingsError
    from graphs.service.mcp_bridge import serve_by_service
    from tools.settings.sources import find_place

    place = find_place({"vault": vault, "data_dir": data_dir})
    try:
        return place is not None and serve_by_service(place, tier)
    except OtherSettingsError:
        return False


@mcp.command()
def install(
    name: Name,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    scope: ScopeOption = None,
    tier: Annotated[
        Tier | None,
        typer.Option("--tier", help="What it may do: a reader, or what it is already."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    only_print: Annotated[
        bool, typer.Option("--print", help="Change nothing: print what to paste.")
    ] = False,
) -> None:
    """Write this vault's server into a client's file, having shown the change and asked."""

    def start() -> int:
        from graphs.cli.commands import mcp_clients

        return mcp_clients.install_server(
            name,
            vault=vault,
            data_dir=data_dir,
            scope=scope,
            tier=tier,
            yes=yes,
            only_print=only_print,
        )

    run(start)


@mcp.command()
def uninstall(
    name: Name,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    scope: ScopeOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Take this vault's server out of a client's file again."""

    def start() -> int:
        from graphs.cli.commands import mcp_clients

        return mcp_clients.uninstall_server(
            name, vault=vault, data_dir=data_dir, scope=scope, yes=yes
        )

    run(start)
