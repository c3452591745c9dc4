"""A Chroma server at an address: within time limits, with plain errors, never a secret in them.

Chroma's own client waits for ever and says whatever the server said.
"""

import hashlib
import json
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self, override
from urllib.parse import quote, urlsplit

from pydantic_core import from_json

from tools.base.errors import ServiceUnavailableError, SourceError, StorageError
from tools.runtime.disk_space import is_no_space_message

if TYPE_CHECKING:
    from chromadb.api import ServerAPI
    from chromadb.api.models.Collection import Collection
    from chromadb.types import Collection as CollectionModel

CONTACT_SECONDS = 4.0
"""How long a server may take to be connected to, and to answer what is no work."""
_WORK_SECONDS = 60.0
"""How long it may take to store, delete or list vectors."""
_GIVEN_UP_SECONDS = 10.0
"""How long one that took longer is not asked again: many questions wait once."""

_MOST_BYTES = 64 << 20
"""No answer of a Chroma server to a request of ours is so long."""

_LOOPBACK = ("127.0.0.1", "::1", "localhost")

_UNREACHED = (
    "The Chroma server cannot be reached; the other sources still answer. "
    "Start it, or check BRAIN_CHROMA_URL, then ask again."
)
_SILENT = (
    "The Chroma server does not answer in time; the other sources still answer. "
    "Restart it, or check BRAIN_CHROMA_URL, then ask again."
)
_REFUSED = (
    "The Chroma server refused the login; the other sources still answer. Check BRAIN_CHROMA_TOKEN."
)
_NO_CHROMA = (
    "What answers at BRAIN_CHROMA_URL is no Chroma server of version 1 or newer; the other "
    "sources still answer. Check the address, or update the server."
)
_NO_DATABASE = (
    "The Chroma server has no database of this name; the other sources still answer. "
    "Check BRAIN_CHROMA_TENANT and BRAIN_CHROMA_DATABASE."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromaAddress:
    """Where on which server the vault's vectors are."""

    url: str
    token: str = field(default="", repr=False)
    tenant: str
    database: str
    collection: str

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self | None:
        """The address that a semantic server was started with, if it was given one."""
        if not environment.get("BRAIN_CHROMA_URL"):
            return None
        return cls(
            url=environment["BRAIN_CHROMA_URL"],
            token=environment["BRAIN_CHROMA_TOKEN"],
            tenant=environment["BRAIN_CHROMA_TENANT"],
            database=environment["BRAIN_CHROMA_DATABASE"],
            collection=environment["BRAIN_CHROMA_COLLECTION"],
        )

    @property
    def mark(self) -> str:
        """What tells this address and its token from others without showing them."""
        parts = (self.url, self.token, self.tenant, self.database, self.collection)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def store_mark(environment: Mapping[str, str]) -> str:
    """The mark of the store that ``environment`` names; empty for the data directory."""
    address = ChromaAddress.read(environment)
    return address.mark if address else ""


class RefusedByChromaError(Exception):
    """What Chroma says of a request: the name of an error of its own, and a message."""


class ChromaServer:
    """Requests to the server, for any number of threads.

    Each may raise SourceError, StorageError and RefusedByChromaError.
    """

    def __init__(self, address: ChromaAddress) -> None:
        import httpx

        self._address = address
        host = urlsplit(address.url).hostname
        headers = {"content-type": "application/json"}
        if address.token:  # a proxy looks for the first, Chroma Cloud for the second
            headers |= {"authorization": f"Bearer {address.token}", "x-chroma-token": address.token}
        self._http = httpx.Client(
            base_url=f"{address.url}/api/v2",
            headers=headers,
            timeout=httpx.Timeout(CONTACT_SECONDS),
            trust_env=host not in _LOOPBACK,
        )
        self._silent_until = 0.0

    def close(self) -> None:
        self._http.close()

    def reach(self) -> str:
        """The server's version. Raises SourceError unless we can use it and its database."""
        try:
            version = self.ask("GET", "/version", seconds=CONTACT_SECONDS)
        except RefusedByChromaError as error:
            raise SourceError(_NO_CHROMA) from error
        major = version.split(".")[0] if isinstance(version, str) else ""
        if not major.isdecimal() or int(major) < 1:
            raise SourceError(_NO_CHROMA)
        try:
            self.ask("GET", self._database, seconds=CONTACT_SECONDS)
        except RefusedByChromaError as error:
            raise SourceError(_NO_DATABASE) from error
        return str(version)

    def count(self) -> int:
        """How many vectors the vault has there."""
        try:
            found = self._found(self._address.collection)
            if found is None:
                return 0
            return int(self.ask("GET", f"{found}/count", seconds=CONTACT_SECONDS))
        except RefusedByChromaError:
            return 0
        except (TypeError, ValueError) as error:
            raise SourceError(_NO_CHROMA) from error

    def forget(self) -> None:
        """Delete the vault's vectors, if there are any."""
        self._delete(self._address.collection)

    def rename(self, collection: str) -> None:
        """Have the vault's vectors called otherwise; those that are called so already go."""
        found = self._found(self._address.collection)
        if found is None or collection == self._address.collection:
            return
        self._delete(collection)
        named = json.dumps({"new_name": collection}).encode()
        try:
            self.ask("PUT", found, content=named, seconds=_WORK_SECONDS)
        except RefusedByChromaError as error:
            raise StorageError("The Chroma server does not rename a collection.") from error

    def _found(self, collection: str) -> str | None:
        """The path of a collection by its id, which requests about what is in it want."""
        try:
            found = self.ask("GET", f"{self._collections}/{collection}", seconds=CONTACT_SECONDS)
            return f"{self._collections}/{found['id']}"
        except RefusedByChromaError:
            return None
        except (KeyError, TypeError) as error:
            raise SourceError(_NO_CHROMA) from error

    def _delete(self, collection: str) -> None:
        with suppress(RefusedByChromaError):  # there is none
            self.ask("DELETE", f"{self._collections}/{collection}", seconds=_WORK_SECONDS)

    @property
    def _database(self) -> str:
        return f"/tenants/{self._address.tenant}/databases/{self._address.database}"

    @property
    def _collections(self) -> str:
        return f"{self._database}/collections"

    def ask(
        self,
        method: str,
        path: str,
        *,
        content: bytes | None = None,
        params: Mapping[str, Any] | None = None,
        seconds: float,
    ) -> Any:
        """Give the answer to one request, as JSON; it may take some ``seconds``."""
        import httpx

        if time.monotonic() < self._silent_until:
            raise ServiceUnavailableError(_SILENT)
        deadline = time.monotonic() + seconds
        said = bytearray()
        try:
            with self._http.stream(
                method,
                quote(path, safe="/"),
                content=content,
                params=params,
                timeout=httpx.Timeout(seconds, connect=CONTACT_SECONDS),
            ) as response:
                # The client's own limit is between two parts of an answer, of which any may come.
                for part in response.iter_bytes():
                    said += part
                    if len(said) > _MOST_BYTES:
                        raise SourceError(_NO_CHROMA)
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("the answer does not end")
        except httpx.TimeoutException as error:
            self._silent_until = time.monotonic() + _GIVEN_UP_SECONDS
            raise ServiceUnavailableError(_SILENT) from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise ServiceUnavailableError(_UNREACHED) from error
        try:
            answer = from_json(bytes(said))
        except ValueError:
            raise _failure(response.status_code, None) from None
        if response.is_success:
            return answer
        raise _failure(response.status_code, answer)


def _failure(status: int, answer: object) -> Exception:
    match answer:
        case {"error": str(name), "message": str(message)}:
            pass
        case _:
            name = message = ""
    if status in (401, 403):
        return SourceError(_REFUSED)
    if is_no_space_message(message):
        return StorageError(
            "The Chroma server's disk is full, or its quota used up; the other sources still "
            "answer. Free some space there and try again."
        )
    if name.endswith("Error"):
        return RefusedByChromaError(name, message)
    if status in (429, 502, 503, 504):
        return ServiceUnavailableError(_UNREACHED)
    if status >= 500:
        return SourceError(
            f"The Chroma server failed (status {status}); the other sources still answer. "
            "See its log, then ask again."
        )
    return SourceError(_NO_CHROMA)


class ServerHome:
    """The collection on the server; a ``Home`` of the index."""

    def __init__(self, address: ChromaAddress) -> None:
        # Whole and by one thread: its modules import each other in circles, so that two
        # threads that begin in different places are refused as a deadlock.
        import_module("chromadb.api.fastapi")

        self._address = address
        self._server = ChromaServer(address)
        self._api: ServerAPI | None = None

    def open(self) -> None:
        """See Home; also finds out whether the server can be used."""
        self._server.reach()
        if self._api is None:
            self._api = _api(self._server)

    def get(self) -> "Collection":
        address = self._address
        return self._collection(
            self._opened.get_collection(
                address.collection, tenant=address.tenant, database=address.database
            )
        )

    def create(self, metadata: Mapping[str, Any], configuration: Any) -> "Collection":
        address = self._address
        return self._collection(
            self._opened.create_collection(
                address.collection,
                metadata=dict(metadata),
                configuration=configuration,
                get_or_create=True,  # another computer may just have made it
                tenant=address.tenant,
                database=address.database,
            )
        )

    def drop(self) -> None:
        address = self._address
        self._opened.delete_collection(
            address.collection, tenant=address.tenant, database=address.database
        )

    @contextmanager
    def errors(self) -> Generator[None]:
        from chromadb.errors import ChromaError

        try:
            yield
        except ChromaError as error:
            raise StorageError(
                "The Chroma server cannot read or write the vectors; the other sources still "
                "answer. See its log; `brain index --rebuild` makes them anew."
            ) from error
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            # Its own client believes every answer to have the right shape.
            raise SourceError(_NO_CHROMA) from error

    def close(self) -> None:
        self._server.close()

    @property
    def _opened(self) -> "ServerAPI":
        if self._api is None:
            raise RuntimeError("the server was not opened")
        return self._api

    def _collection(self, model: "CollectionModel") -> "Collection":
        from chromadb.api.models.Collection import Collection

        return Collection(client=self._opened, model=model, embedding_function=None)


def _api(server: ChromaServer) -> "ServerAPI":
    """Chroma's own client, with its requests going through ``server``."""
    import orjson
    from chromadb.api.fastapi import FastAPI
    from chromadb.config import Settings, System
    from chromadb.errors import InternalError, error_types

    class Api(FastAPI):
        @override
        def _make_request(self, method: str, path: str, **kwargs: Any) -> Any:
            content = kwargs.get("content")
            if "json" in kwargs:
                content = orjson.dumps(kwargs["json"], option=orjson.OPT_SERIALIZE_NUMPY)
            quick = path.endswith(("/query", "/count"))
            try:
                return server.ask(
                    method.upper(),
                    path,
                    content=content,
                    params=kwargs.get("params"),
                    seconds=CONTACT_SECONDS if quick else _WORK_SECONDS,
                )
            except RefusedByChromaError as error:
                name, message = error.args
                raise error_types.get(name, InternalError)(message) from error

    # Its own session is never used; it needs a host nevertheless.
    unused = Settings(
        chroma_server_host="127.0.0.1", chroma_server_http_port=0, anonymized_telemetry=False
    )
    return Api(System(unused))
