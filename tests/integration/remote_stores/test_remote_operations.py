"""``brain doctor``, ``reset`` and ``index --moved`` where stores are at addresses: real servers."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from tests.support.processes.crashing import Copy
from tests.support.servers.chroma_server import ChromaProcess
from tools.semantic.chroma_server import ChromaServer
from tools.settings.loading import load_any_settings

pytestmark = pytest.mark.integration

NOTES = {f"Heron {number}.md": f"Heron number {number} eats fish." for number in range(3)}
UNCLEAR = "Tell me about heron 1"


@dataclass(frozen=True)
class Desk(Copy):
    """A vault whose vectors and open questions are on servers."""

    def doctor(self, *options: str) -> dict[str, str]:
        """What each check says, with a mark before those that are not well."""
        checks = json.loads(self.brain("doctor", "--json", *options).stdout)
        return {one["name"]: ("" if one["ok"] else "LOOK ") + one["detail"] for one in checks}

    def ask_back(self) -> None:
        """Leave a question open, in a thread ``t``."""
        assert self.brain("ask", UNCLEAR, "--thread", "t").returncode == 3

    def goes_on(self) -> bool:
        return self.brain("ask", "--thread", "t", "--choose", "1").returncode == 0

    def moved(self) -> "Desk":
        """The vault at another place, where it stays."""
        return replace(self, vault=self.vault.rename(self.vault.with_name(f"{uuid4()}")))

    def vectors(self, server: ChromaProcess) -> int:
        """How many are on the server."""
        settings = load_any_settings(
            vault=self.vault, data_dir=self.data_dir, chroma_url=server.url
        )
        client = ChromaServer(server.address(settings.chroma_collection))
        try:
            return client.count()
        finally:
            client.close()

    def schemas(self) -> list[str]:
        with psycopg.connect(self.variables["BRAIN_CHECKPOINT_URI"]) as database:
            query = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'brain_%' ORDER BY 1"
            return [name for (name,) in database.execute(query)]


def change(desk: Desk, statement: str) -> None:
    """Have Postgres do it in the vault's schema."""
    with psycopg.connect(desk.variables["BRAIN_CHECKPOINT_URI"], autocommit=True) as database:
        database.execute(f"SET search_path TO {desk.schemas()[0]}".encode())
        database.execute(statement.encode())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where one vault and its data are; it may be moved there."""
    folder = tmp_path_factory.mktemp("desk")
    vault = folder / "vaults" / "vault"
    vault.mkdir(parents=True)
    for name, text in NOTES.items():
        (vault / name).write_text(text, "utf-8")
    yield folder
    _desk_in(folder).brain("stop")


def _desk_in(folder: Path, **variables: str) -> Desk:
    (vault,) = (folder / "vaults").iterdir()
    return Desk(vault=vault, data_dir=folder / "data", variables=variables)


@pytest.fixture
def desk(folder: Path, chroma_server: ChromaProcess, postgres_uri: str) -> Desk:
    """The vault indexed, with no question open."""
    made = _desk_in(folder, BRAIN_CHROMA_URL=chroma_server.url, BRAIN_CHECKPOINT_URI=postgres_uri)
    done = made.brain("index")
    assert done.returncode == 0, done.stderr
    return made


def test_the_doctor_looks_into_each_store(desk: Desk) -> None:
    assert desk.brain("ask", "Do herons eat fish?").returncode == 0
    found = desk.doctor()
    assert found["BRAIN_CHROMA_URL"].endswith("answers; 3 vectors of this vault are there.")
    assert found["BRAIN_CHECKPOINT_URI"] == "Postgres answers; 0 threads of questions can be read."
    change(desk, f"DROP SCHEMA {desk.schemas()[0]} CASCADE")
    found = desk.doctor()
    assert found["BRAIN_CHECKPOINT_URI"] == "Postgres answers; the next command makes its tables."
    assert desk.schemas() == []
    desk.ask_back()
    found = desk.doctor()
    assert found["BRAIN_CHECKPOINT_URI"] == "Postgres answers; 1 thread of questions can be read."
    assert not [said for said in found.values() if said.startswith("LOOK")]
    change(desk, "DROP TABLE brain_version")
    assert "brings its tables up" in desk.doctor()["BRAIN_CHECKPOINT_URI"]
    assert desk.goes_on()
    change(desk, "INSERT INTO brain_version VALUES (99)")
    assert desk.doctor()["BRAIN_CHECKPOINT_URI"].startswith("LOOK The open questions in Postgres")
    refused = desk.brain("doctor", "--repair")
    assert (refused.returncode != 0, "newer version" in refused.stderr) == (True, True)
    change(desk, "DELETE FROM brain_version WHERE version = 99")


def test_threads_that_cannot_be_read_are_named_and_deleted(desk: Desk) -> None:
    desk.ask_back()
    assert desk.brain("ask", UNCLEAR, "--thread", "other").returncode == 3
    change(desk, "UPDATE checkpoint_blobs SET blob = '\\xc1' WHERE thread_id = 'other'")
    change(desk, "UPDATE checkpoint_writes SET blob = '\\xc1' WHERE thread_id = 'other'")
    said = desk.doctor()["BRAIN_CHECKPOINT_URI"]
    assert said.startswith("LOOK 1 of 2 threads of questions cannot be read")
    found = desk.doctor("--repair")
    assert "1 thread that cannot be read was deleted" in found["repaired"]
    assert found["BRAIN_CHECKPOINT_URI"] == "Postgres answers; 1 thread of questions can be read."
    assert desk.goes_on()


def test_servers_that_are_gone_are_named_and_nothing_of_them_is_mended(
    desk: Desk, chroma_server: ChromaProcess
) -> None:
    nowhere = {
        "BRAIN_CHROMA_URL": "http://127.0.0.1:9",
        "BRAIN_CHECKPOINT_URI": "postgresql://brain:hidden@127.0.0.1:9/brain",
    }
    desk.brain("stop")
    lost = Desk(vault=desk.vault, data_dir=desk.data_dir, variables=nowhere)
    for options in ((), ("--repair",)):
        found = lost.doctor(*options)
        for name in nowhere:
            assert found[name].startswith("LOOK")
            assert "cannot be reached" in found[name]
        assert "hidden" not in str(found)
    assert not (desk.data_dir / "chroma.damaged").exists()
    refused = lost.brain("reset", "--yes", "--everything")
    assert refused.returncode != 0
    assert "Nothing was deleted" in refused.stderr
    assert refused.stderr.count("\n") == 1
    lost.brain("stop")
    assert desk.vectors(chroma_server) == 3
    assert "LOOK" not in str(desk.doctor())


def test_a_moved_vault_takes_along_what_is_on_the_servers(
    desk: Desk, chroma_server: ChromaProcess
) -> None:
    desk.ask_back()
    before = desk.schemas()
    there = desk.moved()
    done = there.brain("index", "--moved", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["vectors_written"] == 0
    assert (desk.vectors(chroma_server), there.vectors(chroma_server)) == (0, 3)
    assert len(there.schemas()) == 1
    assert there.schemas() != before
    assert there.goes_on()
    assert "LOOK" not in str(there.doctor())


# The last one: it leaves nothing to go on with.
def test_a_reset_deletes_what_is_of_this_vault_on_the_servers(
    desk: Desk, chroma_server: ChromaProcess, tmp_path: Path
) -> None:
    other = Desk(vault=tmp_path / "other", data_dir=tmp_path / "others", variables=desk.variables)
    shutil.copytree(desk.vault, other.vault)
    assert other.brain("index").returncode == 0
    for one in (desk, other):
        one.ask_back()
    assert len(desk.schemas()) == 2
    done = desk.brain("reset", "--yes")
    assert done.returncode == 0, done.stderr
    assert "vectors on the server of BRAIN_CHROMA_URL" in done.stdout
    assert "Keeps this vault's open questions on the server" in done.stdout
    assert (desk.vectors(chroma_server), other.vectors(chroma_server)) == (0, 3)
    done = desk.brain("index")
    assert desk.vectors(chroma_server) == 3, (done.stdout, done.stderr)
    assert desk.goes_on()
    told = json.loads(desk.brain("reset", "--yes", "--everything", "--json").stdout)
    assert (told["deleted_elsewhere"], told["kept_elsewhere"]) == (
        ["vectors", "open questions"],
        [],
    )
    assert (desk.vectors(chroma_server), other.vectors(chroma_server)) == (0, 3)
    assert len(other.schemas()) == 1
    assert other.goes_on()
    other.brain("reset", "--yes", "--everything")
