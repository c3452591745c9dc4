"""Whom a claim is cited from, and what two sources that clash come to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.judge.judge import judge
from agents.judge.report import cited_from
from tests.support.values.results import a_contradiction, a_side
from tools.base.domain import Claim, Contradiction
from tools.claims.assertions import extract_claims
from tools.claims.attribution import attribution

SAID = "Coffee improves sleep."


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("According to Smith (2019), coffee improves sleep.", "Smith (2019)"),
        ("Smith (2019) argues that coffee improves sleep.", "Smith (2019)"),
        ("Lee et al. argue that coffee improves sleep.", "Lee et al."),
        ("Smith and Lee (2019) found that coffee improves sleep.", "Smith and Lee (2019)"),
        ("Coffee improves sleep (Smith, 2019).", "Smith, 2019"),
        ("Coffee improves sleep (see Smith & Lee 2019, p. 4).", "Smith & Lee 2019"),
        ("Coffee improves sleep [@smith2019].", "smith2019"),
        ("Coffee improves sleep [[@smith2019]].", "smith2019"),
        ("Coffee improves sleep [@smith2019, p. 3].", "smith2019"),
        ("Yılmaz'a göre coffee improves sleep.", "Yılmaz"),
        ("Demir (2020)'e göre coffee improves sleep.", "Demir (2020)"),
        (SAID, None),
        ("I think that coffee improves sleep.", None),
        ("In my view, coffee improves sleep.", None),
    ],
)
def test_a_citation_is_told_from_what_is_said(text: str, source: str | None) -> None:
    found = attribution(text)
    assert found.source == source
    assert found.said == SAID


@pytest.mark.parametrize(
    "text",
    [
        "We found that coffee improves sleep.",
        "Studies show that coffee improves sleep.",
        "This shows that coffee improves sleep.",
        "Basil (mint, too) needs sun.",
        "The tank was bought in 2019.",
    ],
)
def test_a_capital_letter_alone_is_no_source(text: str) -> None:
    assert attribution(text).source is None


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert len(attribution(text).said) <= len(text) * 2


def claim(text: str, path: str) -> Claim:
    (found,) = extract_claims(text, line_start=1, note_path=path, note_title=path)
    return found


async def clash(one: str, other: str) -> Contradiction:
    claims = [claim(one, "a.md"), claim(other, "b.md")]
    (found,) = (await judge(claims, relate=None, model=None, mode="local")).contradictions
    return found


async def test_two_cited_sources_that_clash_disagree_and_are_named() -> None:
    found = await clash(
        "According to Smith (2019), coffee improves sleep.",
        "Lee et al. argue that coffee does not improve sleep.",
    )
    assert found.relation == "disagreement"
    assert (found.note_a.source, found.note_b.source) == ("Smith (2019)", "Lee et al.")


async def test_two_sources_that_one_note_cites_disagree_too() -> None:
    said = "Smith (2019) argues that coffee improves sleep."
    other = "Lee et al. argue that coffee does not improve sleep."
    claims = [claim(said, "a.md"), claim(other, "a.md")]
    (found,) = (await judge(claims, relate=None, model=None, mode="local")).contradictions
    assert found.relation == "disagreement"


@pytest.mark.parametrize(
    "other",
    ["Coffee does not improve sleep.", "Smith (2019) found that coffee does not improve sleep."],
)
async def test_one_source_against_the_notes_or_itself_is_a_contradiction(other: str) -> None:
    found = await clash("Smith (2019) argues that coffee improves sleep.", other)
    assert found.relation == "contradiction"


async def test_an_opinion_is_kept_and_marked() -> None:
    found = await clash("I think that coffee improves sleep.", "Coffee does not improve sleep.")
    assert (found.note_a.opinion, found.note_b.opinion) == (True, False)
    assert found.note_a.claim == "I think that coffee improves sleep."


def test_a_note_on_a_source_speaks_for_its_author_but_not_in_opinions() -> None:
    found = a_contradiction(a_side("a.md"), a_side("b.md", source="Lee et al."))
    authors = {"a.md": "Ines Halloran (2024)"}
    assert cited_from(found, authors).note_a.source == "Ines Halloran (2024)"
    assert cited_from(found, authors).relation == "disagreement"
    opinion = a_contradiction(a_side("a.md", opinion=True), a_side("b.md", source="Lee et al."))
    assert cited_from(opinion, authors).relation == "contradiction"
