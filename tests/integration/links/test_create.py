"""Links that a person approves: both ways, byte for byte, known to all stores, taken out again."""

import json
from collections.abc import Iterator

import pytest

from graphs.links.create import LinkRequest
from tests.support.processes.command_line import run_here
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed
from tools.base.errors import InputError
from tools.vault.editing.places import AsField, InFrontmatter

pytestmark = pytest.mark.integration

NOTES = {
    "Sourdough.md": "# Sourdough\r\n\r\nA loaf raised by wild yeast.\r\n",
    "Starter.md": "---\ntags: [bread]\n---\n# Starter\n\nFlour, water.\n\n## Related\n\n* Flour\n",
    "books/Yeast.md": "# Yeast\n\nA fungus.\n",
    "ideas/Yeast.md": "# Yeast\n\nTo try next.",
    "Bread.md": "# Bread\n\nMade of flour.\n",
}


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    folders = tmp_path_factory
    yield from renewed(Indexed(vault=folders.mktemp("v"), data_dir=folders.mktemp("d")), NOTES)


@pytest.fixture
def place(vault: Renewed) -> Indexed:
    return vault.anew()


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
        planned = await brain.plan_link(request)
        assert on_disk(place) == before
        assert [change.path for change in planned.changes] == ["Starter.md", "Sourdough.md"]
        written, warnings = await brain.create_link(planned)
        assert (written.id, written.state, warnings) == (1, "applied", ())
        after = on_disk(place)
        added = b"* influences:: [[Sourdough]] \xe2\x80\x94 It raises it.\n"
        assert after["Starter.md"] == before["Starter.md"] + added
        ends = b"\r\n## Related\r\n\r\n- influenced_by:: [[Starter]] \xe2\x80\x94 It raises it.\r\n"
        assert after["Sourdough.md"] == before["Sourdough.md"] + ends
        facts = await brain.facts("Starter")
        assert ("INFLUENCES", "Sourdough") in {(one.relation, one.object) for one in facts.facts}
        with pytest.raises(InputError, match=r"links to Sourdough\.md already"):
            await brain.plan_link(request)
        outcome, _ = await brain.undo_links()
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
            await brain.create_link(await brain.plan_link(request))
    after = on_disk(place)
    assert {path for path in NOTES if after[path] != before[path]} == {"Bread.md"}
    assert after["Bread.md"] == (
        b'---\nsupports:\n  - "[[Starter]]"\n---\n' + before["Bread.md"]
        + b"\nelaborates:: [[Sourdough]]\n"
    )  # fmt: skip


async def test_a_circle_of_reasons_is_refused_and_another_only_warned_of(place: Indexed) -> None:
    async with place.open() as brain:
        for source, target in (("Bread", "Starter"), ("Starter", "Sourdough")):
            request = LinkRequest(source=source, target=target, relation="supports")
            await brain.create_link(await brain.plan_link(request))
        closing = LinkRequest(source="Sourdough", target="Bread", relation="supports")
        with pytest.raises(InputError, match=r"Sourdough\.md → Bread\.md → Starter\.md → Sou"):
            await brain.plan_link(closing)
        weaker = LinkRequest(source="Sourdough", target="Bread", relation="elaborates")
        assert (await brain.plan_link(weaker)).warnings == ()
        await brain.undo_links(2)


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
        (LinkRequest(source="../Bread", target="Starter", relation="supports"), "No note is"),
    ],
    ids=["itself", "nobody", "two", "type", "context", "outside"],
)
async def test_what_may_not_be_is_refused_before_anything_is_written(
    place: Indexed, request_: LinkRequest, said: str
) -> None:
    before = on_disk(place)
    async with place.open() as brain:
        with pytest.raises(InputError, match=said):
            await brain.plan_link(request_)
    assert on_disk(place) == before


async def test_a_note_changed_since_it_was_looked_at_is_not_written(place: Indexed) -> None:
    async with place.open() as brain:
        request = LinkRequest(source="Bread", target="books/Yeast.md", relation="specializes")
        planned = await brain.plan_link(request)
        assert "[[books/Yeast]]" in "".join(planned.changes[0].diff)
        bread = place.vault / "Bread.md"
        changed = bread.read_bytes() + b"More.\n"
        bread.write_bytes(changed)
        before = on_disk(place)
        with pytest.raises(InputError, match="changed"):
            await brain.create_link(planned)
        assert on_disk(place) == before


def test_on_a_terminal_it_is_shown_and_nothing_is_written_unasked(place: Indexed) -> None:
    before = on_disk(place)
    asked = ("link", "create", "Bread", "Starter", "--type", "supports")
    refused = run_here(*asked, environment=place.environment)
    assert (refused.returncode, on_disk(place)) == (2, before)
    assert "add --yes" in refused.stderr
    done = run_here(*asked, "--yes", environment=place.environment)
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
