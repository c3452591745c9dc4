"""A process that is killed over a note that it adds, or takes back, leaves nothing half done."""

import asyncio
from pathlib import Path

import pytest

from graphs.ingest.new_notes import added_note, put_into_vault, remove_from_vault
from graphs.ingest.staging import staged_notes
from graphs.operations.data_dir import examine_places, repair_places
from graphs.operations.reset import plan_reset, reset
from graphs.stores.ownership import claim_anew
from tests.support.processes.dying_note_writer import PATH, TEXT, do, note
from tests.support.processes.left_by_killed import Killed, Stage, copies, stage_of
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

ACCEPTED = PATH.replace("Added", "Accepted")
BEFORE = {"inbox", "inbox/Old.md"}
steps = pytest.mark.parametrize("step", ["write", "accept", "remove"])
links = pytest.mark.parametrize("links", ["yes", "no"])


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return stage_of("dying_note_writer", tmp_path_factory)


@pytest.fixture
def killed(stage: Stage, tmp_path: Path) -> Killed:
    return copies(stage, tmp_path, least=40)


def in_vault(settings: Settings) -> set[str]:
    return {str(one.relative_to(settings.vault)) for one in settings.vault.rglob("*")}


def leftovers(settings: Settings) -> str:
    (check,) = [one for one in examine_places(settings) if one.name == "leftovers"]
    return "" if check.ok else check.detail


@steps
@links
def test_wherever_it_was_killed_the_list_says_what_is_in_the_vault(
    killed: Killed, step: str, links: str
) -> None:
    outcomes: set[bool] = set()
    path = ACCEPTED if step == "accept" else PATH
    for settings in killed(step, links):
        waiting = {one.path for one in staged_notes(settings)}
        known = added_note(settings, path)
        is_there = path in in_vault(settings)
        outcomes.add(is_there)
        assert (known is not None) == is_there
        assert waiting == ({PATH} if step == "accept" and not is_there else set())
        if known is None:
            assert in_vault(settings) == BEFORE
            continue
        assert (settings.vault / path).read_text("utf-8") == TEXT
        assert ".draft" not in str(in_vault(settings))
        assert remove_from_vault(settings, known)
        assert in_vault(settings) == BEFORE
        assert added_note(settings, path) is None
    assert outcomes == {True, False}


@steps
def test_the_next_write_goes_on_from_there(killed: Killed, step: str) -> None:
    for settings in killed(step):
        if step == "remove" or added_note(settings, ACCEPTED):
            put_into_vault(settings, note("vault"))
        elif added_note(settings, PATH) is None or step == "accept":
            do(settings, step)
        assert ".draft" not in str(in_vault(settings))
        assert (settings.vault / "inbox/Old.md").read_text("utf-8") == "Mine.\n"


@steps
def test_the_doctor_names_what_was_left_and_removes_it(killed: Killed, step: str) -> None:
    found: list[str] = []
    for settings in killed(step):
        drafts = [one for one in in_vault(settings) if one.endswith(".draft")]
        left = leftovers(settings)
        assert all(draft in left for draft in drafts)
        found += drafts
        done = repair_places(settings)
        assert bool(left) == bool(done)
        assert leftovers(settings) == ""
        assert ".draft" not in str(in_vault(settings))
    assert found


def test_a_reset_of_everything_leaves_no_draft_in_the_vault(killed: Killed) -> None:
    for settings in killed("write"):
        claim_anew(settings)
        asyncio.run(reset(settings, plan_reset(settings, everything=True)))
        assert not settings.added_notes_path.exists()
        assert in_vault(settings) in (BEFORE, BEFORE | {"inbox/new", "inbox/new/deep", PATH})


def test_what_an_editor_saved_meanwhile_has_its_name_again(killed: Killed) -> None:
    saved = 0
    for settings in killed("remove"):
        for draft in settings.vault.rglob(".brain-*.draft"):
            draft.write_text("Saved by an editor.", "utf-8")
            assert added_note(settings, PATH) is not None
            assert (settings.vault / PATH).read_text("utf-8") == "Saved by an editor."
            saved += 1
    assert saved


def test_while_the_disk_of_the_vault_is_away_nothing_is_forgotten(killed: Killed) -> None:
    for settings in killed("write"):
        there = PATH in in_vault(settings)
        away = settings.vault.rename(settings.vault.with_name("away"))
        settings.vault.mkdir()
        added_note(settings, PATH)
        settings.vault.rmdir()
        away.rename(settings.vault)
        assert (added_note(settings, PATH) is not None) == there
