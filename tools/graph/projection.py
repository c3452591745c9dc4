"""All that a note says and ever said, as entities and dated relations. Pure."""

import hashlib
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from tools.graph.episodes import InferredFact
from tools.graph.inference import Resolve, infer, named
from tools.graph.intervals import Revision, Span, spans, stretches
from tools.graph.model import (
    Entity,
    Episode,
    NoteGraph,
    Relation,
    episode_id,
    identity,
    note_id,
)
from tools.graph.relations import SUPERSEDED_BY, SUPERSEDES, phrase
from tools.graph.versions import Dated, Statement, VersionContent
from tools.text.normalize import fold, fold_name

type _Key = tuple[str, str]
"""Name of a relation, uuid of its target."""

_RESERVED_LABELS = frozenset(
    {"Entity", "Note", "Tag", "Literal", "Unresolved", "Episodic", "Store"}
)
_LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Successor:
    """A note that says it supersedes another: its path and its own versions."""

    path: str
    versions: tuple[Dated, ...]


def project(
    path: str,
    versions: Sequence[Dated],
    *,
    resolve: Resolve,
    successors: Sequence[Successor] = (),
    inferred: Sequence[InferredFact] | None = (),
) -> NoteGraph:
    """The part of the graph that the note at ``path`` makes with all its versions.

    ``successors`` are the notes whose versions say that they supersede this one; ``inferred`` is
    what a model read in it, None where nobody can tell. At least one version is there.
    """
    source = note_id(path)
    others: dict[str, Entity] = {}
    said: list[dict[_Key, Statement]] = []
    saying: dict[_Key, list[int]] = {}
    for number, dated in enumerate(versions):
        stated: dict[_Key, Statement] = {}
        for statement in dated.version.said.statements if dated.version.said else ():
            target = _target(statement, dated.known_at, resolve)
            if target.uuid != source:
                known = others.get(target.uuid)
                if known is None or target.created_at < known.created_at:
                    others[target.uuid] = target
                stated.setdefault((statement.relation, target.uuid), statement)
        said.append(stated)
        for key in stated:
            saying.setdefault(key, []).append(number)
    revisions = [
        Revision(valid_at=dated.valid_at, known_at=dated.known_at, keys=stated.keys())
        for dated, stated in zip(versions, said, strict=True)
    ]
    relations: list[Relation] = []
    episodes = [_episode(path, dated) for dated in versions]
    for key, found in _spans(revisions, source, successors, resolve).items():
        relations += [
            _relation(
                source,
                key,
                others[key[1]],
                span,
                interval=interval,
                versions=versions,
                said=said,
                saying=saying[key],
                episodes=episodes,
            )
            for interval, span in enumerate(found)
        ]
    for fact in inferred or ():
        relation, ends = infer(fact, source, resolve=resolve, valid_at=versions[0].valid_at)
        if relation.source != relation.target:
            relations.append(relation)
            others |= {end.uuid: end for end in ends if end.uuid not in others}
    others.pop(source, None)
    entity = _note_entity(path, versions, successors, resolve)
    graph = NoteGraph(
        entity=entity,
        others=tuple(others.values()),
        relations=tuple(relations),
        episodes=tuple(episodes),
        keeps_inferred=inferred is None,
    )
    return replace(graph, entity=replace(entity, digest=_digest(graph)))


def type_label(note_type: str | None) -> str | None:
    """A note type as a graph label: CamelCase, ASCII; None when nothing usable is left.

    A sentence is no type, and databases refuse long labels.
    """
    ascii_words = unicodedata.normalize("NFKD", (note_type or "").replace("ı", "i"))
    words = re.findall(r"[A-Za-z0-9]+", ascii_words.encode("ascii", "ignore").decode())
    label = "".join(word[0].upper() + word[1:] for word in words)
    usable = label[:1].isalpha() and len(label) <= _LONGEST_LABEL and label not in _RESERVED_LABELS
    return label if usable else None


# --- who takes whose place -----------------------------------------------------------------


def _spans(
    revisions: Sequence[Revision[_Key]],
    source: str,
    successors: Sequence[Successor],
    resolve: Resolve,
) -> Mapping[_Key, list[Span]]:
    """What the note says, as long as no other note has taken its place."""
    closures = [
        replace(closure, by=successor.path)
        for successor in successors
        for closure in stretches(_succession(successor, source, resolve), SUPERSEDES)
    ]
    keys = {key for revision in revisions for key in revision.keys}
    return spans(
        revisions,
        sorted(closures, key=lambda closure: closure.known_at),
        lasting={key for key in keys if key[0] == SUPERSEDES},
        closing={key for key in keys if key[0] == SUPERSEDED_BY},
    )


def _succession(successor: Successor, source: str, resolve: Resolve) -> list[Revision[str]]:
    """When the successor says that it supersedes the note, and when not."""
    return [
        Revision(
            valid_at=dated.valid_at,
            known_at=dated.known_at,
            keys=frozenset({SUPERSEDES})
            if _supersedes(dated.version.said, source, resolve)
            else frozenset(),
        )
        for dated in successor.versions
    ]


def _supersedes(said: VersionContent | None, source: str, resolve: Resolve) -> bool:
    return any(
        statement.relation == SUPERSEDES
        and (found := resolve(statement.target)) is not None
        and note_id(found) == source
        for statement in (said.statements if said else ())
    )


def _successor_now(
    versions: Sequence[Dated], successors: Sequence[Successor], source: str, resolve: Resolve
) -> str | None:
    """The note that took this one's place last, by its own word or this one's."""
    found: list[tuple[datetime, str]] = []
    for successor in successors:
        revisions = _succession(successor, source, resolve)
        if revisions and revisions[-1].keys:
            began = next(revision.valid_at for revision in revisions if revision.keys)
            found.append((began, successor.path))
    last = versions[-1]
    found += [
        (last.valid_at, path)
        for statement in (last.version.said.statements if last.version.said else ())
        if statement.relation == SUPERSEDED_BY
        and (path := resolve(statement.target))
        and note_id(path) != source
    ]
    return max(found)[1] if found else None


# --- entities, relations, episodes ---------------------------------------------------------


def _note_entity(
    path: str, versions: Sequence[Dated], successors: Sequence[Successor], resolve: Resolve
) -> Entity:
    last = versions[-1].version
    said = last.said or next(v.version.said for v in reversed(versions) if v.version.said)
    label = type_label(said.note_type)
    return Entity(
        uuid=note_id(path),
        kind="note",
        name=said.title,
        labels=("Entity", "Note", *([label] if label else [])),
        created_at=versions[0].known_at,
        path=path,
        building_block=said.building_block,
        note_type=said.note_type,
        content_hash=last.content_hash,
        created=versions[0].valid_at,
        modified=versions[-1].valid_at,
        superseded_by=_successor_now(versions, successors, note_id(path), resolve),
        provenance=said.provenance,
    )


def _target(statement: Statement, known_at: datetime, resolve: Resolve) -> Entity:
    if statement.kind == "tag":
        word = fold(statement.target)
        return Entity(
            uuid=identity("tag", word),
            kind="tag",
            name=f"#{statement.target}",
            labels=("Entity", "Tag"),
            created_at=known_at,
        )
    if statement.kind == "value" and resolve(statement.target) is None:
        return Entity(
            uuid=identity("value", fold_name(statement.target)),
            kind="value",
            name=statement.target,
            labels=("Entity", "Literal"),
            created_at=known_at,
        )
    return named(statement.target, resolve=resolve, known_at=known_at)


def _relation(
    source: str,
    key: _Key,
    target: Entity,
    span: Span,
    *,
    interval: int,
    versions: Sequence[Dated],
    said: Sequence[Mapping[_Key, Statement]],
    saying: Sequence[int],
    episodes: Sequence[Episode],
) -> Relation:
    """The edge of one span; its line is where the last version that says it has it.

    ``saying`` are the numbers of the versions that say it.
    """
    first = saying[bisect_right(saying, span.revision) - 1]
    known = len(versions)
    if span.expired_at is not None:  # only those that were known while the span was still open
        known = bisect_left(versions, span.expired_at, key=lambda dated: dated.known_at)
    before = bisect_left(saying, known)
    last = saying[before - 1] if before else first
    statement = said[last][key]
    title = versions[last].version.said
    return Relation(
        note=source,
        source=source,
        target=key[1],
        name=key[0],
        fact=f"{title.title if title else ''} {phrase(key[0])} {target.name}",
        note_path=versions[last].version.path,
        line=statement.line,
        strength=statement.strength,
        episode=episodes[first].uuid,
        valid_at=span.valid_at.astimezone(UTC),
        created_at=span.created_at.astimezone(UTC),
        invalid_at=_utc(span.invalid_at),
        expired_at=_utc(span.expired_at),
        retracted_at=_utc(span.retracted_at),
        interval=interval,
    )


def _episode(path: str, dated: Dated) -> Episode:
    said, content_hash = dated.version.said, dated.version.content_hash
    return Episode(
        uuid=episode_id(path, content_hash, dated.known_at),
        name=said.title if said else path,
        content=f"{said.title}\n{said.opening}".strip() if said else "",
        path=dated.version.path,
        content_hash=content_hash,
        valid_at=dated.valid_at.astimezone(UTC),
        created_at=dated.known_at.astimezone(UTC),
    )


def _digest(graph: NoteGraph) -> str:
    relations = sorted(repr(relation) for relation in graph.relations)
    episodes = sorted(episode.uuid for episode in graph.episodes)
    provenance = graph.entity.provenance
    stated = [repr(provenance)] if provenance is not None else []
    whole = "\n".join((repr(graph.entity), *stated, *relations, *episodes))
    return hashlib.sha256(whole.encode(errors="surrogatepass")).hexdigest()


def _utc(moment: datetime | None) -> datetime | None:
    return moment.astimezone(UTC) if moment else None
