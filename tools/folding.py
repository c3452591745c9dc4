"""One way to compare words regardless of case, accents and the Turkish dotted and dotless i."""

import unicodedata

_DOTLESS = str.maketrans({"ı": "i", "İ": "i", "I": "i"})


def fold(text: str) -> str:
    """Lower case without accents; ``IĞDIR``, ``Iğdır`` and ``ığdır`` all become ``igdir``."""
    lowered = text.translate(_DOTLESS).casefold()
    if lowered.isascii():
        return lowered
    decomposed = unicodedata.normalize("NFKD", lowered)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def fold_name(text: str) -> str:
    """Fold a note's name for look-up: surrounding space and the ``.md`` ending do not count."""
    return " ".join(fold(text).split()).removesuffix(".md")
