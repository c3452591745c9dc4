"""The two times a question may name: when something was true, and when it was known or believed.

"What did I think in 2022 about the 2019 election?" asks for what was believed by the end of 2022
(known_at) on what happened in 2019 (valid time). Two dates and a verb of believing, knowing or
writing are needed, and words that say which date is which; otherwise all stays one period.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from tools.temporal.periods.bounds import Governed, counts
from tools.temporal.periods.question_period import DatedText, FoundPeriod, period_of, read_dates
from tools.temporal.periods.sides import beside, compared

type _Split = tuple[Sequence[Governed], Sequence[Governed]]
"""The dates of knowing, the dates of what was known."""


def find_axes(question: str, *, now: datetime) -> tuple[FoundPeriod | None, FoundPeriod | None]:
    """The period in which it was true, and the one by whose end it was known; None if not named.

    The second is only ever there beside the first. Raises InputError as ``find_period`` does.
    """
    dated = read_dates(question, now=now)
    if len(dated.dates) > 1:
        for split in (_as_known, _about, _happened, _turkish):
            if (sides := split(dated)) and (axes := _axes(dated, *sides)):
                return axes
    return period_of(dated), None


def _axes(
    dated: DatedText, known: Sequence[Governed], valid: Sequence[Governed]
) -> tuple[FoundPeriod, FoundPeriod] | None:
    if not any(map(counts, known)) or not any(map(counts, valid)):
        return None
    # "What did I think in May about sleep versus in June" has one topic and two times.
    if known[-1].end <= valid[0].start and compared(dated.text, known[-1], valid[0]):
        return None
    period = period_of(replace(dated, dates=tuple(valid)))
    moment = period_of(replace(dated, dates=tuple(known)))
    return (period, moment) if period and moment else None


# --- English -------------------------------------------------------------------------------

_BELIEVING = re.compile(
    r"\b(?:believ|know|knew|known|think|thought|wr[io]te|written|writing|not(?:e|es|ed|ing)\b|assum"
    r"|expect|suspect|feel|felt|s(?:ay|aid)\b|understood|understand|journal)\w*"
    r"|\b(?P<noun>opinions?|views?|beliefs?|thoughts|stance)\b"
)
_TOPIC = re.compile(r"\b(?:about|regarding|concerning|respecting)\b")
_OF = re.compile(r",?\s+(?:on|of)\b(?=\s)")
_EVENT = re.compile(
    r"\b(?:happened|happening|took\s+place|taken\s+place|occurred|went\s+on|going\s+on|came\s+about"
    r"|held|true|the\s+case|valid|in\s+force)\b"
)
_AS_KNOWN = re.compile(
    r"\bas\s+(?:it\s+was\s+|was\s+|then\s+|i\s+|we\s+)?(?:known|knew|believed|understood|recorded)\s"
    r"|\bknown\s+(?=as\s+(?:of|at)\s)"
)
_LED = re.compile(r"\b(?:in|on|at|as\s+of|by|during|back\s+in)\s")


def _as_known(dated: DatedText) -> _Split | None:
    """Read "as known on 1 May, what was true in April"."""
    match = _AS_KNOWN.search(dated.text)
    if match is None:
        return None
    after = [one for one in dated.dates if one.start >= match.end() - 1]
    known = _together(dated, after[:2])
    return known, [one for one in dated.dates if one not in known]


def _together(dated: DatedText, pair: Sequence[Governed]) -> Sequence[Governed]:
    """Both, if they make one period, else the first."""
    return pair if len(pair) > 1 and beside(dated.text, *pair) else pair[:1]


def _about(dated: DatedText) -> _Split | None:
    """Believe in March about January; in 2022, think about 2019; think about 2019 in 2022."""
    verb = _BELIEVING.search(dated.text)
    if verb is None:
        return None
    topic = _TOPIC.search(dated.text, verb.end())
    topic = topic or (_of(dated, verb.end()) if verb["noun"] else None)
    if topic is None:
        return None
    known = [one for one in dated.dates if one.mention.end <= topic.start()]
    valid = [one for one in dated.dates if one.mention.start >= topic.end()]
    if known or len(valid) < 2:
        return known, valid
    *rest, last = valid
    if _LED.match(dated.text, last.start) and not beside(dated.text, rest[-1], last):
        at_end = not dated.text[last.end :].strip(" ?!.")
        named = not _LED.match(dated.text, rest[0].start) or _happens(dated, rest[0])
        return ([last], rest) if at_end and named else None
    return None


def _of(dated: DatedText, start: int) -> re.Match[str] | None:
    """The "on" of "my view in 2022 on the 2019 election", behind the date it needs before it."""
    for one in dated.dates:
        if one.start >= start and (match := _OF.match(dated.text, one.mention.end)):
            return match
    return None


def _happens(dated: DatedText, one: Governed) -> bool:
    """Whether a verb of happening stands right before the date."""
    events = _EVENT.finditer(dated.text, 0, one.start)
    return any(not dated.text[event.end() : one.start].strip() for event in events)


def _happened(dated: DatedText) -> _Split | None:
    """Think in March had happened in January; believe happened in January, back in March."""
    verb = _BELIEVING.search(dated.text)
    event = _EVENT.search(dated.text, verb.end()) if verb else None
    if event is None:
        return None
    after = [one for one in dated.dates if one.start >= event.end()]
    valid = _together(dated, after[:2])
    known = [one for one in dated.dates if one.end <= event.start()]
    return known or [one for one in after if _looks_back(dated, one)], valid


def _looks_back(dated: DatedText, one: Governed) -> bool:
    return one.bound == "until" or dated.text.endswith("back ", 0, one.start)


# --- Turkish -------------------------------------------------------------------------------

_TURKISH_BELIEVING = re.compile(
    r"\b(?:dusun(?:u|dug|mus|ce)|biliy|bilin|bildi|bilmis|saniy|sanmis|inan(?:iy|di|mis)|yaz(?:mis"
    r"|di|iyor)|not\s+(?:al|et)|gorus|fikr|kanaat)\w*"
)
_TURKISH_TOPIC = re.compile(r"\b(?:hakkinda|konusunda|uzerine|dair|iliskin|ilgili)\w*")
_TURKISH_EVENT = re.compile(
    r"\s+(?:ne(?:ler)?\s+)?(?:olan|olup|oldug|yasanan|gerceklesen|gecerli|dogru|yapilan)\w*"
)
_TURKISH_AS_KNOWN = re.compile(r"\s+(?:bilindig|bilinen|bildig)\w*")


def _turkish(dated: DatedText) -> _Split | None:
    """Martta ocak ayında olanlar hakkında ne düşünüyordum; 1 Mayıs'ta bilinene göre nisanda."""
    if not _TURKISH_BELIEVING.search(dated.text):
        return None
    for one in dated.dates:
        if _TURKISH_AS_KNOWN.match(dated.text, one.end):
            return [one], [other for other in dated.dates if other is not one]
    if topic := _TURKISH_TOPIC.search(dated.text):
        before = [one for one in dated.dates if one.end <= topic.start()]
        valid = _last_period(dated, before)
    else:
        valid = [one for one in dated.dates if _TURKISH_EVENT.match(dated.text, one.end)][:1]
    return [one for one in dated.dates if one not in valid], valid


def _last_period(dated: DatedText, dates: Sequence[Governed]) -> Sequence[Governed]:
    """The last date, or the last two if they make one period."""
    pairs = list(pairwise(dates))
    return pairs[-1] if pairs and beside(dated.text, *pairs[-1]) else dates[-1:]
