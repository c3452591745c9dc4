"""Where a general date parser is right on our date questions, and where not.

``python -m evals.date_parsers`` compares a plan's period with the search of dateparser, which reads
the dates of notes (``tools/vault/dating.py``). dateparser gives a moment and how exact it is (day,
week, month, year); the period of that exactness around the moment is what it is credited with.
"""

import asyncio
import sys
from collections import Counter
from datetime import date, datetime, timedelta

from evals.cases import read_lines
from evals.intents import build_interpreter
from evals.measured import DATES
from evals.parameters import DateCase, check_dates
from tools.settings import ModelSettings


def main() -> int:
    """Print how many of the date questions each reads exactly, and where they differ."""
    cases = [case for path in DATES for case in read_lines(path, DateCase)]
    interpret = build_interpreter(ModelSettings(mode="local"))
    ours = {check.query for check in asyncio.run(check_dates(cases, interpret)) if check.right}
    right: Counter[str] = Counter()
    for case in cases:
        right["ours"] += case.query in ours
        right["dateparser"] += (case.start, case.end) == _searched(case)
    for name, count in right.items():
        sys.stdout.write(f"{name}: {count} of {len(cases)} exact\n")
    sys.stdout.write("Right in ours, not in dateparser:\n")
    for case in cases:
        found = _searched(case)
        if case.query in ours and found != (case.start, case.end):
            sys.stdout.write(f"  {case.query} | {case.start} {case.end} | {found[0]} {found[1]}\n")
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
