"""Which notes link to which. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

type Linked = Mapping[str, frozenset[str]]
"""Notes by the path of another; one without any is absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkGraph:
    """Of each note those that it links to, and those that link to it."""

    to: Linked
    back: Linked

    def targets(self, path: str) -> frozenset[str]:
        return self.to.get(path, frozenset())

    def sources(self, path: str) -> frozenset[str]:
        return self.back.get(path, frozenset())

    def neighbours(self, path: str) -> frozenset[str]:
        """The notes at the other end of a link, whichever way it goes."""
        return self.targets(path) | self.sources(path)


def link_graph(links: Iterable[tuple[str, str]]) -> LinkGraph:
    """The graph of these links, each from one path to another."""
    to, back = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for source, target in links:
        to[source].add(target)
        back[target].add(source)
    return LinkGraph(
        to={path: frozenset(others) for path, others in to.items()},
        back={path: frozenset(others) for path, others in back.items()},
    )
