"""Links by tools: shown first, written as they were shown, taken out; and who may do that."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import jsonschema
import pytest

from graphs.brain import Brain
from graphs.ingest.runner import IngestRunner
from graphs.links.links import VaultLinks
from graphs.links.writing import apply as applying
from graphs.operations.links import undo_links, write_link
from graphs.toolkit.audit_log.callers import is_of_program
from graphs.toolkit.audit_log.log import LoggedCall, calls_in
from graphs.toolkit.registry import TOOLS
from graphs.toolkit.tool import Session
from tests.support.processes.command_line import run_here
from tests.support.vaults.added_notes import as_tier, given_by
from tests.support.vaults.indexed import Indexed
from tools.base.errors import AccessError, BrainError, InputError, SourceError, StorageError
from tools.graph.access.kinds import TIERS
from tools.links.planned import LinkRequest
from tools.links.rules import MOST_SUGGESTIONS
from tools.vault.disk.replace import ChangedError

pytestmark = pytest.mark.integration

NOTES = {
    "Sourdough.md": "# Sourdough\n\nA loaf raised by wild yeast, as Bread is.\n",
    "Starter.md": "---\ntags: [bread]\n---\n# Starter\n\nFlour, water, wild yeast.\n",
    "Bread.md": "# Bread\n\nMade of flour.\n",
}
LINK = {"source": "Starter", "target": "Sourdough", "relation": "influences"}
REQUEST = LinkRequest(source="Starter", target="Sourdough", relation="influences")
CREATE, UNDO = "create_link", "undo_link"


@pytest.fixture
async def brain(place: Indexed) -> AsyncIterator[Brain]:
    async with place.open() as opened:
        yield opened


def on_disk(place: Indexed) -> dict[str, str]:
    return {path: (place.vault / path).read_bytes().decode() for path in NOTES}


async def created(session: Session, **arguments: Any) -> dict[str, Any]:
    """A link that was shown, then written."""
    shown = await given_by(session, CREATE, **arguments)
    return await given_by(session, CREATE, **arguments, write=True, plan=shown["plan"])


async def last_logged(session: Session) -> LoggedCall:
    return calls_in(await asyncio.to_thread(session.log.read))[-1]


async def test_a_link_is_shown_then_written_then_taken_out(brain: Brain, place: Indexed) -> None:
    before, librarian = on_disk(place), as_tier(brain, "librarian", "cursor")
    arguments = {**LINK, "context": "It raises it."}
    shown = await given_by(librarian, CREATE, **arguments)
    assert (shown["written"], shown["number"], on_disk(place)) == (False, None, before)
    assert [one["path"] for one in shown["changes"]] == ["Starter.md", "Sourdough.md"]
    assert "+- influences:: [[Sourdough]] — It raises it." in shown["changes"][0]["diff"]
    assert (await last_logged(librarian)).written == ()

    done = await given_by(librarian, CREATE, **arguments, write=True, plan=shown["plan"])
    assert done == {**shown, "written": True, "number": 1}
    assert "influenced_by:: [[Starter]] — It raises it." in on_disk(place)["Sourdough.md"]
    facts = await given_by(librarian, "facts", subject="Starter")
    assert "INFLUENCES" in str(facts)
    logged = await last_logged(librarian)  # facts, which reads, is in the other chain
    assert logged.tool == "facts"
    writes = [one for one in calls_in(await asyncio.to_thread(librarian.log.read)) if one.written]
    assert [one.written for one in writes] == [["Starter.md", "Sourdough.md"]]
    assert "raises" not in str(writes[0].arguments)
    assert writes[0].arguments["relation"] == "influences"

    undone = await given_by(librarian, UNDO, number=1)
    cast("Any", jsonschema).validate(undone, TOOLS[UNDO].output_schema)
    assert undone["notes"] == ["Starter.md", "Sourdough.md"]
    assert on_disk(place) == before
    logged = await last_logged(librarian)
    assert (logged.written, logged.destructive) == (["Starter.md", "Sourdough.md"], False)
    with pytest.raises(InputError, match="taken out"):
        await given_by(librarian, UNDO, number=1)


async def test_it_goes_where_it_was_wanted(brain: Brain, place: Indexed) -> None:
    before, librarian = on_disk(place), as_tier(brain, "librarian")
    await created(librarian, **LINK, place="frontmatter", both_ways=False)
    wanted = {**LINK, "source": "Bread", "place": "section", "section": "See also"}
    await created(librarian, **wanted, both_ways=False)
    await created(librarian, **{**LINK, "source": "Bread", "target": "Starter"}, place="field")
    after = on_disk(place)
    assert 'influences:\n  - "[[Sourdough]]"\n---\n' in after["Starter.md"]
    assert after["Sourdough.md"] == before["Sourdough.md"]
    assert "\n## See also\n\n- influences:: [[Sourdough]]\n" in after["Bread.md"]
    assert "\ninfluences:: [[Starter]]\n" in after["Bread.md"]


@pytest.mark.parametrize(
    "meanwhile",
    ["the person writes", "another link", "other arguments", "no plan", "a made-up one"],
)
async def test_nothing_is_written_that_was_not_shown(
    brain: Brain, place: Indexed, meanwhile: str
) -> None:
    librarian = as_tier(brain, "librarian")
    shown = await given_by(librarian, CREATE, **LINK)
    arguments: dict[str, Any] = {**LINK, "write": True, "plan": shown["plan"]}
    match meanwhile:
        case "the person writes":
            (place.vault / "Starter.md").write_text(NOTES["Starter.md"] + "More.\n", "utf-8")
        case "another link":
            await created(librarian, **{**LINK, "target": "Bread"})
        case "other arguments":
            arguments["context"] = "Something else."
        case "no plan":
            del arguments["plan"]
        case _:
            arguments["plan"] = "0" * 16
    before = on_disk(place)
    with pytest.raises(InputError, match=r"Nothing was written.*without write") as refused:
        await given_by(librarian, CREATE, **arguments)
    assert isinstance(refused.value, ChangedError) == (meanwhile != "no plan")
    assert "\n" not in str(refused.value)
    assert on_disk(place) == before


async def test_a_save_between_plan_and_write_is_kept(
    brain: Brain, place: Indexed, monkeypatch: pytest.MonkeyPatch
) -> None:
    librarian = as_tier(brain, "librarian")
    shown = await given_by(librarian, CREATE, **LINK)
    original = VaultLinks.create

    async def saved_first(*arguments: Any, **options: Any) -> Any:
        (place.vault / "Starter.md").write_text("Mine.\n", "utf-8")
        return await original(*arguments, **options)

    monkeypatch.setattr(VaultLinks, "create", saved_first)
    with pytest.raises(ChangedError):
        await given_by(librarian, CREATE, **LINK, write=True, plan=shown["plan"])
    assert on_disk(place) == {**NOTES, "Starter.md": "Mine.\n"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"target": "Starter"}, "linked to itself"),
        ({"target": "Nobody"}, "No note is called"),
        ({"target": "../x.md"}, "not a path inside the vault"),
        ({"relation": "likes"}, "relation"),
        ({"context": "See [[Bread]]."}, "bracket of a link"),
        ({"context": "x" * 501}, "context"),
        ({"section": "A\n\n<script>alert(1)</script>"}, "heading has more than one line"),
        ({"section": "<script>"}, "heading has a script"),
        ({"section": " "}, "heading has no words"),
        ({"place": "title"}, "place"),
    ],
)
async def test_the_rules_of_links_hold_for_programs(
    brain: Brain, place: Indexed, arguments: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InputError, match=reason) as refused:
        await given_by(as_tier(brain, "curator"), CREATE, **{**LINK, **arguments})
    assert "\n" not in str(refused.value)
    assert on_disk(place) == NOTES


async def test_only_a_librarian_links_and_takes_out(brain: Brain, place: Indexed) -> None:
    number = (await created(as_tier(brain, "librarian"), **LINK))["number"]
    linked = on_disk(place)
    for tier in TIERS[:2]:
        for name, arguments in ((CREATE, {**LINK, "target": "Bread"}), (UNDO, {"number": number})):
            with pytest.raises(AccessError, match=f"{name} is for a librarian"):
                await given_by(as_tier(brain, tier), name, **arguments)
    assert on_disk(place) == linked
    assert (await given_by(as_tier(brain, "curator", "zed"), UNDO, number=number))["notes"]
    assert on_disk(place) == NOTES


async def test_what_the_person_linked_is_theirs_to_take_out(brain: Brain, place: Indexed) -> None:
    planned = await brain.links.plan(REQUEST, by="terminal")
    written, _ = await write_link(brain, planned)
    linked = on_disk(place)
    with pytest.raises(AccessError, match="written by the person"):
        await given_by(as_tier(brain, "curator"), UNDO, number=written.id)
    with pytest.raises(InputError, match="There is no link 9: create_link gives"):
        await given_by(as_tier(brain, "curator"), UNDO, number=9)
    assert on_disk(place) == linked


def test_a_client_cannot_call_itself_a_person_nor_a_person_a_client(brain: Brain) -> None:
    for name in ("terminal", "", "(", "me (curator)", "a" * 200, "(librarian)", "x（curator）"):
        author = as_tier(brain, "librarian", name).author
        assert is_of_program(author), name
        assert author.endswith(" (librarian)")
        assert author.count("(") == 1
    for person in ("terminal", "python", "me", "(curator)", "Ann (the boss)", ""):
        assert not is_of_program(person)


async def test_the_person_s_own_links_are_in_the_audit_log(brain: Brain, place: Indexed) -> None:
    planned = await brain.links.plan(replace(REQUEST, context="It raises it."), by="terminal")
    await write_link(brain, planned)
    session = as_tier(brain, "reader")
    logged = await last_logged(session)
    assert (logged.tool, logged.client, logged.outcome) == (CREATE, "terminal", "ok")
    assert logged.written == ["Starter.md", "Sourdough.md"]
    assert (logged.arguments["source"], logged.arguments["relation"]) == (
        "Starter.md",
        "influences",
    )
    assert "raises" not in str(logged.arguments)
    await undo_links(brain, 1)
    logged = await last_logged(session)
    assert (logged.tool, logged.written) == (UNDO, ["Starter.md", "Sourdough.md"])
    assert on_disk(place) == NOTES


async def test_what_cannot_be_logged_is_not_written(brain: Brain, place: Indexed) -> None:
    planned = await brain.links.plan(REQUEST, by="terminal")
    shown = await given_by(as_tier(brain, "librarian"), CREATE, **LINK)
    folder = place.data_dir / "audit"
    kept = folder.rename(folder.with_name("kept"))
    folder.write_text("no folder", "utf-8")
    try:
        with pytest.raises(StorageError):
            await write_link(brain, planned)
        with pytest.raises(StorageError):
            await given_by(
                as_tier(brain, "librarian"), CREATE, **LINK, write=True, plan=shown["plan"]
            )
        assert on_disk(place) == NOTES
    finally:
        folder.unlink()
        kept.rename(folder)


async def cancelled_in(name: str, given: Callable[[], Any]) -> None:
    """Cancel a call while it changes a note, which then goes on."""
    begun, may_go_on = threading.Event(), threading.Event()
    original = getattr(applying, name)

    def slow(*arguments: Any, **options: Any) -> Any:
        begun.set()
        assert may_go_on.wait(20)
        return original(*arguments, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(applying, name, slow)
        task = asyncio.ensure_future(given())
        assert await asyncio.to_thread(begun.wait, 20)
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)
        may_go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_the_log_tells_what_a_cancelled_call_wrote(brain: Brain, place: Indexed) -> None:
    librarian = as_tier(brain, "librarian")
    shown = await given_by(librarian, CREATE, **LINK)
    write = partial(given_by, librarian, CREATE, **LINK, write=True, plan=shown["plan"])
    notes = ["Starter.md", "Sourdough.md"]
    await cancelled_in("change", write)
    logged = await last_logged(librarian)
    assert (logged.tool, logged.error, logged.written) == (CREATE, "CancelledError", notes)
    assert "[[Starter]]" in on_disk(place)["Sourdough.md"]
    await cancelled_in("change", partial(given_by, librarian, UNDO, number=1))
    logged = await last_logged(librarian)
    assert (logged.tool, logged.error, logged.written) == (UNDO, "CancelledError", notes)
    assert on_disk(place) == NOTES
    planned = await brain.links.plan(REQUEST, by="terminal")
    await cancelled_in("change", partial(write_link, brain, planned))
    logged = await last_logged(librarian)
    assert (logged.client, logged.error, logged.written) == ("terminal", "CancelledError", notes)


async def test_what_is_not_indexed_is_warned_of(
    brain: Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise SourceError("The graph does not answer.")

    librarian = as_tier(brain, "librarian")
    shown = await given_by(librarian, CREATE, **LINK)
    monkeypatch.setattr(IngestRunner, "run", refuse)
    done = await given_by(librarian, CREATE, **LINK, write=True, plan=shown["plan"])
    (warning,) = done["warnings"]
    assert (done["written"], warning["error"]) == (True, "The graph does not answer.")


async def test_suggestions_fall_back_where_they_cannot_be_so_many(brain: Brain) -> None:
    reader = as_tier(brain, "reader")
    found = await given_by(reader, "suggest_links", note="Sourdough", limit=5, threshold=0.0)
    cast("Any", jsonschema).validate(found, TOOLS["suggest_links"].output_schema)
    assert found["warnings"] == []
    assert "Bread.md" in {one["note_path"] for one in found["results"]}
    for wrong in (
        {"limit": 0}, {"limit": -1}, {"limit": MOST_SUGGESTIONS + 1}, {"limit": 10**30},
        {"threshold": 2}, {"threshold": float("nan")},
    ):  # fmt: skip
        fallen_back = await given_by(reader, "suggest_links", note="Sourdough", **wrong)
        assert len(fallen_back["warnings"]) == 1, wrong
        assert fallen_back["results"] == found["results"], wrong
    with pytest.raises(BrainError, match="No note is called"):
        await given_by(reader, "suggest_links", note="Nobody")


def test_a_terminal_s_links_are_listed_by_the_audit(place: Indexed) -> None:
    environment = place.environment
    asked = ("link", "create", "Starter", "Sourdough", "--type", "influences", "--yes")
    assert run_here(*asked, environment=environment).returncode == 0
    assert run_here("link", "undo", environment=environment).returncode == 0
    listed = run_here("audit", environment=environment).stdout.splitlines()
    assert "create_link relation=influences source=Starter.md target=Sourdough.md" in listed[-2]
    assert listed[-2].endswith("wrote Starter.md, Sourdough.md")
    assert "undo_link count=1" in listed[-1]
    assert listed[-1].endswith("wrote Starter.md, Sourdough.md")
    by_tool = run_here("audit", "--tool", UNDO, "--json", environment=environment).stdout
    assert [one["client"] for one in json.loads(by_tool)] == ["terminal"]
