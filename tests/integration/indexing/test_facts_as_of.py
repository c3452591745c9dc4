"""Facts of a vault in git as of any date on both axes, held against a replay of its commits.

The replay is written anew here, from what the documents promise: nothing of the program's own
reading of versions is used.
"""

import asyncio
import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphs.app import open_brain
from tests.support.processes.command_line import environment, run_here
from tools.base.domain import Moment
from tools.settings.loading import load_settings
from tools.vault.history.history import History

pytestmark = pytest.mark.integration

START = datetime(2023, 1, 1, 12, tzinfo=UTC)
TARGETS = ("Alpha", "Beta", "Gamma", "Delta", "Nowhere", "Somewhere")
RELATIONS = ("causes", "leads to", "was inspired by")
NAMES = ("Alpha", "Beta", "Gamma", "Delta", "Iota", "Kappa")
NEW_NAMES = ("Epsilon", "Zeta", "Eta", "Theta")


def day(number: float) -> datetime:
    return START + timedelta(days=number)


# --- a vault in git ------------------------------------------------------------------------


@dataclass(frozen=True)
class Text:
    """What a note says from a commit on; None of ``links`` is its end. Days from the start."""

    committed: int
    links: tuple[tuple[str, str], ...] | None
    created: int | None = None
    updated: int | None = None

    @property
    def changed(self) -> int | None:
        """A note cannot have been changed before it was made: the later date counts then."""
        return max(self.updated, self.created or 0) if self.updated else None

    def __str__(self) -> str:
        dates = {"created": self.created, "updated": self.updated}
        head = [f"{key}: {day(n):%Y-%m-%dT%H:%M:%S+00:00}" for key, n in dates.items() if n]
        body = [f"{relation}:: [[{target}]]" for relation, target in self.links or ()]
        front = ["---", *head, "---"] if head else []
        # Words that stay the same let git recognise a note that was moved and edited.
        return "\n\n".join(["\n".join(front), *(f"Line {n} stays." for n in range(20)), *body])


@dataclass
class Repository:
    """The texts of each note. ``names`` are those of today, ``called`` all there ever were."""

    root: Path
    notes: list[list[Text]] = field(default_factory=list[list[Text]])
    names: dict[str, int] = field(default_factory=dict[str, int])
    called: dict[str, int] = field(default_factory=dict[str, int])
    today: int = 0

    def last_name(self, number: int) -> str:
        return [name for name, called in self.called.items() if called == number][-1]

    def git(self, *arguments: str) -> None:
        who = {
            f"GIT_{role}_{what}": "t"
            for role in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        when = day(self.today).isoformat()
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": "2024-06-01T00:00:00+00:00"}
        known = {"PATH": os.environ["PATH"], "HOME": str(self.root)}
        command = ["git", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main", *arguments]
        subprocess.run(
            command, cwd=self.root, env=known | who | dates, check=True, capture_output=True
        )

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")

    def write(self, name: str, text: Text) -> None:
        if name not in self.names:
            self.names[name] = self.called[name] = len(self.notes)
            self.notes.append([])
        self.notes[self.names[name]].append(text)
        (self.root / f"{name}.md").write_text(str(text), "utf-8")

    def delete(self, name: str) -> None:
        self.notes[self.names.pop(name)].append(Text(self.today, None))
        (self.root / f"{name}.md").unlink()

    def move(self, former: str, name: str) -> None:
        (self.root / f"{former}.md").rename(self.root / f"{name}.md")
        self.names[name] = self.called[name] = self.names.pop(former)
        known = self.notes[self.names[name]]
        last = known[-1]
        known.append(Text(self.today, last.links, last.created, last.updated))


def grow(repository: Repository, chance: random.Random, *, commits: int) -> None:
    """Some commits in which notes are written, edited, moved, deleted; dated as clocks go."""
    for _ in range(commits):
        repository.today = max(1, repository.today + chance.choice([-2, 0, 1, 1, 2, 5]))
        what = chance.choice(["write", "write", "write", "move", "delete"])
        unused = [name for name in NEW_NAMES if name not in repository.called]
        if what == "move" and repository.names and unused:
            repository.move(chance.choice(sorted(repository.names)), unused[0])
        elif what == "delete" and len(repository.names) > 2:
            repository.delete(chance.choice(sorted(repository.names)))
        else:
            unused = [name for name in NAMES if name not in repository.called]
            if names := sorted([*repository.names, *unused]):
                repository.write(chance.choice(names), a_text(repository, chance))
        repository.commit()


def a_text(repository: Repository, chance: random.Random) -> Text:
    links = {
        (chance.choice(RELATIONS), chance.choice(TARGETS)) for _ in range(chance.randint(0, 3))
    }
    return Text(
        repository.today,
        tuple(sorted(links)),
        created=chance.choice([None, 1, 2]),
        updated=chance.choice([None, None, max(1, repository.today - 3), 4]),
    )


# --- the replay ----------------------------------------------------------------------------


def stands(texts: Sequence[Text], *, as_of: float | None, known_at: float | None) -> Text | None:
    """The last text that was known by then and valid by then.

    The first is valid from its creation; a later one from a date that it states anew, of when it
    was updated before of when it was created; otherwise from when it was known. A clock that ran
    back makes nothing unknown that was known.
    """
    found: Text | None = None
    before: Text | None = None
    known = 0
    for text in texts:
        known = max(known, text.committed)
        valid: int = known
        if text.links is not None:
            updated, last = text.changed, before.changed if before else None
            if before is None:
                valid = text.created or updated or known
            elif updated and updated != last:
                valid = updated
            elif text.created and text.created != before.created:
                valid = text.created
            before = text
        if (known_at is None or known <= known_at) and (as_of is None or valid <= as_of):
            found = text
    return found


def replayed(
    repository: Repository, name: str, *, as_of: float | None, known_at: float | None
) -> list[tuple[str, str]]:
    """What the note that has or had this name says then, with what things are called now."""
    number = repository.called[name]
    text = stands(repository.notes[number], as_of=as_of, known_at=known_at)
    found: set[tuple[str, str]] = set()
    for relation, target in text.links or () if text else ():
        other = repository.called.get(target)
        if other != number:
            called = target if other is None else repository.last_name(other)
            found.add((relation.replace(" ", "_").upper(), called))
    return sorted(found)


# --- the program ---------------------------------------------------------------------------

type Brain = Callable[..., subprocess.CompletedProcess[str]]


@dataclass(frozen=True)
class Place:
    """A repository, and what indexes it with data beside it."""

    repository: Repository
    data_dir: Path

    @property
    def brain(self) -> Brain:
        return partial(run_here, environment=environment(self.repository.root, self.data_dir))


def emptied(folder: Path) -> Place:
    """A repository without a commit in place of any that was there."""
    made = Repository(folder / "vault")
    shutil.rmtree(made.root, ignore_errors=True)
    made.root.mkdir()
    made.git("init", "-q")
    return Place(made, folder / "data")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = emptied(tmp_path)
    yield made
    made.brain("stop")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for the repository of a test, each with other notes than those of the others."""
    folder = tmp_path_factory.mktemp("shared")
    made = emptied(folder)
    yield folder
    made.brain("stop")


def facts(brain: Brain, subject: str, *options: str) -> list[dict[str, Any]]:
    done = brain("facts", subject, "--json", *options)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@dataclass(frozen=True)
class Both:
    """The same vault as the program answers for it and as it is replayed."""

    repository: Repository
    data_dir: Path

    async def agree(self, *, each: int = 1) -> None:
        """On every note, at every pair of dates, and at the ends of both axes.

        One pair of ``each`` so many is asked for, and another one of the next note.
        """
        last = max(text.committed for texts in self.repository.notes for text in texts)
        days = [None, 0.5, 1.5, 3.5, 4.5, *(last * part / 4 + 0.5 for part in range(1, 5))]
        async with open_brain(
            self.repository.root, data_dir=self.data_dir, services_owner=os.getpid()
        ) as brain:
            for number, name in enumerate(self.repository.called):
                pairs = [(as_of, known_at) for as_of in days for known_at in days]
                for as_of, known_at in pairs[number % each :: each]:
                    at = Moment(
                        as_of=None if as_of is None else day(as_of),
                        known_at=None if known_at is None else day(known_at),
                    )
                    found = (await brain.facts(name, at=at)).facts
                    expected = replayed(self.repository, name, as_of=as_of, known_at=known_at)
                    told = sorted((fact.relation, fact.object) for fact in found)
                    assert told == expected, (name, as_of, known_at)

    def digests(self) -> dict[str, str]:
        history = History(
            load_settings(vault=self.repository.root, data_dir=self.data_dir).history_path
        )
        try:
            return history.ledger.digests()
        finally:
            history.close()


@pytest.mark.parametrize(
    ("seed", "each"),
    [(1, 5), *(pytest.param(seed, 1, marks=pytest.mark.torture) for seed in (1, 2, 3))],
)
def test_facts_are_those_of_a_replay_of_the_commits(place: Place, seed: int, each: int) -> None:
    repository, brain = place.repository, place.brain
    both, chance = Both(repository, place.data_dir), random.Random(seed)  # noqa: S311
    grow(repository, chance, commits=25)
    assert brain("index").returncode == 0
    asyncio.run(both.agree(each=each))

    grow(repository, chance, commits=10)
    report = json.loads(brain("index", "--json").stdout)
    assert report["warnings"] == []
    asyncio.run(both.agree())

    before = both.digests()
    again = json.loads(brain("index", "--json").stdout)
    assert (again["written"], again["graph_written"]) == (0, 0)
    assert both.digests() == before
    rebuilt = json.loads(brain("index", "--rebuild", "--json").stdout)
    assert rebuilt["warnings"] == []
    assert both.digests() == before
    asyncio.run(both.agree(each=each))


def test_what_is_not_committed_is_known_since_it_was_indexed(shared: Path) -> None:
    place = emptied(shared)
    repository, brain = place.repository, place.brain
    repository.today = 5
    repository.write("Delta", Text(5, (("causes", "Iota"),)))
    repository.commit()
    repository.write("Delta", Text(6, (("causes", "Kappa"),)))
    started = datetime.now(UTC)
    assert brain("index").returncode == 0

    (now,) = facts(brain, "Delta")
    (then,) = facts(brain, "Delta", "--known-at", started.isoformat())

    assert (now["object"], then["object"]) == ("Kappa", "Iota")
    assert datetime.fromisoformat(now["created_at"]) >= started
    assert datetime.fromisoformat(then["created_at"]) == day(5)


def test_a_history_that_was_rewritten_leaves_nothing_of_the_old_one(shared: Path) -> None:
    place = emptied(shared)
    repository, brain = place.repository, place.brain
    repository.today = 5
    repository.write("Alpha", Text(5, (("causes", "Beta"),)))
    repository.commit()
    repository.write("Gamma", Text(6, (("causes", "Secret"),)))
    repository.commit()
    repository.delete("Gamma")
    repository.commit()
    assert brain("index").returncode == 0
    assert facts(brain, "Gamma", "--ever") != []

    repository.git("reset", "-q", "--hard", "HEAD~2")
    assert brain("index").returncode == 0

    assert (
        facts(brain, "Secret", "--ever") == facts(brain, "Gamma", "--known-at", "2023-01-07") == []
    )
    assert [fact["object"] for fact in facts(brain, "Alpha", "--ever")] == ["Beta"]
