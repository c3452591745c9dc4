"""How much each search finds, however little is shown."""

from tools.base.domain import QueryPlan

CHUNKS_PER_NOTE = 3
"""A note is found by several passages: ask the index for this many times the notes wanted."""
_REACH = 200
"""Passages at least whose similarity is asked for: the index looks at more in any case. Those that
are not among the nearest find no note, but count for the notes that words find."""
_NOTES = 50
"""Notes that each search finds at least, however few are shown."""
EVOLUTION_NOTES = 30


def candidate_limit(plan: QueryPlan) -> int:
    """Passages whose similarity to the question is asked for."""
    return max(_REACH, quoted_limit(plan))


def quoted_limit(plan: QueryPlan) -> int:
    """Passages that may be quoted of what meaning finds."""
    return note_limit(plan) * CHUNKS_PER_NOTE


def note_limit(plan: QueryPlan) -> int:
    return max(_NOTES, plan.limit)
