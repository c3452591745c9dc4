"""What a thread's state is emptied of when a question begins, and when it ends."""

from langgraph.types import Overwrite

from graphs.core.nodes import Update


def reset_state(question: str) -> Update:
    """Start a question: nothing of an earlier one in the same thread is left."""
    lists = ("hits", "answered_sources", "failed_sources", "warnings", "remarks")
    return {
        "question": question,
        "declined": False,
        "merged": (),
        "behind": (),
        "contradictions": (),
        "changes": (),
        "listing": None,
        "answerable": None,
        "confidence": None,
        "text": "",
        **{name: Overwrite([]) for name in lists},
    }


def cleared_state() -> Update:
    """Empty what the result holds too, and what only the nodes needed: no thread need keep it."""
    lists = {"merged": (), "contradictions": (), "changes": ()}
    return {"hits": Overwrite([]), **lists, "listing": None, "read": None, "text": ""}
