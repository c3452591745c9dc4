"""The log of what every note said: nothing is lost, nothing is there twice."""

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.vaults.histories import (
    START,
    change,
    commit,
    day,
    fill,
    history,
    see,
    sighting,
    told,
)
from tools.base.errors import StorageError, StoreVersionError
from tools.graph.sentence_diff import Rewording
from tools.graph.versions import VersionContent
from tools.vault.history.history import History
from tools.vault.history.history_rows import packed, sight

__all__ = ["history"]


# --- what is seen --------------------------------------------------------------------------


def test_every_text_that_was_seen_is_kept_once(history: History) -> None:
    for on, text in enumerate(["Green.", "Green.", "Black.", "Green."], 1):
        see(history, {"Tea.md": text}, on=on)

    assert told(history, "Tea.md") == [("Green.", day(1)), ("Black.", day(3)), ("Green.", day(4))]
    versions = history.versions(["Tea.md"])["Tea.md"]
    assert [history.text(version.key) for version in versions] == ["Green.", "Black.", "Green."]
    assert history.blobs(version.key for version in versions) == {}
    assert [version.saved_at for version in versions] == [START] * 3


def test_what_is_seen_last_is_the_last_also_after_the_clock_was_put_back(
    history: History,
) -> None:
    see(history, {"Tea.md": "Green."}, on=1)
    see(history, {"Tea.md": "Black."}, on=300)
    see(history, {"Tea.md": "White."}, on=2)
    see(history, {"Tea.md": "White."}, on=3)
    assert [text for text, _ in told(history, "Tea.md")] == ["Green.", "Black.", "White."]
    history.record_missing(["Tea.md"], at=day(4))
    assert [text for text, _ in told(history, "Tea.md")] == ["Green.", "Black.", "White.", None]
    moments = [moment for _, moment in told(history, "Tea.md")]
    assert moments == sorted(moments)


def test_a_run_that_was_interrupted_may_have_seen_the_one_half_of_a_move(history: History) -> None:
    see(history, {"Tea.md": "Green."}, on=1)
    history.record_missing(["Tea.md"], at=day(2))
    history.see([sighting("drinks/Tea.md", "Green.")], at=day(9), moved_since=day(2))
    assert history.former_names() == [("Tea.md", "drinks/Tea.md")]


def test_a_note_that_is_gone_ends_and_may_come_back(history: History) -> None:
    see(history, {"Tea.md": "Green."}, on=1)
    history.record_missing(["Tea.md", "never.md"], at=day(2))
    history.record_missing(["Tea.md"], at=day(3))
    assert (history.deleted_paths(), history.live()) == (["Tea.md"], set())

    see(history, {"Tea.md": "Green."}, on=4)

    assert told(history, "Tea.md") == [("Green.", day(1)), (None, day(2)), ("Green.", day(4))]
    assert (history.deleted_paths(), history.live()) == ([], {"Tea.md"})


def test_a_note_that_moved_in_one_run_keeps_its_versions(history: History) -> None:
    see(history, {"Tea.md": "Green."}, on=1)
    history.record_missing(["Tea.md"], at=day(2))
    see(history, {"drinks/Tea.md": "Green."}, on=2)

    assert [
        (version.path, version.at)
        for version in history.versions(["drinks/Tea.md"])["drinks/Tea.md"]
    ] == [("Tea.md", day(1)), ("drinks/Tea.md", day(2))]
    assert history.paths() == ["drinks/Tea.md"]
    assert history.former_names() == [("Tea.md", "drinks/Tea.md")]
    assert (history.deleted_paths(), history.live()) == ([], {"drinks/Tea.md"})


def test_a_note_with_the_same_text_that_appears_later_is_another(history: History) -> None:
    see(history, {"Tea.md": "Green."}, on=1)
    history.record_missing(["Tea.md"], at=day(2))
    see(history, {"Copy.md": "Green."}, on=3)

    assert told(history, "Copy.md") == [("Green.", day(3))]
    assert history.deleted_paths() == ["Tea.md"]


def test_a_copy_beside_its_original_is_another_note(history: History) -> None:
    see(history, {"Tea.md": "Green."}, on=1)
    see(history, {"Copy.md": "Green."}, on=2)

    assert history.live() == {"Tea.md", "Copy.md"}


def test_any_text_is_kept(history: History) -> None:
    text = "İ \ud800 \U0001f600\n" * 3

    said = VersionContent(title="Çay", opening=text)
    history.see([sight("Çay.md", b"", text=text, said=said, saved_at=START)], at=day(1))

    (version,) = history.versions(["Çay.md"])["Çay.md"]
    assert history.text(version.key) == text
    assert version.said == said


def test_what_a_version_said_is_read_as_it_was_kept_before(
    history: History, tmp_path: Path
) -> None:
    see(history, {"Tea.md": "Green."}, on=1)
    (before,) = history.versions(["Tea.md"])["Tea.md"]
    assert before.said is not None
    with closing(sqlite3.connect(tmp_path / "data" / "history.db")) as db:
        db.execute("UPDATE versions SET said = ?", [packed(before.said.to_json())])
        db.commit()
    assert history.versions(["Tea.md"])["Tea.md"] == [before]


# --- what the graph has --------------------------------------------------------------------


def test_a_note_is_dirty_until_the_graph_has_it(history: History) -> None:
    see(history, {"Tea.md": "Green.", "Coffee.md": "Black."}, on=1)
    assert history.ledger.dirty() == ["Tea.md", "Coffee.md"]

    history.ledger.acknowledge({"Tea.md": "one", "Coffee.md": None})
    assert (history.ledger.dirty(), history.ledger.digests()) == ([], {"Tea.md": "one"})

    see(history, {"Tea.md": "Green."}, on=2)
    assert history.ledger.dirty() == []
    history.record_missing(["Tea.md"], at=day(3))
    assert history.ledger.dirty() == ["Tea.md"]
    history.ledger.acknowledge({"Tea.md": "two"})
    history.ledger.mark_dirty(["Coffee.md", "never.md"])
    assert history.ledger.dirty() == ["Coffee.md"]


def test_a_moved_note_is_none_that_the_graph_has(history: History) -> None:
    see(history, {"Tea.md": "Green."}, on=1)
    history.ledger.acknowledge({"Tea.md": "one"})
    history.record_missing(["Tea.md"], at=day(2))
    see(history, {"Chai.md": "Green."}, on=2)

    assert (history.ledger.dirty(), history.ledger.digests()) == (["Chai.md"], {})


def test_the_targets_of_all_versions_are_known(history: History) -> None:
    see(history, {"Tea.md": "[[Sleep]] and supersedes:: [[Coffee]] #tag"}, on=1)
    see(history, {"Tea.md": "[[Water]]", "Chai.md": "status:: done\n\n[[Water]]"}, on=2)

    assert {word: sorted(paths) for word, paths in history.ledger.targets().items()} == {
        "Coffee": ["Tea.md"],
        "Sleep": ["Tea.md"],
        "Water": ["Chai.md", "Tea.md"],
        "done": ["Chai.md"],
    }
    history.ledger.set_resolved({"Sleep": "Sleep.md", "done": None})
    history.ledger.set_resolved({"Sleep": None})
    assert history.ledger.resolved() == {"Sleep": None, "done": None}


# --- the file ------------------------------------------------------------------------------


def test_what_was_recorded_outlives_the_process_and_another_sees_it(tmp_path: Path) -> None:
    one, other = History(tmp_path / "history.db"), History(tmp_path / "history.db")
    see(one, {"Tea.md": "Green."}, on=1)
    assert told(other, "Tea.md") == [("Green.", day(1))]
    one.close()
    other.close()
    again = History(tmp_path / "history.db")
    assert told(again, "Tea.md") == [("Green.", day(1))]
    again.close()


WRITER = """
import sys
from pathlib import Path
from tests.support.vaults.histories import see
from tools.vault.history.history import History

history = History(Path(sys.argv[1]))
print("open", flush=True)
for number in range(60):
    see(history, {f"{sys.argv[2]} {number}.md": "text", "shared.md": f"text {number}"}, on=number)
history.close()
"""


def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / "history.db"), name],
            cwd=Path(__file__).parents[5],
        )
        for name in ("one", "two")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]

    history = History(tmp_path / "history.db")
    assert len(history.paths()) == 2 * 60 + 1
    assert {text for text, _ in told(history, "shared.md")} == {f"text {n}" for n in range(60)}
    history.close()


def test_a_damaged_file_is_told_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "history.db"
    file.write_bytes(b"no database at all, but long enough to be read" * 50)

    with pytest.raises(StorageError) as caught:
        History(file)

    assert "\n" not in str(caught.value)
    assert "history" in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def _look_everywhere(history: History) -> None:
    """Ask for all that is read when a vault is indexed or its past is asked for."""
    versions = history.versions(history.paths())
    keys = [version.key for found in versions.values() for version in found]
    history.blobs(keys)
    for key in keys:
        history.text(key)
    history.rewordings.of({("", "a text")})
    history.moves(history.paths())
    ledger = history.ledger
    ledger.resolved(["Tea"])
    for look in (
        *(history.first_known_at, history.git_dates, history.unread, history.former_names),
        *(history.git_head, history.cut, history.live, history.deleted_paths),
        *(ledger.dirty, ledger.digests, ledger.targets, ledger.succeeding, ledger.resolved),
    ):
        look()


DATES = ["versions.at", "versions.saved_at"]
PACKED = ["versions.said", "versions.content", "rewordings.sentences"]
TEXTS = [
    *("versions.origin", "versions.path", "versions.content_hash", "versions.blob", "notes.path"),
    *("notes.digest", "targets.word", "resolved.word", "resolved.path", "meta.value"),
]


@pytest.mark.parametrize(
    ("where", "value"),
    [
        *((where, "x'00ff'") for where in (*DATES, *PACKED, *TEXTS)),
        *((where, "'2024-01-01'") for where in (*DATES, *PACKED)),
        *(
            (where, "(SELECT content FROM versions WHERE content IS NOT NULL)")
            for where in ("versions.said", "rewordings.sentences")
        ),
    ],
)
def test_a_damaged_value_is_told_as_any_other_damage(
    history: History, tmp_path: Path, where: str, value: str
) -> None:
    commit(history, change("Leaf.md", "Green.", on=0))
    fill(history, "Green.")
    commit(history, change("Tea.md", "Black.", on=1))
    see(history, {"Cup.md": "causes:: [[Tea]]"}, on=2)
    history.ledger.acknowledge({"Cup.md": "digest"})
    history.ledger.set_resolved({"Tea": "Tea.md"})
    history.rewordings.keep({("", "a text"): Rewording(added=("Green.",))})
    _look_everywhere(history)
    table, column = where.split(".")
    with closing(sqlite3.connect(tmp_path / "data" / "history.db")) as db, db:
        db.execute(f"UPDATE OR REPLACE {table} SET {column} = {value}")  # noqa: S608

    with pytest.raises(StorageError) as caught:
        _look_everywhere(history)

    assert re.search(r"\bhistory\.db\b.*`brain index`", str(caught.value))
    assert "\n" not in str(caught.value)


def test_a_history_of_an_older_version_keeps_all_it_has(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    see(history, {"Tea.md": "Green."}, on=1)
    history.close()
    with closing(sqlite3.connect(tmp_path / "history.db")) as db, db:
        db.execute("DROP TABLE rewordings")
        db.execute("PRAGMA user_version = 1")

    history = History(tmp_path / "history.db")

    assert told(history, "Tea.md") == [("Green.", day(1))]
    _look_everywhere(history)
    history.close()


def test_a_history_of_a_newer_version_is_refused_and_kept(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    see(history, {"Tea.md": "Green."}, on=1)
    history.close()
    with sqlite3.connect(tmp_path / "history.db") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()

    with pytest.raises(StoreVersionError):
        History(tmp_path / "history.db")

    with sqlite3.connect(tmp_path / "history.db") as db:
        assert db.execute("SELECT count(*) FROM versions").fetchone() == (1,)
    db.close()
