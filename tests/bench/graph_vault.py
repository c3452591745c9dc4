"""A vault made up for measuring the graph: notes with versions, and what holds when by replay."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from tools.graph.model import NoteGraph
from tools.graph.projection import project
from tools.graph.versions import Dated, Statement, Version, VersionContent, date, last_at

BEGAN = datetime(2020, 1, 1, tzinfo=UTC)
DAYS = 1500
"""Notes begin within these days, and are changed within as many again."""

_CAUSAL = ("CAUSES", "LEADS_TO", "PREVENTS", "SUPPORTS", "CAUSED_BY")
_CHANGED_EVERY = 5
_LINKS_TO_HUBS = 0.02
_HUBS = 10
_NOTES_PER_TAG = 40

type Vault = dict[str, list[Dated]]


def generate(notes: int, edges: int) -> Vault:
    """The versions of ``notes`` notes by path, which make ``edges`` edges over all time.

    Two of five edges are causal, two plain links (a few of them to a handful of hubs), one a tag.
    Every fifth note has an earlier version with another plain link, so that edge is closed.
    """
    chance = random.Random(f"{notes} {edges}")  # noqa: S311
    vault: Vault = {}
    for number in range(notes):
        count = edges // notes + (number < edges % notes)
        vault[path_of(number)] = date(_versions(number, count, notes, chance))
    return vault


def path_of(number: int) -> str:
    return f"folder {number % 40:02}/Note {number:05}.md"


def linked_from(vault: Vault, path: str, chance: random.Random, *, hops: int = 3) -> str:
    """A note that ``hops`` links lead to, or fewer where it is reached sooner."""
    for _ in range(hops):
        said = vault[path][-1].version.said
        links = [s.target for s in said.statements if s.kind == "link"] if said else []
        path = chance.choice(links) if links else path
    return path


def projected(vault: Vault, paths: Iterable[str] | None = None) -> Iterator[NoteGraph]:
    """The parts of the graph that the notes of these paths make, or all."""
    for path in vault if paths is None else paths:
        yield project(path, vault[path], resolve=lambda name: name if name in vault else None)


def moments(number: int) -> list[tuple[datetime, datetime | None]]:
    """Points of both axes, spread over the time of the vault; every second one as known now."""
    chance = random.Random(number)  # noqa: S311
    days = [(chance.uniform(0, 2.2 * DAYS), chance.uniform(0, 2.2 * DAYS)) for _ in range(number)]
    return [
        (BEGAN + timedelta(days=as_of), BEGAN + timedelta(days=known_at) if at % 2 else None)
        for at, (as_of, known_at) in enumerate(days)
    ]


def replayed(
    vault: Mapping[str, Sequence[Dated]], *, as_of: datetime, known_at: datetime | None
) -> int:
    """How many edges hold at a point of both axes, by asking each note's versions."""
    speaking = (last_at(dated, as_of=as_of, known_at=known_at) for dated in vault.values())
    return sum(
        len({(statement.relation, statement.target) for statement in dated.version.said.statements})
        for dated in speaking
        if dated and dated.version.said
    )


def edited(vault: Vault, path: str) -> Vault:
    """The vault after one more version of a note, which says one thing less."""
    before = vault[path][-1]
    assert before.version.said is not None
    said = before.version.said
    now = before.known_at + timedelta(days=1)
    fewer = VersionContent(
        title=said.title,
        opening=said.opening,
        created=said.created,
        modified=now,
        statements=said.statements[1:],
    )
    versions = [dated.version for dated in vault[path]]
    versions.append(_version(path, len(versions), fewer, now))
    return {**vault, path: date(versions)}


def _versions(number: int, edges: int, notes: int, chance: random.Random) -> list[Version]:
    path = path_of(number)
    created = BEGAN + timedelta(days=chance.uniform(0, DAYS))
    committed = created + timedelta(days=chance.expovariate(1 / 60))
    statements = list(_statements(number, edges, notes, chance))
    now = VersionContent(
        title=f"Note {number:05}",
        opening=f"The opening words of note {number}, as long as such words usually are.",
        created=created,
        statements=tuple(statements),
    )
    changed = number % _CHANGED_EVERY == 0 and edges > 1
    if not changed:
        return [_version(path, 0, now, committed)]
    modified = created + timedelta(days=chance.uniform(1, DAYS))
    later = VersionContent(
        title=now.title,
        opening=now.opening,
        created=created,
        modified=modified,
        statements=now.statements[1:],
    )
    known = max(committed, modified) + timedelta(days=chance.expovariate(1 / 60))
    return [_version(path, 0, now, committed), _version(path, 1, later, known)]


def _version(path: str, number: int, said: VersionContent, at: datetime) -> Version:
    return Version(
        key=number, path=path, at=at, origin="git", content_hash=f"{path} {number}", said=said
    )


def _statements(number: int, edges: int, notes: int, chance: random.Random) -> Iterator[Statement]:
    """Distinct statements about other notes, the plain links first."""
    taken = {number}
    for at in range(edges):
        kind = ("plain", "causal", "tag", "plain", "causal")[at % 5]
        if kind == "tag" or len(taken) >= notes:
            tag = f"tag {chance.randrange(max(notes // _NOTES_PER_TAG, 1))}"
            yield Statement(
                relation="TAGGED", target=f"{tag}-{at}", kind="tag", line=at + 1, strength=0.4
            )
            continue
        hub = kind == "plain" and chance.random() < _LINKS_TO_HUBS
        while (other := chance.randrange(min(_HUBS, notes) if hub else notes)) in taken:
            hub = False
        taken.add(other)
        yield Statement(
            relation=chance.choice(_CAUSAL) if kind == "causal" else "LINKS_TO",
            target=path_of(other),
            kind="link",
            line=at + 1,
            strength=0.9 if kind == "causal" else 0.6,
        )
