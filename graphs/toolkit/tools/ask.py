"""The tool that answers a question, as ``brain ask`` does."""

from itertools import count

from graphs.query.progress import QueryProgress
from graphs.toolkit.handler import answer_to, check
from graphs.toolkit.request import QueryRequest
from graphs.toolkit.tool import Session, tool
from tools.base.domain import Answer


@tool("Ask the notes", next_steps=("read_note", "search_graph"), looks_itself=True)
async def ask(session: Session, given: QueryRequest) -> Answer:
    """Ask a person's vault of markdown notes a question in plain words, in English or Turkish.

    Every line of the answer names its note, heading and line. Where ``status`` begins with
    ``needs_``, call again with the ``thread_id`` as ``thread`` and an option's number as
    ``choose``.
    """
    check(given)
    steps = count(1)

    def hear(progress: QueryProgress) -> None:
        if progress["state"] == "started":
            session.tell(next(steps), None, progress["step"])

    return await answer_to(session.brain, given, on_progress=hear)
