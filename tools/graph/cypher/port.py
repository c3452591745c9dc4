"""What the graph store asks of a database: one graph, questions, and changes that land whole."""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from tools.base.errors import SourceError
from tools.graph.cypher.dialects import Dialect

if TYPE_CHECKING:
    from graphiti_core.driver.driver import GraphDriver

QUERY_TIMEOUT_MS = 8000
"""A query that runs longer is ended by the server."""

NO_SENSE = (
    "The graph server gave an answer that makes no sense; the other sources still answer. "
    "Check that BRAIN_GRAPH_URI leads to a graph database, or restart it with `brain stop`."
)

NOT_PERMITTED = (
    "The graph database does not let this login do that; it refused. `brain access show` says "
    "which tier may."
)

type Row = list[object]
type CypherStatement = tuple[str, dict[str, object]]


class Writer(Protocol):
    """One change under way. Graphiti's bulk writer takes it for its own session."""

    async def run(self, query: str | list[CypherStatement], **parameters: object) -> None:
        """Add a statement, or several with their own parameters, to the change."""
        ...


@dataclass(slots=True)
class Statements:
    """A writer that only gathers, for databases that take a whole change at once."""

    all: list[CypherStatement] = field(default_factory=list[CypherStatement])

    async def run(self, query: str | list[CypherStatement], **parameters: object) -> None:
        self.all += query if isinstance(query, list) else [(query, parameters)]


type Work = Callable[["GraphDriver", Writer], Awaitable[None]]
"""What runs the statements of one change; it may be run twice."""


class GraphBackend(Protocol):
    """A database that holds the graph of one vault, for one event loop.

    Every method may raise ServiceUnavailableError when nobody answers, RefusedError for a query
    that the database will not run, SourceError for one that fails otherwise. A datetime goes in
    zoned and comes out zoned, or as its ISO text, in UTC.
    """

    @property
    def dialect(self) -> Dialect:
        """The statements that databases word differently."""
        ...

    async def reach(self) -> None:
        """Make sure that the database answers and is not another vault's; changes nothing."""
        ...

    async def query(self, cypher: str, **parameters: object) -> list[Row]:
        """The rows of one of our queries; whatever varies is a parameter."""
        ...

    async def flat(self, cypher: str, **parameters: object) -> list[Row]:
        """The rows of a query whose columns are text, numbers or null, which are read faster.

        A number that is not whole may arrive as its text.
        """
        ...

    async def change(self, work: Work) -> None:
        """Run all statements of ``work`` as one change: nobody ever sees a part of it.

        Of a change in which a statement is refused, FalkorDB keeps all others, Neo4j none.
        """
        ...

    async def prepare(self) -> None:
        """Build the indices that are missing."""
        ...

    async def clear(self) -> None:
        """Forget the whole graph."""
        ...

    async def close(self) -> None: ...


@contextmanager
def understood() -> Generator[None]:
    """Have an answer that the block cannot read told as this source's failure: SourceError."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise SourceError(NO_SENSE) from error


def storable(text: str) -> str:
    """``text`` without NUL, and with U+FFFD for each lone surrogate."""
    if "\0" in text:
        text = text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
