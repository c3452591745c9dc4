"""Readers of what is counted on from the day of writing: in three days, iki hafta sonra.

A question does not mean a time by them: "what did I read in three days?" asks for a duration.
"""

import re
from datetime import date

from tools.temporal.periods.periods import STRETCHED, Mention, Reader, mention, stretch, unit_days
from tools.temporal.periods.rules import Rule, rules
from tools.temporal.periods.vocabulary import COUNT, LONGER_UNITS, UNIT, UNITS, count_of


def _counted_on(match: re.Match[str], today: date) -> Mention:
    unit, factor = LONGER_UNITS.get(match["unit"]) or (UNITS[match["unit"]], 1)
    days = unit_days(today, unit, -count_of(match["count"]) * factor)
    return mention(match, lambda _: days, days[0].year, unit=unit)


def _end_of_unit(match: re.Match[str], today: date) -> Mention:
    """Read "at the end of the month", and "by" it: all of the month lies before that."""
    unit = UNITS[match["unit"]]
    days = unit_days(today, unit)
    by = _UP_TO.search(match.string, 0, match.start()) or _UP_TO_IT.match(match.string, match.end())
    last = days if by or unit not in STRETCHED else stretch(days, unit, "end")
    return mention(match, lambda _: last, last[0].year)


_UP_TO = re.compile(r"\b(?:by|until|till)\s+$")
_UP_TO_IT = re.compile(r"na\s+(?:kadar|dek|degin)\b")
# "Three times in two weeks", "for the first time in years" and "in two weeks of rain" count none.
_NO_SPAN = r"(?<!\btime )(?<!\btimes )(?<!\bonce )(?<!\btwice )"

LOOKING_AHEAD: tuple[Rule[Reader], ...] = rules(
    (
        _counted_on,
        rf"{_NO_SPAN}\bin\s+{COUNT}\s+{UNIT}(?:'?\s+time\b)?(?!\s+of\b)",
        rf"\b{COUNT}\s+{UNIT}\s+from\s+(?:now|today)\b",
        # "Toplantıdan iki gün sonra" counts from something else.
        rf"(?<![td][ae]n\s)\b{COUNT}\s+{UNIT}\s+sonra(?!\w)",
    ),
    (
        _end_of_unit,
        rf"\b(?:the\s+)?end\s+of\s+(?:the|this)\s+{UNIT}",
        # "Hafta sonu" is the weekend.
        r"\b(?:bu\s+)?(?P<unit>gun|ay|yil|sene|ceyre[kg])\s+sonu(?=n[ad])",
    ),
)
