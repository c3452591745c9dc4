"""A vault as old ones are: empty notes, endless lines, notes of 300 KB, a map with 5,000 links.

Before each commit the long ones are a fifth as long.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.bench.grown_vault import grow, read_sources, write
from tests.support.processes.command_line import Brain, environment, run_here

pytestmark = pytest.mark.integration

GROWN = 160
"""Notes to choose from: some of each kind."""
ORDINARY = 40
LARGE, LONG_LINE = 300_000, 1_500


@dataclass(frozen=True)
class RealLife:
    """The vault after ``brain index``, what that said, and a note of each kind by its path.

    ``links`` are those of the map.
    """

    brain: Brain
    report: dict[str, Any]
    texts: dict[str, str]
    links: int
    large: str
    long_line: str
    map: str


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((1_000, LARGE // 5), id="a fifth"),
        pytest.param((5_000, LARGE), id="whole", marks=pytest.mark.torture),
    ],
)
def vault(
    example_vault: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[RealLife]:
    links, letters = request.param
    folder = tmp_path_factory.mktemp("real")
    grown = dict(islice(grow(read_sources([example_vault]), links, real_life=True), GROWN))
    large = next(path for path, text in grown.items() if len(text) > LARGE)
    long_line = next(
        path
        for path, text in grown.items()
        if len(text) < LARGE and max(map(len, text.splitlines()), default=0) > LONG_LINE
    )
    # Said at the very end, where nothing gets to that is cut short.
    grown[large] = f"{grown[large][:letters].rstrip()}\n\nThe okapi of Quito eats jasmine.\n"
    grown[long_line] = f"{grown[long_line].rstrip()} The quokka of Perth eats thistles.\n"
    texts = {path: grown[path] for path in (*islice(grown, ORDINARY), large, long_line)}
    write(folder / "vault", iter(texts.items()))
    brain = partial(run_here, environment=environment(folder / "vault", folder / "data"))
    report = json.loads(brain("index", "--json").stdout)
    yield RealLife(brain, report, texts, links, large, long_line, next(iter(texts)))
    brain("stop")


def test_every_note_is_in_every_index(vault: RealLife) -> None:
    notes = len(vault.texts)
    assert "" in vault.texts.values()
    report = vault.report
    assert (report["notes"], report["written"], report["graph_written"]) == (notes, notes, notes)
    assert (report["problems"], report["warnings"]) == ([], [])
    status = json.loads(vault.brain("status", "--json").stdout)
    assert (status["vectors_pending"], status["graph_pending"]) == (0, 0)
    assert vault.brain("index").stdout == f"{notes} notes: everything is up to date.\n"
    doctor = vault.brain("doctor")
    assert doctor.returncode == 0, doctor.stdout


def test_the_last_words_of_large_notes_and_of_endless_lines_are_found(vault: RealLife) -> None:
    for eater, food, path in (
        ("okapi of Quito", "jasmine", vault.large),
        ("quokka of Perth", "thistles", vault.long_line),
    ):
        done = vault.brain("ask", f"What does the {eater} eat?", "--json", "--no-input")
        answer = json.loads(done.stdout)
        assert f"The {eater} eats {food}." in answer["answer"]
        assert answer["results"][0]["note_path"] == path
        assert (answer["warnings"], answer["sources_failed"]) == ([], [])


def test_each_of_the_links_of_a_map_is_known(vault: RealLife) -> None:
    facts = json.loads(vault.brain("facts", Path(vault.map).stem, "--json").stdout)
    linked = set(re.findall(r"\[\[(.+)\]\]", vault.texts[vault.map]))
    assert len(linked) == vault.links
    found = {fact["object"] for fact in facts if fact["relation"] == "LINKS_TO"}
    assert found == linked - {Path(vault.map).stem}  # a note's link to itself says nothing


def test_an_empty_note_is_there_to_be_linked_to(vault: RealLife) -> None:
    empty = next(path for path, text in vault.texts.items() if not text)
    around = vault.brain("graph", Path(empty).stem)
    assert "Everything" in around.stdout  # the title of the map
