"""Lists in pages: a cursor says where the next page begins, and of which list."""

import base64
import binascii
import hashlib
from collections.abc import Sequence

from tools.base.errors import InputError

_UNKNOWN = "The cursor is of another list or was changed: ask again without a cursor."


def page[T](
    items: Sequence[T], of: object, *, cursor: str | None, limit: int
) -> tuple[Sequence[T], str | None]:
    """The page of a list at the ``cursor``, or the first, and the cursor of the next, if any.

    ``of`` is the list's name and what it was asked for with, which a cursor belongs to. Raises
    InputError for one of another list.
    """
    mark = hashlib.sha256(repr(of).encode()).hexdigest()[:12]
    start = _start(cursor, mark) if cursor else 0
    more = start + limit < len(items)
    return items[start : start + limit], _cursor(start + limit, mark) if more else None


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
