"""The statements that databases word differently, side by side."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """``indices`` are built once; ``relabel`` leaves the entity ``$uuid`` its first label only."""

    name: str
    indices: tuple[str, ...]
    relabel: str


FALKOR = Dialect(
    name="FalkorDB",
    indices=(
        "CREATE INDEX FOR (n:Entity) ON (n.uuid)",
        "CREATE INDEX FOR (n:Episodic) ON (n.uuid)",
        "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.inferred_in)",
    ),
    # A label's name cannot be a value, so the entity is made anew without labels.
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
