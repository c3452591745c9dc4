"""Links that cannot be written: each says in a line what failed and what to do; no byte changes."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphs.core.deps import Deps
from graphs.links.find import find_note
from graphs.links.writing.apply import apply_all, planned
from tests.support.processes.another_user import NOBODY, as_root, stranger
from tests.support.processes.command_line import run_here
from tests.support.processes.mounts import remount, small_disk
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.notes import write_notes
from tests.support.vaults.renewed import Renewed, renewed
from tools.base.domain import Note
from tools.base.errors import InputError
from tools.links.planned import LinkRequest
from tools.settings.loading import load_settings
from tools.vault.editing.places import InFrontmatter, InSection, NewLink
from tools.vault.storage.link_journal import LinkWrite

pytestmark = pytest.mark.integration

NOTES = {
    "Bread.md": "# Bread\n\nMade of flour.\n",
    "Starter.md": "# Starter\n\nFlour and water.\n",
    "books/Yeast.md": "# Yeast\n\nA fungus.\n",
    "ideas/Yeast.md": "# Yeast\n\nTo try next.\n",
}
REQUEST = LinkRequest(source="Bread", target="Starter", relation="supports")
CREATE = ("link", "create", "--type", "supports", "--yes")


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    folder = tmp_path_factory.mktemp("bad")
    yield from renewed(Indexed(vault=folder / "vault", data_dir=folder / "data"), NOTES)


@pytest.fixture
def place(vault: Renewed) -> Iterator[Indexed]:
    made = vault.anew()
    yield made
    shutil.rmtree(made.vault / "odd", ignore_errors=True)


def on_disk(folder: Path) -> dict[str, bytes]:
    files = (one for one in folder.rglob("*") if one.is_file() and one.name != "ballast")
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def refused(place: Indexed, source: str, target: str) -> str:
    """The line that the command ends with, having changed nothing."""
    before = on_disk(place.vault)
    done = run_here(*CREATE, source, target, environment=place.environment)
    assert (done.returncode, on_disk(place.vault)) == (2, before)
    (line,) = done.stderr.splitlines()
    return line


def save(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"More.\n")


def to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def to_link(path: Path) -> None:
    path.rename(path.with_name("Real.md"))
    path.symlink_to("Real.md")


CHANGES: list[tuple[Callable[[Path], object], str]] = [
    (Path.unlink, "is gone"),
    (lambda path: path.rename(path.with_name("Leaven.md")), "is gone"),
    (to_folder, "no regular file"),
    (to_link, "is a link to another file"),
    (save, "was changed since it was read"),
]


@pytest.mark.parametrize("path", ["Bread.md", "Starter.md"])
@pytest.mark.parametrize(
    ("change", "said"), CHANGES, ids=["gone", "renamed", "folder", "link", "saved"]
)
async def test_what_became_of_a_note_since_the_plan_is_said_and_nothing_written(
    place: Indexed, path: str, change: Callable[[Path], object], said: str
) -> None:
    async with place.open() as brain:
        plan = await brain.links.plan(REQUEST)
        try:
            change(place.vault / path)
            before = on_disk(place.vault)
            with pytest.raises(InputError, match=f"'{path}' .*{said}.*nothing was written") as told:
                await brain.links.create(plan)
            assert "\n" not in str(told.value)
            assert on_disk(place.vault) == before
        finally:
            for one in (place.vault / "Bread.md", place.vault / "Starter.md"):
                if one.is_symlink():
                    one.unlink()
                elif one.is_dir():
                    one.rmdir()


async def test_a_note_that_goes_while_a_link_is_planned_is_named(
    place: Indexed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone_then(deps: Deps, name: str, *, alone: bool) -> Note:
        note = find_note(deps, name, alone=alone)
        (place.vault / "Bread.md").unlink(missing_ok=True)
        return note

    monkeypatch.setattr("graphs.links.writing.create.find_note", gone_then)
    request = LinkRequest(source="Bread", target="Starter", relation="supports")
    async with place.open() as brain:
        with pytest.raises(InputError, match=r"'Bread\.md' is gone"):
            await brain.links.plan(request)


def test_a_name_of_two_notes_or_of_none_is_not_guessed_at(place: Indexed) -> None:
    line = refused(place, "Bread", "Yeast")
    assert "'Yeast' may be books/Yeast.md or ideas/Yeast.md: say which by its path" in line
    (place.vault / "Starter.md").unlink()
    for pair in (("Bread", "Starter"), ("Starter.md", "Bread")):
        assert "No note is called 'Starter" in refused(place, *pair)


def test_a_note_that_was_renamed_is_still_known_by_its_former_name(place: Indexed) -> None:
    (place.vault / "Starter.md").rename(place.vault / "Leaven.md")
    done = run_here(*CREATE, "Bread", "Starter", environment=place.environment)
    assert "Bread.md supports Leaven.md." in done.stdout
    assert b"[[Leaven]]" in (place.vault / "Bread.md").read_bytes()


def test_only_notes_inside_the_vault_are_linked(place: Indexed) -> None:
    odd = place.vault / "odd"
    outside = place.vault.parent / "Outside.md"
    outside.write_text("# Outside\n\nNot yours.\n", "utf-8")
    (odd / "Folder.md").mkdir(parents=True)
    (odd / "Picture.png").write_bytes(b"\x89PNG")
    (odd / "Picture.md.png").write_bytes(b"\x89PNG")
    (odd / "Linked.md").symlink_to(outside)
    (odd / "Away").symlink_to(outside.parent)
    away = (
        str(outside),
        "../Outside",
        "../Outside.md",
        "books/../../Outside.md",
        "/etc/passwd",
        "..",
    )
    others = (
        "odd/Linked.md", "odd/Away/Outside.md", "odd/Folder.md", "odd/", "odd/Picture.png",
        "odd/Picture.md.png", ".",
    )  # fmt: skip
    unknown = "Linked", "Outside", "Folder", "odd", "Picture.png", "Picture"
    for targets, said in (
        (away, "is not a path inside the vault"),
        (others, "is no note"),
        (unknown, "No note is called"),
        (("", " "), "Name a note"),
    ):
        for target in targets:
            for pair in (("Bread", target), (target, "Bread")):
                line = refused(place, *pair)
                assert said in line
                assert str(place.vault.parent) not in line.replace(repr(target), "")
    assert outside.read_text("utf-8") == "# Outside\n\nNot yours.\n"


async def test_a_note_that_became_a_link_out_of_the_vault_is_not_written(place: Indexed) -> None:
    outside = place.vault.parent / "Outside.md"
    outside.write_bytes((place.vault / "Starter.md").read_bytes())
    folder = place.vault.parent / "away"
    (folder).mkdir(exist_ok=True)
    (folder / "Yeast.md").write_bytes((place.vault / "books/Yeast.md").read_bytes())
    async with place.open() as brain:
        plan = await brain.links.plan(REQUEST)
        (place.vault / "Starter.md").unlink()
        (place.vault / "Starter.md").symlink_to(outside)
        try:
            with pytest.raises(InputError, match=r"'Starter\.md' is a link to another file"):
                await brain.links.create(plan)
        finally:
            (place.vault / "Starter.md").unlink()
            (place.vault / "Starter.md").write_text(NOTES["Starter.md"], "utf-8")
        request = LinkRequest(source="Bread", target="books/Yeast.md", relation="supports")
        plan = await brain.links.plan(request)
        shutil.rmtree(place.vault / "books")
        (place.vault / "books").symlink_to(folder)
        try:
            with pytest.raises(InputError, match="'books' is a link or a file, not a folder"):
                await brain.links.create(plan)
        finally:
            (place.vault / "books").unlink()
    assert b"Bread" not in outside.read_bytes() + (folder / "Yeast.md").read_bytes()
    assert b"Starter" not in (place.vault / "Bread.md").read_bytes()


@as_root
@pytest.mark.parametrize("why", ["full", "read-only"])
def test_a_vault_whose_disk_takes_nothing_says_so_and_still_answers(
    tmp_path: Path, why: str
) -> None:
    with small_disk(tmp_path / "vault") as disk:
        write_notes(disk, NOTES)
        place = Indexed(vault=disk, data_dir=tmp_path / "data")
        place.index()
        if why == "full":
            with (disk / "ballast").open("wb", buffering=0) as file:
                while os.statvfs(disk).f_bavail:
                    file.write(b"\0" * 4096)
        else:
            remount(disk, "ro")
        line = refused(place, "Bread", "Starter")
        assert "nothing was" in line
        asked = run_here("ask", "What is bread made of?", environment=place.environment)
        assert "flour" in asked.stdout
        remount(disk, "rw")
        (disk / "ballast").unlink(missing_ok=True)
        assert run_here(*CREATE, "Bread", "Starter", environment=place.environment).returncode == 0
        place.stop_servers()


@as_root
def test_rights_on_one_note_alone_are_not_enough() -> None:
    folder = Path(tempfile.mkdtemp(prefix="brain-test-"))  # one that another user may enter
    folder.chmod(0o755)
    vault, data = folder / "vault", folder / "data"
    write_notes(vault, NOTES)
    data.mkdir(mode=0o700)
    for path in (data, vault, *vault.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    mine, unreadable, closed = (
        vault / path for path in ("Starter.md", "ideas/Yeast.md", "books/Yeast.md")
    )
    try:
        with stranger(folder, vault=vault, data_dir=data) as other:
            assert other.each(("index",))[0][0] == 0
            for path in (mine, unreadable, closed.parent):
                os.chown(path, 0, 0)
            unreadable.chmod(0o600)
            before = on_disk(vault)
            pairs = [("Bread", "Starter"), ("Starter", "Bread"), ("Bread", "books/Yeast.md"),
                     ("books/Yeast.md", "Bread"), ("Bread", "ideas/Yeast.md")]  # fmt: skip
            *done, one_way = other.each(
                *((*CREATE, *pair) for pair in pairs), (*CREATE, "--one-way", "Bread", "Starter")
            )
            for (code, _, told), said in zip(
                done,
                ["'Starter.md' is read-only"] * 2
                + ["'books/Yeast.md' lies in a folder that is read-only"] * 2
                + ["'ideas/Yeast.md' cannot be read (permission denied)"],
                strict=True,
            ):
                assert (code, len(told.splitlines())) == (2, 1)
                assert said in told
            assert one_way[0] == 0
            after = on_disk(vault)
            assert after.pop("Bread.md").startswith(before.pop("Bread.md")[:-1])
            assert after == before
            other.each(("stop",))
    finally:
        shutil.rmtree(folder)


PAIRS = 500


def test_of_five_hundred_one_that_fails_costs_itself_alone(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o700)
    notes = {f"{side}{n}.md": f"# {side}{n}\r\n\r\nText." for n in range(PAIRS) for side in "ST"}
    write_notes(tmp_path / "vault", notes)
    settings = load_settings(vault=tmp_path / "vault", data_dir=tmp_path / "data")
    before = on_disk(settings.vault)

    def link(number: int) -> LinkWrite:
        source, target = f"S{number}", f"T{number}"
        supports = NewLink(name=target, relation="supports")
        supported = NewLink(name=source, relation="supported_by")
        return LinkWrite(
            at=datetime(2026, 1, 1, tzinfo=UTC),
            by="me",
            source=f"{source}.md",
            target=f"{target}.md",
            relation="supports",
            edits=(
                planned(settings, f"{source}.md", supports, InSection()),
                planned(settings, f"{target}.md", supported, InFrontmatter()),
            ),
        )

    plans = [link(number) for number in range(PAIRS)]
    bad = PAIRS // 2
    save(settings.vault / f"T{bad}.md")
    begun = time.monotonic()
    outcome = apply_all(settings, [lambda plan=plan: plan for plan in plans])
    assert time.monotonic() - begun < 60
    assert len(outcome.writes) == PAIRS - 1
    (line,) = outcome.refused
    assert line.startswith(f"'T{bad}.md' was changed since it was read")
    after = on_disk(settings.vault)
    assert after.keys() == before.keys()
    assert after[f"S{bad}.md"] == before[f"S{bad}.md"]
    assert after[f"T{bad}.md"] == before[f"T{bad}.md"] + b"More.\n"
    for number in set(range(PAIRS)) - {bad}:
        source, target = f"S{number}", f"T{number}"
        section = f"\r\n\r\n## Related\r\n\r\n- supports:: [[{target}]]".encode()
        head = f'---\r\nsupported_by:\r\n  - "[[{source}]]"\r\n---\r\n'.encode()
        assert after[f"{source}.md"] == before[f"{source}.md"] + section
        assert after[f"{target}.md"] == head + before[f"{target}.md"]
