"""``brain model …``: examine a language model. What is heavy is imported when it is needed."""

from typing import Annotated

import typer

from graphs.cli.options import AsJson, run


def register(app: typer.Typer) -> None:
    """Add the commands to ``brain``."""
    models = typer.Typer(
        name="model",
        help="Examine a language model before it may decide anything by itself.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )

    # One command alone would take the place of the group.
    @models.callback()
    def _group() -> None:
        pass

    models.command()(check)
    app.add_typer(models)


def check(
    name: Annotated[
        str | None,
        typer.Argument(
            help="A model of Ollama's, or provider:model [BRAIN_CHAT_MODEL].", show_default=False
        ),
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Try a model on built-in cases, beside the program without it; keep what it may decide."""

    def start() -> int:
        from evals.commands import model as command

        return command.check(name, as_json=as_json)

    run(start)
