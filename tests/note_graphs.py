"""One note and the graph it makes, ready-made: a test names only what it is about."""

from dataclasses import replace
from datetime import UTC, datetime

from tools.domain import Link, Note
from tools.graph.model import NoteGraph, Relation
from tools.graph.projection import project

CREATED = datetime(2024, 1, 1, tzinfo=UTC)
MODIFIED = datetime(2024, 2, 1, tzinfo=UTC)
SEEN = datetime(2025, 1, 1, tzinfo=UTC)
VAULT = {"Sleep": "notes/Sleep.md", "Late caffeine": "notes/Late caffeine.md"}


def a_note(*links: Link, path: str = "notes/Late caffeine.md", **fields: object) -> Note:
    title = path.rsplit("/", 1)[-1].removesuffix(".md")
    note = Note(
        path=path,
        title=title,
        text=f"# {title}\n\nbody",
        content_hash="one",
        body_line=1,
        created=CREATED,
        modified=MODIFIED,
        date_origin="frontmatter",
        links=links,
    )
    return replace(note, **fields)  # pyright: ignore[reportArgumentType]


def resolve(name: str) -> str | None:
    return VAULT.get(name) or (name if name in VAULT.values() else None)


def graph_of(*links: Link, **fields: object) -> NoteGraph:
    return project(a_note(*links, **fields), resolve=resolve, seen_at=SEEN)  # pyright: ignore[reportArgumentType]


def only(note: NoteGraph) -> Relation:
    (relation,) = note.relations
    return relation
