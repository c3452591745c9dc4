"""The versions of a note: what each said, when it held, and when it was known. Pure.

A version is valid from the date it states, and known from when it was committed or seen. What the
note says at a point of both axes is what the last of its versions says that was known by then and
valid by then: a version that dates itself before its predecessor corrects it from that date on.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Literal

from tools.graph.provenance import Provenance

StatementKind = Literal["link", "tag", "value"]
VersionOrigin = Literal["git", "seen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One relation that a version states; ``target`` as written, ``strength`` in [0, 1]."""

    relation: str
    target: str
    kind: StatementKind
    line: int
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionContent:
    """What one version says, as far as the graph keeps it.

    ``created`` and ``modified`` are the dates the note states itself, None where it does not.
    """

    title: str
    opening: str
    created: datetime | None = None
    modified: datetime | None = None
    aliases: tuple[str, ...] = ()
    note_type: str | None = None
    building_block: str | None = None
    statements: tuple[Statement, ...] = ()
    provenance: Provenance | None = None

    def to_json(self) -> str:
        # By name: ``asdict`` copies everything, which every version of every note would wait for.
        values: dict[str, object] = {
            "title": self.title,
            "opening": self.opening,
            "created": self.created.isoformat() if self.created else None,
            "modified": self.modified.isoformat() if self.modified else None,
            "aliases": self.aliases,
            "note_type": self.note_type,
            "building_block": self.building_block,
            "statements": [
                (one.relation, one.target, one.kind, one.line, one.strength)
                for one in self.statements
            ],
        }
        if self.provenance is not None:  # without one nothing is kept of it, as before it was read
            values["provenance"] = (
                self.provenance.created_by,
                self.provenance.source_type,
                self.provenance.confidence,
            )
        return json.dumps(values, ensure_ascii=True, separators=(",", ":"))


def content_from_json(text: str) -> VersionContent:
    values = json.loads(text)
    for name in ("created", "modified"):
        values[name] = datetime.fromisoformat(values[name]) if values[name] else None
    values["aliases"] = tuple(values["aliases"])
    values["statements"] = tuple(
        Statement(relation=relation, target=target, kind=kind, line=line, strength=strength)
        for relation, target, kind, line, strength in values["statements"]
    )
    if "provenance" in values:
        by, kind, confidence = values["provenance"]
        values["provenance"] = Provenance(created_by=by, source_type=kind, confidence=confidence)
    return VersionContent(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One text of a note, or its end: then ``said`` and ``content_hash`` are None.

    ``at`` is when it was committed or seen, never later than when this program learned of it;
    ``saved_at`` the file's own time where that is all there is. ``path`` is where the note was,
    ``key`` names the text in the history. ``undated`` marks a text that is older than its commit
    shows (the cut of a shallow clone).
    """

    key: int
    path: str
    at: datetime
    origin: VersionOrigin
    content_hash: str | None = None
    said: VersionContent | None = None
    saved_at: datetime | None = None
    undated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A version with its place on both axes; ``known_at`` never runs backwards."""

    version: Version
    valid_at: datetime
    known_at: datetime


def merge(git: Sequence[Version], seen: Sequence[Version]) -> list[Version]:
    """One sequence of versions: what git has, and what only we saw before and after it.

    Between its commits git knows better; equal texts in a row are one version.
    """
    if git:
        first, last = git[0].at, max(version.at for version in git)
        before = [version for version in seen if version.at < first]
        after = [version for version in seen if version.at > last]
        if before and _same(git[0], before[-1]):
            git = [replace(git[0], at=before.pop().at), *git[1:]]
        ordered = [*before, *_seen_first(git, seen), *after]
    else:
        ordered = list(seen)
    merged: list[Version] = []
    for version in ordered:
        same = merged and _same(merged[-1], version)
        if not same and (merged or version.said is not None):
            merged.append(version)
    return merged


def _seen_first(git: Sequence[Version], seen: Sequence[Version]) -> list[Version]:
    """Git's versions, each known from when we saw its text, where that was before its commit."""
    found: list[Version] = list(git[:1])
    for before, version in pairwise(git):
        earlier = [s.at for s in seen if _same(s, version) and before.at < s.at < version.at]
        found.append(replace(version, at=min(earlier)) if earlier else version)
    return found


def _same(one: Version, other: Version) -> bool:
    return (one.content_hash, one.path) == (other.content_hash, other.path)


def date(versions: Sequence[Version]) -> list[Dated]:
    """Place versions, given in their order, on both axes.

    The first is valid from its stated creation; a later one from the date it states, if that is
    not the one its predecessor stated. Otherwise from when it was saved or committed. A clock that
    ran behind cannot make unknown what was known before.
    """
    dated: list[Dated] = []
    before: VersionContent | None = None
    for version in versions:
        known = max(version.at, dated[-1].known_at) if dated else version.at
        stated = _stated(version.said, before) if version.said else None
        dated.append(
            Dated(
                version=version, valid_at=stated or _unstated(version, dated, known), known_at=known
            )
        )
        before = version.said or before
    return dated


def _stated(said: VersionContent, before: VersionContent | None) -> datetime | None:
    if before is None:
        return said.created or said.modified
    if said.modified is not None and said.modified != before.modified:
        return said.modified
    return said.created if said.created != before.created else None


def _unstated(version: Version, earlier: Sequence[Dated], known: datetime) -> datetime:
    saved = version.saved_at
    if saved is None or saved > known or (earlier and saved <= earlier[-1].valid_at):
        return known
    return saved


def last_at(
    dated: Sequence[Dated], *, as_of: datetime | None, known_at: datetime | None
) -> Dated | None:
    """The version that speaks at a point of both axes; None before the first."""
    found: Dated | None = None
    for version in dated:
        known = known_at is None or version.known_at <= known_at
        if known and (as_of is None or version.valid_at <= as_of):
            found = version
    return found
