"""From what a note's versions say to edges with two axes of time. Pure.

At any knowledge time there is one belief about the whole of valid time. A version that becomes
known replaces the belief from its valid date on. An edge is one stretch of validity that was once
believed: it opens with what first said it, closes when it becomes known that the stretch has ended,
and is retracted when it becomes known that it never was, or ended at another time.
"""

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter

from tools.base.domain import Moment
from tools.graph.facts_at import is_valid_at

type Stretch = tuple[datetime, datetime | None]
"""A stretch of valid time, half-open; None is without end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision[K: Hashable]:
    """From ``valid_at`` on exactly ``keys`` hold, as is known from ``known_at`` on."""

    valid_at: datetime
    known_at: datetime
    keys: AbstractSet[K]


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure:
    """From ``known_at`` on it is known that ``by`` rules everything out in these stretches."""

    known_at: datetime
    by: str
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One edge's times. ``revision`` counts, from 0, the revision that first said it.

    Known from ``created_at``, without end; from ``expired_at`` on known to have ended at
    ``invalid_at``; from ``retracted_at`` on not believed at all.
    """

    valid_at: datetime
    created_at: datetime
    revision: int
    invalid_at: datetime | None = None
    expired_at: datetime | None = None
    retracted_at: datetime | None = None

    def is_valid(self, *, as_of: datetime | None, known_at: datetime | None) -> bool:
        """Say whether it holds at a point of both axes, None being the latest."""
        return is_valid_at(self, Moment(as_of=as_of, known_at=known_at))


def spans[K: Hashable](
    revisions: Sequence[Revision[K]],
    closures: Sequence[Closure] = (),
    *,
    lasting: AbstractSet[K] = frozenset(),
    closing: AbstractSet[K] = frozenset(),
) -> dict[K, list[Span]]:
    """The spans of every key, in the order in which they became known.

    ``revisions`` and ``closures`` come in order of knowledge time. Closures leave ``lasting`` keys
    alone; where one of the ``closing`` keys holds, it is itself a closure.
    """
    belief = _Belief[K](lasting=lasting | closing, closing=closing)
    waiting = list(closures)
    for number, revision in enumerate(revisions):
        while waiting and waiting[0].known_at < revision.known_at:
            belief.close(waiting.pop(0), number - 1)
        belief.learn(revision, number)
    for closure in waiting:
        belief.close(closure, len(revisions) - 1)
    return belief.spans()


def stretches[K: Hashable](revisions: Sequence[Revision[K]], key: K) -> list[Closure]:
    """After each revision that changes it, the stretches in which ``key`` is believed to hold."""
    belief = _Belief[K](lasting=frozenset({key}), closing=frozenset())
    found: list[Closure] = []
    for number, revision in enumerate(revisions):
        belief.learn(revision, number)
        now = tuple(belief.valid_stretches(key))
        if now != (found[-1].stretches if found else ()):
            found.append(Closure(known_at=revision.known_at, by="", stretches=now))
    return found


class _Belief[K: Hashable]:
    """What is believed of all valid time at one knowledge time, and the spans up to it.

    A revision says something new of the valid time from its own date on, so only the end of what is
    known of a key is looked at again: the effort grows with what changes, not with the history.
    """

    def __init__(self, *, lasting: AbstractSet[K], closing: AbstractSet[K]) -> None:
        self._keys: dict[K, _Key] = {}
        self._lasting = lasting
        self._closing = closing
        self._stack: list[tuple[datetime, AbstractSet[K]]] = []
        self._closed: dict[str, tuple[Stretch, ...]] = {}

    def spans(self) -> dict[K, list[Span]]:
        return {name: key.spans for name, key in self._keys.items() if key.spans}

    def learn(self, revision: Revision[K], number: int) -> None:
        replaced: list[AbstractSet[K]] = []
        while self._stack and self._stack[-1][0] >= revision.valid_at:
            replaced.append(self._stack.pop()[1])
        before = frozenset(self._stack[-1][1]) if self._stack else frozenset[K]()
        # What was said just before and is said again goes on, unless a part of it was replaced.
        affected = before.union(revision.keys, *replaced) if replaced else before ^ revision.keys
        self._stack.append((revision.valid_at, revision.keys))
        for name in affected:
            key = self._keys.setdefault(name, _Key())
            key.assert_from(from_=revision.valid_at, holds=name in revision.keys)
        again = self._keys.keys() if affected & self._closing else affected
        self._revise(again, revision.known_at, number, since=revision.valid_at)

    def close(self, closure: Closure, number: int) -> None:
        self._closed[closure.by] = closure.stretches
        self._revise(self._keys.keys() - self._lasting, closure.known_at, number)

    def valid_stretches(self, name: K) -> Sequence[Stretch]:
        """The stretches in which the key is believed to hold now."""
        key = self._keys.get(name)
        return key.held if key else ()

    def _revise(
        self,
        names: AbstractSet[K],
        known_at: datetime,
        number: int,
        *,
        since: datetime | None = None,
    ) -> None:
        """Let the spans of these keys say what is believed from ``since`` on, None being ever."""
        shut = [stretch for closed in self._closed.values() for stretch in closed]
        shut += [stretch for name in self._closing for stretch in self.valid_stretches(name)]
        for name in names:
            cuts = () if name in self._lasting else shut
            self._keys[name].revise(cuts, known_at=known_at, number=number, since=since)


class _Key:
    """One key: the stretches in which it is ``held``, those that are left of them, its spans."""

    def __init__(self) -> None:
        self.held: list[Stretch] = []
        self.spans: list[Span] = []
        self._believed: list[Stretch] = []
        self._places: dict[datetime, int] = {}
        """Which span is the believed stretch that starts there."""

    def assert_from(self, *, from_: datetime, holds: bool) -> None:
        """From this moment on it holds without end, or not at all."""
        tail = _taken(self.held, from_)
        kept = [(start, from_) for start, _ in tail if start < from_]
        if holds:
            kept = [(kept[0][0] if kept else from_, None)]
        self.held += kept

    def revise(
        self,
        cuts: Sequence[Stretch],
        *,
        known_at: datetime,
        number: int,
        since: datetime | None,
    ) -> None:
        """Bring the spans to what is held outside of ``cuts``; before ``since`` nothing changed."""
        old = _taken(self._believed, since)
        new = _tail(self.held, since)
        for cut in cuts:
            new = [part for whole in new for part in _without(whole, cut)]
        new = _tail(new, since)
        self._believed += new
        gone, missing = set(old).difference(new), set(new).difference(old)
        ended = {stretch[0]: stretch for stretch in missing}
        for start, _ in gone:
            place = self._places.pop(start)
            span = self.spans[place]
            if span.expired_at is not None:
                self.spans[place] = replace(span, retracted_at=known_at)
                continue
            stretch = ended.get(start)
            if stretch is not None:
                missing.remove(stretch)
                self._places[start] = place
            end = stretch[1] if stretch else start
            self.spans[place] = replace(span, invalid_at=end, expired_at=known_at)
        for start, end in sorted(missing, key=itemgetter(0)):
            self._places[start] = len(self.spans)
            self.spans.append(
                Span(
                    valid_at=start,
                    created_at=known_at,
                    revision=number,
                    invalid_at=end,
                    expired_at=known_at if end is not None else None,
                )
            )


def _tail(stretches: Sequence[Stretch], since: datetime | None) -> list[Stretch]:
    """Of stretches in order those that reach ``since``, None being ever."""
    first = len(stretches)
    while first and _reaches(stretches[first - 1], since):
        first -= 1
    return list(stretches[first:])


def _taken(stretches: list[Stretch], since: datetime | None) -> list[Stretch]:
    """As ``_tail``, and they are taken out."""
    tail = _tail(stretches, since)
    del stretches[len(stretches) - len(tail) :]
    return tail


def _reaches(stretch: Stretch, since: datetime | None) -> bool:
    return since is None or stretch[1] is None or stretch[1] >= since


def _without(whole: Stretch, cut: Stretch) -> list[Stretch]:
    """What is left of one stretch when another is cut out of it."""
    (start, end), (cut_start, cut_end) = whole, cut
    parts: list[Stretch] = []
    if start < cut_start:
        first_end = cut_start if end is None else min(end, cut_start)
        parts.append((start, first_end))
    if cut_end is not None and (end is None or cut_end < end):
        parts.append((max(start, cut_end), end))
    return [part for part in parts if part[1] is None or part[0] < part[1]]
