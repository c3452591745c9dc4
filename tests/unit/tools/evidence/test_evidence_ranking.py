"""Spans ranked as evidence: first by what they share with the question, then as read."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.results import a_reading
from tools.evidence.confidence import answerable, confidence, is_absent
from tools.evidence.features import (
    FEATURES,
    Candidate,
    Found,
    QueryTerms,
    candidates,
    persons_in,
    query_terms,
)
from tools.evidence.ranking import (
    ALONE,
    ALONE_BY,
    TOGETHER_BY,
    contender_count,
    first_ranked,
    list_of,
    ranked,
    ranked_alone,
    span_features,
    window_features,
)
from tools.evidence.spans import spans_of

NOTE = """# Kiln
The lid cracked in May.
Price: 340 euros

- [[Glaze]], [[Clay]]
"""
SURE, UNSURE = 6.0, -6.0


def found(asked: QueryTerms, text: str = NOTE, *, similar: float = 0.0) -> list[Candidate]:
    note = Found(
        path="Kiln.md",
        title="Kiln",
        rank=0,
        score=0.8,
        relevance=0.7,
        passages=[(1, 2, similar)] if similar else [],
    )
    return candidates(asked, note, spans_of(text))


def asking(question: str, *words: str) -> QueryTerms:
    return query_terms(a_reading(question), words, [1.0] * len(words))


PRICE = asking("how much was the kiln", "price", "kiln")


def feature(candidate: Candidate, name: str) -> float:
    return candidate.features[FEATURES.index(name)]


def test_each_span_has_every_feature() -> None:
    own = found(PRICE)
    assert {len(one.features) for one in own} == {len(FEATURES)}
    assert len(window_features(own[0], SURE)) == len(TOGETHER_BY)
    assert len(span_features(own[0], SURE, UNSURE)) == len(ALONE_BY)


def test_a_span_counts_as_similar_as_the_passage_it_stands_in() -> None:
    cracked, price, *_ = found(PRICE, similar=0.6)
    assert feature(cracked, "passage_similarity") == 0.6
    assert feature(price, "passage_similarity") == 0.0


def test_what_is_only_links_is_told_from_what_says_something() -> None:
    own = found(PRICE)
    assert [feature(one, "linked") for one in own] == [0.0, 0.0, 1.0]


def test_what_somebody_else_says_of_himself_tells_less_of_who_is_asked_about() -> None:
    asked = asking("what does Ada play", "ada", "play")
    talk = "Ada: I play the oboe.\nBen: I play chess.\nAda: Nice.\nBen: You play well, Ada.\n"
    spans = spans_of(talk)
    persons = persons_in(asked, spans)
    assert persons == {"ada"}
    note = found(asked)[0].note
    tells = [feature(one, "tells") for one in candidates(asked, note, spans, persons=persons)]
    own, another, _, told = tells
    assert own > told > another
    assert persons_in(asking("who plays", "play"), spans) == frozenset()
    assert {feature(one, "tells") for one in found(asked)} == {1.0}


def test_what_another_says_of_himself_is_less_likely_an_answer() -> None:
    talk = (
        "Ada: I play the oboe.\nBen: I painted my barn in May, Ada.\nAda: Nice colour.\nBen: Yes.\n"
    )

    def likely(person: str) -> float:
        asked = asking(f"when did {person} paint the barn", person, "painted", "barn")
        spans = spans_of(talk)
        persons = persons_in(asked, spans)
        own = candidates(asked, found(asked)[0].note, spans, persons=persons)
        return answerable(asked, ranked(own, [1.0] * len(own)))

    assert likely("ada") < likely("ben") / 2
    assert not is_absent(likely("ben"))


def test_words_of_the_question_lead_before_anything_is_read() -> None:
    assert first_ranked(found(PRICE))[0].span.text == "Price: 340 euros"


def test_the_reader_decides_between_spans_alike_in_words() -> None:
    asked = asking("when did the lid crack", "lid", "crack")
    own = found(asked, "# Kiln\nThe lid may crack.\n\nThe lid did crack in May.\n")
    for right in (0, 1):
        logits = [SURE if at == right else UNSURE for at in range(2)]
        best = ranked(own, logits)[0]
        assert best.candidate is own[right]


def test_without_the_reader_the_first_ranking_is_the_last() -> None:
    own = first_ranked(found(PRICE))
    assert [one.candidate for one in ranked(own, [None] * len(own))] == own


def test_an_answer_is_likely_where_the_reader_is_sure() -> None:
    own = first_ranked(found(PRICE))
    sure = answerable(PRICE, ranked(own, [SURE] * len(own)))
    unsure = answerable(PRICE, ranked(own, [UNSURE] * len(own)))
    assert unsure < sure
    assert is_absent(0.0)
    assert not is_absent(1.0)


def test_a_line_is_the_surer_the_further_it_is_before_the_next() -> None:
    asked = asking("when did the lid crack", "lid", "crack")
    own = found(asked, "# Kiln\nBricks hold the lid.\n\nThe lid did crack in May.\n")

    def sure(best: float, other: float) -> float:
        return confidence(asked, ranked_alone(ranked(own, (best, other)), [best, other]))

    assert 0.0 < sure(UNSURE, UNSURE) < sure(SURE, SURE) < sure(SURE, UNSURE) < 1.0
    assert confidence(asked, ranked(own, [None, None])) == 0.0


def test_another_line_that_says_the_same_makes_none_unsure() -> None:
    asked = asking("when did the lid crack", "lid", "crack")

    def sure(other: str) -> float:
        own = found(asked, f"# Kiln\nThe lid did crack in May.\n\n{other}\n")
        return confidence(asked, ranked_alone(ranked(own, (SURE, SURE)), [SURE, SURE]))

    assert sure("The kiln has a lid of brick.") < sure("The lid did crack in May, yes.")


def test_the_note_whose_name_is_asked_for_is_surer_to_answer() -> None:
    own = ranked(found(PRICE), [SURE] * 3)
    path = own[0].candidate.note.path
    assert confidence(PRICE, own) < confidence(PRICE, own, named={path})


@given(st.lists(st.floats(-9, 9), min_size=3, max_size=3), st.integers(0, 3))
def test_every_span_is_ranked_once_and_those_read_come_first(
    logits: Sequence[float], read: int
) -> None:
    own = first_ranked(found(PRICE))
    result = ranked(own, [*logits[:read], *[None] * (len(own) - read)])
    assert {id(one.candidate) for one in result} == {id(one) for one in own}
    assert len(result) == len(own)
    assert {id(one.candidate) for one in result[:read]} == {id(one) for one in own[:read]}
    assert [one.score for one in result] == sorted((one.score for one in result), reverse=True)


@given(st.lists(st.floats(-9, 9), min_size=3, max_size=3), st.integers(0, 3))
def test_those_looked_at_alone_come_before_those_that_were_not(
    logits: Sequence[float], looked: int
) -> None:
    read = ranked(found(PRICE), logits)
    result = ranked_alone(read, [*logits[:looked], *[None] * (3 - looked)])
    assert {id(one.candidate) for one in result} == {id(one.candidate) for one in read}
    assert [one.alone is not None for one in result] == [at < looked for at in range(3)]
    assert [one.score for one in result] == sorted((one.score for one in result), reverse=True)


def test_what_says_all_that_is_asked_is_not_called_absent() -> None:
    asked = asking("what is the status of the Rohde kiln", "status", "rohde", "kiln")
    own = found(asked, "# Kiln\n\nThe Rohde kiln has the status idle.\n\nIts deadline is May.\n")
    assert not is_absent(answerable(asked, ranked(own, [UNSURE] * len(own))))


def test_a_line_on_another_thing_than_the_one_named_is_less_likely_an_answer() -> None:
    asked = asking("in which room does the team of Amber Grove meet", "room", "team", "meet")

    def likely(team: str) -> float:
        told = f"# Teams\n\nThe team {team} meets in room 39.\n\nAmber Grove is due in May.\n"
        own = found(asked, told)
        return answerable(asked, ranked(own, [1.0, UNSURE]))

    assert likely("of Harbor Hill") < likely("of ours") / 2
    assert likely("of Amber Grove") > likely("of Harbor Hill")


STEPS = """# Firing
Load the kiln in this order:

- tall pieces at the back
- bowls in the middle
- tiles last

A shelf cracked.
"""


def listed(question: str, best: str, *sure: str) -> str | None:
    own = found(asking(question, "kiln"), STEPS)
    by_text = {one.span.text: one for one in own}
    whole = list_of(asking(question, "kiln"), by_text[best], [by_text[one] for one in sure], own)
    return whole.span.kind if whole else None


def test_behind_a_colon_the_list_is_the_answer_whatever_is_asked() -> None:
    assert listed("why did we load it so", "Load the kiln in this order:") == "list"
    assert listed("why did we load it so", "A shelf cracked.") is None


def test_where_several_of_its_items_answer_a_question_for_several_the_list_does() -> None:
    tall, bowls = "tall pieces at the back", "bowls in the middle"
    assert listed("list the steps to load the kiln", tall, tall, bowls) == "list"
    assert listed("list the steps to load the kiln", tall, tall) is None
    assert listed("when was the kiln loaded", tall, tall, bowls) is None


def test_only_what_comes_near_the_best_is_looked_at_again() -> None:
    assert contender_count([4.0, 3.5, -2.0, 3.9]) == 2
    assert contender_count([4.0] * 20) == ALONE
    assert contender_count([]) == 0
