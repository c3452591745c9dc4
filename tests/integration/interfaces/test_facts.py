"""``brain facts`` as a person or a script meets it: a vault without git, as its runs saw it."""

import json
import subprocess
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes.command_line import Brain, run_here
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration

KEYS = [
    *("subject", "relation", "object", "valid_at", "invalid_at", "created_at", "expired_at"),
    *("note_path", "line", "origin"),
]
TEA = (
    "---\ncreated: 2024-03-01\nupdated: {updated}\n---\n# Tea\n\ncauses:: [[{target}]]\n\n#drink\n"
)


@pytest.fixture(scope="module")
def place(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request).emptied()


@pytest.fixture(scope="module")
def vault(place: Indexed) -> Path:
    return place.vault


@pytest.fixture(scope="module")
def brain(place: Indexed) -> Brain:
    """Two texts of one note: what it says first, and what it says since June 2024."""
    call = partial(run_here, environment=place.environment)
    for updated, target in (("2024-03-01", "Bad sleep"), ("2024-06-01", "Good mood")):
        note = TEA.format(updated=updated, target=target)
        (place.vault / "Tea.md").write_text(note, "utf-8")
        assert call("index").returncode == 0
    return call


def facts(brain: Brain, *arguments: str) -> list[dict[str, Any]]:
    done = brain("facts", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def refused(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    return line


def test_a_fact_is_one_object_with_both_its_times(brain: Brain) -> None:
    found = facts(brain, "Tea")

    assert [list(fact) for fact in found] == [KEYS, KEYS]
    causes = next(fact for fact in found if fact["relation"] == "CAUSES")
    assert (causes["subject"], causes["object"], causes["line"]) == ("Tea", "Good mood", 7)
    assert (causes["note_path"], causes["origin"]) == ("Tea.md", "written")
    assert (causes["invalid_at"], causes["expired_at"]) == (None, None)
    for name in ("valid_at", "created_at"):
        assert datetime.fromisoformat(causes[name]).tzinfo is not None


def test_what_held_then_and_what_was_known_then(brain: Brain) -> None:
    def causes(*options: str) -> list[str]:
        return [f["object"] for f in facts(brain, "Tea", *options) if f["relation"] == "CAUSES"]

    assert causes("--as-of", "2024-05-31") == ["Bad sleep"]
    assert causes("--as-of", "April 2024") == ["Bad sleep"]
    assert causes("--as-of", "2024-06-01") == ["Good mood"]
    assert causes("--as-of", "2024-02-29") == []
    assert causes("--known-at", "2024-07-01") == [], "nobody had indexed it yet"
    first = next(f for f in facts(brain, "Tea", "--ever") if f["object"] == "Bad sleep")
    assert causes("--known-at", first["created_at"]) == ["Bad sleep"]
    assert causes("--known-at", first["expired_at"], "--as-of", "2024-05-31") == ["Bad sleep"]
    assert causes("--ever") == ["Bad sleep", "Good mood"]


def test_things_that_are_no_notes_have_what_is_said_about_them(brain: Brain) -> None:
    assert [fact["relation"] for fact in facts(brain, "good mood")] == ["CAUSES"]
    assert [fact["relation"] for fact in facts(brain, "#drink")] == ["TAGGED"]


def test_people_read_where_and_since_when_it_stands(brain: Brain) -> None:
    now = brain("facts", "Tea").stdout
    assert now.startswith("What the notes say now:")
    assert "causes → Good mood" in now
    assert "since 2024-06-01" in now
    assert "Tea.md:7" in now
    then = brain("facts", "Tea", "--as-of", "2024-05-31").stdout
    assert then.startswith("What was true on 2024-05-31:")
    assert "2024-03-01 to 2024-06-01" in then


def test_a_changed_note_is_read_before_it_is_told(brain: Brain, vault: Path) -> None:
    (vault / "Milk.md").write_text("# Milk\n\nstatus:: sour\n", "utf-8")
    assert [fact["object"] for fact in facts(brain, "Milk")] == ["sour"]
    (vault / "Milk.md").write_text("# Milk\n\nstatus:: fresh\n", "utf-8")
    assert [fact["object"] for fact in facts(brain, "Milk")] == ["fresh"]
    (vault / "Milk.md").unlink()
    assert facts(brain, "Milk") == []


def test_what_a_note_states_of_itself_is_told_with_its_line(brain: Brain, vault: Path) -> None:
    (vault / "Kestrel.md").write_text(
        "---\nstatus: on hold\nteam:\n  - Ines\n  - Omar\ncreated: 2024-01-02\n---\n"
        "**Budget:** 80k\nKestrel has two parts: a gauge and a model.\n",
        "utf-8",
    )
    stated = [("STATUS", "on hold", 2), ("TEAM", "Ines, Omar", 3), ("BUDGET", "80k", 8)]

    for options in ((), ("--ever",)):
        told = facts(brain, "Kestrel", *options)
        assert [(one["relation"], one["object"], one["line"]) for one in told] == stated
    shown = brain("facts", "Kestrel").stdout
    assert "has status → on hold\n      Kestrel.md:2\n" in shown
    assert facts(brain, "Kestrel", "--as-of", "2024-05-01") == []


def test_what_ended_is_found_at_any_time_and_told_where_it_stood(brain: Brain) -> None:
    assert facts(brain, "Bad sleep") == []
    (ended,) = facts(brain, "Bad sleep", "--ever")
    assert (ended["subject"], ended["note_path"]) == ("Tea", "Tea.md")
    assert "Tea.md:7 in an earlier version" in brain("facts", "Bad sleep", "--ever").stdout


def test_a_timeline_has_what_once_linked_to_its_subject(brain: Brain) -> None:
    done = brain("timeline", "Bad sleep", "--json")

    told = [
        (one["note_path"], one["event"]["timestamp"][:10], one["event"]["kind"])
        for one in json.loads(done.stdout)["occurrences"]
    ]
    assert told == [("Tea.md", "2024-03-01", "linked"), ("Tea.md", "2024-06-01", "unlinked")]


def test_an_unknown_subject_is_told_and_is_no_error(brain: Brain) -> None:
    done = brain("facts", "Nobody's note")
    assert (done.returncode, done.stderr) == (0, "")
    assert "No note is called" in done.stdout
    assert len(done.stdout.strip().splitlines()) == 1
    assert facts(brain, "Nobody's note") == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Tea", "--ever", "--as-of", "2024"], "--as-of"),
        (["Tea", "--ever", "--known-at", "2024"], "--known-at"),
        (["Tea", "--as-of", "soonish"], "2024-05-20"),
        (["Tea", "--as-of", "yesterday tomorrow"], "more than one date"),
        (["Tea", "--known-at", ""], "2024-05-20"),
        (["Tea", "--as-of", "0001-01-01T00:00"], "2024-05-20"),
        ([""], ""),
        (["\x07"], ""),
    ],
)
def test_bad_input_is_one_line_and_2(brain: Brain, arguments: list[str], said: str) -> None:
    assert said in refused(brain("facts", *arguments))
