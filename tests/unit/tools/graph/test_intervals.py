"""Edges with two axes of time say at every point what replaying the versions says."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tools.graph.intervals import Closure, Revision, spans, stretches

START = datetime(2024, 1, 1, tzinfo=UTC)
BEGINNING, END = START - timedelta(days=1), START + timedelta(days=999)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def revision(valid: int, known: int, *keys: str) -> Revision[str]:
    return Revision(valid_at=day(valid), known_at=day(known), keys=frozenset(keys))


def known_in_order(revisions: list[tuple[int, int, frozenset[str]]]) -> list[Revision[str]]:
    ordered = sorted(revisions, key=lambda given: given[1])
    return [revision(valid, known, *keys) for valid, known, keys in ordered]


histories = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 8), st.frozensets(st.sampled_from("abc"))),
    min_size=1,
    max_size=7,
).map(known_in_order)

POINTS = [None, *(day(number / 2) for number in range(-1, 20))]


def replayed(
    revisions: Sequence[Revision[str]], as_of: datetime, known_at: datetime
) -> frozenset[str]:
    """What the last version says that was known by then and valid by then."""
    said = [s.keys for s in revisions if s.known_at <= known_at and s.valid_at <= as_of]
    return frozenset(said[-1]) if said else frozenset()


@given(histories)
def test_every_point_of_both_axes_is_as_replayed(revisions: list[Revision[str]]) -> None:
    found = spans(revisions)

    for as_of in POINTS:
        for known_at in POINTS:
            held = {
                key
                for key, all_of in found.items()
                for span in all_of
                if span.is_valid(as_of=as_of, known_at=known_at)
            }
            assert held == replayed(revisions, as_of or END, known_at or END)


@given(histories, histories)
def test_what_another_note_supersedes_ends_where_it_says_so(
    revisions: list[Revision[str]], successor: list[Revision[str]]
) -> None:
    closures = [
        Closure(known_at=c.known_at, by="other", stretches=c.stretches)
        for c in stretches(successor, "a")
    ]

    found = spans(revisions, closures, lasting={"c"}, closing={"b"})

    for as_of in POINTS:
        for known_at in POINTS:
            at = (as_of or END, known_at or END)
            expected = replayed(revisions, *at)
            if "b" in expected or "a" in replayed(successor, *at):
                expected &= {"b", "c"}
            held = {
                key
                for key, all_of in found.items()
                if any(span.is_valid(as_of=as_of, known_at=known_at) for span in all_of)
            }
            assert held == expected


def test_a_dropped_statement_closes_its_edge_and_one_that_returns_opens_another() -> None:
    (first, second) = spans([revision(0, 1, "a"), revision(3, 4), revision(6, 6, "a")])["a"]

    assert (first.valid_at, first.created_at) == (day(0), day(1))
    assert (first.invalid_at, first.expired_at) == (day(3), day(4))
    assert (second.valid_at, second.created_at, second.expired_at) == (day(6), day(6), None)


def test_what_goes_on_being_said_stays_one_edge() -> None:
    (span,) = spans([revision(0, 1, "a"), revision(3, 4, "a", "b"), revision(6, 6, "a")])["a"]

    assert (span.valid_at, span.created_at, span.expired_at) == (day(0), day(1), None)


def test_a_correction_retracts_what_was_never_true() -> None:
    """A version of January becomes known after one of March: March's own words never held."""
    (wrong,) = spans([revision(3, 3, "a"), revision(1, 4, "b")])["a"]

    assert (wrong.valid_at, wrong.invalid_at, wrong.expired_at) == (day(3), day(3), day(4))


@given(histories)
def test_a_longer_history_only_closes_and_adds(revisions: list[Revision[str]]) -> None:
    """What was once written is never dropped: its start, and when it was known, stay."""
    before, after = spans(revisions[:-1]), spans(revisions)

    for key, known in before.items():
        assert [(s.valid_at, s.created_at) for s in known] == [
            (s.valid_at, s.created_at) for s in after[key][: len(known)]
        ]
