"""How facts look on a terminal."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby

from graphs import terminal
from graphs.recall import Fact, Facts
from tools.domain import Moment
from tools.graph.store import NOW


def show_facts(found: Facts, *, subject: str, at: Moment, ever: bool) -> None:
    """Print facts by subject, each with its times and where it stands."""
    if not found.facts:
        terminal.show_line(_nothing(found, subject, at))
        return
    terminal.show_line(_headline(at, ever=ever))
    for name, facts in groupby(found.facts, key=lambda fact: fact.subject):
        terminal.show_line(f"\n{name}")
        for line in _lines(facts):
            terminal.show_line(line)


def _lines(facts: Iterable[Fact]) -> Iterator[str]:
    for fact in facts:
        inferred = "  (inferred)" if fact.origin == "inferred" else ""
        yield f"  {fact.relation.lower().replace('_', ' ')} → {fact.object}{inferred}"
        yield f"      {_times(fact)} · {fact.note_path}:{fact.line}"


def _times(fact: Fact) -> str:
    held = f"since {_day(fact.valid_at)}"
    if fact.invalid_at is not None:
        held = f"{_day(fact.valid_at)} to {_day(fact.invalid_at)}"
        if fact.invalid_at == fact.valid_at:
            held = f"said of {_day(fact.valid_at)}, then corrected"
    known = f"known since {_day(fact.created_at)}"
    ended = f", its end since {_day(fact.expired_at)}" if fact.expired_at else ""
    return f"{held} · {known}{ended}"


def _headline(at: Moment, *, ever: bool) -> str:
    if ever:
        return "Everything that was said at any time:"
    if at == NOW:
        return "What the notes say now:"
    parts = [
        f"true on {_day(at.as_of)}" if at.as_of else "",
        f"known by {_day(at.known_at)}" if at.known_at else "",
    ]
    return f"What was {' as '.join(filter(None, parts))}:"


def _nothing(found: Facts, subject: str, at: Moment) -> str:
    if not found.subjects:
        return f"No note is called {subject!r} and none names it: try `brain search`."
    if at == NOW:
        return "That note states no relations, fields or tags."
    return "Nothing was stated at that time: `--ever` lists all times."


def _day(moment: datetime | None) -> str:
    return f"{moment.astimezone():%Y-%m-%d}" if moment else "?"
