"""What a note states, as relations to other notes, names, tags and values. Pure."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from tools.base.domain import Json, Link, Note
from tools.graph.provenance import provenance_of
from tools.graph.relations import KNOWN_RELATIONS, PLAIN, relation_name
from tools.graph.versions import Statement, VersionContent
from tools.text.normalize import fold

TYPED_STRENGTH = 0.9
EMBED_STRENGTH = 0.7
LINK_STRENGTH = 0.6
TAG_STRENGTH = 0.4

_PEOPLE_KEYS = frozenset({
    "attendees", "author", "authors", "participants", "people", "person", "persons", "speaker",
    "speakers", "with",
})  # fmt: skip
"""Frontmatter keys whose plain values are names, linked or not."""

_LONGEST_VALUE = 100
"""Characters of a field's value; a longer one is text, not a value."""
_OPENING = 300
_LINK = re.compile(r"\[\[|\]\(|://")


def version_content(note: Note) -> VersionContent:
    """What this text of a note says."""
    body = "\n".join(note.text.split("\n")[note.body_line - 1 :]).strip()
    return VersionContent(
        title=note.title,
        opening=body[:_OPENING],
        created=note.stated_created,
        modified=note.stated_modified,
        aliases=note.aliases,
        note_type=note.note_type,
        building_block=note.building_block,
        statements=statements(note),
        provenance=provenance_of(note.frontmatter),
    )


def statements(note: Note) -> tuple[Statement, ...]:
    """Links, embeds, fields, people and tags: each relation to a target once, where it is first."""
    return _first(chain(_names_stated(note), _tags_stated(note)))


def typed_statements(note: Note) -> tuple[Statement, ...]:
    """Those of ``statements`` that say how the note and another are related."""
    return _first(one for one in _names_stated(note) if one.relation not in PLAIN)


def _first(stated: Iterable[Statement]) -> tuple[Statement, ...]:
    found: dict[tuple[str, str, str], Statement] = {}
    for one in stated:
        found.setdefault((one.relation, one.kind, fold(one.target)), one)
    return tuple(found.values())


def _names_stated(note: Note) -> Iterator[Statement]:
    """Links and embeds, and what frontmatter and fields name."""
    for link in note.links:
        if link.target:
            yield _linked(link)
    for name, key, line in _named_in_frontmatter(note):
        yield Statement(
            relation=relation_name(key),
            target=name,
            kind="link",
            line=line,
            strength=TYPED_STRENGTH,
        )
    for field in note.fields:
        value = " ".join(field.value.split())
        if value and len(value) <= _LONGEST_VALUE and not _LINK.search(value):
            yield Statement(
                relation=relation_name(field.key),
                target=value,
                kind="value",
                line=field.line,
                strength=TYPED_STRENGTH,
            )


def _tags_stated(note: Note) -> Iterator[Statement]:
    for tag in note.tags:
        yield Statement(
            relation="TAGGED",
            target=tag,
            kind="tag",
            line=_tag_line(note, tag),
            strength=TAG_STRENGTH,
        )


def _linked(link: Link) -> Statement:
    relation, strength = "LINKS_TO", LINK_STRENGTH
    if link.relation:
        relation, strength = relation_name(link.relation), TYPED_STRENGTH
    elif link.embed:
        relation, strength = "EMBEDS", EMBED_STRENGTH
    return Statement(
        relation=relation, target=link.target, kind="link", line=link.line, strength=strength
    )


def _named_in_frontmatter(note: Note) -> list[tuple[str, str, int]]:
    """(name, key, line) of what frontmatter names without brackets: people, known relations."""
    found: list[tuple[str, str, int]] = []
    for key, value in note.frontmatter.items():
        if key.casefold() in _PEOPLE_KEYS or relation_name(key) in KNOWN_RELATIONS:
            lines = enumerate(note.text.split("\n"), start=1)
            line = next((at for at, text in lines if text.startswith(f"{key}:")), 1)
            found += [(name, key, line) for name in _names(value)]
    return found


def _names(value: Json) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [
        name.strip()
        for name in values
        if isinstance(name, str)
        and not ("[" in name or "://" in name)
        and 0 < len(name.strip()) <= _LONGEST_VALUE
    ]


def _tag_line(note: Note, tag: str) -> int:
    """Where the tag stands: as ``#tag``, else as a word of the frontmatter, else line 1."""
    word = rf"{re.escape(tag)}(?![\w/-])"
    front = "\n".join(note.text.split("\n")[: note.body_line - 1])
    # A pattern that begins with a plain sign is looked for much faster than one that looks back.
    for pattern, text in ((rf"#(?<![\w/#&]#){word}", note.text), (rf"(?<![\w/-]){word}", front)):
        if (match := re.search(pattern, text, re.IGNORECASE)) is not None:
            return text.count("\n", 0, match.start()) + 1
    return 1
