"""Evolutions and neighbourhoods that look like real ones, made from a seed: for pages and lines."""

import random
from datetime import UTC, datetime, timedelta, timezone

from tools.base.domain import (
    DatedEdge,
    Event,
    EventKind,
    Evolution,
    GraphNode,
    GraphRelation,
    Neighbourhood,
    Occurrence,
)

FIRST = datetime(2023, 1, 9, 8, 30, tzinfo=timezone(timedelta(hours=3)))
TITLES = (
    "Atomic notes",
    "Evergreen notes should be concept-oriented, densely linked and rewritten as we learn more",
    "Çalışma günlüğü: ığdır ve şölen üzerine düşünceler",
    "Zettelkasten",
    "Writing is thinking",
    "Spaced repetition of prompts that I wrote myself",
)
_SAID = (
    "A note holds one idea, so that it can be linked from many places.",
    "A note may hold several ideas as long as the heading names them all.",
    "Notes are for the reader I will be in five years, who has forgotten book, mood and reason.",
    "Split a note when its title needs an “and”.",
    "Notları küçük tutmak, onları yeniden kullanmayı kolaylaştırır.",
    "Review weekly.",
)
_DETAILS: dict[EventKind, str] = {
    "created": "",
    "modified": "",
    "linked": "to Zettelkasten (supports)",
    "unlinked": "from Folder hierarchies",
    "superseded": "Evergreen notes",
    "renamed": "was Atomicity of notes",
    "deleted": "",
}
_CHANGES: tuple[EventKind, ...] = (
    "modified", "modified", "modified", "linked", "linked", "unlinked", "superseded", "renamed",
)  # fmt: skip
RELATIONS = ("SUPPORTS", "CONTRADICTS", "CAUSES", "PART_OF", "RELATES_TO", "LEADS_TO", "MENTIONS")
CAUSAL = frozenset({"SUPPORTS", "CAUSES", "LEADS_TO"})
_TYPES = ("concept", "person", "project", "belief", None)


def an_evolution(count: int = 30, *, days: int = 720, seed: int = 1) -> Evolution:
    """``count`` occurrences within ``days`` in six notes, some on one day; each begins created."""
    chance = random.Random(seed)
    moments = sorted(
        FIRST + timedelta(days=chance.triangular(0, days, days * 0.7)) for _ in range(count)
    )
    there = 0
    made: list[Occurrence] = []
    for number, moment in enumerate(moments):
        new = there < len(TITLES) and number % 4 == 0
        title = TITLES[there] if new else chance.choice(TITLES[:there])
        there += new
        kind: EventKind = "created" if new else chance.choice(_CHANGES)
        made.append(an_occurrence(title, kind, moment, chance=chance))
        if chance.random() < 0.15:
            made.append(an_occurrence(title, "linked", moment, chance=chance))
    return Evolution(concept="atomic notes", occurrences=tuple(made[:count]))


def an_occurrence(
    title: str, kind: EventKind, moment: datetime, *, chance: random.Random
) -> Occurrence:
    """One event of a note; a change has one to four sentences on either side."""
    changed = kind == "modified"
    event = Event(
        timestamp=moment,
        kind=kind,
        detail=_DETAILS[kind],
        known_at=moment + timedelta(days=chance.choice((0, 0, 0, 12))),
        line=chance.choice((None, 4, 27)),
        removed=tuple(chance.sample(_SAID, chance.randint(0, 2))) if changed else (),
        added=tuple(chance.sample(_SAID, chance.randint(1, 5))) if changed else (),
    )
    return Occurrence(event=event, note_path=f"notes/{title}.md", note_title=title)


def a_neighbourhood(nodes: int = 25, edges: int = 60, *, seed: int = 1) -> Neighbourhood:
    """Notes, tags, values and missing notes around one, joined over two years; some edges end.

    Of those that end, some were known to have ended at once and some only later.
    """
    chance = random.Random(seed)
    made = [_node(number, chance) for number in range(nodes)]
    joined: list[DatedEdge] = []
    for number in range(edges):
        target = number + 1 if number + 1 < nodes else chance.randrange(nodes)
        source = (
            int(target * chance.random() ** 2)
            if number + 1 < nodes
            else int(nodes * chance.random() ** 2)
        )
        joined.append(_edge(made[source], made[target], chance))
    return Neighbourhood(name=made[0].title, nodes=tuple(made), edges=tuple(joined))


def _node(number: int, chance: random.Random) -> GraphNode:
    kind = (
        "note"
        if number == 0
        else chance.choices(("note", "tag", "value", "unresolved"), (16, 2, 1, 1))[0]
    )
    title = TITLES[number] if number < len(TITLES) else _title(number, chance)
    return GraphNode(
        uuid=f"node-{number}",
        title=title,
        kind=kind,
        hops=0 if number == 0 else 1 if number < 9 else 2,
        path=f"notes/{title}.md" if kind == "note" else None,
        note_type=chance.choice(_TYPES) if kind == "note" else None,
    )


def _title(number: int, chance: random.Random) -> str:
    words = (
        "hydroponics", "basil", "güneş", "ışık", "habit", "deep work", "sleep", "EC", "tea",
        "a longer thought about how gardens teach patience", "Şeker", "pH", "roots", "money",
    )  # fmt: skip
    return f"{chance.choice(words)} {chance.choice(words)} {number}"[:90].capitalize()


def _edge(source: GraphNode, target: GraphNode, chance: random.Random) -> DatedEdge:
    began = FIRST + timedelta(days=chance.randrange(700), hours=chance.randrange(24))
    ended = began + timedelta(days=chance.randrange(20, 400)) if chance.random() < 0.4 else None
    known = began + timedelta(days=chance.choice((0, 0, 3, 40)))
    expired = ended and max(ended + timedelta(days=chance.choice((0, 0, 15, 90))), known)
    relation = GraphRelation(
        source_title=source.title,
        relation=chance.choice(RELATIONS),
        target_title=target.title,
        source_path=source.path,
        target_path=target.path,
        note_path=source.path or "notes/Inbox.md",
        line=chance.randrange(1, 80),
        strength=0.8,
        valid_at=began.astimezone(UTC),
        invalid_at=ended and ended.astimezone(UTC),
        created_at=known.astimezone(UTC),
        expired_at=expired and expired.astimezone(UTC),
        origin=chance.choice(("written", "written", "written", "inferred")),
    )
    return DatedEdge(source=source.uuid, target=target.uuid, relation=relation)
