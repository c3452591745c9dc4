"""Questions about the vault itself, answered from the catalog: names looked up, then listed."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from agents.name_forms import as_named
from agents.vault_names import described, nearest
from graphs.deps import Deps
from graphs.nodes import Update
from graphs.state import QueryState
from tools.domain import Period, QueryPlan
from tools.errors import BrainError
from tools.rendering import render_listing
from tools.rendering_listing import ListingPage, shown_notes
from tools.text.normalize import fold_name
from tools.text.stemming import stem
from tools.text.tokens import words_of
from tools.vault.listing import Narrowing, listed
from tools.vault.text import text_query
from tools.vault_query import Listing, NameKind, UnknownName, VaultQuery

_ALIKE = 0.6
"""From this similarity of a passage on its note is on a topic that it has no words of."""
_PASSAGES = 40
_MUCH = 0.5
"""Of the best passage's BM25: a note whose best one has less only mentions a topic."""
_ELSE: Mapping[NameKind, Sequence[NameKind]] = {
    "tag": ("tag", "folder"),
    "folder": ("folder", "tag", "note"),
    "note": ("note", "folder"),
}
"""What a name is taken for, in this order."""


async def list_vault(state: QueryState, deps: Deps, *, whole: bool) -> Update:
    """What the catalog says to the plan's question about the vault; all of it, or the first."""
    query = state["plan"].vault or VaultQuery(subject="notes")
    topics = () if query.subject == "tasks" else query.topics
    found = await asyncio.gather(*(_similar(topic, deps) for topic in topics))
    alike = dict(zip(topics, found, strict=True))
    return await asyncio.to_thread(_listed, state, deps, query, alike, whole=whole)


async def _similar(topic: str, deps: Deps) -> set[str]:
    """The vectors of passages that mean a topic; none where nothing can be searched by meaning."""
    try:
        found = await deps.index.search(topic, limit=_PASSAGES)
    except BrainError:
        return set()
    return {vector for vector, similarity in found if similarity >= _ALIKE}


def _listed(
    state: QueryState,
    deps: Deps,
    query: VaultQuery,
    alike: Mapping[str, Set[str]],
    *,
    whole: bool,
) -> Update:
    plan = state["plan"]
    listing = _look_up(plan, deps, query, alike)
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
    plan: QueryPlan, deps: Deps, query: VaultQuery, alike: Mapping[str, Set[str]]
) -> Listing:
    look_up = _LookUp(deps, query, alike, turkish=plan.reading.turkish)
    period = Period(start=plan.start_date, end=plan.end_date)
    to, query = look_up.narrowing(period), look_up.query
    if look_up.unknown:
        return Listing(query=query, unknown=tuple(look_up.unknown))
    inventory, undated = deps.catalog.inventory, set[str]()
    items = listed(query, to, inventory, look_up.about)
    if period != Period():
        whenever = listed(query, replace(to, period=Period()), inventory, look_up.about)
        unknown = {note.path for note in look_up.notes if not note.dated}
        undated = unknown.intersection(item.note_path or "" for item in whenever)
    return Listing(query=query, items=tuple(items[: query.most]), undated=len(undated))


class _LookUp:
    """What the names of a query mean in this vault; ``unknown`` has those that mean nothing.

    ``query`` is what is asked for then: a note that is none is a topic, unless what links there is
    asked for, or its tags, and so is a folder that no other is like; what would link to a topic
    speaks of it.
    """

    def __init__(
        self, deps: Deps, query: VaultQuery, alike: Mapping[str, Set[str]], *, turkish: bool
    ) -> None:
        self._catalog, self._turkish, self._alike = deps.catalog, turkish, alike
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
            return query
        notes = tuple(name for name in query.notes if self._may_hold(query, name))
        folders = tuple(
            name
            for name in query.folders
            if self._means("folder", name)[1] or self._folders.near(name)
        )
        left = {*query.notes, *query.folders} - {*notes, *folders}
        topics = (*query.topics, *sorted(left))
        return replace(query, notes=notes, folders=folders, topics=topics)

    def _may_hold(self, query: VaultQuery, name: str) -> bool:
        """Whether a name means notes; of tasks, notes that have some: others are their topic."""
        kind, means = self._means("note", name)
        if kind != "note" or query.subject != "tasks":
            return bool(means)
        return any(task.path in means for task in self._catalog.inventory.tasks())

    def narrowing(self, period: Period) -> Narrowing:
        tags, folders, notes = list[set[str]](), set[str](), set[str]()
        named: tuple[tuple[NameKind, Sequence[str]], ...] = (
            ("tag", self.query.tags),
            ("folder", self.query.folders),
            ("note", self.query.notes),
        )
        for kind, names in named:
            for name in names:
                found, means = self._means(kind, name)
                if not means and kind == "note":
                    means = self._notes_described(name)
                if not means:
                    self.unknown.append(self._unknown(kind, name))
                elif found == "tag":
                    tags.append(means)
                else:
                    (folders if found == "folder" else notes).update(means)
        return Narrowing(
            tags=tags,
            folders=folders or None,
            notes=notes or None,
            on_topic=self._on_topic(),
            period=period,
        )

    def _means(self, kind: NameKind, name: str) -> tuple[NameKind, set[str]]:
        """What of the vault has a name, be it of another kind than it was taken for."""
        for other in _ELSE[kind]:
            if found := self._called(other, name):
                return other, found
        return kind, set()

    def about(self, text: str) -> bool:
        """Whether a text has the words of every topic."""
        said = self._stems_of(text)
        return all(own <= said for own in self._stems)

    def _on_topic(self) -> set[str] | None:
        if not self.query.topics:
            return None
        found = [self._notes_on(topic) for topic in self.query.topics]
        return found[0].intersection(*found[1:])

    def _notes_on(self, topic: str) -> set[str]:
        """The notes that have the words of a topic over their text, or say much of them in it.

        Tasks are of the first only: what a note says elsewhere is not what is to be done.
        """
        terms, inventory = text_query(topic, turkish=self._turkish).terms(), self._catalog.inventory
        headed = self._notes_with(topic) | inventory.with_all(terms, headed=True).keys()
        if self.query.subject == "tasks":
            return headed
        scores = inventory.with_all(terms)
        if self.query.mentions:
            named = self._notes_called(topic)
            linking = {link.path for link in inventory.links() if named and link.to in named}
            return headed | scores.keys() | linking
        least = _MUCH * max(scores.values(), default=0.0)
        much = {path for path, score in scores.items() if score >= least}
        passages = self._catalog.places_by_vector(self._alike.get(topic, ()))
        alike = {path for places in passages.values() for path, _, _ in places}
        return headed | much | alike

    def _notes_with(self, topic: str) -> set[str]:
        """The notes that have a name with all words of a topic."""
        sought = self._stems_of(topic)
        named = self._catalog.link_targets() if sought else ()
        own = ((name.rsplit("/", 1)[-1], path) for name, path in named)
        return {path for name, path in own if sought <= self._stems_of(name)}

    def _stems_of(self, text: str) -> frozenset[str]:
        words = text_query(text, turkish=self._turkish).words
        return frozenset(
            stem(word, turkish=self._turkish) for one in words for word in words_of(one)
        )

    def _called(self, kind: NameKind, name: str) -> set[str]:
        match kind:
            case "tag":
                return set(self._tags.meant(name, turkish=self._turkish))
            case "folder":
                return set(self._folders.meant(name, turkish=self._turkish))
            case "note":
                return self._notes_called(name)

    def _notes_called(self, name: str) -> set[str]:
        names = self._catalog.name_set()
        return set(self._catalog.resolve(as_named(name, names, turkish=self._turkish)))

    def _notes_described(self, name: str) -> set[str]:
        """The note whose name a description is most like, else with all its words in a passage."""
        called = described(name, self._catalog.name_set())
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
