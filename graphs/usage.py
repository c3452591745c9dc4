"""How ``brain`` says that its arguments cannot be used: in one line, as all that goes wrong."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from graphs.exits import OK
from tools.guards import one_line

_PARSERS_OWN = "Value error, "
"""What the parser puts before some of its reasons."""


class Commands(TyperGroup):
    """The commands of ``brain``, and of a group of them."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command that is named and end the process with its exit code."""
        options.setdefault("prog_name", self.name)
        try:
            code = super().main(*args, **options | {"standalone_mode": False})
        except typer.TyperException as error:
            typer.echo(_said(error), err=True)
            code = error.exit_code
        sys.exit(code or OK)


def _said(error: typer.TyperException) -> str:
    """What is wrong and where the help is; the help itself where no command is named."""
    context = getattr(error, "ctx", None)  # lacking where an option has no value behind it
    if context is not None and error.message == context.get_help():
        return error.message
    wrong = one_line(error.format_message().replace(_PARSERS_OWN, "")).removesuffix(".")
    path = "brain" if context is None else context.command_path
    return f"brain: {wrong}; `{path} --help` shows what can be given."
