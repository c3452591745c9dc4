"""Graphs that refuse notes: a real database that is told what it cannot run, and one in memory."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tests.fakes.graph import InMemoryGraph
from tools.graph.cypher.dialects import Dialect
from tools.graph.cypher.port import GraphBackend, Row, Statements, Work, Writer
from tools.graph.model import NoteGraph

if TYPE_CHECKING:
    from graphiti_core.driver.driver import GraphDriver


class RefusingBackend:
    """A backend whose database refuses one statement in the middle of some changes.

    They are those in which ``words`` stand among the values; all else is the database's own doing.
    """

    def __init__(self, backend: GraphBackend, *words: str) -> None:
        self.words = words
        self.changes = 0
        self._backend = backend

    @property
    def dialect(self) -> Dialect:
        return self._backend.dialect

    async def change(self, work: Work) -> None:
        async def half(driver: "GraphDriver", writer: Writer) -> None:
            told = Statements()
            await work(driver, told)
            values = repr([given for _, given in told.all])
            if any(word in values for word in self.words):
                middle = len(told.all) // 2
                told.all.insert(middle, ("RETURN $never_given", {}))
            await writer.run(told.all)

        self.changes += 1
        await self._backend.change(half)

    async def reach(self) -> None:
        await self._backend.reach()

    async def query(self, cypher: str, **parameters: object) -> list[Row]:
        return await self._backend.query(cypher, **parameters)

    async def flat(self, cypher: str, **parameters: object) -> list[Row]:
        return await self._backend.flat(cypher, **parameters)

    async def prepare(self) -> None:
        await self._backend.prepare()

    async def clear(self) -> None:
        await self._backend.clear()

    async def close(self) -> None:
        await self._backend.close()


class RefusingGraph(InMemoryGraph):
    """A graph in memory that refuses the notes at some paths."""

    def __init__(self, paths: Iterable[str]) -> None:
        super().__init__()
        self.refused = set(paths)

    async def replace(self, notes: Sequence[NoteGraph]) -> tuple[str, ...]:
        refused = [note for note in notes if note.entity.path in self.refused]
        await super().replace([note for note in notes if note not in refused])
        paths = tuple(note.entity.path for note in refused if note.entity.path is not None)
        await self.remove(paths)
        return paths
