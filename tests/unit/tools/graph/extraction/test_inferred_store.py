"""The file of inferred facts: a note's facts change as a whole, and nothing is read twice."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.inferred import at, extraction, fact, read, version
from tools.base.errors import StorageError, StoreVersionError
from tools.graph.episodes import Extraction
from tools.graph.extraction.job import ExtractionJob, load_job, save_job
from tools.graph.extraction.store import ATTEMPTS, GivenUp, InferredStore


def current(store: InferredStore, path: str) -> set[str]:
    return {one.uuid for one in store.facts([path]) if one.expired_at is None}


@pytest.fixture
def store(tmp_path: Path) -> InferredStore:
    return InferredStore(tmp_path / "inferred.db", model="small")


def test_looking_makes_no_file(store: InferredStore, tmp_path: Path) -> None:
    assert store.facts() == []
    assert store.pending([version()]) == {version(): frozenset()}
    assert (store.rate(), store.given_up(), store.changed()) == (None, [], {})
    assert store.forget_except([]) == []
    assert load_job(tmp_path / "inferred.db") is None
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_for_its_user_alone(store: InferredStore, tmp_path: Path) -> None:
    read(store, version(), ["x"])
    assert (tmp_path / "inferred.db").stat().st_mode & 0o077 == 0


def test_a_fact_comes_back_as_it_was_kept(store: InferredStore) -> None:
    one = replace(fact("x", version()), subject_type="Person", invalid_at=at(9), line=7)
    found = Extraction(episode=one.episode, facts=(one,), closed=(), calls=3)
    store.record(version(), part=0, extraction=found, seconds=1.0)
    assert store.facts() == []  # the note is not finished
    store.finish(version(), at=at(1))
    assert store.facts() == [one]


def test_a_version_is_pending_until_all_its_parts_are_read(store: InferredStore) -> None:
    long = version(parts=2)
    store.record(long, part=1, extraction=extraction(long, ["x"]), seconds=1.0)
    assert store.pending([long]) == {long: frozenset({1})}
    store.record(long, part=0, extraction=extraction(long, ["y"]), seconds=1.0)
    store.finish(long, at=at(0))
    assert store.pending([long]) == {}


def test_a_version_cut_into_other_parts_begins_anew(store: InferredStore) -> None:
    before, after = version(parts=2), version(parts=3)
    store.record(before, part=0, extraction=extraction(before, ["x"]), seconds=1.0)
    assert store.pending([after]) == {after: frozenset()}
    read(store, after, ["y"])
    assert current(store, "a.md") == {"y"}


def test_another_model_reads_anew_and_the_old_facts_stay_meanwhile(
    store: InferredStore, tmp_path: Path
) -> None:
    read(store, version(), ["x"])
    large = InferredStore(tmp_path / "inferred.db", model="large")
    assert large.pending([version()]) == {version(): frozenset()}
    assert large.rate() is None
    assert current(large, "a.md") == {"x"}
    read(large, version(), ["y"], day=1)
    assert current(store, "a.md") == {"y"}


def test_a_fact_said_again_goes_on_from_where_it_began(store: InferredStore) -> None:
    read(store, version(content="1"), ["x", "y"], day=1)
    read(store, version(content="2"), ["y", "z"], day=2)
    facts = {one.uuid: one for one in store.facts()}
    assert sorted(facts) == ["x", "y", "z"]
    assert facts["x"].expired_at == at(2)
    assert (facts["y"].created_at, facts["y"].content_hash) == (at(1), "2")
    assert facts["z"].created_at == at(2)


def test_a_note_ends_a_fact_of_another_when_it_is_read_whole(store: InferredStore) -> None:
    early, late = version("early.md"), version("late.md")
    read(store, early, ["x"])
    store.acknowledge(store.changed())
    found = extraction(late, ["y"], day=5, closed=["x"])
    store.record(late, part=0, extraction=found, seconds=1.0)
    assert current(store, "early.md") == {"x"}
    assert store.changed() == {}
    store.finish(late, at=at(6))
    (ended,) = store.facts(["early.md"])
    assert (ended.invalid_at, ended.expired_at) == (at(5), at(5))
    assert set(store.changed()) == {"early.md", "late.md"}


def test_what_changes_again_stays_to_be_taken_over(store: InferredStore) -> None:
    read(store, version(content="1"), ["x"])
    seen = store.changed()
    read(store, version(content="2"), ["y"])
    store.acknowledge(seen)
    assert set(store.changed()) == {"a.md"}
    store.acknowledge(store.changed())
    assert store.changed() == {}


def test_a_note_is_tried_three_times_after_those_that_failed_less(store: InferredStore) -> None:
    bad, good = version("bad.md"), version("good.md")
    assert [store.fail(bad, "It was too slow.") for _ in range(ATTEMPTS - 1)] == [False, False]
    assert list(store.pending([bad, good])) == [good, bad]
    assert store.fail(bad, "It said nothing.")
    assert list(store.pending([bad, good])) == [good]
    assert store.given_up() == [GivenUp(path="bad.md", content_hash="1", reason="It said nothing.")]
    changed = version("bad.md", content="2")
    assert list(store.pending([changed])) == [changed]
    read(store, changed, ["x"])
    assert store.given_up() == []


def test_a_deleted_note_takes_its_facts_and_names_its_episodes(store: InferredStore) -> None:
    read(store, version("kept.md"), ["x"])
    read(store, version("gone.md"), ["y"])
    assert store.forget_except(["kept.md"]) == ["gone.md|1"]
    assert [one.note_path for one in store.facts()] == ["kept.md"]
    assert "gone.md" in store.changed()


def test_the_rate_is_that_of_the_last_parts(store: InferredStore) -> None:
    for number in range(60):
        one = version(f"{number}.md")
        seconds = 100.0 if number < 10 else 3.0
        store.record(one, part=0, extraction=extraction(one, []), seconds=seconds)
    rate = store.rate()
    assert rate is not None
    assert (rate.seconds, rate.calls) == (3.0, 4.0)


def test_how_far_a_run_is_can_be_seen_by_others(tmp_path: Path) -> None:
    job = ExtractionJob(
        folders=("a", ""),
        model="small",
        encoder="E5",
        state="running",
        started_at=at(0),
        updated_at=at(1),
        notes=3,
        parts=5,
        parts_done=2,
        seconds_per_part=4.0,
    )
    assert job.seconds_left == 12.0
    save_job(tmp_path / "inferred.db", job)
    assert load_job(tmp_path / "inferred.db") == job


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "inferred.db"
    path.write_text("not a database, by any means, whatever its name says" * 30)
    with pytest.raises(StorageError, match=r"inferred\.db") as caught:
        InferredStore(path, model="m").facts()
    assert "\n" not in str(caught.value)


def test_many_may_begin_a_file_at_once(tmp_path: Path) -> None:
    for attempt in range(10):
        path, together = tmp_path / f"{attempt}.db", Barrier(8)

        def fail(number: int, path: Path = path, together: Barrier = together) -> None:
            together.wait()
            store = InferredStore(path, model="m")
            for _ in range(ATTEMPTS):
                store.fail(version(f"{number}.md"), "It was too slow.")

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(fail, range(8)))
        assert len(InferredStore(path, model="m").given_up()) == 8


@pytest.mark.parametrize("damage", ["no database", "newer", "tables of another"])
def test_a_file_that_cannot_be_used_is_not_kept_open(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "inferred.db"
    if damage == "no database":
        path.write_text("not a database, by any means, whatever its name says" * 30)
    else:
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA user_version = 99" if damage == "newer" else "CREATE TABLE facts(x)")
    with pytest.raises((StorageError, StoreVersionError)) as caught:
        InferredStore(path, model="m").facts()
    assert caught.tb is not None  # which holds on to whatever was left open
    assert not [one for one in psutil.Process().open_files() if one.path.startswith(str(path))]


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "inferred.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreVersionError):
        InferredStore(path, model="m").facts()


_NOTES = st.sampled_from(["a.md", "b.md"])
_CONTENTS = st.sampled_from(["1", "2", "3"])
_FACTS = st.frozensets(st.sampled_from("uvwxyz"), max_size=4)
_STEP = st.tuples(_NOTES, _CONTENTS, _FACTS)


@given(st.lists(_STEP, max_size=8))
def test_a_note_shows_what_was_last_read_of_it_and_forgets_nothing(
    steps: list[tuple[str, str, frozenset[str]]],
) -> None:
    with TemporaryDirectory() as folder:
        store = InferredStore(Path(folder) / "inferred.db", model="m")
        shown: dict[str, tuple[str, frozenset[str]]] = {}
        ever: set[tuple[str, str]] = set()
        for day, (path, content, uuids) in enumerate(steps):
            known = version(path, content)
            if shown.get(path, ("",))[0] == content:
                assert store.pending([known]) == {}
                continue
            assert store.pending([known]) == {known: frozenset()}
            read(store, known, sorted(uuids), day=day)
            shown[path] = (content, uuids)
            ever |= {(path, uuid) for uuid in uuids}
            for note, (_, last) in shown.items():
                assert current(store, note) == last
            assert {(one.note_path, one.uuid) for one in store.facts()} == ever
