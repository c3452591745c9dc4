"""A note's name, typed alone or asked for, brings that note first, whatever else speaks of it."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from graphs.core.state import QueryContext
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration

_FIRST = ("Slow", "Open", "Second", "Deep")
_SECOND = ("protocol", "brain", "memory")
_SAID = (
    "{} is what most of this comes down to.",
    "Talked with Ines about {} again.",
    "See also {} and the notes of last week.",
    "Nobody agrees on what {} means, least of all me.",
)
ASKED = ("{}", "What is {}?", "what does {} mean")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The vault, and which note each title and alias is of."""

    indexed: Indexed
    paths: Mapping[str, str]


def write(vault: Path, *, seed: int) -> dict[str, str]:
    """Notes with two names each, spoken of in the others; three in ten say nothing themselves."""
    rng = random.Random(seed)  # noqa: S311
    titles = [f"{first} {second}" for first in _FIRST for second in _SECOND]
    titles += [*_FIRST, *(one.capitalize() for one in _SECOND)]  # parts of the others' names
    paths: dict[str, str] = {}
    for number, title in enumerate(titles):
        path = f"{rng.choice(('ideas', 'books', 'stubs'))}/{title}.md"
        alias = f"{title} no. {number}"
        lines = [rng.choice(_SAID).format(f"[[{one}]]") for one in rng.sample(titles, 6)]
        own = [] if rng.random() < 0.3 else [f"A thing that I call so since {1990 + number}."]
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        head = f"---\naliases: [{alias}]\n---\n"
        file.write_text("\n\n".join([head, *own, *lines]) + "\n", encoding="utf-8")
        paths |= {title: path, alias: path}
    return paths


@pytest.fixture(scope="module")
def written(request: pytest.FixtureRequest) -> Written:
    paths: dict[str, str] = {}
    indexed = in_turn(request).written(lambda vault: paths.update(write(vault, seed=11)))
    return Written(indexed=indexed, paths=paths)


@pytest.mark.parametrize(
    "step",
    [pytest.param(7, id="a seventh"), pytest.param(1, id="all", marks=pytest.mark.torture)],
)
async def test_a_name_brings_its_note_first(written: Written, step: int) -> None:
    """A seventh of all questions has titles and aliases in each form."""
    missed: list[tuple[str, str]] = []
    async with written.indexed.open() as brain:
        for (name, path), form in [*product(written.paths.items(), ASKED)][::step]:
            question = form.format(name)
            answer = await brain.ask(question, context=QueryContext(interactive=False))
            first = answer.results[0].note_path if answer.results else ""
            if first != path:
                missed.append((question, first))
    assert missed == []
