"""What the graph store asks of a database: one graph, questions, and changes that land whole."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from graphiti_core.driver.driver import GraphDriver

type Row = list[object]


class Writer(Protocol):
    """One change under way. Graphiti's bulk writer takes it for its own session."""

    async def run(
        self, query: str | list[tuple[str, dict[str, object]]], **parameters: object
    ) -> None:
        """Add a statement, or several with their own parameters, to the change."""
        ...


type Work = Callable[["GraphDriver", Writer], Awaitable[None]]
"""What runs the statements of one change; it may be run twice."""


class GraphBackend(Protocol):
    """A database that holds the graph of one vault, for one event loop.

    Every method may raise ServiceUnavailableError when nobody answers, SourceError for a query
    that fails. Datetimes go in and come out as zoned datetimes in UTC, whatever the database keeps.
    """

    async def query(self, cypher: str, **parameters: object) -> list[Row]:
        """The rows of one of our queries; whatever varies is a parameter."""
        ...

    async def change(self, work: Work) -> None:
        """Run all statements of ``work`` as one change: nobody ever sees a part of it."""
        ...

    async def prepare(self) -> None:
        """Build the indices that are missing."""
        ...

    async def clear(self) -> None:
        """Forget the whole graph."""
        ...

    async def close(self) -> None: ...
