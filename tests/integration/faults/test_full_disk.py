"""A full disk, a clock that jumps."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from graphs.app import open_brain
from tests.support.processes.command_line import Brain, environment, run_here
from tests.support.processes.mounts import small_disk
from tools.runtime.services import graph_service, semantic_service, stop
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration

ENOUGH_TO_ASK = 400_000
"""Bytes: SQLite needs a little beside each file to read it."""
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    for number in range(30):
        (folder / f"Topic {number}.md").write_text(
            f"# Topic {number}\n\nHeron {number} eats fish.\n", "utf-8"
        )
    return folder


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "mounted") as disk:
        yield disk


@pytest.fixture
def brain(vault: Path, mounted: Path) -> Iterator[Brain]:
    brain = partial(run_here, environment=environment(vault, mounted / "data"))
    yield brain
    brain("stop")


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
    brain: Brain, vault: Path, mounted: Path
) -> None:
    assert brain("index").returncode == 0
    for number in range(10, 30):
        (vault / f"Topic {number}.md").write_text("Heron sleeps. " * 400, "utf-8")
    ballast = fill(mounted)
    index = brain("index")
    assert index.returncode in (0, 2)
    told = index.stderr + index.stdout
    assert "free some space" in told.lower()
    assert len(index.stderr.splitlines()) <= 1
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
    assert "sleeps" in brain("ask", "What does heron do?").stdout


def test_with_no_byte_free_questions_are_answered_and_indexing_goes_on_later(
    brain: Brain, vault: Path, mounted: Path
) -> None:
    assert brain("index").returncode == 0
    brain("stop")
    (vault / "Topic 3.md").write_text("# Topic 3\n\nHeron 3 eats newts.\n", "utf-8")
    ballast = fill(mounted)
    assert os.statvfs(mounted).f_bavail == 0
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


async def test_a_clock_that_jumps_loses_and_repeats_nothing(vault: Path, tmp_path: Path) -> None:
    note = vault / "Topic 3.md"
    os.utime(vault / "Topic 5.md", (4e9, 4e9))

    async def run(now: datetime, target: str | None) -> tuple[int, str]:
        """How many notes an indexing run at that time read, and what the note says after it."""
        if target is not None:
            note.write_text(f"# Topic 3\n\ncauses:: [[{target}]]\n", "utf-8")
        async with open_brain(
            vault,
            data_dir=tmp_path / "data",
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

    assert await run(NOW, "Topic 4") == (30, "Topic 4")
    assert await run(NOW + timedelta(days=365), "Topic 5") == (1, "Topic 5")
    assert await run(NOW + timedelta(days=1), "Topic 6") == (1, "Topic 6")
    assert await run(NOW + timedelta(days=1, hours=1), None) == (0, "Topic 6")
    assert await run(NOW - timedelta(days=1), "Topic 7") == (1, "Topic 7")
    assert await run(NOW + timedelta(days=400), None) == (0, "Topic 7")
    settings = load_settings(vault=vault, data_dir=tmp_path / "data")
    for service in (semantic_service(settings), graph_service(settings)):
        await stop(service)
