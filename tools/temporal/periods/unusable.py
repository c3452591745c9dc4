"""What has the shape of a date but lies outside every calendar a note could follow: 0000-01-01.

It is read, so that the question is refused with a reason instead of searched for the number.
"""

import re
from datetime import date

from tools.temporal.periods.periods import BESIDE, DAYLIKE, SINCE, Days, Mention, Reader, mention
from tools.temporal.periods.rules import Rule, rules
from tools.temporal.periods.vocabulary import CASE, END, FREE, NO_UNIT

_BLANKS = frozenset((0, 1, 9999))
"""The years that programs write where they have no date."""


def _no_days(_: int) -> Days:
    raise ValueError("no note can have this date")


def _outside_day(match: re.Match[str], _today: date) -> Mention:
    """9999-12-31; other such numbers may name a part or an order, unless a word leads to them."""
    year = int(match["year"])
    return mention(match, _no_days, year, needs=frozenset() if year in _BLANKS else DAYLIKE)


def _outside_year(match: re.Match[str], _today: date) -> Mention:
    return mention(match, _no_days, int(match["year"]), needs=SINCE)


def _year_zero(match: re.Match[str], _today: date) -> Mention:
    return mention(match, _no_days, 0, needs=BESIDE)


_OUTSIDE = r"(?P<year>0\d{3}|[3-9]\d{3})"
# "Since 8080 is blocked", "since 9000 visitors came": because.
_NO_REASON = r"(?!\s+(?:\w+(?:s|ed)|are|were|had|have|can|will|would|did|people)\b)"

UNUSABLE: tuple[Rule[Reader], ...] = rules(
    (
        _outside_day,
        FREE + _OUTSIDE + rf"(?P<sep>[-/.])\d\d(?P=sep)\d\d(?:t\d\d:[\d:.+z-]*)?(?!-?\d){END}",
        FREE + rf"\d\d(?P<sep>[-/.])\d\d(?P=sep){_OUTSIDE}{END}",
    ),
    (
        _year_zero,
        r"\b(?<=year )0{1,4}(?![\w.,/-]|\s+(?:problem|bug))",
        rf"{FREE}0{{1,4}}(?=(?:{CASE})?\s+(?:yil|sene)[iu]n)",
    ),
    (
        _outside_year,
        rf"{FREE}(?P<year>[3-9]\d{{3}}|[1-9]\d{{4,5}}){END}{NO_UNIT}{_NO_REASON}",
        r"\b(?<=year )(?P<year>[1-9]\d{0,2})(?![\w.,/-])",
    ),
)
"""Days and years that no calendar of notes has."""
