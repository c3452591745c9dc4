"""The graph of a conversation: every message is a question, every answer a message.

It works with what speaks LangGraph's messages, as Studio's chat and Agent Chat UI do. What is
unclear is asked back by an interrupt with numbered options; a later question may lean on those
before it in its thread.
"""

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from graphs.core.deps import Deps
from graphs.core.nodes import Update, add_node, compiled, run
from graphs.core.state import QueryContext
from graphs.query.graph import build as build_query
from graphs.query.routing import context_of
from tools.base.domain import Answer
from tools.base.errors import BrainError

type ChatGraph = StateGraph[MessagesState, QueryContext, MessagesState, MessagesState]


def build(deps: Deps) -> ChatGraph:
    """Build the graph, which has to be compiled with a checkpointer."""
    # Of the thread: what a question may lean on, and which readings were chosen in it.
    query = compiled(build_query(deps), saver=True)

    async def answer(state: MessagesState, runtime: Runtime[QueryContext]) -> Update:
        """Answer the last message; what cannot be asked is told as a message, too."""
        try:
            output = await run(query, {"question": _asked(state)}, context=context_of(runtime))
        except BrainError as error:
            told = {"status": "refused", "sources": list[object]()}
            return {"messages": [AIMessage(str(error), additional_kwargs=told)]}
        return {"messages": [_message(output["result"])]}

    builder = StateGraph(MessagesState, context_schema=QueryContext)
    add_node(builder, "answer", answer)
    builder.add_edge(START, "answer")
    builder.add_edge("answer", END)
    return builder


def _asked(state: MessagesState) -> str:
    """The last message of a person; nothing where there is none, which is refused as a question."""
    asked = [one for one in state["messages"] if isinstance(one, HumanMessage)]
    return asked[-1].text if asked else ""


def _message(answer: Answer) -> AIMessage:
    """The answer as markdown, with the places that it cites."""
    sources = [
        {"source": one.note_path, "title": one.note_title, "score": one.composite_relevance}
        for one in answer.results
    ]
    return AIMessage(answer.answer, additional_kwargs={"status": answer.status, "sources": sources})
