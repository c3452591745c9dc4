from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.domain import NoteFile
from tools.vault.catalog import Catalog
from tools.vault.files import scan
from tools.vault.indexing import TextReport, index_text, plan_changes, read_notes, refresh

MAX_BYTES = 1_000_000

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


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog(tmp_path / "data" / "index.db")
    yield opened
    opened.close()


def index(root: Path, catalog: Catalog, *, everything: bool = False) -> TextReport:
    found = scan(root, max_bytes=MAX_BYTES)
    plan = plan_changes(found.files, catalog.files(), everything=everything)
    return index_text(plan, root=root, catalog=catalog, max_bytes=MAX_BYTES, git={})


Write = Callable[[dict[str, str]], Path]


def test_a_second_run_finds_nothing_to_do(write_vault: Write, catalog: Catalog) -> None:
    root = write_vault({"a.md": "One.", "b.md": "Two."})
    assert set(index(root, catalog).written) == {"a.md", "b.md"}
    second = index(root, catalog)
    assert (second.written, second.removed, second.unchanged) == ((), (), 2)


def test_a_touched_note_with_the_same_content_is_not_written(
    write_vault: Write, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "One."})
    index(root, catalog)
    (root / "a.md").touch()
    assert index(root, catalog).written == ()
    assert index(root, catalog).unchanged == 1


def test_a_renamed_note_is_known_by_its_new_path_only(write_vault: Write, catalog: Catalog) -> None:
    root = write_vault({"a.md": "One."})
    index(root, catalog)
    (root / "a.md").rename(root / "b.md")
    report = index(root, catalog)
    assert (report.written, report.removed) == (("b.md",), ("a.md",))
    assert catalog.paths() == ["b.md"]


def test_a_note_that_vanishes_while_indexing_is_skipped(
    write_vault: Write, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "One.", "b.md": "Two."})
    plan = plan_changes(scan(root, max_bytes=MAX_BYTES).files, {})
    (root / "a.md").unlink()
    report = index_text(plan, root=root, catalog=catalog, max_bytes=MAX_BYTES, git={})
    assert report.written == ("b.md",)
    assert "a.md" not in {problem.note_path for problem in report.problems}


def test_a_note_that_is_no_text_is_a_problem_and_the_others_are_indexed(
    write_vault: Write, catalog: Catalog
) -> None:
    root = write_vault({"2024-05-20.md": "One."})
    (root / "b.md").write_bytes(b"\x00\x01binary")
    report = index(root, catalog)
    assert report.written == ("2024-05-20.md",)
    assert [problem.note_path for problem in report.problems] == ["b.md"]


def test_a_problem_stays_known_until_its_note_is_mended(
    write_vault: Write, catalog: Catalog
) -> None:
    root = write_vault({"2024-05-20.md": "---\nbroken: [\n---\nOne.", "2024-05-21.md": "Two."})
    index(root, catalog)
    (root / "2024-05-21.md").write_text("Changed.", "utf-8")
    index(root, catalog)
    assert [problem.note_path for problem in catalog.problems()] == ["2024-05-20.md"]
    (root / "2024-05-20.md").write_text("Mended.", "utf-8")
    index(root, catalog)
    assert catalog.problems() == []


def test_a_note_that_became_unreadable_is_forgotten(write_vault: Write, catalog: Catalog) -> None:
    root = write_vault({"a.md": "One."})
    index(root, catalog)
    (root / "a.md").write_bytes(b"\x00\x01binary")
    assert index(root, catalog).removed == ("a.md",)
    assert catalog.paths() == []


def test_a_refresh_reads_changed_notes_up_to_its_limit(
    write_vault: Write, catalog: Catalog
) -> None:
    root = write_vault({f"{number}.md": "Words." for number in range(5)})
    found = scan(root, max_bytes=MAX_BYTES)
    fresh = refresh(found, root=root, catalog=catalog, max_bytes=MAX_BYTES, limit=3)
    assert (fresh.refreshed, fresh.stale) == (3, 2)
    assert len(catalog.paths()) == 3


def test_notes_are_read_as_they_are_now_and_missing_ones_are_absent(
    write_vault: Write, catalog: Catalog
) -> None:
    root = write_vault({"a.md": "Old words.", "b.md": "Two."})
    index(root, catalog)
    (root / "a.md").write_text("New words.", "utf-8")
    (root / "b.md").unlink()
    notes = read_notes(
        ["a.md", "b.md", "never.md"], root=root, catalog=catalog, max_bytes=MAX_BYTES
    )
    assert {path: note.text for path, note in notes.items()} == {"a.md": "New words."}
