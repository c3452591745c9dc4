"""Questions about the vault itself are answered exactly, from the catalog."""

import pytest

from graphs.core.state import QueryContext
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.base.domain import Answer

pytestmark = pytest.mark.integration

NOTES = {
    "Recipes/Lentil soup.md": (
        "---\ntags: [dinner, quick]\ncreated: 2022-04-02\n---\n# Lentil soup\n\n"
        "Goes with [[Flatbread]].\n\n- [ ] try cumin on the [[Flatbread]]\n- [x] buy red lentils\n"
    ),
    "Recipes/Flatbread.md": (
        "---\ntags: [dinner]\ncreated: 2023-01-20\n---\n# Flatbread\n\nFlour, water, salt.\n"
    ),
    "Workshop/Bandsaw.md": (
        "---\ntags: [tool]\ncreated: 2023-06-11\n---\n# Bandsaw\n\nSee [[Blade stock]].\n\n"
        "## Jobs\n\n- [ ] order a new blade\n- [x] align the fence\n"
    ),
    "Workshop/2022-03-05 Clearing out.md": (
        "# A morning in the shed\n\nDorothea took the old [[Bandsaw]] blade.\n"
    ),
    "Stray thought.md": "---\ncreated: 2021-12-31\n---\n# Stray thought\n\nNothing leads here.\n",
}


@pytest.fixture(scope="module")
def indexed(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request).of(NOTES)


async def ask(indexed: Indexed, question: str) -> Answer:
    async with indexed.open() as brain:
        return await brain.ask(question, context=QueryContext(interactive=False))


def listed(answer: Answer) -> list[str | None]:
    assert answer.listing is not None, answer.answer
    return [item.note_path for item in answer.listing.items]


SOUP, BREAD, SAW, SHED, STRAY = NOTES


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        ("which notes are tagged #dinner?", [BREAD, SOUP]),
        ("Which notes link to Flatbread?", [SOUP]),
        ("orphan notes", [STRAY]),
        ("which notes are in the Workshop folder", [SAW, SHED]),
        ("notes that mention Dorothea", [SHED]),
        ("What did I write in 2022?", [SHED, SOUP]),
        ("notes in Workshop about clearing out", [SHED]),
        ("what does the note on the morning in the shed link to?", [SAW]),
        ("notes in Recipes written in 2022", [SOUP]),
        ("Recipes klasöründeki notlar", [BREAD, SOUP]),
        ("the two newest notes", [SAW, BREAD]),
        ("en yeni iki notum", [SAW, BREAD]),
        ("my latest note tagged dinner", [BREAD]),
    ],
)
async def test_notes_are_listed_exactly(indexed: Indexed, question: str, notes: list[str]) -> None:
    answer = await ask(indexed, question)
    assert sorted(filter(None, listed(answer))) == sorted(notes)
    assert answer.status == "answered"


async def test_open_tasks_stand_with_note_heading_and_line(indexed: Indexed) -> None:
    answer = await ask(indexed, "What are my open tasks?")
    assert "**2** open tasks" in answer.answer
    assert "- [ ] order a new blade — [[Bandsaw#Jobs]] line 11" in answer.answer
    assert "align the fence" not in answer.answer


async def test_tasks_of_a_note_that_has_none_are_those_that_name_it(indexed: Indexed) -> None:
    answer = await ask(indexed, "what open tasks are there for Flatbread?")
    assert "- [ ] try cumin on the Flatbread — [[Lentil soup" in answer.answer


@pytest.mark.parametrize(
    ("question", "tasks"),
    [
        ("open tasks about the blade", [(SAW, 11)]),
        ("open tasks about jobs", [(SAW, 11)]),
        ("done tasks about the workshop", [(SAW, 12)]),
        ("open tasks about lentils", [(SOUP, 9)]),
        ("open tasks about Dorothea", []),
    ],
)
async def test_tasks_are_on_a_topic_by_their_line_what_is_over_it_or_their_note(
    indexed: Indexed, question: str, tasks: list[tuple[str, int]]
) -> None:
    answer = await ask(indexed, question)
    assert answer.listing is not None
    assert [(item.note_path, item.line) for item in answer.listing.items] == tasks


async def test_a_described_note_is_named_and_a_slip_in_a_name_told(indexed: Indexed) -> None:
    described = await ask(indexed, "what does the note on the morning in the shed link to?")
    assert "[[Workshop/2022-03-05 Clearing out]]" in described.answer
    slip = await ask(indexed, "which notes link to Lentil soop?")
    assert slip.listing is not None
    assert [(one.name, one.near) for one in slip.listing.unknown] == [
        ("Lentil soop", ("Lentil soup",))
    ]
    assert slip.answer == "No note is called “Lentil soop”. Near it: Lentil soup.\n"


async def test_a_list_is_gone_on_with(indexed: Indexed) -> None:
    context = QueryContext(interactive=False)
    async with indexed.open() as brain:

        async def then(question: str, thread: str) -> Answer:
            return await brain.ask(question, context=context, thread_id=thread)

        await then("which notes are tagged #dinner?", "dinner")
        newest = await then("the newest of them?", "dinner")
        linking = await then("what links to it?", "dinner")
        await then("my open tasks", "tasks")
        done = await then("and the done ones?", "tasks")
    assert listed(newest) == [BREAD]
    assert listed(linking) == [SOUP]
    assert sorted(filter(None, listed(done))) == [SOUP, SAW]
    assert "Read with what was asked before: my open tasks" in done.answer


async def test_a_count_is_told_with_what_was_counted(indexed: Indexed) -> None:
    answer = await ask(indexed, "how many notes are tagged dinner?")
    assert answer.answer.startswith("**2** notes · #dinner")


async def test_a_tag_that_is_not_there_is_told_with_those_near_it(indexed: Indexed) -> None:
    answer = await ask(indexed, "notes tagged #diner")
    assert answer.answer == "No note is tagged #diner. Near it: #dinner.\n"
    assert answer.status == "no_results"


async def test_a_filter_that_leaves_nothing_is_answered_with_none(indexed: Indexed) -> None:
    answer = await ask(indexed, "which notes tagged #tool were written in 2019?")
    assert answer.answer.startswith("**0** notes · #tool · 2019")
    assert answer.status == "answered"


async def test_a_turkish_question_is_answered_in_turkish(indexed: Indexed) -> None:
    answer = await ask(indexed, "Açık görevlerim neler?")
    assert answer.answer.startswith("**2** açık görev")
    assert "satır 11" in answer.answer


async def test_what_notes_say_is_not_taken_for_the_vault(indexed: Indexed) -> None:
    answer = await ask(indexed, "What does lentil soup go with?")
    assert answer.listing is None
    assert "Flatbread" in answer.answer
