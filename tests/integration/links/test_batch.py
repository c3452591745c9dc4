"""Many links at once: planned as if those before were written, each whole or not."""

import json

import pytest

from graphs.links.writing.batch import paths_of
from tests.support.processes.command_line import run_here
from tests.support.vaults.indexed import Indexed
from tools.base.errors import InputError
from tools.links.planned import LinkRequest

pytestmark = pytest.mark.integration

NOTES = {f"{name}.md": f"# {name}\n\nWhat {name} is.\n" for name in ("A", "B", "C", "D")} | {
    "Sourdough.md": "# Sourdough\n\nA loaf raised by wild yeast in a hot oven.\n",
    "Rye.md": "# Rye\n\nA dense loaf raised by wild yeast in a hot oven.\n",
}


def on_disk(place: Indexed) -> dict[str, bytes]:
    return {path: (place.vault / path).read_bytes() for path in NOTES}


def link(source: str, target: str, relation: str = "supports") -> LinkRequest:
    return LinkRequest(source=source, target=target, relation=relation)


async def test_each_is_planned_as_if_those_before_were_written(place: Indexed) -> None:
    before = on_disk(place)
    requests = [
        link("A", "B"),
        link("A", "C", "elaborates"),
        link("B", "C"),
        link("C", "A"),  # closes a circle of what is planned, too
        link("A", "B"),  # once more
        link("A", "Nobody"),
        link("D", "A", "influences"),
    ]
    async with place.open() as brain:
        planned = await brain.links.plan_all(requests)
        assert on_disk(place) == before
        assert [(one.write.source, one.write.target) for one in planned.links] == [
            ("A.md", "B.md"), ("A.md", "C.md"), ("B.md", "C.md"), ("D.md", "A.md"),
        ]  # fmt: skip
        assert [line.partition(":")[0] for line in planned.refused] == [
            "C → A",
            "A → B",
            "A → Nobody",
        ]
        shown = [change.diff for one in planned.links for change in one.changes]
        assert "+- elaborates:: [[C]]" in shown[2]
        outcome, warnings = await brain.links.create_all(planned.links)
        assert (len(outcome.writes), outcome.refused, warnings) == (4, (), ())
        end = b"\n## Related\n\n"
        assert on_disk(place)["A.md"] == (
            before["A.md"]
            + end
            + b"- supports:: [[B]]\n- elaborates:: [[C]]\n- influenced_by:: [[D]]\n"
        )
        facts = await brain.facts("A")
        assert {"SUPPORTS", "ELABORATES"} <= {one.relation for one in facts.facts}
        undone, _ = await brain.links.undo_last(4)
        assert len(undone.writes) == 4
    assert on_disk(place) == before


async def test_a_note_changed_since_it_was_shown_gets_none_and_the_others_theirs(
    place: Indexed,
) -> None:
    requests = [link("A", "B"), link("C", "B"), link("C", "D"), link("A", "D")]
    async with place.open() as brain:
        planned = await brain.links.plan_all(requests)
        (place.vault / "A.md").write_bytes(b"# A\n\nWritten meanwhile.\n")
        outcome, _ = await brain.links.create_all(planned.links)
    assert [(one.source, one.target) for one in outcome.writes] == [
        ("C.md", "B.md"), ("C.md", "D.md"),
    ]  # fmt: skip
    assert len(outcome.refused) == 2
    assert all("A.md" in line and "changed" in line for line in outcome.refused)
    assert (place.vault / "A.md").read_bytes() == b"# A\n\nWritten meanwhile.\n"
    assert (place.vault / "B.md").read_bytes().count(b"[[A]]") == 0


async def test_one_note_is_linked_to_twenty_others_at_most(place: Indexed) -> None:
    async with place.open() as brain:
        with pytest.raises(InputError, match="21 notes are too many"):
            await brain.links.plan_all([link("A", f"N{number}") for number in range(21)])


async def test_notes_may_be_named_otherwise_than_by_the_path_that_is_suggested(
    place: Indexed,
) -> None:
    async with place.open() as brain:
        assert paths_of(brain.deps, ["Rye", "rye", "A.md", "Nobody"]) == [
            "Rye.md", "Rye.md", "A.md", "Nobody",
        ]  # fmt: skip


@pytest.mark.parametrize("command", [("review",), ("batch-approve", "A", "B")])
def test_around_a_mention_no_link_of_several_is_put(
    place: Indexed, command: tuple[str, ...]
) -> None:
    refused = run_here("link", *command, "--at", "mention", environment=place.environment)
    assert refused.returncode == 2
    assert "'mention' is not one of" in refused.stderr


def test_what_is_approved_at_the_terminal_is_written_and_learned_from(place: Indexed) -> None:
    before = on_disk(place)
    command = ("link", "batch-approve", "Sourdough", "Rye", "A", "--type", "elaborates")
    asked = run_here(*command, environment=place.environment)
    assert (asked.returncode, len(asked.stderr.splitlines())) == (2, 1)
    assert on_disk(place) == before
    done = run_here(*command, "--yes", environment=place.environment)
    assert done.returncode == 0, done.stderr
    assert "Linked (1): Sourdough.md elaborates Rye.md." in done.stdout
    stats = json.loads(run_here("link", "stats", "--json", environment=place.environment).stdout)
    assert stats["accepted"] >= 1
    again = run_here(*command, "--yes", environment=place.environment)
    assert again.returncode == 2
    assert all("already" in line for line in again.stderr.splitlines())


def test_a_file_of_approvals_says_what_of_it_could_not_be(place: Indexed) -> None:
    file = place.data_dir / "approvals.json"
    entries = [
        {"source": "A", "target": "B", "relation": "supports", "context": "It does."},
        {"source": "A", "target": "Nobody", "relation": "supports"},
        {"source": "C", "target": "D", "relation": "influences", "spot": "frontmatter"},
    ]
    file.write_text(json.dumps(entries), "utf-8")
    command = ("link", "batch-approve", "--from", str(file), "--yes", "--json")
    done = run_here(*command, environment=place.environment)
    assert done.returncode == 1
    outcome = json.loads(done.stdout)
    assert [one["target"] for one in outcome["writes"]] == ["B.md", "D.md"]
    assert len(outcome["refused"]) == 1
    misspelled = json.dumps(
        [{"source": "B", "target": "C", "relation": "supports", "kontext": "It does."}]
    )
    for text in (
        "",
        "{}",
        "[1]",
        '[{"source": "A"}]',
        '[{"source": "A", "target": 3}]',
        "\0",
        misspelled,
    ):
        file.write_text(text, "utf-8")
        bad = run_here(*command, environment=place.environment)
        assert (bad.returncode, len(bad.stderr.splitlines())) == (2, 1)
    file.write_text("[]", "utf-8")
    none = run_here(*command[:-1], environment=place.environment)
    assert (none.returncode, none.stderr) == (0, "There was no link to write.\n")
    file.unlink()
    gone = run_here(*command, environment=place.environment)
    assert (gone.returncode, len(gone.stderr.splitlines())) == (2, 1)


def test_suggestions_that_are_likely_are_approved_by_how_likely_they_are(place: Indexed) -> None:
    suggest = ("link", "suggest", "Sourdough", "--json")
    found = json.loads(run_here(*suggest, environment=place.environment).stdout)["results"]
    command = ("link", "batch-approve", "Sourdough", "--type", "supports", "--yes", "--json")
    none = run_here(*command, "--least", "1", environment=place.environment)
    assert (none.returncode, len(none.stderr.splitlines())) == (2, 1)
    least = found[0]["probability"]
    done = run_here(*command, "--least", str(least), environment=place.environment)
    written = {one["target"] for one in json.loads(done.stdout)["writes"]}
    assert written == {one["note_path"] for one in found if one["probability"] >= least}
