"""How often something happens, by the words of a claim. Pure."""

from collections.abc import Mapping, Sequence

from tools.claims import units
from tools.claims.tokens import Piece

UNIT = "frequency"
"""The unit of how often: times a year."""

_YEAR = 365.25
_PERIODS: Mapping[str, float] = {
    "hour": 24 * _YEAR,
    "day": _YEAR,
    "night": _YEAR,
    "morning": _YEAR,
    "evening": _YEAR,
    "week": 52,
    "fortnight": 26,
    "month": 12,
    "quarter": 4,
    "year": 1,
}
_ADVERBS: Mapping[str, float] = {
    "hourly": 24 * _YEAR,
    "daily": _YEAR,
    "nightly": _YEAR,
    "weekly": 52,
    "fortnightly": 26,
    "monthly": 12,
    "quarterly": 4,
    "yearly": 1,
    "annually": 1,
}
_TURKISH_PERIODS: Mapping[str, float] = {
    "saat": 24 * _YEAR,
    "gun": _YEAR,
    "gece": _YEAR,
    "sabah": _YEAR,
    "aksam": _YEAR,
    "hafta": 52,
    "ay": 12,
    "yil": 1,
}
_LOCATIVE = {word + end: n for word, n in _TURKISH_PERIODS.items() for end in ("da", "de", "te")}
_TIMES: Mapping[str, float] = {"once": 1, "twice": 2, "thrice": 3}
_EACH = frozenset(("a", "an", "per", "every", "each"))
_TURKISH_TIMES = frozenset(("kez", "defa", "kere"))

BEGINNINGS = frozenset((*_ADVERBS, *_TIMES, *_LOCATIVE, "every", "each", "her"))
"""Words with which a frequency may begin, beside numbers."""

type Frequency = tuple[float, int]
"""Times a year, and where the words that say so end."""


def frequency(pieces: Sequence[Piece], at: int, *, turkish: bool) -> Frequency | None:
    """The frequency whose words begin at a token: ``every two weeks``, ``twice a day``, ``daily``.

    The words of a weekday's or a season's recurrence (every Monday) are none.
    """
    words = [word for _, _, word in pieces[at : at + 4]]
    if turkish:
        return _turkish(words, at)
    if words[0] in _ADVERBS:
        return _ADVERBS[words[0]], at + 1
    if words[0] in {"every", "each"}:
        every, used = _every(words[1:])
        return (every, at + 1 + used) if used else None
    times, used = _times(words)
    if used and words[used : used + 1] and words[used] in _EACH:
        every, more = _every(words[used + 1 :])
        if more:
            return times * every, at + used + 1 + more
    return None


def _every(words: Sequence[str]) -> tuple[float, int]:
    """How often a year each such period comes, and how many words name it; 0 where none do."""
    if words and words[0] in _PERIODS:
        return _PERIODS[words[0]], 1
    if len(words) > 1 and words[1].removesuffix("s") in _PERIODS:
        count = 2.0 if words[0] in {"other", "second"} else _count(words[0])
        if count:
            return _PERIODS[words[1].removesuffix("s")] / count, 2
    return 0.0, 0


def _times(words: Sequence[str]) -> tuple[float, int]:
    if words[0] in _TIMES:
        return _TIMES[words[0]], 1
    count = _count(words[0])
    return (count, 2) if count and words[1:2] == ["times"] else (0.0, 0)


def _turkish(words: Sequence[str], at: int) -> Frequency | None:
    """``her gün``, ``haftada bir``, ``günde iki kez``."""
    if words[0] == "her" and len(words) > 1 and words[1] in _TURKISH_PERIODS:
        return _TURKISH_PERIODS[words[1]], at + 2
    if words[0] in _LOCATIVE and len(words) > 1:
        count = _count(words[1], turkish=True)
        told = words[2:3] and words[2] in _TURKISH_TIMES
        if count and (told or count == 1):
            return _LOCATIVE[words[0]] * count, at + (3 if told else 2)
    return None


def _count(word: str, *, turkish: bool = False) -> float:
    if word.isdigit():
        return float(word)
    return (units.TURKISH_NUMBER_WORDS if turkish else units.NUMBER_WORDS).get(word, 0.0)
