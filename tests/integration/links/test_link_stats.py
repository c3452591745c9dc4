"""What a person decided on suggested links, as Python and programs get it."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphs.links.learn import learn
from tests.support.processes.command_line import run_here
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.links.planned import LinkRequest
from tools.vault.storage.link_feedback import LinkDecision, LinkFeedback

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def place(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request).of({"Tea.md": "Tea is hot.", "Milk.md": "Milk is cold."})


ACCEPTED = LinkDecision(
    at=datetime(2026, 12, 1, tzinfo=UTC),
    source="Tea.md",
    target="Milk.md",
    accepted=True,
    probability=0.3,
    suggested="supports",
    chosen="influences",
)


@pytest.mark.parametrize("by", ["number", "last"])
async def test_a_link_that_is_taken_out_is_no_longer_learned_from(place: Indexed, by: str) -> None:
    request = LinkRequest(source="Tea", target="Milk", relation="influences")
    rejected = replace(ACCEPTED, accepted=False, chosen=None)
    async with place.open() as brain:
        write, _ = await brain.links.create(await brain.links.plan(request))
        learn(brain.settings, [rejected, ACCEPTED, replace(ACCEPTED, source="Milk.md")])
        taken = brain.links.undo(write.id) if by == "number" else brain.links.undo_last(1)
        _, warnings = await taken
        left, _ = LinkFeedback(brain.settings.link_feedback_path).read()
        assert warnings == ()
        assert [(one.source, one.accepted) for one in left] == [
            ("Tea.md", False), ("Milk.md", True),
        ]  # fmt: skip
        brain.settings.link_feedback_path.write_text("no list", "utf-8")
        again, _ = await brain.links.create(await brain.links.plan(request))
        undone, told = await brain.links.undo(again.id)
        assert undone.state == "undone"
        assert [one.source for one in told] == ["link feedback"]
        brain.settings.link_feedback_path.unlink()  # the data directory is shared


async def test_python_and_the_command_line_tell_the_same(place: Indexed) -> None:
    async with place.open() as brain:
        brain.settings.link_feedback_path.unlink(missing_ok=True)
        assert (await brain.links.stats()).decided == 0
        assert learn(brain.settings, [ACCEPTED]) == ()
        stats = await brain.links.stats()
    assert (stats.decided, stats.accepted, stats.retyped) == (1, 1, 1)
    given = json.loads(run_here("link", "stats", "--json", environment=place.environment).stdout)
    assert given["by_type"] == [{"relation": "supports", "decided": 1, "accepted": 1}]
    assert given["file"] == "link-feedback.json"
    brain.settings.link_feedback_path.unlink()  # the data directory is shared
