"""Vectors of two encoders are never mixed in Graphiti's graph."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphs.jobs.extraction import extract_folders
from tests.fakes.ollama import FakeOllama
from tests.fakes.reader import read
from tools.base.errors import SourceError
from tools.graph.extraction.job import ExtractionJob, load_job, save_job
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import scan
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note
from tools.vault.storage.entries import entry

pytestmark = pytest.mark.integration

NOW = datetime(2024, 1, 1, tzinfo=UTC)
BEFORE = ExtractionJob(
    folders=("",),
    model="llama3.2",
    encoder="another",
    state="finished",
    started_at=NOW,
    updated_at=NOW,
    notes=1,
    parts=1,
)
_COMMAND = re.compile(rb"\*\d+\r\n\$\d+\r\n(\S+)\r\n")


@asynccontextmanager
async def refusing(socket: Path) -> AsyncGenerator[None]:
    """A graph server that lets everybody in and does nothing it is asked."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while asked := await reader.read(65_536):
            for command in _COMMAND.findall(asked):
                graph = command.startswith(b"GRAPH.")
                writer.write(b"-ERR not today\r\n" if graph else b"+OK\r\n")
            await writer.drain()
        writer.close()

    socket.parent.mkdir(parents=True, mode=0o700)
    server = await asyncio.start_unix_server(answer, socket)
    try:
        yield
    finally:
        server.close()


def indexed(settings: Settings) -> None:
    (settings.vault / "a.md").write_text("Ada Lovelace works at Acme Mill.", "utf-8")
    (file,) = scan(settings.vault, max_bytes=9_999).files
    note = parse_note(file.path, (settings.vault / file.path).read_bytes(), mtime=NOW)
    with closing(Catalog(settings.index_path)) as catalog:
        catalog.write([entry(note, chunk_note(note), file, catalog.texts.packing())])


async def test_nothing_is_read_while_the_vectors_of_another_encoder_cannot_be_dropped(
    tmp_path: Path,
) -> None:
    (tmp_path / "vault").mkdir()
    with FakeOllama(replies=read) as server:
        settings = Settings(
            vault=tmp_path / "vault", data_dir=tmp_path / "data", ollama_url=server.url
        )
        indexed(settings)
        save_job(settings.inferred_path, BEFORE)
        async with refusing(settings.run_dir / "graph.sock"):
            with pytest.raises(SourceError, match="refused"):
                await extract_folders(settings, ("",))
        assert server.prompts == []
    assert load_job(settings.inferred_path) == BEFORE  # so the next run drops them first
