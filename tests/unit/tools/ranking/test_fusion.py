from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agents.interpreter.interpreter import interpret_locally
from tests.support.values.results import a_relation
from tools.base.domain import (
    Event,
    Excerpt,
    Hit,
    Intent,
    MatchType,
    NoteMetadata,
    QueryPlan,
    Source,
)
from tools.ranking.fusion import (
    SUPERSEDED,
    by_whole,
    demote,
    each_once,
    leave_out,
    merge,
    score_in_words,
    tier,
)

PLAIN = NoteMetadata(
    created_date=datetime(2024, 1, 1, tzinfo=UTC), modified_date=None, building_block=None
)


def hit(
    path: str,
    score: float,
    *,
    source: Source = "text",
    kind: MatchType = "text",
    subject: str | None = None,
    words: str = "words",
) -> Hit:
    excerpt = Excerpt(text=words, line_start=1, line_end=1)
    return Hit(
        source=source,
        note_path=path,
        note_title=path.removesuffix(".md"),
        score=score,
        match_type=kind,
        excerpts=(excerpt,),
        subject=subject,
    )


hits = st.lists(
    st.builds(
        hit,
        st.sampled_from(["a.md", "b.md", "c.md", "d.md"]),
        st.floats(0, 1),
        source=st.sampled_from(["semantic", "text", "graph", "calendar"]),
        kind=st.sampled_from(["text", "title", "exact_phrase", "semantic", "neighbour"]),
        subject=st.sampled_from([None, "x"]),
    ),
    max_size=30,
)


def plan(intent: Intent = "exploratory", threshold: float = 0.0) -> QueryPlan:
    read = interpret_locally("sleep", now=datetime(2025, 1, 1, tzinfo=UTC), forced_intent=intent)
    asked = ("semantic", "text", "graph", "calendar")
    return replace(read, similarity_threshold=threshold, route=asked)


PLAN = plan()
EVERY_NOTE = {f"{name}.md": PLAIN for name in "abcd"}


@given(hits)
def test_every_note_appears_once_per_subject_best_first(found: list[Hit]) -> None:
    results = merge(found, EVERY_NOTE, plan=PLAN, limit=10)
    keys = [(result.subject, result.note_path) for result in results]
    assert len(keys) == len(set(keys))
    missing = {(h.subject, h.note_path) for h in found} - set(keys)
    # Left out is only what hardly matters beside something relevant.
    assert not missing or results[0].composite_relevance >= 0.6
    strong = {(h.subject, h.note_path) for h in found if h.source == "semantic" and h.score > 0.5}
    assert not missing & strong
    scores = [result.composite_relevance for result in results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@given(hits)
def test_the_order_of_the_hits_does_not_change_scores(found: list[Hit]) -> None:
    def scores(given_hits: list[Hit]) -> dict[tuple[str | None, str], float]:
        results = merge(given_hits, EVERY_NOTE, plan=PLAN, limit=10)
        return {(r.subject, r.note_path): r.composite_relevance for r in results}

    assert scores(found) == scores(found[::-1])


@given(hits)
def test_no_source_and_no_excerpt_is_lost(found: list[Hit]) -> None:
    for result in merge(found, EVERY_NOTE, plan=PLAN, limit=10):
        own = [h for h in found if (h.subject, h.note_path) == (result.subject, result.note_path)]
        assert set(result.sources) == {h.source for h in own}
        assert set(result.match_types) == {h.match_type for h in own}
        assert set(result.excerpts) == {excerpt for h in own for excerpt in h.excerpts}
        assert result.relevance_score == max(h.score for h in own)


@given(hits, st.data())
def test_a_hit_that_is_stronger_never_costs_its_note_a_place(
    found: list[Hit], data: st.DataObject
) -> None:
    assume(found)
    number = data.draw(st.integers(0, len(found) - 1))
    chosen = found[number]
    stronger = replace(chosen, score=data.draw(st.floats(chosen.score, 1)))
    rest = [*found[:number], *found[number + 1 :]]
    # The least similar one says what to expect of notes that were not reached: it stays.
    alike = (one.score for one in rest if (one.source, one.subject) == ("semantic", chosen.subject))
    assume(chosen.source != "semantic" or min(alike, default=2.0) <= chosen.score)
    raised = [*found[:number], stronger, *found[number + 1 :]]

    def place(given_hits: list[Hit]) -> int:
        results = merge(given_hits, EVERY_NOTE, plan=PLAN, limit=10)
        notes = [(result.subject, result.note_path) for result in results]
        own = (chosen.subject, chosen.note_path)
        return notes.index(own) if own in notes else len(found)

    assert place(raised) <= place(found)


@given(hits, st.integers(0, 5))
def test_a_smaller_limit_gives_the_beginning_of_the_same_list(found: list[Hit], limit: int) -> None:
    for subject in (None, "x"):
        own = [hit for hit in found if hit.subject == subject]
        whole = merge(own, EVERY_NOTE, plan=PLAN, limit=10)
        assert merge(own, EVERY_NOTE, plan=PLAN, limit=limit) == whole[:limit]


@given(hits, st.sets(st.sampled_from(sorted(EVERY_NOTE))))
def test_replaced_notes_sink_and_no_note_is_lost(found: list[Hit], replaced: set[str]) -> None:
    results = merge(found, EVERY_NOTE, plan=PLAN, limit=10)
    event = Event(timestamp=datetime(2025, 1, 1, tzinfo=UTC), kind="superseded", detail="later")
    demoted = demote(results, dict.fromkeys(replaced, event))
    scores = {(r.subject, r.note_path): r.composite_relevance for r in results}
    assert {(r.subject, r.note_path) for r in demoted} == set(scores)
    for result in demoted:
        share = SUPERSEDED if result.note_path in replaced else 1
        before = scores[result.subject, result.note_path]
        assert result.composite_relevance == pytest.approx(before * share)
        assert result.tier == tier(result.composite_relevance)
    ordered = [result.composite_relevance for result in demoted]
    assert ordered == sorted(ordered, reverse=True)


def test_agreement_of_sources_lifts_a_note_above_an_equal_one() -> None:
    found = [hit("a.md", 0.6), hit("b.md", 0.6), hit("b.md", 0.5, source="semantic")]
    assert [r.note_path for r in merge(found, EVERY_NOTE, plan=PLAN, limit=5)] == ["b.md", "a.md"]


def test_a_weak_semantic_hit_finds_nothing_alone_but_strengthens_what_others_found() -> None:
    weak = hit("a.md", 0.5, source="semantic")
    strict = plan("factual", threshold=0.7)
    assert merge([weak], EVERY_NOTE, plan=strict, limit=5) == ()
    found = [hit("a.md", 0.6), weak, hit("b.md", 0.6)]
    first, second = merge(found, EVERY_NOTE, plan=strict, limit=5)
    assert (first.note_path, first.sources) == ("a.md", ("text",))
    assert first.composite_relevance > second.composite_relevance


def test_a_similarity_without_a_passage_finds_nothing_alone_but_counts_for_what_words_find() -> (
    None
):
    known = replace(hit("a.md", 0.9, source="semantic"), excerpts=())
    assert merge([known], EVERY_NOTE, plan=PLAN, limit=5) == ()
    found = [hit("a.md", 0.6), known, hit("b.md", 0.6), hit("c.md", 0.8, source="semantic")]
    first, *_ = merge(found, EVERY_NOTE, plan=PLAN, limit=5)
    assert (first.note_path, first.sources) == ("a.md", ("text",))


def test_among_many_notes_of_equal_meaning_words_tell_which_is_meant() -> None:
    alike = [hit(path, 0.95, source="semantic") for path in ("b.md", "c.md", "d.md")]
    first, *_ = merge([*alike, hit("a.md", 0.9)], EVERY_NOTE, plan=PLAN, limit=5)
    assert first.note_path == "a.md"


def test_a_causal_chain_leads_before_words_alone() -> None:
    found = [hit("a.md", 0.9, source="graph", kind="chain"), hit("b.md", 0.8, source="semantic")]
    assert merge(found, EVERY_NOTE, plan=plan("causal"), limit=5)[0].note_path == "a.md"


def test_a_note_that_is_gone_is_dropped() -> None:
    assert merge([hit("gone.md", 0.9)], EVERY_NOTE, plan=PLAN, limit=5) == ()


def test_the_limit_counts_for_each_subject() -> None:
    found = [hit(f"{name}.md", 0.5, subject=subject) for name in "abcd" for subject in ("x", "y")]
    results = merge(found, EVERY_NOTE, plan=PLAN, limit=2)
    assert [result.subject for result in results].count("x") == 2
    assert [result.subject for result in results].count("y") == 2


def test_what_is_compared_is_ranked_as_the_whole_question_finds_it() -> None:
    found = [
        hit("a.md", 0.9, subject="x"),
        hit("b.md", 0.4, subject="x"),
        hit("b.md", 0.4, subject="y"),
        hit("a.md", 0.3),
        hit("b.md", 0.8),
        hit("c.md", 1.0, subject="y"),
        hit("d.md", 0.9),
    ]
    results = by_whole(merge(found, EVERY_NOTE, plan=PLAN, limit=9))
    assert [(one.subject, one.note_path) for one in results] == [
        ("x", "b.md"),
        ("y", "b.md"),
        ("x", "a.md"),
        ("y", "c.md"),
    ]


def test_tiers_begin_at_their_bound() -> None:
    assert [tier(score) for score in (0.8, 0.79, 0.6, 0.4, 0.39)] == [
        "highly_relevant",
        "relevant",
        "relevant",
        "somewhat_relevant",
        "low_relevance",
    ]


def test_notes_named_after_what_is_not_wanted_are_left_out() -> None:
    found = [hit("Green tea.md", 0.9), hit("Teapot.md", 0.8), hit("Black coffee.md", 0.7)]
    assert [h.note_path for h in leave_out(found, ("tea",))] == ["Teapot.md", "Black coffee.md"]
    assert [h.note_path for h in leave_out(found, ("TEA", "coffee"))] == ["Teapot.md"]
    assert leave_out(found, ()) == found


def test_a_chain_is_cut_at_what_is_not_wanted() -> None:
    first, second = a_relation("Tea", "CAUSES", "Sleep"), a_relation("Sleep", "CAUSES", "Rest")
    found = [
        replace(hit("Rest.md", 0.9, source="graph"), chain=(first, second)),
        replace(hit("Sleep.md", 0.8, source="graph"), chain=(first,)),
        replace(hit("Sleep.md", 0.7), chain=(first,)),
    ]
    left = leave_out(found, ("tea",))
    assert [(one.note_path, one.source, one.chain) for one in left] == [
        ("Rest.md", "graph", (second,)),
        ("Sleep.md", "text", ()),
    ]


def test_a_note_of_several_subjects_is_counted_once_with_all_that_is_quoted_of_it() -> None:
    found = [
        hit("a.md", 0.9, subject="x", words="of x"),
        hit("a.md", 0.5, subject="y", words="of y"),
        hit("b.md", 0.7, subject="y"),
    ]
    results = merge(found, EVERY_NOTE, plan=PLAN, limit=9)
    assert len(results) == 3
    once = each_once(results)
    assert [note.note_path for note in once] == ["a.md", "b.md"]
    assert {note.note_path: note for note in once} == {
        note.note_path: note for note in each_once(reversed(results))
    }
    assert once[0].subject == "x"
    assert [excerpt.text for excerpt in once[0].excerpts] == ["of x", "of y"]
    assert each_once(once) == once


@given(st.floats(0, 1))
def test_a_score_as_shown_is_of_its_tier(score: float) -> None:
    shown = score_in_words(score)
    assert tier(float(shown)) == tier(score)
    assert 0 <= score - float(shown) < 0.01


def test_a_score_of_two_digits_is_shown_as_it_is() -> None:
    assert [score_in_words(score) for score in (0.0, 0.29, 0.58, 1.0)] == [
        "0.00",
        "0.29",
        "0.58",
        "1.00",
    ]
