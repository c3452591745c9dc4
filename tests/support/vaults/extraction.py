"""A vault whose notes a model reads, and what came of it: for tests on the real servers."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from graphs.app import open_brain
from graphs.jobs.extraction import inferred_store
from tests.fakes.ollama import FakeOllama, Reply
from tests.fakes.reader import form_asked, read
from tests.support.vaults.notes import write_notes
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.cypher.graphiti_models import GRAPH
from tools.graph.episodes import InferredFact
from tools.runtime.services import graph_service
from tools.settings.loading import load_settings
from tools.settings.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A vault with one folder a test, and its data directory."""

    vault: Path
    data_dir: Path

    def write(self, notes: Mapping[str, str]) -> None:
        write_notes(self.vault, notes)

    async def index(self) -> None:
        async with open_brain(
            self.vault, data_dir=self.data_dir, mode="local", services_owner=os.getpid()
        ) as brain:
            await brain.index()

    def settings(self, server: FakeOllama, **changes: object) -> Settings:
        given = {
            "vault": self.vault,
            "data_dir": self.data_dir,
            "ollama_url": server.url,
            "services_owner": os.getpid(),
            "model_timeout": 2.0,
        }
        return load_settings(**{**given, **changes})

    def tree(self) -> dict[str, str]:
        files = (file for file in self.vault.rglob("*") if file.is_file())
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def note(day: str, *lines: str) -> str:
    return f"---\ndate: {day}\n---\n" + "\n".join(lines) + "\n"


def on(day: str) -> datetime:
    return datetime.fromisoformat(day).astimezone(UTC)


def served(settings: Settings, folder: str) -> list[InferredFact]:
    facts = inferred_store(settings).facts()
    return [fact for fact in facts if fact.note_path.startswith(f"{folder}/")]


def said(facts: list[InferredFact]) -> set[tuple[str, str, str]]:
    return {(fact.subject, fact.relation, fact.object) for fact in facts}


def still(facts: list[InferredFact]) -> set[tuple[str, str, str]]:
    return said([fact for fact in facts if fact.expired_at is None])


def reads_of(server: FakeOllama, words: str) -> int:
    """How often the model was asked for the entities of a text with these words."""
    return sum(form_asked(one) == "ExtractedEntities" and words in one for one in server.prompts)


async def graph_as_it_is(settings: Settings) -> object:
    """Everything in the vault's own graph."""
    connection = FalkorBackend(graph_service(settings).socket, graph=GRAPH)
    try:
        nodes = await connection.query("MATCH (n) RETURN properties(n) ORDER BY n.uuid")
        edges = await connection.query("MATCH ()-[e]->() RETURN properties(e) ORDER BY e.uuid")
    finally:
        await connection.close()
    return nodes, edges


def apart(prompt: str) -> Reply:
    """Living in one place speaks against no other."""
    if form_asked(prompt) == "EdgeDuplicate":
        return {"duplicate_facts": [], "contradicted_facts": []}
    return read(prompt)
