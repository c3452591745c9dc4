"""What the vault's history answers without a search: facts at a point of both axes."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphs.core.deps import Deps
from tools.base.domain import FactOrigin, GraphRelation, Moment, SourceWarning
from tools.base.errors import InputError
from tools.graph.relations import KNOWN_RELATIONS, relation_name
from tools.graph.store import NOW
from tools.text.markdown.properties import Property, marked
from tools.text.normalize import fold_name
from tools.vault.notes.lines import read_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One relation with both its times: what ``brain facts --json`` prints.

    A property of the present text has no times of its own.
    """

    subject: str
    relation: str
    object: str
    valid_at: datetime | None
    invalid_at: datetime | None
    created_at: datetime | None
    expired_at: datetime | None
    note_path: str
    line: int
    origin: FactOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Facts of a subject; ``subjects`` are the notes it names, none when it is no note.

    ``successor`` is the path of the note that took its place, if one did; ``warnings`` say what is
    lacking.
    """

    subjects: tuple[str, ...]
    facts: tuple[Fact, ...]
    successor: str | None = None
    warnings: tuple[SourceWarning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """The way between two notes, given by path; None where a name is no note's.

    ``warnings`` say what is lacking.
    """

    start: str | None
    end: str | None
    steps: tuple[Fact, ...] = ()
    warnings: tuple[SourceWarning, ...] = ()


async def find_facts(deps: Deps, subject: str, *, at: Moment = NOW, ever: bool = False) -> Facts:
    """What the notes called ``subject`` say, or what is said about a thing that is no note.

    ``ever`` lists what was said at any time. Properties are told as they are in the files now.
    Raises SourceError.
    """
    paths = await asyncio.to_thread(notes_by_name, deps, subject)
    if paths and ever:
        found = await deps.graph.facts_stated_in(paths)
    elif paths:
        found = await deps.graph.facts(paths, at=at)
    else:
        found = await deps.graph.facts_about([subject], at=None if ever else at)
    replaced = await deps.graph.superseded(paths)
    facts = list(map(_fact, found))
    if paths and (ever or at == NOW):
        facts = await asyncio.to_thread(_with_properties, deps, paths, facts)
    return Facts(
        subjects=tuple(paths),
        facts=tuple(facts),
        successor=next(iter(replaced.values()), None),
    )


async def find_connection(
    deps: Deps, start: str, end: str, *, hops: int, at: Moment = NOW
) -> Connection:
    """The way from one note to another within ``hops`` that tells most, along edges either way.

    Raises InputError for a way from a note to itself or too many hops, and SourceError.
    """
    called = [
        next(iter(await asyncio.to_thread(notes_by_name, deps, name)), None)
        for name in (start, end)
    ]
    first, last = called
    if first is None or last is None:
        return Connection(start=first, end=last)
    if first == last:
        raise InputError("Both names are the same note's: name two notes.")
    steps = await deps.graph.path_between(first, last, hops=hops, at=at)
    return Connection(start=first, end=last, steps=tuple(map(_fact, steps)))


def notes_by_name(deps: Deps, name: str) -> list[str]:
    """Notes called ``name``: those of today, else those that once were, best first."""
    if now := deps.catalog.resolve(name):
        return list(now)
    folded = fold_name(name)
    past = [(path, path) for path in deps.history.deleted_paths()] + deps.history.former_names()
    return list(dict.fromkeys(now for then, now in past if folded in _names(then)))


def _with_properties(deps: Deps, paths: Sequence[str], facts: Sequence[Fact]) -> list[Fact]:
    """The facts, behind the plain properties of each note that are none of them."""
    told = {(fact.note_path, fact.relation, fact.expired_at is None) for fact in facts}
    records = deps.catalog.records(paths)
    lines = read_lines(records, root=deps.settings.vault, max_bytes=deps.settings.max_note_bytes)
    stated = [
        Fact(
            subject=records[path].title,
            relation=relation_name(one.key),
            object=", ".join(one.parts),
            valid_at=None,
            invalid_at=None,
            created_at=None,
            expired_at=None,
            note_path=path,
            line=one.line,
            origin="written",
        )
        for path, own in lines.items()
        for one in marked(own)
        if _plain(one) and (path, relation_name(one.key), True) not in told
    ]
    subjects = list(dict.fromkeys(fact.subject for fact in (*stated, *facts)))
    return sorted((*stated, *facts), key=lambda fact: subjects.index(fact.subject))


def _plain(one: Property) -> bool:
    """Whether a property says something by itself; relations are told by the graph, with times."""
    related = "[[" in one.value or relation_name(one.key) in KNOWN_RELATIONS
    return not (one.technical or related)


def _names(path: str) -> Sequence[str]:
    folded = fold_name(path)
    return folded, folded.rsplit("/", 1)[-1]


def _fact(relation: GraphRelation) -> Fact:
    return Fact(
        subject=relation.source_title,
        relation=relation.relation,
        object=relation.target_title,
        valid_at=relation.valid_at,
        invalid_at=relation.invalid_at,
        created_at=relation.created_at,
        expired_at=relation.expired_at,
        note_path=relation.note_path,
        line=relation.line,
        origin=relation.origin,
    )
