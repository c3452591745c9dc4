"""Whether two claims that clash tell a change, and which of them is the newer. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime

from agents.entailment.contradiction import LONGEST_SENTENCE, PairPrediction
from tools.base.domain import ChangeBasis, Claim
from tools.claims.attribution import attribution
from tools.claims.forms import ClaimForm, analyse


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Which claim came first, from when the other is known to hold, and what tells so."""

    a_first: bool
    changed_on: datetime | None
    known_from: ChangeBasis


def order(a: Claim, b: Claim, found: PairPrediction) -> Order | None:
    """How the later of two clashing claims took the place of the earlier; None if neither did.

    What a note said before and says now has changed, and so has what its successor says otherwise.
    Else a claim must tie itself to a time, and it must be known which time is the later.
    """
    if not (found.contradiction or found.change):
        return None
    if a.note_path == b.note_path:
        return _of_versions(a, b)
    if succeeded := _of_succession(a, b):
        return succeeded
    one, other = claim_form(a.text), claim_form(b.text)
    if found.change and (stated := _stated(a, b, one, other)):
        return stated
    two_states = found.change and found.contradiction
    if two_states or one.momentary or other.momentary:
        return _of_days(a, b, one, other) or _of_turn(a, b, one, other)
    return None


def claim_form(claim: str) -> ClaimForm:
    """The form of what a claim says, without whom it cites."""
    return analyse(attribution(claim[:LONGEST_SENTENCE]).said)


def is_newer(a: Claim, b: Claim) -> bool:
    """Whether the note of ``a`` is known to be of a later day than that of ``b``."""
    if a.timestamp is None or b.timestamp is None:
        return False
    return a.timestamp.date() > b.timestamp.date()


def _of_versions(a: Claim, b: Claim) -> Order | None:
    """The version of today, which has no date of its own here, is the last."""
    if a.version == b.version:
        return None
    if a.version is None or b.version is None:
        earlier = a if b.version is None else b
        return Order(a_first=earlier is a, changed_on=earlier.ended, known_from="versions")
    changed_on = max(a.version, b.version)
    return Order(a_first=a.version < b.version, changed_on=changed_on, known_from="versions")


def _of_succession(a: Claim, b: Claim) -> Order | None:
    for old, new in ((a, b), (b, a)):
        if old.ended and old.ended_by == new.note_path:
            return Order(a_first=old is a, changed_on=old.ended, known_from="succession")
    return None


def _stated(a: Claim, b: Claim, one: ClaimForm, other: ClaimForm) -> Order | None:
    """The order that the claims' own words give: their dates, or that one calls itself over."""
    if one.speaks_of and other.speaks_of and _comparable(one.speaks_of, other.speaks_of):
        a_first = one.speaks_of < other.speaks_of
        since = other.speaks_of if a_first else one.speaks_of
        return Order(a_first=a_first, changed_on=_start(since), known_from="claims")
    if one.former == other.former:
        return None
    ended, now, new_form = (a, b, other) if one.former else (b, a, one)
    changed_on = now.timestamp if is_newer(now, ended) else None
    if new_form.speaks_of:
        changed_on = _start(new_form.speaks_of)
    return Order(a_first=one.former, changed_on=changed_on, known_from="claims")


def _of_days(a: Claim, b: Claim, one: ClaimForm, other: ClaimForm) -> Order | None:
    """The order of the days that claims name or else their notes are of, where those differ."""
    written = _written(a), _written(b)
    named = one.speaks_of or written[0], other.speaks_of or written[1]
    for days in (named, written):
        if days[0] and days[1] and _comparable(days[0], days[1]):
            a_first = days[0] < days[1]
            since, new, new_form = (days[1], b, other) if a_first else (days[0], a, one)
            if since == new_form.speaks_of:
                return Order(a_first=a_first, changed_on=_start(since), known_from="claims")
            return Order(a_first=a_first, changed_on=new.timestamp, known_from="notes")
    return None


_TURN = frozenset(("now", "longer", "anymore", "artik"))
"""Words of a claim that tells what has come after something else."""


def _of_turn(a: Claim, b: Claim, one: ClaimForm, other: ClaimForm) -> Order | None:
    """The order where one alone says that it has turned, and it alone has a date."""
    turned = [not _TURN.isdisjoint(token.word for token in form.tokens) for form in (one, other)]
    new, old = (a, b) if turned[0] else (b, a)
    if turned[0] == turned[1] or new.timestamp is None or old.timestamp is not None:
        return None
    return Order(a_first=turned[1], changed_on=new.timestamp, known_from="claims")


def _written(claim: Claim) -> str | None:
    return claim.timestamp.date().isoformat() if claim.timestamp else None


def _comparable(one: str, other: str) -> bool:
    """Whether neither of two dates (ISO 8601, of any precision) lies within the other."""
    length = min(len(one), len(other))
    return one[:length] != other[:length]


def _start(iso: str) -> datetime:
    year, month, day = (*map(int, iso.split("-")), 1, 1)[:3]
    return datetime(year, month, day, tzinfo=UTC)
