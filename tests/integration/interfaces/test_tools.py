"""The tools that other programs call, over the example vault."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import jsonschema
import pytest
from langchain_core.tools import ToolException

from graphs.toolkit.audit_log.callers import caller
from graphs.toolkit.langchain import brain_tools
from graphs.toolkit.registry import TOOLS, call
from graphs.toolkit.tool import Session
from tests.support.processes.command_line import run_here
from tests.support.vaults.added_notes import given_by
from tests.support.vaults.indexed import Indexed
from tools.base.errors import InputError

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module", autouse=True)
def _not_compared_for_others(indexed: Indexed) -> Iterator[None]:
    """What a comparison of all notes found shows in later answers: other modules start without."""
    yield
    (indexed.data_dir / "contradictions.db").unlink(missing_ok=True)


@pytest.fixture
async def session(indexed: Indexed) -> AsyncIterator[Session]:
    async with indexed.open() as brain:
        yield Session(brain)


async def test_every_tool_gives_what_its_schema_says(session: Session) -> None:
    arguments: dict[str, dict[str, Any]] = {
        "ask": {"question": "What is a Zettelkasten?"},
        "search_notes": {"query": "late caffeine"},
        "read_note": {"note": "Zettelkasten"},
        "recent_notes": {},
        "semantic_search": {"query": "sleep"},
        "search_graph": {"query": "Why do I keep a Zettelkasten?"},
        "get_node": {"node_id": "Zettelkasten"},
        "list_nodes": {"type": "Project"},
        "find_related": {"node_id": "Zettelkasten"},
        "traverse_path": {"from_id": "Late caffeine", "to_id": "Poor morning recall"},
        "timeline": {"concept": "atomic notes"},
        "facts": {"subject": "Greenhouse"},
        "contradictions": {},
        "get_graph_stats": {"detailed": True},
        "suggest_links": {"note": "Zettelkasten"},
        "create_link": {
            "source": "Late caffeine",
            "target": "Zettelkasten",
            "relation": "influences",
        },
        "add_note_to_graph": {"path": "inbox/Herons.md", "content": "See [[Zettelkasten]]."},
        "undo_add_note": {"note": "inbox/Herons.md"},
    }
    # This vault is every module's: undo_link is called where links may be written.
    assert arguments.keys() | {"undo_link"} == TOOLS.keys()
    session = Session(session.brain, caller("python", tier="librarian"))
    for name, one in arguments.items():
        found = await call(session, name, one)
        json.dumps(found.result)
        cast("Any", jsonschema).validate(found.result, TOOLS[name].output_schema)
        assert set(found.hints.next_steps) <= TOOLS.keys()
        assert found.result != {}


async def test_the_graph_is_searched_from_what_the_question_names(session: Session) -> None:
    found = await given_by(session, "search_graph", query="Why do I keep a Zettelkasten?")
    assert found["anchors"][0]["id"] == "notes/Zettelkasten.md"
    assert found["anchors"][0]["match_type"] == "exact"
    assert found["expansion"] == "hierarchy"
    told = {(edge["subject"], edge["relation"], edge["object"]) for edge in found["context"]}
    assert ("Atomic note", "PART_OF", "Zettelkasten") in told
    assert "Atomic note — part of → Zettelkasten (notes/Atomic note.md:19)" in found["summary"]


async def test_what_is_only_nearest_is_no_anchor(session: Session) -> None:
    for foreign in (
        "How do I wire six solenoids to a Raspberry Pi?",
        "Who won the 1998 cup final?",
    ):
        found = await given_by(session, "search_graph", query=foreign)
        assert (found["anchors"], found["context"]) == ([], [])
        assert found["summary"] == "About: nothing."


@pytest.mark.parametrize(
    ("question", "expansion"),
    [
        ("What am I afraid of?", "fear"),
        ("Nelerden korkuyorum?", "fear"),
        ("Hangi risklerden kaçınıyorum?", "fear"),
        ("Kahveyi neden bıraktım?", "hierarchy"),
        ("Zettelkasten nedir?", "context"),
        ("Compare Zettelkasten and PARA", "knowledge"),
    ],
)
async def test_the_question_decides_what_is_followed_in_both_languages(
    session: Session, question: str, expansion: str
) -> None:
    found = await given_by(session, "search_graph", query=question)
    assert found["expansion"] == expansion
    told = await given_by(session, "search_graph", query=question, expansion="knowledge")
    assert told["expansion"] == "knowledge"


async def test_a_node_is_found_by_id_title_and_alias(session: Session) -> None:
    for said in ("notes/Zettelkasten.md", "Zettelkasten", "slip-box"):
        found = await given_by(session, "get_node", node_id=said)
        assert found["node"]["id"] == "notes/Zettelkasten.md"
        assert found["node"]["properties"]["building_block"] == "concept"
    tag = await given_by(session, "get_node", node_id="tag:method")
    assert tag["node"]["type"] == "Tag"
    assert "notes/Zettelkasten.md" in {edge["subject_id"] for edge in tag["incoming"]}
    with pytest.raises(InputError, match="search_graph"):
        await given_by(session, "get_node", node_id="No such thing at all")


async def test_the_way_between_two_notes_names_each_step_and_its_line(session: Session) -> None:
    found = await given_by(session, "traverse_path", from_id="Late caffeine", to_id="Zettelkasten")
    path = found["path"]
    assert (path[0]["node_name"], path[-1]["node_name"]) == ("Late caffeine", "Zettelkasten")
    assert all(one["note_path"] and one["line"] for one in path[:-1])
    assert all(one["node_name"] in found["path_description"] for one in path)
    lonely = await given_by(
        session, "traverse_path", from_id="Late caffeine", to_id="Zettelkasten", max_depth=1
    )
    assert lonely == {"found": False, "path": [], "path_description": ""}


async def test_what_is_most_connected_comes_first(session: Session) -> None:
    found = await given_by(session, "find_related", node_id="Zettelkasten", limit=5)
    strengths = [one["connection_strength"] for one in found["related"]]
    assert strengths == sorted(strengths, reverse=True)
    only = await given_by(
        session, "find_related", node_id="Zettelkasten", relation_types=["part_of"], depth=1
    )
    assert {one["relation_path"] for one in only["related"]} == {"PART_OF"}


async def test_nodes_are_listed_by_type_and_property_in_pages(session: Session) -> None:
    projects = await given_by(session, "list_nodes", type="project")
    assert projects["count"] == len(projects["nodes"]) > 1
    active = await given_by(session, "list_nodes", type="Project", filters={"Status": "active"})
    assert 0 < active["count"] < projects["count"]
    first = await given_by(session, "list_nodes", type="Note", limit=7)
    ids = [one["id"] for one in first["nodes"]]
    cursor = first["next_cursor"]
    while cursor:
        more = await given_by(session, "list_nodes", type="Note", limit=7, cursor=cursor)
        ids += [one["id"] for one in more["nodes"]]
        cursor = more["next_cursor"]
    assert len(ids) == len(set(ids)) == first["count"]
    with pytest.raises(InputError, match="cursor"):
        await given_by(session, "list_nodes", type="Tag", limit=7, cursor=first["next_cursor"])


async def test_tags_are_listed_as_the_graph_counts_them(session: Session) -> None:
    listed = await given_by(session, "list_nodes", type="tag", limit=100)
    census = await given_by(session, "get_graph_stats", detailed=True)
    assert listed["count"] == census["by_node_type"]["Tag"]
    names = [one["name"] for one in listed["nodes"]]
    assert names == sorted(names, key=str.casefold)


async def test_a_type_that_no_note_is_of_is_refused_with_those_there_are(session: Session) -> None:
    with pytest.raises(InputError, match=r"type 'Goal': there are Note, Tag, .*Project"):
        await given_by(session, "list_nodes", type="Goal")


async def test_a_cursor_is_of_one_list_of_one_tool(session: Session) -> None:
    found = await given_by(session, "search_notes", query="changed", limit=1)
    recent = await given_by(session, "recent_notes", by="changed", limit=1)
    others = [found["next_cursor"], "garbage", "ü", "MTIz", "LTE6YWJj", "9" * 200]
    for cursor in others:
        with pytest.raises(InputError, match="The cursor is of another list"):
            await given_by(session, "recent_notes", by="changed", limit=1, cursor=cursor)
    with pytest.raises(InputError, match="The cursor is of another list"):
        await given_by(
            session, "search_notes", query="changed", limit=1, cursor=recent["next_cursor"]
        )


async def test_a_note_is_read_whole_by_section_and_by_lines(session: Session) -> None:
    whole = await given_by(session, "read_note", note="notes/Zettelkasten.md")
    assert whole["text"].count("\n") + 1 == whole["total_lines"]
    section = await given_by(session, "read_note", note="Zettelkasten", section="Purpose")
    assert section["text"].startswith("## Purpose")
    lines = whole["text"].split("\n")[section["line_start"] - 1 : section["line_end"]]
    assert section["text"] == "\n".join(lines)
    for bad in (
        {"note": "../../etc/passwd.md"},
        {"note": "notes/gone.md"},
        {"note": "Zettelkasten", "section": "Nowhere"},
        {"note": "Zettelkasten", "line_start": 10_000},
    ):
        with pytest.raises(InputError):
            await given_by(session, "read_note", **bad)


async def test_an_agent_of_langchain_gets_results_and_messages(session: Session) -> None:
    tools = {one.name: one for one in brain_tools(session.brain)}
    assert tools.keys() == {name for name, one in TOOLS.items() if one.tier == "reader"}
    found = await tools["get_node"].ainvoke({"node_id": "Zettelkasten"})
    assert found["node"]["id"] == "notes/Zettelkasten.md"
    assert "not a path inside" in await tools["read_note"].ainvoke({"note": "../x.md"})
    assert [one.name for one in brain_tools(session.brain, "ask")] == ["ask"]
    assert ToolException.__name__ not in str(await tools["get_node"].ainvoke({"node_id": "?"}))


@pytest.mark.parametrize(
    "arguments",
    [
        {"choose": "1"},
        {"question": "What is sleep?", "thread": "x", "choose": "1"},
        {"question": "What is sleep?", "confirm": True, "interactive": False},
        {"question": ""},
        {"question": "*query"},
        {"thread": "nothere", "choose": "1"},
        {"question": "What is sleep?", "limit": 0},
        {"question": "What is sleep?", "as_of": "soonish"},
    ],
)
async def test_what_ask_cannot_use_is_told_by_the_names_of_its_arguments(
    session: Session, arguments: dict[str, Any]
) -> None:
    with pytest.raises(InputError) as refused:
        await call(session, "ask", arguments)
    assert "--" not in str(refused.value)
    assert "brain ask" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nope"], "There is no tool 'nope'"),
        (["get_node", "--json", "{"], "no JSON"),
        (["get_node", "--json", "[]"], "JSON object"),
        (["get_node", "--json", "[" * 20_000], "no JSON"),
        (["get_node"], "node_id: Field required"),
        (["search_graph", "--json", '{"query": "x", "max_depth": 9}'], "max_depth"),
    ],
)
def test_a_call_from_the_terminal_that_cannot_be_is_refused(
    indexed: Indexed, arguments: list[str], said: str
) -> None:
    done = run_here("tool", *arguments, environment=indexed.environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_tool_is_called_and_described_from_the_terminal(indexed: Indexed) -> None:
    environment = indexed.environment
    listed = run_here("tool", environment=environment)
    assert all(name in listed.stdout for name in TOOLS)
    schema = json.loads(run_here("tool", "get_node", "--schema", environment=environment).stdout)
    assert schema["input"]["required"] == ["node_id"]
    done = run_here("tool", "recent_notes", "--json", '{"limit": 2}', environment=environment)
    assert len(json.loads(done.stdout)["notes"]) == 2


def test_calls_are_in_the_audit_log_without_their_texts(indexed: Indexed) -> None:
    environment = indexed.environment
    run_here(
        "tool", "search_notes", "--json", '{"query": "late caffeine"}', environment=environment
    )
    run_here(
        "tool", "read_note", "--json", '{"note": "notes/Zettelkasten.md"}', environment=environment
    )
    listed = run_here("audit", "--json", environment=environment).stdout
    *_, searched, read = json.loads(listed)
    assert (searched["tool"], searched["client"], searched["outcome"]) == (
        "search_notes", "terminal", "ok",
    )  # fmt: skip
    assert "caffeine" not in json.dumps(searched)
    assert read["arguments"]["note"] == "notes/Zettelkasten.md"
    assert run_here("audit", "verify", environment=environment).returncode == 0
