"""The users of a FalkorDB server, by the commands of Redis that are an administrator's."""

from collections.abc import Sequence
from typing import cast

from tools.base.errors import NotPermittedError, SourceError
from tools.graph.access.secrets import Login
from tools.graph.access.tiers import OWNER, secret_hash
from tools.graph.backends.falkor import FalkorBackend


class FalkorUsers:
    """The users of a FalkorDB server, each as the line that the server describes it by."""

    def __init__(self, backend: FalkorBackend) -> None:
        self._backend = backend

    async def __aenter__(self) -> "FalkorUsers":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._backend.close()

    async def users(self) -> list[str]:
        found = await self._run("ACL", "LIST")
        return [str(line) for line in cast("list[object]", found)]

    async def set_user(self, user: str, rules: Sequence[str]) -> None:
        await self._run("ACL", "SETUSER", user, *rules)

    async def delete(self, users: Sequence[str]) -> bool:
        """Remove users, which ends their connections; say whether there was one."""
        return bool(await self._run("ACL", "DELUSER", *dict.fromkeys(users)))

    async def end_connections(self, user: str) -> None:
        """End all connections of a user but this one: they would stay what they are."""
        await self._run("CLIENT", "KILL", "USER", user, "SKIPME", "yes")

    async def save(self) -> bool:
        """Have the server write its users to its file; False where it has none."""
        try:
            await self._run("ACL", "SAVE")
        except NotPermittedError:
            raise
        except SourceError as error:
            if "ACL file" not in str(error.__cause__):
                raise
            return False
        return True

    async def keeps_users(self) -> bool:
        try:
            found = await self._run("CONFIG", "GET", "aclfile")
        except SourceError:  # a server of others need not tell
            return False
        # A map or, by the older protocol, a list of names and values.
        return found not in ([], {}, ["aclfile", ""], {"aclfile": ""})

    async def _run(self, *command: str) -> object:
        try:
            return await self._backend.attempt(
                lambda: self._backend.client.execute_command(*command)
            )
        except NotPermittedError as error:
            raise NotPermittedError(
                f"The graph server does not let its login run `{' '.join(command[:2])}`: name an "
                "administrator in BRAIN_GRAPH_USER and BRAIN_GRAPH_PASSWORD, or have one run what "
                "`brain access provision --print` prints."
            ) from error


def is_there(login: Login, lines: Sequence[str]) -> bool:
    return any(
        line.startswith(f"user {login.user} on ") and f"#{secret_hash(login.secret)}" in line
        for line in lines
    )


def is_open(lines: Sequence[str]) -> bool:
    """Whether who gives no name and no password is let in, and may do everything."""
    return any(line.startswith(f"user {OWNER} on ") and " nopass " in line for line in lines)
