"""What changed and what contradicts each other is told apart, on the page of an answer."""

from tests.support.checks.shown import bold_lines, lines_with, places, sections
from tests.support.values.pages import WRITTEN, contradiction, page, result
from tests.support.values.results import a_change, a_contradiction, a_side
from tools.rendering.answer import render


def steps(written: str) -> list[str]:
    """What the page suggests to do next."""
    return lines_with(sections(written)[-1].partition("<details>")[0], "- ")


OWN = render(page("list", contradictions=(contradiction(),)))


def test_an_answer_that_has_changed_says_what_holds_now() -> None:
    first = result(text="The rent is 900 euro.")
    told = a_change(
        a_side("notes/Basil.md", claim="The rent is 900 euro."),
        a_side("notes/Flat.md", claim="The rent is 1100 euro.", timestamp=WRITTEN),
        on=WRITTEN,
    )
    answer = sections(render(page("list", first, changes=(told,))))[1]
    (now,) = lines_with(answer, "“The rent is 1100 euro.”")
    assert now.startswith("**")
    assert "2024-03-12" in now
    assert places(now) == [("Flat", 1)]
    assert "**" not in sections(render(page("list", first)))[1]


def test_a_change_shows_what_holds_since_when_and_is_no_contradiction() -> None:
    told = a_change(
        a_side("notes/Old.md", claim="The tank currently holds 60 litres."),
        a_side("notes/New.md", claim="The tank holds 90 litres.", timestamp=WRITTEN),
        on=WRITTEN,
    )
    written = render(page("list", changes=(told,)))
    (shown,) = (found for found in sections(written) if ("New", 1) in places(found))
    before, since = lines_with(shown, "“The tank")
    assert (places(before), places(since)) == ([("Old", 1)], [("New", 1)])
    assert ("2024-03-12" in before, "2024-03-12" in since) == (False, True)
    assert "2024-03-12" in shown.split("\n\n")[1]  # its heading
    assert shown.split("\n")[0] not in OWN
    assert len(bold_lines(written)) == 1
    assert bold_lines(written) != bold_lines(OWN)


def test_cited_sources_that_clash_are_named_and_the_notes_are_not_blamed() -> None:
    found = a_contradiction(
        a_side("a.md", source="Smith (2019)"),
        a_side("b.md", source="Lee et al.", opinion=True),
        relation="disagreement",
    )
    written = render(page("list", contradictions=(found,)))
    (heading,) = lines_with(written, "### ")
    assert heading.index("Smith (2019)") < heading.index("Lee et al.")
    one, other = lines_with(written, "“It is.”")
    assert ("Smith (2019)" in one, "Lee et al." in other) == (True, True)
    assert ("opinion" in one, "opinion" in other) == (False, True)
    assert len(bold_lines(written)) == 1
    assert bold_lines(written) != bold_lines(OWN)
    assert len(steps(written)) == len(steps(OWN)) - 1  # nothing is to be settled
