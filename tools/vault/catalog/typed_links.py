"""Which notes say how they are related to which: the edges that the graph has of them. Pure."""

from collections.abc import Callable, Sequence

from tools.graph.relations import SUPERSEDED_BY, SUPERSEDES

type TypedLink = tuple[str, str, str]
"""The note that says it, the relation as the graph calls it, and the other note, both by path."""

_LASTING = (SUPERSEDES, SUPERSEDED_BY)


def typed_links(
    stated: Sequence[tuple[str, str, str]], resolve: Callable[[str], str | None]
) -> tuple[TypedLink, ...]:
    """The typed links of ``stated`` paths, relations and names; one may be there twice.

    As in the graph, a note in whose place another has come says nothing any more but that.
    """
    # Most names stand in many notes.
    leads = {name: resolve(name) for name in {name for _, _, name in stated}}
    found = tuple(
        (path, relation, to)
        for path, relation, name in stated
        if (to := leads[name]) is not None and to != path
    )
    replaced = {to for _, relation, to in found if relation == SUPERSEDES}
    replaced |= {path for path, relation, _ in found if relation == SUPERSEDED_BY}
    if not replaced:
        return found
    return tuple(one for one in found if one[0] not in replaced or one[1] in _LASTING)
