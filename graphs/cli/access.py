"""``brain access``: who may do what in the graph database, as the database enforces it."""

from typing import Annotated

import typer

from graphs.cli.options import AsJson, DataDir, Vault, run, run_async
from tools.graph.access.kinds import Tier


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    access = typer.Typer(
        name="access",
        help="Who may do what in the graph database: reader, contributor, librarian, curator.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for command in (provision, show, token, revoke):
        access.command()(command)
    app.add_typer(access)


def provision(
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    script: Annotated[
        bool,
        typer.Option("--print", help="Print what an administrator runs instead; it has no secret."),
    ] = False,
    days: Annotated[
        int | None,
        typer.Option(
            "--days",
            min=0,
            max=3650,
            help="So long their tokens hold from now on, 0: for good; else as long as before.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a user of the graph database for each tier; the secrets stay in the data directory."""

    def start() -> int:
        from graphs.cli.commands import access as command

        if script:
            return command.script(vault=vault, data_dir=data_dir, as_json=as_json)
        return run_async(
            command.provision(vault=vault, data_dir=data_dir, days=days, as_json=as_json)
        )

    run(start)


def show(*, vault: Vault = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show which tiers exist and what enforces each."""

    def start() -> int:
        from graphs.cli.commands import access as command

        return run_async(command.show(vault=vault, data_dir=data_dir, as_json=as_json))

    run(start)


def token(
    tier: Annotated[Tier, typer.Argument(help="What who has the token may do.")],
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
) -> None:
    """Print the token by which a client of `brain serve` has a tier: keep it secret."""

    def start() -> int:
        from graphs.cli.commands import access as command

        return command.token(tier, vault=vault, data_dir=data_dir)

    run(start)


def revoke(
    tier: Annotated[Tier, typer.Argument(help="The tier whose user goes.")],
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Remove a tier's user and end its connections; provision makes it anew, with a new secret."""

    def start() -> int:
        from graphs.cli.commands import access as command

        return run_async(command.revoke(tier, vault=vault, data_dir=data_dir, as_json=as_json))

    run(start)
