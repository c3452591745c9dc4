"""A timeline tells what ever spoke of its subject, and no change where none was."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphs.query.retrieval.evolution import find_evolution
from tests.support.vaults.desk import Desk
from tests.support.vaults.repositories import commit, git


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    git(desk.vault, "init", "-q")
    yield desk
    desk.close()


def on(desk: Desk, day: int, **texts: str | None) -> None:
    """Commit these notes on that day; None deletes."""
    for name, text in texts.items():
        if text is None:
            (desk.vault / f"{name}.md").unlink()
        else:
            desk.write(f"{name}.md", text)
    commit(desk.vault, on=day)


def told(desk: Desk, subject: str, path: str | None = None) -> list[tuple[int, str, str, str]]:
    """(Day, note, kind, detail) of a timeline, or of one note in it."""
    found = asyncio.run(find_evolution(desk.deps, subject)).occurrences
    return [
        (one.event.timestamp.day, one.note_path, one.event.kind, one.event.detail)
        for one in found
        if path in (None, one.note_path)
    ]


def test_a_note_that_links_to_it_no_more_is_told_with_when(desk: Desk) -> None:
    on(desk, 1, Tea="# Tea", Diary="Slept badly.")
    on(desk, 2, Diary="causes:: [[Tea]]\n\n[[Milk]]")
    on(desk, 5, Diary="Slept well.\n\n[[Milk]]")
    desk.ingest()

    assert told(desk, "tea", "Diary.md") == [
        (2, "Diary.md", "linked", "causes → Tea"),
        (5, "Diary.md", "unlinked", "causes → Tea"),
    ]


def test_a_deleted_note_that_linked_to_it_is_told(desk: Desk) -> None:
    on(desk, 1, Tea="# Tea", Diary="[[Tea]]", Other="[[Milk]]")
    on(desk, 4, Diary=None, Other=None)
    desk.ingest()

    assert told(desk, "Tea", "Diary.md") == [
        (1, "Diary.md", "linked", "links to → Tea"),
        (4, "Diary.md", "unlinked", "links to → Tea"),
        (4, "Diary.md", "deleted", ""),
    ]
    assert told(desk, "Tea", "Other.md") == []


@pytest.mark.parametrize(
    ("said", "subject", "detail"),
    [
        ("#drink", "#drink", "is tagged → drink"),
        ("#drink", "Drink", "is tagged → drink"),
        ("status:: sour", "sour", "has status → sour"),
        ("[[Nobody]]", "nobody", "links to → Nobody"),
    ],
)
def test_so_is_one_of_things_that_are_no_notes(
    desk: Desk, said: str, subject: str, detail: str
) -> None:
    on(desk, 1, Diary=f"Words.\n\n{said}")
    on(desk, 3, Diary="Words.")
    desk.ingest()

    assert told(desk, subject) == [
        (1, "Diary.md", "linked", detail),
        (3, "Diary.md", "unlinked", detail),
    ]


def test_a_note_that_came_back_to_it_is_told_all_along(desk: Desk) -> None:
    on(desk, 1, Tea="# Tea", Diary="[[Tea]]")
    on(desk, 2, Diary="Nothing.")
    on(desk, 3, Diary="Again [[Tea]].")
    desk.ingest()

    kinds = [(day, kind) for day, _, kind, _ in told(desk, "Tea", "Diary.md")]
    assert kinds == [(1, "linked"), (2, "unlinked"), (3, "linked")]


def test_as_many_as_a_person_can_read_those_that_ceased_last(desk: Desk) -> None:
    notes = {f"N{number:02}": "[[Tea]]" for number in range(40)}
    on(desk, 1, Tea="# Tea", **notes)
    on(desk, 2, **dict.fromkeys(list(notes)[:15], "Nothing."))
    on(desk, 3, **dict.fromkeys(list(notes)[15:], "Nothing."))
    desk.ingest()

    ended = [day for day, _, kind, _ in told(desk, "Tea") if kind == "unlinked"]
    assert (ended.count(2), ended.count(3)) == (5, 25)


def test_of_a_note_on_other_things_only_the_sentences_on_it_are_told(desk: Desk) -> None:
    on(desk, 1, Tea="# Tea", Log="# Log\n\nRain all day.\n\nThe green tea was bitter.")
    on(desk, 2, Log="# Log\n\nSun all day.\n\nThe green tea was bitter.\n\n[[Milk]]")
    on(desk, 3, Log="# Log\n\nSun all day.\n\nWhite tea is mild.\n\nNo milk.")
    desk.ingest()

    found = [
        (one.event.timestamp.day, one.event.kind, one.event.added, one.event.removed)
        for one in asyncio.run(find_evolution(desk.deps, "tea")).occurrences
        if one.note_path == "Log.md"
    ]
    assert found == [
        (1, "created", ("The green tea was bitter.",), ()),
        (3, "modified", ("White tea is mild.",), ("The green tea was bitter.",)),
    ]


def test_a_line_is_told_only_of_a_link_that_is_still_there(desk: Desk) -> None:
    on(desk, 1, Tea="# Tea\n\n[[Milk]]\n\n[[Water]]")
    on(desk, 2, Tea="# Tea\n\n[[Sugar]]\n\n[[Rum]]")
    on(desk, 3, Tea="# Tea\n\nNow with a line more.\n\n[[Sugar]]")
    desk.ingest()

    lines = {
        one.event.detail: one.event.line
        for one in asyncio.run(find_evolution(desk.deps, "Tea")).occurrences
        if one.event.kind == "linked"
    }
    assert lines == {"links to → Sugar": 5, "links to → Rum": None}


def test_a_renamed_note_changes_no_links(desk: Desk) -> None:
    """Whoever renames it has its links rewritten; other spellings of a name are one, too."""
    on(desk, 1, Tea="# Tea\n\nAbout the leaf.", Diary="[[Tea]]\n\n[[Milk]]", Log="[[Tea]]")
    (desk.vault / "Tea.md").rename(desk.vault / "Chai.md")
    on(desk, 3, Diary="[[Chai]]\n\n[[milk.md|it]]")
    desk.ingest()

    assert told(desk, "Chai", "Chai.md") == [
        (1, "Chai.md", "created", ""),
        (3, "Chai.md", "renamed", "from Tea.md to Chai.md"),
    ]
    assert told(desk, "Chai", "Diary.md") == [(1, "Diary.md", "linked", "links to → Tea")]
    assert told(desk, "Tea", "Log.md") == [(1, "Log.md", "linked", "links to → Tea")]


def test_nor_does_one_whose_name_another_note_took(desk: Desk) -> None:
    on(desk, 1, Plan="# A\n\nThe plan of last year.", Diary="[[Plan]]", Log="[[Plan]]\n\n[[Milk]]")
    (desk.vault / "archive").mkdir()
    (desk.vault / "Plan.md").rename(desk.vault / "archive" / "Plan 2019.md")
    on(desk, 3, Diary="[[Plan 2019]]")
    on(desk, 4, Plan="# B\n\nWhat this year is for.")
    on(desk, 6, Log="[[Milk]]")
    desk.ingest()

    found = told(desk, "Plan 2019") + told(desk, "Plan")
    changed = {(path, kind, detail) for _, path, kind, detail in found if "linked" in kind}
    assert changed == {
        ("Diary.md", "linked", "links to → Plan"),
        ("Log.md", "linked", "links to → Plan"),
        ("Log.md", "unlinked", "links to → Plan"),
    }


def test_a_note_seen_to_move_without_git_changes_no_links(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("Tea.md", "# Tea\n\nAbout the leaf.")
    desk.write("Diary.md", "[[Tea]]")
    desk.ingest()
    (desk.vault / "Tea.md").rename(desk.vault / "Chai.md")
    desk.write("Diary.md", "[[Chai]]")
    desk.ingest()

    kinds = [(path, kind) for _, path, kind, _ in told(desk, "Chai")]
    desk.close()
    assert ("Chai.md", "renamed") in kinds
    assert [kind for _, kind in kinds if kind in {"linked", "unlinked"}] == ["linked"]
