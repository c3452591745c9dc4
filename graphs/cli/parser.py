"""How ``brain`` reads its arguments, and says in one line that they cannot be used."""

import os
import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer
from typer.core import TyperGroup
from typer.main import get_group

from graphs.cli.output.exit_codes import OK
from tools.base.guards import one_line

PACKAGE = "second-brain"
_REGISTERED = "second_brain.commands"
"""Entry points of the package: functions that add commands to a ``typer.Typer``."""
_PARSERS_OWN = "Value error, "
"""What the parser puts before some of its reasons."""


class Commands(TyperGroup):
    """The commands of ``brain``, and of a group of them."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for command in (self, *self.commands.values()):
            for parameter in command.get_params(typer.Context(command)):  # with --help
                _read_plainly(parameter)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command, or one that was registered; those are loaded when no other is meant."""
        return super().get_command(ctx, cmd_name) or self._registered.get(cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, those registered last."""
        return [*super().list_commands(ctx), *self._registered]

    @cached_property
    def _registered(self) -> Mapping[str, Any]:
        """What stands above the command line and adds to it, as measuring does."""
        from importlib.metadata import distribution  # which takes as long as all the rest

        others = typer.Typer(rich_markup_mode=None)
        for command in distribution(PACKAGE).entry_points.select(group=_REGISTERED):
            command.load()(others)
        return get_group(others).commands

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command that is named and end the process with its exit code."""
        options.setdefault("prog_name", self.name)
        try:
            code = super().main(*args, **options | {"standalone_mode": False})
        except typer.TyperException as error:
            typer.echo(_said(error), err=True)
            code = error.exit_code
        sys.exit(code or OK)


def _read_plainly(parameter: Any) -> None:
    """Take what needs no check as it was typed.

    Typer has pydantic check each parameter, also those that are not given, and importing pydantic
    takes longer than all else that ``brain ask`` does where another process answers.
    """
    as_usual = parameter.process_value
    named = parameter.type_descriptor.annotation
    kind = getattr(named, "__value__", named)  # of a type that has a name
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    single = parameter.nargs == 1 and not parameter.multiple

    def read(context: Any, value: Any) -> Any:
        if not single or (value is None and parameter.required):
            return as_usual(context, value)
        if isinstance(value, str) and kind is Path and os.access(value, os.R_OK):
            value = Path(value)
        elif not (value is None or (isinstance(value, str) and (kind is str or value in choices))):
            return as_usual(context, value)
        called_back = parameter.callback
        return value if called_back is None else called_back(context, parameter, value)

    parameter.process_value = read


def _said(error: typer.TyperException) -> str:
    """What is wrong and where the help is; the help itself where no command is named."""
    context = getattr(error, "ctx", None)  # lacking where an option has no value behind it
    if context is not None and error.message == context.get_help():
        return error.message
    wrong = one_line(error.format_message().replace(_PARSERS_OWN, "")).removesuffix(".")
    path = "brain" if context is None else context.command_path
    return f"brain: {wrong}; `{path} --help` shows what can be given."
