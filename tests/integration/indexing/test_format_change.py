"""An index of an older format is made anew, and what the encoder did for it is kept."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from graphs.app import open_brain
from tests.support.vaults.indexed import stop_servers_of
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration


async def test_an_index_of_an_older_format_is_made_anew_without_embedding_anything_again(
    write_vault: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    notes = {
        "2024-01-01 a.md": "Basil grows fast.",
        "2024-01-02 b.md": "supports:: [[2024-01-01 a]]",
    }
    vault = write_vault(notes)
    settings = load_settings(vault=vault, data_dir=tmp_path / "data")
    try:
        async with open_brain(
            vault, data_dir=tmp_path / "data", mode="local", services_owner=os.getpid()
        ) as brain:
            assert (await brain.index()).vectors_written == 2
        with closing(sqlite3.connect(settings.index_path)) as db:
            db.execute("DROP TABLE typed_links")
            db.execute("PRAGMA user_version = 9")
        async with open_brain(
            vault, data_dir=tmp_path / "data", mode="local", services_owner=os.getpid()
        ) as brain:
            report = await brain.index()
            assert (report.written, report.vectors_written, report.vectors_removed) == (2, 0, 0)
            (warning,) = report.warnings
            assert "older format" in warning.error
            answer = await brain.ask("What grows fast?")
            typed = brain.deps.catalog.inventory.typed_links()
            assert typed == (("2024-01-02 b.md", "SUPPORTS", "2024-01-01 a.md"),)
            assert "semantic" in answer.sources_available
            assert [result.note_path for result in answer.results][:1] == ["2024-01-01 a.md"]
            assert (await brain.index()).warnings == ()
    finally:
        await asyncio.to_thread(stop_servers_of, vault, tmp_path / "data")
