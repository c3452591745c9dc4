"""The four tiers of access and the Redis rules that make FalkorDB enforce them. Pure.

What FalkorDB can express was measured (docs/ARCHITECTURE.md, "Access"): each of its commands
claims to write its key, so a permission to read only (``%R~``) admits none of them. What tells
reading from writing is the command, and a selector ties each command to its graphs.
"""

import hashlib
import re
from dataclasses import dataclass

from tools.graph.access.kinds import Tier

OWNER = "default"
"""The user that the program itself is on the embedded server; Redis makes it."""

_CHANGE = ("+multi", "+exec", "+discard")
"""A change lands whole, so it is sent as one transaction."""
_CURATE = (
    *("+graph.delete", "+graph.copy", "+graph.constraint"),
    *("+graph.explain", "+graph.profile", "+graph.memory", "+graph.slowlog"),
)
"""Those of the rest that name the graph they are about, so that a pattern can confine them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graphs:
    """The names of a vault's two graphs: what holds, and what waits to be looked at."""

    main: str
    staging: str


def graphs_of(name: str) -> Graphs:
    """The two graphs of a vault whose graph has this name; also the names of Neo4j's databases."""
    return Graphs(main=name, staging=f"{name}-staging")


def user_name(vault: str, tier: Tier) -> str:
    """A tier's user, or role, on any server; ``vault`` is whatever tells a vault from others."""
    mark = hashlib.sha256(vault.encode(errors="surrogateescape")).hexdigest()
    return f"brain-{mark[:16]}-{tier}"


def secret_hash(secret: str) -> str:
    """How Redis keeps a password. Ours are random and long, so the hash gives nothing away."""
    return hashlib.sha256(secret.encode()).hexdigest()


def user_rules(tier: Tier, graphs: Graphs, *, secret: str) -> tuple[str, ...]:
    """What follows ``ACL SETUSER name``: it makes the user, or makes it what it should be.

    Only the secret's hash is in it, so that no log of the server's commands has the secret.
    """
    main, staging = map(_pattern, (graphs.main, graphs.staging))
    begin = ("reset", "on", f"#{secret_hash(secret)}", "-@all", "+ping")
    match tier:
        case "reader":  # what nobody has looked at yet is not for everybody
            return (*begin, f"(+graph.ro_query {main})")
        case "contributor":
            read, write = f"(+graph.ro_query {main} {staging})", f"(+graph.query {staging})"
            return (*begin, *_CHANGE, read, write)
        case "librarian":
            return (*begin, *_CHANGE, f"(+graph.ro_query +graph.query {main} {staging})")
        case "curator":
            commands = " ".join(("+graph.ro_query", "+graph.query", *_CURATE))
            return (*begin, *_CHANGE, f"({commands} {main} {staging})")


def owner_rules(*, secret: str) -> tuple[str, ...]:
    """What gives the embedded server's owner a password.

    Without one every tier could become the owner: Redis lets each connection log in anew.
    """
    return ("on", "resetpass", f"#{secret_hash(secret)}", "allkeys", "allchannels", "+@all")


def reads_main_only(tier: Tier) -> bool:
    """Whether the database lets this tier ask the main graph questions that cannot write."""
    return tier in ("reader", "contributor")


def _pattern(graph: str) -> str:
    """The key pattern of one graph.

    Rules are told apart by spaces and parentheses and patterns have signs of their own, so each
    byte that is no plain one matches any one byte; a graph's name ends with a hash of its vault.
    """
    return "~" + re.sub(rb"[^A-Za-z0-9._-]", b"?", graph.encode(errors="replace")).decode("ascii")


@dataclass(frozen=True, slots=True, kw_only=True)
class Enforcement:
    """What a tier may do, what the database refuses it, and what only the program keeps from it."""

    tier: Tier
    may: str
    database: str
    program: str


_ANY_QUERY = (
    "what a query costs (8 s at most); on a server at an address also `LOAD CSV FROM 'https://…'`, "
    "by which whoever words a query has the server call an address"
)

FALKORDB: tuple[Enforcement, ...] = (
    Enforcement(
        tier="reader",
        may="ask the vault's graph",
        database="every write, the staging graph, other graphs and keys, every other command",
        program=_ANY_QUERY,
    ),
    Enforcement(
        tier="contributor",
        may="ask both graphs; write to the staging graph",
        database="writes to the vault's graph, deleting a graph, other graphs, admin commands",
        program="which nodes and properties of the staging graph are written or deleted",
    ),
    Enforcement(
        tier="librarian",
        may="ask and write both graphs",
        database="deleting or copying a graph, other graphs, admin commands",
        program="which nodes and properties are written; that it deletes no versions and does not "
        "empty a graph node by node",
    ),
    Enforcement(
        tier="curator",
        may="everything on the vault's two graphs, deleting and copying them too",
        database="other graphs and keys, admin commands of the server",
        program="asking before something is deleted",
    ),
)

NEO4J_ENTERPRISE: tuple[Enforcement, ...] = (
    Enforcement(
        tier="reader",
        may="ask the vault's database",
        database="every write, the staging database, labels, relationships and properties that "
        "are not the program's",
        program="what a query costs (8 s at most)",
    ),
    Enforcement(
        tier="contributor",
        may="ask both databases; write to the staging database",
        database="writes to the vault's database, properties that are not the program's, indices "
        "and constraints being dropped",
        program="which notes of the staging database are written",
    ),
    Enforcement(
        tier="librarian",
        may="ask and write both databases",
        database="changing whose database it is, deleting its mark, properties that are not the "
        "program's, dropping constraints",
        program="that it does not empty a database node by node",
    ),
    Enforcement(
        tier="curator",
        may="everything on the vault's two databases but stopping or dropping them",
        database="other databases, users and roles",
        program="asking before something is deleted",
    ),
)

NEO4J_COMMUNITY = (
    "Neo4j Community has users but no roles: whoever may log in reads, changes and deletes "
    "everything, so it separates no tier from another. FalkorDB and Neo4j Enterprise do."
)
