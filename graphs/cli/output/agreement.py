"""Asking whoever sits at the terminal before something is done."""

import sys

import typer

from graphs.cli.output.lines import read_line
from tools.base.errors import InputError


def require_person(otherwise: str) -> None:
    """Raise InputError, which says ``otherwise``, where nobody sits at the terminal."""
    if not sys.stdin.isatty():
        raise InputError(otherwise)


async def require_agreement(question: str, *, otherwise: str) -> None:
    """Ask. Raises InputError, which says ``otherwise``, for everything but y or yes."""
    said = await ask(f"{question} [y/N]: ")
    if said.strip().casefold() not in ("y", "yes"):
        raise InputError(otherwise)


async def ask(question: str) -> str:
    """The line that is replied; nothing where the input ends. Ctrl-C ends the waiting."""
    typer.echo(question, nl=False, err=True)  # standard output may be for JSON
    try:
        return await read_line("")
    except EOFError:
        typer.echo("", err=True)
        return ""
