"""What the person at the terminal decides, in the audit log as the writes of tools are."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from graphs.core.credentials import OWNER
from graphs.toolkit.audit_log.callers import caller
from graphs.toolkit.audit_log.log import Call, Record, recorded
from graphs.toolkit.audit_log.redaction import Rule
from graphs.toolkit.audit_log.vault_log import vault_log
from tools.base.domain import SourceWarning
from tools.settings.settings import Settings

TERMINAL = "terminal"
"""What the audit log, and what is written, call whoever sits at it."""


@asynccontextmanager
async def audited_decision(
    settings: Settings,
    name: str,
    arguments: Mapping[str, object],
    *,
    rules: Mapping[str, Rule],
    removes_notes: bool = False,
) -> AsyncGenerator[Record]:
    """Log a decision around the block that does it, which tells the record what it wrote.

    Raises StorageError, before the block, where it cannot be logged.
    """
    call = Call(
        caller=caller(TERMINAL, tier=OWNER.tier),
        tool=name,
        arguments=arguments,
        rules=rules,
        destructive=removes_notes,
    )
    async with recorded(vault_log(settings), call, writes=True) as record:
        yield record


def with_log_warning(
    warnings: tuple[SourceWarning, ...], record: Record
) -> tuple[SourceWarning, ...]:
    """The warnings, with what the log says of itself once the decision is done."""
    return warnings if record.warning is None else (*warnings, record.warning)
