"""Lists in pages: a cursor says where the next page begins, and of which list."""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from tools.base.errors import InputError

_UNKNOWN = "The cursor is of another list or was changed: ask again without a cursor."


def page[T](items: Sequence[T], given: Any, *, limit: int) -> tuple[Sequence[T], str | None]:
    """The page that ``given.cursor`` asks for, and the cursor of the next, if there is one.

    ``given`` are the arguments of a tool, which a cursor belongs to. Raises InputError for one of
    other arguments.
    """
    mark = _mark(given)
    start = _start(given.cursor, mark) if given.cursor else 0
    more = start + limit < len(items)
    return items[start : start + limit], _cursor(start + limit, mark) if more else None


def _mark(given: Any) -> str:
    told = sorted(asdict(replace(given, cursor=None)).items())
    return hashlib.sha256(repr((type(given).__name__, told)).encode()).hexdigest()[:12]


def _cursor(start: int, mark: str) -> str:
    return base64.urlsafe_b64encode(f"{start}:{mark}".encode()).decode()


def _start(cursor: str, mark: str) -> int:
    try:
        start, _, of = base64.urlsafe_b64decode(cursor.encode()).decode().partition(":")
        number = int(start)
    except (binascii.Error, ValueError):
        raise InputError(_UNKNOWN) from None
    if of != mark or number < 0:
        raise InputError(_UNKNOWN)
    return number
