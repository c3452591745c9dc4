"""Where notes name others without a link, as far as it is sure that the others are meant."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from graphs.core.deps import Deps
from graphs.ingest.graph import Progress
from graphs.links.find import find_note, read_note
from graphs.links.suggesting.gather import names_of_all
from graphs.links.suggesting.mention_usage import mention_probabilities
from tools.base.domain import Note, SourceWarning
from tools.base.errors import InputError
from tools.links.mention_score import THRESHOLD
from tools.links.mentions import Mention, find_mentions
from tools.vault.editing.places import AroundMention

_EACH = 25
"""Notes read between two reports of how far it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlinkedMention:
    """A place in the note at ``note`` that names another, and how surely it means it, of 0 to 1."""

    note: str
    mention: Mention
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlinkedMentions:
    """The places by note and line, and what could not be looked at."""

    mentions: tuple[UnlinkedMention, ...]
    warnings: tuple[SourceWarning, ...] = ()


def unlinked_mentions(
    deps: Deps, name: str | None, *, on_progress: Callable[[Progress], None]
) -> UnlinkedMentions:
    """Places where a note, or with None any, surely means another that it has no link to.

    It blocks. Raises InputError where no note is called so, and StorageError.
    """
    notes = [find_note(deps, name)] if name is not None else _every(deps, on_progress)
    names, graph = names_of_all(deps.catalog), deps.catalog.inventory.link_graph()
    found: list[UnlinkedMention] = []
    unread: list[str] = []
    for one in notes:
        if isinstance(one, str):
            unread.append(one)
        else:
            mentions = find_mentions(one, names, linked=graph.targets(one.path))
            found += (
                UnlinkedMention(note=one.path, mention=own, probability=0) for own in mentions
            )
    likely = mention_probabilities(deps.catalog, graph, [one.mention for one in found])
    return UnlinkedMentions(
        mentions=tuple(
            replace(one, probability=round(probability, 3))
            for one, probability in zip(found, likely, strict=True)
            if probability >= THRESHOLD
        ),
        warnings=(_not_read(unread),) if unread else (),
    )


def mention_place(
    deps: Deps, source: str, target: str, *, line: int | None = None
) -> AroundMention:
    """The first place where a note surely means another, or the first in a ``line``, however sure.

    It blocks. Raises InputError where there is none, or no note is called so, and StorageError.
    """
    note, other = find_note(deps, source, alone=True), find_note(deps, target, alone=True)
    mentions = [
        one
        for one in find_mentions(note, names_of_all(deps.catalog))
        if one.path == other.path and line in {None, one.line}
    ]
    graph = deps.catalog.inventory.link_graph()
    likely = mention_probabilities(deps.catalog, graph, mentions)
    for one, probability in zip(mentions, likely, strict=True):
        if line is not None or probability >= THRESHOLD:
            return AroundMention(line=one.line, start=one.start, end=one.end, words=one.words)
    lines = ", ".join(str(number) for number in sorted({one.line for one in mentions}))
    if lines:
        raise InputError(
            f"{note.path!r} may mean {other.path!r} in line {lines}, but not surely: choose one "
            "with --line, or put the link elsewhere."
        )
    where = f" in line {line}" if line is not None else ""
    raise InputError(
        f"{note.path!r} does not name {other.path!r} unlinked{where}: put the link elsewhere, as "
        "with --at section."
    )


def _every(deps: Deps, on_progress: Callable[[Progress], None]) -> Iterator[Note | str]:
    """All notes by path; of one that cannot be read its path."""
    paths = sorted(deps.catalog.paths())
    for done, path in enumerate(paths, 1):
        try:
            yield read_note(deps, path)
        except (OSError, InputError):
            yield path
        if done % _EACH == 0 or done == len(paths):
            on_progress(Progress(phase="text", done=done, total=len(paths)))


def _not_read(paths: Sequence[str]) -> SourceWarning:
    first = f"{paths[0]!r}" + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
    return SourceWarning(
        source="vault",
        error=f"{first} could not be read.",
        impact="What is named there is not listed; `brain index` tells why.",
    )
