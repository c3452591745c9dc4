"""What was reworded between the versions of notes: looked up, or compared and kept."""

import contextlib
from collections.abc import Iterable, Mapping, Sequence

from graphs.core.deps import Deps
from tools.base.errors import InputError, StorageError
from tools.graph.changes_over_time import Texts, compared, texts
from tools.graph.sentence_diff import Rewording, content_sentences, reword
from tools.graph.versions import Dated, Version
from tools.vault.history.past import past_contents
from tools.vault.notes.notes import decode

type _Step = tuple[Version | None, Version]


def rewordings(deps: Deps, notes: Iterable[Sequence[Dated]]) -> Mapping[Texts, Rewording]:
    """What was reworded wherever a timeline of these notes tells it, but for texts that are lost.

    Comparing takes some milliseconds a version, so that what is new is kept. Raises StorageError.
    """
    steps = {texts(*step): step for versions in notes for step in compared(versions)}
    known = deps.history.rewordings.of(steps.keys())
    new = _compare([step for pair, step in steps.items() if pair not in known], deps)
    if new:
        # Where nothing can be written, the next question compares again.
        with contextlib.suppress(StorageError):
            deps.history.rewordings.keep(new)
    return known | new


def _compare(steps: Sequence[_Step], deps: Deps) -> dict[Texts, Rewording]:
    """Steps that follow one another read each text once; two texts are in memory at a time."""
    contents = past_contents(
        _in_reading_order(steps),
        root=deps.settings.vault,
        history=deps.history,
        max_bytes=deps.settings.max_note_bytes,
    )
    found: dict[Texts, Rewording] = {}
    at_hand: Version | None = None
    sentences: tuple[str, ...] | None = None
    for before, version in steps:
        if before is not None and before is not at_hand:
            sentences = _sentences(next(contents))
        old, new = sentences if before else (), _sentences(next(contents))
        at_hand, sentences = version, new
        if old is not None and new is not None:
            found[texts(before, version)] = reword(old, new)
    return found


def _in_reading_order(steps: Iterable[_Step]) -> list[Version]:
    found: list[Version] = []
    for before, version in steps:
        if before is not None and (not found or before is not found[-1]):
            found.append(before)
        found.append(version)
    return found


def _sentences(raw: bytes | None) -> tuple[str, ...] | None:
    try:
        return content_sentences(decode(raw)[0]) if raw is not None else None
    except InputError:
        return None
