"""Facts as they looked at a moment. Pure."""

from dataclasses import replace
from datetime import datetime
from typing import Protocol

from tools.base.domain import GraphRelation, Moment


class Bitemporal(Protocol):
    """Whatever has an edge's times; without ``valid_at`` or ``created_at`` it always had."""

    @property
    def valid_at(self) -> datetime | None: ...
    @property
    def invalid_at(self) -> datetime | None: ...
    @property
    def created_at(self) -> datetime | None: ...
    @property
    def expired_at(self) -> datetime | None: ...
    @property
    def retracted_at(self) -> datetime | None: ...


def as_known(fact: GraphRelation, known_at: datetime | None) -> GraphRelation:
    """The fact without the end that was not known yet; None is now."""
    if known_at is None or fact.expired_at is None or fact.expired_at <= known_at:
        return fact
    return replace(fact, invalid_at=None, expired_at=None)


def is_valid_at(fact: Bitemporal, at: Moment) -> bool:
    """Say whether a fact held at a moment, as was known by then; None is the latest."""
    as_of, known_at = at.as_of, at.known_at
    if fact.created_at and known_at is not None and fact.created_at > known_at:
        return False
    if fact.valid_at and as_of is not None and fact.valid_at > as_of:
        return False
    if fact.retracted_at and (known_at is None or fact.retracted_at <= known_at):
        return False
    if fact.expired_at is None or (known_at is not None and fact.expired_at > known_at):
        return True
    return as_of is not None and fact.invalid_at is not None and fact.invalid_at > as_of
