"""Many links that the person approves at once, in the audit log as the writes of tools are."""

from collections.abc import Sequence

from graphs.brain import Brain
from graphs.links.writing.apply import Outcome
from graphs.operations.decisions import audited_decision, with_log_warning
from tools.base.domain import SourceWarning
from tools.links.planned import PlannedLink

BATCH_APPROVE = "batch_approve"


async def write_batch(
    brain: Brain, links: Sequence[PlannedLink]
) -> tuple[Outcome, tuple[SourceWarning, ...]]:
    """Write links that the person has seen and agreed to, each whole or not.

    Raises as ``Brain.links.create_all``, and StorageError where it cannot be logged: then none is
    written.
    """
    deciding = audited_decision(
        brain.settings, BATCH_APPROVE, {"links": len(links)}, rules={"links": "number"}
    )
    async with deciding as record:
        outcome, warnings = await brain.links.create_all(links, written=record.written)
    return outcome, with_log_warning(warnings, record)
