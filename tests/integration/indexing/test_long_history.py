"""A vault of whose many commits only the newest are read: what is told, what is known."""

import asyncio
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.core.ingest_report import IngestReport
from graphs.ingest import graph as ingesting
from graphs.ingest.graph import Progress
from tests.support.processes.command_line import environment, run_here
from tests.support.vaults.repositories import git
from tools.base.domain import Moment
from tools.vault.git.repository import COMMITS, read_log

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("told")]

type Run = Callable[..., subprocess.CompletedProcess[str]]

NOTES = 20
SAME = 10
"""So many versions of a note in a row say the same."""
BEGAN = datetime(2012, 1, 1, tzinfo=UTC)
STEP = timedelta(hours=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Long:
    """A vault with so many commits ``made``, of which the newest are ``read``."""

    vault: Path
    made: int
    read: int

    @property
    def cut(self) -> int:
        """The newest commit that is not read: its whole tree stands for what was before."""
        return self.made - self.read - 1

    def open(self) -> AbstractAsyncContextManager[Brain]:
        data_dir = self.vault.parent / "data"
        return open_brain(self.vault, data_dir=data_dir, mode="local", services_owner=os.getpid())


def committed(number: int) -> datetime:
    return BEGAN + number * STEP


def effect(number: int) -> str:
    """What the note that this commit changed says since then."""
    return f"Effect {number // NOTES // SAME}"


def last_change(note: int, *, by: int) -> int:
    """The last commit up to ``by`` that changed the note."""
    return by - (by - note) % NOTES


def add_commits(vault: Path, changes: list[tuple[str, str | None]], *, start: int = 0) -> None:
    """Commit each change (path, text or None: deleted) on the checked-out branch, in one stream."""
    parts: list[str] = []
    for number, (path, text) in enumerate(changes, start=start):
        when = int(committed(number).timestamp())
        parts += ["commit refs/heads/main", f"committer t <t@t> {when} +0000", "data 0"]
        if number == start > 0:
            parts.append("from refs/heads/main^0")
        if text is None:
            parts.append(f"D {path}")
        else:
            parts += [f"M 100644 inline {path}", f"data {len(text)}", text]
    git(vault, "fast-import", "--quiet", stdin=("\n".join(parts) + "\n").encode())
    git(vault, "reset", "-q", "--hard", "main")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((5_000, 2_000), id="a tenth"),
        pytest.param((50_000, COMMITS), id="all", marks=pytest.mark.torture),
    ],
)
def long(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Long]:
    """Twenty notes in turn; three others that nobody changed since the first commits, one gone."""
    made, read = request.param
    root = tmp_path_factory.mktemp("long") / "vault"
    root.mkdir()
    git(root, "init", "-q")
    changes: list[tuple[str, str | None]] = [
        (f"Note {number % NOTES}.md", f"causes:: [[{effect(number)}]]\nSaved {number}.\n")
        for number in range(made)
    ]
    changes[0] = ("Old.md", "causes:: [[Age]]\n")
    changes[1] = ("Dated.md", "---\ncreated: 2012-01-01\n---\n\ncauses:: [[Age]]\n")
    changes[2:4] = [("Gone.md", "causes:: [[Secret]]\n"), ("Gone.md", None)]
    add_commits(root, changes)
    with pytest.MonkeyPatch.context() as patch:
        if read != COMMITS:
            patch.setattr(ingesting, "read_log", partial(read_log, commits=read))
        yield Long(vault=root, made=made, read=read)


@pytest.fixture(scope="module")
def run(long: Long) -> Iterator[Run]:
    call = partial(run_here, environment=environment(long.vault, long.vault.parent / "data"))
    yield call
    call("stop")


@pytest.fixture(scope="module")
def told(run: Run) -> str:
    """What the first index prints."""
    done = run("index")
    assert done.returncode == 0  # how far it is, it tells only where it takes long
    return " ".join(done.stdout.split())


def index(long: Long) -> tuple[IngestReport, dict[str, int]]:
    """A run, and how much there was to do in each of its phases."""
    heard: dict[str, int] = {}

    def hear(progress: Progress) -> None:
        heard[progress.phase] = progress.total

    async def indexed() -> IngestReport:
        async with long.open() as brain:
            return await brain.index(on_progress=hear)

    return asyncio.run(indexed()), heard


def facts(run: Run, subject: str, *options: str) -> list[dict[str, Any]]:
    done = run("facts", subject, "--json", *options)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_a_person_is_told_how_far_back_the_history_was_read(told: str, long: Long) -> None:
    assert told.startswith(f"{NOTES + 2} notes: {NOTES + 2} notes new or changed, 0 removed;")
    assert (
        f"history: Git history before {committed(long.cut):%Y-%m-%d} was not read, only the newest "
        f"{long.read:,} commits that changed notes: give an older note its date in a `created` "
        "property. What held before is answered from later versions."
    ) in told


def test_every_version_that_was_read_says_what_held_then(long: Long) -> None:
    """The oldest, the newest and some between, each at its moment on both axes."""
    cut, made = long.cut, long.made
    between = range(cut + 7, made, long.read // 20 - 3)
    numbers = [cut + 1, cut + NOTES, made - NOTES, made - 1, *between]
    found: list[tuple[int, list[str]]] = []

    async def ask() -> None:
        async with long.open() as brain:
            for number in numbers:
                at = committed(number)
                said = await brain.facts(f"Note {number % NOTES}", at=Moment(as_of=at, known_at=at))
                found.append((number, [fact.object for fact in said.facts]))

    asyncio.run(ask())

    assert found == [(number, [effect(number)]) for number in numbers]


def test_the_facts_of_a_note_begin_where_its_history_was_cut(run: Run, long: Long) -> None:
    ever = facts(run, "Note 7", "--ever")

    (first,) = (fact for fact in ever if fact["object"] == effect(last_change(7, by=long.cut)))
    assert datetime.fromisoformat(first["created_at"]) == committed(long.cut)
    (last,) = facts(run, "Note 7")
    assert (last["object"], last["expired_at"]) == (effect(last_change(7, by=long.made - 1)), None)
    assert len({fact["object"] for fact in ever}) == len(ever) == long.read // NOTES // SAME + 1


def test_what_is_older_than_the_cut_is_known_since_then(run: Run, long: Long) -> None:
    (old,), (dated,) = facts(run, "Old"), facts(run, "Dated")

    for fact in (old, dated):
        assert datetime.fromisoformat(fact["created_at"]) == committed(long.cut)
    assert datetime.fromisoformat(old["valid_at"]) == committed(long.cut)
    assert dated["valid_at"].startswith("2012-01-01"), "a date of its own needs no history"
    assert facts(run, "Gone", "--ever") == facts(run, "Secret", "--ever") == []


def test_another_index_reads_nothing_anew(long: Long, run: Run) -> None:
    report, heard = index(long)

    assert (report.written, report.removed, report.graph_written, heard) == (0, 0, 0, {})
    assert "everything is up to date" in run("index").stdout


def test_after_a_new_commit_only_that_is_read(long: Long, run: Run) -> None:
    add_commits(long.vault, [("New.md", "causes:: [[Youth]]\n")], start=long.made)

    report, heard = index(long)

    assert (report.written, report.graph_written, heard["history"]) == (1, 1, 1)
    (warning,) = report.warnings
    assert f"only the newest {long.read:,} commits" in warning.error
    (fact,) = facts(run, "New")
    assert datetime.fromisoformat(fact["created_at"]) == committed(long.made)
