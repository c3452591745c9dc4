"""Indexing after a note was written: what does not work then costs no more than a warning."""

from collections.abc import Awaitable, Callable

from graphs.core.ingest_report import IngestReport
from tools.base.domain import SourceWarning
from tools.base.errors import BrainError

_STORES = frozenset({"graph", "semantic", "index"})


async def index_written(
    index: Callable[[], Awaitable[IngestReport]],
) -> tuple[SourceWarning, ...]:
    """Have all stores say what is on disk; what of that they do not."""
    try:
        report = await index()
    except BrainError as error:
        impact = "The files are as told, but not indexed yet: `brain index` makes that good."
        return (SourceWarning(source="index", error=str(error), impact=impact),)
    return tuple(one for one in report.warnings if one.source in _STORES)
