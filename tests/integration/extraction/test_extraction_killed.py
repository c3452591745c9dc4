"""A reading by a model that is killed at any moment: the next ones end as if nobody had been."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.ollama import FakeOllama, Reply
from tests.fakes.reader import form_asked
from tests.support.processes.crashing import Copy
from tests.support.vaults.extraction import apart, note, reads_of

pytestmark = pytest.mark.integration

PEOPLE = [f"Person{number} Reader" for number in range(3)]
READ = ("index", "--extract", ".", "--yes", "--wait")


def reply(prompt: str) -> Reply:
    """What a model says to Graphiti, and to the question by which its speed is measured."""
    return apart(prompt) if form_asked(prompt) else {"names": []}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOllama]:
    with FakeOllama(replies=reply) as server:
        yield server


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory, server: FakeOllama) -> Copy:
    """A vault that no model has read yet."""
    folder = tmp_path_factory.mktemp("killed")
    (folder / "vault").mkdir()
    for one in PEOPLE:
        text = note("2024-01-01", f"{one} lives in {one} Town.")
        (folder / "vault" / f"{one}.md").write_text(text, "utf-8")
    made = Copy(
        vault=folder / "vault",
        data_dir=folder / "data",
        variables={"BRAIN_OLLAMA_URL": server.url},
    )
    assert made.brain("index").returncode == 0
    made.brain("stop")
    return made


@pytest.fixture
def copy(indexed: Copy, server: FakeOllama, tmp_path: Path) -> Iterator[Copy]:
    made = Copy(vault=indexed.vault, data_dir=tmp_path / "data", variables=indexed.variables)
    shutil.copytree(indexed.data_dir, made.data_dir)
    server.requests.clear()
    yield made
    made.brain("stop")


@pytest.mark.parametrize(
    ("moment", "nth", "twice"),
    [
        ("InferredStore.record", 2, 1),
        pytest.param("InferredStore.finish", 2, 0, marks=pytest.mark.torture),
        pytest.param("GraphitiStore.replace", 1, 0, marks=pytest.mark.torture),
    ],
)
def test_what_was_read_is_kept_and_served_once(
    copy: Copy, server: FakeOllama, moment: str, nth: int, twice: int
) -> None:
    """``twice``: notes that have to be read again, since what was read of them was not kept yet."""
    copy.killed(moment, nth, "self", *READ)
    for command in (READ, ("index",), ("doctor",)):
        done = copy.brain(*command)
        assert done.returncode == 0, (done.stdout, done.stderr)
    reads = [reads_of(server, f"{one} lives") for one in PEOPLE]
    assert sorted(reads) == [*[1] * (len(PEOPLE) - twice), *[2] * twice]
    for one in PEOPLE:
        facts = json.loads(copy.brain("facts", one, "--json").stdout)
        assert [(fact["object"], fact["origin"]) for fact in facts] == [(f"{one} Town", "inferred")]
