"""The whole vault looked through for what notes contradict each other in."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphs.brain import Brain
from graphs.contradictions.progress import scan_state
from graphs.ingest.graph import Progress
from graphs.toolkit.registry import call
from graphs.toolkit.tool import Session
from tests.support.processes.command_line import Brain as CommandLine
from tests.support.processes.command_line import indexed_here, run
from tests.support.values.results import a_contradiction, a_side
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed
from tests.support.waiting import until
from tools.base.domain import Contradiction
from tools.base.errors import BusyError, InputError
from tools.claims.report import ScannedConflict, sides
from tools.rendering.contradictions import conflict_list
from tools.runtime.server_process import locked
from tools.settings.loading import load_settings
from tools.vault.storage.contradictions import ContradictionStore

pytestmark = pytest.mark.integration

NOW = datetime(2026, 3, 1, tzinfo=UTC)
NOTES = {
    "Start.md": "---\nkind: map of the house\n---\n# Start\n\nSee [[Boiler]].\n",
    "Rooms.md": "---\nkind: map of the house\n---\n# Rooms\n\nSee [[Diary]].\n",
    "House/Boiler.md": "# Boiler\n\nThe tank of the boiler holds 40 litres.\n",
    "House/Handover.md": "# Handover\n\nThe tank of the boiler holds 60 litres.\n",
    "People/Ines.md": "---\ncreated: 2022-03-01\n---\n# Ines\n\nInes lives in Porto.\n",
    "Diary.md": "# Diary\n\nThe beans came up. Rain all week.\n",
}
_HOLDS = "The tank of the barn holds {} litres."
_DAYS = datetime(2021, 5, 1, tzinfo=UTC), datetime(2022, 5, 1, tzinfo=UTC)
CLASHING = {"House/Boiler.md", "House/Handover.md"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    folder = tmp_path_factory.mktemp("renewed")
    yield from renewed(Indexed(vault=folder / "vault", data_dir=folder / "data"), NOTES)


@pytest.fixture
def vault(shared: Renewed) -> Indexed:
    return shared.anew()


async def notes_told_of(brain: Brain) -> list[set[str]]:
    found = await brain.contradictions()
    return [{side.path for side in sides(one.clash)} for one in found.found]


async def test_what_clashes_is_found_once_and_new_only_the_first_time(vault: Indexed) -> None:
    async with vault.open() as brain:
        first = await brain.contradictions()
        again = await brain.contradictions()
    (found,) = first.found
    assert {side.path for side in sides(found.clash)} == CLASHING
    assert found.new
    assert again.found == (replace(found, new=False),)


async def test_only_changed_notes_are_read_again_and_what_they_no_longer_say_is_gone(
    vault: Indexed,
) -> None:
    async with vault.open() as brain:
        await brain.contradictions()
        (vault.vault / "House/Handover.md").write_text("# Handover\n\nMind the tank.\n", "utf-8")
        told: list[Progress] = []
        await brain.index()
        found = await brain.contradictions(on_progress=told.append)
    assert found.found == ()
    assert {one.phase: one.total for one in told} == {"claims": 1, "comparing": 1}


@pytest.mark.parametrize("phase", ["claims", "comparing"])
async def test_a_scan_that_ends_early_goes_on_where_it_was(vault: Indexed, phase: str) -> None:
    class EndedError(Exception):
        pass

    def end(progress: Progress) -> None:
        if progress.phase == phase:
            raise EndedError

    async with vault.open() as brain:
        with pytest.raises(EndedError):
            await brain.contradictions(on_progress=end)
        told: list[Progress] = []
        found = await brain.contradictions(on_progress=told.append)
    left = [("comparing", len(NOTES))] if phase == "claims" else []
    assert [(one.phase, one.total) for one in told] == left
    assert len(found.found) == 1


async def test_dismissed_pairs_stay_dismissed_until_their_line_is_deleted(vault: Indexed) -> None:
    async with vault.open() as brain:
        (found,) = (await brain.contradictions()).found
        assert await brain.dismiss_contradictions([found.key, found.key]) == 1
        assert await brain.dismiss_contradictions([found.key]) == 0
        now = await brain.contradictions()
        assert (now.found, now.dismissed) == ((), 1)
        answer = await brain.ask("How much does the tank of the boiler hold?")
        assert answer.contradictions == ()
        (vault.data_dir / "dismissed-contradictions.jsonl").write_text("", "utf-8")
        assert len((await brain.contradictions()).found) == 1
        with pytest.raises(InputError, match="no contradiction 'nothing'"):
            await brain.dismiss_contradictions(["nothing"])


async def test_a_question_on_it_tells_of_what_a_scan_found(vault: Indexed) -> None:
    async with vault.open() as brain:
        await brain.contradictions()
        answer = await brain.ask("How much does the tank of the boiler hold?")
    (found,) = answer.contradictions
    assert {found.note_a.path, found.note_b.path} == CLASHING


@pytest.mark.parametrize(
    ("question", "clashing"),
    [
        ("Do my notes contradict each other about the boiler?", [CLASHING]),
        ("Are there any contradictions in my notes?", [CLASHING]),
        ("Is there anything in my notebook that doesn't add up?", [CLASHING]),
        ("Notlarım birbiriyle çelişiyor mu?", [CLASHING]),
        ("Where do my notes contradict each other about the beans?", []),
        ("Do my notes contradict each other about the boiler, without Handover?", []),
        ("Do my notes contradict each other about the boiler in 1999?", []),
    ],
)
async def test_a_question_for_contradictions_is_answered_with_both_sides_or_with_none(
    vault: Indexed, question: str, clashing: list[set[str]]
) -> None:
    async with vault.open() as brain:
        await brain.contradictions()
        answer = await brain.ask(question)
    assert answer.status == "answered"
    assert [{one.note_a.path, one.note_b.path} for one in answer.contradictions] == clashing
    assert ("The tank of the boiler holds 60 litres." in answer.answer) == bool(clashing)
    assert ("No two of the notes found" in answer.answer) != bool(clashing)


async def test_a_question_for_contradictions_tells_how_much_was_looked_through(
    vault: Indexed,
) -> None:
    asked = "Are there any contradictions in my notes?"
    async with vault.open() as brain:
        never = await brain.ask(asked)
        await brain.contradictions()
        (vault.vault / "House/New.md").write_text("The roof is sound.\n", "utf-8")
        await brain.index()
        now = await brain.ask(asked)
    notes = len([*vault.vault.rglob("*.md")])
    assert "never compared with each other as a whole" in never.answer
    assert f"{notes - 1} of {notes} notes were compared" in now.answer


@pytest.mark.parametrize(("year", "found"), [(2021, 1), (2022, 1), (2020, 0)])
async def test_a_question_for_contradictions_of_a_time_takes_those_with_a_side_of_it(
    vault: Indexed, year: int, found: int
) -> None:
    for note, day, litres in zip(("Old tank", "New tank"), _DAYS, (40, 60), strict=True):
        text = f"---\ncreated: {day:%Y-%m-%d}\n---\n{_HOLDS.format(litres)}\n"
        (vault.vault / f"{note}.md").write_text(text, "utf-8")
    clash = a_contradiction(
        a_side("Old tank.md", line=4, claim=_HOLDS.format(40), timestamp=_DAYS[0]),
        a_side("New tank.md", line=4, claim=_HOLDS.format(60), timestamp=_DAYS[1]),
    )
    async with vault.open() as brain:
        await brain.index()
        await brain.contradictions()
        with closing(ContradictionStore(brain.settings.contradictions_path)) as store:
            store.settle([ScannedConflict(clash, sure=True)], at=NOW)
        answer = await brain.ask(f"Do my notes contradict each other about the barn in {year}?")
    assert len(answer.contradictions) == found


async def test_what_is_less_sure_is_shown_on_request(vault: Indexed) -> None:
    async with vault.open() as brain:
        (sure,) = (await brain.contradictions()).found
        with closing(ContradictionStore(brain.settings.contradictions_path)) as store:
            store.settle([ScannedConflict(sure.clash, sure=False)], at=NOW)
        without = await brain.contradictions()
        with_unsure = await brain.contradictions(unsure=True)
    assert (without.found, without.unsure) == ((), 1)
    assert [(one.key, one.sure) for one in with_unsure.found] == [(sure.key, False)]
    assert with_unsure.unsure == 0


async def test_what_a_table_says_against_a_line_is_told_in_an_answer(vault: Indexed) -> None:
    table = "# Filters\n\n| Part | Change every |\n|---|---|\n| water filter | 6 months |\n"
    (vault.vault / "Filters.md").write_text(table, "utf-8")
    said = "# Jobs\n\nThe water filter is changed every 12 months.\n"
    (vault.vault / "Jobs.md").write_text(said, "utf-8")
    async with vault.open() as brain:
        await brain.index()
        await brain.contradictions()
        answer = await brain.ask("What do I know about the water filter?")
    (found,) = answer.contradictions
    lines = {(side.path, side.line) for side in (found.note_a, found.note_b)}
    assert lines == {("Filters.md", 5), ("Jobs.md", 3)}


async def test_two_books_that_say_otherwise_disagree_by_name(vault: Indexed) -> None:
    for author, title, does in (("Lee", "On tea", "improves"), ("Kim", "Rest", "worsens")):
        head = f"---\ntype: book\nauthor: {author}\n---\n# {title}\n\n"
        (vault.vault / f"{title}.md").write_text(f"{head}Tea {does} sleep.\n", "utf-8")
    async with vault.open() as brain:
        await brain.index()
        found = await brain.contradictions()
    names = [
        {side.source for side in sides(one.clash)}
        for one in found.found
        if isinstance(one.clash, Contradiction) and one.clash.relation == "disagreement"
    ]
    assert names == [{"Lee", "Kim"}]
    assert re.search(
        r"(Lee and Kim|Kim and Lee) disagree", conflict_list(found.found, dismissed=0, unsure=0)
    )


def settle_many(brain: Brain, count: int) -> None:
    """As if a scan had found so many contradictions."""
    many = [
        a_contradiction(
            a_side("House/Boiler.md", claim=f"Tank {number} is full.", line=number + 1),
            a_side("House/Handover.md", claim=f"Tank {number} is empty.", line=number + 1),
        )
        for number in range(count)
    ]
    with closing(ContradictionStore(brain.settings.contradictions_path)) as store:
        store.settle([ScannedConflict(one, sure=True) for one in many], at=NOW)


async def test_an_answer_says_how_many_it_does_not_show(vault: Indexed) -> None:
    for note, said in (("Boiler", "full"), ("Handover", "empty")):
        lines = [f"- Tank {number} is {said}." for number in range(13)]
        (vault.vault / f"House/{note}.md").write_text("\n".join(lines), "utf-8")
    async with vault.open() as brain:
        await brain.index()
        await brain.contradictions()
        settle_many(brain, 13)
        answer = await brain.ask("Are there any contradictions in my notes?")
    told = re.search(r"Not shown: (\d+) pairs", answer.answer)
    assert told
    assert len(answer.contradictions) + int(told[1]) == 13


async def test_two_scans_do_not_work_side_by_side(vault: Indexed) -> None:
    async with vault.open() as brain:
        with locked(vault.data_dir / "contradictions.lock"), pytest.raises(BusyError):
            await brain.contradictions()
        assert await notes_told_of(brain) == [CLASHING]


# --- the tool ---


async def test_the_tool_answers_at_once_from_what_was_compared(vault: Indexed) -> None:
    async with vault.open() as brain:
        session = Session(brain)
        before = (await call(session, "contradictions", {})).result
        with locked(vault.data_dir / "contradictions.lock"):
            meanwhile = (await call(session, "contradictions", {})).result
            with pytest.raises(BusyError, match="`contradictions` without `compare` tells"):
                await call(session, "contradictions", {"compare": True})
        compared = (await call(session, "contradictions", {"compare": True})).result
        (vault.vault / "Diary.md").write_text("# Diary\n\nSun all week.\n", "utf-8")
        after = (await call(session, "contradictions", {})).result
        listed = await brain.contradictions()
    assert [(one["total"], one["compared"], one["notes"]) for one in (before, compared, after)] == [
        (0, 0, len(NOTES)),
        (1, len(NOTES), len(NOTES)),
        (1, len(NOTES) - 1, len(NOTES)),
    ]
    assert "`compare`" in before["warnings"][0]["impact"]
    assert "now" in meanwhile["warnings"][0]["impact"]
    assert compared["warnings"] == []
    assert listed.found[0].new  # a program that has seen it is not the person


async def test_the_tool_gives_pages(vault: Indexed) -> None:
    async with vault.open() as brain:
        await brain.compare_notes()
        settle_many(brain, 5)
        keys, cursor = list[str](), None
        while not keys or cursor:
            given = {"limit": 2, "cursor": cursor}
            page = (await call(Session(brain), "contradictions", given)).result
            assert page["total"] == 5
            keys += [one["key"] for one in page["found"]]
            cursor = page["next_cursor"]
        every = await brain.known_contradictions()
    assert keys == [one.key for one in every.found]


async def test_what_a_question_is_told_over_a_tool_names_tools(vault: Indexed) -> None:
    question = "Are there any contradictions in my notes?"
    async with vault.open() as brain:
        asked = await brain.ask(question)
        told = (await call(Session(brain), "ask", {"question": question})).result
        found = (await call(Session(brain), "ask", {"question": "What is in the tank?"})).result
    assert "`brain contradictions`" in asked.answer
    assert "`contradictions` with `compare`" in told["answer"]
    assert "brain " not in told["answer"]
    assert "`whole` shows everything" in found["answer"]


# --- the command line ---


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CommandLine]:
    with indexed_here(tmp_path_factory.mktemp("clashes"), NOTES) as brain:
        yield brain


def test_the_command_lists_both_sides_and_dismisses_by_key(brain: CommandLine) -> None:
    shown = brain("contradictions")
    assert shown.returncode == 0
    assert "The tank of the boiler holds 60 litres." in shown.stdout
    assert "[[Boiler#Boiler]] line 3" in shown.stdout
    (found,) = json.loads(brain("contradictions", "--json").stdout)
    assert brain("contradictions", "--new").stdout == "No contradictions found.\n"
    assert brain("contradictions", "--dismiss", found["key"]).stdout == "1 pair dismissed.\n"
    assert brain("contradictions").stdout == "No contradictions found.\n\n1 pair dismissed.\n"
    refused = brain("contradictions", "--dismiss", found["key"], "--json")
    assert (refused.returncode, len(refused.stderr.strip().splitlines())) == (2, 1)


def test_the_page_is_written_where_it_may_be(brain: CommandLine, tmp_path: Path) -> None:
    page = tmp_path / "clashes.html"
    assert brain("contradictions", "--html", str(page)).returncode == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")
    taken = tmp_path / "mine.html"
    taken.write_text("<p>Mine.</p>", "utf-8")
    assert brain("contradictions", "--html", str(taken)).returncode == 2
    assert taken.read_text("utf-8") == "<p>Mine.</p>"


def test_a_scan_in_the_background_goes_on_by_itself_and_status_tells_how_far(
    vault: Indexed,
) -> None:
    ContradictionStore(vault.data_dir / "contradictions.db").close()
    with locked(vault.data_dir / "contradictions.lock"):
        told = run("status", environment=vault.environment).stdout
    assert re.search(r"Contradictions\s+a comparison goes on: 0 of \d+ notes", told)
    begun = run("contradictions", "--background", environment=vault.environment)
    assert begun.returncode == 0, begun.stderr
    settings = load_settings(vault=vault.vault, data_dir=vault.data_dir)
    until(lambda: (state := scan_state(settings)) and not (state.pending or state.under_way))
    told = run("status", environment=vault.environment).stdout
    assert re.search(r"Contradictions\s+1 pair found", told)
    scan = json.loads(run("status", "--json", environment=vault.environment).stdout)["scan"]
    assert scan == {"notes": len(NOTES), "pending": 0, "found": 1, "under_way": False}
    listed = run("contradictions", "--json", environment=vault.environment)
    assert [one["new"] for one in json.loads(listed.stdout)] == [True]


@pytest.mark.parametrize("option", ["--new", "--unsure", "--json", "--dismiss=key"])
def test_a_scan_in_the_background_shows_nothing(vault: Indexed, option: str) -> None:
    done = run("contradictions", "--background", option, environment=vault.environment)
    assert done.returncode == 2
    assert "alone" in done.stderr
