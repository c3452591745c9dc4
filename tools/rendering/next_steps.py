"""What could be asked next: about a name that the notes know, never the question again. Pure."""

from tools.claims.alignment import content_stems
from tools.rendering.lines import inline
from tools.rendering.page import Page
from tools.text.voice import translate

_LONGEST = 5
"""Words of something that can be asked about by name."""

_LOOKED_AT = 5
"""Notes that may be meant by what is asked about."""


def next_steps(page: Page) -> str:
    """The part of the page; empty where there is nothing to go on from."""
    steps: list[str] = []
    if any(found.relation == "contradiction" for found in page.contradictions):
        steps.append(
            translate("Settle the contradiction: read both notes and write down which one holds.")
        )
    about = _named(page)
    around, over_time = f"*surface-related {about}", f"*temporal-query {about}"
    if page.plan.intent == "comparative" and page.results:
        steps.append(translate("Ask about one subject alone for more of it."))
    elif about:
        match page.plan.intent:
            case "factual":
                steps.append(translate("`{command}` shows what is connected.", command=around))
                steps.append(translate("`{command}` shows how it changed.", command=over_time))
            case "temporal":
                steps.append(
                    translate(
                        "`{command}` gives the present state.", command=f"*query what is {about}"
                    )
                )
            case "causal":
                steps.append(translate("`{command}` shows what else is connected.", command=around))
            case "exploratory":
                steps.append(
                    translate("`{command}` puts these notes in order of time.", command=over_time)
                )
            case "comparative":
                pass
    return f"## {translate('Next')}\n\n" + "\n".join(f"- {step}" for step in steps) if steps else ""


def _named(page: Page) -> str:
    """A found note called what is asked about, else what is asked about, else the best note."""
    asked = content_stems(" ".join(page.plan.concepts))
    titles = [result.note_title for result in page.results[:_LOOKED_AT]]
    same = [title for title in titles if content_stems(title) == asked]
    short = [c for c in page.plan.concepts if 0 < len(c.split()) <= _LONGEST]
    near = [title for title in titles if asked & content_stems(title)]
    return _quotable(next(iter((*same, *short[:1], *near, *titles)), "")) if titles else ""


def _quotable(name: str) -> str:
    """The name on one line that stays within its code marks."""
    return inline(name).replace("`", "")
