"""The versions of a note on both axes of time: which count, since when each holds and is known."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.graph.versions import (
    Dated,
    Statement,
    Version,
    VersionContent,
    VersionOrigin,
    content_from_json,
    date,
    last_at,
    merge,
)

START = datetime(2024, 1, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def a_version(
    text: str | None,
    on: float,
    *,
    origin: VersionOrigin = "seen",
    path: str = "Tea.md",
    created: float | None = None,
    modified: float | None = None,
    saved: float | None = None,
) -> Version:
    """Days count from the start; a text of None is the note's end."""
    said = VersionContent(
        title="Tea",
        opening=text or "",
        created=None if created is None else day(created),
        modified=None if modified is None else day(modified),
    )
    return Version(
        key=0,
        path=path,
        at=day(on),
        origin=origin,
        content_hash=text,
        said=None if text is None else said,
        saved_at=None if saved is None else day(saved),
    )


def committed(text: str | None, on: float, *, path: str = "Tea.md") -> Version:
    return a_version(text, on, origin="git", path=path)


def texts(versions: Sequence[Version]) -> list[tuple[str | None, datetime]]:
    return [(version.content_hash, version.at) for version in versions]


# --- which versions count ------------------------------------------------------------------


def test_without_git_every_text_that_was_seen_counts() -> None:
    seen = [a_version("a", 1), a_version("b", 2), a_version(None, 3), a_version("b", 4)]

    assert merge([], seen) == seen


def test_what_was_seen_before_the_first_commit_and_after_the_last_counts() -> None:
    git = [committed("b", 3), committed("c", 6)]
    seen = [a_version("a", 1), a_version("x", 4), a_version("d", 7)]

    assert texts(merge(git, seen)) == [("a", day(1)), ("b", day(3)), ("c", day(6)), ("d", day(7))]


def test_a_text_that_was_seen_before_it_was_committed_is_known_since_then() -> None:
    merged = merge([committed("a", 5), committed("b", 6)], [a_version("a", 1)])

    assert texts(merged) == [("a", day(1)), ("b", day(6))]
    assert merged[0].origin == "git"


def test_a_text_seen_before_its_commit_was_known_from_then_on() -> None:
    before = merge([committed("a", 1)], [a_version("b", 3)])
    after = merge([committed("a", 1), committed("b", 4)], [a_version("b", 3)])

    assert texts(before) == [("a", day(1)), ("b", day(3))]
    assert texts(after) == [("a", day(1)), ("b", day(3))]


def test_a_text_that_only_we_saw_between_two_commits_is_left_to_git() -> None:
    merged = merge([committed("a", 1), committed("c", 4)], [a_version("b", 3)])

    assert texts(merged) == [("a", day(1)), ("c", day(4))]


def test_what_git_has_and_we_saw_as_well_is_one_version() -> None:
    assert texts(merge([committed("a", 1)], [a_version("a", 2)])) == [("a", day(1))]


def test_equal_texts_in_a_row_are_one_version_and_one_that_comes_back_another() -> None:
    seen = [a_version("a", 1), a_version("a", 2), a_version("b", 3), a_version("a", 4)]

    assert texts(merge([], seen)) == [("a", day(1)), ("b", day(3)), ("a", day(4))]


def test_a_note_that_moved_has_another_version() -> None:
    git = [committed("a", 1, path="Tea.md"), committed("a", 2, path="Green tea.md")]

    assert [version.path for version in merge(git, [])] == ["Tea.md", "Green tea.md"]


def test_an_end_before_any_text_is_none() -> None:
    assert merge([], [a_version(None, 1), a_version("a", 2)]) == [a_version("a", 2)]
    assert merge([committed(None, 1)], []) == []


def test_a_clock_that_ran_back_between_commits_keeps_their_order() -> None:
    git = [committed("a", 5), committed("b", 3)]

    merged = merge(git, [a_version("c", 6)])

    assert [version.content_hash for version in merged] == ["a", "b", "c"]


# --- both axes -----------------------------------------------------------------------------


def placed(*versions: Version) -> list[tuple[datetime, datetime]]:
    return [(dated.valid_at, dated.known_at) for dated in date(versions)]


def test_the_first_text_is_valid_from_its_stated_creation() -> None:
    assert placed(a_version("a", 10, created=2, modified=5)) == [(day(2), day(10))]
    assert placed(a_version("a", 10, modified=5)) == [(day(5), day(10))]
    assert placed(a_version("a", 10)) == [(day(10), day(10))]


def test_a_later_text_is_valid_from_the_date_it_states_anew() -> None:
    first = a_version("a", 10, created=2, modified=5)

    assert placed(first, a_version("b", 20, created=2, modified=15))[1] == (day(15), day(20))
    assert placed(first, a_version("b", 20, created=2, modified=1))[1] == (day(1), day(20))
    assert placed(first, a_version("b", 20, created=1, modified=5))[1] == (day(1), day(20))


def test_a_stated_date_that_was_not_touched_does_not_date_the_change() -> None:
    first = a_version("a", 10, created=2, modified=5)

    assert placed(first, a_version("b", 20, created=2, modified=5))[1] == (day(20), day(20))
    assert placed(first, a_version("b", 20))[1] == (day(20), day(20))


def test_a_text_after_the_notes_end_is_held_against_the_one_before() -> None:
    versions = (a_version("a", 1, created=0), a_version(None, 2), a_version("b", 3, created=0))

    assert placed(*versions)[1:] == [(day(2), day(2)), (day(3), day(3))]


def test_what_was_seen_is_valid_since_it_was_saved() -> None:
    assert placed(a_version("a", 10, saved=4)) == [(day(4), day(10))]
    assert placed(a_version("a", 10, saved=4), a_version("b", 20, saved=15))[1] == (
        day(15),
        day(20),
    )


def test_a_file_time_that_cannot_be_is_not_taken() -> None:
    """After it was seen, or not after the text before: a copied or restored file."""
    assert placed(a_version("a", 10, saved=11)) == [(day(10), day(10))]
    for saved in (3, 4, 21):
        later = a_version("b", 20, saved=saved)
        assert placed(a_version("a", 10, saved=4), later)[1] == (day(20), day(20))


def test_a_clock_that_ran_back_makes_nothing_unknown() -> None:
    placed_ = placed(committed("a", 9), committed("b", 5), committed("c", 12))

    assert [known for _, known in placed_] == [day(9), day(9), day(12)]


# --- who speaks ----------------------------------------------------------------------------

numbers = st.one_of(st.none(), st.integers(0, 12))
histories = st.lists(
    st.builds(
        a_version,
        st.one_of(st.sampled_from("abc"), st.none()),
        st.integers(0, 12),
        created=numbers,
        modified=numbers,
        saved=numbers,
    ),
    max_size=7,
)
POINTS = [None, *(day(number - 0.5) for number in range(14)), day(3), day(12)]


@settings(deadline=None)
@given(histories)
def test_what_was_known_then_is_what_one_would_have_said_then(versions: list[Version]) -> None:
    """No later version changes what was known before: each prefix of a history stays."""
    dated = date(versions)

    assert [one.known_at for one in dated] == sorted(one.known_at for one in dated)
    for end in range(len(versions) + 1):
        assert date(versions[:end]) == dated[:end]
    for known_at in POINTS[1:]:
        known = [one for one in dated if known_at is None or one.known_at <= known_at]
        for as_of in POINTS:
            then = last_at(known, as_of=as_of, known_at=None)
            assert last_at(dated, as_of=as_of, known_at=known_at) == then


@settings(deadline=None)
@given(histories)
def test_the_latest_that_was_known_and_valid_speaks(versions: list[Version]) -> None:
    """Each has its key, so that equal ones are told apart."""
    dated = date([replace(version, key=key) for key, version in enumerate(versions)])

    def speaks(one: Dated, as_of: datetime | None, known_at: datetime | None) -> bool:
        valid = as_of is None or one.valid_at <= as_of
        return valid and (known_at is None or one.known_at <= known_at)

    for as_of in POINTS:
        for known_at in POINTS:
            found = last_at(dated, as_of=as_of, known_at=known_at)
            start = found.version.key + 1 if found else 0
            assert found is None or speaks(found, as_of, known_at)
            assert not any(speaks(one, as_of, known_at) for one in dated[start:])


# --- what is kept of a version -------------------------------------------------------------

words = st.text(alphabet=st.characters(), max_size=8)
moments = st.one_of(st.none(), st.datetimes(timezones=st.just(UTC)))
said = st.builds(
    VersionContent,
    title=words,
    opening=words,
    created=moments,
    modified=moments,
    aliases=st.lists(words, max_size=2).map(tuple),
    note_type=st.one_of(st.none(), words),
    building_block=st.one_of(st.none(), words),
    statements=st.lists(
        st.builds(
            Statement,
            relation=words,
            target=words,
            kind=st.sampled_from(["link", "tag", "value"]),
            line=st.integers(1, 9),
            strength=st.floats(0, 1),
        ),
        max_size=3,
    ).map(tuple),
)


@given(said)
def test_what_a_version_says_outlives_a_file(said: VersionContent) -> None:
    text = said.to_json()

    assert content_from_json(text) == said
    assert text.isascii()
