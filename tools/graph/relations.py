"""The names of relations: how a word becomes one, how it is told, and which are known. Pure.

A relation that is not known is as good as any other: it is kept as written.
"""

import re
import unicodedata

REVERSED = frozenset({
    "BECAUSE_OF", "CAUSED_BY", "DUE_TO", "ENABLED_BY", "INFLUENCED_BY", "PREVENTED_BY",
    "RESULTED_FROM", "RESULTS_FROM", "SUPERSEDED_BY", "SUPPORTED_BY", "TRIGGERED_BY",
})  # fmt: skip
"""Relations whose source is the caused or the older side: read from target to source."""

SUPERSEDES, SUPERSEDED_BY = "SUPERSEDES", "SUPERSEDED_BY"

CAUSAL = (REVERSED - {SUPERSEDED_BY}) | {
    "CAUSES", "CONTRIBUTES_TO", "ENABLES", "IMPROVES", "INCREASES", "INFLUENCES", "LEADS_TO",
    "PREVENTS", "REDUCES", "RESULTS_IN", "SUPPORTS", "TRIGGERS", "WORSENS",
}  # fmt: skip
"""Relations that a chain of causes and effects may follow."""

_SUPPORTING = frozenset({
    "CONFIRMS", "ELABORATES", "EVIDENCE_FOR", "EXPLAINS", "EXTENDS", "SUPPORTED_BY", "SUPPORTS",
})  # fmt: skip
_CONTRADICTING = frozenset({
    "CHALLENGES", "CONFLICTS_WITH", "CONTRADICTED_BY", "CONTRADICTS", "DISPUTES", "OPPOSES",
    "REFUTED_BY", "REFUTES",
})  # fmt: skip
_HIERARCHICAL = frozenset({
    "AREA", "BELONGS_TO", "CHILD", "CHILDREN", "CHILD_OF", "CONTAINS", "DOWN", "HAS_PART",
    "INCLUDES", "IS_A", "PARENT", "PARENT_OF", "PART_OF", "PROJECT", "PROJECTS", "SUBTOPIC_OF",
    "TOPIC", "TOPICS", "UP",
})  # fmt: skip
_PERSONAL = frozenset({
    "AVOIDS", "BELIEVES", "FEARS", "GOAL", "GOALS", "HAS_GOAL", "INTERESTED_IN", "KNOWS", "OWNS",
    "VALUES", "WANTS", "WORKS_ON", "WORKS_WITH",
})  # fmt: skip

KNOWN_RELATIONS = frozenset({SUPERSEDES, SUPERSEDED_BY}).union(
    CAUSAL, _SUPPORTING, _CONTRADICTING, _HIERARCHICAL, _PERSONAL
)
"""Relations that frontmatter states of a plain name, without brackets."""


def relation_name(word: str) -> str:
    """The word of a typed link in upper case with underscores: ``leads to`` → ``LEADS_TO``."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", unicodedata.normalize("NFC", word))
    return "_".join(re.findall(r"\w+", spaced.replace("_", " "))).upper() or "LINKS_TO"


_NOUNS = frozenset({
    "area", "attendees", "author", "authors", "child", "company", "goal", "goals", "location",
    "owner", "parent", "participants", "partner", "people", "person", "persons", "place", "project",
    "projects", "related", "source", "sources", "speaker", "speakers", "status", "team", "topic",
    "topics",
})  # fmt: skip
"""Relations that read as something the note has, not as something it does."""


PLAIN = frozenset({"LINKS_TO", "EMBEDS"})
"""Relations of links without a word of their own."""


def is_action_relation(relation: str) -> bool:
    """Whether a relation says what its source does to its target.

    A plain link does not, nor what a note has or where it belongs: that many share.
    """
    named = relation.replace("_", " ").lower() in _NOUNS
    return not (named or relation in PLAIN or relation in _HIERARCHICAL)


def phrase(relation: str) -> str:
    """The relation as words between its two ends: ``has goal``, ``is caused by``, ``leads to``."""
    words = relation.replace("_", " ").lower()
    if relation == "TAGGED":
        return "is tagged"
    if words in _NOUNS:
        return f"has {words}"
    return f"is {words}" if words.endswith(" by") else words
