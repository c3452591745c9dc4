"""A note, its versions and the graph they make, ready-made: a test names only what it is about."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tools.base.domain import Link, Note
from tools.graph.model import NoteGraph, Relation
from tools.graph.projection import Resolve, Successor, project
from tools.graph.statements import version_content
from tools.graph.versions import Version, date

CREATED = datetime(2024, 1, 1, tzinfo=UTC)
SEEN = datetime(2025, 1, 1, tzinfo=UTC)
PATH = "notes/Late caffeine.md"
VAULT = {"Sleep": "notes/Sleep.md", "Late caffeine": PATH}


def day(number: float) -> datetime:
    """So many days after the first version was seen."""
    return SEEN + timedelta(days=number)


def a_note(*links: Link, path: str = PATH, **fields: object) -> Note:
    title = path.rsplit("/", 1)[-1].removesuffix(".md")
    note = Note(
        path=path,
        title=title,
        text=f"# {title}\n\nbody",
        content_hash="unused",
        body_line=1,
        created=CREATED,
        modified=CREATED,
        date_origin="frontmatter",
        stated_created=CREATED,
        links=links,
    )
    return replace(note, **fields)  # pyright: ignore[reportArgumentType]


def a_version(*links: Link, on: float = 0, path: str = PATH, **fields: object) -> Version:
    """A text that was seen ``on`` so many days after the first."""
    note = a_note(*links, path=path, **fields)
    return Version(
        key=int(on),
        path=path,
        at=day(on),
        origin="seen",
        content_hash=f"day {on}",
        said=version_content(note),
    )


def an_end(*, on: float, path: str = PATH) -> Version:
    return Version(key=int(on), path=path, at=day(on), origin="seen")


def resolve(name: str) -> str | None:
    return VAULT.get(name) or (name if name in VAULT.values() else None)


def graph_of(
    *versions: Version, resolve: Resolve = resolve, successors: Sequence[Successor] = ()
) -> NoteGraph:
    return project(PATH, date(versions), resolve=resolve, successors=successors)


def only(note: NoteGraph) -> Relation:
    (relation,) = note.relations
    return relation
