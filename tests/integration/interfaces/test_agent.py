"""A LangGraph agent solves tasks with the tools; a script stands for its model."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from graphs.toolkit.langchain import brain_tools
from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration

type Found = dict[str, Any]
type Step = Callable[[list[Found]], tuple[str, dict[str, Any]]]
"""What the model calls next, given what its calls have given so far."""
type Task = tuple[list[Step], Callable[[list[Found]], str], str]
"""The calls, how the answer follows from what they gave, and what is right."""


def calling(name: str, **arguments: Any) -> Step:
    return lambda _: (name, arguments)


TASKS: dict[str, Task] = {
    "what is it": (
        [calling("ask", question="What is a Zettelkasten?")],
        lambda found: found[0]["answer"],
        "collection of short linked notes",
    ),
    "find and read": (
        [
            calling("search_notes", query="late caffeine"),
            lambda found: ("read_note", {"note": found[0]["notes"][0]["path"]}),
        ],
        lambda found: found[1]["title"],
        "Late caffeine",
    ),
    "read a section of an alias": (
        [calling("read_note", note="slip-box", section="Purpose")],
        lambda found: found[0]["text"],
        "reading into original writing",
    ),
    "start in the graph and look closer": (
        [
            calling("search_graph", query="Why do I keep a Zettelkasten?"),
            lambda found: ("get_node", {"node_id": found[0]["anchors"][0]["id"]}),
        ],
        lambda found: " ".join(edge["subject"] for edge in found[1]["incoming"]),
        "How to Take Smart Notes",
    ),
    "how two are connected": (
        [calling("traverse_path", from_id="Late caffeine", to_id="Poor morning recall")],
        lambda found: found[0]["path_description"],
        "Poor morning recall",
    ),
    "which projects are active": (
        [calling("list_nodes", type="Project", filters={"status": "active"})],
        lambda found: " ".join(node["name"] for node in found[0]["nodes"]),
        "Greenhouse",
    ),
    "what is closest, then why": (
        [
            calling("find_related", node_id="Zettelkasten", limit=1),
            lambda found: (
                "traverse_path",
                {"from_id": "Zettelkasten", "to_id": found[0]["related"][0]["id"]},
            ),
        ],
        lambda found: found[1]["path_description"],
        "How to Take Smart Notes",
    ),
    "how it evolved": (
        [calling("timeline", concept="atomic notes", since="2024-05-01")],
        lambda found: " ".join(one["note_title"] for one in found[0]["occurrences"]),
        "Atomic notes improve recall",
    ),
    "what held then": (
        [calling("facts", subject="Greenhouse", as_of="2025-06-01")],
        lambda found: " ".join(f"{one['relation']} {one['object']}" for one in found[0]["facts"]),
        "TAGGED",
    ),
    "mend a call that was refused": (
        [
            calling("read_note", note="Zetelkasten"),
            calling("semantic_search", query="Zettelkasten slip box", limit=1),
            lambda found: ("read_note", {"note": found[-1]["results"][0]["id"]}),
        ],
        lambda found: found[-1]["text"],
        "slip box",
    ),
}


@pytest.mark.parametrize("task", TASKS)
async def test_an_agent_solves_its_task(indexed: Indexed, task: str) -> None:
    steps, conclude, right = TASKS[task]
    async with indexed.open() as brain:
        agent = agent_of(steps, conclude, brain_tools(brain))
        done = await agent.ainvoke({"messages": [HumanMessage(task)]})
    assert right in done["messages"][-1].content


def agent_of(steps: list[Step], conclude: Callable[[list[Found]], str], tools: list[Any]) -> Any:
    """The usual loop of a model and its tools."""

    def model(state: MessagesState) -> dict[str, list[AnyMessage]]:
        given = [m for m in state["messages"] if isinstance(m, ToolMessage)]
        found = [read(message) for message in given]
        if len(given) == len(steps):
            return {"messages": [AIMessage(conclude(found))]}
        name, arguments = steps[len(given)](found)
        call = {"name": name, "args": arguments, "id": str(len(given))}
        return {"messages": [AIMessage("", tool_calls=[call])]}

    builder: Any = StateGraph(MessagesState)  # partly untyped
    builder.add_node("model", model)
    builder.add_node("tools", ToolNode(tools))
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", tools_condition)
    builder.add_edge("tools", "model")
    return builder.compile()


def read(message: ToolMessage) -> Found:
    """What a tool gave; a refusal is its words."""
    try:
        return json.loads(str(message.content))
    except ValueError:
        return {"refused": message.content}
