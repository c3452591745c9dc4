"""``brain doctor`` and ``brain reset`` where the graph is in a database at an address."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from redis import Redis

from graphs.core.graph_backends import graph_backend, vault_graphs
from graphs.stores.store_marks import graph_mark
from tests.support.processes.crashing import Copy
from tests.support.servers.falkor_server import falkor_server
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

PASSWORD = "open sesame"  # noqa: S105 - of a server that lives as long as a test
NOWHERE = "127.0.0.1:9"
type Make = Callable[[str], "Owner"]


@dataclass(frozen=True)
class Owner(Copy):
    """A vault of three notes whose graph is on a server."""

    @property
    def settings(self) -> Settings:
        given = {
            name.removeprefix("BRAIN_").lower(): value for name, value in self.variables.items()
        }
        return load_settings(vault=self.vault, data_dir=self.data_dir, **given)

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
            database = graph_backend(self.settings)
            await database.clear()
            await database.close()

        asyncio.run(clear())

    def as_user(self, name: str) -> "Owner":
        return replace(self, variables={**self.variables, "BRAIN_GRAPH_USER": name})

    def without_server(self) -> "Owner":
        scheme = self.variables["BRAIN_GRAPH_URI"].partition(":")[0]
        lost = {**self.variables, "BRAIN_GRAPH_URI": f"{scheme}://{NOWHERE}"}
        return replace(self, variables=lost)


@pytest.fixture(scope="module")
def falkor_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("falkor")
    with falkor_server(folder / "server", password=PASSWORD) as address:
        yield address


@pytest.fixture(params=["falkor", "neo4j"])
def variables(request: pytest.FixtureRequest) -> dict[str, str]:
    """The settings that lead to an empty database."""
    if request.param == "neo4j":
        return {"BRAIN_GRAPH_URI": request.getfixturevalue("neo4j_uri")}
    address: str = request.getfixturevalue("falkor_address")
    with Redis(port=int(address.rpartition(":")[2]), password=PASSWORD) as database:
        database.flushall()  # pyright: ignore[reportUnknownMemberType]
    return {"BRAIN_GRAPH_URI": address, "BRAIN_GRAPH_PASSWORD": PASSWORD}


@pytest.fixture(scope="module")
def owners(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Owner]]:
    """Two vaults whose vectors stay from test to test; the graph is every test's own."""
    folder = tmp_path_factory.mktemp("owners")
    made = {
        name: Owner(vault=folder / name, data_dir=folder / f"{name}-data")
        for name in ("mine", "yours")
    }
    for one in made.values():
        one.vault.mkdir()
        for number in range(3):
            says = f"Heron {number} eats fish.\n\ncauses:: [[Heron {number + 1}]]\n"
            (one.vault / f"Heron {number}.md").write_text(says, "utf-8")
    yield made
    for one in made.values():
        one.brain("stop")


@pytest.fixture
def make(owners: dict[str, Owner], variables: dict[str, str]) -> Make:
    """The vault of a name; nothing of it is in the database yet."""

    def owner(name: str) -> Owner:
        one = replace(owners[name], variables=variables)
        graph_mark(one.settings).unlink(missing_ok=True)  # it says that the graph is there
        return one

    return owner


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
@pytest.mark.parametrize("may", [True, False])
def test_the_staging_graph_there_goes_too_or_it_is_said(
    make: Make, falkor_address: str, *, may: bool
) -> None:
    owner = make("mine")
    graphs = vault_graphs(owner.settings)
    assert owner.index() == 3
    port = int(falkor_address.rpartition(":")[2])
    with Redis(port=port, password=PASSWORD, decode_responses=True) as server:
        run = cast("Callable[..., Any]", server.execute_command)  # pyright: ignore[reportUnknownMemberType]
        for graph in (graphs.staging, "others-staging"):
            run("GRAPH.QUERY", graph, "CREATE ()")
        if not may:
            rules = ("on", f">{PASSWORD}", "+@all", f"~{graphs.main}")
            run("ACL", "SETUSER", "narrow", "reset", *rules)
            owner = owner.as_user("narrow")
        done = owner.brain("reset", "--yes", "--everything", "--json")
        assert done.returncode == 0, done.stderr
        left = json.loads(done.stdout)["left_elsewhere"]
        assert ("others-staging" in run("GRAPH.LIST"), graphs.staging in run("GRAPH.LIST")) == (
            True, not may,
        )  # fmt: skip
    assert [graphs.staging in line for line in left] == ([] if may else [True])


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


@pytest.mark.parametrize(
    "variables",
    # Each database says so by itself in tests/contract/test_graph_backends.py.
    ["falkor", pytest.param("neo4j", marks=pytest.mark.torture)],
    indirect=True,
)
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
