"""Connections of the tiers, as tests of access make them."""

import os
from pathlib import Path

from graphs.core.graph_backends import embedded_graph, graph_for
from tools.graph.access.secrets import Login
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.cypher.graphiti_models import GRAPH
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

MAIN, STAGING, OTHERS = GRAPH, f"{GRAPH}-staging", "another-vault"
READ, WRITE = "MATCH (n) RETURN count(n)", "CREATE (:Entity {uuid: 'x'})"


def settings_of(folder: Path, name: str = "vault", **given: object) -> Settings:
    vault = folder / name
    vault.mkdir(exist_ok=True)
    (vault / "A.md").write_text("A note.", "utf-8")
    return load_settings(
        vault=vault, data_dir=folder / f"{name}-data", services_owner=os.getpid(), **given
    )


async def sent(backend: FalkorBackend, *command: str) -> object:
    try:
        return await backend.attempt(lambda: backend.client.execute_command(*command))
    finally:
        await backend.close()


async def as_owner(settings: Settings, *commands: tuple[str, ...]) -> None:
    for command in commands:
        await sent(embedded_graph(settings, MAIN), *command)


def connection(settings: Settings, login: Login, *, staging: bool = False) -> FalkorBackend:
    backend = graph_for(settings, login, staging=staging)
    assert isinstance(backend, FalkorBackend)
    return backend


async def answer(
    settings: Settings, login: Login, *, cypher: str, staging: bool = False
) -> list[list[object]]:
    """What a connection of its own is answered, or refused, with a login."""
    backend = graph_for(settings, login, staging=staging)
    try:
        return await backend.query(cypher)
    finally:
        await backend.close()
