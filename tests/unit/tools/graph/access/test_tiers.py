"""Which rules bind which tier, whatever a vault's folder is called."""

import re

import pytest

from tools.graph.access.kinds import TIERS, Tier
from tools.graph.access.tiers import (
    FALKORDB,
    NEO4J_ENTERPRISE,
    Graphs,
    graphs_of,
    user_name,
    user_rules,
)

HIDDEN = "a-long-secret"
GRAPHS = graphs_of("notes-1a2b")
CHANGE = {"+multi", "+exec", "+discard"}


def commands(tier: Tier, graphs: Graphs = GRAPHS) -> dict[str, set[str]]:
    """The graph commands of a tier, each with the patterns that confine it."""
    allowed: dict[str, set[str]] = {}
    for rule in user_rules(tier, graphs, secret=HIDDEN):
        if rule.startswith("("):
            parts = rule.strip("()").split()
            for command in (part for part in parts if part.startswith("+")):
                allowed.setdefault(command, set()).update(p for p in parts if p.startswith("~"))
    return allowed


def test_each_command_is_confined_to_its_graphs() -> None:
    main, both = {"~notes-1a2b"}, {"~notes-1a2b", "~notes-1a2b-staging"}
    assert commands("reader") == {"+graph.ro_query": main}
    assert commands("contributor") == {"+graph.ro_query": both, "+graph.query": both - main}
    assert commands("librarian") == {"+graph.ro_query": both, "+graph.query": both}
    curator = commands("curator")
    assert curator["+graph.delete"] == both
    assert all(patterns == both for patterns in curator.values())


@pytest.mark.parametrize("tier", TIERS)
def test_outside_of_selectors_nothing_touches_a_key(tier: Tier) -> None:
    plain = [r for r in user_rules(tier, GRAPHS, secret=HIDDEN) if not r.startswith("(")]
    assert plain[0] == "reset"
    assert not any(rule.startswith(("~", "%", "allkeys", "+@", "nopass")) for rule in plain)
    assert {r for r in plain if r.startswith("+")} <= {"+ping", *CHANGE}


def test_a_secret_is_never_part_of_a_rule() -> None:
    for tier in TIERS:
        assert not any(HIDDEN in rule for rule in user_rules(tier, GRAPHS, secret=HIDDEN))


@pytest.mark.parametrize(
    "name", ["my notes", "a)~* (b", "*", "[a-z]", "a?b", "ığdır", 'a"b', "x\\*", "a\n~*", "\udcff"]
)
def test_a_folder_by_any_name_adds_no_rule(name: str) -> None:
    graphs = graphs_of(f"{name}-1a2b3c4d")
    for tier in TIERS:
        for rule in user_rules(tier, graphs, secret=HIDDEN):
            assert re.fullmatch(r"[ -~]+", rule)
            for pattern in (part for part in rule.strip("()").split() if part.startswith("~")):
                assert re.fullmatch(r"~[A-Za-z0-9._?-]+1a2b3c4d(-staging)?", pattern)
                assert "*" not in pattern


def test_users_of_two_vaults_are_never_the_same() -> None:
    names = {user_name(vault, tier) for vault in ("a-1", "a-2", "\udcff") for tier in TIERS}
    assert len(names) == 3 * len(TIERS)
    assert all(re.fullmatch(r"brain-[0-9a-f]{16}-[a-z]+", name) for name in names)


def test_every_tier_is_described_for_every_database() -> None:
    for table in (FALKORDB, NEO4J_ENTERPRISE):
        assert tuple(row.tier for row in table) == TIERS
        assert all(row.may and row.database and row.program for row in table)
