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
_JOINERS = "\u200c\u200d"
"""Letters of some scripts, and emoji, are made with them."""


def new_note_path(path: str) -> str:
    """The path of a new note in its composed Unicode form.

    Raises InputError for one that leads elsewhere than into the vault, is hidden, or that some
    system, editor or link could not have.
    """
    composed = unicodedata.normalize("NFC", path)
    parts = composed.split("/")
    if len(composed) > LONGEST_PATH or any(_size(part) > _LONGEST_PART for part in parts):
        raise InputError(
            f"The path is too long: at most {LONGEST_PATH} characters, {_LONGEST_PART} bytes in "
            "each part of it."
        )
    shown = ascii(composed)
    if not all(letter.isprintable() or letter in _JOINERS for letter in composed):
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
    plain = "".join(letter for letter in path if letter not in _JOINERS)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", plain).casefold())


def _size(part: str) -> int:
    return len(part.encode(errors="surrogatepass"))
