"""How facts, and what lies around something, look on a terminal."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby

from graphs.cli.output import console
from graphs.query.retrieval.facts import Connection, Fact, Facts
from tools.base.domain import FactOrigin, GraphRelation, Moment, Neighbourhood
from tools.graph.facts_at import as_known
from tools.graph.relations import phrase
from tools.graph.store import NOW
from tools.text.voice import counted


def show_facts(found: Facts, *, subject: str, at: Moment, ever: bool) -> None:
    """Print facts by subject, each with its times and where it stands."""
    if not found.facts:
        console.show_line(_nothing(found, subject, at, ever=ever))
        return
    console.show_line(_headline(at, ever=ever))
    for name, facts in groupby(found.facts, key=lambda fact: fact.subject):
        console.show_line(f"\n{name}")
        for line in _lines(facts, at):
            console.show_line(line)


def show_neighbourhood(found: Neighbourhood, *, at: Moment) -> None:
    """Print the edges of a moment, those of the nearest things first."""
    hops = {node.uuid: node.hops for node in found.nodes}
    held = sorted(found.edges, key=lambda e: (hops[e.source] + hops[e.target], _named(e.relation)))
    if not held:
        when = "is connected to it now" if at == NOW else "was connected to it at that time"
        console.show_line(f"Nothing {when}.")
        return
    console.show_line(_headline(at, ever=False))
    for edge in held:
        relation = as_known(edge.relation, at.known_at)
        console.show_line(f"  {_named(relation)}{_doubt(relation.origin)}")
        since = f"since {_day(relation.valid_at)}"
        until = f", until {_day(relation.invalid_at)}" if relation.invalid_at else ""
        console.show_line(f"      {since}{until} · {_place(edge.relation)}")


def show_connection(found: Connection, *, names: tuple[str, str], hops: int, at: Moment) -> None:
    """Print the way from one note to another, step by step."""
    missing = [n for n, p in zip(names, (found.start, found.end), strict=True) if p is None]
    if missing:
        console.show_line(f"No note is called {missing[0]!r}: try `brain search`.")
        return
    start, end = names
    within = counted(hops, "step")
    if not found.steps:
        console.show_line(f"Nothing connects {start!r} and {end!r} within {within}.")
        return
    console.show_line(_headline(at, ever=False))
    for fact in found.steps:
        step = f"{fact.subject} — {phrase(fact.relation)} → {fact.object}"
        console.show_line(f"  {step}{_doubt(fact.origin)}")
        console.show_line(f"      {_times(fact, at)} · {_place(fact)}")


def _named(relation: GraphRelation) -> str:
    return f"{relation.source_title} — {phrase(relation.relation)} → {relation.target_title}"


def _place(fact: Fact | GraphRelation) -> str:
    """Where it stands, or stood: what has ended is no more in the note of today."""
    earlier = " in an earlier version" if fact.expired_at is not None else ""
    return f"{fact.note_path}:{fact.line}{earlier}"


def _doubt(origin: FactOrigin) -> str:
    return "  (inferred)" if origin == "inferred" else ""


def _lines(facts: Iterable[Fact], at: Moment) -> Iterator[str]:
    for fact in facts:
        yield f"  {phrase(fact.relation)} → {fact.object}{_doubt(fact.origin)}"
        # Of a property only its place is known: it is read from the note as it is now.
        times = f"{_times(fact, at)} · " if fact.created_at else ""
        yield f"      {times}{_place(fact)}"


def _times(fact: Fact, at: Moment) -> str:
    """When it held and since when that is known; an end that was not known by then is not told."""
    known = f"known since {_day(fact.created_at)}"
    unknown = fact.expired_at is None or (at.known_at and fact.expired_at > at.known_at)
    if unknown:
        return f"since {_day(fact.valid_at)} · {known}"
    held = f"{_day(fact.valid_at)} to {_day(fact.invalid_at)}"
    if fact.invalid_at == fact.valid_at:
        held = f"said of {_day(fact.valid_at)}, held no day"
    return f"{held} · {known}, its end since {_day(fact.expired_at)}"


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


def _nothing(found: Facts, subject: str, at: Moment, *, ever: bool) -> str:
    if not found.subjects:
        return f"No note is called {subject!r} and none names it: try `brain search`."
    if ever:
        return (
            "That note states no properties, and never any relations, fields or tags: "
            "`brain graph` shows what links to it."
        )
    if at == NOW and found.successor is not None:
        return f"Nothing holds now: {found.successor} took its place. `--ever` lists all times."
    if at == NOW:
        return (
            "That note states no relations, properties, fields or tags now: `--ever` lists all "
            "times, and `brain graph` what links to it."
        )
    return "No relation, field or tag of it held at that time: `--ever` lists all times."


def _day(moment: datetime | None) -> str:
    return f"{moment.astimezone():%Y-%m-%d}" if moment else "?"
