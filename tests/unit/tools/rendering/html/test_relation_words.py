"""A relation is told in the same words wherever it is shown."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.support.values.pictured import a_neighbourhood
from tools.graph.changes_over_time import NoteHistory, events
from tools.graph.versions import Statement, Version, VersionContent, date
from tools.rendering.html.graph_page import graph_page

DAY = datetime(2024, 3, 1, tzinfo=UTC)


def in_a_timeline(relation: str) -> str:
    link = Statement(relation=relation, target="Sleep", kind="link", line=1, strength=0.9)
    versions = [
        Version(
            key=day,
            path="Tea.md",
            at=DAY.replace(day=day),
            origin="seen",
            content_hash=str(day),
            said=VersionContent(title="Tea", opening="", statements=statements),
        )
        for day, statements in ((1, ()), (2, (link,)))
    ]
    return next(
        e.detail for e in events(NoteHistory(versions=date(versions))) if e.kind == "linked"
    )


def in_a_graph(relation: str) -> str:
    made = a_neighbourhood(2, 1)
    (edge,) = made.edges
    named = replace(edge.relation, relation=relation)
    drawn = replace(made, edges=(replace(edge, relation=named),))
    return graph_page(drawn, causal=(), now=DAY)


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("LEADS_TO", "leads to"),
        ("CAUSED_BY", "is caused by"),
        ("STATUS", "has status"),
        ("LINKS_TO", "links to"),
    ],
)
def test_a_timeline_and_a_picture_say_what_facts_say(relation: str, words: str) -> None:
    assert in_a_timeline(relation) == f"{words} → Sleep"
    assert f"<td>{words}</td>" in in_a_graph(relation)
