"""A process that is killed over a link leaves it on both sides or on neither."""

import asyncio
from pathlib import Path

import pytest

from graphs.links.writing.apply import apply, undo, undo_last
from graphs.links.writing.journal import left_unfinished, reading, recover
from graphs.operations.data_dir import examine_places, repair_places
from graphs.operations.reset import plan_reset, reset
from graphs.stores.ownership import claim_anew
from tests.support.processes.countdown import settings_in
from tests.support.processes.dying_link_writer import (
    AFTER,
    BEFORE,
    CHAIN,
    CHAIN_NOTE,
    files,
    write,
)
from tests.support.processes.left_by_killed import Killed, Stage, copies, run_dying, stage_of
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

steps = pytest.mark.parametrize("step", ["apply", "undo"])
exchanges = pytest.mark.parametrize("exchange", ["yes", "no"])


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return stage_of("dying_link_writer", tmp_path_factory)


@pytest.fixture
def killed(stage: Stage, tmp_path: Path) -> Killed:
    return copies(stage, tmp_path, least=100)


def states(settings: Settings) -> list[str]:
    with reading(settings) as journal:
        return [] if journal is None else [one.state for one in journal.history()]


def half(settings: Settings) -> bool:
    now = files(settings)
    return (now["A.md"] == AFTER["A.md"]) != (now["deep/B.md"] == AFTER["deep/B.md"])


@steps
@exchanges
def test_wherever_it_was_killed_both_sides_have_the_link_or_neither(
    killed: Killed, step: str, exchange: str
) -> None:
    outcomes: set[str] = set()
    halves = 0
    for settings in killed(step, exchange):
        was_half, left = half(settings), left_unfinished(settings)
        done = recover(settings)
        assert len(done) == len(left)
        assert not was_half or done[0].startswith("A.md and deep/B.md: the process that ")
        now = files(settings)
        assert now in (BEFORE, AFTER)
        ((state,), has) = states(settings) or [""], now == AFTER
        assert state == ("applied" if has else "undone" if step == "undo" else "")
        assert not was_half or has == (step == "apply")  # what was begun is finished
        outcomes.add(state)
        halves += was_half
        assert left_unfinished(settings) == recover(settings) == []
    assert len(outcomes) == 2
    assert halves > 10


@steps
def test_the_next_write_goes_on_from_there(killed: Killed, step: str) -> None:
    for settings in killed(step):
        if "applied" in states(settings):
            undo(settings, 1)
        assert files(settings) == BEFORE
        apply(settings, write(settings))
        assert files(settings) == AFTER


@steps
def test_what_an_editor_saved_meanwhile_is_kept_and_nothing_stays_half(
    killed: Killed, step: str
) -> None:
    saved = b"Saved by an editor.\n"
    seen = 0
    for settings in killed(step):
        if not half(settings):
            continue
        (settings.vault / "deep/B.md").write_bytes(saved)
        recover(settings)
        now = files(settings)
        assert now["deep/B.md"] == saved
        assert now["A.md"] == (BEFORE if step == "apply" else AFTER)["A.md"]
        assert set(now) == set(BEFORE)
        assert states(settings) == ([] if step == "apply" else ["applied"])
        seen += 1
    assert seen > 10


def test_what_was_saved_into_the_file_that_was_swapped_out_has_its_name_again(
    killed: Killed,
) -> None:
    seen = 0
    for settings in killed("apply"):
        for draft in settings.vault.rglob(".brain-*.draft"):
            note = draft.with_name("A.md" if draft.parent == settings.vault else "B.md")
            if note.read_bytes() not in AFTER.values():
                continue  # it is ours, and nobody could save to it
            draft.write_bytes(b"Saved by an editor.\n")
            recover(settings)
            assert note.read_bytes() == b"Saved by an editor.\n"
            assert set(files(settings)) == set(BEFORE)
            assert not half(settings)
            seen += 1
    assert seen


def test_a_note_that_was_changed_elsewhere_before_recovery_keeps_its_link(killed: Killed) -> None:
    for settings in killed("apply"):
        if not half(settings):
            continue
        with (settings.vault / "A.md").open("ab") as file:
            file.write(b"\r\nMore.\r\n")
        recover(settings)
        now = files(settings)
        assert now["A.md"] == AFTER["A.md"] + b"\r\nMore.\r\n"
        assert now["deep/B.md"] == AFTER["deep/B.md"]
        undo(settings, 1)
        assert files(settings) == BEFORE | {"A.md": BEFORE["A.md"] + b"\r\nMore.\r\n"}


def test_who_ends_what_a_killed_process_began_may_be_killed_too(killed: Killed) -> None:
    for settings in killed("recover"):
        recover(settings)
        assert files(settings) == AFTER
        assert states(settings) == ["applied"]


@steps
def test_the_doctor_names_what_was_left_and_mends_it(killed: Killed, step: str) -> None:
    seen = 0
    for settings in killed(step):
        if half(settings):
            (check,) = [one for one in examine_places(settings) if one.name == "leftovers"]
            assert "half the link in A.md and deep/B.md" in check.detail
            assert "the process that " in repair_places(settings)[-1]
            assert files(settings) == (AFTER if step == "apply" else BEFORE)
            seen += 1
    assert seen > 10


def test_a_reset_of_everything_leaves_no_link_on_one_side_alone(killed: Killed) -> None:
    for settings in killed("apply"):
        if half(settings):
            claim_anew(settings)
            asyncio.run(reset(settings, plan_reset(settings, everything=True)))
            assert not settings.link_journal_path.exists()
            assert files(settings) == AFTER


def test_while_the_disk_of_the_vault_is_away_nothing_is_forgotten(killed: Killed) -> None:
    for settings in killed("apply"):
        was_half = half(settings)
        away = settings.vault.rename(settings.vault.with_name("away"))
        settings.vault.mkdir()
        assert recover(settings) == []
        settings.vault.rmdir()
        away.rename(settings.vault)
        recover(settings)
        assert files(settings) in ((AFTER,) if was_half else (BEFORE, AFTER))


@pytest.mark.parametrize(
    "times", [5, pytest.param(300, marks=[pytest.mark.torture, pytest.mark.timeout(3600)])]
)
def test_a_batch_that_is_killed_at_any_moment_has_whole_links_only(
    tmp_path: Path, times: int
) -> None:
    run_dying("dying_link_writer", tmp_path, "batch", str(times), "7", timeout=3000)
    counts: set[int] = set()
    for number in range(times + 1):
        settings = settings_in(tmp_path / str(number))
        recover(settings)
        now = files(settings)
        assert len(now) == CHAIN
        linked = {
            at for at in range(CHAIN) if f"[[N{(at + 1) % CHAIN}]]".encode() in now[f"N{at}.md"]
        }
        linked_back = {
            at for at in range(CHAIN) if f"[[N{at}]]".encode() in now[f"N{(at + 1) % CHAIN}.md"]
        }
        assert linked == linked_back
        outcome = undo_last(settings, CHAIN)
        assert (len(outcome.writes), outcome.refused) == (len(linked), ())
        assert set(files(settings).values()) == {CHAIN_NOTE}
        counts.add(len(linked))
    assert CHAIN in counts
    assert len(counts) > min(times, CHAIN) / 2
