"""The answer to why: sentences with footnotes, the chains they tell, and the notes. Pure."""

from collections.abc import Sequence
from itertools import groupby

from tools.base.domain import GraphRelation
from tools.evidence.citations import Citation, cite_relation
from tools.graph.causal_chains import (
    cause_and_effect,
    closes_cycle,
    link,
    maximal_chains,
    prevents,
)
from tools.rendering.contradictions import conflict_hints
from tools.rendering.lines import inline, prose, ranked
from tools.rendering.page import Page
from tools.text.causal_markers import has_causal_marker
from tools.text.voice import translate

_NEAREST = "No note states a cause in so many words; these lines come nearest."
_NO_LINE = "No note states a cause in so many words; the notes below come nearest."
_UNTOLD = "No line found tells what is asked in a sentence; these notes come nearest."


class _Footnotes:
    """Numbers places in the order in which they are named, each once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._numbers: dict[str, int] = {}

    def marks(self, citations: Sequence[Citation]) -> str:
        places = dict.fromkeys(self._page.place(citation) for citation in citations)
        numbers = (self._numbers.setdefault(place, len(self._numbers) + 1) for place in places)
        return "".join(f"[^{number}]" for number in numbers)

    def definitions(self) -> list[str]:
        listed = "\n".join(f"[^{number}]: {place}" for place, number in self._numbers.items())
        return [listed] if listed else []


def narrative(page: Page, opening: Sequence[str]) -> list[str]:
    """The parts of the page; ``opening`` is what stands first: a time or a property asked for."""
    notes = _Footnotes(page)
    chains = maximal_chains(result for result in page.results if not result.superseded)
    parts = list(opening)
    told = any(has_causal_marker(statement.text) for statement in page.statements)
    if page.plan.reading.direction == "causes" and not (told or chains):
        parts.append(translate(_NEAREST if page.statements else _NO_LINE))
    if page.statements:
        for _, told in groupby(page.statements, key=lambda statement: statement.paragraph):
            # A line for each sentence: one paragraph as markdown, and legible without it.
            parts.append("\n".join(f"{prose(s.text)}{notes.marks(s.citations)}" for s in told))
    if not parts and not chains:
        parts.append(translate(_UNTOLD))
    if parts:
        parts.insert(0, f"## {translate('Answer')}")
    parts += conflict_hints(page.relevant_contradictions, page.changes)
    shown = "\n".join(f"- {_chain(chain, notes)}" for chain in chains)
    listed = [f"## {translate('Chains')}", shown] if chains else []
    # The definitions stand below the sentences, those of the chains among them.
    defined = notes.definitions()
    parts += [*defined, *listed] if page.statements else [*listed, *defined]
    told = {step for chain in chains for step in chain}
    return [*parts, f"## {translate('Sources')}", ranked(page.results, page.names, told=told)]


def _chain(chain: Sequence[GraphRelation], notes: _Footnotes) -> str:
    """The chain from cause to effect; behind each link its strength and where it stands."""
    shown = inline(cause_and_effect(chain[0])[0])
    told: set[tuple[str, str]] = set()
    for step in chain:
        doubt = translate(", inferred") if step.origin == "inferred" else ""
        effect = inline(cause_and_effect(step)[1])
        sign = translate("prevents") if prevents(step) else "→"
        mark = notes.marks([cite_relation(step)])
        circle = translate(", a circle") if closes_cycle(step, told) else ""
        shown += f" {sign} {effect} ({step.strength:.2f}{doubt}{circle}){mark}"
        told.add(link(step))
    return shown
