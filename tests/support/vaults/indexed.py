"""A vault with its index and its servers, as tests open and ask it."""

import asyncio
import os
import shutil
from collections.abc import Collection, Generator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import pytest

from graphs.app import open_brain
from graphs.brain import Brain
from tests.support.processes import command_line
from tests.support.vaults.notes import write_notes
from tools.runtime.services import graph_service, semantic_service, stop
from tools.settings.loading import load_settings

NOW = datetime(2025, 11, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """A vault, its data directory, and how to open them as a library or from a shell."""

    vault: Path
    data_dir: Path

    def open(self, **settings: Any) -> AbstractAsyncContextManager[Brain]:
        # On a busy machine a search may take longer than a person would wait for it.
        given: dict[str, Any] = {"mode": "local", "source_timeout": 20.0, **settings}
        return open_brain(
            self.vault,
            data_dir=self.data_dir,
            clock=lambda: NOW,
            services_owner=os.getpid(),
            **given,
        )

    @property
    def environment(self) -> dict[str, str]:
        return command_line.environment(self.vault, self.data_dir)

    def index(self) -> None:
        """Bring the index up to date."""

        async def bring() -> None:
            async with self.open() as brain:
                await brain.index()

        asyncio.run(bring())

    def clear(self, *, but: Collection[str]) -> None:
        """Delete what is in the data directory but what is called ``but`` so, and locks.

        Beside a store that stays, what is called like it stays too: SQLite has files of its own.
        """
        for entry in self.data_dir.iterdir() if self.data_dir.exists() else ():
            if not entry.name.startswith(tuple(but)) and entry.suffix != ".lock":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()

    def while_indexed(self) -> Generator[Self]:
        """What a fixture does: index, hand this out, end the servers."""
        self.index()
        try:
            yield self
        finally:
            self.stop_servers()

    def stop_servers(self) -> None:
        stop_servers_of(self.vault, self.data_dir)


def of_notes(notes: Mapping[str, str], folders: pytest.TempPathFactory) -> Generator[Indexed]:
    """What a fixture does for a vault of these notes, each by its path."""
    vault = folders.mktemp("vault")
    write_notes(vault, notes)
    yield from Indexed(vault=vault, data_dir=folders.mktemp("data")).while_indexed()


def stop_servers_of(vault: Path, data_dir: Path) -> None:
    """End the local servers of a vault."""
    settings = load_settings(vault=vault, data_dir=data_dir)
    for service in (semantic_service(settings), graph_service(settings)):
        asyncio.run(stop(service))
