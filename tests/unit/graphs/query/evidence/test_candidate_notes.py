"""Which of the notes found are looked through for evidence."""

from hypothesis import given
from hypothesis import strategies as st

from graphs.query.evidence.evidence import candidate_notes
from tests.support.values.results import a_result
from tools.base.domain import Hit, Result

FOUND = [a_result(f"{at}.md", composite_relevance=0.9 - at / 100) for at in range(30)]


def by_meaning(path: str, score: float) -> Hit:
    return Hit(
        source="semantic", note_path=path, note_title=path, score=score, match_type="semantic"
    )


def paths(results: list[Result]) -> list[str]:
    return [one.note_path for one in results]


def test_without_meaning_the_best_are_looked_through() -> None:
    looked = paths(candidate_notes(FOUND[:10], FOUND[10:], ()))
    assert looked == [f"{at}.md" for at in range(12)]


def test_what_is_nearest_in_meaning_is_looked_through_though_words_have_others_first() -> None:
    hits = [by_meaning("25.md", 0.8), by_meaning("29.md", 0.9), by_meaning("0.md", 0.99)]
    looked = paths(candidate_notes(FOUND[:10], FOUND[10:], hits))
    assert looked == [*(f"{at}.md" for at in range(8)), "29.md", "25.md", "8.md", "9.md"]


def test_of_things_compared_each_has_its_own_notes() -> None:
    one = [a_result(f"a{at}.md", subject="a", composite_relevance=0.9) for at in range(14)]
    other = [a_result("b.md", subject="b", composite_relevance=0.1)]
    looked = candidate_notes([*one, *other], (), [by_meaning("a13.md", 0.9)])
    assert paths([result for result in looked if result.subject == "b"]) == ["b.md"]
    assert len(looked) == 13
    assert "a13.md" in paths(looked)


@given(
    st.lists(st.tuples(st.integers(0, 29), st.floats(0, 1)), max_size=40),
    st.integers(0, 30),
)
def test_each_note_is_looked_through_once_and_the_best_always(
    near: list[tuple[int, float]], shown: int
) -> None:
    hits = [by_meaning(f"{at}.md", score) for at, score in near]
    looked = paths(candidate_notes(FOUND[:shown], FOUND[shown:], hits))
    assert len({*looked}) == len(looked) == 12
    assert looked[:8] == [f"{at}.md" for at in range(8)]
