"""What happened to a note, read off its versions: changed words, links that came and went. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise

from tools.base.domain import Event, EventKind, Evolution, Period
from tools.evidence.quotation_check import Places
from tools.graph.relations import phrase
from tools.graph.sentence_diff import Rewording
from tools.graph.versions import Dated, Statement, Version
from tools.text.normalize import fold, fold_name

_COMPARED = 60
"""Latest versions of a note whose words are compared; older ones are told without their words."""

type Texts = tuple[str, str]
"""Hashes of a version's text and of the next one's; before the first there is none, ``""``."""
type _Link = tuple[str, str]
"""Name of a relation, and what it leads to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What the targets of links lead to: ``paths`` of notes, as of today, by the target as written.

    A target that is not in it, or leads to None, is no note. ``left`` are the former paths of such
    a note, each with when it moved from there.
    """

    paths: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    left: Mapping[str, Sequence[tuple[str, datetime]]] = field(
        default_factory=dict[str, Sequence[tuple[str, datetime]]]
    )

    def link(self, statement: Statement) -> _Link:
        """What makes two statements, in two versions of a note, one link."""
        if statement.kind == "tag":
            return statement.relation, f"#{fold(statement.target)}"
        leads = self.paths.get(statement.target) or fold_name(statement.target)
        return statement.relation, leads

    def before(self, statement: Statement, since: datetime, until: datetime) -> set[_Link]:
        """What this link was, by name, before its note moved between two moments."""
        path = self.paths.get(statement.target)
        moves = self.left.get(path, ()) if path is not None else ()
        return {(statement.relation, _last_name(then)) for then, at in moves if since < at <= until}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteHistory:
    """A note's versions, and what was reworded between those that ``compared`` names.

    ``today`` is where words stand in the note now, nowhere when it is gone.
    """

    versions: Sequence[Dated]
    rewordings: Mapping[Texts, Rewording] = field(default_factory=dict[Texts, Rewording])
    today: Places = field(default_factory=lambda: Places(()))
    names: Names = field(default_factory=Names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """What a timeline is about: whether a statement, and whether a sentence, speaks of it."""

    speaks: Callable[[Statement], bool]
    mentions: Callable[[str], bool]


def compared(versions: Sequence[Dated]) -> list[tuple[Version | None, Version]]:
    """Versions whose words ``events`` tells of, each with the one before it: first, latest."""
    kept = [dated.version for dated in _uncorrected(versions)]
    latest = pairwise(kept[-_COMPARED:])
    return [
        *((None, first) for first in kept[:1] if first.said is not None),
        *((old, new) for old, new in latest if _reads_otherwise(old, new)),
    ]


def _reads_otherwise(old: Version, new: Version) -> bool:
    there = old.said is not None and new.said is not None
    return there and old.content_hash != new.content_hash


def texts(before: Version | None, version: Version) -> Texts:
    return (before.content_hash or "" if before else "", version.content_hash or "")


def events(told: NoteHistory, concern: Concern | None = None) -> list[Event]:
    """Events of one note, as they are known today.

    What a later version corrects, by dating itself before it, did not happen. A version whose
    sentences are those before it changed nothing that is told. The first shows its first sentence,
    where later ones may say something else.

    With a ``concern``, for a note that is about more than that, only what speaks of it is told: its
    sentences, its links, and the note's end if it spoke of it before.
    """
    found: list[Event] = []
    links = _Links(told, concern.speaks if concern else _is_link)
    before: Dated | None = None
    for dated in _uncorrected(told.versions):
        if concern:
            found += _concerning(before, dated, told, links, concern)
            if dated.version.said is None and found:
                found.append(_event(dated, "deleted", ""))
        elif before is None:
            first = _opening(dated, told)[:1]
            found.append(replace(_event(dated, "created", ""), added=first))
        else:
            found += _between(before, dated, told, links)
        before = dated
    return found


def _is_link(statement: Statement) -> bool:
    return statement.kind != "tag"


def _concerning(
    before: Dated | None, dated: Dated, told: NoteHistory, links: "_Links", concern: Concern
) -> list[Event]:
    found: list[Event] = []
    if before is None:
        if first := next(filter(concern.mentions, _opening(dated, told)), None):
            found.append(replace(_event(dated, "created", ""), added=(first,)))
    elif dated.version.said is not None:
        found += _reworded(before, dated, told, concern.mentions)
    return found + links.between(before, dated)


def _opening(dated: Dated, told: NoteHistory) -> tuple[str, ...]:
    rewording = told.rewordings.get(texts(None, dated.version))
    return rewording.added if rewording else ()


def _uncorrected(versions: Sequence[Dated]) -> list[Dated]:
    """The versions that no later one goes back behind."""
    found: list[Dated] = []
    for dated in reversed(versions):
        if not found or dated.valid_at <= found[-1].valid_at:
            found.append(dated)
    return found[::-1]


def within(evolution: Evolution, period: Period) -> Evolution:
    """What of it happened in the period."""
    kept = (
        one
        for one in evolution.occurrences
        if (period.start is None or one.event.timestamp >= period.start)
        and (period.end is None or one.event.timestamp <= period.end)
    )
    return replace(evolution, occurrences=tuple(kept))


class _Links:
    """The links that a note's versions have, of those that ``speaks`` lets through."""

    def __init__(self, told: NoteHistory, speaks: Callable[[Statement], bool]) -> None:
        self._names = told.names
        self._speaks = speaks
        self._last = told.versions[-1] if told.versions else None
        self._today = self._links_of(self._last) if self._last else {}

    def between(self, before: Dated | None, dated: Dated) -> list[Event]:
        """Those that came and those that went, with the line of those that are still there.

        A link that was written anew when its note was renamed did neither.
        """
        old, new = self._of(before) if before else {}, self._of(dated)
        came = {link: statement for link, statement in new.items() if link not in old}
        went = {link: statement for link, statement in old.items() if link not in new}
        if before and came and went:
            self._take_renamed(came, went, since=before.known_at, until=dated.known_at)
        lines = {link: self._today[link].line for link in came if link in self._today}
        return [
            *(
                _event(dated, "linked", _detail(statement), line=lines.get(link))
                for link, statement in came.items()
                if self._speaks(statement)
            ),
            *(
                _event(dated, "unlinked", _detail(statement))
                for statement in went.values()
                if self._speaks(statement)
            ),
        ]

    def _take_renamed(
        self,
        came: dict[_Link, Statement],
        went: dict[_Link, Statement],
        *,
        since: datetime,
        until: datetime,
    ) -> None:
        """Take out what goes by another name since, be its old name another note's or not."""
        by_name = {(one.relation, _last_name(one.target)): link for link, one in went.items()}
        for link, statement in list(came.items()):
            for earlier in self._names.before(statement, since, until) & by_name.keys():
                if went.pop(by_name[earlier], None) is not None:
                    del came[link]
                    break

    def _of(self, dated: Dated) -> dict[_Link, Statement]:
        return self._today if dated is self._last else self._links_of(dated)

    def _links_of(self, dated: Dated) -> dict[_Link, Statement]:
        found: dict[_Link, Statement] = {}
        for statement in dated.version.said.statements if dated.version.said else ():
            found.setdefault(self._names.link(statement), statement)
        return found


def _between(before: Dated, dated: Dated, told: NoteHistory, links: _Links) -> list[Event]:
    if dated.version.said is None:
        return [_event(dated, "deleted", "")]
    if before.version.said is None:
        return [_event(dated, "created", "again")]
    found: list[Event] = []
    if dated.version.path != before.version.path:
        names = f"from {before.version.path} to {dated.version.path}"
        found.append(_event(dated, "renamed", names))
    return found + _reworded(before, dated, told, None) + links.between(before, dated)


def _reworded(
    before: Dated, dated: Dated, told: NoteHistory, mentions: Callable[[str], bool] | None
) -> list[Event]:
    """The changed sentences, those that ``mentions`` lets through."""
    rewording = told.rewordings.get(texts(before.version, dated.version))
    if rewording is None:
        same = before.version.content_hash == dated.version.content_hash
        return [] if same or mentions else [_event(dated, "modified", "")]
    added, removed = rewording.added, rewording.removed
    if mentions:
        added, removed = tuple(filter(mentions, added)), tuple(filter(mentions, removed))
    if not added and not removed:
        return []
    counted = [f"+{len(added)}"] if added else []
    counted += [f"−{len(removed)}"] if removed else []
    places = (told.today.locate(sentence, near=1) for sentence in added)
    return [
        Event(
            timestamp=dated.valid_at,
            kind="modified",
            detail=" ".join(counted),
            known_at=dated.known_at,
            line=next((line for line in places if line is not None), None),
            added=added,
            removed=removed,
        )
    ]


def _event(dated: Dated, kind: EventKind, detail: str, *, line: int | None = None) -> Event:
    return Event(
        timestamp=dated.valid_at,
        kind=kind,
        detail=detail,
        known_at=dated.known_at,
        line=line,
    )


def _last_name(target: str) -> str:
    return fold_name(target).rsplit("/", 1)[-1]


def _detail(statement: Statement) -> str:
    return f"{phrase(statement.relation)} → {statement.target}"
