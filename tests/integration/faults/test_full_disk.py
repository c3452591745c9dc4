"""A full disk, a clock that jumps."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from graphs.app import open_brain
from tests.support.processes.command_line import Brain, run_here
from tests.support.processes.mounts import small_disk
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed

pytestmark = pytest.mark.integration

ENOUGH_TO_ASK = 400_000
"""Bytes: SQLite needs a little beside each file to read it."""
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
NOTES = {f"Topic {n}.md": f"# Topic {n}\n\nHeron {n} eats fish.\n" for n in range(30)}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    """A vault whose index has a disk of its own."""
    folder = tmp_path_factory.mktemp("full")
    with small_disk(folder / "disk") as disk:
        yield from renewed(Indexed(vault=folder / "vault", data_dir=disk / "data"), NOTES)


@pytest.fixture
def place(shared: Renewed) -> Iterator[Indexed]:
    made = shared.anew()
    yield made
    (made.data_dir.parent / "ballast").unlink(missing_ok=True)


@pytest.fixture
def vault(place: Indexed) -> Path:
    return place.vault


@pytest.fixture
def disk(place: Indexed) -> Path:
    return place.data_dir.parent


@pytest.fixture
def brain(place: Indexed) -> Brain:
    return partial(run_here, environment=place.environment)


def fill(folder: Path) -> Path:
    """Leave no room in the file system of a folder."""
    ballast = folder / "ballast"
    with ballast.open("wb") as file:
        try:
            while True:
                os.write(file.fileno(), b"\0" * 65536)
        except OSError:
            return ballast


def test_a_full_disk_is_told_in_one_line_and_recovered_from(
    brain: Brain, vault: Path, disk: Path
) -> None:
    for number in range(10, 15):
        (vault / f"Topic {number}.md").write_text("Heron sleeps. " * 400, "utf-8")
    ballast = fill(disk)
    index = brain("index")
    assert index.returncode in (0, 2)
    told = index.stderr + index.stdout
    assert "free some space" in told.lower()
    assert len(index.stderr.splitlines()) <= 1
    assert "eats fish" in brain("ask", "What does heron 3 eat?").stdout
    os.truncate(ballast, ballast.stat().st_size - ENOUGH_TO_ASK)
    asked = brain("ask", "What does heron 3 eat?")
    assert asked.returncode == 0, asked.stderr
    assert "eats fish" in asked.stdout
    doctor = brain("doctor")
    assert doctor.returncode == 1
    assert "LOOK  free space" in doctor.stdout
    repair = brain("doctor", "--repair")
    assert repair.returncode == 2
    assert "nothing was mended" in repair.stderr
    ballast.unlink()
    assert brain("index").returncode == 0
    checks = json.loads(brain("doctor", "--json").stdout)
    assert {check["name"] for check in checks if not check["ok"]} <= {"free space"}
    assert "sleeps" in brain("ask", "Which heron sleeps?").stdout


@pytest.mark.torture
def test_with_no_byte_free_questions_are_answered_and_indexing_goes_on_later(
    brain: Brain, vault: Path, disk: Path
) -> None:
    brain("stop")
    (vault / "Topic 3.md").write_text("# Topic 3\n\nHeron 3 eats newts.\n", "utf-8")
    ballast = fill(disk)
    assert os.statvfs(disk).f_bavail == 0
    answer = json.loads(brain("ask", "What does heron 4 eat?", "--json").stdout)
    assert answer["status"] == "answered"
    assert "eats fish" in answer["answer"]
    assert "text" not in answer["sources_failed"]
    for warning in answer["warnings"]:
        assert "internal error" not in warning["error"]
    assert brain("status").returncode == 0
    index = brain("index")
    assert index.returncode == 2
    assert "free some space" in index.stderr
    ballast.unlink()
    assert brain("index").returncode == 0
    assert "newts" in brain("search", "newts").stdout


async def test_a_clock_that_jumps_loses_and_repeats_nothing(place: Indexed) -> None:
    note = place.vault / "Topic 3.md"
    os.utime(place.vault / "Topic 5.md", (4e9, 4e9))

    async def run(now: datetime, target: str | None) -> tuple[int, str]:
        """How many notes an indexing run at that time read, and what the note says after it."""
        if target is not None:
            note.write_text(f"# Topic 3\n\ncauses:: [[{target}]]\n", "utf-8")
        async with open_brain(
            place.vault,
            data_dir=place.data_dir,
            mode="local",
            clock=lambda: now,
            services_owner=os.getpid(),
        ) as brain:
            report = await brain.index()
            (fact,) = (await brain.facts("Topic 3")).facts
            answer = await brain.ask("What does Topic 3 cause?")
        assert answer.status == "answered"
        assert report.warnings == answer.warnings == ()
        return report.written, fact.object

    assert await run(NOW, "Topic 4") == (1, "Topic 4")
    assert await run(NOW + timedelta(days=365), "Topic 5") == (1, "Topic 5")
    assert await run(NOW + timedelta(days=1), "Topic 6") == (1, "Topic 6")
    assert await run(NOW + timedelta(days=1, hours=1), None) == (0, "Topic 6")
    assert await run(NOW - timedelta(days=1), "Topic 7") == (1, "Topic 7")
    assert await run(NOW + timedelta(days=400), None) == (0, "Topic 7")
