"""Links in the vault: in both notes or in none, taken out again, and nothing else touched."""

import os
import select
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphs.links.writing import settle
from graphs.links.writing.apply import apply, apply_all, planned, undo, undo_last
from graphs.links.writing.journal import reading, recover
from tests.support.processes.another_user import as_root
from tests.support.processes.crashing import ROOT
from tests.support.processes.dying_link_writer import (
    AFTER,
    BEFORE,
    files,
    prepared,
    write,
)
from tests.support.processes.mounts import remount, small_disk
from tests.support.processes.saving_editor import BURST, line
from tools.base.errors import BrainError, InputError, StorageError
from tools.settings.loading import load_settings
from tools.settings.settings import Settings
from tools.vault.disk.replace import ChangedError
from tools.vault.editing.edits import sha256
from tools.vault.editing.places import AroundMention, AsField, InSection, NewLink
from tools.vault.storage.link_journal import LinkWrite

pytestmark = pytest.mark.integration


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return prepared(tmp_path, "apply")


def states(settings: Settings) -> list[str]:
    with reading(settings) as journal:
        return [] if journal is None else [one.state for one in journal.history()]


def one_sided(settings: Settings, path: str, link: NewLink, mention: str = "") -> LinkWrite:
    """A link from one note alone: around a mention, or in a section."""
    place = InSection()
    if mention:
        text = (settings.vault / path).read_text("utf-8")
        number, found = next(
            (number, one) for number, one in enumerate(text.split("\n"), 1) if mention in one
        )
        at = found.index(mention)
        place = AroundMention(line=number, start=at, end=at + len(mention), words=mention)
    return LinkWrite(
        at=datetime(2026, 1, 1, tzinfo=UTC),
        by="me",
        source=path,
        target=link.name,
        relation=link.relation or "",
        edits=(planned(settings, path, link, place),),
    )


def test_a_link_is_put_in_and_taken_out_byte_for_byte(settings: Settings) -> None:
    done = apply(settings, write(settings))
    assert (done.id, done.state, files(settings)) == (1, "applied", AFTER)
    with reading(settings) as journal:
        assert journal is not None
        assert journal.find(1) == done
    undone = undo(settings, 1)
    assert (undone.state, files(settings)) == ("undone", BEFORE)
    for number, why in ((1, "was taken out"), (7, "no link 7")):
        with pytest.raises(InputError, match=why):
            undo(settings, number)


@pytest.mark.parametrize("path", ["A.md", "deep/B.md"])
def test_what_was_changed_since_it_was_looked_at_is_not_written(
    settings: Settings, path: str
) -> None:
    plan = write(settings)
    with (settings.vault / path).open("ab") as file:
        file.write(b"\nMore.")
    before = files(settings)
    with pytest.raises(ChangedError, match=path):
        apply(settings, plan)
    with pytest.raises(ChangedError):
        planned(settings, path, NewLink(name="X"), AsField(), seen={sha256(BEFORE[path])})
    assert files(settings) == before
    assert states(settings) == []


@pytest.mark.parametrize("step", ["apply", "undo"])
@pytest.mark.parametrize("how", ["saved", "read-only", "full"])
def test_where_the_second_note_fails_the_first_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, how: str
) -> None:
    settings = prepared(tmp_path, step)
    before = files(settings)
    second = settings.vault / "deep/B.md"
    original = settle.replace_note
    calls: list[str] = []

    def failing(root: Path, path: str, content: bytes, **given: str) -> None:
        calls.append(path)
        if path == "deep/B.md":
            match how:
                case "saved":
                    second.write_bytes(b"Saved by an editor.")
                case "read-only":
                    second.chmod(0o444)
                case _:
                    raise OSError(28, "No space left on device")
        original(root, path, content, **given)

    monkeypatch.setattr(settle, "replace_note", failing)
    with pytest.raises(StorageError if how == "full" else InputError) as caught:
        undo(settings, 1) if step == "undo" else apply(settings, write(settings))
    assert "\n" not in str(caught.value)
    assert calls == ["A.md", "deep/B.md", "A.md"]
    expected = before | ({"deep/B.md": b"Saved by an editor."} if how == "saved" else {})
    assert files(settings) == expected
    assert states(settings) == (["applied"] if step == "undo" else [])


def test_where_nothing_can_be_put_back_it_is_said_and_made_good_later(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = settle.replace_note
    calls: list[str] = []

    def once(root: Path, path: str, content: bytes, **given: str) -> None:
        calls.append(path)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        original(root, path, content, **given)

    with monkeypatch.context() as patched:
        patched.setattr(settle, "replace_note", once)
        with pytest.raises(StorageError, match=r"A\.md and deep/B\.md: only one side .* both or"):
            apply(settings, write(settings))
    assert files(settings) == AFTER | {"deep/B.md": BEFORE["deep/B.md"]}
    (said,) = recover(settings)
    assert said.endswith("it is there now on both sides.")
    assert files(settings) == AFTER
    assert states(settings) == ["applied"]


@as_root
@pytest.mark.parametrize("why", ["full", "read-only"])
def test_a_vault_that_cannot_be_written_stays_as_it_is(tmp_path: Path, why: str) -> None:
    with small_disk(tmp_path / "vault") as disk:
        (disk / "deep").mkdir()
        (tmp_path / "data").mkdir(mode=0o700)
        for path, content in BEFORE.items():
            (disk / path).write_bytes(content)
        settings = load_settings(vault=disk, data_dir=tmp_path / "data")
        if why == "full":
            with (disk / "ballast").open("wb", buffering=0) as file:
                while os.statvfs(disk).f_bavail:
                    file.write(b"\0" * 4096)
        else:
            remount(disk, "ro")
        with pytest.raises((StorageError, InputError), match=r"vault cannot be written|read-only"):
            apply(settings, write(settings))
        assert files(settings).items() >= BEFORE.items()
        assert files(settings).keys() <= {*BEFORE, "ballast"}
        assert states(settings) == []


@pytest.mark.parametrize("path", ["A.md", "deep/B.md"])
def test_rights_on_one_of_the_notes_alone_are_not_enough(settings: Settings, path: str) -> None:
    (settings.vault / path).chmod(0o444)
    with pytest.raises(InputError, match=f"{path}' is read-only"):
        apply(settings, write(settings))
    assert files(settings) == BEFORE
    (settings.vault / path).chmod(0o644)
    apply(settings, write(settings))
    (settings.vault / path).chmod(0o444)
    with pytest.raises(InputError, match=f"{path}' is read-only"):
        undo(settings, 1)
    assert files(settings) == AFTER
    assert states(settings) == ["applied"]


CHANGES: list[tuple[str, Callable[[bytes], bytes], bool]] = [
    ("written below", lambda raw: raw + b"\r\nMore [[Links]].\r\n", True),
    ("written above", lambda raw: raw.replace(b"Alpha.", b"Alpha, and\r\nmuch more."), True),
    ("an item below", lambda raw: raw.rstrip() + b"\r\n- [[C]]\r\n", True),
    ("other ends", lambda raw: raw.replace(b"\r\n", b"\n"), False),
    ("written on in the line", lambda raw: raw.rstrip() + b" and my own words\r\n", False),
    ("twice", lambda raw: raw + raw, False),
    ("reworded", lambda raw: raw.replace(b"both", b"each"), False),
    ("taken out by hand", lambda _: BEFORE["A.md"], False),
]


@pytest.mark.parametrize(("change", "is_found"), [one[1:] for one in CHANGES])
def test_a_link_is_taken_out_of_a_changed_note_only_where_it_is_sure(
    settings: Settings, change: Callable[[bytes], bytes], is_found: bool
) -> None:
    apply(settings, write(settings))
    note = settings.vault / "A.md"
    changed = change(note.read_bytes())
    note.write_bytes(changed)
    if not is_found:
        with pytest.raises(InputError, match=r"'A\.md' was changed since.*both sides"):
            undo(settings, 1)
        assert files(settings) == AFTER | {"A.md": changed}
        assert states(settings) == ["applied"]
        return
    undo(settings, 1)
    assert files(settings) == BEFORE | {"A.md": note.read_bytes()}
    assert change(BEFORE["A.md"]) in (note.read_bytes(), note.read_bytes() + b"\r\n") or (
        b"supports" not in note.read_bytes() and b"[[C]]" in note.read_bytes()
    )


def test_a_note_that_is_gone_is_named(settings: Settings) -> None:
    apply(settings, write(settings))
    (settings.vault / "deep/B.md").unlink()
    with pytest.raises(InputError, match=r"deep/B\.md' is gone"):
        undo(settings, 1)
    assert files(settings)["A.md"] == AFTER["A.md"]


def test_many_links_in_one_note_are_taken_out_in_any_order(settings: Settings) -> None:
    note = settings.vault / "A.md"
    note.write_text("alpha and beta and gamma.\n", "utf-8")
    names = ["Alpha", "Beta", "Gamma"]
    plans = [
        *(
            lambda name=name: one_sided(settings, "A.md", NewLink(name=name), name.lower())
            for name in names
        ),
        lambda: one_sided(settings, "A.md", NewLink(name="Beta", relation="supports")),
        lambda: one_sided(settings, "A.md", NewLink(name="Delta", relation="supports")),
        lambda: one_sided(settings, "Nowhere.md", NewLink(name="Delta")),
        lambda: write(settings),
        lambda: replace(write(settings), edits=write(settings).edits[:1] * 2),
    ]
    outcome = apply_all(settings, plans)
    assert len(outcome.writes) == 6
    assert [one.partition(" ")[0] for one in outcome.refused] == ["The", "'A.md'"]
    text = note.read_text("utf-8")
    assert text.startswith("[[Alpha|alpha]] and [[Beta|beta]] and [[Gamma|gamma]].\n")
    undo(settings, 2)
    assert note.read_text("utf-8") == text.replace("[[Beta|beta]]", "beta")
    undo(settings, 4)
    assert "[[Beta]]" not in note.read_text("utf-8")
    left = undo_last(settings, 10)
    assert [one.id for one in left.writes] + [len(left.refused)] == [6, 5, 3, 1, 0]
    assert files(settings) == BEFORE | {"A.md": b"alpha and beta and gamma.\n"}


def test_a_note_is_not_linked_with_itself(settings: Settings) -> None:
    plan = write(settings)
    with pytest.raises(InputError, match="are one"):
        apply(settings, replace(plan, edits=plan.edits[:1] * 2))


def put_in_and_taken_out(settings: Settings) -> None:
    undo(settings, apply(settings, write(settings)).id)


def saved_while_linked(settings: Settings, way: str, times: int) -> tuple[str, int]:
    """The note as an editor left it that saved while links came and went; how often it rested.

    Then a link has to come and go; while it saves one may.
    """
    note = settings.vault / "A.md"
    note.write_text("# A\n", "utf-8")
    module = "tests.support.processes.saving_editor"
    rests = 0
    with subprocess.Popen(
        [sys.executable, "-m", module, note, way, str(times)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as editor:
        assert editor.stdin is not None
        assert editor.stdout is not None
        while editor.stdout.readline():
            saved = note.read_bytes()
            put_in_and_taken_out(settings)
            assert note.read_bytes() == saved
            rests += 1
            editor.stdin.write(b"\n")
            editor.stdin.flush()
            while not select.select([editor.stdout], [], [], 0)[0]:
                with suppress(BrainError):
                    put_in_and_taken_out(settings)
    undo_last(settings, 1_000)
    return note.read_text("utf-8"), rests


@pytest.mark.parametrize("way", ["append", "in-place", "new-file"])
@pytest.mark.parametrize(
    "times", [2_000, pytest.param(40_000, marks=[pytest.mark.torture, pytest.mark.timeout(900)])]
)
def test_what_an_editor_saves_while_links_come_and_go_is_never_lost(
    settings: Settings, way: str, times: int
) -> None:
    text, rests = saved_while_linked(settings, way, times)
    assert rests == times / BURST
    assert [one for one in text.splitlines(keepends=True) if one.startswith("Saved")] == [
        line(number) for number in range(times)
    ]
    assert {one for one in files(settings) if "B.md" not in one} == {"A.md", "Other.md"}
