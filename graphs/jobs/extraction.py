"""Have a model read notes, here or as a process of its own (``python -m graphs.jobs.extraction``).

It reads the index, never the vault, and writes to the file of inferred facts and to Graphiti's own
graph, never to the vault's.
"""

import asyncio
import json
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel

from agents.llm.language_model import language_model, probe
from graphs.core.encoder_choice import named_encoder
from graphs.core.graph_backends import embedded_graph
from graphs.core.inferred_facts import SOURCE
from graphs.extraction.plan import make_plan
from graphs.extraction.run import ExtractionDeps, OnProgress, StoppedError, run, unless
from graphs.jobs.background import until_ended
from graphs.stores.extraction_progress import is_extracting, mark_waiting, only_extraction
from tools.base.errors import BrainError, InputError, SourceError
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.extraction.graphiti import GROUP, Extractor, FalkorExtraction
from tools.graph.extraction.job import ExtractionJob, load_job, save_job
from tools.graph.extraction.llm import AskModel
from tools.graph.extraction.store import InferredStore
from tools.runtime.server_process import announced, log, run_server, server_arguments
from tools.runtime.services import Service, graph_service, launch, semantic_service, stop
from tools.semantic.client import SemanticClient
from tools.settings.loading import load_settings
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog

NAME = "extract"
CONTEXT_TOKENS = 8_192
"""The longest prompt, some 3,500 tokens, with a reply as long."""
_PATIENCE = 10
"""How much longer than a question's answer one of a part's may take: nobody waits for it."""
_FOLDERS = "BRAIN_EXTRACT_FOLDERS"


def inferred_store(settings: Settings) -> InferredStore:
    """What the configured model, or another before it, inferred from the vault."""
    return InferredStore(settings.inferred_path, model=settings.chat_model)


def patient_model(settings: Settings) -> AskModel:
    """The configured model, for prompts as long as Graphiti's."""

    async def ask[T: BaseModel](prompt: str, schema: type[T], /) -> T:
        # Made anew: one that was silent for a part is asked for the next all the same.
        model = language_model(
            url=settings.ollama_url,
            name=settings.chat_model,
            timeout=settings.model_timeout * _PATIENCE,
            context_tokens=CONTEXT_TOKENS,
        )
        return await model(prompt, schema)

    return ask


@contextmanager
def opened(settings: Settings) -> Generator[Catalog]:
    """The index. Raises InputError where there is none yet."""
    if not settings.index_path.exists():
        raise InputError("This vault is not indexed yet: run `brain index`.")
    catalog = Catalog(settings.index_path)
    try:
        yield catalog
    finally:
        catalog.close()


# --- here ----------------------------------------------------------------------------------


async def extract_folders(
    settings: Settings, folders: tuple[str, ...], *, on_progress: OnProgress = lambda _: None
) -> ExtractionJob:
    """Read what is to be read in these folders (``""``: the whole vault), one part at a time.

    Raises InputError while another run is under way, StorageError for a full disk, SourceError
    where what another encoder left behind cannot be dropped.
    """
    with only_extraction(settings):
        return await _extract(settings, folders, stopping=asyncio.Event(), on_progress=on_progress)


async def _extract(
    settings: Settings,
    folders: tuple[str, ...],
    *,
    stopping: asyncio.Event,
    on_progress: OnProgress = lambda _: None,
) -> ExtractionJob:
    connection = embedded_graph(settings, GROUP)
    async with SemanticClient(semantic_service(settings)) as client:

        async def embed(texts: Sequence[str]) -> list[list[float]]:
            return (await client.embed(texts)).tolist()

        async def unavailable() -> str | None:
            found = await probe(settings.ollama_url, settings.chat_model, max_age=0)
            return None if found.has_model else found.reason

        extractor = Extractor(
            FalkorExtraction(connection),
            ask=patient_model(settings),
            embed=embed,
            model=settings.chat_model,
        )
        with opened(settings) as catalog:
            deps = ExtractionDeps(
                model=settings.chat_model,
                encoder=named_encoder(settings),
                catalog=catalog,
                store=inferred_store(settings),
                jobs=settings.inferred_path,
                extractor=extractor,
                unavailable=unavailable,
            )
            try:
                plan = await asyncio.to_thread(make_plan, settings, catalog, deps.store, folders)
                await _drop_other_vectors(connection, deps)
                await _forget_gone(deps)
                return await run(
                    plan,
                    deps=deps,
                    stopping=stopping,
                    on_progress=on_progress,
                )
            finally:
                await extractor.close()


async def _drop_other_vectors(connection: FalkorBackend, deps: ExtractionDeps) -> None:
    """Empty Graphiti's graph after a change of the encoder: vectors of two cannot be compared.

    What was inferred is kept; it is only not compared with what is inferred from here on. Raises
    SourceError, and the next run tries again.
    """
    last = await asyncio.to_thread(load_job, deps.jobs)
    if last is not None and last.encoder != deps.encoder:
        await connection.clear()


async def _forget_gone(deps: ExtractionDeps) -> None:
    """Drop what was inferred from notes that are no more; Graphiti's copy as far as it can."""
    paths = await asyncio.to_thread(deps.catalog.paths)
    if episodes := await asyncio.to_thread(deps.store.forget_except, paths):
        with suppress(SourceError):  # a copy that nothing is shown from
            await deps.extractor.forget(episodes)


async def taken_over(settings: Settings, job: ExtractionJob) -> ExtractionJob:
    """Put what was read into the vault's graph; return the job, which says so if that failed.

    The next indexing run does what this one could not.
    """
    problem = await _index(settings)
    if problem is None:
        return job
    told = replace(job, error=f"What was read is not in the graph yet: {problem}")
    await asyncio.to_thread(save_job, settings.inferred_path, told)
    return told


async def _index(settings: Settings) -> str | None:
    """Bring the graph up to date, or say why it is not."""
    from graphs.app import open_brain

    given = settings.model_dump(exclude={"vault", "data_dir"})
    try:
        async with open_brain(settings.vault, data_dir=settings.data_dir, **given) as brain:
            report = await brain.index()
    except BrainError as error:
        return str(error)
    return next((one.error for one in report.warnings if one.source in ("graph", SOURCE)), None)


# --- in the background ---------------------------------------------------------------------


def extraction_service(settings: Settings, folders: Sequence[str] = ()) -> Service:
    """Describe the process that reads these folders, with the settings of this one."""
    return Service(
        name=NAME,
        module="graphs.jobs.extraction",
        socket=settings.run_dir / f"{NAME}.sock",
        arguments=graph_service(settings).arguments,
        # Folders are named to this user's processes only, unlike what stands among arguments.
        environment=(*settings.environment(), (_FOLDERS, json.dumps(list(folders)))),
        models=True,
    )


async def start_in_background(
    settings: Settings, folders: Sequence[str], *, notes: int = 0, parts: int = 0
) -> None:
    """Start a run that outlives this process; it logs to ``logs/extract.log``.

    Until it begins it is told of as waiting, with what there is to read as foreseen. Raises
    InputError while one is under way, StorageError where the data directory cannot be used.
    """
    if is_extracting(settings):
        raise InputError("Notes of this vault are being read already: see `brain status`.")
    await asyncio.to_thread(mark_waiting, settings, folders, notes=notes, parts=parts)
    await asyncio.to_thread(launch, extraction_service(settings, folders))


async def stop_extraction(settings: Settings) -> bool:
    """End the run in the background; return whether there was one. What is read is kept."""
    return await stop(extraction_service(settings))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the job until it is done or told to end; the last log line says which."""
    options = server_arguments("graphs.jobs.extraction").parse_args(arguments)
    return run_server(
        NAME, lambda: _serve(options.run_dir, owner=options.owner), data_dir=options.data_dir
    )


def _serve(run_dir: Path, *, owner: int | None) -> int:
    settings = load_settings()
    # To the very end: whoever ends the servers has to find and await this process first.
    with only_extraction(settings), announced(run_dir / f"{NAME}.sock"):
        return asyncio.run(_work(settings, owner=owner))


async def _work(settings: Settings, *, owner: int | None) -> int:
    async with until_ended(owner) as stopping:
        folders = tuple(json.loads(os.environ.get(_FOLDERS, "[]")))
        job = await _extract(settings, folders, stopping=stopping)
        with suppress(StoppedError):
            job = await unless(stopping, taken_over(settings, job))
    log(NAME, f"{job.state}: {job.notes_done} of {job.notes} notes. {job.error or ''}".strip())
    return 0 if job.state == "finished" else 1


if __name__ == "__main__":
    sys.exit(main())
