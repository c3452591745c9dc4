"""What the graph databases are told in different words. All other Cypher runs on both."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The statements that each database wants in a wording of its own."""

    indices: tuple[str, ...]
    """Build each look-up that starts from a value; what is there already may stay or refuse."""

    relabel: str
    """Take all labels but ``Entity`` from the entity $uuid; its properties and edges stay."""


FALKOR = Dialect(
    # Dates carry no range index: FalkorDB compares indexed strings wrongly.
    indices=(
        "CREATE INDEX FOR (n:Entity) ON (n.uuid)",
        "CREATE INDEX FOR (n:Episodic) ON (n.uuid)",
        "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.inferred_in)",
    ),
    # A label's name cannot be a value, so the entity is made anew without its labels.
    relabel="""
MATCH (old:Entity {uuid: $uuid})
CREATE (new:Entity)
SET new = properties(old)
WITH old, new
CALL {
    WITH old, new
    MATCH (old)-[e:RELATES_TO]->(m)
    CREATE (new)-[c:RELATES_TO]->(m) SET c = properties(e)
    RETURN count(c) AS said
}
CALL {
    WITH old, new
    MATCH (m)-[e:RELATES_TO]->(old)
    CREATE (m)-[c:RELATES_TO]->(new) SET c = properties(e)
    RETURN count(c) AS said_about
}
CALL {
    WITH old, new
    MATCH (m)-[e:MENTIONS]->(old)
    CREATE (m)-[c:MENTIONS]->(new) SET c = properties(e)
    RETURN count(c) AS versions
}
DETACH DELETE old
RETURN said, said_about, versions
""",
)

FALKOR_EXTRACTION = (
    "CREATE INDEX FOR (n:Entity) ON (n.uuid, n.name)",
    "CREATE INDEX FOR (n:Episodic) ON (n.uuid)",
    "CREATE FULLTEXT INDEX FOR ()-[e:RELATES_TO]-() ON (e.name, e.fact, e.group_id)",
)
"""What Graphiti's own searches use while it reads an episode; its own on dates answer wrongly."""

_NEO4J_STORE = "CREATE CONSTRAINT brain_store IF NOT EXISTS FOR (n:Store) REQUIRE n.uuid IS UNIQUE"

NEO4J = Dialect(
    # Constraints, which are indices too: two writers at once cannot make one entity twice.
    # A written edge is found from its nodes; an index on those would only slow the writing down.
    indices=(
        "CREATE CONSTRAINT brain_entity IF NOT EXISTS FOR (n:Entity) REQUIRE n.uuid IS UNIQUE",
        "CREATE CONSTRAINT brain_episodic IF NOT EXISTS FOR (n:Episodic) REQUIRE n.uuid IS UNIQUE",
        _NEO4J_STORE,
        "CREATE INDEX brain_inferred IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.inferred_in)",
    ),
    relabel="""
MATCH (n:Entity {uuid: $uuid})
WITH n, [label IN labels(n) WHERE label <> 'Entity'] AS others
REMOVE n:$(others)
""",
)

# --- only on Neo4j, where a database may be anybody's and is emptied, not dropped -------------

NEO4J_OWNER = """
OPTIONAL MATCH (v:BrainVault {uuid: 'vault'})
RETURN v.vault, v IS NULL AND EXISTS { MATCH () }
"""
"""The vault that the database belongs to, and whether it holds what is nobody's."""

NEO4J_CLAIM = (
    _NEO4J_STORE,  # before the first queries, several at once, would each make a store
    "CREATE CONSTRAINT brain_vault IF NOT EXISTS FOR (v:BrainVault) REQUIRE v.uuid IS UNIQUE",
    """
MERGE (v:BrainVault {uuid: 'vault'})
SET v.vault = coalesce(v.vault, $vault)
""",
)
"""Make the database the vault's; of two at once, the first one has it."""

NEO4J_CLEAR = """
MATCH (n) WHERE NOT n:BrainVault
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS
"""
"""Delete everything but the mark of the owner, in parts that fit into memory."""
