"""A sentence cut into words, numbers, signs and dates. Pure."""

import re
from collections.abc import Sequence

from tools.text import lexicon
from tools.text.stemming import fold_word

type Piece = tuple[str, str, str]
"""Kind, surface and folded form: ``date clock number suffix unit word mark``.

A ``suffix`` is the Turkish ending of a number (``2011'de``).
"""

_TOKEN = re.compile(
    r"(?P<date>\d{4}-\d{2}(?:-\d{2})?)(?![\d-])|(?P<clock>\d{1,2}:\d{2})(?!\d)"
    r"|(?P<number>(?:(?<![\w.,)])[-−])?\d+(?:[.,]\d+)*)(?P<ordinal>(?:st|nd|rd|th)\b)?"
    r"|(?<=\d)['’](?P<suffix>(?!s\b)[^\W\d_]+)"
    r"|(?P<unit>mS/cm|µS/cm|km/h|m/s|g/l|mg/l|°\s?[CF]|[%$€£₺])"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*(?:-[^\W\d_]+)*[²³]?)|(?P<mark>[,;:()—–~≈<>≥≤-])"
)


def pieces_of(text: str) -> list[Piece]:
    """Each token's kind, its surface and its folded form, contractions taken apart."""
    pieces: list[Piece] = []
    for match in _TOKEN.finditer(text):
        kind, surface = str(match.lastgroup), match[0]
        word = fold_word(surface)
        if word in lexicon.CONTRACTIONS or word.endswith("n't"):
            head = lexicon.CONTRACTIONS.get(word, word[:-3])
            pieces += [("word", surface, head), ("word", surface, "not")]
        elif (tail := word.find("'")) > 0 and word[tail:] in lexicon.CLITICS:
            pieces += [("word", surface, word[:tail]), ("word", "", word[tail:])]
        else:
            pieces.append((kind, surface, word))
    return pieces


_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_LOCATED = frozenset(("de", "da", "te", "ta", "den", "dan", "ten", "tan"))


def _turkish_year(following: Sequence[Piece]) -> bool:
    """Whether what follows a number makes it a year: ``2011'de``, ``2011 yılında``."""
    return any(
        word in _LOCATED if kind == "suffix" else word.startswith(("yil", "sene"))
        for kind, _, word in following
    )


def dates_in(pieces: Sequence[Piece]) -> dict[int, str]:
    """The place of each word that dates the claim, and its date: a year, month, day or season."""
    dates: dict[int, str] = {}
    kinds = [kind for kind, _, _ in pieces]
    for at, (kind, surface, word) in enumerate(pieces):
        before = pieces[at - 1][2] if at else ""
        if kind == "date":
            dates[at] = word
        elif kind == "number" and _YEAR.fullmatch(word) and "unit" not in kinds[at + 1 : at + 2]:
            led = not at or before in lexicon.BEFORE_YEARS or before in lexicon.MONTHS
            if led or _turkish_year(pieces[at + 1 : at + 2]):
                dates[at] = word
        elif (
            word in lexicon.MONTHS
            and surface[:1].isupper()
            and (at or word not in {"may", "march"})
        ):
            dates[at] = "-" + lexicon.MONTHS[word]
        elif word in lexicon.SEASONS and before in {"in", "during", "this", "last", "every", "by"}:
            dates[at] = word
    return dates
