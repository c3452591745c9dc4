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

from tools.domain import Moment
from tools.facts import holds

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

    def holds(self, *, as_of: datetime | None, known_at: datetime | None) -> bool:
        """Say whether it holds at a point of both axes, None being the latest."""
        return holds(self, Moment(as_of=as_of, known_at=known_at))


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
    return {key: found for key, found in belief.spans.items() if found}


def stretches[K: Hashable](revisions: Sequence[Revision[K]], key: K) -> list[Closure]:
    """After each revision that changes it, the stretches in which ``key`` is believed to hold."""
    belief = _Belief[K](lasting=frozenset({key}), closing=frozenset())
    found: list[Closure] = []
    for number, revision in enumerate(revisions):
        belief.learn(revision, number)
        now = tuple(belief.held(key))
        if now != (found[-1].stretches if found else ()):
            found.append(Closure(known_at=revision.known_at, by="", stretches=now))
    return found


class _Belief[K: Hashable]:
    """What is believed of all valid time at one knowledge time, and the spans up to it."""

    def __init__(self, *, lasting: AbstractSet[K], closing: AbstractSet[K]) -> None:
        self.spans: dict[K, list[Span]] = {}
        self._lasting = lasting
        self._closing = closing
        self._stack: list[tuple[datetime, AbstractSet[K]]] = []
        self._closed: dict[str, tuple[Stretch, ...]] = {}

    def learn(self, revision: Revision[K], number: int) -> None:
        replaced: list[AbstractSet[K]] = []
        while self._stack and self._stack[-1][0] >= revision.valid_at:
            replaced.append(self._stack.pop()[1])
        before = frozenset(self._stack[-1][1]) if self._stack else frozenset[K]()
        # What was said just before and is said again goes on, unless a part of it was replaced.
        affected = before.union(revision.keys, *replaced) if replaced else before ^ revision.keys
        affected = set(affected)
        self._stack.append((revision.valid_at, revision.keys))
        if affected & self._closing:
            affected |= self.spans.keys()
        self._revise(affected, revision.known_at, number)

    def close(self, closure: Closure, number: int) -> None:
        self._closed[closure.by] = closure.stretches
        self._revise(self.spans.keys() - self._lasting, closure.known_at, number)

    def held(self, key: K) -> list[Stretch]:
        """The stretches in which ``key`` is believed to hold now."""
        found: list[Stretch] = []
        for at, (start, keys) in enumerate(self._stack):
            end = self._stack[at + 1][0] if at + 1 < len(self._stack) else None
            if key in keys:
                if found and found[-1][1] == start:
                    found[-1] = (found[-1][0], end)
                else:
                    found.append((start, end))
        return found

    def _revise(self, keys: AbstractSet[K], known_at: datetime, number: int) -> None:
        shut = [stretch for closed in self._closed.values() for stretch in closed]
        shut += [stretch for key in self._closing for stretch in self.held(key)]
        for key in keys:
            believed = self.held(key)
            if key not in self._lasting:
                for stretch in shut:
                    believed = [part for whole in believed for part in _without(whole, stretch)]
            spans = self.spans.setdefault(key, [])
            self.spans[key] = _revised(spans, believed, known_at=known_at, number=number)


def _revised(
    spans: Sequence[Span], believed: Sequence[Stretch], *, known_at: datetime, number: int
) -> list[Span]:
    """The spans once ``believed`` is what is believed of this key."""
    missing = list(believed)
    revised: list[Span] = []
    for span in spans:
        current = span.retracted_at is None and span.invalid_at != span.valid_at
        stretch = (span.valid_at, span.invalid_at)
        if current and stretch in missing:
            missing.remove(stretch)
        elif current and span.expired_at is None:
            ended = next((s for s in missing if s[0] == span.valid_at), None)
            if ended is not None:
                missing.remove(ended)
            end = ended[1] if ended else span.valid_at
            span = replace(span, invalid_at=end, expired_at=known_at)  # noqa: PLW2901
        elif current:
            span = replace(span, retracted_at=known_at)  # noqa: PLW2901
        revised.append(span)
    for start, end in missing:
        revised.append(
            Span(
                valid_at=start,
                created_at=known_at,
                revision=number,
                invalid_at=end,
                expired_at=known_at if end is not None else None,
            )
        )
    return revised


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
