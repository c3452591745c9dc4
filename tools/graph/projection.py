"""What a note says, as entities and relations. Pure."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace as copy
from datetime import UTC, datetime

from tools.domain import Json, Link, Note
from tools.folding import fold, fold_name
from tools.graph.model import (
    Entity,
    Episode,
    NoteGraph,
    Relation,
    identity,
    note_id,
    placeholder,
)

TYPED_STRENGTH = 0.9
EMBED_STRENGTH = 0.7
LINK_STRENGTH = 0.6
TAG_STRENGTH = 0.4

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
