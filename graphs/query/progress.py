"""What a question's graph streams in mode ``custom``: its steps, and a model's words as written."""

from collections.abc import Callable
from functools import wraps
from typing import Literal, NotRequired, TypedDict, cast

from langgraph.config import get_stream_writer
from langgraph.types import StreamWriter

from graphs.core.nodes import Node, Update


class QueryProgress(TypedDict):
    """A step begins or ends, or a model writes ``text`` further, which nobody has checked yet.

    ``step`` is the node's name; ``found`` are the hits of a search that ended. Of a comparison each
    subject has searches of its own.
    """

    step: str
    state: Literal["started", "finished", "writing"]
    found: NotRequired[int]
    text: NotRequired[str]


def announced(name: str, node: Node) -> Node:
    """The node, whose beginning and end are streamed; one that fails or asks back has no end."""

    @wraps(node)
    async def run(*args: object, **kwargs: object) -> Update:
        tell: Callable[[QueryProgress], None] = get_stream_writer()
        tell({"step": name, "state": "started"})
        update = await node(*args, **kwargs)
        ended: QueryProgress = {"step": name, "state": "finished"}
        if isinstance(hits := update.get("hits"), list):
            ended["found"] = len(cast("list[object]", hits))
        tell(ended)
        return update

    return run


class Draft:
    """A model's sentences while it writes them: streams what is new of each reply heard."""

    def __init__(self, tell: StreamWriter) -> None:
        self._tell = tell
        self._told = ""

    def __call__(self, sentences: str) -> None:
        """Hear all that is written by now; what does not go on from before begins anew."""
        new = sentences.removeprefix(self._told)
        if new:
            self._tell(QueryProgress(step="answer", state="writing", text=new))
        self._told = sentences
