"""What a note said before and what it says now, told as a change with its day."""

from pathlib import Path

import pytest

from graphs.core.state import QueryContext
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.repositories import commit, day, git
from tools.claims.report import sides

pytestmark = pytest.mark.integration

VIEWS = {
    "2021-03-02": "Chess improves concentration.",
    "2023-04-01": "Chess worsens concentration.",
}
BEFORE, AFTER = "Basil needs 9 ml of fertiliser.", "Basil needs 4 ml of fertiliser."


@pytest.fixture(scope="module")
def indexed_vault(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request).written(write)


def write(vault: Path) -> None:
    """A note that git knows two versions of, and two notes that it does not know, of two days."""
    git(vault, "init", "-q")
    for on, said in ((2, BEFORE), (9, AFTER)):
        text = f"# Basil\n\nIt grows on the sill.\n\n{said}\n\nIt likes the sun."
        (vault / "Basil.md").write_text(text, "utf-8")
        commit(vault, on=on)
    for title, (on, said) in zip(("Club evenings", "Focus"), VIEWS.items(), strict=True):
        note = f"---\ncreated: {on}\n---\n# {title}\n\n{said}\n"
        (vault / f"{title}.md").write_text(note, "utf-8")


async def test_two_versions_of_a_note_are_a_change_and_no_contradiction(
    indexed_vault: Indexed,
) -> None:
    async with indexed_vault.open() as brain:
        answer = await brain.ask(
            "How has the fertiliser for basil changed?",
            intent="temporal",
            context=QueryContext(interactive=False, whole=True),
        )
    (change,) = answer.changes
    assert answer.contradictions == ()
    assert (change.before.claim, change.after.claim) == (BEFORE, AFTER)
    assert change.known_from == "versions"
    assert change.changed_on == day(9)
    assert "Changed on 2020-01-09" in answer.answer


async def test_who_asks_what_changed_is_told_what_notes_of_two_days_say_against_each_other(
    indexed_vault: Indexed,
) -> None:
    async with indexed_vault.open() as brain:
        answer = await brain.ask("How has my view of chess changed?")
        asked_at_large = await brain.ask("Does chess improve concentration?")
    (change,) = answer.changes
    assert answer.contradictions == ()
    assert {day: side.claim for day, side in zip(VIEWS, sides(change), strict=True)} == VIEWS
    assert answer.answer.startswith("- before: 2021-03-02")
    assert len(asked_at_large.contradictions) == 1
