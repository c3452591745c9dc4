"""Compare words and names regardless of case, accents and the Turkish dotted and dotless i."""

import re
import unicodedata
from collections.abc import Callable, Iterable

_SAME = {"ı": "i", "İ": "i", "I": "i", "’": "'", "‘": "'"}
_FLAT = str.maketrans("İIıŞşĞğÜüÖöÇçÂâÎîÛû’‘", "iiissgguuooccaaiiuu''")


def fold(text: str) -> str:
    """Lower case without accents; ``IĞDIR``, ``Iğdır`` and ``ığdır`` all become ``igdir``.

    An apostrophe is straight afterwards. The length may change: ``ß`` becomes ``ss``.
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", _alike(text))
    if decomposed.isascii():  # there were only quotation marks and the like
        return decomposed.lower()
    # A text has few different letters, so that the marks among them are soon found.
    for mark in filter(unicodedata.combining, set(decomposed)):
        decomposed = decomposed.replace(mark, "")
    # Ornamental capitals (𝐀) only show their letter, and its case, once they are taken apart.
    return _alike(decomposed)


def _alike(text: str) -> str:
    for letter, same in _SAME.items():
        text = text.replace(letter, same)
    return text.casefold()


def flatten(text: str) -> str:
    """Lower case without Turkish accents, character for character.

    Unlike ``fold`` it keeps the length, so that what a pattern finds in the result can be cut out
    of ``text`` at the same place; in return it leaves other accents as they are.
    """
    return text.lower() if text.isascii() else text.translate(_FLAT).lower()


def word_finder(kept: str, *, beyond_ascii: re.Pattern[str]) -> Callable[[str], list[str]]:
    """A function that gives the words of a text in order: its runs of ``kept`` characters.

    In a text that is not ASCII they are what ``beyond_ascii``, a pattern without groups, finds.
    """
    # To look each character up is faster than to match it. The table has the kept ones too: each
    # that it lacks would be an exception, ten times as slow.
    gaps = {code: chr(code) if chr(code) in kept else " " for code in range(128)}

    def words(text: str) -> list[str]:
        return text.translate(gaps).split() if text.isascii() else beyond_ascii.findall(text)

    return words


QUOTED = re.compile(r"\[\[(?:(?!\[\[).)*?\]\]|\"[^\"]*\"|“[^“”]*”|`[^`]*`")
"""What is quoted, linked or code: a name, whatever words it is made of."""


def fold_name(text: str) -> str:
    """Fold a note's name for look-up: surrounding space and the ``.md`` ending do not count."""
    return " ".join(fold(text).split()).removesuffix(".md")


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Each name that is not empty once, as it is first written; the order stays."""
    found: dict[str, str] = {}
    for name in names:
        if name:
            found.setdefault(fold_name(name), name)
    return tuple(found.values())
