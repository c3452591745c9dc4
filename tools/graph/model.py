"""What a note says, as entities and dated relations, and what changes when it is read again. Pure.

Every identity is derived (uuid5), so writing the same note twice names the same things. A relation
has two time axes: ``valid_at``/``invalid_at`` say when it held in the notes' world,
``created_at``/``expired_at`` when this program knew of it. One that ends is closed, never deleted;
one that comes back opens a new interval beside the closed one.

Projection and change plan share this file because both are the definition of one identity.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as copy
from datetime import UTC, datetime
from typing import Literal
from uuid import UUID, uuid5

from tools.domain import Json, Link, Note
from tools.folding import fold, fold_name

NAMESPACE = UUID("6f3d2a34-6f0e-5b0c-9d5c-0a6f1f6c4b1e")

TYPED_STRENGTH = 0.9
EMBED_STRENGTH = 0.7
LINK_STRENGTH = 0.6
TAG_STRENGTH = 0.4

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

_PEOPLE_KEYS = frozenset({
    "attendees", "author", "authors", "participants", "people", "person", "persons", "speaker",
    "speakers", "with",
})  # fmt: skip
"""Frontmatter keys whose plain values are names, linked or not."""

_NOUNS = _PEOPLE_KEYS | {
    "area", "child", "company", "goal", "goals", "location", "owner", "parent", "partner", "place",
    "project", "projects", "related", "source", "sources", "team", "topic", "topics",
}  # fmt: skip
"""Relations that read as something the note has, not as something it does."""

_RESERVED_LABELS = frozenset({"Entity", "Note", "Tag", "Unresolved", "Episodic", "Store"})
_EXCERPT = 300

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


# --- projection ----------------------------------------------------------------------------


def project(note: Note, *, resolve: Callable[[str], str | None], seen_at: datetime) -> NoteGraph:
    """The entities, relations and episode of one note.

    ``resolve`` maps a link target as written to a vault path, or None when no note answers to it.
    """
    source = note_id(note.path)
    seen_at = seen_at.astimezone(UTC)
    episode = _episode(note, seen_at)
    entities: dict[str, Entity] = {}
    relations: dict[tuple[str, str], Relation] = {}

    def relate(target: Entity, relation: str, *, word: str, line: int, strength: float) -> None:
        if target.uuid == source:
            return
        entities.setdefault(target.uuid, target)
        key = (relation, target.uuid)
        if (earlier := relations.get(key)) is not None:
            words = tuple(dict.fromkeys((*earlier.words, word)))
            relations[key] = copy(earlier, words=words)
            return
        relations[key] = Relation(
            source=source,
            target=target.uuid,
            name=relation,
            fact=_fact(note.title, relation, target.name),
            note_path=note.path,
            line=line,
            strength=strength,
            words=(word,),
            episode=episode.uuid,
            valid_at=note.created.astimezone(UTC),
            created_at=seen_at,
        )

    for link in (*note.links, *_plain_people(note)):
        word = fold_name(link.target)
        if word:
            target = _target(link.target, word, resolve=resolve, seen_at=seen_at)
            relation, strength = _relation_of(link)
            relate(target, relation, word=word, line=link.line, strength=strength)
    for tag in note.tags:
        word = fold(tag)
        line = _tag_line(note, tag)
        target = _tag(tag, word, seen_at)
        relate(target, "TAGGED", word=f"#{word}", line=line, strength=TAG_STRENGTH)
    return NoteGraph(
        entity=_note_entity(note, resolve=resolve, seen_at=seen_at),
        others=tuple(entities.values()),
        relations=tuple(relations.values()),
        episode=episode,
        seen_at=seen_at,
    )


def relation_name(word: str) -> str:
    """The word of a typed link in upper case with underscores: ``leads to`` → ``LEADS_TO``."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", word)
    return "_".join(re.findall(r"\w+", spaced.replace("_", " "))).upper() or "LINKS_TO"


def type_label(note_type: str | None) -> str | None:
    """A note type as a graph label: CamelCase, ASCII; None when nothing usable is left."""
    ascii_words = unicodedata.normalize("NFKD", (note_type or "").replace("ı", "i"))
    words = re.findall(r"[A-Za-z0-9]+", ascii_words.encode("ascii", "ignore").decode())
    label = "".join(word[0].upper() + word[1:] for word in words)
    usable = label and label[0].isalpha() and label not in _RESERVED_LABELS
    return label if usable else None


def _note_entity(note: Note, *, resolve: Callable[[str], str | None], seen_at: datetime) -> Entity:
    parts = note.path.split("/")
    called = ["/".join(parts[start:]) for start in range(len(parts))]
    called += [name.removesuffix(".md") for name in called] + [note.title, *note.aliases]
    # Only names that lead here: an ambiguous one belongs to the note that links resolve to.
    names = {fold_name(name) for name in dict.fromkeys(called) if resolve(name) == note.path}
    label = type_label(note.note_type)
    return Entity(
        uuid=note_id(note.path),
        kind="note",
        name=note.title,
        labels=("Entity", "Note", *([label] if label else [])),
        created_at=seen_at,
        names=tuple(sorted(names - {""})),
        path=note.path,
        building_block=note.building_block,
        note_type=note.note_type,
        content_hash=note.content_hash,
        created=note.created.astimezone(UTC),
        modified=note.modified.astimezone(UTC),
    )


def _target(
    written: str, word: str, *, resolve: Callable[[str], str | None], seen_at: datetime
) -> Entity:
    path = resolve(written)
    if path is None:
        return placeholder(word, name=written, seen_at=seen_at)
    return Entity(
        uuid=note_id(path),
        kind="note",
        name=path.rsplit("/", 1)[-1].removesuffix(".md"),
        labels=("Entity", "Note"),
        created_at=seen_at,
        path=path,
    )


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


def _tag(tag: str, word: str, seen_at: datetime) -> Entity:
    return Entity(
        uuid=identity("tag", word),
        kind="tag",
        name=f"#{tag}",
        labels=("Entity", "Tag"),
        created_at=seen_at,
        names=(f"#{word}",),
    )


def _episode(note: Note, seen_at: datetime) -> Episode:
    body = "\n".join(note.text.split("\n")[note.body_line - 1 :]).strip()
    return Episode(
        uuid=identity("episode", f"{note.path}|{note.content_hash}"),
        name=note.title,
        content=f"{note.title}\n{body[:_EXCERPT]}".strip(),
        path=note.path,
        content_hash=note.content_hash,
        valid_at=note.modified.astimezone(UTC),
        created_at=seen_at,
    )


def _relation_of(link: Link) -> tuple[str, float]:
    if link.relation:
        return relation_name(link.relation), TYPED_STRENGTH
    return ("EMBEDS", EMBED_STRENGTH) if link.embed else ("LINKS_TO", LINK_STRENGTH)


def _plain_people(note: Note) -> list[Link]:
    """Names in frontmatter that are written without brackets."""
    found: list[Link] = []
    for key, value in note.frontmatter.items():
        if key.casefold() in _PEOPLE_KEYS:
            lines = enumerate(note.text.split("\n"), start=1)
            line = next((at for at, text in lines if text.startswith(f"{key}:")), 1)
            found += [Link(target=name, line=line, relation=key) for name in _names(value)]
    return found


def _names(value: Json) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [name.strip() for name in values if isinstance(name, str) and "[" not in name]


def _tag_line(note: Note, tag: str) -> int:
    """Where the tag stands: as ``#tag``, else as a word of the frontmatter, else line 1."""
    word = rf"{re.escape(tag)}(?![\w/-])"
    front = "\n".join(note.text.split("\n")[: note.body_line - 1])
    for pattern, text in ((rf"(?<![\w/#&])#{word}", note.text), (rf"(?<![\w/-]){word}", front)):
        if (match := re.search(pattern, text, re.IGNORECASE)) is not None:
            return text.count("\n", 0, match.start()) + 1
    return 1


def _fact(title: str, relation: str, target: str) -> str:
    words = relation.replace("_", " ").lower()
    if relation == "TAGGED":
        words = "is tagged"
    elif words in _NOUNS:
        words = f"has {words}"
    elif words.endswith(" by"):
        words = f"is {words}"
    return f"{title} {words} {target}"


# --- changes -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the store holds about some notes before a change.

    ``notes``: their entities by uuid. ``present``: uuids of all entities that exist among those
    the change touches. ``episodes``: complete versions. ``relations``: everything the notes say
    or said, and whatever points at a placeholder the notes answer to, or, from those sources, at
    the notes themselves. For a removal: whatever others say about the notes.
    """

    notes: Mapping[str, Entity]
    present: frozenset[str]
    episodes: frozenset[str]
    relations: Sequence[Relation]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What to write and drop so that the store says what the notes say.

    ``entities`` carry a note's former version until ``sealed``, its last step, names the new one;
    so a change cut short is planned again as the same change. ``relabelled`` entities lose labels.
    """

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    episodes: tuple[tuple[Episode, str], ...] = ()
    dropped: tuple[Relation, ...] = ()
    relabelled: tuple[str, ...] = ()
    sealed: tuple[Entity, ...] = ()


def plan_replace(notes: Sequence[NoteGraph], known: Known) -> Changes:
    """The changes that bring the store from ``known`` to ``notes``; none when it is there."""
    before = {relation.uuid: relation for relation in known.relations}
    after = dict(before)
    for note in notes:
        answered = {unresolved_id(name) for name in note.entity.names}
        for relation in before.values():
            if relation.target in answered and relation.uuid in after:
                _move(after, relation, note.entity.uuid)
    for note in notes:
        _reconcile(after, note, known.notes.get(note.entity.uuid))
    entities: dict[str, Entity] = {}
    sealed: list[Entity] = []
    for note in notes:
        former = known.notes.get(note.entity.uuid)
        final = copy(note.entity, created_at=former.created_at) if former else note.entity
        if final != former:
            entities[final.uuid] = copy(
                final,
                content_hash=former.content_hash if former else None,
                created=former.created if former else None,
                modified=former.modified if former else None,
            )
            sealed.append(final)
    for note in notes:
        for other in note.others:
            if other.uuid not in known.present:
                entities.setdefault(other.uuid, other)
    return Changes(
        entities=tuple(entities.values()),
        relations=tuple(r for r in after.values() if before.get(r.uuid) != r),
        episodes=tuple(
            (note.episode, note.entity.uuid)
            for note in notes
            if note.episode.uuid not in known.episodes
        ),
        dropped=tuple(r for r in before.values() if r.uuid not in after),
        relabelled=tuple(
            entity.uuid
            for entity in entities.values()
            if (former := known.notes.get(entity.uuid)) is not None
            and set(former.labels) - set(entity.labels)
        ),
        sealed=tuple(sealed),
    )


def plan_remove(removed: frozenset[str], known: Known, *, seen_at: datetime) -> Changes:
    """What living notes say about ``removed`` (entity uuids) points at placeholders from now on."""
    relations: dict[str, Relation] = {}
    entities: dict[str, Entity] = {}
    for relation in known.relations:
        if relation.source in removed or relation.target not in removed:
            continue
        called = known.notes[relation.target].name
        for word in relation.words:
            name = called if fold_name(called) == word else word
            stand_in = placeholder(word, name=name, seen_at=seen_at)
            if stand_in.uuid not in known.present:
                entities.setdefault(stand_in.uuid, stand_in)
            _place(relations, copy(relation, target=stand_in.uuid, words=(word,)))
    return Changes(entities=tuple(entities.values()), relations=tuple(relations.values()))


def _reconcile(relations: dict[str, Relation], note: NoteGraph, former: Entity | None) -> None:
    """Make ``relations`` say what the note says now, and close what it no longer says."""
    source, final = note.entity.uuid, note.entity
    mine = [r for r in relations.values() if r.source == source]
    still_open = {r.uuid: r for r in mine if r.expired_at is None}
    by_end = {(r.name, r.target): r for r in still_open.values()}
    by_word = {(r.name, word): r for r in still_open.values() for word in r.words}
    opened_at, changed_at = _change_dates(note, former)
    for relation in note.relations:
        earlier = by_end.get((relation.name, relation.target)) or next(
            (r for word in relation.words if (r := by_word.get((relation.name, word)))), None
        )
        if earlier is None:
            _place(relations, copy(relation, valid_at=opened_at))
            continue
        # Valid from the note's creation follows a corrected creation date.
        from_start = former is not None and earlier.valid_at == former.created
        held = copy(
            relation,
            valid_at=final.created if from_start and final.created else earlier.valid_at,
            created_at=earlier.created_at,
            episode=earlier.episode,
        )
        still_open.pop(earlier.uuid, None)
        if earlier.target == relation.target:
            relations[earlier.uuid] = copy(held, interval=earlier.interval)
        else:  # the same words lead elsewhere now: nothing was said or taken back
            relations.pop(earlier.uuid, None)
            _place(relations, held)
    unchanged = former is not None and former.content_hash == final.content_hash
    for uuid, relation in still_open.items():
        if unchanged:  # read differently, not written differently
            relations.pop(uuid, None)
        else:
            relations[uuid] = copy(
                relation,
                invalid_at=max(changed_at, relation.valid_at),
                expired_at=note.seen_at,
            )


def _change_dates(note: NoteGraph, former: Entity | None) -> tuple[datetime, datetime]:
    """When this version's new relations opened, and when those it lacks ended.

    A note's first version speaks from its creation on. A later one changed things when it was
    modified, or when we saw it, if the modification date did not advance.
    """
    created, modified = note.entity.created, note.entity.modified
    if created is None or modified is None:
        return note.seen_at, note.seen_at
    if former is None or former.content_hash is None or former.modified is None:
        return created, modified
    changed = modified if modified > former.modified else note.seen_at
    return (created if former.content_hash == note.entity.content_hash else changed), changed


def _move(relations: dict[str, Relation], relation: Relation, target: str) -> None:
    del relations[relation.uuid]
    if relation.source != target:
        _place(relations, copy(relation, target=target))


def _place(relations: dict[str, Relation], relation: Relation) -> None:
    """Add a relation, merged with an equal or overlapping one, else as the next interval."""
    placed = copy(relation, interval=0)
    while (there := relations.get(placed.uuid)) is not None:
        same = (there.valid_at, there.created_at) == (placed.valid_at, placed.created_at)
        both_open = there.expired_at is None and placed.expired_at is None
        if same or both_open:
            placed = copy(
                there,
                words=tuple(dict.fromkeys((*there.words, *placed.words))),
                valid_at=min(there.valid_at, placed.valid_at),
                created_at=min(there.created_at, placed.created_at),
            )
            break
        placed = copy(placed, interval=placed.interval + 1)
    relations[placed.uuid] = placed
