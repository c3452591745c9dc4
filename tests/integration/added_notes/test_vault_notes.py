"""Notes that other programs put into the vault itself, and take back."""

import asyncio
import os
import threading
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphs.brain import Brain
from graphs.operations.staged import accept_staged
from graphs.toolkit.audit_log.log import LoggedCall, calls_in
from graphs.toolkit.tool import Session
from tests.support.processes.another_user import as_root
from tests.support.processes.mounts import remount, small_disk
from tests.support.vaults.added_notes import (
    ADD,
    HERONS,
    NOTES,
    UNDO,
    as_tier,
    files,
    given_by,
    staged_in_graph,
)
from tests.support.vaults.indexed import Indexed
from tools.base.errors import AccessError, BrainError, InputError, SourceError, StorageError
from tools.graph.access.kinds import TIERS
from tools.vault.disk.new_notes import NoteExistsError
from tools.vault.storage.added_notes import AddedNotes

pytestmark = pytest.mark.integration


async def test_a_note_for_the_vault_is_found_with_the_next_call(
    brain: Brain, place: Indexed
) -> None:
    librarian = as_tier(brain, "librarian", "cursor")
    added = await given_by(
        librarian, ADD, path="inbox/birds/Herons.md", content=HERONS, target="vault", confidence=0.5
    )
    assert (added["place"], added["is_new"], added["warnings"]) == ("vault", True, [])
    assert added["stats"] == {"nodes_created": 3, "edges_created": 3}
    text = (place.vault / "inbox/birds/Herons.md").read_text("utf-8")
    assert "the boss" not in text
    assert "created_by: cursor (librarian)" in text
    found = await given_by(librarian, "search_notes", query="newts")
    assert found["notes"][0]["path"] == "inbox/birds/Herons.md"
    near = await given_by(librarian, "semantic_search", query="Herons eat newts")
    assert near["results"][0]["id"] == "inbox/birds/Herons.md"
    node = (await given_by(as_tier(brain, "reader"), "get_node", node_id="Herons"))["node"]
    assert (node["created_by"], node["source_type"], node["confidence"]) == (
        "cursor (librarian)", None, 0.5,
    )  # fmt: skip
    whole = {"question": "What do Herons eat?", "interactive": False, "whole": True}
    told = (await given_by(librarian, "ask", **whole))["answer"]
    facts = await given_by(librarian, "facts", subject="Herons")
    assert "newts" in told  # and where a note comes from is no answer
    assert "confidence: 0.5" not in told
    assert "0.5" not in str(facts["facts"])
    curator = as_tier(brain, "curator", "Zed")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Brain, "index", None)  # there is nothing new to index
        again = await given_by(
            curator, ADD, path="inbox/birds/herons.md", content=HERONS, target="vault",
            confidence=0.5,
        )  # fmt: skip
    assert (again["is_new"], again["note_id"]) == (False, "inbox/birds/Herons.md")
    assert again["stats"] == {"nodes_created": 0, "edges_created": 0}
    assert again["parsed"] == added["parsed"]
    assert files(place) == {*NOTES, "inbox/birds/Herons.md"}

    with pytest.raises(AccessError, match="staged notes only"):
        await given_by(as_tier(brain, "contributor"), UNDO, note="inbox/birds/Herons.md")
    undone = await given_by(librarian, UNDO, note="inbox/birds/Herons.md")
    assert undone == {
        "note_id": "inbox/birds/Herons.md", "place": "vault", "removed": True, "warnings": [],
    }  # fmt: skip
    assert files(place) == set(NOTES)
    assert not (place.vault / "inbox/birds").exists()
    found = await given_by(librarian, "search_notes", query="newts")
    assert "inbox/birds/Herons.md" not in {one["path"] for one in found["notes"]}


async def test_only_a_librarian_writes_and_only_below_the_folder(
    brain: Brain, place: Indexed
) -> None:
    for tier in TIERS:
        session = as_tier(brain, tier)
        for path in ("inbox/../X.md", "Elsewhere.md", "/inbox/X.md", "Inbox/X.md", "inbox/.x.md"):
            with pytest.raises(BrainError) as caught:
                await given_by(session, ADD, path=path, content="x", target="vault")
            assert isinstance(caught.value, InputError)
        if tier in ("reader", "contributor"):
            with pytest.raises(AccessError):
                await given_by(session, ADD, path="inbox/X.md", content="x", target="vault")
    async with place.open() as closed:
        with pytest.raises(InputError, match="BRAIN_NEW_NOTES_FOLDER"):
            await given_by(
                as_tier(closed, "curator"), ADD, path="inbox/X.md", content="x", target="vault"
            )
    async with place.open(new_notes_folder="nowhere") as missing:
        with pytest.raises(InputError, match="not in the vault"):
            await given_by(
                as_tier(missing, "curator"), ADD, path="nowhere/X.md", content="x", target="vault"
            )
    assert files(place) == set(NOTES)


async def test_the_folder_is_one_in_each_unicode_form(place: Indexed) -> None:
    composed, apart = "Caf\u00e9", "Cafe\u0301"
    for stored, named in ((apart, composed), (composed, apart)):
        (place.vault / stored).mkdir()
        async with place.open(new_notes_folder=named) as brain:
            curator = as_tier(brain, "curator")
            for form in (composed, apart):
                path = f"{form}/New.md"
                added = await given_by(curator, ADD, path=path, content="x", target="vault")
                assert added["note_id"] == f"{composed}/New.md"
                assert files(place) == {*NOTES, f"{stored}/New.md"}
            assert (await given_by(curator, UNDO, note=added["note_id"]))["removed"]
        (place.vault / stored).rmdir()


async def test_a_note_that_was_changed_or_is_unknown_is_not_taken_back(
    brain: Brain, place: Indexed
) -> None:
    curator = as_tier(brain, "curator")
    await given_by(curator, ADD, path="inbox/New.md", content="x", target="vault")
    (place.vault / "inbox/New.md").write_text("The person wrote more.", "utf-8")
    with pytest.raises(InputError, match="changed since"):
        await given_by(curator, UNDO, note="inbox/New.md")
    for note in ("inbox/Old.md", "../x.md", "Old"):
        with pytest.raises(InputError, match="No note was added"):
            await given_by(curator, UNDO, note=note)
    assert (place.vault / "inbox/New.md").read_text("utf-8") == "The person wrote more."
    await given_by(curator, ADD, path="inbox/Staged.md", content="x")
    assert (await given_by(as_tier(brain, "contributor"), UNDO, note="inbox/Staged.md"))["removed"]
    assert await staged_in_graph(brain) == set()


@pytest.mark.parametrize("target", ["staging", "vault"])
async def test_of_two_clients_that_write_one_path_one_wins(
    brain: Brain, place: Indexed, target: str
) -> None:
    async with place.open(new_notes_folder="inbox") as other:
        adding = [
            given_by(as_tier(one, "librarian"), ADD, path=path, content=f"{number}", target=target)
            for number, (one, path) in enumerate(
                [(brain, "inbox/Race.md"), (other, "inbox/race.md")] * 3
            )
        ]
        done = await asyncio.gather(*adding, return_exceptions=True)
    assert [one["is_new"] for one in done if isinstance(one, dict)] == [True]
    refused = [one for one in done if not isinstance(one, dict)]
    assert len(refused) == 5
    assert all(isinstance(one, NoteExistsError) for one in refused)


@as_root
@pytest.mark.parametrize("why", ["full", "read-only"])
async def test_a_vault_that_cannot_be_written_stays_as_it_is(tmp_path: Path, why: str) -> None:
    with small_disk(tmp_path / "vault") as disk:
        place = Indexed(vault=disk, data_dir=tmp_path / "data")
        (disk / "inbox").mkdir()
        (disk / "inbox/A.md").write_text("mine", "utf-8")
        await asyncio.to_thread(place.index)
        async with place.open(new_notes_folder="inbox") as brain:
            if why == "full":
                with (disk / "ballast").open("wb", buffering=0) as file:
                    while os.statvfs(disk).f_bavail:
                        file.write(b"\0" * 4096)
            else:
                remount(disk, "ro")
            curator = as_tier(brain, "curator")
            with pytest.raises(StorageError, match=r"The vault cannot be written .*Reading and"):
                await given_by(
                    curator, ADD, path="inbox/x/N.md", content="x" * 9000, target="vault"
                )
            staged = await given_by(curator, ADD, path="inbox/N.md", content="x" * 9000)
            assert staged["is_new"]
        assert {one.name for one in disk.rglob("*")} <= {"inbox", "A.md", "ballast"}
        await asyncio.to_thread(place.stop_servers)


async def cancelled_in(method: str, given: Callable[[], Any]) -> None:
    """Cancel a call while the list of added notes is in this method, which then goes on."""
    begun, may_go_on = threading.Event(), threading.Event()
    original = getattr(AddedNotes, method)

    def slow(*arguments: Any, **options: Any) -> Any:
        begun.set()
        assert may_go_on.wait(20)
        return original(*arguments, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(AddedNotes, method, slow)
        task = asyncio.ensure_future(given())
        assert await asyncio.to_thread(begun.wait, 20)
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0.01)
        may_go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task


async def last_logged(session: Session) -> LoggedCall:
    return calls_in(await asyncio.to_thread(session.log.read))[-1]


@pytest.mark.parametrize(("target", "method"), [("staging", "stage"), ("vault", "end")])
async def test_the_log_tells_what_a_cancelled_call_wrote(
    brain: Brain, place: Indexed, target: str, method: str
) -> None:
    curator = as_tier(brain, "curator")
    add = partial(given_by, curator, ADD, path="inbox/A.md", content="x", target=target)
    await cancelled_in(method, add)
    logged = await last_logged(curator)
    assert (logged.tool, logged.error, logged.written) == (ADD, "CancelledError", ["inbox/A.md"])
    assert (await add())["is_new"] is False
    ending = "forget" if target == "staging" else "end"
    await cancelled_in(ending, partial(given_by, curator, UNDO, note="inbox/A.md"))
    logged = await last_logged(curator)
    assert (logged.tool, logged.error, logged.written) == (UNDO, "CancelledError", ["inbox/A.md"])
    assert files(place) == set(NOTES)
    assert await staged_in_graph(brain) == set()
    assert (await add())["is_new"] is True


async def test_what_is_wrong_with_the_vault_is_said_of_the_vault(
    brain: Brain, place: Indexed
) -> None:
    curator = as_tier(brain, "curator")
    add = partial(given_by, curator, ADD, path="inbox/A.md", content="x", target="vault")
    await add()
    (place.vault / "inbox/A.md").unlink()
    (place.vault / "inbox/A.md").symlink_to(place.vault / "Atomic note.md")
    with pytest.raises(InputError, match="changed since"):
        await given_by(curator, UNDO, note="inbox/A.md")
    moved = place.vault.rename(place.vault.with_name("moved"))
    try:
        with pytest.raises(StorageError, match="The vault cannot be written"):
            await given_by(curator, UNDO, note="inbox/A.md")
    finally:
        moved.rename(place.vault)


async def test_what_is_not_indexed_is_warned_of_alike_by_tools_and_commands(
    brain: Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_: Brain) -> None:
        raise SourceError("The graph does not answer.")

    monkeypatch.setattr(Brain, "index", refuse)
    curator = as_tier(brain, "curator")
    added = await given_by(curator, ADD, path="inbox/A.md", content="x", target="vault")
    undone = await given_by(curator, UNDO, note="inbox/A.md")
    await given_by(curator, ADD, path="inbox/B.md", content="x")
    (accepted,) = (await accept_staged(brain, "inbox/B.md")).warnings
    assert (accepted.source, accepted.error) == ("index", "The graph does not answer.")
    assert "not indexed yet" in accepted.impact
    assert added["warnings"] == undone["warnings"] == [asdict(accepted)]
