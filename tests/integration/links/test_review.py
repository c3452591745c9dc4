"""A review of suggested links: shown one by one, written when accepted, taken back."""

import pytest

from graphs.links.reviewing.reviewer import ReviewStep
from graphs.links.suggesting.suggest import LinkQuery
from tests.support.processes.command_line import run_here
from tests.support.vaults.indexed import Indexed
from tools.base.errors import InputError, StorageError
from tools.links.planned import PlannedLink
from tools.links.review import Proposal, ReviewOptions, Tally

pytestmark = pytest.mark.integration

NOTES = {
    "Sourdough.md": (
        "# Sourdough\n\nA loaf raised by wild yeast.\n\nLong fermentation makes it sour; see "
        "[[Starter]].\n\nI watch the Oven spring through the glass.\n"
    ),
    "Starter.md": "# Starter\n\nFlour, water, wild yeast; fed daily.\n",
    "Oven spring.md": "# Oven spring\n\nThe last rise of a loaf in the first ten minutes.\n",
    "Rye bread.md": "# Rye bread\n\nA dense loaf, raised by wild yeast from a rye [[Starter]].\n",
}
THREAD = "review"
ALL, ONE_EACH = ReviewOptions(least=0.0), ReviewOptions(limit=1, least=0.0)


def on_disk(place: Indexed) -> dict[str, bytes]:
    return {path: (place.vault / path).read_bytes() for path in NOTES}


def shown(step: ReviewStep | None) -> Proposal:
    assert step is not None
    assert step.proposal is not None
    return step.proposal


async def test_what_is_accepted_is_written_as_it_was_shown_and_undone_byte_for_byte(
    place: Indexed,
) -> None:
    before = on_disk(place)
    async with place.open() as brain:
        review = brain.links.review
        step = await review.begin("Sourdough", options=ALL, thread=THREAD)
        first = shown(step)
        assert first.source == "Sourdough.md"
        other = first.suggestion
        wanted = {"answer": "e", "relation": "influences", "context": "Seen through the glass."}
        step = await review.reply(THREAD, wanted)
        edited = shown(step)
        assert edited.suggestion == first.suggestion
        assert [change.path for change in edited.changes] == ["Sourdough.md", other.note_path]
        added = f"+- influences:: [[{other.note_title}]] — Seen through the glass."
        assert added in edited.changes[0].diff
        assert on_disk(place) == before
        step = await review.reply(THREAD, "y")
        assert step.tally == Tally(notes=0, of=1, accepted=1)
        assert (await brain.links.stats()).accepted == 1
        after = on_disk(place)
        assert {path for path in NOTES if after[path] != before[path]} == {
            "Sourdough.md",
            other.note_path,
        }
        facts = await brain.facts("Sourdough")
        assert other.note_title in {
            one.object for one in facts.facts if one.relation == "INFLUENCES"
        }
        step = await review.reply(THREAD, "u")
        assert shown(step).suggestion == first.suggestion
        assert shown(step).wanted == edited.wanted
        assert step.tally == Tally(notes=0, of=1)
        assert on_disk(place) == before
        assert (await brain.links.stats()).decided == 0


async def test_a_review_goes_on_in_another_process_where_it_was(place: Indexed) -> None:
    async with place.open() as brain:
        step = await brain.links.review.begin(None, options=ONE_EACH, thread=THREAD)
        first = shown(step)
        step = await brain.links.review.reply(THREAD, "s")
        second = shown(step)
        assert second != first
    async with place.open() as brain:
        waiting = await brain.links.review.waiting(THREAD)
        assert shown(waiting) == second
        assert waiting is not None
        assert waiting.tally.skipped == 1
        with pytest.raises(InputError, match="No link waits"):
            await brain.links.review.reply("another", "y")


async def test_what_was_written_by_a_process_that_was_killed_counts_as_accepted(
    place: Indexed,
) -> None:
    async with place.open() as brain:
        await brain.links.review.begin("Sourdough", options=ALL, thread=THREAD)
        edit = {"answer": "e", "relation": "supports"}
        approved = shown(await brain.links.review.reply(THREAD, edit))
        assert approved.write is not None
        await brain.links.create(
            PlannedLink(write=approved.write, sides=(), changes=approved.changes)
        )
        written = on_disk(place)
    async with place.open() as brain:
        waiting = await brain.links.review.waiting(THREAD)
        assert waiting is not None
        assert waiting.tally.accepted == 1
        assert shown(waiting).suggestion != approved.suggestion
        assert on_disk(place) == written
        await brain.links.review.reply(THREAD, "u")
    assert on_disk(place) == {path: text.encode() for path, text in NOTES.items()}


async def test_all_notes_come_the_least_connected_first_and_it_ends(place: Indexed) -> None:
    sources: list[str] = []
    async with place.open() as brain:
        step = await brain.links.review.begin(None, options=ALL, thread=THREAD)
        while step.proposal is not None:
            sources.append(step.proposal.source)
            step = await brain.links.review.reply(THREAD, "s")
        assert step.tally.notes == step.tally.of == len(NOTES)
        assert step.tally.skipped == len(sources)
        assert await brain.links.review.waiting(THREAD) is None
    assert list(dict.fromkeys(sources)) == [
        "Oven spring.md", "Rye bread.md", "Sourdough.md", "Starter.md",
    ]  # fmt: skip


async def test_what_is_rejected_is_suggested_no_more_from_either_side(place: Indexed) -> None:
    async with place.open() as brain:
        step = await brain.links.review.begin("Sourdough", options=ALL, thread=THREAD)
        other = shown(step).suggestion.note_path
        await brain.links.review.reply(THREAD, "n")
        for note in ("Sourdough.md", other):
            found = await brain.links.suggest(LinkQuery(note=note))
            assert {"Sourdough.md", other}.isdisjoint(one.note_path for one in found.results)
        step = await brain.links.review.reply(THREAD, "u")
        assert shown(step).suggestion.note_path == other
        found = await brain.links.suggest(LinkQuery(note="Sourdough"))
        assert other in {one.note_path for one in found.results}


async def test_a_note_changed_since_it_was_shown_is_shown_again_and_not_written(
    place: Indexed,
) -> None:
    async with place.open() as brain:
        review = brain.links.review
        await review.begin("Sourdough", options=ALL, thread=THREAD)
        step = await review.reply(THREAD, {"answer": "e", "relation": "supports"})
        path = place.vault / shown(step).suggestion.note_path
        path.write_bytes(path.read_bytes() + b"\nWritten meanwhile.\n")
        before = on_disk(place)
        step = await review.reply(THREAD, "y")
        assert "changed" in shown(step).remark
        assert on_disk(place) == before
        assert step.tally.accepted == 0
        step = await review.reply(THREAD, "y")
        assert step.tally.accepted == 1


async def test_a_full_disk_is_told_and_the_link_can_be_accepted_again(
    place: Indexed, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place.open() as brain:
        review = brain.links.review
        await review.begin("Sourdough", options=ALL, thread=THREAD)
        await review.reply(THREAD, {"answer": "e", "relation": "supports"})
        with monkeypatch.context() as full:
            full.setattr("graphs.links.writing.apply.check_replaceable", failing)
            step = await review.reply(THREAD, "y")
        assert "no space" in shown(step).remark
        step = await review.reply(THREAD, "y")
        assert step.tally.accepted == 1
        with monkeypatch.context() as full:
            full.setattr("graphs.links.writing.apply.check_replaceable", failing)
            step = await review.reply(THREAD, "u")
        assert "no space" in shown(step).remark
        step = await review.reply(THREAD, "u")
        assert step.tally.accepted == 0


async def test_a_review_that_an_error_stopped_goes_on_where_it_was(
    place: Indexed, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place.open() as brain:
        review = brain.links.review
        first = shown(await review.begin(None, options=ONE_EACH, thread=THREAD))
        with monkeypatch.context() as full:
            full.setattr("graphs.links.reviewing.nodes.least_connected", failing)
            with pytest.raises(StorageError):
                await review.reply(THREAD, "s")
        step = await review.waiting(THREAD)
        assert shown(step).source != first.source
        assert step is not None
        assert step.tally.skipped == 1


def failing(*_: object, **__: object) -> None:
    raise StorageError("There is no space left: free some.")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("x", "Reply with y"),
        ({"answer": "e", "relation": "likes"}, "no type of link"),
        ({"answer": "e", "relation": ["supports"]}, "no type of link"),
        ({"answer": "e", "spot": "moon"}, "goes to one of"),
        ({}, "Reply with y"),
        (None, "Reply with y"),
        ("u", "Nothing was decided"),
    ],
)
async def test_what_is_no_reply_is_told_and_the_proposal_stays(
    place: Indexed, reply: object, said: str
) -> None:
    before = on_disk(place)
    async with place.open() as brain:
        step = await brain.links.review.begin("Sourdough", options=ALL, thread=THREAD)
        again = await brain.links.review.reply(THREAD, reply)
        assert said in shown(again).remark
        assert shown(again).suggestion == shown(step).suggestion
    assert on_disk(place) == before


def test_at_the_terminal_keys_decide_and_the_next_command_goes_on(place: Indexed) -> None:
    before = on_disk(place)
    review = ("link", "review", "Sourdough", "--least", "0")
    keys = "e\ninfluences\nSeen there.\n\n\ny\n"
    done = run_here(*review, environment=place.environment, stdin=keys)
    assert done.returncode == 0, done.stderr
    assert "→" in done.stdout
    assert "+- influences:: [[" in done.stdout
    assert "So far 1 accepted, 0 rejected, 0 skipped" in done.stderr
    assert on_disk(place) != before
    done = run_here(*review, environment=place.environment, stdin="u\nq\n")
    assert "Going on with the review as it was begun: 1 accepted" in done.stderr
    assert "So far 0 accepted" in done.stderr
    assert on_disk(place) == before
    audited = run_here("audit", environment=place.environment).stdout
    assert "create_link" in audited
    assert "undo_link" in audited
    done = run_here(*review, "--anew", environment=place.environment, stdin="s\n" * 9)
    assert "Reviewed: 0 accepted, 0 rejected," in done.stdout


def test_a_review_says_how_to_go_on_and_that_nothing_is_suggested(place: Indexed) -> None:
    review = ("link", "review", "Sourdough.md", "--least")
    stopped = run_here(*review, "0", environment=place.environment, stdin="q\n")
    assert "`brain link review Sourdough.md` goes on from here." in stopped.stderr
    none = run_here(*review, "1", "--anew", environment=place.environment)
    assert none.stdout == "No link was suggested: --least 0 shows the unlikely ones, too.\n"


@pytest.mark.parametrize("command", ["review", "batch-approve"])
@pytest.mark.parametrize("least", ["2", "-0.1", "nan"])
def test_what_is_no_probability_is_refused_in_a_line(
    place: Indexed, command: str, least: str
) -> None:
    refused = run_here(
        "link", command, "Sourdough", "--least", least, environment=place.environment
    )
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    assert "--least" in refused.stderr
