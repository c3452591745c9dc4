"""Which chains of causes belong to a question, and which sentences of notes do."""

from agents.narrative import narrative
from tests.results import a_relation, a_result
from tools.causation import to_the_point, whole_chains
from tools.domain import Excerpt, GraphRelation, Result

FROST = a_relation("Frost", "CAUSES", "Dead tomatoes")


def a_chain(*sources: str, step: GraphRelation = FROST) -> Result:
    return a_result(f"{step.source_title}.md", chain=(step,), sources=sources)


def says(path: str, text: str) -> Result:
    excerpt = Excerpt(text=text, line_start=9, line_end=9, heading=None, block_id=None)
    return a_result(path, excerpts=(excerpt,))


def test_a_chain_through_what_is_named_or_meant_stays() -> None:
    assert to_the_point([a_chain("graph")], ["tomatoes"])[0].chain
    assert to_the_point([a_chain("graph", "semantic")], ["plants"])[0].chain


def test_what_is_prevented_causes_nothing() -> None:
    steps = (
        a_relation("Running", "PREVENTS", "Stress"),
        a_relation("Stress", "CAUSES", "Bad sleep"),
    )
    chains = whole_chains([a_result("Running.md", chain=steps)])
    assert set(chains) == {steps[:1], steps[1:]}


def test_a_chain_from_a_mere_guess_goes_and_its_note_stays() -> None:
    (left,) = to_the_point([a_chain("graph", "text")], ["frost", "berlin", "move"])
    assert (left.note_path, left.chain) == ("Frost.md", ())


def test_a_sentence_that_says_why_is_told_before_one_that_shares_a_word() -> None:
    told = narrative(
        [
            says("Garden.md", "The tomatoes wilted because of the frost in May."),
            says("Kitchen.md", "Ada: tomatoes go into the lower drawer of the kitchen."),
        ],
        "Why did the tomatoes wilt?",
        ["tomatoes"],
    )
    assert [one.text for one in told] == ["The tomatoes wilted because of the frost in May."]


def test_where_nothing_says_why_a_sentence_with_the_words_asked_is_told() -> None:
    told = narrative(
        [says("Garden.md", "All the tomatoes wilted in May.")],
        "Why did the tomatoes wilt?",
        ["tomatoes"],
    )
    assert [one.citations[0].line for one in told] == [9]
