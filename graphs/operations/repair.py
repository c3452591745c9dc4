"""``brain doctor --repair``: everything that can be mended is, by the ordinary means."""

import asyncio
from collections.abc import Callable

from graphs.app import make_deps, open_brain
from graphs.brain import Progress
from graphs.core.deps import Deps
from graphs.operations.data_dir import repair_places, require_space
from graphs.operations.doctor import SAMPLE, damaged_files, findable, read_files
from graphs.operations.link_feedback import repair_link_feedback
from graphs.operations.remote_stores import repair_remote_stores
from graphs.stores.index_lock import INDEX_PATIENCE, only_indexer
from graphs.stores.store_marks import set_aside
from tools.base.errors import ModelUnavailableError, SourceError, StorageError, StoreVersionError
from tools.runtime.services import semantic_service, stop
from tools.runtime.sqlite import reason, set_file_aside
from tools.settings.settings import Settings
from tools.text.voice import counted

_LOST_WITH: dict[str, str] = {
    "index.db": "it is made again from the notes",
    "history.db": "what git and the notes say is read again; earlier texts that only it had are in "
    "the file that was set aside",
    "inferred.db": "`brain index --extract FOLDER` has notes read again",
    "checkpoints.db": "questions that waited for a reply have to be asked again",
    "readings.db": "a model is asked again where it is needed",
    "contradictions.db": "`brain contradictions` looks through the vault again",
    "link-journal.db": "links that were written stay in the notes; `brain link undo` no longer "
    "knows of them",
    "added-notes.db": "notes that waited to be looked at are in the file that was set aside",
}


async def repair(
    settings: Settings, *, on_progress: Callable[[Progress], None] | None = None
) -> list[str]:
    """Mend what is wrong; return what was done, a line each.

    In the vault only what killed processes left of notes is touched, and no file that holds what
    cannot be made again is deleted: a damaged one is renamed. Raises StorageError where there is no
    room, InputError while another process indexes.
    """
    done = await asyncio.to_thread(repair_places, settings)
    await asyncio.to_thread(require_space, settings)
    with only_indexer(settings.data_dir, patience=INDEX_PATIENCE):
        done += await asyncio.to_thread(_set_files_aside, settings)
        done += await asyncio.to_thread(repair_link_feedback, settings)
        done += await repair_remote_stores(settings)
        deps = await asyncio.to_thread(make_deps, settings)
        try:
            await deps.wake()
            done += await asyncio.to_thread(_mend_index, deps)
            done += await _mend_graph(deps)
            done += await _mend_vectors(deps)
        finally:
            await deps.close()
    async with open_brain(
        settings.vault,
        data_dir=settings.data_dir,
        **settings.model_dump(exclude={"vault", "data_dir"}),
    ) as brain:
        report = await brain.index(on_progress=on_progress)
    for number, one, many, what in (
        (report.written, "note was", "notes were", "read again"),
        (report.removed, "note that is gone was", "notes that are gone were", "forgotten"),
        (report.graph_written, "note was", "notes were", "written to the graph"),
        (report.vectors_written, "passage was", "passages were", "embedded"),
        (
            report.vectors_removed,
            "vector of no passage was",
            "vectors of no passage were",
            "dropped",
        ),
    ):
        if number:
            done.append(f"index: {counted(number, one, many)} {what}.")
    return [*done, *(f"{one.source}: {one.error} {one.impact}" for one in report.warnings)]


def _set_files_aside(settings: Settings) -> list[str]:
    done: list[str] = []
    for path in damaged_files(settings):
        try:
            aside = set_file_aside(path)
        except OSError as error:
            raise StorageError(
                f"{path.name} in the data directory is damaged and cannot be renamed "
                f"({reason(error)}): move it away."
            ) from error
        done.append(
            f"{path.name}: it was damaged and is kept as {aside.name}; {_LOST_WITH[path.name]}."
        )
    return done


def _mend_index(deps: Deps) -> list[str]:
    """Write the index of words anew where it fails, and have doubted notes read again."""
    done: list[str] = []
    if not deps.catalog.soundness.words(sample=SAMPLE).whole:
        deps.catalog.words.write_anew()
        done.append("words: their index was made again.")
    files = read_files(deps)
    if doubted := {*files.other, *files.forgotten}:
        deps.catalog.soundness.distrust(doubted)
        done.append(
            f"contents: {counted(len(doubted), 'note was', 'notes were')} marked to be read again."
        )
    return done


async def _mend_graph(deps: Deps) -> list[str]:
    try:
        await deps.graph_writer.digests()
    except StoreVersionError:
        raise
    except SourceError as error:
        if deps.settings.graph_uri is not None:
            return [f"graph: {error}"]  # another machine's, or another user's, to mend
        await deps.empty_graph()
        return ["graph: it could not be read, is kept as graph.damaged, and is made again."]
    return []


async def _mend_vectors(deps: Deps) -> list[str]:
    """Have the catalog know what vectors there are, and drop those that are not found."""
    outbox = deps.catalog.outbox
    try:
        await deps.use_encoder()
        stored = await deps.index.ids()
        sound = (await findable(deps)).sound
    except ModelUnavailableError as error:
        return [f"vectors: {error}"]
    except (SourceError, StorageError) as error:
        if deps.settings.chroma_url is not None:
            return [f"vectors: {error}"]  # another machine's, or another user's, to mend
        await stop(semantic_service(deps.settings))
        await asyncio.to_thread(set_aside, deps.settings.chroma_dir)
        await asyncio.to_thread(outbox.replace_vectors, ())
        return ["vectors: they could not be read, are kept as chroma.damaged, and are made again."]
    if not sound:
        await deps.index.reset()
        stored = set[str]()
    await asyncio.to_thread(outbox.replace_vectors, stored)
    return [] if sound else ["vectors: they were not found by search, and are embedded again."]
