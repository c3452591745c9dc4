"""Asking whoever sits at the terminal before something is done."""

import sys

import typer

from tools.base.errors import InputError


def require_person(otherwise: str) -> None:
    """Raise InputError, which says ``otherwise``, where nobody sits at the terminal."""
    if not sys.stdin.isatty():
        raise InputError(otherwise)


def require_agreement(question: str, *, otherwise: str) -> None:
    """Ask. Raises InputError, which says ``otherwise``, where the user does not agree."""
    if not typer.confirm(question, default=False, err=True):
        raise InputError(otherwise)
