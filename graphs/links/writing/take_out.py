"""Links taken out of their notes: all stores know of it, and nothing is learned from them."""

from collections.abc import Awaitable, Callable
from functools import partial

from graphs.core.ingest_report import IngestReport
from graphs.links.learn import withdraw
from graphs.links.writing.apply import Outcome, indexed, undo, undo_last
from tools.base.domain import SourceWarning
from tools.settings.settings import Settings
from tools.vault.storage.link_journal import LinkWrite

type Index = Callable[[], Awaitable[IngestReport]]
"""Brings all stores to what the notes say."""


async def take_out(
    settings: Settings, number: int, index: Index, *, written: list[str] | None = None
) -> tuple[LinkWrite, tuple[SourceWarning, ...]]:
    """Take out the link of this number; ``written`` is as in ``indexed``. Raises as ``undo``."""
    step = partial(undo, settings, number)
    return await _taken_out(settings, step, lambda write: (write,), index, written)


async def take_out_last(
    settings: Settings, count: int, index: Index, *, written: list[str] | None = None
) -> tuple[Outcome, tuple[SourceWarning, ...]]:
    """Take out the last links, the newest first; ``written`` is as in ``indexed``.

    Raises as ``undo_last``.
    """
    step = partial(undo_last, settings, count)
    return await _taken_out(settings, step, lambda outcome: outcome.writes, index, written)


async def _taken_out[T: LinkWrite | Outcome](
    settings: Settings,
    step: Callable[[], T],
    writes: Callable[[T], tuple[LinkWrite, ...]],
    index: Index,
    written: list[str] | None,
) -> tuple[T, tuple[SourceWarning, ...]]:
    kept: dict[SourceWarning, None] = {}

    def unlearned() -> T:
        # In the same step: who cancels meanwhile must not leave a decision that was taken back.
        done = step()
        for write in writes(done):
            warnings = withdraw(settings, write.source, write.target, accepted=True)
            kept.update(dict.fromkeys(warnings))
        return done

    done, warnings = await indexed(unlearned, index, written=written)
    return done, (*kept, *warnings)
