"""Links that the person writes and takes out, in the audit log as the writes of tools are."""

from graphs.brain import Brain
from graphs.links.writing.apply import Outcome
from graphs.operations.decisions import audited_decision, with_log_warning
from graphs.toolkit.tools.create_link import create_link
from graphs.toolkit.tools.undo_link import undo_link
from tools.base.domain import SourceWarning
from tools.links.planned import PlannedLink
from tools.vault.storage.link_journal import LinkWrite


async def write_link(
    brain: Brain, planned: PlannedLink
) -> tuple[LinkWrite, tuple[SourceWarning, ...]]:
    """Write a link that the person has seen and agreed to.

    Raises as ``Brain.links.create``, and StorageError where it cannot be logged: then it is not
    written.
    """
    arguments = arguments_of(planned.write)
    deciding = audited_decision(
        brain.settings, create_link.name, arguments, rules=create_link.rules
    )
    async with deciding as record:
        written, warnings = await brain.links.create(planned, written=record.written)
    return written, with_log_warning(warnings, record)


def arguments_of(write: LinkWrite) -> dict[str, str]:
    """What the log is told of a link, as if the tool had been called."""
    arguments = {"source": write.source, "target": write.target, "relation": write.relation}
    return {**arguments, "context": write.context} if write.context else arguments


async def undo_links(brain: Brain, count: int) -> tuple[Outcome, tuple[SourceWarning, ...]]:
    """Take the last links out of their notes, the newest first, whoever wrote them.

    Raises as ``Brain.links.undo_last``, and StorageError where it cannot be logged.
    """
    deciding = audited_decision(
        brain.settings, undo_link.name, {"count": count}, rules={"count": "number"}
    )
    async with deciding as record:
        outcome, warnings = await brain.links.undo_last(count, written=record.written)
    return outcome, with_log_warning(warnings, record)
