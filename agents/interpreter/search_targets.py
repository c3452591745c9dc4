"""What a question is searched for: all of it, what it is about, or each thing it compares."""

import re
from typing import NamedTuple

from agents.interpreter.plan import about_event, moment
from agents.interpreter.wording.name_forms import as_named
from tools.base.domain import AnswerFormat, AnswerKind, Moment, Period, QueryPlan
from tools.temporal.event_time import period_in_words
from tools.text.normalize import fold_name
from tools.text.stopwords import META, NOTING, STOP, TURKISH_STOP, word_set
from tools.text.tokens import WORD, words_of
from tools.vault.catalog.text import text_query

type Target = tuple[str | None, str]
"""The compared subject whose notes are looked for, if there is one, and the text to search for."""


class Search(NamedTuple):
    """A search by meaning and words: a target, and the names that its notes may carry."""

    subject: str | None
    text: str
    names: tuple[str, ...]
    turkish: bool


class Part(NamedTuple):
    """What of a comparison is searched for apart: one subject of it, or with None the whole."""

    subject: str | None


_GATHERS = 0.5
"""From this probability on a question asks for what there is, or for what is said of each."""
_ONE_FACT = 0.9
"""From this probability on it asks for one fact: "What did I do then?", for all, is at 0.7."""
_YEAR = re.compile(r"[12]\d{3}")
_YEAR_WORD = re.compile(r"\b[12]\d{3}(?:['’]?[^\W\d_]+)?\b")
_IDLE = STOP | TURKISH_STOP | META
# "What was I busy with in May?" asks for all of May.
_DOING = word_set(
    "go goes going went gone work worked working busy new occur occurred occupy occupied spend "
    "spent day days week weeks month months year years event events yaptim yaptik yapmisim oldu "
    "olmus gecti ettim calistim mesguldum"
)


def searched(plan: QueryPlan) -> str:
    """The words to search for: all of the question, but of a change what it is about.

    "How did X change over time?" asks for all there was of X.
    """
    return " ".join(plan.concepts) if searches_topic_only(plan) else wanted(plan)


def searches_topic_only(plan: QueryPlan) -> bool:
    """Say whether it is searched for what the question is about, not for all of its words."""
    return plan.intent == "temporal" and not about_event(plan) and bool(plan.concepts)


def wanted(plan: QueryPlan) -> str:
    """The question without what it excludes, which must not be what is found."""
    return plan.reading.wanted


def browses_days(plan: QueryPlan) -> bool:
    """Say whether the question asks for whatever there is of the days it names.

    "What happened in March?" does; "How much did I weigh in March?" looks for something, and so
    does "Where was I in March?", which asks for a fact.
    """
    if plan.intent != "temporal" or not (plan.start_date or plan.end_date) or plan.concepts:
        return False
    if plan.reading.likely("fact") >= _ONE_FACT:
        return False
    asked = plan.reading.asked
    start, end = plan.reading.dates or (0, 0)
    return _only_asks(f"{asked[:start]} {asked[end:]}")


def gathers(plan: QueryPlan, *kinds: AnswerKind) -> bool:
    """Say whether the question asks for what there is, or for an answer of one of the ``kinds``."""
    return plan.reading.likely("explore", *kinds) >= _GATHERS


def asks_for_period(plan: QueryPlan) -> bool:
    """Say whether the answer is what there is of the days that the question names.

    "What happened in March?" and "How did my weight change in March?" ask for that; "How much did I
    weigh in March?" asks for one thing, wherever it stands.
    """
    if plan.intent != "temporal" or not (plan.start_date or plan.end_date):
        return False
    chosen = plan.decided_by in ("command", "user")
    return chosen or plan.reading.change or gathers(plan) or browses_days(plan)


def answer_format(plan: QueryPlan, asked: AnswerFormat | None) -> AnswerFormat:
    """The format asked for, else the plan's; a table that compares no two things is a list.

    One thing is no timeline: that is for a change, or for the days of a period.
    """
    wanted = asked or plan.format
    one_thing = about_event(plan) and not asks_for_period(plan) and plan.decided_by != "command"
    if asked is None and wanted == "timeline" and one_thing:
        return "list"
    return "list" if wanted == "table" and len(plan.subjects) < 2 else wanted


def years_alone(plan: QueryPlan) -> tuple[str, ...]:
    """The years that are all the question asks about, though they are no period to it.

    Those lie too far back or ahead: "What happened in 2030?" They are looked for as words.
    """
    bounded = plan.start_date or plan.end_date
    if plan.intent != "temporal" or bounded or not all(map(_YEAR.fullmatch, plan.concepts)):
        return ()
    return plan.concepts if _only_asks(_YEAR_WORD.sub(" ", plan.reading.asked)) else ()


def time_alone(plan: QueryPlan) -> str:
    """The time, in words, that is all the question asks about; empty where it asks for more."""
    if browses_days(plan):
        return period_in_words(Period(start=plan.start_date, end=plan.end_date))
    return " or ".join(years_alone(plan))


def _only_asks(text: str) -> bool:
    """Say whether no word of the text says what is looked for."""
    words = words_of(text)
    return all(word in _IDLE or word in NOTING or word in _DOING for word in words)


def parts(plan: QueryPlan) -> list[Part]:
    """What a comparison of now is searched for apart; nothing of another question."""
    found = targets(plan)
    if len(found) < 2 or moment(plan) != Moment():
        return []
    return [*(Part(subject) for subject, _ in found), Part(None)]


def searches(plan: QueryPlan, part: Part | None = None) -> list[Search]:
    """Every search by meaning and words: for the targets, and for the whole of a comparison.

    A Turkish question is searched for in English, too. With a ``part`` those that are for it.
    """
    return [one for one in _searches(plan) if part is None or one.subject == part.subject]


def _searches(plan: QueryPlan) -> list[Search]:
    found = targets(plan)
    if len(found) > 1:
        found = [*found, (None, wanted(plan))]
    turkish = plan.reading.turkish
    own = [Search(subject, text, names_of(plan, subject), turkish) for subject, text in found]
    if not plan.reading.english:
        return own
    subject = own[0].subject if len(own) == 1 else None
    return [*own, Search(subject, plan.reading.english, (), turkish=False)]


def names_of(plan: QueryPlan, subject: str | None) -> tuple[str, ...]:
    """The names that notes on a compared subject, or on all of the question, may carry."""
    return (subject,) if subject else plan.concepts


def targets(plan: QueryPlan) -> list[Target]:
    """What notes are looked for: those of each compared subject, else those of the question.

    A subject is searched for with what the question asks of it: of "Which city have Ada and Ben
    visited?" the city that Ada visited, and the one that Ben did.
    """
    if plan.intent != "comparative" or not plan.subjects:
        return [(None, searched(plan))]
    if len(plan.subjects) == 1:
        return [(plan.subjects[0], wanted(plan))]
    return [(subject, _asked_of(subject, plan)) for subject in plan.subjects]


def _asked_of(subject: str, plan: QueryPlan) -> str:
    """The subject with the question around all of them; alone where that asks nothing more."""
    rest, turkish = wanted(plan), plan.reading.turkish
    for other in sorted(plan.subjects, key=len, reverse=True):
        rest = _without(rest, other, turkish=turkish)
    asked = any(word not in _IDLE for word in words_of(rest))
    return f"{subject}: {' '.join(rest.split())}" if asked else subject


def _without(text: str, subject: str, *, turkish: bool) -> str:
    """The text without a subject, in whatever form it has it."""
    text = re.sub(rf"(?<!\w){re.escape(subject)}(?!\w)", " ", text, flags=re.IGNORECASE)
    name, words = fold_name(subject), [word.span() for word in WORD.finditer(text)]
    size = max(len(WORD.findall(subject)), 1)
    for at in range(len(words) - size, -1, -1):
        start, end = words[at][0], words[at + size - 1][1]
        if fold_name(as_named(text[start:end], {name}, turkish=turkish)) == name:
            text = f"{text[:start]} {text[end:]}"
    return text


def evidence_terms(plan: QueryPlan) -> tuple[str, ...]:
    """Words that evidence should hold: of a fact or a cause all, else what is asked about."""
    about = " ".join((*plan.subjects, *plan.concepts))
    wide = plan.intent == "comparative" or searches_topic_only(plan)
    if about and wide:
        return text_query(about).words
    return text_query(f"{about} {wanted(plan)}").words
