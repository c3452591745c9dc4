"""The script for Neo4j Enterprise: what each role is granted, where, and nothing beside it."""

import re
from collections import Counter

import pytest

from tools.graph.access.kinds import TIERS, Tier
from tools.graph.access.neo4j_roles import (
    revoke_statements,
    role_statements,
    script,
    tier_statements,
)
from tools.graph.access.tiers import graphs_of, user_name
from tools.graph.cypher.schema import EDGES, neo4j_nodes

GRAPHS = graphs_of("recipes")
RIGHT = re.compile(
    r"(?P<verb>GRANT|DENY) (?P<right>[A-Z ]+?)(?: (?P<of>\{[^}]*\}|\*))? "
    r"ON (?:GRAPH|DATABASE) `(?P<where>[^`]*)`(?: (?P<what>NODES|RELATIONSHIPS) (?P<names>.+))? "
    r"TO `(?P<role>[^`]*)`"
)
WRITES = {"CREATE", "DELETE", "SET PROPERTY", "SET LABEL", "REMOVE LABEL"}


def rights(tier: Tier) -> list[dict[str, str]]:
    lines = tier_statements("v", tier, GRAPHS)[3:]
    found = [RIGHT.fullmatch(line) for line in lines]
    assert all(found), [line for line, match in zip(lines, found, strict=True) if not match]
    return [match.groupdict() for match in found if match]


def granted(tier: Tier, where: str) -> set[str]:
    return {r["right"] for r in rights(tier) if r["verb"] == "GRANT" and r["where"] == where}


def properties(tier: Tier, right: str, where: str) -> dict[str, set[str]]:
    """The properties of each label and type that a right is granted on."""
    return {
        row["names"].strip("`"): set(re.findall(r"`([^`]*)`", row["of"]))
        for row in rights(tier)
        if (row["verb"], row["right"], row["where"]) == ("GRANT", right, where)
    }


def test_reading_and_writing_are_granted_on_exactly_what_is_written() -> None:
    listed = {shape.name: set(shape.properties) for shape in (*neo4j_nodes(), *EDGES)}
    assert properties("reader", "READ", "recipes") == listed
    assert properties("contributor", "READ", "recipes") == listed
    assert properties("contributor", "SET PROPERTY", "recipes-staging") == listed
    assert properties("librarian", "SET PROPERTY", "recipes") == listed


def test_each_tier_writes_where_it_may() -> None:
    assert granted("reader", "recipes") == {"ACCESS", "TRAVERSE", "READ"}
    assert granted("reader", "recipes-staging") == set()
    assert not WRITES & granted("contributor", "recipes")
    assert granted("contributor", "recipes-staging") >= WRITES
    assert granted("librarian", "recipes") & granted("librarian", "recipes-staging") >= WRITES
    assert "ALL GRAPH PRIVILEGES" in granted("curator", "recipes")
    assert "ALL GRAPH PRIVILEGES" not in granted("librarian", "recipes")


def test_what_is_denied_outweighs_later_grants() -> None:
    denied = {t: {r["right"] for r in rights(t) if r["verb"] == "DENY"} for t in TIERS}
    assert denied["reader"] == denied["contributor"] == {"WRITE"}
    assert {"DELETE", "SET PROPERTY", "DROP CONSTRAINT"} <= denied["librarian"]
    assert denied["curator"] == set()


@pytest.mark.parametrize("tier", TIERS)
def test_nothing_is_granted_beyond_the_vault_or_to_others(tier: Tier) -> None:
    assert {row["where"] for row in rights(tier)} <= {"recipes", "recipes-staging"}
    assert {row["role"] for row in rights(tier)} == {user_name("v", tier)}


def test_it_is_complete_and_twice_is_once() -> None:
    lines = role_statements("v", GRAPHS)
    kinds = Counter(" ".join(line.split()[:2]) for line in lines)
    assert kinds["CREATE ROLE"] == kinds["CREATE USER"] == kinds["GRANT ROLE"] == len(TIERS)
    assert kinds["CREATE DATABASE"] == 2
    assert all("IF NOT EXISTS" in line for line in lines if line.startswith("CREATE"))
    assert len(set(lines)) == len(lines)


def test_secrets_are_parameters() -> None:
    text = script("v", GRAPHS)
    for tier in TIERS:
        assert f"SET PASSWORD ${tier} CHANGE NOT REQUIRED" in text
    assert text.count("PASSWORD") == len(TIERS)
    assert text.count(";\n") == len(role_statements("v", GRAPHS))


def test_names_are_quoted() -> None:
    lines = role_statements("v", graphs_of("a`b"))
    assert lines[0] == "CREATE DATABASE `a``b` IF NOT EXISTS WAIT"
    assert all(line.endswith(" IF EXISTS") for line in revoke_statements("v", "reader"))
