"""Suggested links have a type and a reason that quotes both notes, or none at all."""

import re
from dataclasses import replace

import pytest

from agents.linker.relation import RELATIONS
from graphs.brain import Brain
from graphs.links.find import find_note
from graphs.links.suggesting.explain import explain
from graphs.links.suggesting.suggest import LinkQuery
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.base.errors import SourceError
from tools.links.suggestion import LinkSuggestion

pytestmark = pytest.mark.integration

NOTES = {
    "Gamed measures.md": (
        "# Gamed measures\n\nAny measure that people are paid by is gamed. "
        "It is always so: in schools, in armies, in shops.\n"
    ),
    "Nails.md": (
        "# Nails\n\nIn 1957 a plant in Omsk was paid by the ton, and the measure was gamed: "
        "it made 300 nails of a kilo each, and sold none.\n"
    ),
    "Hedefler.md": (
        "# Hedefler\n\nÖlçülen her şey hedef olur ve insanlar bu hedefe göre davranır. "
        "Bu yüzden ölçü artık iyi bir ölçü değildir.\n"
    ),
    "Sourdough.md": (
        "# Sourdough\n\nI fold the dough four times in two hours and bake it at 240 degrees until "
        "the crust is dark. It rises overnight in the fridge.\n"
    ),
    "Rye bread.md": (
        "# Rye bread\n\nThe rye loaf is baked in a tin at 180 degrees for an hour. I let it rest "
        "for a day before I cut it, and it keeps for a week.\n"
    ),
    "Empty.md": "",
    "Short.md": "# Short\n\nA measure that people are paid by is gamed.\n",
}


@pytest.fixture(scope="module")
def place(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request).of(NOTES)


async def explained(brain: Brain, name: str = "Gamed measures") -> dict[str, LinkSuggestion]:
    found = await brain.links.suggest(LinkQuery(note=name))
    untyped = [replace(one, relation=None) for one in found.results]
    done = await explain(brain.deps, find_note(brain.deps, name), untyped)
    assert [replace(one, relation=None) for one in done] == untyped
    return {one.note_path: one for one in done}


async def test_a_type_comes_with_a_reason_that_quotes_both_notes(place: Indexed) -> None:
    async with place.open() as brain:
        relation = (await explained(brain))["Nails.md"].relation
    assert relation is not None
    assert relation.relation in RELATIONS
    assert 0.0 < relation.probability <= 1.0
    one, other = re.findall("“([^”]*)”", relation.reason)
    assert one.strip("…") in NOTES["Gamed measures.md"]
    assert other.strip("…") in NOTES["Nails.md"]


async def test_two_notes_on_one_topic_that_are_of_no_type_have_none(place: Indexed) -> None:
    async with place.open() as brain:
        assert (await explained(brain, "Sourdough"))["Rye bread.md"].relation is None


async def test_nothing_is_guessed_of_a_note_in_another_language_or_of_few_words(
    place: Indexed,
) -> None:
    untyped = LinkSuggestion(
        note_id="Hedefler.md",
        note_title="Hedefler",
        note_path="Hedefler.md",
        probability=0.5,
        similarity_score=None,
        shared_concepts=(),
        already_linked=False,
    )
    empty = replace(untyped, note_id="Empty.md", note_title="Empty", note_path="Empty.md")
    short = replace(untyped, note_id="Short.md", note_title="Short", note_path="Short.md")
    every = [untyped, empty, short]
    async with place.open() as brain:
        note = find_note(brain.deps, "Gamed measures")
        assert await explain(brain.deps, note, every) == every
        assert await explain(brain.deps, note, []) == []


async def test_nothing_is_guessed_where_the_store_of_meaning_does_not_answer(
    place: Indexed,
) -> None:
    async def no_store(*_: object, **__: object) -> dict[str, object]:
        raise SourceError("Nobody is there.")

    async with place.open() as brain:
        found = [
            replace(one, relation=None)
            for one in (await brain.links.suggest(LinkQuery(note="Gamed measures"))).results
        ]
        index = type("Broken", (), {"vectors": staticmethod(no_store)})()
        deps = replace(brain.deps, index=index)
        assert found
        assert await explain(deps, find_note(deps, "Gamed measures"), found) == found
