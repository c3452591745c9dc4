"""What the graphs' nodes work with, as one typed object."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from agents.answerer.answerer import Answerer
from agents.interpreter.interpreter import Interpreter, ReadQuestion
from agents.interpreter.vault.questions import VaultNames
from agents.judge.judge import Judgement
from agents.judge.pair_scoring import Relate
from agents.reranker.reranker import Reranker
from tools.base.domain import Claim, Marked, Mode, Reading, Scores
from tools.claims.report import KnownConflicts
from tools.graph.extraction.store import InferredStore
from tools.graph.store import GraphReader, GraphStore
from tools.semantic.index import ChunkIndex
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog
from tools.vault.history.history import History
from tools.vault.indexing.indexing import Freshness

type Judge = Callable[[Sequence[Claim], Mode, bool], Awaitable[Judgement]]
"""Of claims, the best first; the last says whether changes or clashes are asked for outright."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deps:
    """Ports and decisions.

    ``clock`` gives the present moment with its zone. ``catch_up`` has the catalog say what is on
    disk, as far as a question may wait for it; it blocks. ``graph`` is asked with the login of
    whoever asks, ``graph_writer`` is the same graph as its indexer has it. ``foresee`` has reader
    and tagger begin with a question that ``interpret`` will be given. ``weigh`` gives for the
    marked parts of texts the logits that they answer the question, or None where the reader cannot
    be asked; ``relate`` reads pairs of claims, and raises BrainError where it cannot be asked;
    ``known_conflicts`` gives what a scan found between some notes, and blocks; ``embed_question``
    gives the vector of a text by the reader of questions. ``vault_names`` gives what the vault's
    things are called; it blocks. ``wake`` waits until the local servers answer; one that cannot be
    started says so when it is asked. ``use_encoder`` has the semantic server run the configured
    model; ``empty_graph`` forgets the graph, even one whose file is damaged. ``rerank`` is there
    where a setting names a model for it. ``close`` lets go of the stores.
    """

    settings: Settings
    clock: Callable[[], datetime]
    catalog: Catalog
    history: History
    inferred: InferredStore
    index: ChunkIndex
    graph: GraphReader
    graph_writer: GraphStore
    interpret: Interpreter
    judge: Judge
    rerank: Reranker | None
    write: Answerer
    catch_up: Callable[[], Freshness]
    foresee: Callable[[str], None]
    embed_question: ReadQuestion
    weigh: Callable[[Sequence[Marked], Reading], Awaitable[Scores | None]]
    relate: Relate
    known_conflicts: Callable[[Collection[str] | None], KnownConflicts]
    vault_names: Callable[[], VaultNames]
    wake: Callable[[], Awaitable[None]]
    use_encoder: Callable[[], Awaitable[None]]
    empty_graph: Callable[[], Awaitable[None]]
    close: Callable[[], Awaitable[None]]
