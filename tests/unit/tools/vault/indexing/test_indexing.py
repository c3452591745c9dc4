import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.base.domain import NoteFile
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.embedded_texts import embedded_texts
from tools.vault.disk.files import scan
from tools.vault.history.history import History
from tools.vault.history.history_rows import unpacked
from tools.vault.indexing.indexing import (
    ChangePlan,
    TextReport,
    index_text,
    plan_changes,
    read_notes,
    refresh,
    sightings,
)
from tools.vault.indexing.readers import BATCH

MAX_BYTES = 1_000_000
SEEN = datetime(2025, 1, 1, tzinfo=UTC)

type Write = Callable[[dict[str, str]], Path]
type Index = Callable[..., TextReport]

files = st.dictionaries(
    st.sampled_from(["a.md", "b.md", "c/d.md", "e.md"]),
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
)


@given(files, files)
def test_a_plan_turns_what_is_indexed_into_what_is_on_disk(
    disk: dict[str, tuple[int, int]], indexed: dict[str, tuple[int, int]]
) -> None:
    on_disk = [NoteFile(path=p, size=s, mtime_ns=m) for p, (s, m) in disk.items()]
    known = {p: NoteFile(path=p, size=s, mtime_ns=m) for p, (s, m) in indexed.items()}
    plan = plan_changes(on_disk, known)
    result = {path: file for path, file in known.items() if path not in plan.remove}
    result |= {file.path: file for file in plan.read}
    assert result == {file.path: file for file in on_disk}
    assert plan.unchanged == len(on_disk) - len(plan.read)


def test_what_is_in_an_unreadable_folder_is_not_removed() -> None:
    known = {
        path: NoteFile(path=path, size=1, mtime_ns=1) for path in ("a/b.md", "a/c/d.md", "ab.md")
    }
    plan = plan_changes([], known, unreadable=("a",))
    assert (plan.remove, plan.unreached) == (("ab.md",), 2)
    assert plan_changes([], known, unreadable=("",)).remove == ()


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog(tmp_path / "data" / "index.db")
    yield opened
    opened.close()


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History(tmp_path / "data" / "history.db")
    yield opened
    opened.close()


@pytest.fixture
def index(catalog: Catalog, history: History) -> Index:
    def run(root: Path, plan: ChangePlan | None = None, *, on: int = 0) -> TextReport:
        planned = plan or plan_changes(scan(root, max_bytes=MAX_BYTES).files, catalog.files())
        return index_text(
            planned,
            root=root,
            catalog=catalog,
            history=history,
            seen_at=SEEN + timedelta(days=on),
            max_bytes=MAX_BYTES,
            git={},
        )

    return run


def test_a_second_run_finds_nothing_to_do(write_vault: Write, index: Index) -> None:
    root = write_vault({"a.md": "One.", "b.md": "Two."})
    assert set(index(root).written) == {"a.md", "b.md"}
    second = index(root)
    assert (second.written, second.removed, second.unchanged) == ((), (), 2)


def test_a_touched_note_with_the_same_content_is_not_written(
    write_vault: Write, index: Index
) -> None:
    root = write_vault({"a.md": "One."})
    index(root)
    (root / "a.md").touch()
    assert index(root).written == ()
    assert index(root).unchanged == 1


def test_a_renamed_note_is_known_by_its_new_path_only(
    write_vault: Write, index: Index, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "One."})
    index(root)
    (root / "a.md").rename(root / "b.md")
    report = index(root)
    assert (report.written, report.removed) == (("b.md",), ("a.md",))
    assert catalog.paths() == ["b.md"]


def test_a_note_that_vanishes_while_indexing_is_skipped(write_vault: Write, index: Index) -> None:
    root = write_vault({"a.md": "One.", "b.md": "Two."})
    plan = plan_changes(scan(root, max_bytes=MAX_BYTES).files, {})
    (root / "a.md").unlink()
    report = index(root, plan)
    assert report.written == ("b.md",)
    assert "a.md" not in {problem.note_path for problem in report.problems}


def test_a_note_that_is_no_text_is_a_problem_and_the_others_are_indexed(
    write_vault: Write, index: Index
) -> None:
    root = write_vault({"2024-05-20.md": "One."})
    (root / "b.md").write_bytes(b"\x00\x01binary")
    report = index(root)
    assert report.written == ("2024-05-20.md",)
    assert [problem.note_path for problem in report.problems] == ["b.md"]


def test_a_problem_stays_known_until_its_note_is_mended(
    write_vault: Write, index: Index, catalog: Catalog
) -> None:
    root = write_vault({"2024-05-20.md": "---\nbroken: [\n---\nOne.", "2024-05-21.md": "Two."})
    index(root)
    (root / "2024-05-21.md").write_text("Changed.", "utf-8")
    index(root)
    assert [problem.note_path for problem in catalog.problems()] == ["2024-05-20.md"]
    (root / "2024-05-20.md").write_text("Mended.", "utf-8")
    index(root)
    assert catalog.problems() == []


def test_a_note_that_became_unreadable_is_forgotten(
    write_vault: Write, index: Index, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "One."})
    index(root)
    (root / "a.md").write_bytes(b"\x00\x01binary")
    assert index(root).removed == ("a.md",)
    assert catalog.paths() == []


def test_a_refresh_reads_changed_notes_up_to_its_limit(
    write_vault: Write, catalog: Catalog, history: History
) -> None:
    root = write_vault({f"{number}.md": "Words." for number in range(5)})
    found = scan(root, max_bytes=MAX_BYTES)
    fresh = refresh(
        found,
        root=root,
        catalog=catalog,
        history=history,
        seen_at=SEEN,
        max_bytes=MAX_BYTES,
        limit=3,
    )
    assert (fresh.refreshed, fresh.stale) == (3, 2)
    assert len(catalog.paths()) == 3


def test_notes_are_read_as_they_are_now_and_missing_ones_are_absent(
    write_vault: Write, index: Index, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "Old words.", "b.md": "Two."})
    index(root)
    (root / "a.md").write_text("New words.", "utf-8")
    (root / "b.md").unlink()
    notes = read_notes(
        ["a.md", "b.md", "never.md"], root=root, catalog=catalog, max_bytes=MAX_BYTES
    )
    assert {path: note.text for path, note in notes.items()} == {"a.md": "New words."}


# --- what is recorded ----------------------------------------------------------------------


def known(history: History, path: str) -> list[tuple[str | None, int]]:
    """The text of each version and the day it was seen."""
    versions = history.versions([path]).get(path, [])
    return [(history.text(version.key), (version.at - SEEN).days) for version in versions]


def test_every_text_that_a_run_saw_is_recorded_with_its_file_time(
    write_vault: Write, index: Index, history: History
) -> None:
    root = write_vault({"a.md": "One."})
    os.utime(root / "a.md", (1_700_000_000, 1_700_000_000))
    index(root)
    index(root, on=1)
    write_vault({"a.md": "Two."})
    index(root, on=2)
    (root / "a.md").unlink()
    index(root, on=3)

    assert known(history, "a.md") == [("One.", 0), ("Two.", 2), (None, 3)]
    first = history.versions(["a.md"])["a.md"][0]
    assert first.saved_at == datetime.fromtimestamp(1_700_000_000, tz=UTC)


def test_a_file_from_a_clock_that_was_ahead_is_dated_by_ours(
    write_vault: Write, index: Index, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "One.", "b.md": "Two."})
    os.utime(root / "a.md", (4e9, 4e9))
    os.utime(root / "b.md", (1_700_000_000, 1_700_000_000))
    before = datetime.now(UTC)
    index(root)

    records = catalog.records(["a.md", "b.md"])
    created = {path: record.created for path, record in records.items()}
    assert before <= created["a.md"] <= datetime.now(UTC)
    assert created["b.md"] == datetime.fromtimestamp(1_700_000_000, tz=UTC)


@pytest.mark.parametrize("seconds", [13e9, -12e9])
def test_a_file_time_of_another_century_is_indexed_and_known_again(
    write_vault: Write, index: Index, catalog: Catalog, seconds: float
) -> None:
    root = write_vault({"a.md": "One."})
    os.utime(root / "a.md", (seconds, seconds))
    index(root)

    found = scan(root, max_bytes=MAX_BYTES)
    assert plan_changes(found.files, catalog.files()).unchanged == 1


def test_a_rename_that_a_run_saw_is_one_note(
    write_vault: Write, index: Index, history: History
) -> None:
    root = write_vault({"a.md": "One."})
    index(root)
    (root / "a.md").rename(root / "b.md")
    index(root, on=1)

    assert known(history, "b.md") == [("One.", 0), ("One.", 1)]
    assert history.paths() == ["b.md"]


def test_other_line_ends_are_the_same_text(
    write_vault: Write, index: Index, history: History
) -> None:
    root = write_vault({"a.md": "One.\nTwo."})
    index(root)
    (root / "a.md").write_bytes(b"One.\r\nTwo.")
    assert index(root, on=1).written == ("a.md",)

    assert known(history, "a.md") == [("One.\nTwo.", 0)]


def test_a_note_that_became_unreadable_ends(
    write_vault: Write, index: Index, history: History
) -> None:
    root = write_vault({"a.md": "One."})
    index(root)
    (root / "a.md").write_bytes(b"\x00\x01binary")
    index(root, on=1)

    assert known(history, "a.md") == [("One.", 0), (None, 1)]


def test_a_run_that_was_killed_before_the_catalog_was_written_is_completed(
    write_vault: Write,
    index: Index,
    catalog: Catalog,
    history: History,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = write_vault({"a.md": "One."})

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Catalog, "write", killed)
        with pytest.raises(KeyboardInterrupt):
            index(root)
    assert catalog.paths() == []

    index(root, on=1)

    assert catalog.paths() == ["a.md"]
    assert known(history, "a.md") == [("One.", 0)]


def test_a_question_records_what_it_sees(
    write_vault: Write, catalog: Catalog, history: History
) -> None:
    root = write_vault({"a.md": "One."})
    refresh(
        scan(root, max_bytes=MAX_BYTES),
        root=root,
        catalog=catalog,
        history=history,
        seen_at=SEEN,
        max_bytes=MAX_BYTES,
    )

    assert known(history, "a.md") == [("One.", 0)]


def test_sightings_are_of_indexed_notes_as_they_are_now(
    write_vault: Write, index: Index, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "One.", "b.md": "Two."})
    index(root)
    (root / "a.md").write_text("Changed.", "utf-8")
    (root / "b.md").unlink()

    found = sightings(["a.md", "b.md", "never.md"], root=root, catalog=catalog, max_bytes=MAX_BYTES)

    assert [(one.path, unpacked(one.content)) for one in found] == [("a.md", "Changed.")]


def test_a_run_that_is_interrupted_goes_on_where_it_was(
    write_vault: Write, catalog: Catalog, history: History
) -> None:
    root = write_vault({f"{number:03}.md": f"Note {number}." for number in range(2 * BATCH + 1)})

    def run(progress: Callable[[int], None]) -> TextReport:
        return index_text(
            plan_changes(scan(root, max_bytes=MAX_BYTES).files, catalog.files()),
            root=root,
            catalog=catalog,
            history=history,
            seen_at=SEEN,
            max_bytes=MAX_BYTES,
            git={},
            progress=progress,
        )

    def interrupt(done: int) -> None:
        if done > BATCH:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(interrupt)
    told = list[int]()
    assert run(told.append).written == (f"{2 * BATCH:03}.md",)
    assert told == [1]
    assert len(catalog.paths()) == 2 * BATCH + 1


def test_what_many_notes_share_is_kept_once(
    write_vault: Write, index: Index, catalog: Catalog
) -> None:
    line = "The weather station on the roof reported wind, rain and sun."
    root = write_vault(
        {f"{number:03}.md": f"{line}\n\nMonday {number}.\n\n{line}" for number in range(250)}
    )
    index(root)
    dictionary = catalog.texts.dictionary()
    assert dictionary is not None
    assert "Monday 7." in catalog.passages_of(["007.md"])["007.md"][0].text
    (root / "007.md").write_text("Nothing.", "utf-8")
    index(root)
    assert catalog.texts.dictionary() == dictionary
    assert catalog.words.document_frequency("weather") == 249


def test_notes_without_a_date_are_counted_and_no_problems(
    write_vault: Write, index: Index, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "One.", "2024-05-20.md": "Two."})
    assert index(root).problems == ()
    assert catalog.counts().undated == 1


def test_the_text_to_embed_is_made_of_the_note_as_it_was_indexed(
    write_vault: Write, index: Index, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "# Basil\n\n**Grows** fast.", "b.md": "Tea.", "c.md": "Mint."})
    index(root)
    ids = {path: one[0].vector_id for path, one in catalog.passages_of(catalog.paths()).items()}
    (root / "b.md").write_text("Changed since.", "utf-8")
    (root / "c.md").unlink()
    found = embedded_texts([*ids.values(), "0"], root=root, catalog=catalog, max_bytes=MAX_BYTES)
    assert found == {ids["a.md"]: "Basil\nGrows fast."}
