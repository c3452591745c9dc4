"""What happened to a note, read off its versions: changed words, links that came and went. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from tools.claims.sentences import sentences
from tools.domain import Event, EventKind, Evolution, Period
from tools.evidence import locate
from tools.versions import Dated, Said, Statement

_LONGEST = 300
"""Characters of a sentence in a difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A note's versions, and the bodies of those whose words are to be compared, by key.

    ``lines`` are those of the note as it is today, empty when it is gone.
    """

    versions: Sequence[Dated]
    bodies: Mapping[int, str]
    lines: Sequence[str] = ()


def events(told: Told) -> list[Event]:
    """Events of one note, as they are known today.

    What a later version corrects, by dating itself before it, did not happen. A version whose
    sentences are those before it changed nothing that is told. The first shows its first sentence,
    where later ones may say something else.
    """
    found: list[Event] = []
    before: Dated | None = None
    for dated in _uncorrected(told.versions):
        if before is None:
            first = _sentences(told.bodies.get(dated.version.key, ""))[:1]
            found.append(replace(_event(dated, "created", ""), added=tuple(first)))
        else:
            found += _between(before, dated, told)
        before = dated
    return found


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


def differences(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sentences that ``after`` has and ``before`` has not, and the reverse, in their order."""
    old, new = _sentences(before), _sentences(after)
    added: list[str] = []
    removed: list[str] = []
    matcher = SequenceMatcher(a=old, b=new, autojunk=False)
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind != "equal":
            removed += old[old_start:old_end]
            added += new[new_start:new_end]
    moved = set(added) & set(removed)  # what only stands elsewhere now did not change
    return (
        tuple(sentence for sentence in added if sentence not in moved),
        tuple(sentence for sentence in removed if sentence not in moved),
    )


def _between(before: Dated, dated: Dated, told: Told) -> list[Event]:
    said, earlier = dated.version.said, before.version.said
    if said is None:
        return [_event(dated, "deleted", "")]
    if earlier is None:
        return [_event(dated, "created", "again")]
    found: list[Event] = []
    if dated.version.path != before.version.path:
        found.append(_event(dated, "renamed", f"from {before.version.path}"))
    found += _reworded(before, dated, told)
    links, old_links = _links(said), _links(earlier)
    found += [
        _event(dated, "linked", _detail(statement), line=statement.line)
        for key, statement in links.items()
        if key not in old_links
    ]
    found += [
        _event(dated, "unlinked", _detail(statement))
        for key, statement in old_links.items()
        if key not in links
    ]
    return found


def _reworded(before: Dated, dated: Dated, told: Told) -> list[Event]:
    old = told.bodies.get(before.version.key)
    new = told.bodies.get(dated.version.key)
    if old is None or new is None:
        same = before.version.content_hash == dated.version.content_hash
        return [] if same else [_event(dated, "modified", "")]
    added, removed = differences(old, new)
    if not added and not removed:
        return []
    counted = [f"+{len(added)}"] if added else []
    counted += [f"−{len(removed)}"] if removed else []
    places = (locate(sentence, told.lines, near=1) for sentence in added)
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


def _links(said: Said) -> dict[tuple[str, str], Statement]:
    return {(s.relation, s.target): s for s in said.statements if s.kind != "tag"}


def _detail(statement: Statement) -> str:
    words = statement.relation.replace("_", " ").lower()
    return f"{words} → {statement.target}"


def _sentences(body: str) -> list[str]:
    """Sentences a person reads; a field is told as what it states."""
    kinds = ("prose", "item", "cell", "task")
    found = [" ".join(s.text.split()) for s in sentences(body) if s.kind in kinds]
    return [text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for text in found if text]
