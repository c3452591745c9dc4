"""How a question was read, in words. Pure."""

from datetime import datetime, timedelta

from tools.base.domain import QueryPlan
from tools.text.voice import stamp, translate


def plan_in_words(plan: QueryPlan, *, only_time: bool = False) -> dict[str, str]:
    """How a question was read and what would be searched, each under its label.

    A question that asks for ``only_time`` is about nothing else.
    """
    before = plan.reading.before
    about = "" if only_time else ", ".join(plan.subjects or plan.concepts) or plan.reading.question
    return {
        "Intent": f"{plan.intent} ({plan.confidence:.2f}, {plan.decided_by}: {plan.reason})",
        **({"About": about} if about else {}),
        **({"Without": ", ".join(plan.excluded)} if plan.excluded else {}),
        **({"In English": plan.reading.english} if plan.reading.english else {}),
        **({"Asked before": " / ".join(before.questions)} if before else {}),
        "Sources": "catalog" if plan.vault else ", ".join(plan.route),
        "Similarity": f"at least {plan.similarity_threshold:.2f}",
        "Dates": queried_period(plan),
        "Shown as": plan.format,
    }


def queried_period(plan: QueryPlan) -> str:
    """First and last day of the plan's period in words, and the day by which it was known."""
    first, last = _day(plan.start_date), _last_day(plan.end_date)
    asked = translate("any")
    if plan.start_date or plan.end_date:
        asked = translate("{first} to {last}", first=first, last=last)
    if plan.as_of is not None:
        asked = translate("as of {day}", day=_day(plan.as_of))
    if plan.known_at:
        asked = translate("{asked}, as known on {day}", asked=asked, day=_last_day(plan.known_at))
    return asked


def _day(moment: datetime | None) -> str:
    return stamp(moment) if moment else "…"


def _last_day(end: datetime | None) -> str:
    """A plan's end is the moment after its last day."""
    return _day(end - timedelta(microseconds=1) if end else None)
