"""Facts as they looked at a moment. Pure."""

from dataclasses import replace
from datetime import datetime

from tools.domain import GraphRelation


def as_known(fact: GraphRelation, known_at: datetime | None) -> GraphRelation:
    """The fact without the end that was not known yet; None is now."""
    if known_at is None or fact.expired_at is None or fact.expired_at <= known_at:
        return fact
    return replace(fact, invalid_at=None, expired_at=None)
