"""``brain link``: links between notes, suggested for one of them."""

from typing import Annotated

import typer

from graphs.cli.options import AsJson, DataDir, Vault, run, run_async, start_servers

NoteName = Annotated[str, typer.Argument(metavar="NOTE", help="A note: its path, title or alias.")]


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    link = typer.Typer(name="link", help="Suggest links between notes.", rich_markup_mode=None)
    link.callback()(_group)
    link.command()(suggest)
    app.add_typer(link)


def _group() -> None:
    """Suggest links between notes."""


def suggest(
    note: NoteName,
    *,
    vault: Vault = None,
    data_dir: DataDir = None,
    limit: Annotated[int, typer.Option("--limit", help="At most so many, up to 100.")] = 20,
    threshold: Annotated[
        float, typer.Option("--threshold", help="The least similarity in meaning, 0 to 1.")
    ] = 0.0,
    either_way: Annotated[
        bool, typer.Option("--either-way", help="Leave out notes that link to it themselves, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List notes that a note should link to, and where it names them."""

    def start() -> int:
        start_servers(vault, data_dir)
        from graphs.cli.commands import link

        return run_async(
            link.suggest(
                note,
                vault=vault,
                data_dir=data_dir,
                limit=limit,
                threshold=threshold,
                either_way=either_way,
                as_json=as_json,
            )
        )

    run(start)
