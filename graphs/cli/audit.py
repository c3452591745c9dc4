"""``brain audit``: which tools other programs called, and whether the log of it is whole."""

from typing import Annotated

import typer

from graphs.cli.options import AsJson, AsJsonList, DataDir, Vault, run
from tools.base.errors import InputError

_SHOWN = 20


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    audit = typer.Typer(name="audit", invoke_without_command=True, rich_markup_mode=None)
    audit.callback()(calls)
    audit.command()(verify)
    app.add_typer(audit)


def calls(
    context: typer.Context,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    tool: Annotated[str | None, typer.Option("--tool", help="Only calls of this tool.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="Nothing earlier: a date, a moment, or words.")
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", help="Only calls that were given exactly this text.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="So many calls, the newest.")
    ] = _SHOWN,
    as_json: AsJsonList = False,
) -> None:
    """List which tools other programs called, the newest last."""
    if context.invoked_subcommand is not None:
        given = vault or data_dir or tool or since or text or as_json or limit != _SHOWN
        run(_misplaced) if given else None
        return

    def start() -> int:
        from graphs.cli.commands import audit as commands

        return commands.calls(
            vault=vault,
            data_dir=data_dir,
            tool=tool,
            since=since,
            text=text,
            limit=limit,
            as_json=as_json,
        )

    run(start)


def verify(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    since_hash: Annotated[
        list[str] | None,
        typer.Option(
            "--since-hash",
            help="Also check that this hash is still in the log; may be given again.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check that the log is as it was written; print the last hash of each chain."""

    def start() -> int:
        from graphs.cli.commands import audit as commands

        return commands.verify(
            vault=vault, data_dir=data_dir, since_hashes=since_hash or (), as_json=as_json
        )

    run(start)


def _misplaced() -> int:
    raise InputError("Options of `brain audit verify` go behind `verify`.")
