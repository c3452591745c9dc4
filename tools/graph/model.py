"""What the graph holds: entities, dated relations, versions, and what identifies each of them.

Every identity is derived (uuid5), so writing the same note twice names the same things. A relation
has two time axes: ``valid_at``/``invalid_at`` say when it held in the notes' world, ``created_at``
since when that was known, ``expired_at`` since when its end was known. One that ends is closed,
never deleted; one that comes back opens a new interval beside the closed one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Literal
from uuid import UUID, uuid5

from tools.base.domain import FactOrigin
from tools.graph.provenance import Provenance
from tools.text.normalize import fold, fold_name

NAMESPACE = UUID("6f3d2a34-6f0e-5b0c-9d5c-0a6f1f6c4b1e")

Kind = Literal["note", "tag", "value", "unresolved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A note, a tag, the value of a field, or a link target that no note answers to (yet).

    ``created_at`` is when it was first known. A note without ``content_hash`` is none of today: it
    is gone, or known only from links to it. ``digest`` tells one state of all that a note says from
    any other. ``superseded_by`` is the path of the note that took its place. ``provenance`` is what
    the note says of where it comes from; it is no part of the ``repr``, so that digests of notes
    which say nothing of it are what they were.
    """

    uuid: str
    kind: Kind
    name: str
    labels: tuple[str, ...]
    created_at: datetime
    path: str | None = None
    building_block: str | None = None
    note_type: str | None = None
    content_hash: str | None = None
    created: datetime | None = None
    modified: datetime | None = None
    superseded_by: str | None = None
    digest: str | None = None
    provenance: Provenance | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One directed edge in one of its intervals (counted from 0).

    Where its interval turns out to have been otherwise, it is not believed from ``retracted_at``
    on. ``episode`` is the version that said it first, ``origin`` who says so; ``note`` is the note
    it was read in, which is the source of all that is written.
    """

    note: str
    source: str
    target: str
    name: str
    fact: str
    note_path: str
    line: int
    strength: float
    episode: str
    valid_at: datetime
    created_at: datetime
    invalid_at: datetime | None = None
    expired_at: datetime | None = None
    retracted_at: datetime | None = None
    origin: FactOrigin = "written"
    interval: int = 0

    @property
    def uuid(self) -> str:
        parts = [self.source, self.name, self.target, self.origin, str(self.interval)]
        if self.origin == "inferred":  # several notes may let the same be inferred
            parts.append(self.note)
        return identity("relation", "|".join(parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One version of a note; without ``content_hash`` its end."""

    uuid: str
    name: str
    content: str
    path: str
    content_hash: str | None
    valid_at: datetime
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteGraph:
    """One note's part of the graph: all that it says and ever said.

    ``keeps_inferred`` says that nobody can tell what was inferred from it: what is stored stays.
    """

    entity: Entity
    others: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    episodes: tuple[Episode, ...]
    keeps_inferred: bool = False


@lru_cache(maxsize=1 << 14)
def identity(kind: str, name: str) -> str:
    """The uuid5 of a thing; any text is allowed."""
    return str(uuid5(NAMESPACE, f"{kind}:{name}".encode(errors="surrogatepass")))


def note_id(path: str) -> str:
    return identity("note", path)


def unresolved_id(folded: str) -> str:
    return identity("unresolved", folded)


def name_ids(names: Iterable[str]) -> list[str]:
    """What a name may stand for that is no note: a link target, a field's value, a tag."""
    return [
        uuid
        for name in names
        for uuid in (
            unresolved_id(fold_name(name)),
            identity("value", fold_name(name)),
            identity("tag", fold(name).lstrip("#")),
        )
    ]


def episode_id(path: str, content_hash: str | None, known_at: datetime) -> str:
    """A text that comes back is another version."""
    return identity("episode", f"{path}|{content_hash}|{known_at.isoformat()}")
