"""What the tests of dates share: the moment they ask at, and words to make noise of."""

from datetime import datetime, timedelta, timezone

ZONE = timezone(timedelta(hours=3))
NOW = datetime(2025, 6, 18, 14, 30, tzinfo=ZONE)
"""A Wednesday."""

WORDS = [
    *("the", "first", "last", "second", "half", "quarter", "week", "month", "year", "day", "of"),
    *("in", "on", "before", "after", "since", "until", "and", "to", "ago", "this", "past", "three"),
    *("12", "5th", "31st", "2024", "'24", "2024-05", "w12", "q3", "h2", "may", "March", "Monday"),
    *("Christmas", "winter", "weekend", "nineties", "'s", "yılın", "ayın", "ilk", "son", "yarısı"),
    *("haftası", "bugün", "geçen", "mayıs", "önce", "'den", "sonraki", "hafta sonu", "twelve"),
    *("next", "tomorrow", "early", "late", "mid", "end of", "around", "ramadan", "bayramda"),
    *("easter", "century", "20.", "yüzyıl", "999", "0001", "9999", "decades", "haftaya", "başında"),
    *("fy24", "bu", "eid al-fitr 1899", "weekend", "between", "1899", "31", "şubat", "’te", "²"),
]


def day(text: str | None) -> datetime | None:
    """Midnight of an ISO date in the zone of NOW."""
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=ZONE)
