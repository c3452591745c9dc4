"""``brain graph`` and ``brain timeline`` as a person or a script meets them."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.support.processes.command_line import Brain, run_here
from tests.support.vaults.in_turn import in_turn

pytestmark = pytest.mark.integration

NOTES = {
    "Coffee.md": "# Coffee\n\nleads_to:: [[Late nights]]\n",
    "Late nights.md": "# Late nights\n\n#evening\n",
    "Headache.md": "# Headache\n\ncaused_by:: [[Late nights]]\n",
    "Garden.md": "# Garden\n\nTomatoes grow.\n",
}
CREATED = "---\ncreated: 2024-03-01\n---\n"


@pytest.fixture(scope="module")
def brain(request: pytest.FixtureRequest) -> Brain:
    dated = {path: CREATED + text for path, text in NOTES.items()}
    return partial(run_here, environment=in_turn(request).of(dated).environment)


def said(done: subprocess.CompletedProcess[str]) -> str:
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    return line


def test_what_a_note_is_connected_to(brain: Brain) -> None:
    near = said(brain("graph", "late nights"))
    assert "Coffee — leads to → Late nights" in near
    assert "Headache — is caused by → Late nights" in near
    assert "since 2024-03-01 · Coffee.md:6" in near


def test_the_way_between_two_notes_follows_edges_either_way(brain: Brain) -> None:
    way = said(brain("graph", "Coffee", "--to", "Headache"))
    first, second = (line for line in way.splitlines() if "→" in line)
    assert first == "  Coffee — leads to → Late nights"
    assert second == "  Headache — is caused by → Late nights"
    found = json.loads(said(brain("graph", "Coffee", "--to", "Headache", "--json")))
    assert (found["start"], found["end"]) == ("Coffee.md", "Headache.md")
    assert [(s["subject"], s["object"], s["line"]) for s in found["steps"]] == [
        ("Coffee", "Late nights", 6),
        ("Headache", "Late nights", 6),
    ]


def test_further_steps_go_over_edges_of_the_same_moment(brain: Brain) -> None:
    """What lies behind an edge of another time is not connected at this one."""
    then = said(brain("graph", "Coffee", "--hops", "3", "--as-of", "2024-02-29"))
    assert then == "Nothing was connected to it at that time.\n"
    found = json.loads(said(brain("graph", "Coffee", "--hops", "2", "--json")))
    assert {edge["relation"]["relation"] for edge in found["edges"]} == {
        "LEADS_TO",
        "CAUSED_BY",
        "TAGGED",
    }
    then = json.loads(said(brain("graph", "Coffee", "--json", "--as-of", "2024-02-29")))
    assert then["edges"] == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["Coffee", "--to", "Garden"], "Nothing connects 'Coffee' and 'Garden' within 4 steps."),
        (["Coffee", "--to", "Headache", "--hops", "1"], "within 1 step."),
        (["Coffee", "--to", "Headache", "--as-of", "2024-02-29"], "Nothing connects"),
        (["Coffee", "--to", "Nobody"], "No note is called 'Nobody'"),
        (["Nobody"], "No note is called 'Nobody'"),
    ],
)
def test_what_is_not_there_is_told_in_a_line(brain: Brain, arguments: list[str], told: str) -> None:
    (line,) = said(brain("graph", *arguments)).splitlines()
    assert told in line


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["Coffee", "--to", "coffee.md"], "the same note"),
        (["Coffee", "--to", "Headache", "--hops", "5"], "1 to 4"),
        (["Coffee", "--hops", "0"], "1 to 4"),
        (["Coffee", "--to", "Headache", "--html", "way.html"], "--to or --html"),
        (["Coffee", "--as-of", "soonish"], "2024-05-20"),
        (["", "--to", "Coffee"], ""),
        (["Coffee", "--to", "\x07"], ""),
    ],
)
def test_bad_input_is_one_line_and_2(brain: Brain, arguments: list[str], why: str) -> None:
    assert why in refused(brain("graph", *arguments))


def test_the_pages_are_written_where_they_are_asked_for(brain: Brain, tmp_path: Path) -> None:
    for command in ("graph", "timeline"):
        page = tmp_path / f"{command}.html"
        assert f"Written: {page.name}" in said(brain(command, "Coffee", "--html", str(page)))
        assert page.read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("command", ["graph", "timeline"])
def test_without_the_library_that_draws_only_the_page_is_missing(
    brain: Brain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setitem(sys.modules, "plotly", None)
    page = tmp_path / "page.html"
    assert "install the extra `pages`" in refused(brain(command, "Coffee", "--html", str(page)))
    assert not page.exists()
    assert "Coffee" in said(brain(command, "Coffee"))


def test_a_timeline_tells_when_a_note_came(brain: Brain) -> None:
    assert "2024-03-01" in said(brain("timeline", "coffee"))
    assert "in that time: try" in said(brain("timeline", "coffee", "--until", "2020"))
    assert "No note speaks of 'quasars': try" in said(brain("timeline", "quasars"))
    assert "2024-05-20" in refused(brain("timeline", "coffee", "--since", "soonish"))
