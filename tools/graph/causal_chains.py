"""Causes and effects: which way a question looks, and chains of them. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from tools.base.domain import Direction, GraphRelation, Result
from tools.evidence.coverage import covering
from tools.graph.relations import CAUSAL, REVERSED, phrase
from tools.text.normalize import flatten, fold

_EFFECTS = re.compile(
    r"\b(?:effects?|consequences?|impacts?|outcomes?|results?|implications?|aftermath) (?:of|on)\b"
    r"|\bwhat (?:does|do|did|will|would|can|could) .+ (?:cause|lead to|result in|bring about"
    r"|trigger|do to|change|affect|influence|enable|prevent|improve|worsen)\b"
    r"|\bhow (?:does|do|did|will|would|can) .+ (?:affect|influence|impact|change|shape)\b"
    r"|\bwhat (?:happens|follows|comes) (?:if|when|from|of)\b|\bwhere does .+ lead\b"
    r"|\b(?:sonuc(?:lar)?i|etki(?:si|leri)|etkile|yol ac(?:ar|iyor|ti)|neye (?:sebep|neden))"
)
_CAUSES = re.compile(
    r"\bwhy\b|\bhow come\b|\bcauses? of\b|\bcaused by\b|\bwhat (?:causes|caused|leads? to|led to"
    r"|triggers|triggered|makes|made|explains|is behind|was behind|is causing|was causing)\b"
    r"|\breasons?\b|\bbecause of what\b|\bdue to what\b|\broot cause\b"
    r"|\bneden(?:i|leri)?\b|\bnicin\b|\bniye\b|\bsebe[bp]i?\b|\byuzunden\b"
)


def direction(question: str) -> Direction:
    """The way the question looks; both where its words do not say."""
    text = flatten(question)
    effects, causes = _EFFECTS.search(text), _CAUSES.search(text)
    if bool(effects) == bool(causes):
        return "both"
    return "effects" if effects else "causes"


_MEANT = 0.5
_CHAINS = 3
"""Chains that an answer tells; the rest stands in its sources."""

_FORWARD: Mapping[str, str] = {
    "BECAUSE_OF": "is the reason for", "CAUSED_BY": "causes", "DUE_TO": "is the reason for",
    "ENABLED_BY": "enables", "INFLUENCED_BY": "influences", "PREVENTED_BY": "prevents",
    "RESULTED_FROM": "resulted in", "RESULTS_FROM": "results in", "SUPPORTED_BY": "supports",
    "TRIGGERED_BY": "triggers",
}  # fmt: skip
"""Relations told from effect to cause, as they read from cause to effect."""


def maximal_chains(results: Iterable[Result]) -> list[tuple[GraphRelation, ...]]:
    """The chains from cause to effect, longest first, none that is part of another.

    Two notes that state one link make no second chain of it. What is prevented causes nothing: a
    chain ends with the link that says so, and another begins behind it.
    """
    kept: list[tuple[GraphRelation, ...]] = []
    known: list[set[tuple[str, str]]] = []
    parts = (part for result in results for part in _unprevented(result.chain))
    for chain in sorted(dict.fromkeys(parts), key=len, reverse=True):
        causal = all(step.relation in CAUSAL for step in chain)
        links = {link(step) for step in chain}
        if chain and causal and not any(links <= longer for longer in known):
            kept.append(chain)
            known.append(links)
    return kept[:_CHAINS]


def _unprevented(chain: Sequence[GraphRelation]) -> Iterator[tuple[GraphRelation, ...]]:
    part: list[GraphRelation] = []
    for step in chain:
        part.append(step)
        if prevents(step):
            yield tuple(part)
            part = []
    yield tuple(part)


def prevents(step: GraphRelation) -> bool:
    """Whether a link says that its cause keeps its effect from being."""
    return step.relation in {"PREVENTS", "PREVENTED_BY"}


def without_irrelevant_chains(results: Sequence[Result], words: Sequence[str]) -> list[Result]:
    """The results without the chains that lead through nothing that is asked about.

    A chain may start from a mere guess. One that is meant names half of ``words`` with the titles
    of a link, or goes through a note that its meaning found.
    """
    asked = covering(words)
    meant = {result.note_path for result in results if "semantic" in result.sources}
    return [
        result
        if any(
            step.source_path in meant
            or step.target_path in meant
            or asked(f"{step.source_title} {step.target_title}") >= _MEANT
            for step in result.chain
        )
        else replace(result, chain=())
        for result in results
    ]


def link(step: GraphRelation) -> tuple[str, str]:
    """Cause and effect, folded: equal for the same link wherever it is stated."""
    cause, effect = cause_and_effect(step)
    return fold(cause), fold(effect)


def closed(chains: Iterable[Sequence[GraphRelation]]) -> list[tuple[GraphRelation, ...]]:
    """The chains, with the link that makes a circle of one where another of them has it.

    A note tells one chain only: a circle and what leads into it are one.
    """
    given = [tuple(chain) for chain in chains]
    circles = [step for chain in given if _circular(chain) for step in chain]
    found: list[tuple[GraphRelation, ...]] = []
    for chain in given:
        ends = {end for step in chain for end in link(step)}
        back = (s for s in circles if link(s)[0] == link(chain[-1])[1] and link(s)[1] in ends)
        closing = None if _circular(chain) else next(back, None)
        found.append((*chain, closing) if closing else chain)
    return found


def _circular(chain: Sequence[GraphRelation]) -> bool:
    return len({end for step in chain for end in link(step)}) <= len(chain)


def closes_cycle(step: GraphRelation, told: Set[tuple[str, str]]) -> bool:
    """Whether a link leads back to what, by the links ``told``, led to its cause: a circle."""
    cause, effect = link(step)
    reached, new = {effect}, {effect}
    while new:
        new = {far for near, far in told if near in new} - reached
        reached |= new
    return cause in reached and not prevents(step)


def cause_and_effect(step: GraphRelation) -> tuple[str, str]:
    """The two ends of one link in the order of causation, whichever of them says so."""
    ends = (step.source_title, step.target_title)
    return (ends[1], ends[0]) if step.relation in REVERSED else ends


def forward(relation: str) -> str:
    """The words of a causal relation between its cause and its effect."""
    return _FORWARD.get(relation) or phrase(relation)
