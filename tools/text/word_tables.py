"""The word lists that lie beside this file, one table a file."""

from functools import cache
from importlib.resources import files


@cache
def table(name: str) -> tuple[str, ...]:
    """The lines of a table, without its comments."""
    lines = (files(__package__) / f"{name}.txt").read_text("utf-8").splitlines()
    return tuple(line for line in lines if not line.startswith("#"))
