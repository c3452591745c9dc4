"""Questions about the vault itself, answered from the catalog: names looked up, then listed."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property

from agents.interpreter.vault.names import described, innermost, nearest
from agents.interpreter.wording.name_forms import as_named
from graphs.core.deps import Deps
from graphs.core.nodes import Update
from graphs.core.state import QueryState
from graphs.query.retrieval.topics import seen_of, similarities, stems_of
from tools.base.domain import Period, QueryPlan
from tools.base.vault_query import Listing, NameKind, UnknownName, VaultQuery
from tools.ranking.topics import on_topic
from tools.rendering.answer import render_listing
from tools.rendering.listing import ListingPage, shown_notes
from tools.text.normalize import fold_name
from tools.vault.catalog.inventory import ListedTask
from tools.vault.catalog.listing import Narrowing, is_dated, is_within, listed
from tools.vault.catalog.text import text_query

_ELSE: Mapping[NameKind, Sequence[NameKind]] = {
    "tag": ("tag", "folder"),
    "folder": ("folder", "tag", "note"),
    "note": ("note", "folder"),
}
"""What a name is taken for, in this order."""


async def list_vault(state: QueryState, deps: Deps, *, whole: bool) -> Update:
    """What the catalog says to the plan's question about the vault; all of it, or the first."""
    query = state["plan"].vault or VaultQuery(subject="notes")
    similar = await similarities(_topic(query), deps) if _is_on_topic(query) else {}
    return await asyncio.to_thread(_listed, state, deps, query, similar, whole=whole)


def _is_on_topic(query: VaultQuery) -> bool:
    """Whether notes are asked for that are on a topic, rather than name it, or have it to do."""
    return bool(query.topics) and query.subject != "tasks" and not query.mentions


def _topic(query: VaultQuery) -> str:
    return " ".join(query.topics)


def _listed(
    state: QueryState,
    deps: Deps,
    query: VaultQuery,
    similar: Mapping[str, float],
    *,
    whole: bool,
) -> Update:
    plan = state["plan"]
    listing = _look_up(plan, deps, query, similar)
    most = None if whole else plan.limit
    standing = [(one.note_path or "", one.line) for one in shown_notes(listing, most)]
    page = ListingPage(
        listing=listing,
        language=plan.reading.language,
        period=Period(start=plan.start_date, end=plan.end_date),
        most=most,
        names=deps.catalog.full_names(path for path, _ in standing),
        headings=deps.catalog.headings_over((path, line) for path, line in standing if line),
    )
    text = render_listing(page, warnings=state["warnings"], remarks=state["remarks"])
    return {"listing": listing, "text": text}


def _look_up(
    plan: QueryPlan, deps: Deps, query: VaultQuery, similar: Mapping[str, float]
) -> Listing:
    look_up = _LookUp(deps, query, similar, turkish=plan.reading.turkish)
    period = Period(start=plan.start_date, end=plan.end_date)
    to, query = look_up.narrowing(period), look_up.query
    if look_up.unknown:
        return Listing(query=query, unknown=tuple(look_up.unknown))
    if query.topics and query.subject != "tasks":
        to = replace(to, on_topic=look_up.on_topic(to))
    inventory, undated = deps.catalog.inventory, set[str]()
    items = listed(query, to, inventory, look_up.about)
    if period != Period():
        every = replace(query, order=None)  # in an order by date, none without one
        whenever = listed(every, replace(to, period=Period()), inventory, look_up.about)
        unknown = {note.path for note in look_up.notes if not is_dated(note, query)}
        undated = unknown.intersection(item.note_path or "" for item in whenever)
    return Listing(query=query, items=tuple(items[: query.most]), undated=len(undated))


def narrowed_notes(query: VaultQuery, period: Period, deps: Deps, *, turkish: bool) -> list[str]:
    """The paths of the notes that the names and the period of a query leave; it blocks."""
    look_up = _LookUp(deps, query, {}, turkish=turkish)
    to = look_up.narrowing(period)
    return [note.path for note in look_up.notes if is_within(note, look_up.query, to)]


class _LookUp:
    """What the names of a query mean in this vault; ``unknown`` has those that mean nothing.

    ``query`` is what is asked for then: a note that is none is a topic, unless what links there is
    asked for, or its tags, and so is a folder that no other is like; what would link to a topic
    speaks of it.
    """

    def __init__(
        self, deps: Deps, query: VaultQuery, similar: Mapping[str, float], *, turkish: bool
    ) -> None:
        self._deps, self._turkish, self._similar = deps, turkish, similar
        self._catalog = deps.catalog
        self.notes = deps.catalog.inventory.notes()
        names = deps.vault_names()
        self._tags, self._folders = names.tags, names.folders
        self.unknown = list[UnknownName]()
        self.query = self._settled(query)
        self._stems = [self._stems_of(topic) for topic in self.query.topics]

    def _settled(self, query: VaultQuery) -> VaultQuery:
        if query.subject == "tags" and query.tags and query.counts:
            query = replace(query, subject="notes")  # how often a tag is used
        if query.mentions and query.subject == "notes":
            query = replace(query, topics=(*query.topics, *query.notes), notes=())
        linked = query.subject in ("backlinks", "links")
        if linked and query.topics and not query.notes:
            notes = tuple(topic for topic in query.topics if self._notes_called(topic))
            if notes:
                return replace(query, notes=notes, topics=())
            return replace(query, subject="notes")
        if linked or query.subject == "tags":
            return replace(query, notes=tuple(map(self._note_meant, query.notes)))
        notes = tuple(name for name in query.notes if self._may_hold(query, name))
        folders = tuple(
            name
            for name in query.folders
            if self._means("folder", name)[1] or self._folders.near(name)
        )
        left = {*query.notes, *query.folders} - {*notes, *folders}
        topics = (*query.topics, *sorted(left))
        return replace(query, notes=notes, folders=folders, topics=topics)

    def _note_meant(self, name: str) -> str:
        """What the one note that a name describes is called, where no note is called so."""
        if self._means("note", name)[1]:
            return name
        described = self._notes_described(name)
        return min(described).removesuffix(".md") if described else name

    def _may_hold(self, query: VaultQuery, name: str) -> bool:
        """Whether a name means notes; of tasks, notes that have some: others are their topic."""
        kind, means = self._means("note", name)
        if kind != "note" or query.subject != "tasks":
            return bool(means)
        return any(task.path in means for task in self._tasks)

    def narrowing(self, period: Period) -> Narrowing:
        """What it is narrowed to, but for its topics."""
        tags, folders, notes = list[set[str]](), list[set[str]](), set[str]()
        named: tuple[tuple[NameKind, Sequence[str]], ...] = (
            ("tag", self.query.tags),
            ("folder", self.query.folders),
            ("note", self.query.notes),
        )
        for kind, names in named:
            for name in names:
                found, means = self._means(kind, name)
                if not means:
                    self.unknown.append(self._unknown(kind, name))
                elif found == "tag":
                    tags.append(means)
                elif found == "folder":
                    folders.append(means)
                else:
                    notes.update(means)
        within = innermost(folders)
        return Narrowing(tags=tags, folders=within or None, notes=notes or None, period=period)

    def _means(self, kind: NameKind, name: str) -> tuple[NameKind, set[str]]:
        """What of the vault has a name, be it of another kind than it was taken for."""
        for other in _ELSE[kind]:
            if found := self._called(other, name):
                return other, found
        return kind, set()

    def about(self, task: ListedTask) -> bool:
        """Whether a task has the words of every topic: its own, those over it or of its note."""
        if not self._stems:
            return True
        said = self._stems_of(task.text) | self._over_tasks[task]
        return all(own <= said for own in self._stems)

    @cached_property
    def _tasks(self) -> Sequence[ListedTask]:
        return self._catalog.inventory.tasks()

    @cached_property
    def _over_tasks(self) -> Mapping[ListedTask, Set[str]]:
        """The stems of what stands over each task: its headings, its note's names and folders."""
        headings = self._catalog.all_headings_over((task.path, task.line) for task in self._tasks)
        names = self._catalog.names_of({task.path for task in self._tasks})
        over = dict[ListedTask, Set[str]]()
        for task in self._tasks:
            named = *names.get(task.path, ()), task.path.removesuffix(".md")
            every = *headings.get((task.path, task.line), ()), *named
            over[task] = frozenset().union(*map(self._stems_of, every))
        return over

    def on_topic(self, to: Narrowing) -> set[str]:
        """Of the notes that it is narrowed ``to`` otherwise, those on the topics."""
        if not _is_on_topic(self.query):
            found = [self._notes_naming(topic) for topic in self.query.topics]
            return found[0].intersection(*found[1:])
        kept = [note.path for note in self.notes if is_within(note, self.query, to)]
        topic = _topic(self.query)
        if self.query.order and (named := self._notes_with(topic).intersection(kept)):
            return named  # the newest recipe is one that is called so, if any are
        return on_topic(seen_of(topic, kept, self._similar, self._deps, turkish=self._turkish))

    def _notes_naming(self, topic: str) -> set[str]:
        """The notes that name a topic, or link to what is called so."""
        terms, inventory = text_query(topic, turkish=self._turkish).terms(), self._catalog.inventory
        named = self._notes_called(topic)
        linking = {link.path for link in inventory.links() if named and link.to in named}
        return self._notes_with(topic) | inventory.with_all(terms).keys() | linking

    def _notes_with(self, topic: str) -> set[str]:
        """The notes that have a name with all words of a topic."""
        sought = self._stems_of(topic)
        named = self._catalog.link_targets() if sought else ()
        own = ((name.rsplit("/", 1)[-1], path) for name, path in named)
        return {path for name, path in own if sought <= self._stems_of(name)}

    def _stems_of(self, text: str) -> frozenset[str]:
        return stems_of(text, turkish=self._turkish)

    def _called(self, kind: NameKind, name: str) -> set[str]:
        match kind:
            case "tag":
                return set(self._tags.resolve(name, turkish=self._turkish))
            case "folder":
                found = self._folders.resolve(name, turkish=self._turkish)
                return set(found or self._folders.of_stem(name, turkish=self._turkish))
            case "note":
                return self._notes_called(name)

    def _notes_called(self, name: str) -> set[str]:
        names = self._catalog.name_set()
        return set(self._catalog.resolve(as_named(name, names, turkish=self._turkish)))

    def _notes_described(self, name: str) -> set[str]:
        """The note whose name a description is most like, else with all its words in a passage."""
        paths = (note.path.removesuffix(".md") for note in self.notes)
        called = described(name, [*self._catalog.name_set(), *paths])
        terms = text_query(name, turkish=self._turkish).terms()
        if called or not terms:
            return set(self._catalog.resolve(called)) if called else set()
        rows = [row for row, _ in self._catalog.words.match(" AND ".join(terms), limit=1)]
        return {one.note_path for one in self._catalog.passages(chunk_ids=rows).values()}

    def _unknown(self, kind: NameKind, name: str) -> UnknownName:
        match kind:
            case "tag":
                near = self._tags.near(name)
            case "folder":
                near = self._folders.near(name)
            case "note":
                titles = self._catalog.titles_by_name()
                found = nearest(fold_name(name), titles)
                near = tuple(dict.fromkeys(titles[one] for one in found if one in titles))
        return UnknownName(kind=kind, name=name.lstrip("#"), near=near)
