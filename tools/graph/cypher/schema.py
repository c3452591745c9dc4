"""Every label, relationship type and property that is ever written to a graph.

What grants rights on Neo4j is made from these lists; a test holds them against what an indexing
run writes, in both directions.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A label, or a relationship type, with the properties that are written to it."""

    name: str
    properties: tuple[str, ...]


ENTITY = Shape(
    name="Entity",
    properties=(
        *("uuid", "name", "group_id", "summary", "created_at"),
        *("kind", "path", "building_block", "note_type", "content_hash", "created", "modified"),
        *("superseded_by", "digest", "brief", "former"),
        *("created_by", "source_type", "confidence"),
    ),
)
EPISODIC = Shape(
    name="Episodic",
    properties=(
        *("uuid", "name", "group_id", "source", "source_description", "content", "entity_edges"),
        *("created_at", "valid_at", "content_hash"),
    ),
)
STORE = Shape(name="Store", properties=("uuid", "version"))
RELATES_TO = Shape(
    name="RELATES_TO",
    properties=(
        *("uuid", "name", "group_id", "source_node_uuid", "target_node_uuid", "fact", "episodes"),
        *("created_at", "valid_at", "invalid_at", "expired_at", "retracted_at", "note_path"),
        *("line", "strength", "interval", "origin", "brief", "inferred_in"),
    ),
)
MENTIONS = Shape(name="MENTIONS", properties=("uuid", "group_id", "created_at"))

NODES = (ENTITY, EPISODIC, STORE)
EDGES = (RELATES_TO, MENTIONS)

KINDS = ("Note", "Tag", "Literal", "Unresolved")
"""Further labels of an entity. A note also has one named after its type, whatever the user says."""

NEO4J_ONLY = (
    Shape(name="Entity", properties=("labels",)),  # Graphiti's statement keeps them there as well
    Shape(name="BrainVault", properties=("uuid", "vault")),
)


def neo4j_nodes() -> tuple[Shape, ...]:
    """What is written to nodes on Neo4j: there is more, since a database is anybody's at first."""
    known = {shape.name: shape.properties for shape in NODES}
    for more in NEO4J_ONLY:
        known[more.name] = (*known.get(more.name, ()), *more.properties)
    return tuple(Shape(name=name, properties=given) for name, given in known.items())
