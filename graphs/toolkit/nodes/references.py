"""How nodes of the graph are named to other programs, and found by what they are called.

A note's id is its path in the vault, a tag's ``tag:NAME``, that of any other thing ``name:NAME``.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from graphs.core.deps import Deps
from graphs.query.retrieval.facts import notes_by_name
from tools.base import guards
from tools.base.domain import GraphNode
from tools.base.errors import InputError

_TAG, _NAME = "tag:", "name:"
NOTE, TAG, NAME = "Note", "Tag", "Name"
"""Types of nodes, beside those that notes give themselves (``type: project`` is a Project)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRef:
    """A node: its id, what it is called, and its type."""

    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What an id stands for: notes by path, or names of things that are no notes."""

    paths: Sequence[str] = ()
    names: Sequence[str] = ()


async def find_node(deps: Deps, node_id: str) -> Wanted:
    """What is called so: an id, or a note's title or alias. Raises InputError where nothing is."""
    said = guards.subject(node_id)
    if said.startswith(_TAG):
        return Wanted(names=[said.removeprefix(_TAG)])
    if said.startswith(_NAME):
        return Wanted(names=[said.removeprefix(_NAME)])
    found = await asyncio.to_thread(_notes, deps, said)
    return Wanted(paths=found[:1]) if found else Wanted(names=[said])


def _notes(deps: Deps, said: str) -> Sequence[str]:
    return [said] if deps.catalog.records([said]) else notes_by_name(deps, said)


def unknown(node_id: str) -> InputError:
    return InputError(f"Nothing in the graph is called {node_id!r}: look for it with search_graph.")


def ref_of(node: GraphNode) -> NodeRef:
    return NodeRef(id=id_of(node.title, node.kind, node.path), name=node.title, type=type_of(node))


def id_of(title: str, kind: str, path: str | None) -> str:
    if path is not None:
        return path
    return f"{_TAG}{title.lstrip('#')}" if kind == "tag" else f"{_NAME}{title}"


def type_of(node: GraphNode) -> str:
    if node.kind == "note":
        return note_type(node.note_type)
    return TAG if node.kind == "tag" else NAME


def note_type(said: str | None) -> str:
    """The type of a note that calls itself ``said``."""
    return " ".join(said.replace("_", " ").split()).title() if said else NOTE


def is_of_type(node_type: str, wanted: Collection[str]) -> bool:
    """Whether it is one of these types, however they are written; without any it is."""
    return not wanted or node_type.casefold() in {one.casefold() for one in wanted}
