"""What may come in from outside: each guard returns the clean value or raises InputError.

The rules follow common input-validation practice; queries to the stores are parameterised as well,
so a guard is the first wall and never the only one.
"""

import math
import re
import unicodedata

from tools.base.errors import InputError

MAX_QUESTION = 2000
MAX_NAME = 500
MAX_CONCEPT = 100
MAX_LIMIT = 100

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
_THREAD_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")

_ESCAPES = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC: titles, hyperlinks, clipboard
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c\n]*(?:\x1b\\|\x9c)?"  # DCS, SOS, PM, APC
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor, erase
    r"|\x1b[ -/]*[0-~]?"  # other escapes
    r"|\r(?=\n)"
)
_UNPRINTABLE = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}\ud800-\udfff]")

# JSON escapes the lower control characters by itself.
_OBEYED_IN_JSON = re.compile(rf"[\x7f-\x9f\u2028\u2029{_BIDI}\ud800-\udfff]")


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


def subject(text: str) -> str:
    """A name of something in the notes, as it is written there, white space folded.

    Raises InputError for one that is empty, too long or holds no readable text.
    """
    name = _SPACE.sub(" ", unicodedata.normalize("NFC", terminal_text(text))).strip()
    if not name:
        raise InputError("Name a note, a person, a tag or a value: it is empty.")
    if len(name) > MAX_NAME:
        raise InputError(f"The name has {len(name)} characters and may have {MAX_NAME}.")
    return name


def threshold(value: float) -> float:
    """A similarity threshold in [0, 1]. Raises InputError for anything else, NaN included."""
    if isinstance(value, bool) or not math.isfinite(value) or not 0.0 <= value <= 1.0:
        raise InputError(f"The similarity threshold {value:g} is not between 0 and 1: try 0.7.")
    return float(value)


def limit(value: int) -> int:
    """A number of results in 1..100. Raises InputError for anything else."""
    if isinstance(value, bool) or not 1 <= value <= MAX_LIMIT or value != int(value):
        raise InputError(f"The limit {value} is not a whole number from 1 to {MAX_LIMIT}: try 10.")
    return int(value)


def terminal_text(text: str) -> str:
    """``text`` safe to print: no escape sequences, control characters or bidi overrides.

    Newlines and tabs stay. Applying it twice changes nothing more.
    """
    if text.isprintable():  # as almost every line
        return text
    while (cleaned := _UNPRINTABLE.sub("", _ESCAPES.sub("", text))) != text:
        text = cleaned
    return text


def terminal_json(document: str) -> str:
    """The same JSON ``document``, safe to print: what a terminal would obey is an escape in it."""
    return _OBEYED_IN_JSON.sub(lambda letter: f"\\u{ord(letter[0]):04x}", document)


def one_line(text: str) -> str:
    """``text`` safe to print and on one line, all white space folded to single blanks."""
    return " ".join(terminal_text(text).split())


def thread_id(text: str) -> str:
    """The id of a conversation: 1 to 64 letters, digits, ``.``, ``_`` and ``-``.

    Raises InputError for any other.
    """
    if not _THREAD_ID.fullmatch(text) or ".." in text:
        raise InputError("The thread id is not one of ours: copy it from the earlier answer.")
    return text
