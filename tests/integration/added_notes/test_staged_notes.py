"""Notes that other programs stage: kept apart, taken back; what a person decides."""

import asyncio
import json
import os
import stat
import subprocess
from contextlib import closing
from functools import partial

import pytest

from graphs.brain import Brain
from graphs.core.graph_backends import staging_graph
from graphs.ingest import new_notes
from graphs.operations import staged
from graphs.operations.staged import accept_staged, discard_staged, list_staged, read_staged
from graphs.toolkit.registry import call
from tests.support.processes.command_line import BRAIN, run, run_here
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
from tools.base.errors import InputError, SourceError, StorageError
from tools.graph.backends.graphiti import GraphitiStore
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.new_notes import NoteExistsError
from tools.vault.storage.added_notes import AddedNotes

pytestmark = pytest.mark.integration


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


async def test_a_text_that_came_in_the_place_of_another_is_the_one_in_the_graph(
    brain: Brain,
) -> None:
    contributor = as_tier(brain, "contributor")
    await given_by(contributor, ADD, path="inbox/A.md", content="supports:: [[Nobody]]")
    with pytest.MonkeyPatch.context() as patched:  # and whoever discards it is killed
        patched.setattr(staged, "open_staging", None)
        with pytest.raises(TypeError):
            await discard_staged(brain.settings, "inbox/A.md")
    await given_by(contributor, ADD, path="inbox/A.md", content="supports:: [[Somebody]]")
    store = GraphitiStore(staging_graph(brain.settings, None))
    facts = await store.facts(["inbox/A.md"])
    await store.close()
    assert {fact.target_title for fact in facts} == {"Somebody"}


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
