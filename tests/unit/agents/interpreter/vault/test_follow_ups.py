"""What a question that follows a listing of the vault asks for."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agents.interpreter.plan import behind_period, parse_question
from agents.interpreter.vault.follow_ups import about_answered_note, carry_over
from agents.interpreter.vault.names import Names
from agents.interpreter.vault.questions import VaultNames
from tests.support.questions.reading import interpreted
from tools.base.domain import Before, Period, QueryPlan
from tools.base.vault_query import VaultQuery

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)
EVER = Period()
MAY = Period(start=datetime(2025, 5, 1, tzinfo=UTC), end=datetime(2025, 6, 1, tzinfo=UTC))
NAMES = VaultNames(
    tags=Names.of_tags(["project", "garden"]),
    folders=Names.of_folders(["people", "projects"]),
    notes=frozenset({"kiln", "glaze"}),
)


def behind(listed: VaultQuery, *paths: str, period: Period = EVER) -> Before:
    places = tuple((path, 1, 1) for path in paths)
    return Before(questions=("What is there?",), places=places, listed=listed, period=period)


def asked(question: str, before: Before) -> QueryPlan:
    return interpreted(question, now=NOW, before=before, vault_names=NAMES)


def gone_on(
    query: VaultQuery, before: Before, period: Period = EVER, *concepts: str
) -> tuple[VaultQuery, Period]:
    return carry_over(query, period, before, NAMES, concepts=concepts, turkish=False)


PROJECTS = VaultQuery(subject="notes", tags=("project",))
OPEN = VaultQuery(subject="tasks", state="open", folders=("projects",))


@pytest.mark.parametrize("question", ["the newest of them?", "en yenisi hangisi?"])
def test_the_newest_of_what_was_listed(question: str) -> None:
    plan = asked(question, behind(PROJECTS, "a.md", "b.md"))
    assert plan.vault is not None
    assert (plan.vault.tags, plan.vault.order, plan.vault.most) == (("project",), "newest", 1)
    assert plan.reading.before is not None


def test_how_many_there_are_keeps_the_state_and_the_folder() -> None:
    plan = asked("how many are there?", behind(OPEN, "a.md"))
    assert plan.vault == VaultQuery(
        subject="tasks", state="open", folders=("projects",), counts=True
    )


def test_another_state_takes_the_place_of_the_last() -> None:
    plan = asked("and the done ones?", behind(OPEN, "a.md"))
    assert plan.vault == VaultQuery(subject="tasks", state="done", folders=("projects",))


def test_what_is_asked_whole_is_not_narrowed() -> None:
    plan = asked("which notes are tagged #garden?", behind(OPEN, "a.md"))
    assert plan.vault == VaultQuery(subject="notes", tags=("garden",))


def test_what_a_listed_note_says_is_searched_for() -> None:
    plan = asked("what does it say about the glaze?", behind(PROJECTS, "Kiln.md"))
    assert plan.vault is None
    assert plan.reading.before is not None


def test_what_a_listed_note_comes_to_is_no_listing() -> None:
    plan = asked("summarise it", behind(VaultQuery(subject="backlinks", notes=("a",)), "Kiln.md"))
    assert (plan.vault, plan.reading.overview) == (None, "summary")


def test_a_question_that_leans_on_no_listing_asks_nothing_of_the_vault() -> None:
    before = Before(questions=("Why did the roof leak?",), places=(("Roof.md", 3, 3),))
    plan = asked("how many were there?", before)
    assert plan.vault is None
    assert plan.reading.before == before


def test_of_several_listed_notes_none_is_meant_alone() -> None:
    tags = VaultQuery(subject="tags")
    several = behind(PROJECTS, "a.md", "b.md")
    assert about_answered_note(tags, several) is None
    assert gone_on(tags, several)[0] == VaultQuery(subject="tags", tags=("project",))
    assert gone_on(tags, behind(PROJECTS, "a.md"))[0] == VaultQuery(subject="tags", notes=("a",))


def test_a_state_holds_until_another_is_named_and_a_count_goes_on() -> None:
    counted = behind(VaultQuery(subject="tasks", state="open", counts=True), "a.md")
    done = gone_on(VaultQuery(subject="tasks", state="done"), counted)[0]
    assert done == VaultQuery(subject="tasks", state="done", counts=True)
    within = gone_on(VaultQuery(subject="tasks", folders=("people",)), counted)[0]
    assert within.state == "open"


def test_which_of_those_on_a_topic_mention_something_keeps_the_topic() -> None:
    listed = behind(VaultQuery(subject="notes", topics=("clay",)), "a.md", "b.md")
    query = VaultQuery(subject="notes", topics=("Ada",), mentions=True)
    both = VaultQuery(subject="notes", topics=("clay", "Ada"), mentions=True)
    assert gone_on(query, listed)[0] == both


def test_what_links_to_the_note_that_answered() -> None:
    before = Before(questions=("Why did the roof leak?",), places=(("House/Roof.md", 3, 3),))
    plan = asked("what links to it?", before)
    assert plan.vault == VaultQuery(subject="backlinks", notes=("House/Roof",))


def test_no_note_answered_and_none_is_linked_to() -> None:
    assert about_answered_note(VaultQuery(subject="backlinks"), Before(questions=("Why?",))) is None
    named = VaultQuery(subject="backlinks", notes=("Kiln",))
    assert about_answered_note(named, behind(PROJECTS, "a.md")) is None


def test_the_other_way_of_links_is_asked_of_the_same_note() -> None:
    before = behind(VaultQuery(subject="backlinks", notes=("Kiln",)), "Glaze.md")
    asked = about_answered_note(VaultQuery(subject="links"), before)
    assert asked == VaultQuery(subject="links", notes=("Kiln",))


def test_a_period_holds_until_another_is_named() -> None:
    listed = VaultQuery(subject="notes")
    before = behind(listed, "a.md", period=MAY)
    longest = VaultQuery(subject="notes", order="longest", most=1)
    assert gone_on(longest, before) == (longest, MAY)
    year = Period(start=datetime(2024, 1, 1, tzinfo=UTC), end=datetime(2025, 1, 1, tzinfo=UTC))
    assert gone_on(listed, before, year) == (listed, year)


def test_a_bare_name_is_of_the_kind_that_was_narrowed_by() -> None:
    linked = behind(VaultQuery(subject="links", notes=("Kiln",)), "a.md")
    name = VaultQuery(subject="notes", topics=("Glaze",))
    assert gone_on(name, linked)[0] == VaultQuery(subject="links", notes=("Glaze",))
    led_in = VaultQuery(subject="notes", topics=("peki Glaze",))
    assert gone_on(led_in, linked)[0] == VaultQuery(subject="links", notes=("Glaze",))
    mentioned = behind(VaultQuery(subject="notes", topics=("Ada",), mentions=True), "a.md")
    other = gone_on(VaultQuery(subject="notes"), mentioned, EVER, "Priya")[0]
    assert other == VaultQuery(subject="notes", topics=("Priya",), mentions=True)


def test_a_folder_narrows_what_has_a_tag() -> None:
    query = VaultQuery(subject="notes", folders=("people",))
    both = VaultQuery(subject="notes", tags=("project",), folders=("people",))
    assert gone_on(query, behind(PROJECTS, "a.md"))[0] == both


def test_a_count_is_counted_again_elsewhere_and_listed_where_the_list_is_asked_for() -> None:
    counted = behind(VaultQuery(subject="notes", counts=True, folders=("people",)), "a.md")
    elsewhere = gone_on(VaultQuery(subject="notes", folders=("projects",)), counted)[0]
    assert elsewhere == VaultQuery(subject="notes", counts=True, folders=("projects",))
    which = gone_on(VaultQuery(subject="notes"), counted)[0]
    assert which == VaultQuery(subject="notes", folders=("people",))


def test_a_tag_with_dots_is_asked_for_whole() -> None:
    plan = interpreted("which notes are tagged #role.bugcatcher?", now=NOW, vault_names=NAMES)
    assert plan.vault is not None
    assert [tag.lstrip("#") for tag in plan.vault.tags] == ["role.bugcatcher"]


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("and the ones from February?", "2021-02-01"),
        ("and the ones from 2 February?", "2021-02-02"),
        ("and the ones from November?", "2021-11-01"),
        ("and the ones from February 2023?", "2023-02-01"),
        ("peki mayıs?", "2021-05-01"),
        ("same for March", "2021-03-01"),
        ("and the ones from last week?", "2025-06-09"),
        ("and last year?", "2024-01-01"),
        ("bu yıl yazdıklarım", "2025-01-01"),
        ("the ones from last May", "2025-05-01"),
        ("which of them may be outdated?", None),
        ("and the second?", None),
        ("those about Wilson's march", None),
        ("and 31 june?", None),
    ],
)
def test_a_month_without_a_year_is_of_the_year_asked_about_before(
    question: str, start: str | None
) -> None:
    spring = Period(start=datetime(2021, 4, 1, tzinfo=UTC), end=datetime(2021, 6, 1, tzinfo=UTC))
    alone = parse_question(question, now=NOW)
    found = behind_period(alone, spring, now=NOW).found
    assert start == (found and found.period.start and f"{found.period.start:%Y-%m-%d}")
    assert behind_period(alone, EVER, now=NOW) == alone


def test_a_state_alone_is_no_topic_and_that_of_notes_none() -> None:
    done = VaultQuery(subject="notes", state="done")
    behind_tasks, _ = gone_on(done, behind(OPEN), EVER, "done ones")
    assert behind_tasks == replace(OPEN, state="done")
    behind_notes, _ = gone_on(done, behind(PROJECTS), EVER, "done ones")
    assert behind_notes == PROJECTS


def test_the_end_of_a_period_is_of_the_year_asked_about_before() -> None:
    year = Period(start=datetime(2021, 1, 1, tzinfo=UTC), end=datetime(2022, 1, 1, tzinfo=UTC))
    asked = behind_period(parse_question("and those before May?", now=NOW), year, now=NOW)
    assert asked.found
    assert asked.found.period == Period(end=datetime(2021, 5, 1, tzinfo=UTC))
