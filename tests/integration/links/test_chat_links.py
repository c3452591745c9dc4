"""Links in a conversation: listed, shown, and written only after a yes."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from graphs.brain import Brain
from graphs.cli.commands import chat
from tests.support.vaults.indexed import Indexed
from tools.base.errors import InputError
from tools.links.suggestion import LinkSuggestions, SuggestedRelation

pytestmark = pytest.mark.integration

NOTES = {
    "Sourdough.md": "# Sourdough\n\nA loaf raised by wild yeast, as Bread is.\n",
    "Starter.md": "# Starter\n\nFlour, water, wild yeast.\n",
    "Bread.md": "# Bread\n\nMade of flour.\n",
    "2024.md": "# 2024\n\nThe year of wild yeast.\n",
}
Captured = pytest.CaptureFixture[str]


@pytest.fixture
async def brain(place: Indexed) -> AsyncIterator[Brain]:
    async with place.open() as opened:
        yield opened


async def said(brain: Brain, *lines: str, session: chat.Session | None = None) -> chat.Session:
    session = session or chat.Session(thread="t")
    for line in lines:
        session = await chat.step(brain, session, line)
    return session


def on_disk(place: Indexed) -> dict[str, str]:
    return {path: (place.vault / path).read_text("utf-8") for path in NOTES}


async def test_a_link_is_listed_shown_written_and_taken_out(
    brain: Brain, place: Indexed, capsys: Captured
) -> None:
    session = await said(brain, "/link Sourdough")
    assert "1) Bread" in capsys.readouterr().out
    session = await said(brain, "/link 1 Supports It is one, too.", session=session)
    shown = capsys.readouterr().out
    assert "+- supports:: [[Bread]] — It is one, too." in shown
    assert "+- supported_by:: [[Sourdough]] — It is one, too." in shown
    assert on_disk(place) == NOTES
    session = await said(brain, "y", session=session)
    assert "Linked (1): Sourdough.md supports Bread.md." in capsys.readouterr().out
    assert "supports:: [[Bread]]" in on_disk(place)["Sourdough.md"]
    learned = await brain.links.stats()
    assert (learned.decided, learned.accepted) == (1, 1)
    with pytest.raises(InputError, match="already"):
        await said(brain, "/link 1 supports", session=session)
    await said(brain, "/undo", session=session)
    assert "Taken out (1): Sourdough.md supports Bread.md." in capsys.readouterr().out
    assert on_disk(place) == NOTES
    assert (await brain.links.stats()).decided == 0


@pytest.mark.parametrize("line", ["", "n", "no", "hayır", "1", "maybe", "*plan", "*link Bread"])
async def test_without_a_yes_nothing_is_written(
    brain: Brain, place: Indexed, capsys: Captured, line: str
) -> None:
    session = await said(brain, "*link Sourdough", "*link 1 supports")
    session = await said(brain, line, "y", session=session)
    assert "Nothing was written." in capsys.readouterr().out
    assert session.links.planned is None
    assert on_disk(place) == NOTES


async def test_another_line_than_yes_or_no_is_carried_out(brain: Brain, capsys: Captured) -> None:
    await said(brain, "*link Sourdough", "*link 1 supports", "*plan")
    shown = capsys.readouterr().out
    assert shown.endswith("Nothing was written.\nNothing has been asked yet.\n")


async def test_a_note_saved_meanwhile_is_not_written_and_asked_about_once(
    brain: Brain, place: Indexed, capsys: Captured
) -> None:
    session = await said(brain, "*link Sourdough", "*link 1 supports")
    (place.vault / "Sourdough.md").write_text("Mine.\n", "utf-8")
    session = await said(brain, "y", session=session)
    assert "changed since" in capsys.readouterr().out
    assert session.links.planned is None
    assert on_disk(place) == {**NOTES, "Sourdough.md": "Mine.\n"}


async def test_the_note_is_the_one_that_was_cited_last(brain: Brain, capsys: Captured) -> None:
    with pytest.raises(InputError, match="Name a note"):
        await said(brain, "*link")
    session = await said(brain, "What is raised by wild yeast, as Bread is?")
    assert session.asked
    cited = session.asked.results[0].note_path
    session = await said(brain, "*link", session=session)
    assert session.links.listed
    assert session.links.listed.source_note == cited


async def test_a_number_that_is_not_listed_is_a_note(brain: Brain) -> None:
    session = await said(brain, "*link Sourdough", "*link 2024")
    assert session.links.listed
    assert session.links.listed.source_note == "2024.md"
    with pytest.raises(InputError, match="No note is called '99'"):
        await said(brain, "*link 99", session=session)


async def test_a_link_needs_a_type_unless_one_is_suggested(brain: Brain, capsys: Captured) -> None:
    session = await said(brain, "*link Sourdough")
    listed = session.links.listed
    assert listed
    untyped = _typed(session, listed, None)
    with pytest.raises(InputError, match=r"Say of which type it is.*supports, contradicts"):
        await said(brain, "*link 1 because of yeast", session=untyped)
    relation = SuggestedRelation(relation="elaborates", probability=0.9, reason="")
    typed = _typed(session, listed, relation)
    await said(brain, "*link 1 because of yeast", session=typed)
    assert "elaborates:: [[Bread]] — because of yeast" in capsys.readouterr().out
    await said(brain, "*link 1 contradicts", session=typed)
    assert "contradicts:: [[Bread]]\n" in capsys.readouterr().out


def _typed(
    session: chat.Session, listed: LinkSuggestions, relation: SuggestedRelation | None
) -> chat.Session:
    """The session, where all that is listed has this type."""
    results = tuple(replace(one, relation=relation) for one in listed.results)
    links = replace(session.links, listed=replace(listed, results=results))
    return replace(session, links=links)
