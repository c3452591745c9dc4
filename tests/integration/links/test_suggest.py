"""Links that are suggested for a note: which, why, and what is left out."""

import json
from dataclasses import replace

import pytest

from graphs.links.suggesting.suggest import LinkQuery, LinkSuggester
from tests.support.processes.command_line import run_here
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.base.errors import InputError, SourceError

pytestmark = pytest.mark.integration

NOTES = {
    "Sourdough.md": (
        "---\ntags: [baking]\n---\n# Sourdough\n\nA loaf raised by wild yeast.\n\n"
        "Long fermentation makes it sour; see [[Starter]].\n\n"
        "I watch the CO2 release through the glass, and `CO2 release` in code is none.\n"
    ),
    "Starter.md": "---\ntags: [baking]\n---\n# Starter\n\nFlour, water, wild yeast; fed daily.\n",
    "CO2 release.md": (
        "---\ntags: [baking]\naliases: [rise in the oven]\n---\n"
        "# CO2 release\n\nThe last rise of a loaf in the first ten minutes. See [[Sourdough]].\n"
    ),
    "Rye bread.md": (
        "# Rye bread\n\nA dense loaf, raised by wild yeast from a rye [[Starter]]; "
        "long fermentation.\n"
    ),
    "Tax return.md": "# Tax return\n\nForms and receipts for the office by the end of May.\n",
}


@pytest.fixture(scope="module")
def place(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request).of(NOTES)


async def test_a_name_that_stands_unlinked_comes_first_with_its_place(place: Indexed) -> None:
    async with place.open() as brain:
        found = await brain.links.suggest(LinkQuery(note="Sourdough"))
    first = found.results[0]
    assert (first.note_path, first.note_title) == ("CO2 release.md", "CO2 release")
    ((mention),) = first.mentions
    line = NOTES["Sourdough.md"].split("\n")[mention.line - 1]
    assert line[mention.start : mention.end] == mention.words == "CO2 release"
    assert "baking" in first.shared_concepts
    likely = [one.probability for one in found.results]
    assert likely == sorted(likely, reverse=True)
    assert all(0.0 <= one <= 1.0 for one in likely)
    ranks = [one.note_path for one in found.results]
    assert "Rye bread.md" in ranks
    assert "Tax return.md" not in ranks[:2]


async def test_neither_the_note_itself_nor_what_it_links_to_is_suggested(place: Indexed) -> None:
    async with place.open() as brain:
        found = await brain.links.suggest(LinkQuery(note="Sourdough.md"))
        every = await brain.links.suggest(LinkQuery(note="Sourdough.md", linked=True))
        either = await brain.links.suggest(LinkQuery(note="Sourdough.md", either_way=True))
    paths = {one.note_path for one in found.results}
    assert paths.isdisjoint({"Sourdough.md", "Starter.md"})
    assert not any(one.already_linked for one in found.results)
    assert [one.note_path for one in every.results if one.already_linked] == ["Starter.md"]
    assert {one.note_path for one in either.results} == paths - {"CO2 release.md"}
    assert found.total_candidates == every.filtered_count > found.filtered_count


async def test_what_cannot_be_used_falls_back_with_a_warning(place: Indexed) -> None:
    async with place.open() as brain:
        for limit in (0, 101, -5):
            found = await brain.links.suggest(LinkQuery(note="Sourdough", limit=limit))
            assert [one.source for one in found.warnings] == ["links"]
            assert found.results
        found = await brain.links.suggest(LinkQuery(note="Sourdough", threshold=7.0))
        assert len(found.warnings) == 1
        assert len((await brain.links.suggest(LinkQuery(note="Sourdough", limit=1))).results) == 1
        strict = await brain.links.suggest(LinkQuery(note="Sourdough", threshold=1.0))
        assert (strict.filtered_count, strict.results) == (0, ())
        with pytest.raises(InputError, match="No note is called 'Nobody'"):
            await brain.links.suggest(LinkQuery(note="Nobody"))


async def test_without_the_store_of_meaning_the_rest_suggests(place: Indexed) -> None:
    tries: list[int] = []

    async def no_store(ids: object, *, limit: int) -> list[tuple[str, float]]:
        tries.append(limit)
        raise SourceError("Nobody is there.")

    async def no_vectors(_: object) -> object:
        raise SourceError("Nobody is there.")

    async with place.open() as brain:
        broken = {"nearest_to": staticmethod(no_store), "vectors": staticmethod(no_vectors)}
        index = type("Broken", (), broken)()
        deps = replace(brain.deps, index=index)
        query = LinkQuery(note="Sourdough")
        found = await LinkSuggester(deps).suggest(query, pauses=(0.0, 0.0, 0.0))
    assert len(tries) == 4
    assert found.results[0].note_path == "CO2 release.md"
    assert [one.source for one in found.warnings] == ["semantic"]


def test_they_are_listed_on_a_terminal_and_as_json(place: Indexed) -> None:
    listed = run_here("link", "suggest", "Sourdough", environment=place.environment)
    assert listed.returncode == 0
    assert "1) CO2 release" in listed.stdout
    assert "named: Sourdough.md:10 “CO2 release”" in listed.stdout
    done = run_here("link", "suggest", "Sourdough", "--json", environment=place.environment)
    given = json.loads(done.stdout)
    assert given["source_note"] == "Sourdough.md"
    assert given["results"][0]["note_id"] == "CO2 release.md"
    missing = run_here("link", "suggest", "Nobody", environment=place.environment)
    assert (missing.returncode, len(missing.stderr.splitlines())) == (2, 1)
