"""The measured, counted and ordinal values in a claim. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tools.claims import units
from tools.claims.frequencies import BEGINNINGS, frequency
from tools.claims.frequencies import UNIT as FREQUENCY
from tools.claims.tokens import Piece
from tools.text import lexicon
from tools.text.stemming import english_stem, stem


@dataclass(frozen=True, slots=True)
class Quantity:
    """A measured or counted value as the span it allows, in the base unit of its dimension.

    ``unit`` is a dimension, the counted noun's stem, or for a bare number the stem before it.
    """

    low: float
    high: float
    unit: str
    text: str
    place: int


_TOLERANCE = 0.04
_TOLERANCE_OF_MONEY = 0.005
_ROUGH_TOLERANCE = 0.2
_MONTHS = frozenset(english_stem(month) for month in lexicon.MONTHS)
_MONEY = frozenset(("dollar", "euro", "sterling", "lira"))


def _value(kind: str, word: str, *, turkish: bool) -> float | None:
    """The number a token stands for; None for a version or what is no number."""
    if kind == "clock":
        hours, minutes = word.split(":")
        return int(hours) * 60.0 + int(minutes)
    if kind != "number":
        return (units.TURKISH_NUMBER_WORDS if turkish else units.NUMBER_WORDS).get(word)
    digits = re.sub(r"(?:st|nd|rd|th)$", "", word).replace("−", "-")
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return float(digits.replace(",", ""))
    if turkish and re.fullmatch(r"-?\d{1,3}(?:\.\d{3})+", digits):
        return float(digits.replace(".", ""))
    digits = digits.replace(",", ".")
    return float(digits) if digits.count(".") < 2 else None


def quantities_in(
    pieces: Sequence[Piece], dates: dict[int, str], *, turkish: bool
) -> tuple[tuple[Quantity, ...], set[int]]:
    """The quantities of a claim and the places of the words that spell them."""
    found: list[Quantity] = []
    used: set[int] = set()
    at = 0
    while at < len(pieces):
        told = at not in dates and _begins(pieces[at])
        parsed = _quantity(pieces, at, turkish=turkish) if told else None
        if parsed is None:
            at += 1
            continue
        quantity, end = parsed
        found.append(quantity)
        used |= set(range(at, end))
        at = end
    return tuple(found), used


@lru_cache(maxsize=8192)
def _begins(piece: Piece) -> bool:
    """Whether a quantity may begin with a token."""
    kind, _, word = piece
    if kind != "word":
        return kind in {"number", "clock"}
    return "-" in word or word in _WORDS


_WORDS = BEGINNINGS | {
    *units.NUMBER_WORDS,
    *units.TURKISH_NUMBER_WORDS,
    *units.SCALES,
    *units.TURKISH_SCALES,
    *units.ORDINALS,
}


def _number(pieces: Sequence[Piece], at: int, *, turkish: bool) -> tuple[float, int] | None:
    """The number that begins at a token, spelled or in digits, and where it ends."""
    kind, _, word = pieces[at]
    scales = units.TURKISH_SCALES if turkish else units.SCALES
    value = _value(kind, word, turkish=turkish)
    if value is None:
        hyphened = word.split("-")
        if len(hyphened) == 2 and hyphened[0] in units.TENS and hyphened[1] in units.ONES:
            value = units.NUMBER_WORDS[hyphened[0]] + units.NUMBER_WORDS[hyphened[1]]
        elif word in scales and word != "k" and at and pieces[at - 1][2] in {"a", "one"}:
            return scales[word], at + 1
        else:
            return None
    end = at + 1
    if word in units.TENS and end < len(pieces) and pieces[end][2] in units.ONES[1:10]:
        value, end = value + units.NUMBER_WORDS[pieces[end][2]], end + 1
    while end < len(pieces) and pieces[end][2] in scales:
        value, end = value * scales[pieces[end][2]], end + 1
    return value, end


def _quantity(pieces: Sequence[Piece], at: int, *, turkish: bool) -> tuple[Quantity, int] | None:
    kind, _, word = pieces[at]
    words = [token[2] for token in pieces]
    if often := frequency(pieces, at, turkish=turkish):
        times, stop = often
        slack = times * _TOLERANCE
        text = " ".join(token[1] for token in pieces[at:stop])
        return Quantity(times - slack, times + slack, FREQUENCY, text, at), stop
    if pieces[at][1].endswith(("st", "nd", "rd", "th")) and kind == "number":
        value = _value(kind, word, turkish=turkish)
        return _ordinal(pieces, at, value or 0.0, turkish=turkish)
    if word in units.ORDINALS and words[at - 1 : at] != ["a"]:
        return _ordinal(pieces, at, units.ORDINALS[word], turkish=turkish)
    first = _number(pieces, at, turkish=turkish)
    if first is None or (at and words[at - 1] in lexicon.LABELS):
        return None
    low, end = first
    high = low
    if end + 1 < len(pieces) and words[end] in {"-", "–", "—", "to", "and"}:
        between = words[end] != "and" or "between" in words[max(0, at - 2) : at]
        second = _number(pieces, end + 1, turkish=turkish) if between else None
        if second and second[0] > low:
            high, end = second
    unit, factor, stop = _unit(pieces, at, end, turkish=turkish)
    half, named = _half_of_day(words[end : end + 2])
    if half and (kind == "clock" or low <= 12):
        unit, factor, stop = "clock", 1.0 if kind == "clock" else 60.0, end + named
        low, high = (_of_day(value * factor, half) / factor for value in (low, high))
    elif kind == "clock":
        unit, factor, stop = "clock", 1.0, end
    low, high = low * factor, high * factor
    lead = words[max(0, at - 3) : at]
    slack = _slack(unit, low, exact=first[1] == at + 1 and first[0].is_integer())
    slack = _ROUGH_TOLERANCE if set(lead[-2:]) & units.APPROXIMATE else slack
    low, high = low - abs(low) * slack, high + abs(high) * slack
    bound = next((side for pair, side in units.BOUNDS.items() if tuple(lead[-2:]) == pair), 0)
    if bound > 0 or set(lead[-1:]) & units.AT_LEAST or words[stop : stop + 2] == ["or", "more"]:
        high = float("inf")
    elif bound < 0 or set(lead[-1:]) & units.AT_MOST or words[stop : stop + 2] == ["or", "less"]:
        low = float("-inf")
    named = stop + (unit not in units.DIMENSIONS and not unit.startswith("bare") and stop == end)
    text = " ".join(token[1] for token in pieces[at:named]).replace(" %", "%")
    return Quantity(low, high, unit, text, at), stop


def _slack(unit: str, value: float, *, exact: bool) -> float:
    """How far off two notes may be about one value, as a share of it.

    Times of day, days of a month and whole numbers that measure nothing (a code, a year) are as
    they are.
    """
    if unit == "clock" or unit in _MONTHS or (exact and unit.startswith("bare")):
        return 0.0
    if exact and unit.partition("/")[0] in _MONEY:
        return _TOLERANCE_OF_MONEY
    return _TOLERANCE if abs(value) > 20 or not value.is_integer() else 0.0


_NOON = 12 * 60.0


def _half_of_day(words: Sequence[str]) -> tuple[str, int]:
    """``am`` or ``pm`` where a number's next words say so, and how many words do."""
    if words and words[0] in {"am", "pm"}:
        return words[0], 1
    joined = "".join(words)
    return (joined, 2) if joined in {"am", "pm"} else ("", 0)


def _of_day(minutes: float, half: str) -> float:
    """Minutes from midnight of a time on a clock of twelve hours."""
    return minutes % _NOON + (_NOON if half == "pm" else 0.0)


def _ordinal(
    pieces: Sequence[Piece], at: int, value: float, *, turkish: bool
) -> tuple[Quantity, int] | None:
    following = pieces[at + 1] if at + 1 < len(pieces) else ("mark", "", "")
    if following[0] != "word" or following[2] in lexicon.FUNCTION:
        return None
    unit = "ordinal " + stem(following[2], turkish=turkish)
    return Quantity(value, value, unit, f"{pieces[at][1]} {following[1]}", at), at + 1


def _unit(pieces: Sequence[Piece], at: int, end: int, *, turkish: bool) -> tuple[str, float, int]:
    """The unit of the number in ``[at, end)``, its factor, and where number and unit end."""
    before = pieces[at - 1] if at else ("", "", "")
    if before[2] in {"$", "€", "£", "₺", "yuzde"} or (before[2] == "%" and turkish):
        dimension, factor = units.UNITS[before[2]]
        return dimension, factor, end
    if end < len(pieces) and pieces[end][0] != "suffix":
        kind, surface, word = pieces[end]
        surface = surface.replace(" ", "")
        known = (
            units.UNITS.get(surface) or units.UNITS.get(word) or units.UNITS.get(english_stem(word))
        )
        if known and not (word in {"m", "l", "h", "v", "w"} and pieces[end - 1][0] != "number"):
            dimension, factor = known
            rate = [token[2] for token in pieces[end + 1 : end + 3]]
            if len(rate) == 2 and rate[0] in {"per", "a", "an", "each", "every"}:
                per = english_stem(rate[1])
                if units.UNITS.get(rate[1], units.UNITS.get(per, ("", 0)))[0] == "time":
                    return f"{dimension}/{per}", factor, end + 3
            return dimension, factor, end + 1
        if kind == "word" and word not in lexicon.FUNCTION:
            return stem(word, turkish=turkish), 1.0, end
    counted = next(
        (
            stem(word, turkish=turkish)
            for kind, _, word in reversed(pieces[:at])
            if kind == "word" and word not in lexicon.FUNCTION
        ),
        "",
    )
    return f"bare {counted}", 1.0, end


def conflicting(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities of one unit leave no common value; hours of opening are one value."""
    if one.unit != other.unit:
        return False
    if one.unit == "clock" and one.low < one.high and other.low < other.high:
        return (one.low, one.high) != (other.low, other.high)
    return one.low > other.high or other.low > one.high
