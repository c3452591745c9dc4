"""Where an answer about one sense of a name comes from: its notes, and what links with them."""

import re
from collections.abc import Iterable, Sequence, Set

from graphs.deps import Deps
from tools.domain import Hit, QueryPlan
from tools.text.normalize import fold_name

_LINK = re.compile(r"\[\[([^\]\[#|\n]+)")


def within_sense(hits: Sequence[Hit], plan: QueryPlan, deps: Deps) -> list[Hit]:
    """The hits of the sense that was chosen, and of notes that link to it or that it links to.

    All of them where none was chosen. It reads the catalog, and blocks.
    """
    if plan.sense is None:
        return list(hits)
    own = frozenset(plan.sense.notes)
    others = {hit.note_path for hit in hits} - own
    kept = own | _linked(own, others, deps) | {hit.note_path for hit in hits if _reaches(hit, own)}
    return [hit for hit in hits if hit.note_path in kept]


def _reaches(hit: Hit, own: Set[str]) -> bool:
    """Whether an edge of the graph joins the note that was found with one of these."""
    ends = ({step.source_path, step.target_path} for step in hit.chain)
    return any(hit.note_path in both and not own.isdisjoint(both) for both in ends)


def _linked(own: Set[str], others: Set[str], deps: Deps) -> set[str]:
    passages = deps.catalog.passages_of((*own, *others))
    texts = {path: "\n".join(one.text for one in said) for path, said in passages.items()}
    targets = {path: _targets(text) for path, text in texts.items()}
    called = {name for names in deps.catalog.names_of(own).values() for name in names}

    def leads(links: Iterable[str], to: Set[str]) -> bool:
        return any(not to.isdisjoint(deps.catalog.resolve(link)[:1]) for link in links)

    said = {link for path in own for link in targets.get(path, ())}
    reached = {path for link in said for path in deps.catalog.resolve(link)[:1]}
    # A link may name a folder, too: only the last part is a name.
    to_own = {
        path: [link for link in targets.get(path, ()) if link.rsplit("/", 1)[-1] in called]
        for path in others
    }
    return {path for path in others if path in reached or leads(to_own[path], own)}


def _targets(text: str) -> set[str]:
    """The folded targets of the links in a text."""
    return {fold_name(link) for link in _LINK.findall(text)}
