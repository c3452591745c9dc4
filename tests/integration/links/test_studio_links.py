"""A review of links in LangGraph Studio: shown with its diff, written when accepted, undone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from langgraph_sdk import get_client

from tests.support.processes.studio import studio_server
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import renewed

pytestmark = pytest.mark.integration

NOTES = {
    "Sourdough.md": "# Sourdough\n\nA loaf raised by wild yeast in a hot oven.\n",
    "Rye.md": "# Rye\n\nA dense loaf raised by wild yeast in a hot oven.\n",
}


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    folders = tmp_path_factory
    indexed = Indexed(vault=folders.mktemp("v"), data_dir=folders.mktemp("d"))
    for made in renewed(indexed, NOTES):
        yield made.anew()


async def test_what_is_accepted_there_is_written_as_it_was_shown(
    place: Indexed, tmp_path: Path
) -> None:
    source, other = place.vault / "Sourdough.md", place.vault / "Rye.md"
    before = source.read_bytes(), other.read_bytes()
    with studio_server(place.environment, log=tmp_path / "log.txt") as url:
        async with get_client(url=url) as opened:
            client = cast("Any", opened)  # the SDK is partly untyped
            thread = (await client.threads.create())["thread_id"]

            async def run(**asked: Any) -> Any:
                return await client.runs.wait(thread, "link", **asked)

            begun = await run(input={"note": "Sourdough"}, context={"least": 0.0})
            (waiting,) = begun["__interrupt__"]
            assert (waiting["value"]["note"], waiting["value"]["other"]) == (
                source.name,
                other.name,
            )
            edit = {"answer": "e", "relation": "analogous_to", "context": "Both rise."}
            (shown,) = (await run(command={"resume": edit}))["__interrupt__"]
            assert (source.read_bytes(), other.read_bytes()) == before
            added = [line for one in shown["value"]["changes"] for line in one["diff"]]
            assert "+- analogous_to:: [[Rye]] — Both rise." in added
            done = await run(command={"resume": "y"})
            assert done["tally"]["accepted"] == 1
            assert source.read_bytes().endswith("- analogous_to:: [[Rye]] — Both rise.\n".encode())
            assert other.read_bytes().endswith("[[Sourdough]] — Both rise.\n".encode())
