"""The paths that a new note can have, and which of them a system may take for one file. Pure."""

import re
import unicodedata

from tools.base.errors import InputError
from tools.vault.disk.files import is_note_path

LONGEST_PATH = 400
"""Characters of a path."""
_LONGEST_PART = 200
"""Bytes of each part of it; file systems end at 255."""
_FORBIDDEN = re.compile(r'[\\:*?"<>|#^\[\]]')
"""What other systems, or a wikilink, cannot have in a name."""
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices."""
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
"""Letters of some scripts, and emoji, are made with them."""
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's property Default_Ignorable_Code_Point (DerivedCoreProperties.txt), which is stable."""
_BLANK = frozenset({"BLANK", "FILLER"})
"""What the names of other letters say that show nothing, as that of Braille's blank pattern."""


def new_note_path(path: str) -> str:
    """The path of a new note in its composed Unicode form.

    Raises InputError for one that leads elsewhere than into the vault, is hidden, or that some
    system, editor or link could not have.
    """
    composed = unicodedata.normalize("NFC", path)
    parts = composed.split("/")
    stems = [part.removesuffix(".md") for part in parts]
    if len(composed) > LONGEST_PATH or any(_size(part) > _LONGEST_PART for part in parts):
        raise InputError(
            f"The path is too long: at most {LONGEST_PATH} characters, {_LONGEST_PART} bytes in "
            "each part of it."
        )
    shown = ascii(composed)
    if not all(map(_shows, _plain(composed))) or any(one and not _plain(one) for one in stems):
        raise InputError(f"{shown} has letters that do not show: leave them out.")
    if composed.startswith("/") or any(part in ("", ".", "..") for part in parts):
        raise InputError(
            f"{composed!r} is not a path inside the vault: give one from the vault's folder on, "
            "such as inbox/Idea.md."
        )
    if not (composed.endswith(".md") and is_note_path(composed)) or parts[-1] == ".md":
        raise InputError(f"{composed!r} is not the name of a note: a visible one that ends in .md.")
    for part in parts:
        if _FORBIDDEN.search(part) or _RESERVED.fullmatch(part):
            raise InputError(
                f'{part!r} is no name that every system and link can have: leave out \\ : * ? " '
                "< > | # ^ [ ] and names of devices such as CON."
            )
        if part != part.strip() or part.removesuffix(".md").endswith((".", " ")):
            raise InputError(f"{part!r} begins or ends with a space, or ends with a dot.")
    return composed


def same_name_key(path: str) -> str:
    """What two paths have in common that a system may take for one file."""
    composed = unicodedata.normalize("NFC", _plain(path))
    return unicodedata.normalize("NFC", composed.casefold())


def _plain(text: str) -> str:
    return "".join(letter for letter in text if letter not in _JOINERS)


def _shows(letter: str) -> bool:
    named = unicodedata.name(letter, "").split()
    return letter.isprintable() and not _IGNORABLE.match(letter) and _BLANK.isdisjoint(named)


def _size(part: str) -> int:
    return len(part.encode(errors="surrogatepass"))
