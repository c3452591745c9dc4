"""A vault that changed since it was indexed, and copies of that index for processes to die over."""

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tests.support.processes.command_line import Brain, environment, run_here

ROOT = Path(__file__).parents[3]
NOTES = 150
QUESTIONS = (
    "What does the heron of Porto eat?",
    "What does the lynx of Oslo eat?",
    "Why did topic 12 happen?",
    "Compare Topic 3 and Topic 44",
)
ANIMALS = (
    *("otter", "heron", "lynx", "badger", "stork", "falcon", "seal", "beaver", "crane", "marten"),
    *("eagle", "turtle", "gecko", "ibis", "raven"),
)
PLACES = (
    *("Porto", "Oslo", "Lima", "Kyoto", "Cairo", "Quito", "Riga", "Turin", "Hanoi", "Tunis"),
    "Perth",
)


def note(number: int, *, food: str) -> str:
    return (
        f"---\ncreated: 2024-01-{1 + number % 28:02}\n---\n# Topic {number}\n\n"
        f"The {ANIMALS[number % 15]} of {PLACES[number // 15]} eats {food}.\n\n"
        f"causes:: [[Topic {(number + 1) % NOTES}]]\n"
    )


@dataclass(frozen=True)
class Stage:
    """A vault that changed since ``before`` was indexed, and a place for copies of that index.

    ``first`` are its notes as they were then.
    """

    vault: Path
    first: Path
    before: Path
    copies: Path

    @classmethod
    def made(cls, folder: Path) -> "Stage":
        stage = cls(
            vault=folder / "vault",
            first=folder / "first",
            before=folder / "before",
            copies=folder,
        )
        stage.first.mkdir()
        for number in range(NOTES):
            (stage.first / f"Topic {number}.md").write_text(note(number, food="fish"), "utf-8")
        stage.rewind()
        before = Copy(vault=stage.vault, data_dir=stage.before)
        assert before.brain("index").returncode == 0
        before.brain("stop")
        stage.change()
        return stage

    def change(self) -> None:
        """Change many notes at once: their texts, their names, and some come and some go."""
        for number in range(70):
            (self.vault / f"Topic {number}.md").write_text(note(number, food="frogs"), "utf-8")
        for number in range(70, 85):
            (self.vault / f"Topic {number}.md").unlink()
        for number in range(85, 95):
            (self.vault / f"Topic {number}.md").rename(self.vault / f"Renamed {number}.md")
        for number in range(NOTES, NOTES + 15):
            (self.vault / f"Topic {number}.md").write_text(note(number, food="newts"), "utf-8")

    def rewind(self) -> None:
        """Have the notes as they were, to the time of their files."""
        shutil.rmtree(self.vault, ignore_errors=True)
        shutil.copytree(self.first, self.vault)

    def copy(self, name: str) -> "Copy":
        made = Copy(vault=self.vault, data_dir=self.copies / name)
        shutil.copytree(self.before, made.data_dir)
        return made


@dataclass(frozen=True)
class Copy:
    """A vault and a data directory for processes to die over; ``variables`` are more settings."""

    vault: Path
    data_dir: Path
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def environment(self) -> dict[str, str]:
        return {**environment(self.vault, self.data_dir), **self.variables}

    @property
    def brain(self) -> Brain:
        return partial(run_here, environment=self.environment)

    def killed(
        self, moment: str, nth: int, victim: str, *arguments: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line in a process, with somebody killed at that moment."""
        mark = self.data_dir / "run" / "killed"
        mark.unlink(missing_ok=True)
        done = subprocess.run(
            dying(moment, nth, victim, *arguments),
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert mark.exists(), (done.stdout, done.stderr)
        assert (done.returncode == -9) == (victim == "self"), done.stderr
        return done

    @contextmanager
    def staying(self, moment: str, command: str, *, said: str) -> Generator[None]:
        """A command that stays, from when it has ``said`` so; it is killed at that moment.

        That has to come of what is done in the block.
        """
        with (
            tempfile.TemporaryFile("w+") as complaints,
            subprocess.Popen(
                dying(moment, 1, "self", command),
                env=self.environment,
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
            ) as process,
        ):
            try:
                assert process.stdout is not None
                for line in process.stdout:
                    if said in line:
                        break
                yield
                process.stdout.read()  # until it is gone, or it would wait for a reader
                complaints.seek(0)
                assert process.wait(60) == -9, complaints.read()
            finally:
                process.kill()

    def wrong(self) -> list[str]:
        """What ``brain doctor`` finds wrong.

        A socket or file that nobody uses any more may lie there: it is in nobody's way.
        """
        found = self.brain("doctor").stdout.splitlines()
        return [line for line in found if line.startswith("LOOK") and "leftovers" not in line]

    def outcome(self) -> dict[str, Any]:
        """Everything that must not depend on whether somebody was killed."""
        wrong = self.wrong()
        assert not wrong, wrong
        with closing(sqlite3.connect(self.data_dir / "history.db")) as db:
            versions = db.execute(
                "SELECT n.path, v.path, v.content_hash FROM versions v JOIN notes n "
                "ON n.id = v.note_id ORDER BY n.path, v.at, v.id"
            ).fetchall()
        return {
            "versions": versions,
            "answers": [answer(self.brain, question) for question in QUESTIONS],
        }


def unlike(outcome: dict[str, Any], undisturbed: dict[str, Any]) -> list[str]:
    """What of an outcome is another than it would be had nobody been killed, a line each."""
    found = [name for name in ("versions",) if outcome[name] != undisturbed[name]]
    for question, own, other in zip(
        QUESTIONS, outcome["answers"], undisturbed["answers"], strict=True
    ):
        if own["said"] != other["said"]:
            found.append(f"{question} said {own['said']!r} instead of {other['said']!r}")
        found += [
            f"{question} {at}: {now} instead of {before}"
            for at, (now, before) in enumerate(
                zip_longest(own["results"], other["results"], fillvalue=None)
            )
            if now != before
        ]
    return found


def dying(moment: str, nth: int, victim: str, *arguments: str) -> list[str]:
    """A process that does it (``tests/support/processes/dying.py``)."""
    return [
        *(sys.executable, "-m", "tests.support.processes.dying"),
        *(moment, str(nth), victim, *arguments),
    ]


def answer(brain: Brain, question: str) -> dict[str, Any]:
    done = brain("ask", question, "--json", "--no-input")
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    given = json.loads(done.stdout)
    assert given["warnings"] == []
    return {
        "said": given["answer"].partition("\n## ")[2].partition("\n## ")[0],
        "results": [
            (result["note_path"], round(result["composite_relevance"], 3), result["excerpts"])
            for result in given["results"]
        ],
    }
