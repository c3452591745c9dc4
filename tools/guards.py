"""What may come in from outside: each guard returns the clean value or raises InputError.

The rules follow common input-validation practice; queries to the stores are parameterised as well,
so a guard is the first wall and never the only one.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath

from tools.errors import InputError

MAX_QUESTION = 500
MAX_CONCEPT = 100
MAX_LIMIT = 100
EARLIEST_YEAR = 1900

# Characters that reorder or hide text: bidi embeddings, overrides and isolates, and the marks.
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# \x09-\x0d and \x85 are white space and are folded before this looks.
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SPACE = re.compile(r"\s+")

_DANGEROUS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a <script> element", re.compile(r"<\s*/?\s*script\b", re.IGNORECASE)),
    ("an <iframe> element", re.compile(r"<\s*/?\s*iframe\b", re.IGNORECASE)),
    ("a javascript: address", re.compile(r"\bjavascript\s*:(?:\S|\s*\S*[(=])", re.IGNORECASE)),
    ("a call of eval()", re.compile(r"\beval\s*\(", re.IGNORECASE)),
    ("a call of Function()", re.compile(r"\bFunction\(|\bnew\s+Function\s*\(", re.IGNORECASE)),
    # "JavaScript: The Good Parts" and "a function (in mathematics)" are not meant.
    # Inside a tag any handler counts; outside one only the names browsers know, so that
    # "python=3", "on x = 5" and "once=" pass.
    ("an HTML event handler", re.compile(r"<[^<>]*\bon[a-z]{3,}\s*=", re.IGNORECASE)),
    (
        "an HTML event handler",
        re.compile(
            r"\bon(?:abort|animation\w+|before\w+|blur|change|click|contextmenu|copy|cut|dblclick"
            r"|drag\w*|drop|error|focus\w*|hashchange|input|invalid|key(?:down|press|up)|load\w*"
            r"|message|mouse\w+|paste|pointer\w+|popstate|readystatechange|reset|resize|scroll"
            r"|select|submit|toggle|touch\w+|transition\w+|unload|wheel)\s*=(?!=)",
            re.IGNORECASE,
        ),
    ),
)

_CONCEPT_UNSAFE = re.compile(r"[<>{}()\[\]\\/`\"$;|]")
_DRIVE = re.compile(r"[A-Za-z]:")
_SCHEME = re.compile(r"file:|[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_THREAD_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")

_ESCAPES = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC: titles, hyperlinks, clipboard
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c\n]*(?:\x1b\\|\x9c)?"  # DCS, SOS, PM, APC
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor, erase
    r"|\x1b[ -/]*[0-~]?"  # other escapes
    r"|\r(?=\n)"
)
_UNPRINTABLE = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}\ud800-\udfff]")


def question(text: str) -> str:
    """The question in NFC, trimmed, white space folded to single blanks; at most 500 characters.

    Raises InputError for an empty or longer one, for control characters, lone surrogates, and
    for markup or script that has no place in a question.
    """
    if _SURROGATE.search(text):
        raise InputError("The question holds broken Unicode: type it again as plain text.")
    folded = _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()
    if not terminal_text(folded).strip():
        raise InputError("The question is empty: ask for example “What is Zettelkasten?”.")
    if len(folded) > MAX_QUESTION:
        raise InputError(
            f"The question has {len(folded)} characters and may have {MAX_QUESTION}: shorten it."
        )
    if _CONTROL.search(folded):
        raise InputError("The question holds control characters: type it again as plain text.")
    for what, pattern in _DANGEROUS:
        if pattern.search(folded):
            raise InputError(f"The question holds {what}: leave it out and ask in plain words.")
    return folded


def concept(text: str) -> str:
    """``text`` as a search term: brackets, quotes, slashes and control characters removed.

    At most 100 characters; cut at a word where that keeps most of it. May be empty.
    """
    normal = unicodedata.normalize("NFC", terminal_text(text))
    clean = _SPACE.sub(" ", _CONCEPT_UNSAFE.sub(" ", normal)).strip()
    if len(clean) <= MAX_CONCEPT:
        return clean
    cut = clean[:MAX_CONCEPT]
    head, blank, _ = cut.rpartition(" ")
    return (head if blank and len(head) > MAX_CONCEPT // 2 else cut).strip()


def threshold(value: float) -> float:
    """A similarity threshold in [0, 1]. Raises InputError for anything else, NaN included."""
    if isinstance(value, bool) or not math.isfinite(value) or not 0.0 <= value <= 1.0:
        raise InputError(f"The similarity threshold {value} is not between 0 and 1: try 0.7.")
    return float(value)


def limit(value: int) -> int:
    """A number of results in 1..100. Raises InputError for anything else."""
    if isinstance(value, bool) or not 1 <= value <= MAX_LIMIT or value != int(value):
        raise InputError(f"The limit {value} is not a whole number from 1 to {MAX_LIMIT}: try 10.")
    return int(value)


def date(value: datetime, *, now: datetime) -> datetime:
    """An aware point in time between 1900 and ``now``. Raises InputError for any other."""
    if value.tzinfo is None:
        raise InputError(f"The date {value:%Y-%m-%d %H:%M} has no time zone: add one, as +00:00.")
    if value.year < EARLIEST_YEAR:
        raise InputError(
            f"The date {value:%Y-%m-%d} lies before {EARLIEST_YEAR}: give a later one."
        )
    if value > now:
        raise InputError(f"The date {value:%Y-%m-%d} lies in the future: give one up to today.")
    return value


def note_path(path: str, *, root: Path, folders: Sequence[str] = ()) -> Path:
    """The absolute path of a note given by its vault-relative ``path``; it need not exist.

    ``folders``, if any, are the only ones allowed. Raises InputError for whatever could point
    outside the vault: absolute paths, ``..``, backslashes, schemes, symlinks; and for non-notes.
    """
    shown = concept(path)[:60]
    if not path.strip() or path != path.strip():
        raise InputError("The note path is empty or padded: give one such as ideas/atomic.md.")
    if _SURROGATE.search(path) or _UNPRINTABLE.search(path):
        raise InputError("The note path holds control characters: type it again.")
    if "\\" in path:
        raise InputError(f"The note path “{shown}” has a backslash: write / between folders.")
    if path.startswith(("/", "~")) or _DRIVE.match(path) or _SCHEME.match(path):
        raise InputError(f"The note path “{shown}” is not inside the vault: start at its top.")
    pure = PurePosixPath(path)
    if ".." in pure.parts or any(part.strip(" .") == "" for part in pure.parts):
        raise InputError(f"The note path “{shown}” leaves the vault: write it without “..”.")
    if pure.suffix.casefold() != ".md" or len(path.encode()) > 4096:
        raise InputError(f"“{shown}” is not a note: only .md files can be read.")
    if folders and not any(_inside(pure, folder) for folder in folders):
        raise InputError(f"The note “{shown}” is in no allowed folder: see the folders setting.")
    resolved_root = root.resolve()
    target = resolved_root / pure
    try:
        resolved = target.resolve()
    except (OSError, RuntimeError):
        raise InputError(f"The note path “{shown}” cannot be followed: check its links.") from None
    if not resolved.is_relative_to(resolved_root):
        raise InputError(f"The note “{shown}” is a link that leaves the vault: it is not read.")
    if folders and not any(
        _inside(PurePosixPath(resolved.relative_to(resolved_root)), folder) for folder in folders
    ):
        raise InputError(f"The note “{shown}” links out of the allowed folders: it is not read.")
    if resolved.suffix.casefold() != ".md":
        raise InputError(f"The note “{shown}” links to a file that is no note: it is not read.")
    return target


def _inside(path: PurePosixPath, folder: str) -> bool:
    """Exact case: on a file system that folds case, ``Private`` must not open ``private``."""
    wanted = PurePosixPath(folder.strip("/") or ".")
    return wanted == PurePosixPath() or wanted in path.parents


def terminal_text(text: str) -> str:
    """``text`` safe to print: no escape sequences, control characters or bidi overrides.

    Newlines and tabs stay. Applying it twice changes nothing more.
    """
    while (cleaned := _UNPRINTABLE.sub("", _ESCAPES.sub("", text))) != text:
        text = cleaned
    return text


def thread_id(text: str) -> str:
    """The id of a conversation: 1 to 64 letters, digits, ``.``, ``_`` and ``-``.

    Raises InputError for any other.
    """
    if not _THREAD_ID.fullmatch(text) or ".." in text:
        raise InputError("The thread id is not one of ours: copy it from the earlier answer.")
    return text
