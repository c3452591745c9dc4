"""All Cypher. Whatever varies is a parameter; a hop limit is a number of steps, never text.

Every relation is a ``RELATES_TO`` edge whose ``name`` says which. An edge is open while its
``expired_at`` is null. A pattern starts at the entities whose uuids are given and leaves its other
end without a label where nothing needs one, or the planner may start from a scan. Dates are ISO
strings in UTC and carry no range index: FalkorDB compares indexed strings wrongly.
"""

# --- the store -----------------------------------------------------------------------------

INDICES = (
    "CREATE INDEX FOR (n:Entity) ON (n.uuid)",
    "CREATE INDEX FOR (n:Episodic) ON (n.uuid)",
)
"""The only look-ups that start from a value; everything else follows edges."""

VERSION = """
MERGE (s:Store {uuid: 'store'})
ON CREATE SET s.version = $version
RETURN s.version
"""
"""The schema version of the store, which a new store takes from the parameter."""

STATUS = (
    "MATCH (n:Note) WHERE n.content_hash IS NOT NULL RETURN count(n)",
    "MATCH (:Entity)-[e:RELATES_TO]->() WHERE e.expired_at IS NULL RETURN count(e)",
    "MATCH (v:Episodic) RETURN count(v)",
)
"""How many indexed notes, open edges and versions there are."""

PATHS = "MATCH (n:Note) WHERE n.content_hash IS NOT NULL RETURN n.path"
"""Every completely indexed note."""

# --- before a change -----------------------------------------------------------------------

_RELATION = """
a.uuid, b.uuid, e.name, e.fact, e.note_path, e.line, e.strength, e.words, e.episodes,
e.valid_at, e.created_at, e.invalid_at, e.expired_at, e.interval
"""

NOTES = """
MATCH (n:Entity) WHERE n.uuid IN $uuids
RETURN n.uuid, n.kind, n.name, labels(n), n.created_at, n.names, n.path, n.building_block,
       n.note_type, n.content_hash, n.created, n.modified
"""
"""Whole entities."""

PRESENT = "MATCH (n:Entity) WHERE n.uuid IN $uuids RETURN n.uuid"
"""Which of these entities exist."""

SAID = "MATCH (a:Entity)-[e:RELATES_TO]->(b) WHERE a.uuid IN $uuids RETURN" + _RELATION
"""All that these notes say or said."""

SAID_ABOUT = "MATCH (b:Entity)<-[e:RELATES_TO]-(a) WHERE b.uuid IN $uuids RETURN" + _RELATION
"""All that is or was said about these entities."""

SAID_BETWEEN = (
    "MATCH (a:Entity)-[e:RELATES_TO]->(b:Entity) WHERE a.uuid IN $sources AND b.uuid IN $targets "
    "RETURN" + _RELATION
)
"""All that these notes say or said about those entities."""

WHOLE_EPISODES = """
MATCH (n:Entity)<-[:MENTIONS]-(v)
WHERE n.uuid IN $uuids AND v.content_hash IS NOT NULL
RETURN v.uuid
"""
"""Versions of these notes that were written to the end."""

# --- a change ------------------------------------------------------------------------------

RELABEL = """
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
"""
"""Take all labels but the first from an entity, in one step: a label's name cannot be a value."""

DROP = """
UNWIND $relations AS gone
MATCH (:Entity {uuid: gone.source})-[e:RELATES_TO {uuid: gone.uuid}]->()
DELETE e
"""
"""Delete edges that were never true: their words lead elsewhere now."""

SEAL_EPISODES = """
UNWIND $episodes AS row
MATCH (v:Episodic {uuid: row.uuid})
SET v.content_hash = row.content_hash
"""
"""Mark versions as written to the end."""

SEAL_NOTES = """
UNWIND $notes AS row
MATCH (n:Entity {uuid: row.uuid})
SET n.content_hash = row.content_hash, n.created = row.created, n.modified = row.modified
"""
"""Mark notes as written to the end: from here on they are indexed at this version."""

DELETE_LOOSE = """
MATCH (n:Entity)
WHERE n.uuid IN $uuids AND NOT (n)--()
DELETE n
"""
"""Delete what no edge touches any more: an indexed note always has its versions'."""

DELETE_EPISODES = """
MATCH (n:Entity)<-[:MENTIONS]-(v) WHERE n.uuid IN $uuids
DETACH DELETE v
"""
"""Delete all versions of these notes."""

DELETE_NOTES = "MATCH (n:Entity) WHERE n.uuid IN $uuids DETACH DELETE n"
"""Delete these notes with every edge."""

# --- superseded notes ----------------------------------------------------------------------

SUPERSEDED_BY_WORD = """
MATCH (new:Entity)-[e:RELATES_TO]->(old)
WHERE new.uuid IN $uuids AND e.name = 'SUPERSEDES'
RETURN old.uuid AS old
UNION
MATCH (new:Entity)<-[e:RELATES_TO]-(old)
WHERE new.uuid IN $uuids AND e.name = 'SUPERSEDED_BY'
RETURN old.uuid AS old
"""
"""Notes that these supersede, or did, by their own word or the others'."""

SUPERSEDING = """
MATCH (old:Entity)<-[e:RELATES_TO]-(new)
WHERE old.uuid IN $uuids AND e.name = 'SUPERSEDES' AND e.expired_at IS NULL
      AND new.content_hash IS NOT NULL
RETURN old.uuid AS old, new.path AS path, new.created AS created
UNION
MATCH (old:Entity)-[e:RELATES_TO]->(new)
WHERE old.uuid IN $uuids AND e.name = 'SUPERSEDED_BY' AND e.expired_at IS NULL
      AND new.content_hash IS NOT NULL
RETURN old.uuid AS old, new.path AS path, new.created AS created
"""
"""The notes that supersede these, and since when."""

SET_SUPERSEDED = """
UNWIND $rows AS row
MATCH (n:Entity {uuid: row.uuid})
SET n.superseded_by = row.path, n.superseded_at = row.created
"""
"""Record which note took a note's place, and when its validity ended; nulls clear both."""

SUPERSEDED = """
MATCH (n:Entity)
WHERE n.uuid IN $uuids AND n.content_hash IS NOT NULL AND n.superseded_by IS NOT NULL
RETURN n.path, n.superseded_by
"""
"""Path of each superseded note and of the note that took its place."""

# --- questions -----------------------------------------------------------------------------

_STEP = """
n.uuid AS near, m.uuid AS far, m.kind AS kind, m.name AS name, m.path AS path,
m.content_hash IS NOT NULL AS indexed, n.name AS near_name, n.path AS near_path,
n.content_hash IS NOT NULL AS near_indexed, e.name AS relation, e.note_path AS note_path,
e.line AS line, e.strength AS strength, e.valid_at AS valid_at, e.invalid_at AS invalid_at
"""

STEPS = (
    "MATCH (n:Entity)-[e:RELATES_TO]->(m:Entity) "
    "WHERE n.uuid IN $uuids AND e.expired_at IS NULL "
    "RETURN true AS forward," + _STEP + "ORDER BY e.strength DESC, e.uuid LIMIT $most "
    "UNION ALL "
    "MATCH (n:Entity)<-[e:RELATES_TO]-(m:Entity) "
    "WHERE n.uuid IN $uuids AND e.expired_at IS NULL "
    "RETURN false AS forward," + _STEP + "ORDER BY e.strength DESC, e.uuid LIMIT $most"
)
"""Open edges at these entities with what lies at their other end, in both directions."""

SHARED_STEPS = (
    "MATCH (n:Entity)<-[e:RELATES_TO]-(:Entity) "
    "WHERE n.uuid IN $uuids AND e.expired_at IS NULL "
    "WITH n, count(e) AS degree WHERE degree <= $degree "
    "MATCH (n)<-[e:RELATES_TO]-(m:Entity) WHERE e.expired_at IS NULL "
    "RETURN false AS forward," + _STEP
)
"""The notes behind tags and placeholders that not too many notes share."""

NAMED_STEPS = (
    "MATCH (n:Entity)-[e:RELATES_TO]->(m:Entity) "
    "WHERE n.uuid IN $uuids AND e.name IN $names AND e.expired_at IS NULL "
    "RETURN true AS forward," + _STEP + "UNION ALL "
    "MATCH (n:Entity)<-[e:RELATES_TO]-(m:Entity) "
    "WHERE n.uuid IN $uuids AND e.name IN $names AND e.expired_at IS NULL "
    "RETURN false AS forward," + _STEP
)
"""Open edges of certain relations at these entities, in both directions."""

FACTS = (
    "MATCH (n:Entity)-[e:RELATES_TO]->(m:Entity) "
    "WHERE n.uuid IN $uuids AND e.expired_at IS NULL "
    "RETURN true AS forward," + _STEP
)
"""What these notes say now."""

VERSIONS = """
MATCH (n:Entity)<-[:MENTIONS]-(v)
WHERE n.uuid IN $uuids AND v.content_hash IS NOT NULL
RETURN n.path, v.name, v.valid_at, v.created_at, v.content_hash
"""
"""Every version of these notes that was seen."""
