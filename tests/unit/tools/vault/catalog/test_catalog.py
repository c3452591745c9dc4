import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tools.base.domain import Note, NoteFile
from tools.base.errors import StorageError, StoreVersionError
from tools.vault.catalog.catalog import Catalog
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note
from tools.vault.storage import database
from tools.vault.storage.database import Database
from tools.vault.storage.entries import entry
from tools.vault.storage.packing import train
from tools.vault.storage.schemas import CATALOG

MOMENT = datetime(2024, 5, 20, tzinfo=UTC)


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog(tmp_path / "data" / "index.db")
    yield opened
    opened.close()


def parsed(path: str, text: str) -> Note:
    return parse_note(path, text.encode(), mtime=MOMENT)


def put(catalog: Catalog, path: str, text: str) -> Note:
    note = parsed(path, text)
    file = NoteFile(path=path, size=len(text), mtime_ns=1)
    catalog.write([entry(note, chunk_note(note), file, catalog.texts.packing())])
    return note


def found(catalog: Catalog, word: str) -> set[str]:
    rows = [row for row, _ in catalog.words.match(f'"{word}"', limit=50)]
    return {passage.note_path for passage in catalog.passages(chunk_ids=rows).values()}


def test_a_written_note_is_found_by_its_words(catalog: Catalog) -> None:
    put(catalog, "a.md", "Hydroponic basil grows fast.")
    assert found(catalog, "basil") == {"a.md"}


def test_a_rewritten_note_is_no_longer_found_by_its_old_words(catalog: Catalog) -> None:
    put(catalog, "a.md", "Hydroponic basil grows fast.")
    put(catalog, "a.md", "Tomatoes grow slowly.")
    assert found(catalog, "basil") == set()
    assert found(catalog, "tomatoes") == {"a.md"}


def test_a_note_is_found_by_its_properties_until_they_change(catalog: Catalog) -> None:
    put(catalog, "a.md", "---\nblood type: zero\ncreated: 2024-05-01\n---\nI sleep badly.")
    assert found(catalog, "zero") == found(catalog, "sleep") == {"a.md"}
    assert found(catalog, "created") == set()
    put(catalog, "a.md", "---\nblood type: B\n---\nI sleep badly.")
    assert found(catalog, "zero") == set()


def test_a_removed_note_leaves_nothing(catalog: Catalog) -> None:
    put(catalog, "a.md", "Hydroponic basil grows fast.")
    catalog.remove(["a.md"])
    assert found(catalog, "basil") == set()
    assert catalog.paths() == []
    assert catalog.counts().passages == 0


def test_a_name_resolves_by_path_title_stem_and_alias(catalog: Catalog) -> None:
    put(catalog, "notes/z.md", "---\ntitle: Zettelkasten\naliases: [Slip box]\n---\nA method.")
    for name in ("notes/z", "notes/z.md", "zettelkasten", "Z", "slip BOX"):
        assert catalog.resolve(name) == ("notes/z.md",)
    assert catalog.resolve("PARA") == ()


def test_a_file_name_is_asked_for_as_it_is_said_and_linked_to_as_it_is_written(
    catalog: Catalog,
) -> None:
    put(catalog, "posts/the-fools_who-dream.md", "# Here's to them\n\nA film.")
    put(catalog, "Well-being.md", "Sleep.")
    assert catalog.resolve("The fools who dream") == ("posts/the-fools_who-dream.md",)
    assert catalog.titles_by_name()["the fools who dream"] == "Here's to them"
    assert {"the fools who dream", "well being"} <= catalog.name_set()
    targets = {name for name, _ in catalog.link_targets()}
    assert "the-fools_who-dream" in targets
    assert not {"the fools who dream", "well being"} & targets


def test_a_title_stands_before_what_a_file_name_says(catalog: Catalog) -> None:
    put(catalog, "Well-being.md", "# Sleep\n\nEight hours.")
    put(catalog, "a/deeper/place/Well being.md", "Rest.")
    assert catalog.resolve("well being") == ("a/deeper/place/Well being.md",)
    assert catalog.titles_by_name()["well being"] == "Well being"


def test_a_title_stands_before_an_alias_of_the_same_name(catalog: Catalog) -> None:
    put(catalog, "a.md", "---\naliases: [Sleep]\n---\nOther.")
    put(catalog, "long/path/sleep.md", "Sleep matters.")
    assert catalog.resolve("sleep") == ("long/path/sleep.md", "a.md")
    assert catalog.titles_by_name()["sleep"] == "sleep"


def test_vectors_are_pending_until_acknowledged_and_unused_when_no_passage_needs_them(
    catalog: Catalog,
) -> None:
    put(catalog, "a.md", "One sentence about basil.")
    (vector,) = catalog.outbox.passages()
    assert catalog.outbox.unembedded(["a.md", "b.md"]) == {"a.md"}
    assert catalog.outbox.notes([vector]) == {vector: "a.md"}
    catalog.outbox.acknowledge_vectors([vector])
    assert catalog.outbox.passages() == []
    catalog.remove(["a.md"])
    assert catalog.outbox.unused_vectors() == [vector]
    catalog.outbox.acknowledge_vectors(removed=[vector])
    assert catalog.outbox.unused_vectors() == []


def test_equal_passages_of_two_notes_share_a_vector(catalog: Catalog) -> None:
    text = "---\ntitle: Same\n---\nThe very same words."
    put(catalog, "a.md", text)
    put(catalog, "b.md", text)
    (vector,) = catalog.outbox.passages()
    paths = {passage.note_path for passage in catalog.passages_by_vector([vector])[vector]}
    assert paths == {"a.md", "b.md"}
    places = catalog.places_by_vector([vector, "gone"])
    assert places == {vector: [("a.md", 4, 4), ("b.md", 4, 4)]}


def test_a_passage_links_to_what_stands_in_its_lines(catalog: Catalog) -> None:
    put(catalog, "b.md", "# B\n\nOf it.\n")
    put(catalog, "c.md", "# C\n\nOf that.\n")
    put(
        catalog, "a.md", "# A\n\n## One\n\nSee [[b]], [[a]] and [[gone]].\n\n## Two\n\nSee [[c]].\n"
    )
    vectors = [passage.vector_id for passage in catalog.passages_of(["a.md"])["a.md"]]
    linked = catalog.inventory.linked_by_vector([*vectors, "unknown"])
    assert [linked[vector] for vector in vectors] == [
        [("a.md", frozenset({"b.md"}))],
        [("a.md", frozenset({"c.md"}))],
    ]
    assert linked.keys() == set(vectors)


def test_what_is_counted_of_all_notes_is_counted_anew_once_one_changes(catalog: Catalog) -> None:
    put(catalog, "a.md", "---\ntags: [herb]\n---\n# A\n\nSweet basil.\n")
    assert catalog.words.document_frequencies(["basil", "mint"]) == {"basil": 1, "mint": 0}
    assert catalog.inventory.notes_saying(["sweet", "basil"]) == 1
    assert catalog.inventory.passages_by_note() == {"a.md": 1}
    assert catalog.inventory.notes_by_tag() == {"herb": 1}
    put(catalog, "b.md", "---\ntags: [herb]\n---\n# B\n\nSweet basil, mint.\n")
    assert catalog.words.document_frequencies(["basil", "mint"]) == {"basil": 2, "mint": 1}
    assert catalog.inventory.notes_saying(["sweet", "basil"]) == 2
    assert catalog.inventory.passages_by_note() == {"a.md": 1, "b.md": 1}
    assert catalog.inventory.notes_by_tag() == {"herb": 2}


def test_words_are_counted_anew_once_they_are_written_anew(
    catalog: Catalog, tmp_path: Path
) -> None:
    put(catalog, "a.md", "Sweet basil.")
    with sqlite3.connect(tmp_path / "data" / "index.db") as db:
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
    db.close()
    assert catalog.words.document_frequency("basil") == 0
    catalog.words.write_anew()
    assert catalog.words.document_frequency("basil") == 1


def test_it_is_known_which_notes_have_text(catalog: Catalog) -> None:
    put(catalog, "a.md", "Words.")
    put(catalog, "empty.md", "")
    assert catalog.with_text(["a.md", "empty.md", "gone.md"]) == {"a.md"}


def test_a_note_is_read_where_it_begins_and_where_lines_are_asked_for(catalog: Catalog) -> None:
    sections = "\n\n".join(f"## Part {number}\n\nWords of {number}." for number in range(1, 5))
    put(catalog, "a.md", sections)
    put(catalog, "b.md", sections)
    last = catalog.passages_of(["a.md"])["a.md"][-1]
    found = catalog.passages_at({"a.md": {1, last.line_end}, "b.md": ()})
    assert [one.heading_path for one in found["a.md"]] == [("Part 1",), ("Part 4",)]
    assert [one.heading_path for one in found["b.md"]] == [("Part 1",)]


def test_a_second_reader_sees_what_the_first_wrote(tmp_path: Path) -> None:
    one, other = Catalog(tmp_path / "index.db"), Catalog(tmp_path / "index.db")
    put(one, "a.md", "Hydroponic basil grows fast.")
    assert found(other, "basil") == {"a.md"}
    one.close()
    other.close()


def test_an_index_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Catalog(tmp_path / "index.db").close()
    with sqlite3.connect(tmp_path / "index.db") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreVersionError):
        Catalog(tmp_path / "index.db")


def test_an_index_of_an_older_version_is_made_anew(tmp_path: Path) -> None:
    old = Catalog(tmp_path / "index.db")
    put(old, "a.md", "Hydroponic basil grows fast.")
    old.close()
    with sqlite3.connect(tmp_path / "index.db") as db:
        db.execute("ALTER TABLE chunks DROP COLUMN said")
        db.execute("PRAGMA user_version = 1")
    db.close()
    catalog = Catalog(tmp_path / "index.db")
    assert catalog.paths() == []
    assert catalog.was_remade()
    catalog.acknowledge_remade()
    assert not catalog.was_remade()
    put(catalog, "a.md", "Hydroponic basil grows fast.")
    assert found(catalog, "basil") == {"a.md"}
    catalog.close()


def test_a_file_that_is_no_index_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "index.db").write_bytes(b"no database at all, but long enough to be read" * 50)
    with pytest.raises(StorageError) as caught:
        Catalog(tmp_path / "index.db")
    assert "\n" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_the_names_of_a_note_are_its_title_stem_and_aliases(catalog: Catalog) -> None:
    put(catalog, "notes/Low EC.md", "---\naliases: [Weak feed]\n---\n# Too little salt\n")
    names = catalog.names_of(["notes/Low EC.md", "gone.md"])
    assert names == {"notes/Low EC.md": {"too little salt", "low ec", "weak feed"}}


def test_a_note_outside_folders_has_a_name_too(catalog: Catalog) -> None:
    put(catalog, "Basil.md", "Basil grows.")
    put(catalog, "notes/Basil.md", "Basil wilts.")
    put(catalog, "notes/Mint.md", "Mint grows.")
    assert catalog.name_set() == {"basil", "mint"}
    assert catalog.titles_by_name() == {"basil": "Basil", "mint": "Mint"}
    assert catalog.names_of(["Basil.md"]) == {"Basil.md": {"basil"}}
    paths = ["Basil.md", "notes/Basil.md", "notes/Mint.md"]
    assert set(catalog.full_names(paths)) == {"Basil.md", "notes/Basil.md"}


@pytest.mark.parametrize(
    ("code", "damaged"), [(sqlite3.SQLITE_IOERR_SHMSIZE, False), (sqlite3.SQLITE_CORRUPT, True)]
)
def test_only_a_damaged_index_is_to_be_moved_away(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, code: int, damaged: bool
) -> None:
    class Failing(sqlite3.Connection):
        def execute(self, *_: object) -> sqlite3.Cursor:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = code
            raise error

    def connect(*_: object) -> Failing:
        return Failing(":memory:", check_same_thread=False)

    monkeypatch.setattr(database, "connect", connect)
    # Another thread has a connection of its own.
    with ThreadPoolExecutor() as threads, pytest.raises(StorageError) as caught:
        threads.submit(catalog.paths).result()
    assert ("index.db" in str(caught.value)) == damaged


def test_a_new_index_was_not_remade(catalog: Catalog) -> None:
    assert not catalog.was_remade()


def test_passages_are_read_with_a_dictionary_that_another_process_began(tmp_path: Path) -> None:
    one, other = Catalog(tmp_path / "index.db"), Catalog(tmp_path / "index.db")
    put(one, "a.md", "Hydroponic basil grows fast.")
    assert [*other.passages_of(["a.md"])] == ["a.md"]
    dictionary = train([f"Hydroponic basil, row {number}.".encode() for number in range(1000)])
    assert dictionary is not None
    one.texts.begin_dictionary(dictionary)
    put(one, "b.md", "# Salad\n\nHydroponic basil, row 7.")

    passages = other.passages_of(["a.md", "b.md"])

    assert [(each.heading_path, each.text) for each in passages["b.md"]] == [
        (("Salad",), "# Salad\n\nHydroponic basil, row 7.")
    ]
    assert passages["a.md"][0].text == "Hydroponic basil grows fast."
    put(other, "b.md", "Tomatoes.")  # which takes out the words that were packed
    assert found(one, "hydroponic") == {"a.md"}
    one.close()
    other.close()


def test_a_file_that_lost_much_is_made_smaller(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    catalog = Catalog(path)
    with Database(path, CATALOG).transaction() as db:
        db.execute("CREATE TABLE old AS SELECT randomblob(8000000) AS content")
        db.execute("DROP TABLE old")
    put(catalog, "a.md", "Hydroponic basil grows fast.")
    catalog.tidy(after=1000)
    assert path.stat().st_size < 1_000_000
    assert path.with_name("index.db-wal").stat().st_size == 0
    assert found(catalog, "basil") == {"a.md"}
    catalog.close()


def test_the_heading_over_a_line_is_the_nearest_above(catalog: Catalog) -> None:
    told = "Basil likes warmth and light. " * 20
    put(catalog, "a.md", f"{told}\n\n# Herbs\n\n{told}\n\n## Basil\n\n{told}\n")
    put(catalog, "b.md", f"# Other\n\n{told}\n")

    over = catalog.headings_over([("a.md", 1), ("a.md", 5), ("a.md", 9), ("a.md", 99), ("c.md", 1)])

    assert over == {("a.md", 5): "Herbs", ("a.md", 9): "Basil"}
