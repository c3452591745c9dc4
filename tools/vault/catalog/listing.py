"""The notes, tags, folders, tasks or links that a question about the vault asks for. Pure."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import assert_never

from tools.base.domain import Period
from tools.base.vault_query import ListedItem, VaultQuery
from tools.text.normalize import fold
from tools.vault.catalog.inventory import Inventory, ListedLink, ListedNote, ListedTask

type About = Callable[[ListedTask], bool]
"""Whether a task is on every topic that is asked for."""
_ALWAYS = Period()


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """What a query is narrowed to, by names that the vault has.

    A note has to have a tag of each of ``tags``, to lie in one of ``folders``, to be one of
    ``notes`` and one of those ``on_topic``; what is None narrows nothing.
    """

    tags: Sequence[Collection[str]] = ()
    folders: Set[str] | None = None
    notes: Set[str] | None = None
    on_topic: Set[str] | None = None
    period: Period = _ALWAYS


def listed(
    query: VaultQuery, to: Narrowing, inventory: Inventory, about: About
) -> list[ListedItem]:
    """What the vault has of it, in the order that is asked for."""
    every = {note.path: note for note in inventory.notes()}
    notes = [note for note in every.values() if is_within(note, query, to)]
    match query.subject:
        case "notes":
            return _notes(notes, query, inventory)
        case "untagged":
            return _notes([note for note in notes if not note.tags], query, inventory)
        case "orphans" | "unreferenced" | "dead_ends":
            links, off = list(inventory.links()), set[str]()
            if query.subject != "unreferenced":
                off.update(link.path for link in links if link.to)
            if query.subject != "dead_ends":
                off.update(link.to for link in links if link.to)
            return _notes([note for note in notes if note.path not in off], query, inventory)
        case "tags":
            return _counted(chain.from_iterable(note.tags for note in notes), query)
        case "folders":
            return _folders(notes, query)
        case "tasks":
            return list(_tasks(inventory.tasks(), every, query, to, about))
        case "broken":
            kept = {note.path for note in notes}
            return _links(
                (one for one in inventory.links() if not one.to and one.path in kept), every
            )
        case "backlinks" | "links":
            return _linked(inventory.links(), every, notes, query, to)
        case _:
            assert_never(query.subject)


def is_within(note: ListedNote, query: VaultQuery, to: Narrowing) -> bool:
    """Whether a note is one of those that a query is narrowed to."""
    linked = query.subject in ("backlinks", "links")
    return (
        all(_tagged(note.tags, wanted) for wanted in to.tags)
        and (to.folders is None or not to.folders.isdisjoint({*note.folders, *note.branches}))
        and (linked or to.notes is None or note.path in to.notes)
        and (to.on_topic is None or note.path in to.on_topic)
        and (query.subject == "tasks" or _in_time(note, query, to.period))
    )


def _tagged(tags: Iterable[str], wanted: Collection[str]) -> bool:
    """Whether one of the tags is wanted, or lies below one (``#a/b`` is ``#a``, so is ``#a.b``)."""
    ends = tuple(f"{one}{end}" for one in wanted for end in "/.")
    return any(f"{fold(tag)}/".startswith(ends) for tag in tags)


def _in_time(note: ListedNote, query: VaultQuery, period: Period) -> bool:
    if period == _ALWAYS:
        return True
    return is_dated(note, query) and _lies_in(_date(note, query), period)


def is_dated(note: ListedNote, query: VaultQuery) -> bool:
    """Whether it is known when a note was written, or changed where that is asked for."""
    return note.change_dated if query.order == "changed" else note.dated


def _date(note: ListedNote, query: VaultQuery) -> datetime:
    return note.modified if query.order == "changed" else note.created


def _lies_in(moment: datetime, period: Period) -> bool:
    return (period.start is None or moment >= period.start) and (
        period.end is None or moment < period.end
    )


# --- notes ---------------------------------------------------------------------------------


def _notes(
    notes: Iterable[ListedNote], query: VaultQuery, inventory: Inventory
) -> list[ListedItem]:
    """Notes in the order that is asked for; where none is, by path, of a period the oldest first.

    Where some have a date of their own, the newest is one of these.
    """
    kept = list(notes)
    match query.order:
        case "newest" | "oldest" | "changed":
            kept = [note for note in kept if is_dated(note, query)] or kept
            kept.sort(key=lambda note: _date(note, query), reverse=query.order != "oldest")
            return [_item(note, dated=_date(note, query)) for note in kept]
        case "longest" | "shortest":
            kept.sort(key=lambda note: note.words, reverse=query.order == "longest")
            return [_item(note, count=note.words) for note in kept]
        case "most_linked" | "least_linked":
            pairs = {(link.path, link.to) for link in inventory.links() if link.to}
            links = Counter(to for _, to in pairs)
            most = query.order == "most_linked"
            kept.sort(key=lambda note: links[note.path], reverse=most)
            return [_item(note, count=links[note.path]) for note in kept]
        case _:
            return [_item(note) for note in kept]


def _item(
    note: ListedNote, *, dated: datetime | None = None, count: int | None = None
) -> ListedItem:
    own = note.created if note.dated else None
    return ListedItem(name=note.title, note_path=note.path, dated=dated or own, count=count)


# --- links ---------------------------------------------------------------------------------


def _links(links: Iterable[ListedLink], every: dict[str, ListedNote]) -> list[ListedItem]:
    """Links as they are written, each target of a note once."""
    first = {(link.path, fold(link.target)): link for link in reversed(list(links))}
    return [
        ListedItem(name=link.target, note_path=link.path, line=link.line)
        for link in sorted(first.values(), key=lambda one: (one.path, one.line))
        if link.path in every
    ]


def _linked(
    links: Iterable[ListedLink],
    every: dict[str, ListedNote],
    notes: Iterable[ListedNote],
    query: VaultQuery,
    to: Narrowing,
) -> list[ListedItem]:
    """The notes that link to those that are asked about, or that those link to, once each."""
    back, asked = query.subject == "backlinks", to.notes
    kept = {note.path for note in notes}
    found: dict[str, ListedLink] = {}
    for link in links:
        here, there = (link.to, link.path) if back else (link.path, link.to)
        if there in kept and here and (asked is None or here in asked):
            found.setdefault(there, link)
    return [
        ListedItem(name=every[path].title, note_path=path, line=link.line if back else None)
        for path, link in sorted(found.items())
    ]


# --- tags and folders ----------------------------------------------------------------------


def _counted(names: Iterable[str], query: VaultQuery) -> list[ListedItem]:
    """Each name once, as it is written first, with how often it stands; the most frequent first."""
    count = Counter[str]()
    written: dict[str, str] = {}
    for name in names:
        count[fold(name)] += 1
        written.setdefault(fold(name), name)
    turn = 1 if query.order == "least" else -1
    ranked = sorted(written, key=lambda name: (turn * count[name], name))
    return [ListedItem(name=written[name], count=count[name]) for name in ranked]


_DOTTED = 1 / 3
"""Where so many of the notes have dotted names, these are what folders are elsewhere."""


def _folders(notes: Sequence[ListedNote], query: VaultQuery) -> list[ListedItem]:
    dotted = sum(bool(note.branches) for note in notes) > _DOTTED * len(notes)
    return _counted(
        chain.from_iterable((*note.folders, *(note.branches if dotted else ())) for note in notes),
        query,
    )


# --- tasks ---------------------------------------------------------------------------------


def _tasks(
    tasks: Sequence[ListedTask],
    every: dict[str, ListedNote],
    query: VaultQuery,
    to: Narrowing,
    about: About,
) -> Iterator[ListedItem]:
    """Tasks by note and line."""
    wanted = [one for one in tasks if query.state == "any" or one.done == (query.state == "done")]
    own_tags = any(_carries(one.text, to.tags) for one in wanted) if to.tags else False
    for one in wanted:
        note = every.get(one.path)
        if note is None:
            continue
        if own_tags and not _carries(one.text, to.tags):
            continue
        narrowed = Narrowing(tags=() if own_tags else to.tags, folders=to.folders, notes=to.notes)
        if is_within(note, query, narrowed) and _in_time(note, query, to.period) and about(one):
            yield ListedItem(
                name=one.text, note_path=one.path, line=one.line, done=one.done, dated=None
            )


def _carries(text: str, wanted: Sequence[Collection[str]]) -> bool:
    """Whether a line carries the tags itself."""
    tags = [word[1:].rstrip(".,;:!?)") for word in text.split() if word.startswith("#")]
    return all(_tagged(tags, one) for one in wanted)
