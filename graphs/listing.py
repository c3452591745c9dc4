"""Questions about the vault itself, answered from the catalog: names looked up, then listed."""

import asyncio
from collections.abc import Sequence

from agents.name_forms import as_named
from agents.near_names import near_names
from graphs.deps import Deps
from graphs.nodes import Update
from graphs.state import QueryState
from tools.domain import Period, QueryPlan
from tools.rendering import render_listing
from tools.rendering_listing import ListingPage, shown_notes
from tools.text.stemming import stem
from tools.text.tokens import words_of
from tools.vault.listing import Narrowing, listed
from tools.vault.text import text_query
from tools.vault_query import Listing, NameKind, UnknownName, VaultQuery


async def list_vault(state: QueryState, deps: Deps, *, whole: bool) -> Update:
    """What the catalog says to the plan's question about the vault; all of it, or the first."""
    return await asyncio.to_thread(_listed, state, deps, whole=whole)


def _listed(state: QueryState, deps: Deps, *, whole: bool) -> Update:
    plan = state["plan"]
    listing = _look_up(plan, deps)
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


def _look_up(plan: QueryPlan, deps: Deps) -> Listing:
    query = plan.vault or VaultQuery(subject="notes")
    look_up = _LookUp(deps, query, turkish=plan.reading.turkish)
    period = Period(start=plan.start_date, end=plan.end_date)
    to = look_up.narrowing(period)
    if look_up.unknown:
        return Listing(query=query, unknown=tuple(look_up.unknown))
    items = listed(query, to, deps.catalog.inventory, look_up.about)
    undated = 0 if period == Period() else sum(not note.dated for note in look_up.notes)
    return Listing(query=query, items=tuple(items[: query.most]), undated=undated)


_ELSE: dict[NameKind, Sequence[NameKind]] = {
    "tag": ("tag", "folder"),
    "folder": ("folder", "tag", "note"),
    "note": ("note", "folder"),
}
"""What a name is taken for, in this order."""


_MUCH = 0.5
"""Of the best passage's BM25: a note whose best one has less only mentions a topic."""


class _LookUp:
    """What the names of a query mean in this vault; ``unknown`` has those that mean nothing."""

    def __init__(self, deps: Deps, query: VaultQuery, *, turkish: bool) -> None:
        self._catalog, self._query, self._turkish = deps.catalog, query, turkish
        self.notes = deps.catalog.inventory.notes()
        names = deps.vault_names()
        self._tags, self._folders = names.tags, names.folders
        self._stems = [self._stems_of(topic) for topic in query.topics]
        self.unknown = list[UnknownName]()

    def narrowing(self, period: Period) -> Narrowing:
        tags, folders, notes = list[set[str]](), set[str](), set[str]()
        named: tuple[tuple[NameKind, Sequence[str]], ...] = (
            ("tag", self._query.tags),
            ("folder", self._query.folders),
            ("note", self._query.notes),
        )
        for kind, names in named:
            for name in names:
                found, means = next(
                    ((other, own) for other in _ELSE[kind] if (own := self._meant(other, name))),
                    (kind, set[str]()),
                )
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

    def about(self, text: str) -> bool:
        """Whether a text has the words of every topic."""
        said = self._stems_of(text)
        return all(own <= said for own in self._stems)

    def _on_topic(self) -> set[str] | None:
        if not self._query.topics:
            return None
        found = [self._notes_on(topic) for topic in self._query.topics]
        return found[0].intersection(*found[1:])

    def _notes_on(self, topic: str) -> set[str]:
        """The notes that have the words of a topic over their text, or say much of them in it.

        Tasks are of the first only: what a note says elsewhere is not what is to be done.
        """
        terms, inventory = text_query(topic, turkish=self._turkish).terms(), self._catalog.inventory
        headed = set(inventory.with_all(terms, headed=True))
        if self._query.subject == "tasks":
            return headed
        scores = inventory.with_all(terms)
        least = _MUCH * max(scores.values(), default=0.0)
        return headed | {path for path, score in scores.items() if score >= least}

    def _stems_of(self, text: str) -> frozenset[str]:
        words = text_query(text, turkish=self._turkish).words
        return frozenset(
            stem(word, turkish=self._turkish) for one in words for word in words_of(one)
        )

    def _meant(self, kind: NameKind, name: str) -> set[str]:
        match kind:
            case "tag":
                return set(self._tags.meant(name, turkish=self._turkish))
            case "folder":
                return set(self._folders.meant(name, turkish=self._turkish))
            case "note":
                return self._notes_called(name)

    def _notes_called(self, name: str) -> set[str]:
        """The notes of this name, else the one that a description fits best."""
        names = self._catalog.name_set()
        if found := self._catalog.resolve(as_named(name, names, turkish=self._turkish)):
            return set(found)
        if near_names(name, names):
            return set()
        terms = text_query(name, turkish=self._turkish).terms()
        rows = [row for row, _ in self._catalog.words.match(" AND ".join(terms), limit=1)]
        return {one.note_path for one in self._catalog.passages(chunk_ids=rows).values()}

    def _unknown(self, kind: NameKind, name: str) -> UnknownName:
        match kind:
            case "tag":
                near = self._tags.near(name)
            case "folder":
                near = self._folders.near(name)
            case "note":
                found, titles = (
                    near_names(name, self._catalog.name_set()),
                    self._catalog.titles_by_name(),
                )
                near = tuple(dict.fromkeys(titles[one] for one in found if one in titles))
        return UnknownName(kind=kind, name=name.lstrip("#"), near=near)
