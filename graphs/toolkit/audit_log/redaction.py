"""What of a tool's arguments is logged: numbers, choices, paths of notes, ids, and never a text.

A text becomes its length and a short hash with a key (HMAC-SHA256). The key stays in the data
directory and out of the log. So who has only the log cannot try likely questions until a hash fits,
as they could with a plain hash; who has the key and remembers what they said finds their call by
it, and sees that two calls said the same. Forty bits are enough for that.

What an argument may hold is decided by the tool. A value that does not have the form is a text,
whatever was promised, for a client may put a question anywhere. So is a path that no note has, for
a sentence may end in .md, and what the tool knows nothing of, whose name is not logged either.
"""

import hashlib
import hmac
import json
import math
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal, cast
from uuid import UUID

from tools.base.errors import StorageError
from tools.base.output_files import write_private
from tools.runtime.audit_chain import Entry
from tools.runtime.server_process import locked, private_dir

type Rule = Literal["number", "path", "node", "text"] | frozenset[str]
"""What an argument may hold that is logged as it is; a set has the words of a choice."""

HOLDING = "the audit log"

_KEY_BYTES = 32
_HASH_LETTERS = 10
_LARGEST = 2**63
"""Numbers up to this are logged; a longer one could be a text in disguise."""
_MOST_ITEMS = 50
_LONGEST_LIST = 4_000
"""Letters of a list that is logged item by item: a line must not grow as a client likes."""
_LONGEST_PATH = 400
_LONGEST_LABEL = 64
_LABEL = re.compile(r"[\w.:@+/-]+(?: [\w.:@+/-]+)*")
_PATH = re.compile(r"[^/\\#^|\[\]:*?\"<>\n\r\t\x00][^\\#^|\[\]:*?\"<>\n\r\t\x00]*\.md")


def redact(
    arguments: Mapping[str, object],
    rules: Mapping[str, Rule],
    *,
    key: bytes,
    is_note: Callable[[str], bool],
) -> dict[str, object]:
    """The arguments that the tool has, each as its rule lets it through.

    ``is_note`` says of what has the form of a path whether a note has it.
    """
    return {
        name: _let_through(value, rules[name], key=key, is_note=is_note)
        for name, value in arguments.items()
        if name in rules
    }


def redact_written(written: Iterable[str], *, key: bytes) -> list[object]:
    """The paths and node ids among what a tool says it wrote; anything else as texts are."""
    return [one if _is_path(one) or _is_node(one) else _mark(one, key=key) for one in written]


def redact_label(label: str, *, key: bytes, words: int = 1) -> object:
    """A name that a client gives; as a text where it is longer than a name of so many words is."""
    usable = len(label) <= _LONGEST_LABEL and len(label.split()) <= words
    return label if usable and _LABEL.fullmatch(label) else _mark(label, key=key)


def hash_of(text: str, *, key: bytes) -> str:
    """The short hash that a text is logged by; composition and white space do not count."""
    same = " ".join(unicodedata.normalize("NFC", text).split())
    digest = hmac.new(key, same.encode("utf-8", "surrogatepass"), hashlib.sha256)
    return digest.hexdigest()[:_HASH_LETTERS]


def has_hash(logged: object, wanted: str) -> bool:
    """Whether what is logged of one argument has a text of this hash."""
    if isinstance(logged, list):
        return any(has_hash(one, wanted) for one in cast("list[object]", logged))
    return isinstance(logged, dict) and cast("Entry", logged).get("hash") == wanted


def kept_key(folder: Path) -> bytes | None:
    """The key, if there is one."""
    try:
        key = _key_file(folder).read_bytes()
    except OSError:
        return None
    return key if len(key) == _KEY_BYTES else None


def ensure_key(folder: Path) -> bytes:
    """The key, made once. Raises StorageError where it cannot be kept."""
    key = kept_key(folder)
    if key is not None:
        return key
    private_dir(folder, holding=HOLDING)
    file = _key_file(folder)
    try:
        with locked(file.with_suffix(".lock"), patience=10.0) as lock:
            key = kept_key(folder)  # another process may have been first
            if key is None and lock is None:
                raise StorageError("The key of the audit log is locked by another process.")
            if key is None:
                key = secrets.token_bytes(_KEY_BYTES)
                write_private(file, key)
            return key
    except OSError as error:
        raise StorageError(
            f"The key of the audit log cannot be kept ({error.strerror}): free some space, or make "
            "the data directory writable."
        ) from error


def _key_file(folder: Path) -> Path:
    return folder / "text.key"


def _let_through(
    value: object, rule: Rule, *, key: bytes, is_note: Callable[[str], bool]
) -> object:
    match value:
        case None | bool():
            return value
        case int() | float() if rule == "number" and _is_plain(value):
            return value
        case str() if _is_kept(value, rule, is_note):
            return value
        case list() | tuple() if len(_as_text(cast("object", value))) <= _LONGEST_LIST:
            items = cast("list[object]", value)
            kept = [_item(one, rule, key=key, is_note=is_note) for one in items[:_MOST_ITEMS]]
            return [*kept, {"more": len(items) - len(kept)}] if len(items) > len(kept) else kept
        case _:
            return _mark(_as_text(value), key=key)


def _item(value: object, rule: Rule, *, key: bytes, is_note: Callable[[str], bool]) -> object:
    if isinstance(value, (list, tuple)):
        return _mark(_as_text(cast("object", value)), key=key)
    return _let_through(value, rule, key=key, is_note=is_note)


def _mark(text: str, *, key: bytes) -> Mapping[str, object]:
    return {"length": len(text), "hash": hash_of(text, key=key)}


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _is_plain(number: float) -> bool:
    return math.isfinite(number) and abs(number) < _LARGEST


def _is_kept(text: str, rule: Rule, is_note: Callable[[str], bool]) -> bool:
    if not text.isprintable():  # a lone surrogate is no letter that could be shown
        return False
    match rule:
        case "path":
            return _is_path(text) and is_note(text)
        case "node":
            return _is_node(text)
        case "number" | "text":
            return False
        case _:
            return text in rule


def _is_path(text: str) -> bool:
    """Whether a text has the form of a note's path within the vault."""
    parts = text.split("/")
    return (
        len(text) <= _LONGEST_PATH
        and _PATH.fullmatch(text) is not None
        and not any(part in ("", ".", "..") for part in parts)
    )


def _is_node(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
