"""What a scan keeps: claims by note, what clashes, what was seen and dismissed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from tests.support.values.results import a_contradiction, a_side
from tools.base.domain import Change, Claim, Contradiction
from tools.claims.report import FoundConflict, ScannedConflict, key_of, sides
from tools.vault.storage.contradictions import ContradictionStore, Dismissals, ReadPair

NOW = datetime(2026, 3, 1, tzinfo=UTC)


CLASH = a_contradiction(
    a_side("a.md", claim="The tank is full."), a_side("b.md", claim="The tank is empty.")
)
CHANGE = Change(
    before=a_side("a.md", claim="I work at Arup."),
    after=a_side("b.md", claim="I work at Foster."),
    changed_on=NOW,
    known_from="notes",
    confidence=0.8,
    similarity=0.8,
    type="semantic_conflict",
    explanation="One says so.",
    decided_by="local",
)


def claim(path: str, text: str) -> Claim:
    return Claim(note_path=path, note_title=path, text=text, line=1, read_as=f"{path}: {text}")


@pytest.fixture
def store(tmp_path: Path) -> ContradictionStore:
    made = ContradictionStore(tmp_path / "contradictions.db")
    for path in ("a.md", "b.md"):
        vectors = np.full((1, 4), 0.5, np.float16)
        made.add(path, f"hash of {path}", [claim(path, f"Said in {path}.")], vectors)
    return made


def test_claims_come_back_with_their_vectors_and_notes(store: ContradictionStore) -> None:
    known = store.vectors()
    assert known.vectors.tolist() == [[0.5] * 4] * 2
    claims = store.claims(known.claims.tolist())
    assert [claims[at].text for at in known.claims.tolist()] == ["Said in a.md.", "Said in b.md."]
    assert len(set(known.notes.tolist())) == 2
    assert store.hashes() == {"a.md": "hash of a.md", "b.md": "hash of b.md"}


def test_each_of_many_claims_has_its_own_vector(store: ContradictionStore) -> None:
    own = np.arange(10_000, dtype=np.int32)
    for path, part in (("c.md", own[:100]), ("d.md", own[100:])):
        rows = np.stack([part % 100, part // 100], axis=1).astype(np.float16)
        said = [claim(path, str(number)) for number in part.tolist()]
        store.add(path, f"hash of {path}", said, np.hstack([rows, rows]))
    store.forget(["b.md", "c.md"])
    known = store.vectors()
    claims = store.claims(known.claims.tolist())
    assert len(known.vectors) == 9_901
    for number, row in zip(known.claims.tolist()[1:], known.vectors[1:].tolist(), strict=True):
        assert int(claims[number].text) == row[0] + 100 * row[1]


def test_notes_are_pending_until_they_are_compared(store: ContradictionStore) -> None:
    first, second = store.pending()
    store.record([first], [])
    assert store.pending() == [second]


def test_how_near_others_are_is_kept_with_a_claim(store: ContradictionStore) -> None:
    assert store.vectors().crowd.tolist() == [0, 0]
    first, second = store.vectors().claims.tolist()
    store.keep_crowd([first], [0.25])
    store.keep_crowd([second, first], [0.5, 0.75])
    assert store.vectors().crowd.tolist() == [0.75, 0.5]
    store.forget(["a.md"])
    assert store.vectors().crowd.tolist() == [0.5]


def test_pairs_are_kept_until_a_note_is_forgotten(store: ContradictionStore) -> None:
    a, b = store.vectors().claims.tolist()
    store.record(store.pending(), [ReadPair(a, b, likely=0.75, changed=True)])
    assert store.pairs() == [ReadPair(a, b, likely=0.75, changed=True)]
    store.forget(["a.md"])
    assert store.pairs() == []


def test_pairs_are_weighed_once_and_anew_where_a_note_has_gone(store: ContradictionStore) -> None:
    assert store.unsettled() == 2
    store.record(store.pending(), [])
    assert store.unsettled() == 2
    store.settle([], at=NOW)
    store.forget([])
    assert store.unsettled() == 0
    store.forget(["a.md"])
    assert store.unsettled() == 1


def test_of_what_a_note_says_twice_the_surest_is_kept(store: ContradictionStore) -> None:
    store.settle([ScannedConflict(CLASH, sure=True), ScannedConflict(CLASH, sure=False)], at=NOW)
    (found,) = store.found()
    assert found.sure


def test_what_is_found_again_keeps_its_day_and_what_is_not_is_gone(
    store: ContradictionStore,
) -> None:
    store.settle([ScannedConflict(CLASH, sure=True), ScannedConflict(CHANGE, sure=True)], at=NOW)
    store.settle([ScannedConflict(CLASH, sure=False)], at=NOW + timedelta(days=1))
    (found,) = store.found()
    assert (found.clash, found.sure, found.found_at) == (CLASH, False, NOW)


def test_what_was_found_is_new_until_it_is_seen(store: ContradictionStore) -> None:
    store.settle([ScannedConflict(CLASH, sure=True), ScannedConflict(CHANGE, sure=True)], at=NOW)
    found = store.found()
    assert [(one.clash, one.new) for one in found] == [(CLASH, True), (CHANGE, True)]
    store.mark_seen([key_of(CLASH)])
    assert [(one.clash, one.new) for one in store.found()] == [(CHANGE, True), (CLASH, False)]


def test_what_is_less_sure_comes_last_and_is_told_to_no_question(
    store: ContradictionStore,
) -> None:
    store.settle([ScannedConflict(CHANGE, sure=False), ScannedConflict(CLASH, sure=True)], at=NOW)
    store.mark_seen([key_of(CLASH)])
    assert [(one.clash, one.sure) for one in store.found()] == [(CLASH, True), (CHANGE, False)]
    assert store.among(["a.md", "b.md"]) == [CLASH]
    assert store.sure_keys() == {key_of(CLASH)}


def test_a_pair_goes_with_either_note_and_stays_seen_when_it_comes_back(
    store: ContradictionStore,
) -> None:
    store.settle([ScannedConflict(CLASH, sure=True)], at=NOW)
    store.mark_seen([key_of(CLASH)])
    store.forget(["b.md"])
    assert store.found() == []
    store.add("b.md", "another hash", [], np.zeros((0, 4), np.float16))
    store.settle([ScannedConflict(CLASH, sure=True)], at=NOW)
    (found,) = store.found()
    assert not found.new


def test_an_empty_store_has_no_vectors(tmp_path: Path) -> None:
    known = ContradictionStore(tmp_path / "contradictions.db").vectors()
    assert len(known.claims) == len(known.vectors) == 0


def test_the_key_is_of_the_claims_and_not_of_their_places() -> None:
    moved = a_contradiction(
        a_side("b.md", claim="The tank is empty.", line=9),
        a_side("a.md", claim="The tank is full."),
    )
    assert key_of(moved) == key_of(CLASH)
    other = replace(CLASH, note_a=a_side("a.md", claim="The tank is half full."))
    assert key_of(other) != key_of(CLASH)


# --- dismissals ---


def found(clash: Contradiction) -> FoundConflict:
    return FoundConflict(key=key_of(clash), clash=clash, sure=True, found_at=NOW, new=True)


def test_dismissals_can_be_read_by_people_and_deleted_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "dismissed.jsonl"
    dismissals = Dismissals(file)
    assert dismissals.keys() == frozenset()
    other = a_contradiction(a_side("c.md", claim="Yes."), a_side("d.md", claim="No."))
    dismissals.add([found(CLASH), found(other)], at=NOW)
    assert dismissals.keys() == {key_of(CLASH), key_of(other)}
    lines = file.read_text("utf-8").splitlines()
    assert all(one.claim in lines[0] for one in sides(CLASH))
    file.write_text(lines[1] + "\n", "utf-8")
    assert dismissals.keys() == {key_of(other)}


@pytest.mark.parametrize("line", ["", "no JSON", "[1]", '{"key": 3}', "{}", "\udcff"])
def test_a_line_that_cannot_be_read_dismisses_nothing_and_stays(tmp_path: Path, line: str) -> None:
    file = tmp_path / "dismissed.jsonl"
    file.write_bytes(line.encode("utf-8", "surrogateescape") + b"\n")
    dismissals = Dismissals(file)
    assert dismissals.keys() == frozenset()
    dismissals.add([found(CLASH)], at=NOW)
    assert dismissals.keys() == {key_of(CLASH)}
    assert file.read_bytes().startswith(line.encode("utf-8", "surrogateescape"))
