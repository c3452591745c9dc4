"""``brain doctor`` and ``brain reset`` where the graph is in a database at an address."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphs.core.graph_backends import graph_backend
from tests.support.processes.crashing import Copy
from tests.support.servers.falkor_server import falkor_server
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration

PASSWORD = "open sesame"  # noqa: S105 - of a server that lives as long as a test
NOWHERE = "127.0.0.1:9"
type Make = Callable[[str], "Owner"]


@dataclass(frozen=True)
class Owner(Copy):
    """A vault of three notes whose graph is on a server."""

    def doctor(self, *options: str) -> dict[str, str]:
        """What each check says, with a mark before those that are not well."""
        checks = json.loads(self.brain("doctor", "--json", *options).stdout)
        return {one["name"]: ("" if one["ok"] else "LOOK ") + one["detail"] for one in checks}

    def index(self) -> int:
        """How many notes were written to the graph."""
        done = self.brain("index", "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["graph_written"]

    def knows(self) -> bool:
        """Whether the graph has what the notes say."""
        return "Heron 2" in self.brain("facts", "Heron 1").stdout

    def delete_behind_its_back(self) -> None:
        async def clear() -> None:
            given = {
                name.removeprefix("BRAIN_").lower(): value for name, value in self.variables.items()
            }
            settings = load_settings(vault=self.vault, data_dir=self.data_dir, **given)
            database = graph_backend(settings)
            await database.clear()
            await database.close()

        asyncio.run(clear())

    def without_server(self) -> "Owner":
        scheme = self.variables["BRAIN_GRAPH_URI"].partition(":")[0]
        lost = {**self.variables, "BRAIN_GRAPH_URI": f"{scheme}://{NOWHERE}"}
        return Owner(vault=self.vault, data_dir=self.data_dir, variables=lost)


@pytest.fixture(params=["falkor", "neo4j"])
def variables(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The settings that lead to an empty database."""
    if request.param == "neo4j":
        yield {"BRAIN_GRAPH_URI": request.getfixturevalue("neo4j_uri")}
        return
    with falkor_server(tmp_path / "server", password=PASSWORD) as address:
        yield {"BRAIN_GRAPH_URI": address, "BRAIN_GRAPH_PASSWORD": PASSWORD}


@pytest.fixture
def make(tmp_path: Path, variables: dict[str, str]) -> Iterator[Make]:
    made: list[Owner] = []

    def owner(name: str) -> Owner:
        one = Owner(vault=tmp_path / name, data_dir=tmp_path / f"{name}-data", variables=variables)
        one.vault.mkdir()
        for number in range(3):
            says = f"Heron {number} eats fish.\n\ncauses:: [[Heron {number + 1}]]\n"
            (one.vault / f"Heron {number}.md").write_text(says, "utf-8")
        made.append(one)
        return one

    yield owner
    for one in made:
        one.brain("stop")


def test_what_somebody_deleted_there_is_named_and_written_again(make: Make) -> None:
    owner = make("mine")
    assert owner.index() == 3
    found = owner.doctor()
    assert found["BRAIN_GRAPH_URI"] == "The graph database answers."
    assert "LOOK" not in str(found)
    owner.delete_behind_its_back()
    assert owner.doctor()["graph"].startswith("LOOK")
    assert "LOOK" not in str(owner.doctor("--repair"))
    assert owner.knows()


def test_a_reset_deletes_the_graph_there_and_indexing_writes_it_again(make: Make) -> None:
    owner = make("mine")
    assert owner.index() == 3
    assert owner.knows()
    done = owner.brain("reset", "--yes", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["deleted_elsewhere"] == ["graph"]
    assert not (owner.data_dir / "index.db").exists()
    assert not owner.knows()
    assert owner.index() == 3
    assert owner.knows()
    assert "LOOK" not in str(owner.doctor())


@pytest.mark.parametrize("variables", ["falkor"], indirect=True)
def test_vaults_that_share_a_server_do_not_reset_each_other(make: Make) -> None:
    mine, yours = make("mine"), make("yours")
    assert (mine.index(), yours.index()) == (3, 3)
    assert mine.brain("reset", "--yes").returncode == 0
    assert yours.knows()
    assert "LOOK" not in str(yours.doctor())


@pytest.mark.parametrize("variables", ["neo4j"], indirect=True)
def test_a_database_of_another_vault_is_named_and_left_alone(make: Make) -> None:
    mine, yours = make("mine"), make("yours")
    assert (mine.index(), yours.index()) == (3, 0)
    assert "belongs to another vault" in yours.doctor()["BRAIN_GRAPH_URI"]
    refused = yours.brain("reset", "--yes")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "Nothing was deleted" in refused.stderr
    assert mine.knows()
    assert "LOOK" not in str(mine.doctor())


def test_a_database_that_is_gone_is_named_and_nothing_is_deleted(make: Make) -> None:
    owner = make("mine")
    assert owner.index() == 3
    lost = owner.without_server()
    for options in ((), ("--repair",)):
        found = lost.doctor(*options)
        assert found["BRAIN_GRAPH_URI"].startswith("LOOK")
        assert not found["contents"].startswith("LOOK")  # the other stores are looked at
        assert PASSWORD not in str(found)
    refused = lost.brain("reset", "--yes")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "Nothing was deleted" in refused.stderr
    assert (owner.data_dir / "index.db").exists()
    assert owner.knows()
    assert "LOOK" not in str(owner.doctor())
