"""Which notes a model would read, in what parts, and what that would take."""

import math
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import Literal

from tools.errors import InputError
from tools.graph.episodes import EpisodeText
from tools.graph.inferred import InferredStore, NoteVersion, Rate
from tools.settings import Settings
from tools.vault.catalog import Catalog, NoteRecord, Passage
from tools.vault.files import scan

PART_CHARS = 4_000
"""A part fits a small model's context beside Graphiti's own words."""
_LEAST_CHARS = 12
"""What is shorter holds no fact between two things."""
_BATCH = 500

CALLS_PER_PART = 6.0
"""Questions a part takes until it is measured: entities, facts, same entities, and a few facts
compared with earlier ones."""
_WORDS_OF_A_PROMPT = (5_700, 7_900, 3_300, 4_100)
"""Characters of Graphiti's own in a prompt for entities, for facts, for the same entities, and in
each further one; the first three hold the part's text too."""
_CHARS_PER_TOKEN = 4

type Measure = Callable[[str], Awaitable[float | None]]
"""Ask the model one question of a prompt's usual length about a text: the seconds it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A note version to read: the parts not yet read, as (part, characters)."""

    version: NoteVersion
    parts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to do in some folders, in order.

    ``read`` notes are done already, ``given_up`` failed too often, ``unindexed`` are on disk and
    not in the index as they are now.
    """

    folders: tuple[str, ...]
    pending: tuple[Pending, ...]
    read: int
    given_up: int
    unindexed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a run would take. ``tokens`` are those the model reads; it costs no money.

    ``seconds`` is None where nothing is known yet; ``measured_on`` says what it rests on.
    """

    folders: tuple[str, ...]
    model: str
    notes: int
    parts: int
    calls: int
    calls_per_part: float
    tokens: int
    seconds: float | None
    measured_on: Literal["earlier parts", "one question", "nothing"]
    read: int
    given_up: int
    unindexed: int


def chosen_folders(settings: Settings, folders: Sequence[str]) -> tuple[str, ...]:
    """The folders as paths inside the vault, ``""`` for all of it.

    Raises InputError for one that lies outside the vault or is not there.
    """
    return tuple(dict.fromkeys(_inside(settings.vault, folder) for folder in folders))


def _inside(vault: Path, folder: str) -> str:
    where = Path(folder).expanduser()
    path = Path(os.path.normpath(vault / where))
    try:
        real = path.resolve(strict=True)
    except (OSError, ValueError):
        raise InputError(f"The vault has no folder {where.name!r}: nothing was started.") from None
    if not (path.is_relative_to(vault) and real.is_relative_to(vault.resolve())):
        raise InputError(
            f"The folder {where.name!r} lies outside the vault: give a path inside it. "
            "Nothing was started."
        )
    if not real.is_dir():
        raise InputError(f"{where.name!r} is no folder of the vault: nothing was started.")
    inside = path.relative_to(vault).as_posix()
    return "" if inside == "." else inside


def make_plan(
    settings: Settings, catalog: Catalog, store: InferredStore, folders: tuple[str, ...]
) -> Plan:
    """What is still to be read in these folders, from the index alone."""
    asked = () if "" in folders else folders
    found = scan(settings.vault, folders=asked, max_bytes=settings.max_note_bytes)
    indexed = catalog.files()
    known = [file.path for file in found.files if indexed.get(file.path) == file]
    sizes: dict[NoteVersion, tuple[int, ...]] = {}
    for batch in batched(known, _BATCH):
        records, passages = catalog.records(batch), catalog.passages_of(batch)
        for path in batch:
            episodes = read_parts(records[path], passages.get(path, ()))
            version = NoteVersion(
                path=path, content_hash=records[path].content_hash, parts=len(episodes)
            )
            if episodes:
                sizes[version] = tuple(len(episode.text) for episode in episodes)
    todo = store.pending(sizes)
    left_out = {(one.path, one.content_hash) for one in store.given_up()}
    given_up = len(left_out & {(one.path, one.content_hash) for one in sizes})
    return Plan(
        folders=folders,
        pending=tuple(
            Pending(
                version=version,
                parts=tuple((n, size) for n, size in enumerate(sizes[version]) if n not in done),
            )
            for version, done in todo.items()
        ),
        read=len(known) - len(todo) - given_up,
        given_up=given_up,
        unindexed=len(found.files) - len(known),
    )


def read_parts(record: NoteRecord, passages: Iterable[Passage]) -> tuple[EpisodeText, ...]:
    """A note in parts of whole passages; equal notes are cut alike. Pure."""
    parts: list[list[Passage]] = []
    length = PART_CHARS
    for passage in passages:
        if length + len(passage.text) > PART_CHARS:
            parts.append([])
            length = 0
        parts[-1].append(passage)
        length += len(passage.text)
    # A date that the note states is the one it speaks from; else it speaks as it last was.
    dated = record.date_origin in {"frontmatter", "filename"}
    worth = [part for part in parts if sum(len(one.text.strip()) for one in part) >= _LEAST_CHARS]
    return tuple(
        EpisodeText(
            note_path=record.path,
            title=record.title,
            text=_text(record.title, part),
            content_hash=record.content_hash,
            valid_at=record.created if dated else record.modified,
            part=number,
            line=part[0].line_start,
        )
        for number, part in enumerate(worth)
    )


def _text(title: str, part: Sequence[Passage]) -> str:
    """The passages below the headings they stand under, each heading once."""
    lines = [title]
    above: tuple[str, ...] = ()
    for passage in part:
        if passage.heading_path != above:
            above = passage.heading_path
            lines += ["", " › ".join(above)] if above else [""]
        lines.append(passage.text)
    return "\n".join(lines)


def estimate(
    plan: Plan, *, model: str, rate: Rate | None, seconds_per_call: float | None
) -> Preview:
    """What the plan takes, by what is known of the model. Pure."""
    sizes = [size for pending in plan.pending for _, size in pending.parts]
    per_part = rate.calls if rate is not None else CALLS_PER_PART
    if rate is not None:
        seconds, measured_on = rate.seconds * len(sizes), "earlier parts"
    elif seconds_per_call is not None:
        seconds, measured_on = seconds_per_call * per_part * len(sizes), "one question"
    else:
        seconds, measured_on = None, "nothing"
    return Preview(
        folders=plan.folders,
        model=model,
        notes=len(plan.pending),
        parts=len(sizes),
        calls=round(per_part * len(sizes)),
        calls_per_part=round(per_part, 1),
        tokens=sum(prompt_tokens(size, calls=per_part) for size in sizes),
        seconds=seconds,
        measured_on=measured_on if sizes else "nothing",
        read=plan.read,
        given_up=plan.given_up,
        unindexed=plan.unindexed,
    )


def prompt_tokens(size: int, *, calls: float) -> int:
    """Tokens a model reads for one part of ``size`` characters in ``calls`` questions. Pure."""
    entities, facts, same, each = _WORDS_OF_A_PROMPT
    chars = entities + facts + 2 * size
    if calls > 2:
        chars += round(min(calls - 2, 1.0) * (same + size) + max(calls - 3, 0.0) * each)
    return math.ceil(chars / _CHARS_PER_TOKEN)


async def preview(
    plan: Plan, *, model: str, store: InferredStore, first_text: str, measure: Measure | None
) -> Preview:
    """What the plan takes; ``measure`` is asked only where no earlier part tells."""
    rate = store.rate()
    seconds = None
    if rate is None and measure is not None and plan.pending:
        seconds = await measure(first_text)
    return estimate(plan, model=model, rate=rate, seconds_per_call=seconds)
