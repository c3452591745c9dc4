"""Notes that other programs add: staged, put into the vault, taken back; what a person decides."""

import asyncio
import json
import os
import stat
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphs.brain import Brain
from graphs.core.graph_backends import staging_graph
from graphs.ingest import new_notes
from graphs.operations.staged import accept_staged, discard_staged, list_staged, read_staged
from graphs.toolkit.audit_log.log import LoggedCall, calls_in
from graphs.toolkit.registry import call
from graphs.toolkit.tool import Session, caller
from tests.support.processes.another_user import as_root
from tests.support.processes.command_line import BRAIN, run, run_here
from tests.support.processes.mounts import remount, small_disk
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed
from tools.base.errors import AccessError, BrainError, InputError, SourceError, StorageError
from tools.graph.access.kinds import TIERS, Tier
from tools.graph.backends.graphiti import GraphitiStore
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.new_notes import NoteExistsError
from tools.vault.storage.added_notes import AddedNotes

pytestmark = pytest.mark.integration

NOTES = {
    "Atomic note.md": "# Atomic note\n\nOne thought.\n",
    "inbox/Old.md": "Written by hand.\n",
}
HERONS = (
    "---\ncreated_by: the boss\ntags: [birds]\n---\n# Herons\n\n"
    "Herons eat newts, says [[Nobody]].\n\nsupports:: [[Atomic note]]\n"
)
ADD, UNDO = "add_note_to_graph", "undo_add_note"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    folder = tmp_path_factory.mktemp("added")
    yield from renewed(Indexed(vault=folder / "vault", data_dir=folder / "data"), NOTES)


@pytest.fixture
def place(shared: Renewed) -> Indexed:
    return shared.anew()


@pytest.fixture
async def brain(place: Indexed) -> AsyncIterator[Brain]:
    async with place.open(new_notes_folder="inbox") as opened:
        yield opened
        store = GraphitiStore(staging_graph(opened.settings, None))
        await store.reset()
        await store.close()


def as_tier(brain: Brain, tier: Tier, client: str = "claude-desktop") -> Session:
    return Session(brain, caller(client, tier=tier))


async def given_by(session: Session, name: str, **arguments: Any) -> dict[str, Any]:
    return (await call(session, name, arguments)).result


async def staged_in_graph(brain: Brain) -> set[str]:
    store = GraphitiStore(staging_graph(brain.settings, None))
    try:
        return set(await store.digests())
    finally:
        await store.close()


def files(place: Indexed) -> set[str]:
    return {str(one.relative_to(place.vault)) for one in place.vault.rglob("*") if one.is_file()}


async def test_a_staged_note_is_read_and_kept_apart(brain: Brain, place: Indexed) -> None:
    contributor = as_tier(brain, "contributor")
    called = await call(
        contributor,
        ADD,
        {"path": "inbox/Herons.md", "content": HERONS, "source_type": "web", "confidence": 0.5},
    )
    added = called.result
    assert called.hints.suggested_before == ("search_notes",)
    assert (added["note_id"], added["place"], added["is_new"]) == (
        "inbox/Herons.md", "staging", True,
    )  # fmt: skip
    parsed = added["parsed"]
    assert (parsed["title"], parsed["tags"]) == ("Herons", ["birds"])
    assert parsed["wikilinks"] == ["Nobody", "Atomic note"]
    assert parsed["frontmatter"]["created_by"] == "claude-desktop (contributor)"
    assert (parsed["frontmatter"]["source_type"], parsed["frontmatter"]["confidence"]) == (
        "web", 0.5,
    )  # fmt: skip
    assert {
        (one["from"], one["relation"], one["to"]) for one in added["extracted"]["relations"]
    } == {
        ("inbox/Herons.md", "LINKS_TO", "name:Nobody"),
        ("inbox/Herons.md", "SUPPORTS", "Atomic note.md"),
        ("inbox/Herons.md", "TAGGED", "tag:birds"),
    }
    assert {one["id"] for one in added["extracted"]["entities"]} == {
        "inbox/Herons.md", "Atomic note.md", "name:Nobody", "tag:birds",
    }  # fmt: skip
    assert added["stats"] == {"nodes_created": 4, "edges_created": 3}
    store = GraphitiStore(staging_graph(brain.settings, None))
    (stated,) = (await store.provenance(["inbox/Herons.md"])).values()
    assert (stated.created_by, stated.confidence) == ("claude-desktop (contributor)", 0.5)
    await store.close()

    assert files(place) == set(NOTES)
    found = await given_by(contributor, "search_notes", query="What do herons eat? newts")
    assert "inbox/Herons.md" not in {one["path"] for one in found["notes"]}
    assert (await given_by(contributor, "get_graph_stats"))["staged_notes"] == 1
    assert (await given_by(as_tier(brain, "reader"), "get_graph_stats"))["staged_notes"] is None
    assert stat.S_IMODE(place.data_dir.stat().st_mode) == 0o700


async def test_the_same_again_is_the_same_and_another_text_is_refused(brain: Brain) -> None:
    contributor = as_tier(brain, "contributor")
    first = await given_by(contributor, ADD, path="inbox/H.md", content=HERONS)
    again = await given_by(as_tier(brain, "curator"), ADD, path="inbox/h.md", content=HERONS)
    assert (again["is_new"], again["note_id"]) == (False, "inbox/H.md")
    assert again["stats"] == {"nodes_created": 0, "edges_created": 0}
    assert again["parsed"] == first["parsed"]
    for path, content in (
        ("inbox/H.md", "Other."),
        ("inbox/h.md", "Other."),
        ("inbox/old.md", HERONS),
        ("ATOMIC NOTE.md", HERONS),
    ):
        with pytest.raises(NoteExistsError, match="another path"):
            await given_by(contributor, ADD, path=path, content=content)
    assert await staged_in_graph(brain) == {"inbox/H.md"}
    bare = await given_by(
        contributor, ADD, path="inbox/Bare.md", content="x", extract_entities=False
    )
    assert bare["extracted"] is None


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


async def test_where_the_graph_does_not_answer_nothing_is_staged(
    brain: Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise SourceError("The graph does not answer.")

    monkeypatch.setattr(GraphitiStore, "replace", refuse)
    contributor = as_tier(brain, "contributor")
    with pytest.raises(SourceError, match="does not answer"):
        await given_by(contributor, ADD, path="inbox/H.md", content=HERONS)
    assert (await given_by(contributor, "get_graph_stats"))["staged_notes"] == 0
    monkeypatch.undo()
    assert (await given_by(contributor, ADD, path="inbox/H.md", content="other"))["is_new"]


async def test_a_staging_graph_that_was_lost_is_made_good(brain: Brain) -> None:
    contributor = as_tier(brain, "contributor")
    await given_by(contributor, ADD, path="inbox/H.md", content=HERONS)
    store = GraphitiStore(staging_graph(brain.settings, None))
    await store.reset()
    await store.close()
    await given_by(contributor, ADD, path="inbox/I.md", content=HERONS)
    assert await staged_in_graph(brain) == {"inbox/H.md", "inbox/I.md"}


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


async def test_nothing_of_the_text_is_in_the_audit_log(brain: Brain, place: Indexed) -> None:
    contributor = as_tier(brain, "contributor")
    await given_by(contributor, ADD, path="inbox/H.md", content=HERONS, confidence=0.25)
    log = "".join(one.read_text("utf-8") for one in brain.settings.audit_dir.glob("*.jsonl"))
    assert "newts" not in log
    with pytest.raises(InputError):
        await given_by(contributor, "read_note", note="What Quillfeather told me.md")
    listed = run_here("audit", "--json", environment=place.environment).stdout
    assert "Quillfeather" not in listed
    one, _ = json.loads(listed)
    assert one["arguments"]["path"]["length"] == len("inbox/H.md")  # no note had it yet
    assert one["arguments"]["confidence"] == 0.25
    assert (one["tier"], one["outcome"], one["written"]) == (
        "contributor", "ok", ["inbox/H.md"],
    )  # fmt: skip


async def test_a_person_accepts_one_and_discards_another(brain: Brain, place: Indexed) -> None:
    contributor = as_tier(brain, "contributor")
    for name in ("Herons", "Storks", "Old note"):
        await given_by(contributor, ADD, path=f"inbox/{name}.md", content=HERONS)
    here = partial(asyncio.to_thread, partial(run, environment=place.environment))

    listed = json.loads((await here("staged", "--json")).stdout)
    assert [one["path"] for one in listed] == [
        "inbox/Herons.md", "inbox/Old note.md", "inbox/Storks.md",
    ]  # fmt: skip
    assert listed[0]["added_by"] == "claude-desktop (contributor)"
    shown = await here("staged", "show", "inbox/Herons.md")
    assert "Herons eat newts" in shown.stdout
    asked = await here("staged", "accept", "inbox/Herons.md", stdin="")
    assert (asked.returncode, asked.stdout) == (2, "")
    assert "--yes" in asked.stderr
    assert files(place) == set(NOTES)

    accepted = await here("staged", "accept", "inbox/Herons.md", "--as", "birds/Heron.md", "--yes")
    assert accepted.returncode == 0, accepted.stderr
    assert accepted.stdout == "Accepted: birds/Heron.md is in the vault.\n"
    assert files(place) == {*NOTES, "birds/Heron.md"}
    with closing(Catalog(brain.settings.index_path)) as catalog:
        assert "birds/Heron.md" in catalog.paths()
        assert catalog.counts().vectors_pending == 0
    taken = await here("staged", "accept", "inbox/Old note.md", "--as", "inbox/OLD.md", "--yes")
    assert taken.returncode == 2
    assert "nothing is written over it" in taken.stderr
    assert (await here("staged", "discard", "inbox/Storks.md", "--yes")).returncode == 0
    assert await staged_in_graph(brain) == {"inbox/Old note.md"}
    decided = json.loads((await here("audit", "--json", "--limit", "3")).stdout)
    assert {(one["client"], one["tier"]) for one in decided} == {("terminal", "curator")}
    assert [
        (one["tool"], one["outcome"], one["arguments"]["path"], one["written"], one["destructive"])
        for one in decided
    ] == [
        ("accept_staged", "ok", "inbox/Herons.md", ["birds/Heron.md"], False),
        ("accept_staged", "refused", "inbox/Old note.md", [], False),
        ("discard_staged", "ok", "inbox/Storks.md", ["inbox/Storks.md"], True),
    ]
    gone = await here("staged", "show", "inbox/Storks.md")
    assert (gone.returncode, len(gone.stderr.splitlines())) == (2, 1)
    assert files(place) == {*NOTES, "birds/Heron.md"}


async def test_one_staged_note_is_not_accepted_over_another(brain: Brain, place: Indexed) -> None:
    contributor = as_tier(brain, "contributor")
    for name in "AB":
        await given_by(contributor, ADD, path=f"inbox/{name}.md", content=f"Of {name}.")
    for path in ("inbox/B.md", "inbox/b.md"):
        with pytest.raises(NoteExistsError, match="waits under"):
            await accept_staged(brain, "inbox/A.md", new_path=path)
    listed = await asyncio.to_thread(list_staged, brain.settings)
    assert [one.path for one in listed] == ["inbox/A.md", "inbox/B.md"]
    assert files(place) == set(NOTES)
    assert (await accept_staged(brain, "inbox/A.md", new_path="inbox/a.md")).path == "inbox/a.md"
    assert await staged_in_graph(brain) == {"inbox/B.md"}


async def test_what_cannot_be_logged_is_not_decided(brain: Brain, place: Indexed) -> None:
    await given_by(as_tier(brain, "contributor"), ADD, path="inbox/A.md", content="x")
    audit = brain.settings.audit_dir
    aside = audit.rename(audit.with_name("aside"))
    audit.write_text("in the way", "utf-8")
    try:
        with pytest.raises(StorageError, match="Nothing was changed"):
            await accept_staged(brain, "inbox/A.md")
        with pytest.raises(StorageError, match="Nothing was changed"):
            await discard_staged(brain.settings, "inbox/A.md")
    finally:
        audit.unlink()
        aside.rename(audit)
    assert files(place) == set(NOTES)
    assert len(await asyncio.to_thread(list_staged, brain.settings)) == 1


async def test_what_was_not_shown_is_not_decided_on(brain: Brain, place: Indexed) -> None:
    contributor = as_tier(brain, "contributor")
    await given_by(contributor, ADD, path="inbox/A.md", content="Harmless.")
    shown = await asyncio.to_thread(read_staged, brain.settings, "inbox/A.md")
    await given_by(contributor, UNDO, note="inbox/A.md")
    await given_by(contributor, ADD, path="inbox/A.md", content="Not harmless.")
    with pytest.raises(InputError, match="not what was shown"):
        await accept_staged(brain, "inbox/A.md", digest=shown.digest)
    with pytest.raises(InputError, match="not what was shown"):
        await discard_staged(brain.settings, "inbox/A.md", digest=shown.digest)
    assert files(place) == set(NOTES)
    assert await staged_in_graph(brain) == {"inbox/A.md"}


async def test_an_acceptance_that_was_ended_halfway_is_completed_and_undoable(
    brain: Brain, place: Indexed
) -> None:
    await given_by(as_tier(brain, "contributor"), ADD, path="inbox/A.md", content="x")
    shown = await asyncio.to_thread(read_staged, brain.settings, "inbox/A.md")
    (place.vault / "inbox/A.md").write_text(shown.text or "", "utf-8")  # and killed
    assert (await accept_staged(brain, "inbox/A.md")).path == "inbox/A.md"
    assert await asyncio.to_thread(list_staged, brain.settings) == []
    assert (await given_by(as_tier(brain, "curator"), UNDO, note="inbox/A.md"))["removed"]
    assert files(place) == set(NOTES)


async def cancelled_in(method: str, given: Callable[[], Any]) -> None:
    """Cancel a call while the list of added notes is in this method, which then goes on."""
    begun, may_go_on = threading.Event(), threading.Event()
    original = getattr(AddedNotes, method)

    def slow(*arguments: Any) -> Any:
        begun.set()
        assert may_go_on.wait(20)
        return original(*arguments)

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


@pytest.mark.parametrize(("target", "method"), [("staging", "stage"), ("vault", "record")])
async def test_the_log_tells_what_a_cancelled_call_wrote(
    brain: Brain, place: Indexed, target: str, method: str
) -> None:
    curator = as_tier(brain, "curator")
    add = partial(given_by, curator, ADD, path="inbox/A.md", content="x", target=target)
    await cancelled_in(method, add)
    logged = await last_logged(curator)
    assert (logged.tool, logged.error, logged.written) == (ADD, "CancelledError", ["inbox/A.md"])
    assert (await add())["is_new"] is False
    await cancelled_in("forget", partial(given_by, curator, UNDO, note="inbox/A.md"))
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


async def test_no_more_notes_wait_than_may_and_their_texts_are_not_read(
    brain: Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_notes, "MOST_STAGED", 2)
    monkeypatch.setattr(AddedNotes, "staged", None)
    contributor = as_tier(brain, "contributor")
    add = partial(given_by, contributor, ADD, content="x")
    for name in "AB":
        await add(path=f"inbox/{name}.md")
    with pytest.raises(InputError, match=r"2 notes wait .* `brain staged`"):
        await add(path="inbox/C.md")
    assert (await given_by(contributor, "get_graph_stats"))["staged_notes"] == 2
    assert (await add(path="inbox/b.md"))["is_new"] is False
    assert (await given_by(contributor, UNDO, note="inbox/A.md"))["removed"]
    assert (await add(path="inbox/C.md"))["is_new"] is True
    assert await staged_in_graph(brain) == {"inbox/B.md", "inbox/C.md"}


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


async def test_on_a_terminal_json_is_one_document(brain: Brain, place: Indexed) -> None:
    await given_by(as_tier(brain, "contributor"), ADD, path="inbox/A.md", content="Of \x1b[2J A.")
    master, terminal = os.openpty()
    os.write(master, b"y\n")
    accepting = [BRAIN, "staged", "accept", "inbox/A.md", "--json"]
    try:
        done = await asyncio.to_thread(
            subprocess.run, accepting, env=place.environment, stdin=terminal,
            capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
    finally:
        os.close(master)
        os.close(terminal)
    assert json.loads(done.stdout)["path"] == "inbox/A.md"
    assert "Of  A." in done.stderr
    assert "\x1b" not in done.stderr
