"""A reading by a model that is killed at any moment: the next ones end as if nobody had been."""

import json
from collections.abc import Iterator

import pytest

from tests.fakes.ollama import FakeOllama, Reply
from tests.fakes.reader import form_asked
from tests.support.processes.crashing import Copy
from tests.support.vaults.extraction import apart, note, reads_of

pytestmark = pytest.mark.integration


def reply(prompt: str) -> Reply:
    """What a model says to Graphiti, and to the question by which its speed is measured."""
    return apart(prompt) if form_asked(prompt) else {"names": []}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOllama]:
    with FakeOllama(replies=reply) as server:
        yield server


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, server: FakeOllama) -> Iterator[Copy]:
    """A vault with a folder a test, whose servers survive who is killed."""
    folder = tmp_path_factory.mktemp("killed")
    (folder / "vault").mkdir()
    made = Copy(
        vault=folder / "vault",
        data_dir=folder / "data",
        variables={"BRAIN_OLLAMA_URL": server.url},
    )
    yield made
    made.brain("stop")


@pytest.mark.parametrize(
    ("moment", "twice", "told"),
    [
        (("InferredStore.record", 2), 1, "interrupted"),
        pytest.param(("InferredStore.finish", 2), 0, "interrupted", marks=pytest.mark.torture),
        pytest.param(("GraphitiStore.replace", 1), 0, "done", marks=pytest.mark.torture),
    ],
    ids=["record", "finish", "replace"],
)
def test_what_was_read_is_kept_and_served_once(
    place: Copy, server: FakeOllama, moment: tuple[str, int], twice: int, told: str
) -> None:
    """``twice``: notes that have to be read again, since what was read of them was not kept yet."""
    folder = moment[0].partition(".")[2]
    people = [f"Person{number} {folder.title()}" for number in range(3)]
    (place.vault / folder).mkdir()
    for one in people:
        text = note("2024-01-01", f"{one} lives in {one} Town.")
        (place.vault / folder / f"{one}.md").write_text(text, "utf-8")
    assert place.brain("index").returncode == 0
    server.requests.clear()
    read = ("index", "--extract", folder, "--yes", "--wait")
    place.killed(*moment, "self", *read)
    assert f"of 3 notes, {told}." in " ".join(place.brain("status").stdout.split())
    for command in (read, ("index",), ("doctor",)):
        done = place.brain(*command)
        assert done.returncode == 0, (done.stdout, done.stderr)
    reads = [reads_of(server, f"{one} lives") for one in people]
    assert sorted(reads) == [*[1] * (len(people) - twice), *[2] * twice]
    for one in people:
        facts = json.loads(place.brain("facts", one, "--json").stdout)
        assert [(fact["object"], fact["origin"]) for fact in facts] == [(f"{one} Town", "inferred")]
