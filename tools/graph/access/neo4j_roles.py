"""The Cypher that makes the tiers on Neo4j Enterprise, from the lists of what is ever written.

Each statement is run on the database ``system`` by an administrator. Secrets are parameters
(``$reader`` and so on), never text.
"""

from collections.abc import Iterator, Sequence

from tools.graph.access.kinds import TIERS, Tier
from tools.graph.access.tiers import Graphs, user_name
from tools.graph.cypher.schema import EDGES, Shape, neo4j_nodes

_OWNER_MARK, _STORE = "BrainVault", "Store"
"""Nodes that say what a database is; they are no notes."""


def role_statements(vault: str, graphs: Graphs) -> tuple[str, ...]:
    """Databases, roles, users and rights of all four tiers; twice is once."""
    databases = (
        f"CREATE DATABASE {_quoted(name)} IF NOT EXISTS WAIT"
        for name in (graphs.main, graphs.staging)
    )
    return (*databases, *(line for tier in TIERS for line in tier_statements(vault, tier, graphs)))


def tier_statements(vault: str, tier: Tier, graphs: Graphs) -> tuple[str, ...]:
    """One tier's role and user, which have one name, and the role's rights."""
    name = _quoted(user_name(vault, tier))
    login = f"SET PASSWORD ${tier} CHANGE NOT REQUIRED SET HOME DATABASE {_quoted(graphs.main)}"
    return (
        f"CREATE ROLE {name} IF NOT EXISTS",
        f"CREATE USER {name} IF NOT EXISTS {login}",
        f"GRANT ROLE {name} TO {name}",
        *(f"{line} TO {name}" for line in _rights(tier, graphs)),
    )


def revoke_statements(vault: str, tier: Tier) -> tuple[str, ...]:
    """What takes one tier away."""
    name = _quoted(user_name(vault, tier))
    return (f"DROP USER {name} IF EXISTS", f"DROP ROLE {name} IF EXISTS")


def script(vault: str, graphs: Graphs) -> str:
    """The statements as a file for ``cypher-shell`` or Neo4j Browser."""
    lines = (f"{statement};" for statement in role_statements(vault, graphs))
    needed = ", ".join(f"${tier}" for tier in TIERS)
    return "\n".join(
        (
            "// Access tiers of one vault, for Neo4j Enterprise. Run it on the database system as",
            f"// an administrator, with the parameters {needed} set to the secrets",
            "// in access.json of the data directory. `brain access provision` does all that.",
            *lines,
            "",
        )
    )


def _rights(tier: Tier, graphs: Graphs) -> Iterator[str]:
    match tier:
        case "reader":
            yield from _read(graphs.main)
            yield from _never(graphs.main)
        case "contributor":
            yield from _read(graphs.main)
            yield from _never(graphs.main)
            yield from _read(graphs.staging)
            yield from _write(graphs.staging)
        case "librarian":
            for name in (graphs.main, graphs.staging):
                yield from _read(name)
                yield from _write(name)
            yield from _keep_marks(graphs.main)
        case "curator":
            for name in (graphs.main, graphs.staging):
                database, graph = f"ON DATABASE {_quoted(name)}", f"ON GRAPH {_quoted(name)}"
                yield f"GRANT ACCESS {database}"
                yield f"GRANT ALL GRAPH PRIVILEGES {graph}"
                yield f"GRANT INDEX MANAGEMENT {database}"
                yield f"GRANT CONSTRAINT MANAGEMENT {database}"
                yield f"GRANT NAME MANAGEMENT {database}"


def _read(name: str) -> Iterator[str]:
    graph = f"ON GRAPH {_quoted(name)}"
    yield f"GRANT ACCESS ON DATABASE {_quoted(name)}"
    yield f"GRANT TRAVERSE {graph} NODES {_names(neo4j_nodes())}"
    yield f"GRANT TRAVERSE {graph} RELATIONSHIPS {_names(EDGES)}"
    for kind, shapes in (("NODES", neo4j_nodes()), ("RELATIONSHIPS", EDGES)):
        for shape in shapes:
            yield f"GRANT READ {_properties(shape)} {graph} {kind} {_quoted(shape.name)}"


def _write(name: str) -> Iterator[str]:
    database, graph = f"ON DATABASE {_quoted(name)}", f"ON GRAPH {_quoted(name)}"
    for right in ("CREATE", "DELETE"):
        yield f"GRANT {right} {graph} NODES {_names(neo4j_nodes())}"
        yield f"GRANT {right} {graph} RELATIONSHIPS {_names(EDGES)}"
    # A note has a label named after its type, which is the user's word.
    yield f"GRANT SET LABEL * {graph}"
    yield f"GRANT REMOVE LABEL * {graph}"
    for kind, shapes in (("NODES", neo4j_nodes()), ("RELATIONSHIPS", EDGES)):
        for shape in shapes:
            yield f"GRANT SET PROPERTY {_properties(shape)} {graph} {kind} {_quoted(shape.name)}"
    yield f"GRANT NAME MANAGEMENT {database}"
    yield f"GRANT CREATE INDEX {database}"
    yield f"GRANT CREATE CONSTRAINT {database}"


def _never(name: str) -> Iterator[str]:
    """Whatever other role the user is given later: a refusal outweighs every grant."""
    yield f"DENY WRITE ON GRAPH {_quoted(name)}"


def _keep_marks(name: str) -> Iterator[str]:
    graph = f"ON GRAPH {_quoted(name)}"
    yield f"DENY DELETE {graph} NODES {_quoted(_OWNER_MARK)}, {_quoted(_STORE)}"
    yield f"DENY SET PROPERTY {{`vault`}} {graph} NODES {_quoted(_OWNER_MARK)}"
    for right in ("DROP INDEX", "DROP CONSTRAINT"):
        yield f"DENY {right} ON DATABASE {_quoted(name)}"


def _names(shapes: Sequence[Shape]) -> str:
    return ", ".join(_quoted(shape.name) for shape in shapes)


def _properties(shape: Shape) -> str:
    return "{" + ", ".join(map(_quoted, shape.properties)) + "}"


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
