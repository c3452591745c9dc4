"""Where a general date parser is right on our date questions, and where not.

``python -m evals.interpretation.date_parsers`` compares a plan's period with the search of
dateparser, which reads the dates of notes (``tools/vault/notes/dating.py``). dateparser gives a
moment and how exact it is (day, week, month, year); the period of that exactness around the moment
is what it is credited with.
"""

import asyncio
import sys
from datetime import date, datetime, timedelta

from evals.datasets.files import DATES
from evals.datasets.records import read_lines
from evals.interpretation.intents import build_interpreter
from evals.interpretation.parameters import DateCase, check_dates
from tools.settings.settings import ModelSettings


def main() -> int:
    """Print how many of the date questions each reads exactly, and where they differ."""
    cases = [case for path in DATES for case in read_lines(path, DateCase)]
    interpret = build_interpreter(ModelSettings(mode="local"))
    ours = [check.right for check in asyncio.run(check_dates(cases, interpret))]
    found = [_searched(case) for case in cases]
    theirs = [span == (case.start, case.end) for case, span in zip(cases, found, strict=True)]
    for name, count in (("ours", sum(ours)), ("dateparser", sum(theirs))):
        sys.stdout.write(f"{name}: {count} of {len(cases)} exact\n")
    sys.stdout.write("Right in ours, not in dateparser:\n")
    for case, span, right, equal in zip(cases, found, ours, theirs, strict=True):
        if right and not equal:
            sys.stdout.write(f"  {case.query} | {case.start} {case.end} | {span[0]} {span[1]}\n")
    return 0


def _searched(case: DateCase) -> tuple[date | None, date | None]:
    from dateparser.date import DateDataParser
    from dateparser.search import search_dates

    options = {"RELATIVE_BASE": case.now.replace(tzinfo=None), "PREFER_DATES_FROM": "past"}
    found = search_dates(case.query, languages=[case.language], settings=options)
    if not found:
        return None, None
    parser = DateDataParser(languages=[case.language], settings=options)
    spans = [_span(moment, str(parser.get_date_data(phrase).period)) for phrase, moment in found]
    return min(start for start, _ in spans), max(end for _, end in spans)


def _span(moment: datetime, exactness: str) -> tuple[date, date]:
    day = moment.date()
    match exactness:
        case "year":
            return day.replace(month=1, day=1), day.replace(year=day.year + 1, month=1, day=1)
        case "month":
            first = day.replace(day=1)
            return first, (first + timedelta(days=32)).replace(day=1)
        case "week":
            monday = day - timedelta(days=day.weekday())
            return monday, monday + timedelta(days=7)
        case _:
            return day, day + timedelta(days=1)


if __name__ == "__main__":
    sys.exit(main())
