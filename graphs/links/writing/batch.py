"""Many links at once: planned together, shown, then each written into both its notes or neither."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphs.core.deps import Deps
from graphs.links.find import find_note
from graphs.links.learn import decision_on
from graphs.links.writing.apply import Outcome, apply_all, planned
from graphs.links.writing.create import LinkPlanner
from tools.base.errors import InputError
from tools.links.planned import LinkRequest, PlannedLink
from tools.links.rules import MOST_TARGETS, check_targets
from tools.links.suggestion import LinkSuggestions
from tools.settings.settings import Settings
from tools.vault.storage.link_feedback import LinkDecision
from tools.vault.storage.link_journal import LinkWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedBatch:
    """The links that would be written, in order, and for each of the others why not, in a line."""

    links: tuple[PlannedLink, ...]
    refused: tuple[str, ...] = ()


async def plan_batch(deps: Deps, requests: Sequence[LinkRequest], *, by: str) -> PlannedBatch:
    """Plan each link as if those before it were written; one that may not be costs no other.

    Raises InputError where a note would be linked to too many at once.
    """
    await asyncio.to_thread(_check_targets, deps, requests)
    planner = LinkPlanner(deps)
    links: list[PlannedLink] = []
    refused: list[str] = []
    for request in requests:
        try:
            links.append(await planner.plan(request, by=by))
        except InputError as error:
            refused.append(f"{request.source} → {request.target}: {error}")
    return PlannedBatch(links=tuple(links), refused=tuple(refused))


def paths_of(deps: Deps, names: Iterable[str]) -> list[str]:
    """The paths of the notes of these names, as suggestions have them; it blocks.

    A name of none, or of several, stays as it is, for planning to refuse. Raises StorageError.
    """
    return [_path_of(deps, name) for name in names]


def _path_of(deps: Deps, name: str) -> str:
    try:
        return find_note(deps, name, alone=True).path
    except InputError:
        return name


def chosen_from(
    found: LinkSuggestions, others: Sequence[str], *, least: float, relation: str | None
) -> list[tuple[str, str]]:
    """The notes to link to and their types: the ``others`` by path, or what is likely enough.

    Types are those suggested, unless a ``relation`` is given. Raises InputError where there is
    none, or nothing to link to.
    """
    typed = {
        one.note_path: one.relation.relation for one in found.results if one.relation is not None
    }
    likely = [
        one.note_path
        for one in found.results
        if one.probability >= least and (relation or one.note_path in typed)
    ]
    targets = others or likely[:MOST_TARGETS]
    if not targets:
        raise InputError(
            f"No suggestion for {found.source_note!r} is as likely as {least:.0%}: lower --least, "
            "or name the notes."
        )
    chosen: list[tuple[str, str]] = []
    for target in targets:
        kind = relation or typed.get(target)
        if kind is None:
            raise InputError(f"No type is suggested for {target!r}: say which with --type.")
        chosen.append((target, kind))
    return chosen


def decisions_on(
    found: LinkSuggestions, writes: Iterable[LinkWrite], *, at: datetime
) -> list[LinkDecision]:
    """What was decided on the suggestions that were written."""
    suggested = {one.note_path: one for one in found.results}
    return [
        decision_on(suggested[write.target], of=write.source, chosen=write.relation, at=at)
        for write in writes
        if write.source == found.source_note and write.target in suggested
    ]


def _check_targets(deps: Deps, requests: Sequence[LinkRequest]) -> None:
    """Count the notes that each note would be linked to, by whatever names they are given."""
    names = dict.fromkeys(name for one in requests for name in (one.source, one.target))
    paths = dict(zip(names, paths_of(deps, names), strict=True))
    targets = defaultdict[str, set[str]](set)
    for request in requests:
        targets[paths[request.source]].add(paths[request.target])
    for each in targets.values():
        check_targets(each)


def apply_batch(settings: Settings, links: Sequence[PlannedLink]) -> Outcome:
    """Write the links one after the other; blocks.

    A note that was changed since it was shown gets none; what fails costs no other. Raises
    BusyError, and StorageError where none is written.
    """
    return apply_all(settings, _plans(settings, links))


def _plans(settings: Settings, links: Iterable[PlannedLink]) -> Iterator[Callable[[], LinkWrite]]:
    known = defaultdict[str, set[str]](set)
    """Digests that each note may have: as it was shown, and as our own writes leave it."""

    def plan(link: PlannedLink) -> LinkWrite:
        edits = tuple(
            planned(settings, side.path, side.link, side.place, seen=known[side.path])
            for side in link.sides
        )
        for edit in edits:
            known[edit.path].add(edit.after)
        return replace(link.write, edits=edits)

    for link in links:
        for edit in link.write.edits:
            # The first of a note was planned on the note as it is; later ones on those before.
            if edit.path not in known:
                known[edit.path].add(edit.before)
        yield lambda link=link: plan(link)
