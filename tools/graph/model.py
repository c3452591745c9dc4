"""What the graph holds: entities, dated relations, versions, and what identifies each of them.

Every identity is derived (uuid5), so writing the same note twice names the same things. A relation
has two time axes: ``valid_at``/``invalid_at`` say when it held in the notes' world,
``created_at``/``expired_at`` when this program knew of it. One that ends is closed, never deleted;
one that comes back opens a new interval beside the closed one.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID, uuid5

NAMESPACE = UUID("6f3d2a34-6f0e-5b0c-9d5c-0a6f1f6c4b1e")

REVERSED = frozenset({
    "BECAUSE_OF", "CAUSED_BY", "DUE_TO", "ENABLED_BY", "INFLUENCED_BY", "PREVENTED_BY",
    "RESULTED_FROM", "RESULTS_FROM", "SUPERSEDED_BY", "SUPPORTED_BY", "TRIGGERED_BY",
})  # fmt: skip
"""Relations whose source is the caused or the older side: read from target to source."""

CAUSAL = (REVERSED - {"SUPERSEDED_BY"}) | {
    "CAUSES", "CONTRIBUTES_TO", "ENABLES", "IMPROVES", "INCREASES", "INFLUENCES", "LEADS_TO",
    "PREVENTS", "REDUCES", "RESULTS_IN", "SUPPORTS", "TRIGGERS", "WORSENS",
}  # fmt: skip
"""Relations that a chain of causes and effects may follow."""

Kind = Literal["note", "tag", "unresolved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A note, a tag, or a link target that no note answers to (yet).

    ``created_at`` is when it was first seen. A note without ``content_hash`` is known only from
    links to it. ``names`` are the folded names by which links reach it.
    """

    uuid: str
    kind: Kind
    name: str
    labels: tuple[str, ...]
    created_at: datetime
    names: tuple[str, ...] = ()
    path: str | None = None
    building_block: str | None = None
    note_type: str | None = None
    content_hash: str | None = None
    created: datetime | None = None
    modified: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One directed edge in one of its intervals (counted from 0).

    ``words`` are the folded targets as the note writes them; ``episode`` is the version that said
    it first.
    """

    source: str
    target: str
    name: str
    fact: str
    note_path: str
    line: int
    strength: float
    words: tuple[str, ...]
    episode: str
    valid_at: datetime
    created_at: datetime
    invalid_at: datetime | None = None
    expired_at: datetime | None = None
    interval: int = 0

    @property
    def uuid(self) -> str:
        parts = (self.source, self.name, self.target, str(self.interval))
        return identity("relation", "|".join(parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One version of a note. A version that comes back is the version it was."""

    uuid: str
    name: str
    content: str
    path: str
    content_hash: str
    valid_at: datetime
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteGraph:
    """One note's part of the graph, as of ``seen_at``."""

    entity: Entity
    others: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    episode: Episode
    seen_at: datetime


def identity(kind: str, name: str) -> str:
    """The uuid5 of a thing; any text is allowed."""
    return str(uuid5(NAMESPACE, f"{kind}:{name}".encode(errors="surrogatepass")))


def note_id(path: str) -> str:
    return identity("note", path)


def unresolved_id(folded: str) -> str:
    return identity("unresolved", folded)


def placeholder(word: str, *, name: str, seen_at: datetime) -> Entity:
    """What stands for a link target without a note; ``word`` is its folded name."""
    return Entity(
        uuid=unresolved_id(word),
        kind="unresolved",
        name=name,
        labels=("Entity", "Unresolved"),
        created_at=seen_at,
        names=(word,),
    )
