"""Composition root: settings → stores, decisions, compiled graphs; the Python way in.

``query``, ``chat``, ``ingest`` and ``link`` are the factories that ``langgraph.json`` names;
LangGraph brings its own checkpointer there.
"""

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    closing,
    nullcontext,
)
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING

from langgraph.checkpoint.base import BaseCheckpointSaver

from agents.answerer.answerer import make_answerer
from agents.interpreter.classifiers.head import vector_text
from agents.interpreter.interpreter import make_interpreter
from agents.interpreter.plan import without_command
from agents.judge.judge import Judgement, judge
from agents.llm.admission import ModelChecks
from agents.llm.language_model import given_model, language_model, name_of
from agents.llm.structured import StructuredModel
from agents.reranker.reranker import make_reranker
from graphs.brain import Brain
from graphs.chat import graph as chatting
from graphs.checkpoints.factory import open_checkpoints
from graphs.contradictions.report import ScannedConflicts
from graphs.core.deps import Deps, Judge
from graphs.core.graph_backends import graph_backend
from graphs.core.nodes import Builder, Graph, compiled
from graphs.core.prefetch import Prefetch
from graphs.core.vault_names import names_of
from graphs.ingest import graph as ingesting
from graphs.ingest.freshness import FreshnessMonitor
from graphs.links.reviewing import graph as linking
from graphs.query import graph as querying
from graphs.stores.ownership import claim
from graphs.stores.server_start import start_servers
from graphs.stores.servers import LocalServers
from tools.base.domain import Claim, Mode
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.extraction.store import InferredStore
from tools.runtime.garbage import spare_what_is_loaded
from tools.runtime.llm_cache import ReplyCache
from tools.runtime.process_name import process_name
from tools.runtime.services import semantic_service
from tools.runtime.telemetry_off import silence_telemetry
from tools.runtime.tracing import begin_tracing
from tools.semantic.client import SemanticClient
from tools.semantic.index import Vectors
from tools.settings.loading import load_settings
from tools.settings.settings import Settings
from tools.temporal.clock import local_now
from tools.vault.catalog.catalog import Catalog
from tools.vault.history.history import History
from tools.vault.watch.watching import VaultWatch

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_sharing = threading.Lock()


@asynccontextmanager
async def open_brain(
    vault: str | os.PathLike[str] | None = None,
    *,
    data_dir: str | os.PathLike[str] | None = None,
    clock: Callable[[], datetime] | None = None,
    saver: BaseCheckpointSaver[str] | None = None,
    model: "BaseChatModel | None" = None,
    **settings: object,
) -> AsyncGenerator[Brain]:
    """Open a vault to ask; the servers it needs stay up for others when it is closed.

    What is not given comes from the environment or ``brain.toml``; a ``saver`` takes the threads
    in place of where those wait. Any chat model of LangChain may be given as ``model`` in place of
    the configured one: it reads, judges and writes in mode ``llm``, and in ``auto`` where `brain
    model check` found one of its name to be better. The local servers are started if they are not
    running, and shared. Raises InputError and StorageError.
    """
    chosen = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir, **settings)
    await asyncio.to_thread(begin_tracing, chosen.otel)
    await asyncio.to_thread(start_servers, chosen)
    deps = await asyncio.to_thread(make_deps, chosen, clock=clock, chat=model)
    if process_name() is not None:
        spare_what_is_loaded()
    try:
        async with _kept_threads(chosen) if saver is None else nullcontext(saver) as threads:
            brain = Brain(deps, saver=threads)
            try:
                yield brain
            finally:
                await brain.close_logins()
    finally:
        await deps.close()


def _kept_threads(settings: Settings) -> AbstractAsyncContextManager[BaseCheckpointSaver[str]]:
    """Where threads wait, for other processes too."""
    kept = None if settings.read_only else settings.checkpoint_path
    return open_checkpoints(kept, uri=settings.checkpoint_uri, vault=settings.vault_mark)


def make_deps(
    settings: Settings,
    *,
    clock: Callable[[], datetime] | None = None,
    chat: "BaseChatModel | None" = None,
) -> Deps:
    """Wire the stores and the decisions. Raises StorageError and StoreVersionError.

    What was opened is closed where a later step fails.
    """
    local_now()  # its zone is read here, not by a question
    claim(settings)
    index = SemanticClient(semantic_service(settings))
    store = GraphitiStore(graph_backend(settings))
    servers = LocalServers(settings, index, store)
    model, model_name = _model(settings, settings.chat_model), settings.chat_model
    if chat is not None:
        model, model_name = given_model(chat, timeout=settings.model_timeout), name_of(chat)
    checks = ModelChecks(settings.model_checks)
    now = clock or local_now
    reading = Prefetch[str, Vectors](
        lambda text: index.read_question(text, timeout=servers.patience())
    )
    tagging = Prefetch[str, Vectors](
        lambda text: index.tag_question(text, timeout=servers.patience())
    )

    def foresee(question: str) -> None:
        # A server that does not answer yet is started first.
        if index.ready:
            said = without_command(question)
            tagging.begin(said)
            reading.begin(vector_text(said))

    with ExitStack() as opened:
        catalog = opened.enter_context(closing(Catalog(settings.index_path)))
        history = opened.enter_context(
            closing(History(settings.history_path, folders=settings.folders))
        )
        known_conflicts = opened.enter_context(closing(ScannedConflicts(settings)))
        watch = VaultWatch(settings.vault, fences=settings.fences_dir)
        catching_up = opened.enter_context(
            closing(FreshnessMonitor(settings, catalog, history, clock=now, watch=watch))
        )

        async def close() -> None:
            try:
                await index.aclose()
                await store.close()
            finally:
                await asyncio.to_thread(held.close)

        deps = Deps(
            settings=settings,
            clock=now,
            catalog=catalog,
            history=history,
            inferred=InferredStore(settings.inferred_path, model=settings.chat_model),
            index=index,
            graph=store,
            graph_writer=store,
            interpret=make_interpreter(
                model,
                read_question=reading,
                tag_question=tagging,
                name=model_name,
                kept=ReplyCache(settings.readings_path),
                admitted=partial(checks.admits, model_name, "interpreter"),
            ),
            judge=_judge(settings, index, model, lambda: checks.admits(model_name, "judge")),
            rerank=make_reranker(_model(settings, name))
            if (name := settings.rerank_model)
            else None,
            write=make_answerer(
                model,
                expected=chat is not None or settings.model_named,
                refusal=partial(checks.refusal, model_name, "answerer"),
            ),
            catch_up=catching_up,
            foresee=foresee,
            embed_question=partial(index.read_question, timeout=settings.source_timeout),
            weigh=servers.weigh,
            relate=index.relate,
            known_conflicts=known_conflicts,
            vault_names=names_of(catalog),
            wake=servers.wake,
            use_encoder=servers.use_encoder,
            empty_graph=servers.empty_graph,
            close=close,
        )
        held = opened.pop_all()
    return deps


def _judge(
    settings: Settings,
    index: SemanticClient,
    model: StructuredModel,
    admitted: Callable[[], bool],
) -> Judge:
    async def judge_claims(claims: Sequence[Claim], mode: Mode, outright: bool) -> Judgement:
        # A semantic server that hangs must not keep the answer; a model is waited for longer.
        limit = settings.model_timeout if mode == "llm" else settings.source_timeout
        return await judge(
            claims,
            relate=partial(index.relate, timeout=limit),
            model=model if mode == "llm" or admitted() else None,
            mode=mode,
            outright=outright,
        )

    return judge_claims


def _model(settings: Settings, name: str) -> StructuredModel:
    return language_model(url=settings.ollama_url, name=name, timeout=settings.model_timeout)


async def query() -> Graph:
    """Factory for LangGraph Studio and Server: the question graph of the configured vault."""
    return await asyncio.to_thread(_shared, querying.build)


async def ingest() -> Graph:
    """Factory for LangGraph Studio and Server: the indexing graph of the configured vault."""
    return await asyncio.to_thread(_shared, ingesting.build)


async def chat() -> Graph:
    """Factory for LangGraph Studio and Server: a conversation with the configured vault."""
    return await asyncio.to_thread(_shared, chatting.build)


async def link() -> Graph:
    """Factory for LangGraph Studio and Server: a review of links between the vault's notes."""
    return await asyncio.to_thread(_shared, linking.build)


def _shared(build: Callable[[Deps], Builder]) -> Graph:
    """This process's graph, compiled once: LangGraph's server may ask for it again and at once."""
    with _sharing:
        return _compiled_once(build)


@cache
def _compiled_once(build: Callable[[Deps], Builder]) -> Graph:
    return compiled(build(_shared_deps()))


@cache
def _shared_deps() -> Deps:
    silence_telemetry()
    settings = load_settings()
    begin_tracing(settings.otel)
    return make_deps(settings)
