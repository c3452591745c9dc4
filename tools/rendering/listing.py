"""What the catalog says to a question about the vault, as markdown. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tools.base.domain import Period
from tools.base.vault_query import ListedItem, Listing, NameKind, Subject, UnknownName, VaultQuery
from tools.evidence.citations import Citation, note_link, wikilink
from tools.rendering.lines import inline, prose
from tools.temporal.event_time import period_in_words
from tools.text.voice import counted, number, stamp, things, translate, way

_THINGS: Mapping[Subject, tuple[str, str]] = {
    "notes": ("note", "notes"),
    "tags": ("tag", "tags"),
    "tasks": ("task", "tasks"),
    "backlinks": ("note that links there", "notes that link there"),
    "links": ("note that is linked to", "notes that are linked to"),
    "orphans": ("note without any link", "notes without any link"),
    "unreferenced": ("note that no note links to", "notes that no note links to"),
    "dead_ends": ("note that links to no note", "notes that link to no note"),
    "broken": ("link without its note", "links without their note"),
    "folders": ("folder", "folders"),
    "untagged": ("note without a tag", "notes without a tag"),
}
_STATES = {"open": ("open task", "open tasks"), "done": ("done task", "done tasks")}
_ORDERS = {
    "newest": "the newest",
    "oldest": "the oldest",
    "changed": "the last changed",
    "longest": "the longest",
    "shortest": "the shortest",
    "most_linked": "the most linked to",
    "least_linked": "the least linked to",
    "least": "the rarest",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingPage:
    """A listing, the period it is of, and how many items are shown; None shows all.

    ``language`` is what it is told in.

    ``names`` is what links call the notes whose file name alone is ambiguous; ``headings`` has the
    heading over a line of a note.
    """

    listing: Listing
    language: str
    period: Period
    most: int | None
    names: Mapping[str, str]
    headings: Mapping[tuple[str, int], str]


def listing_lines(page: ListingPage) -> list[str]:
    """The parts of the answer: how many of what, then the items, or which name is unknown."""
    listing = page.listing
    if listing.unknown:
        return [_unknown(one) for one in listing.unknown]
    shown = listing.items[: page.most]
    lines = [line for item in shown for line in _item(item, listing.query, page)]
    more = len(listing.items) - len(shown)
    parts = [f"{_counted(listing)}{_narrowed(listing.query, page.period)}"]
    if lines:
        parts.append("\n".join(lines))
    if more:
        parts.append(
            translate(
                "And {count} more: {all} shows them.",
                count=number(more),
                all=way("`--all`", tool="`whole`"),
            )
        )
    if listing.undated:
        undated = counted(
            listing.undated, "note without a date of its own", "notes without a date of their own"
        )
        parts.append(f"*{translate('Left out: {notes}.', notes=undated)}*")
    return parts


def shown_notes(listing: Listing, most: int | None) -> Sequence[ListedItem]:
    """The items shown that stand in a note."""
    return [item for item in listing.items[:most] if item.note_path]


def _counted(listing: Listing) -> str:
    query = listing.query
    one, many = (
        _STATES.get(query.state, _THINGS["tasks"])
        if query.subject == "tasks"
        else _THINGS[query.subject]
    )
    count = len(listing.items)
    return f"**{number(count)}** {things(count, one, many)}"


def _narrowed(query: VaultQuery, period: Period) -> str:
    """Behind the count, what it is narrowed to, as it was read."""
    named = [f"#{tag.lstrip('#')}" for tag in query.tags]
    named += [f"{folder.rstrip('/')}/" for folder in query.folders]
    named += [f"[[{note}]]" for note in query.notes]
    topics = [f"“{topic}”" for topic in query.topics]
    named += [translate("naming {names}", names=", ".join(topics))] if query.mentions else topics
    if period != Period():
        named.append(period_in_words(period))
    if query.order in _ORDERS:
        which = translate(_ORDERS[query.order])
        named.append(which if query.most == 1 else translate("{what} first", what=which))
    return "".join(f" · {inline(one)}" for one in named)


def _item(item: ListedItem, query: VaultQuery, page: ListingPage) -> Iterator[str]:
    match query.subject:
        case "tags":
            yield f"- #{inline(item.name)} · {counted(item.count or 0, 'note')}"
        case "folders":
            yield f"- {inline(item.name)}/ · {counted(item.count or 0, 'note')}"
        case "tasks":
            yield f"- [{'x' if item.done else ' '}] {prose(item.name)} — {_place(item, page)}"
        case "broken":
            yield f"- [[{inline(item.name)}]] — {_place(item, page)}"
        case "backlinks":
            yield f"- {_place(item, page)}"
        case _:
            facts = [note_link(item.note_path or "", page.names)]
            if item.dated:
                facts.append(stamp(item.dated))
            if item.count is not None:
                links = query.order in ("most_linked", "least_linked")
                facts.append(counted(item.count, "link" if links else "word"))
            yield f"- {' · '.join(facts)}"


def _place(item: ListedItem, page: ListingPage) -> str:
    path, line = item.note_path or "", item.line or 1
    heading = page.headings.get((path, line))
    cited = Citation(note_path=path, note_title=item.name, line=line, heading=heading)
    return wikilink(cited, page.names)


_NONE: Mapping[NameKind, str] = {
    "tag": "No note is tagged #{name}.",
    "folder": "There is no folder “{name}”.",
    "note": "No note is called “{name}”.",
}


def _unknown(one: UnknownName) -> str:
    said = translate(_NONE[one.kind], name=inline(one.name))
    if not one.near:
        return said
    sign = "#" if one.kind == "tag" else ""
    near = ", ".join(f"{sign}{inline(name)}" for name in one.near)
    return f"{said} {translate('Near it: {names}.', names=near)}"
