"""Calls that add notes to a small vault, and what came of them."""

from typing import Any

from graphs.brain import Brain
from graphs.core.graph_backends import staging_graph
from graphs.toolkit.audit_log.callers import caller
from graphs.toolkit.registry import call
from graphs.toolkit.tool import Session
from tests.support.vaults.indexed import Indexed
from tools.graph.access.kinds import Tier
from tools.graph.backends.graphiti import GraphitiStore

NOTES = {
    "Atomic note.md": "# Atomic note\n\nOne thought.\n",
    "inbox/Old.md": "Written by hand.\n",
}
HERONS = (
    "---\ncreated_by: the boss\ntags: [birds]\n---\n# Herons\n\n"
    "Herons eat newts, says [[Nobody]].\n\nsupports:: [[Atomic note]]\n"
)
ADD, UNDO = "add_note_to_graph", "undo_add_note"


def as_tier(brain: Brain, tier: Tier, client: str = "claude-desktop") -> Session:
    return Session(brain, caller(client, tier=tier))


async def given_by(session: Session, name: str, **arguments: Any) -> dict[str, Any]:
    return (await call(session, name, arguments)).result


async def staged_in_graph(brain: Brain) -> set[str]:
    store = GraphitiStore(staging_graph(brain.settings, None))
    try:
        return set(await store.digests())
    finally:
        await store.close()


def files(place: Indexed) -> set[str]:
    return {str(one.relative_to(place.vault)) for one in place.vault.rglob("*") if one.is_file()}
