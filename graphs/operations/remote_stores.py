"""What of a vault is in stores at addresses: look at it, forget it, give it a new name."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from graphs.core.graph_backends import graph_backend, staging_graph, vault_graphs
from graphs.operations.checks import REPAIR, Check, checked
from graphs.stores.store_marks import chroma_address
from tools.base.errors import BrainError, NoDatabaseError, NotPermittedError, StorageError
from tools.semantic.chroma_server import ChromaAddress, ChromaServer
from tools.settings.settings import Settings
from tools.text.voice import counted

if TYPE_CHECKING:
    from graphs.checkpoints.postgres import SchemaContents
    from tools.graph.cypher.port import GraphBackend


class RemoteStore(Protocol):
    """The part of one store at an address that is this vault's.

    Every method may raise a BrainError that says why the store cannot be used.
    """

    @property
    def name(self) -> str:
        """What is kept there, in words."""
        ...

    @property
    def setting(self) -> str:
        """The environment variable that has the address."""
        ...

    @property
    def can_be_made_again(self) -> bool:
        """Whether indexing makes it again once it is gone."""
        ...

    async def check(self) -> Check:
        """Whether it can be used, and what is there."""
        ...

    async def repair(self) -> list[str]:
        """Put right what ``check`` finds; say what was done."""
        ...

    async def delete(self) -> list[str]:
        """Delete what is there of this vault, and nothing else; say what of it has to stay."""
        ...

    async def move(self, to: Settings) -> None:
        """Have it be of the vault of these settings; what can be made again may go instead."""
        ...


def remote_stores(settings: Settings) -> list[RemoteStore]:
    """The stores of these settings that are at addresses."""
    found: list[RemoteStore] = []
    if (address := chroma_address(settings)) is not None:
        found.append(_Vectors(address))
    if settings.graph_uri is not None:
        found.append(_Graph(settings))
    if settings.checkpoint_uri is not None:
        uri = settings.checkpoint_uri.get_secret_value()
        found.append(_Questions(uri=uri, vault=settings.vault_mark))
    return found


async def examine_remote_stores(settings: Settings) -> list[Check]:
    """Look at each store at an address."""
    stores = remote_stores(settings)
    return list(await asyncio.gather(*(checked(store.setting, store.check()) for store in stores)))


async def repair_remote_stores(settings: Settings) -> list[str]:
    """Put right what can be in stores at addresses; say what was done, and what cannot be used."""
    done: list[str] = []
    for store in remote_stores(settings):
        try:
            if not (await store.check()).ok:
                done += await store.repair()
        except BrainError as error:  # another machine's, or another user's, to mend
            done.append(f"{store.setting}: {error}")
    return done


async def require_reached(stores: Sequence[RemoteStore], *, otherwise: str) -> None:
    """Raise StorageError, which begins with ``otherwise``, unless all of them can be used."""
    for store in stores:
        try:
            await store.check()
        except BrainError as error:
            raise StorageError(
                f"{otherwise}: {str(error).removesuffix('.')}. Without {store.setting} only what "
                "is on this machine is meant."
            ) from error


# --- vectors -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Vectors:
    address: ChromaAddress
    name: str = "vectors"
    setting: str = "BRAIN_CHROMA_URL"
    can_be_made_again: bool = True

    async def check(self) -> Check:
        def find() -> str:
            with _chroma(self.address) as server:
                version, count = server.reach(), server.count()
            vectors = counted(count, "vector of this vault is", "vectors of this vault are")
            return f"Chroma {version} answers; {vectors} there."

        return Check(name=self.setting, ok=True, detail=await asyncio.to_thread(find))

    async def repair(self) -> list[str]:
        return []

    async def delete(self) -> list[str]:
        def forget() -> None:
            with _chroma(self.address) as server:
                server.forget()

        await asyncio.to_thread(forget)
        return []

    async def move(self, to: Settings) -> None:
        def rename() -> None:
            with _chroma(self.address) as server:
                server.rename(to.chroma_collection)

        await asyncio.to_thread(rename)


@contextmanager
def _chroma(address: ChromaAddress) -> Generator[ChromaServer]:
    server = ChromaServer(address)
    try:
        yield server
    finally:
        server.close()


# --- graph -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Graph:
    settings: Settings
    name: str = "graph"
    setting: str = "BRAIN_GRAPH_URI"
    can_be_made_again: bool = True

    async def check(self) -> Check:
        async with _database(graph_backend(self.settings)) as database:
            await database.reach()
        return Check(name=self.setting, ok=True, detail="The graph database answers.")

    async def repair(self) -> list[str]:
        return []

    async def delete(self) -> list[str]:
        async with _database(graph_backend(self.settings)) as database:
            await database.clear()
        try:
            async with _database(staging_graph(self.settings, None)) as staging:
                await staging.clear()
        except NoDatabaseError:
            pass  # nothing was ever staged there
        except NotPermittedError:
            name = vault_graphs(self.settings).staging
            stays = f"The staging graph {name!r} on the server of {self.setting} stays"
            return [
                f"{stays}: the login may not delete it, so an administrator of the server does."
            ]
        return []

    async def move(self, to: Settings) -> None:
        """Every node carries the vault's name, so it is made anew: from history, list of notes."""
        del to
        await self.delete()


@asynccontextmanager
async def _database(backend: "GraphBackend") -> "AsyncGenerator[GraphBackend]":
    try:
        yield backend
    finally:
        await backend.close()


# --- open questions ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Questions:
    uri: str
    vault: str
    name: str = "open questions"
    setting: str = "BRAIN_CHECKPOINT_URI"
    can_be_made_again: bool = False

    async def check(self) -> Check:
        with _postgres():
            found = await self._look()
        if found.unreadable:
            return Check(
                name=self.setting,
                ok=False,
                detail=f"{len(found.unreadable)} of {counted(found.threads, 'thread')} of "
                f"questions cannot be read: {REPAIR}.",
            )
        match found.state:
            case "absent":
                detail = "Postgres answers; the next command makes its tables."
            case "outdated":
                detail = "Postgres answers; the next command brings its tables up."
            case "ready":
                threads = counted(found.threads, "thread")
                detail = f"Postgres answers; {threads} of questions can be read."
        return Check(name=self.setting, ok=True, detail=detail)

    async def repair(self) -> list[str]:
        with _postgres():
            from graphs.checkpoints.postgres import forget_threads

            found = await self._look()
            await forget_threads(self.uri, found.unreadable, vault=self.vault)
        lost = counted(
            len(found.unreadable),
            "thread that cannot be read was deleted",
            "threads that cannot be read were deleted",
        )
        return [f"{self.setting}: {lost}; their questions have to be asked again."]

    async def delete(self) -> list[str]:
        with _postgres():
            from graphs.checkpoints.postgres import drop_schema

            await drop_schema(self.uri, vault=self.vault)
        return []

    async def move(self, to: Settings) -> None:
        with _postgres():
            from graphs.checkpoints.postgres import rename_schema

            await rename_schema(self.uri, vault=self.vault, to=to.vault_mark)

    async def _look(self) -> "SchemaContents":
        from graphs.checkpoints.factory import serializer
        from graphs.checkpoints.postgres import inspect_schema

        return await inspect_schema(self.uri, vault=self.vault, serde=serializer())


@contextmanager
def _postgres() -> Generator[None]:
    """Have what its module raises be errors of ours; it loads much, and needs an extra."""
    from graphs.checkpoints.factory import require_postgres

    require_postgres()
    from graphs.checkpoints.postgres import UnreachedError

    try:
        yield
    except UnreachedError as error:
        raise StorageError(f"{error}: start it or check the setting.") from error
