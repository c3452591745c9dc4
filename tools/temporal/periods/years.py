"""A year for the dates that leave it open, from the date beside them: May of last year."""

import re
from dataclasses import replace
from itertools import pairwise

from tools.temporal.periods.periods import Mention
from tools.temporal.periods.vocabulary import CASE

_OF_YEAR = re.compile(r"(?:\s+of|\s+in|\s+from)?,?\s+(?:the\s+)?(?:year\s+)?")
_YEAR_S = re.compile(rf"(?P<of>{CASE})?(?:\s+(?:yil|sene)\w{{0,5}})?\s+(?P<within>(?:in|on)\s+)?")
_LED = re.compile(
    r"(?:^|[-–(]|\b(?:in|on|since|until|till|by|from|before|after|and|to|between|during|for|of"
    r"|early|late|mid|the|through|throughout))\s*$"
)
_TURKISH_YEAR = re.compile(r"gecen|bu |evvelki|onceki|[12]\d{3}")


def with_years(text: str, found: list[Mention]) -> list[Mention]:
    """``found``, where a date without a year takes the one beside it: "May of last year"."""
    joined = found[:1]
    for before, after in pairwise(found):
        one = _in_year(text, before, after)
        if one is not None and joined[-1] is before:
            joined[-1] = one
        else:
            joined.append(after)
    return joined


def _in_year(text: str, before: Mention, after: Mention) -> Mention | None:
    gap = text[before.end : after.start]
    if after.unit == "year" and _open(before):
        short = text[after.start] == "'" and not gap.strip()
        led = short or not before.needs or before.unit in {"day", "quarter"} or " of" in gap
        led = led or bool(_LED.search(text, max(0, before.start - 12), before.start))
        if led and (short or _OF_YEAR.fullmatch(gap)):
            return replace(before, end=after.end, year=after.year, needs=frozenset())
    if before.unit == "year" and not before.needs and _open(after):
        match = _YEAR_S.fullmatch(gap)
        sure = match and (match["of"] or match["within"] or not after.needs)
        if match and (sure or _TURKISH_YEAR.match(text, before.start)):
            return replace(after, start=before.start, year=before.year, needs=frozenset())
    return None


def _open(one: Mention) -> bool:
    return one.year is None and one.unit in {"day", "month", "quarter", "season"}
