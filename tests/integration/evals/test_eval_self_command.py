"""``brain eval self`` as a person meets it: a small vault asked about itself, and its page."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes.command_line import BRAIN, Brain, environment, indexed_here, run_here

pytestmark = pytest.mark.integration

NOTES = {
    "Basil.md": "---\ncreated: 2024-03-09\naliases: [green herb]\n---\n# Basil\n\nBasil goes "
    "yellow without nitrogen.\n\n## How much light\n\nIt wants six hours of sun a day.\n",
    "Bread.md": "# Bread\n\nA cold jar makes the dough slow.\n\n## Ingredients\n\n- rye flour\n"
    "- water from the tap\n- sea salt\n",
    **{
        f"birds/Bird {n}.md": f"# Bird {n}\n\nThe bird of number {n} eats fish by night.\n"
        for n in range(20)
    },
}
MEASURED = "--each", "3"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("self")


@pytest.fixture(scope="module")
def brain(folder: Path) -> Iterator[Brain]:
    with indexed_here(folder, NOTES, BRAIN_SLOW_MS="0.001") as brain:
        yield brain


def doctor(brain: Brain) -> str:
    checks = {check["name"]: check for check in json.loads(brain("doctor", "--json").stdout)}
    assert checks["self-check"]["ok"]
    return checks["self-check"]["detail"]


def test_a_vault_is_asked_about_itself_and_the_page_is_kept(
    brain: Brain, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("matplotlib", "jinja2", "deepeval", "sklearn"):  # of the group `evals`
        monkeypatch.setitem(sys.modules, name, None)
    assert doctor(brain).startswith("Never run")
    before = {file.name for file in (folder / "data").iterdir()}

    done = brain("eval", "self", *MEASURED, "--out", str(folder / "out.jsonl"))

    assert (done.returncode, done.stderr) == (0, "")
    page = folder / "data" / "self-check.html"
    sentence, *rest = done.stdout.splitlines()
    assert sentence in page.read_text("utf-8")
    assert rest[-1] == f"The questions missed: {page}"
    found = [json.loads(line) for line in (folder / "out.jsonl").read_text("utf-8").splitlines()]
    kinds = {"title", "what is title", "alias", "heading", "day", "follow-up", "list"}
    assert {one["kind"] for one in found} >= kinds
    assert all(one["first"] for one in found if one["kind"] in {"title", "alias", "list"})
    (follow_up,) = [one for one in found if one["kind"] == "follow-up"]
    assert (follow_up["after"], follow_up["q"]) == ("What is Basil?", "And How much light?")
    assert follow_up["quoted"][0]["path"] == "Basil.md"
    told = doctor(brain)
    assert f" of {len(found)} questions to your own notes" in told
    assert told.endswith(f"see {page}.")
    # They are nobody's questions: only the check itself is kept.
    added = {file.name for file in (folder / "data").iterdir()} - before
    assert {name for name in added if not name.endswith(("-wal", "-shm"))} == {
        "self-check.html",
        "self-check.json",
    }


def test_the_page_goes_where_it_is_asked_for(brain: Brain, folder: Path) -> None:
    done = brain("eval", "self", "--each", "1", "--report", str(folder / "page.html"))

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"The questions missed: {folder / 'page.html'}\n")
    kept = folder / "data" / "self-check.html"
    assert (folder / "page.html").read_text("utf-8") == kept.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--each", "0"), "at least 1 question of each kind"),
        (("--report", "nowhere/page.html"), "no folder 'nowhere'"),
        (("--out", "x", "--report", "x"), "name the same file"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_asked(
    brain: Brain, arguments: tuple[str, ...], said: str
) -> None:
    done = brain("eval", "self", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("notes", "said"), [({}, "has no notes"), ({"a.md": "# Tea\n"}, "no note with a text")]
)
def test_a_vault_with_nothing_to_ask_for(tmp_path: Path, notes: dict[str, str], said: str) -> None:
    done = run_here("eval", "self", environment=written(tmp_path, notes))

    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_one_word_is_enough_to_ask_for_and_reset_takes_page_and_figures_along(
    tmp_path: Path,
) -> None:
    given = written(tmp_path, {"a.md": "Tea."})
    done = run_here("eval", "self", environment=given)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    kept = {file.name for file in (tmp_path / "data").glob("self-check.*")}
    assert kept == {"self-check.html", "self-check.json"}
    assert run_here("reset", "--yes", environment=given).returncode == 0
    assert not list((tmp_path / "data").glob("self-check.*"))
    run_here("stop", environment=given)


def written(folder: Path, notes: dict[str, str]) -> dict[str, str]:
    """A vault of these notes that nobody indexed, as settings name it."""
    (folder / "vault").mkdir()
    for path, text in notes.items():
        (folder / "vault" / path).write_text(text, "utf-8")
    return environment(folder / "vault", folder / "data")


def test_ctrl_c_tells_what_was_asked_so_far(brain: Brain, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    os.mkfifo(out)  # a pipe shows each line as soon as it is written, without polling
    process = subprocess.Popen(
        [BRAIN, "eval", "self", "--each", "50", "--out", str(out)],
        env=environment(folder / "vault", folder / "data"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with out.open(encoding="utf-8") as pipe:
            asked = [pipe.readline() for _ in range(3)]
            process.send_signal(signal.SIGINT)
            asked += list(pipe)
        told, said = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, said
    assert said.startswith(f"brain: stopped after {len(asked)} of ")
    assert told.startswith(f"Of {len(asked)} questions made from your {len(NOTES)} notes")
    assert f" of {len(asked)} questions" in doctor(brain)
    assert "stopped before" in doctor(brain)
