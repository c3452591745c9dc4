"""All Cypher. Whatever varies is a parameter; a hop limit is a number of steps, never text.

Every relation is a ``RELATES_TO`` edge whose ``name`` says which. A pattern starts at the entities
whose uuids are given and leaves its other end without a label where nothing needs one, or the
planner may start from a scan. Dates carry no range index: FalkorDB compares indexed strings
wrongly. What databases word differently stands in ``dialects``.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """One question in three times: about now, about ``$as_of`` as ``$known_at``, about ever."""

    now: str
    then: str
    ever: str


_NOW = "e.expired_at IS NULL"
_THEN = (
    "e.valid_at <= $as_of AND e.created_at <= $known_at "
    "AND (e.retracted_at IS NULL OR e.retracted_at > $known_at) "
    "AND (e.expired_at IS NULL OR e.expired_at > $known_at OR e.invalid_at > $as_of)"
)
_EVER = "e.uuid IS NOT NULL"


def _timed(*parts: str) -> Timed:
    """The query whose ``parts`` stand around the condition that an edge holds."""
    return Timed(now=_NOW.join(parts), then=_THEN.join(parts), ever=_EVER.join(parts))


# --- the store -----------------------------------------------------------------------------

VERSION = "MATCH (s:Store {uuid: 'store'}) RETURN s.version"
"""The schema version of the store; no row where there is none yet."""

NEW_STORE = """
MERGE (s:Store {uuid: 'store'})
ON CREATE SET s.version = $version
RETURN s.version
"""
"""The same of a store that is made where there is none."""

NOTE_COUNT = "MATCH (n:Note) WHERE n.content_hash IS NOT NULL RETURN count(n)"
EDGE_COUNT = _timed("MATCH (:Entity)-[e:RELATES_TO]->() WHERE ", " RETURN count(e)")
NODES_BY_KIND = (
    "MATCH (n:Note) WHERE n.content_hash IS NOT NULL "
    "RETURN n.kind AS kind, n.note_type AS said, count(n) AS n UNION ALL "
    "MATCH (n:Entity)<-[e:RELATES_TO]-() "
    "WHERE n.kind <> 'note' AND " + _NOW + " "
    "RETURN n.kind AS kind, NULL AS said, count(DISTINCT n) AS n"
)
"""Notes of today, and what else edges of today name."""
EDGES_BY_NAME = (
    "MATCH (:Entity)-[e:RELATES_TO]->() WHERE " + _NOW + " "
    "RETURN e.name AS name, count(e) AS n ORDER BY n DESC, name"
)
EPISODE_COUNT = "MATCH (v:Episodic) RETURN count(v)"

PROVENANCE = """
MATCH (n:Entity) WHERE n.uuid IN $uuids AND n.path IS NOT NULL
RETURN n.path, n.created_by, n.source_type, n.confidence
"""
"""What these notes state of where they come from."""

DIGESTS = "MATCH (n:Note) WHERE n.digest IS NOT NULL RETURN n.path, n.digest"
"""The state of every note that was written."""

# --- a change ------------------------------------------------------------------------------

_RELATION = """
a.uuid AS source, b.uuid AS target, e.name AS name, e.fact AS fact, e.note_path AS note_path,
e.line AS line, e.strength AS strength, e.episodes AS episodes, e.valid_at AS valid_at,
e.created_at AS created_at, e.invalid_at AS invalid_at, e.expired_at AS expired_at,
e.retracted_at AS retracted_at, e.origin AS origin, e.interval AS nth
"""

NOTES = """
MATCH (n:Entity) WHERE n.uuid IN $uuids
RETURN n.uuid, n.kind, n.name, labels(n), n.created_at, n.path, n.building_block, n.note_type,
       n.content_hash, n.created, n.modified, n.superseded_by, n.digest,
       n.created_by, n.source_type, n.confidence
"""
"""Whole entities."""

PRESENT = "MATCH (n:Entity) WHERE n.uuid IN $uuids RETURN n.uuid"
"""Which of these entities exist."""

SAID = (
    "MATCH (a:Entity)-[e:RELATES_TO]->(b) WHERE a.uuid IN $uuids AND e.inferred_in IS NULL "
    "RETURN a.uuid AS note," + _RELATION + "UNION ALL "
    "UNWIND $uuids AS note MATCH (a)-[e:RELATES_TO {inferred_in: note}]->(b) "
    "RETURN note," + _RELATION
)
"""All that these notes say or said, and all that was inferred from them."""

EPISODES = """
MATCH (n:Entity)<-[:MENTIONS]-(v) WHERE n.uuid IN $uuids
RETURN v.uuid
"""
"""Versions of these notes."""

DROP_RELATIONS = """
UNWIND $relations AS gone
MATCH (:Entity {uuid: gone.source})-[e:RELATES_TO {uuid: gone.uuid}]->()
DELETE e
"""

DROP_EPISODES = "MATCH (v:Episodic) WHERE v.uuid IN $uuids DETACH DELETE v"

DROP_LOOSE = """
MATCH (n:Entity)
WHERE n.uuid IN $uuids AND NOT (n)--()
DELETE n
"""
"""Delete what no edge touches any more: a note always has its versions'."""

SEAL_EPISODES = """
UNWIND $episodes AS row
MATCH (v:Episodic {uuid: row.uuid})
SET v.content_hash = row.content_hash
"""
"""What Graphiti's writer leaves out of a version."""

STRIP_NOTES = """
MATCH (n:Entity) WHERE n.uuid IN $uuids
SET n.digest = NULL, n.content_hash = NULL, n.brief = coalesce(n.former, n.brief), n.former = NULL,
    n.created_by = NULL, n.source_type = NULL, n.confidence = NULL
"""
"""What is left of a note that others still name."""

# --- questions -----------------------------------------------------------------------------

_STEP = """
CASE WHEN startNode(e) = n THEN 1 ELSE 0 END AS forward,
n.brief AS near, e.brief AS edge, m.brief AS far
"""
"""An edge as walks tell it (``records``): read from twenty properties it takes the server twice as
long, and Neo4j's driver longer still to read its dates."""

# A walk begins with the first two of its levels by one question, because the way to the server
# and back takes longer than the answer. Where $frontier or $most cuts the second level short, it
# is not used, so which part is left does not matter.
_RETURN_STEP = " RETURN " + _STEP
_FIRST = " RETURN 1 AS level,"
_SECOND = " RETURN 2 AS level,"
_FROM_HERE = "MATCH (n:Entity)-[e:RELATES_TO]-(m) WHERE n.uuid IN $uuids AND "
_ONE_ON = "MATCH (s:Entity)-[e:RELATES_TO]-(n) WHERE s.uuid IN $uuids AND "
_FROM_THERE = " MATCH (n)-[e:RELATES_TO]-(m) WHERE "
_DISTINCT = " WITH DISTINCT n LIMIT $frontier"
_BEST_STEPS = " ORDER BY e.strength DESC, e.uuid LIMIT $most "
_AT_MOST = " LIMIT $most "
_NOT_TOO_MANY = (
    " WITH n, collect(e) AS edges WHERE size(edges) <= $degree "
    "UNWIND edges AS e WITH n, e, startNode(e) AS m"
)

STEPS = _timed(_FROM_HERE, _RETURN_STEP + _BEST_STEPS)
"""Edges at these entities with what lies at their other end, in both directions."""

CENTRES = """
MATCH (n:Entity) WHERE n.uuid IN $uuids
RETURN n.uuid, n.name, n.kind, CASE WHEN n.content_hash IS NOT NULL THEN n.path END, n.note_type
"""
"""What a walk around these entities starts from."""

SHARED_STEPS = _timed(
    "MATCH (n:Entity)<-[e:RELATES_TO]-() WHERE n.uuid IN $uuids AND ",
    _NOT_TOO_MANY + _RETURN_STEP,
)
"""The notes behind tags, values and placeholders that not too many notes share."""

TWO_STEPS = _timed(
    _FROM_HERE,
    _FIRST + _STEP + _BEST_STEPS + "UNION ALL " + _ONE_ON + "n.kind = 'note' AND ",
    _DISTINCT + _FROM_THERE,
    _SECOND + _STEP + _AT_MOST + "UNION ALL " + _ONE_ON + "n.kind <> 'note' AND ",
    _DISTINCT + " MATCH (n)<-[e:RELATES_TO]-() WHERE ",
    _NOT_TOO_MANY + _SECOND + _STEP + _AT_MOST,
)
"""``STEPS``, from the notes that they lead to again, and from all else ``SHARED_STEPS``."""

NAMED_STEPS = _timed(_FROM_HERE + "e.name IN $names AND ", _RETURN_STEP)
"""Edges of certain relations at these entities, in both directions."""

TWO_NAMED_STEPS = _timed(
    _FROM_HERE + "e.name IN $names AND ",
    _FIRST + _STEP + "UNION ALL " + _ONE_ON + "e.name IN $names AND ",
    _DISTINCT + _FROM_THERE + "e.name IN $names AND ",
    _SECOND + _STEP + _AT_MOST,
)
"""``NAMED_STEPS`` twice."""

_LINKED = "m.kind IN ['note', 'unresolved'] AND "

_ENDS = " n.uuid AS near, m.uuid AS far, e.name AS relation LIMIT $most"

ENDS = _timed(_FROM_HERE + _LINKED, " RETURN DISTINCT" + _ENDS)
"""Notes and placeholders one step from these entities, in either direction."""

TWO_ENDS = _timed(
    _FROM_HERE + _LINKED,
    " RETURN DISTINCT 1 AS level,"
    + _ENDS
    + " UNION ALL "
    + _ONE_ON
    + "n.kind IN ['note', 'unresolved'] AND ",
    _DISTINCT + _FROM_THERE + _LINKED,
    " RETURN DISTINCT 2 AS level," + _ENDS,
)
"""``ENDS`` twice."""

BETWEEN = _timed(
    "MATCH (n:Entity)-[e:RELATES_TO]->(m:Entity) WHERE n.uuid IN $uuids AND m.uuid IN $uuids AND ",
    _RETURN_STEP,
)
"""Edges among these entities."""

FACTS = _timed(
    "MATCH (n:Entity)-[e:RELATES_TO]->(m:Entity) WHERE n.uuid IN $uuids AND ",
    _RETURN_STEP,
)
"""What these notes say."""

FACTS_ABOUT = _timed(
    "MATCH (n:Entity)<-[e:RELATES_TO]-(m:Entity) WHERE n.uuid IN $uuids AND ",
    _RETURN_STEP,
)
"""What is said about these entities."""

SPOKE_OF = """
MATCH (n:Entity)<-[e:RELATES_TO]-(m)
WHERE n.uuid IN $uuids AND e.inferred_in IS NULL
RETURN m.path AS path, max(coalesce(e.expired_at, e.created_at)) AS changed
ORDER BY changed DESC, path LIMIT $most
"""
"""Notes with edges to these entities at any time, and when one was last known to come or end."""

VERSIONS = """
MATCH (n:Entity)<-[:MENTIONS]-(v)
WHERE n.uuid IN $uuids
RETURN n.path, v.name, toString(v.valid_at), toString(v.created_at), v.content_hash
"""
"""Every version of these notes."""

SUPERSEDED_NOW = """
MATCH (n:Entity)
WHERE n.uuid IN $uuids AND n.content_hash IS NOT NULL AND n.superseded_by IS NOT NULL
RETURN n.path, n.superseded_by
"""
"""Path of each superseded note and of the note that took its place."""

SUPERSEDED = _timed(
    "MATCH (n:Entity)-[e:RELATES_TO]-(m) WHERE n.uuid IN $uuids "
    "AND n.content_hash IS NOT NULL AND m.content_hash IS NOT NULL "
    "AND ((e.name = $supersedes AND endNode(e) = n) "
    "OR (e.name = $superseded_by AND startNode(e) = n)) AND ",
    " RETURN n.path, m.path ORDER BY e.valid_at, m.path",
)
"""The same at a moment; of several that took a note's place the last one comes last."""
