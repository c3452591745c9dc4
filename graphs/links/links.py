"""The links of a vault: suggested, looked at, planned, written and taken out again."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from langgraph.checkpoint.base import BaseCheckpointSaver

from graphs.core.deps import Deps
from graphs.core.ingest_report import IngestReport
from graphs.ingest.graph import Progress
from graphs.links.learn import link_stats
from graphs.links.reviewing.reviewer import LinkReviewer
from graphs.links.suggesting.overview import ConnectedNotes, connected_notes, map_links
from graphs.links.suggesting.suggest import LinkQuery, LinkSuggester
from graphs.links.suggesting.unlinked import UnlinkedMentions, mention_place, unlinked_mentions
from graphs.links.writing.apply import Outcome, apply, indexed
from graphs.links.writing.batch import PlannedBatch, apply_batch, plan_batch
from graphs.links.writing.create import LinkPlanner
from graphs.links.writing.take_out import take_out, take_out_last
from tools.base.domain import LinkMap, SourceWarning
from tools.links.feedback_stats import LinkStats
from tools.links.planned import LinkRequest, PlannedLink
from tools.links.suggestion import LinkSuggestions
from tools.vault.editing.places import AroundMention
from tools.vault.storage.link_journal import LinkWrite


class VaultLinks:
    """What ``Brain.links`` does; ``review`` goes through suggestions one by one."""

    def __init__(
        self,
        deps: Deps,
        saver: BaseCheckpointSaver[str],
        *,
        index: Callable[[], Awaitable[IngestReport]],
        catch_up: Callable[[], Awaitable[tuple[SourceWarning, ...]]],
    ) -> None:
        """``index`` has all stores know of what was written, ``catch_up`` of what others wrote."""
        self._deps, self._index, self._catch_up = deps, index, catch_up
        self._suggester = LinkSuggester(deps)
        self.review = LinkReviewer(deps, saver)

    async def suggest(self, query: LinkQuery) -> LinkSuggestions:
        """Notes that a note should link to, the likeliest first; nothing is written.

        Raises InputError where no note is called so.
        """
        lacking = await self._catch_up()
        found = await self._suggester.suggest(query)
        return replace(found, warnings=(*lacking, *found.warnings))

    async def plan(self, request: LinkRequest, *, by: str = "python") -> PlannedLink:
        """What a typed link between two notes would change in them; nothing is written.

        Raises InputError for a link that may not be.
        """
        await self._catch_up()
        return await LinkPlanner(self._deps).plan(request, by=by)

    async def create(
        self, planned: PlannedLink, *, written: list[str] | None = None
    ) -> tuple[LinkWrite, tuple[SourceWarning, ...]]:
        """Write a link that was planned into its notes, all or none, and have all stores know.

        To ``written`` their paths are added at once, also if the call is cancelled. Raises
        ChangedError where a note was changed since it was planned, InputError for one that
        must not be written, BusyError and StorageError.
        """
        step = partial(apply, self._deps.settings, planned.write)
        return await indexed(step, self._index, written=written)

    async def plan_all(
        self, requests: Sequence[LinkRequest], *, by: str = "python"
    ) -> PlannedBatch:
        """What several links would change, each as if those before it were written.

        One that may not be costs no other. Raises InputError where a note would be linked to too
        many at once.
        """
        await self._catch_up()
        return await plan_batch(self._deps, requests, by=by)

    async def create_all(
        self, links: Sequence[PlannedLink], *, written: list[str] | None = None
    ) -> tuple[Outcome, tuple[SourceWarning, ...]]:
        """Write links that were planned together, each into all of its notes or none.

        A note that was changed since it was planned gets none; what fails costs no other.
        ``written`` is as in ``create``. Raises BusyError, and StorageError where none is
        written.
        """
        step = partial(apply_batch, self._deps.settings, links)
        return await indexed(step, self._index, written=written)

    async def undo_last(
        self, count: int = 1, *, written: list[str] | None = None
    ) -> tuple[Outcome, tuple[SourceWarning, ...]]:
        """Take the last links out of their notes, the newest first; what else changed stays.

        ``written`` is as in ``create``. Raises BusyError and StorageError.
        """
        return await take_out_last(self._deps.settings, count, self._index, written=written)

    async def undo(
        self, number: int, *, written: list[str] | None = None
    ) -> tuple[LinkWrite, tuple[SourceWarning, ...]]:
        """Take one link out of its notes, by its number in the journal; what else changed stays.

        ``written`` is as in ``create``. Raises InputError where it is none, is out already or
        no longer stands as it was written; BusyError and StorageError.
        """
        return await take_out(self._deps.settings, number, self._index, written=written)

    async def stats(self) -> LinkStats:
        """How many suggested links were accepted, by type and by what was promised."""
        return await asyncio.to_thread(link_stats, self._deps.settings)

    async def orphans(self, *, hubs: bool = False, limit: int = 20) -> ConnectedNotes:
        """The notes with the fewest links, those without any first; with ``hubs`` the most linked.

        Raises InputError for a limit below 1.
        """
        lacking = await self._catch_up()
        found = await asyncio.to_thread(connected_notes, self._deps, hubs=hubs, limit=limit)
        return replace(found, warnings=lacking)

    async def map(self) -> LinkMap:
        """All notes with their links, and which of them belong together by these."""
        lacking = await self._catch_up()
        return replace(await asyncio.to_thread(map_links, self._deps), warnings=lacking)

    async def mentions(
        self, note: str | None = None, *, on_progress: Callable[[Progress], None] | None = None
    ) -> UnlinkedMentions:
        """Places where a note, or any, names another without a link to it, as far as that is sure.

        Raises InputError where no note is called so.
        """
        lacking = await self._catch_up()
        found = await asyncio.to_thread(
            unlinked_mentions, self._deps, note, on_progress=on_progress or (lambda _: None)
        )
        return replace(found, warnings=(*lacking, *found.warnings))

    async def mention_place(
        self, source: str, target: str, *, line: int | None = None
    ) -> AroundMention:
        """The first place where a note surely names another, or the first in a line, for a link.

        Raises InputError where there is none.
        """
        await self._catch_up()
        return await asyncio.to_thread(mention_place, self._deps, source, target, line=line)
