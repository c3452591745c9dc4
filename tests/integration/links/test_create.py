"""Links that a person approves: both ways, byte for byte, known to all stores, taken out again."""

import asyncio
import json
import os
import signal
from dataclasses import replace

import pytest

from tests.support.processes.command_line import run_here
from tests.support.processes.terminals import at_a_terminal, until_asked
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.base.errors import InputError
from tools.links.planned import LinkRequest
from tools.vault.editing.places import AroundMention, AsField, InFrontmatter, InSection, Place

pytestmark = pytest.mark.integration

NOTES = {
    "Sourdough.md": "# Sourdough\r\n\r\nA loaf raised by wild yeast.\r\n",
    "Starter.md": "---\ntags: [bread]\n---\n# Starter\n\nFlour, water.\n\n## Related\n\n* Flour\n",
    "books/Yeast.md": "# Yeast\n\nA fungus.\n",
    "ideas/Yeast.md": "# Yeast\n\nTo try next.",
    "ideas/C# [draft].md": "# Sharp\n\nA language.\n",
    "Bread.md": "# Bread\n\nMade of flour.\n",
}


CREATE = ("link", "create", "Bread", "Starter", "--type", "supports")


def unreachable(*_: object, **__: object) -> None:
    raise AssertionError("the graph was asked")


def on_disk(place: Indexed) -> dict[str, bytes]:
    return {path: (place.vault / path).read_bytes() for path in NOTES}


async def test_a_link_is_in_both_notes_and_all_stores_and_undone_byte_for_byte(
    place: Indexed,
) -> None:
    before = on_disk(place)
    async with place.open() as brain:
        request = LinkRequest(
            source="Starter", target="Sourdough", relation="influences", context="It raises it."
        )
        planned = await brain.links.plan(request)
        assert on_disk(place) == before
        assert [change.path for change in planned.changes] == ["Starter.md", "Sourdough.md"]
        written, warnings = await brain.links.create(planned)
        assert (written.id, written.state, warnings) == (1, "applied", ())
        after = on_disk(place)
        added = b"* influences:: [[Sourdough]] \xe2\x80\x94 It raises it.\n"
        assert after["Starter.md"] == before["Starter.md"] + added
        ends = b"\r\n## Related\r\n\r\n- influenced_by:: [[Starter]] \xe2\x80\x94 It raises it.\r\n"
        assert after["Sourdough.md"] == before["Sourdough.md"] + ends
        facts = await brain.facts("Starter")
        assert ("INFLUENCES", "Sourdough") in {(one.relation, one.object) for one in facts.facts}
        with pytest.raises(InputError, match=r"links to Sourdough\.md already"):
            await brain.links.plan(request)
        outcome, _ = await brain.links.undo_last()
        assert [one.state for one in outcome.writes] == ["undone"]
        assert on_disk(place) == before
        facts = await brain.facts("Starter")
        assert "INFLUENCES" not in {one.relation for one in facts.facts}


async def test_it_goes_where_it_was_wanted_and_one_way_if_it_was(place: Indexed) -> None:
    before = on_disk(place)
    async with place.open() as brain:
        for relation, target, spot in (
            ("supports", "Starter", InFrontmatter()),
            ("elaborates", "Sourdough", AsField()),
        ):
            request = LinkRequest(
                source="Bread", target=target, relation=relation, place=spot, back=None
            )
            await brain.links.create(await brain.links.plan(request))
    after = on_disk(place)
    assert {path for path in NOTES if after[path] != before[path]} == {"Bread.md"}
    assert after["Bread.md"] == (
        b'---\nsupports:\n  - "[[Starter]]"\n---\n' + before["Bread.md"]
        + b"\nelaborates:: [[Sourdough]]\n"
    )  # fmt: skip


async def test_a_note_that_brackets_cannot_name_is_linked_as_markdown_does(place: Indexed) -> None:
    before = on_disk(place)
    async with place.open() as brain:
        request = LinkRequest(source="books/Yeast.md", target="Sharp", relation="supports")
        await brain.links.create(await brain.links.plan(request))
        added = b"- supports:: [C\\# \\[draft\\]](../ideas/C%23%20%5Bdraft%5D.md)\n"
        assert on_disk(place)["books/Yeast.md"].endswith(added)
        facts = (await brain.facts("books/Yeast")).facts
        assert ("SUPPORTS", "Sharp") in {(one.relation, one.object) for one in facts}
        with pytest.raises(InputError, match="already"):
            await brain.links.plan(request)
        await brain.links.undo_last()
    assert on_disk(place) == before


async def test_a_circle_of_reasons_is_refused_and_another_only_warned_of(place: Indexed) -> None:
    async with place.open() as brain:
        for source, target in (("Bread", "Starter"), ("Starter", "Sourdough")):
            request = LinkRequest(source=source, target=target, relation="supports")
            await brain.links.create(await brain.links.plan(request))
        closing = LinkRequest(source="Sourdough", target="Bread", relation="supports")
        with pytest.raises(InputError, match=r"Sourdough\.md → Bread\.md → Starter\.md → Sou"):
            await brain.links.plan(closing)
        weaker = LinkRequest(source="Sourdough", target="Bread", relation="elaborates")
        assert (await brain.links.plan(weaker)).warnings == ()
        await brain.links.undo_last(2)


async def test_a_circle_is_found_however_long_it_is_and_the_graph_is_not_asked(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = {f"{at:02}.md": f"supports:: [[{at + 1:02}]]\n" for at in range(39)} | {"39.md": "End."}
    place = await asyncio.to_thread(in_turn(request).of, chain)
    async with place.open() as brain:
        monkeypatch.setattr(type(brain.deps.graph), "facts", unreachable)
        with pytest.raises(InputError) as refused:
            await brain.links.plan(LinkRequest(source="39", target="00", relation="supports"))
    assert str(refused.value) == (
        "The link would close a circle of reasoning: 39.md → 00.md → 01.md → 02.md → 03.md → "
        "04.md → (29 more) → 34.md → 35.md → 36.md → 37.md → 38.md → 39.md."
    )


async def test_where_a_context_has_no_room_that_is_said(place: Indexed) -> None:
    around = AroundMention(line=3, start=2, end=6, words="loaf")

    async def warned(spot: Place, back: Place | None, context: str = "So it is.") -> list[str]:
        request = LinkRequest(
            source="Sourdough", target="Bread", relation="specializes", context=context,
            place=spot, back=back,
        )  # fmt: skip
        return [*(await brain.links.plan(request)).warnings]

    async with place.open() as brain:
        assert await warned(InSection(), AsField()) == []
        assert await warned(around, InSection(), context="") == []
        (partly,) = await warned(around, InSection())
        assert "into Bread.md alone" in partly
        for back in (None, InFrontmatter()):
            (nowhere,) = await warned(around, back)
            assert "nowhere" in nowhere


@pytest.mark.parametrize("side", ["place", "back"])
async def test_a_heading_is_plain_words_on_either_side(place: Indexed, side: str) -> None:
    request = LinkRequest(source="Bread", target="Starter", relation="supports")
    async with place.open() as brain:
        for heading in ("See [[Yeast]]", "a:: b", "one\ntwo"):
            with pytest.raises(InputError, match="heading"):
                await brain.links.plan(replace(request, **{side: InSection(heading=heading)}))


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (LinkRequest(source="Bread", target="Bread", relation="supports"), "linked to itself"),
        (LinkRequest(source="Bread", target="Nobody", relation="supports"), "No note is called"),
        (LinkRequest(source="Bread", target="Yeast", relation="supports"), "say which by its path"),
        (LinkRequest(source="Bread", target="Starter", relation="likes"), "no type of link"),
        (
            LinkRequest(
                source="Bread", target="Starter", relation="supports", context="See [[Yeast]]."
            ),
            "bracket of a link",
        ),
        (LinkRequest(source="../Bread", target="Starter", relation="supports"), "inside the vault"),
    ],
    ids=["itself", "nobody", "two", "type", "context", "outside"],
)
async def test_what_may_not_be_is_refused_before_anything_is_written(
    place: Indexed, request_: LinkRequest, said: str
) -> None:
    before = on_disk(place)
    async with place.open() as brain:
        with pytest.raises(InputError, match=said):
            await brain.links.plan(request_)
    assert on_disk(place) == before


async def test_a_note_changed_since_it_was_looked_at_is_not_written(place: Indexed) -> None:
    async with place.open() as brain:
        request = LinkRequest(source="Bread", target="books/Yeast.md", relation="specializes")
        planned = await brain.links.plan(request)
        assert "[[books/Yeast]]" in "".join(planned.changes[0].diff)
        bread = place.vault / "Bread.md"
        changed = bread.read_bytes() + b"More.\n"
        bread.write_bytes(changed)
        before = on_disk(place)
        with pytest.raises(InputError, match="changed"):
            await brain.links.create(planned)
        assert on_disk(place) == before


def test_on_a_terminal_it_is_shown_and_nothing_is_written_unasked(place: Indexed) -> None:
    before = on_disk(place)
    refused = run_here(*CREATE, environment=place.environment)
    assert (refused.returncode, on_disk(place)) == (2, before)
    assert "add --yes" in refused.stderr
    done = run_here(*CREATE, "--yes", environment=place.environment)
    assert done.returncode == 0
    assert "+- supports:: [[Starter]]" in done.stdout
    assert on_disk(place) != before
    listed = run_here("link", "history", "--json", environment=place.environment)
    (one,) = json.loads(listed.stdout)
    assert (one["source"], one["relation"], one["state"]) == ("Bread.md", "supports", "applied")
    undone = run_here("link", "undo", environment=place.environment)
    assert (undone.returncode, on_disk(place)) == (0, before)
    shown = run_here("link", "history", environment=place.environment)
    assert "(taken out)" in shown.stdout
    none = run_here("link", "undo", environment=place.environment)
    assert (none.returncode, none.stdout) == (0, "")


@pytest.mark.parametrize("key", ["\x04", "\n", "n\n"])
def test_whoever_does_not_agree_has_nothing_written(place: Indexed, key: str) -> None:
    before = on_disk(place)
    with at_a_terminal(*CREATE, environment=place.environment) as (create, terminal):
        assert "+- supports:: [[Starter]]" in until_asked(terminal, "[y/N]: ")
        os.write(terminal, key.encode())
        assert "Nothing was written." in until_asked(terminal, "written.\r\n")
        assert create.wait(timeout=60) == 2
    assert on_disk(place) == before


def test_ctrl_c_ends_the_question_and_nothing_is_written(place: Indexed) -> None:
    before = on_disk(place)
    with at_a_terminal(*CREATE, environment=place.environment) as (create, terminal):
        until_asked(terminal, "[y/N]: ")
        create.send_signal(signal.SIGINT)
        assert create.wait(timeout=60) == 130
    assert on_disk(place) == before
