"""The parts of a plan that follow from its intent, and how a person's reply changes them."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agents.interpreter.classifiers.answer_kinds import answer_kinds
from agents.interpreter.classifiers.features import Features, read_features
from agents.interpreter.closeness import closeness
from agents.interpreter.question import reading_of
from tools.base import guards
from tools.base.domain import (
    INTENTS,
    AnswerFormat,
    Intent,
    Moment,
    Period,
    QueryPlan,
    QuestionReading,
)
from tools.temporal.event_time import period_in_words
from tools.temporal.periods.bitemporal import find_axes
from tools.temporal.periods.question_period import FoundPeriod, bare_month, period_of, read_dates
from tools.temporal.periods.states import asks_for_belief, asks_for_state
from tools.text.normalize import distinct

_THRESHOLDS: Mapping[Intent, float] = {
    "factual": 0.7,
    "temporal": 0.6,
    "causal": 0.6,
    "comparative": 0.6,
    "exploratory": 0.5,
}
GATHERING: Collection[Intent] = ("exploratory", "factual")
"""Intents of which an overview may be shown."""
FORMATS: Mapping[Intent, AnswerFormat] = {
    "factual": "list",
    "temporal": "timeline",
    "causal": "narrative",
    "comparative": "table",
    "exploratory": "list",
}

MAX_SUBJECTS = 8
"""Things that one comparison has room for."""

COMMANDS: Mapping[str, Intent | None] = {
    "query": None,
    "temporal-query": "temporal",
    "compare": "comparative",
    "surface-related": "exploratory",
}
"""The commands a question may start with, and the intent each names; None leaves it open."""
_COMMAND = re.compile(rf"^[*/]({'|'.join(COMMANDS)})(?![\w*-])[\s:]*", re.IGNORECASE)


def commanded(question: str) -> Intent | None:
    """The intent that a command at the start of the question names."""
    command = _COMMAND.match(question)
    return COMMANDS[command[1].lower()] if command else None


def without_command(question: str) -> str:
    """What follows the command, or the whole question."""
    return _COMMAND.sub("", question)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedQuestion:
    """A question without its command, and the two times it names, as ``find_axes`` gives them.

    ``text`` has blanks where it says when something was known: that is no part of what is asked.
    """

    text: str
    found: FoundPeriod | None
    known: FoundPeriod | None

    @property
    def dates(self) -> tuple[int, int] | None:
        """Where in ``text`` the date stands."""
        return self.found.span if self.found else None

    @property
    def features(self) -> Features:
        """How ``text`` is worded, whatever the date."""
        return read_features(self.text, date_span=self.dates)


def parse_question(question: str, *, now: datetime) -> DatedQuestion:
    """Split a question into words and times. Raises InputError for an unusable date."""
    text = without_command(question)
    found, known = find_axes(text, now=now)
    if known is not None:
        start, end = known.span
        text = text[:start] + " " * (end - start) + text[end:]
    return DatedQuestion(text=text, found=found, known=known)


def behind_period(asked: DatedQuestion, earlier: Period, *, now: datetime) -> DatedQuestion:
    """The same behind a question about an ``earlier`` period: what names no year is of that one's.

    "October" behind "in 2020" is that of 2020; "last week" names its year, for it moves with today.
    """
    if earlier.end is None:
        return asked
    end_of_year = (earlier.end - timedelta(seconds=1)).replace(month=12, day=31)
    dated = read_dates(asked.text, now=min(end_of_year, now))
    if asked.found is None:
        return replace(asked, found=bare_month(dated))
    span = range(*asked.found.span)
    within = [one for one in dated.dates if one.mention.start in span]
    if not within or any(one.mention.year is not None for one in within):
        return asked
    return replace(asked, found=period_of(dated) or asked.found)


def with_year(text: str, found: FoundPeriod | None) -> str:
    """A question whose "last year" is that year, as notes name it: no other year answers."""
    year = period_in_words(found.period) if found else ""
    if not found or not year.isdecimal() or year in found.phrase:
        return text
    return text.replace(found.phrase, year, 1)


def choose(plan: QueryPlan, intent: Intent) -> QueryPlan:
    """The plan after the person has said which reading was meant."""
    chosen = with_intent(plan, intent)
    return replace(
        chosen,
        confidence=1.0,
        probabilities=certain(intent),
        decided_by="user",
        reason=f"chosen as {intent}",
    )


def compared(plan: QueryPlan) -> tuple[str, ...]:
    """What the plan compares by now, be it one thing only."""
    return plan.subjects or plan.concepts[:1]


def with_subjects(plan: QueryPlan, more: Sequence[str]) -> QueryPlan:
    """The plan with more things to compare, at most ``MAX_SUBJECTS`` in all."""
    clean = [guards.concept(subject) for subject in more]
    return replace(
        plan,
        subjects=distinct((*compared(plan), *clean))[:MAX_SUBJECTS],
        concepts=distinct((*plan.concepts, *clean)),
    )


def with_intent(plan: QueryPlan, intent: Intent) -> QueryPlan:
    """The plan for another intent, of the same words."""
    asked = plan.reading
    other = replace(
        plan,
        intent=intent,
        subjects=plan.subjects if intent == plan.intent else subjects(intent, asked, plan.concepts),
        similarity_threshold=threshold(intent, asked.asked),
        format=FORMATS[intent],
    )
    return as_of(other, moment(plan))


def about_event(plan: QueryPlan) -> bool:
    """Say whether the question about time asks for something that happened, not for a change."""
    return plan.intent == "temporal" and not plan.reading.change


_INSTANT = timedelta(microseconds=1)


def queried_valid_time(asked: DatedQuestion) -> datetime | None:
    """The moment whose state of things the question asks for: the end of the period it names."""
    end = asked.found.period.end if asked.found else None
    if end is None or not (asked.known or asks_for_state(asked.text)):
        return None
    return end - _INSTANT


def queried_transaction_time(asked: DatedQuestion) -> datetime | None:
    """The end, exclusive, of the time by which it is to have been known; None is today."""
    if asked.known is not None:
        return asked.known.period.end
    found = asked.found if asks_for_belief(asked.text) else None
    return found.period.end if found is not None else None


def moment(plan: QueryPlan) -> Moment:
    """The point on both axes that the plan asks about."""
    known = plan.known_at - _INSTANT if plan.known_at else None
    return Moment(as_of=plan.as_of, known_at=known)


def as_of(plan: QueryPlan, at: Moment) -> QueryPlan:
    """The plan to ask for the state of things at a moment: from the notes as they were then."""
    if at == Moment():
        return plan
    return replace(
        plan,
        as_of=at.as_of,
        known_at=at.known_at + _INSTANT if at.known_at else None,
        vault=None,  # what the catalog has is of today
        format="narrative" if plan.intent == "causal" else "list",
    )


def left_out(plan: QueryPlan) -> tuple[str, ...]:
    """What the question compares beyond the most things that a comparison holds."""
    return plan.reading.compared[MAX_SUBJECTS:] if plan.intent == "comparative" else ()


def with_replaced_mention(plan: QueryPlan, written: re.Pattern[str], name: str) -> QueryPlan:
    """The plan of a question that calls what is ``written`` so by another name, in all it wants."""

    def renamed(text: str) -> str:
        return written.sub(lambda _: name, text)

    reading = replace(
        plan.reading,
        wanted=renamed(plan.reading.wanted),
        compared=tuple(map(renamed, plan.reading.compared)),
    )
    return _read_anew(
        replace(
            plan,
            query=renamed(plan.query),
            concepts=tuple(map(renamed, plan.concepts)),
            subjects=tuple(map(renamed, plan.subjects)),
            reading=reading,
        )
    )


def with_reading(plan: QueryPlan) -> QueryPlan:
    """The plan, read anew where it was kept by a version that kept no reading."""
    return plan if plan.reading.question else _read_anew(plan)


def _read_anew(plan: QueryPlan) -> QueryPlan:
    # The dates are settled; any moment that reads them as dates shows where they stand.
    ends = [end - timedelta(seconds=1) for end in (plan.end_date, plan.known_at) if end]
    moment = max((*ends, *filter(None, [plan.start_date])), default=None)
    question = without_command(plan.query)
    asked = DatedQuestion(text=question, found=None, known=None)
    if moment is not None:
        asked = parse_question(plan.query, now=moment)
    reading = reading_of(
        question,
        asked=asked.text,
        dates=asked.dates,
        wanted=plan.reading.wanted or question,
        compared=plan.reading.compared or plan.subjects,
        kinds=plan.reading.kinds or answer_kinds(asked.features, None),
        overview=plan.reading.overview,
    )
    return replace(plan, reading=reading)


def subjects(
    intent: Intent, reading: QuestionReading, concepts: tuple[str, ...]
) -> tuple[str, ...]:
    """Only a comparison has subjects: what its words set against each other.

    Where that is but one thing, or none, it compares the concepts, if there are several.
    """
    if intent != "comparative":
        return ()
    several = len(reading.compared) > 1 or len(concepts) < 2
    return (reading.compared or concepts if several else concepts)[:MAX_SUBJECTS]


def threshold(intent: Intent, asked: str) -> float:
    """The least similarity, in [0, 1], that the words ask for, else the intent's own.

    Raises InputError for a number out of range.
    """
    said = closeness(asked)
    return _THRESHOLDS[intent] if said is None else guards.threshold(said)


def has_explicit_threshold(plan: QueryPlan) -> bool:
    """Whether the question itself says how alike to it a note has to be."""
    return plan.similarity_threshold != _THRESHOLDS[plan.intent]


def certain(intent: Intent) -> Mapping[Intent, float]:
    """The probabilities of an intent that somebody named."""
    return {other: float(other == intent) for other in INTENTS}
