"""What a client writes, line by line: a message of JSON-RPC, or why it is none.

Only the standard library is imported: a client that shares a service process waits for nothing
else.
"""

import json
from collections.abc import Mapping
from typing import cast

NO_JSON, NO_REQUEST = -32700, -32600
MOST_BYTES = 4_000_000
"""What the service process accepts at once, and so every way in."""


class RefusedMessageError(ValueError):
    """What is no message: the code and the words of the error, and whom it replies to, if known."""

    def __init__(self, code: int, message: str, *, request: int | str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.request = request


def read_message(line: bytes) -> Mapping[str, object]:
    """The message that a line is. Raises RefusedMessageError for a line that is none."""
    try:
        said: object = json.loads(line.decode())
    except UnicodeDecodeError:
        raise RefusedMessageError(NO_JSON, "This is no UTF-8 text.") from None
    except ValueError:
        raise RefusedMessageError(NO_JSON, "This is no JSON.") from None
    except RecursionError:
        raise RefusedMessageError(NO_JSON, "This JSON is nested too deep.") from None
    message = members(said)
    known = request_of(message)
    if not _is_one(message) or ("id" in message and known is None):
        told = "This is no message of JSON-RPC 2.0: one object a line, its id a text or a number."
        raise RefusedMessageError(NO_REQUEST, told, request=known)
    if len(line) > MOST_BYTES:
        told = "The message is too large: 4 MB at most."
        raise RefusedMessageError(NO_REQUEST, told, request=known)
    if b"\\u" in line and not _is_text(said):
        told = "The message has half of a character (a lone surrogate)."
        raise RefusedMessageError(NO_JSON, told, request=known)
    return message


def request_of(message: Mapping[str, object]) -> int | str | None:
    """The id of a call or of the reply to one; None where it has none, or none that can be."""
    request = message.get("id")
    return request if isinstance(request, str) or type(request) is int else None


def members(value: object) -> Mapping[str, object]:
    """The members of a JSON object; of anything else none."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _is_one(message: Mapping[str, object]) -> bool:
    """Whether it is a call, or the reply to one of ours."""
    calls = isinstance(message.get("method"), str)
    replies = "id" in message and ("result" in message or "error" in message)
    return message.get("jsonrpc") == "2.0" and (calls or replies)


def _is_text(said: object) -> bool:
    try:
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
