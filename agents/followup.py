"""What a question leaves unsaid because the one before it said it: "and what caused that?"."""

import re
from dataclasses import dataclass

from tools.domain import Intent, QueryPlan
from tools.text.language import is_turkish
from tools.text.normalize import flatten


@dataclass(frozen=True, slots=True, kw_only=True)
class Followup:
    """The question in full; ``intent`` where it only names another thing to ask the same about."""

    question: str
    intent: Intent | None = None


def complete(question: str, before: QueryPlan) -> Followup | None:
    """Fill in what ``question`` takes from the question before it, or None if it takes nothing.

    A pronoun with nothing that it could stand for in the question itself becomes what was asked
    about; "what about Y?" asks of Y what was asked before.
    """
    turkish = is_turkish(question) or is_turkish(before.query)
    flat = flatten(question)
    if (_TURKISH_OTHER if turkish else _OTHER).fullmatch(flat):
        return Followup(question=question, intent=before.intent)
    topic = (" ve " if turkish else " and ").join(before.subjects or before.concepts[:2])
    # Only at the end or before a verb or preposition: "that" before a noun points at that noun.
    pronoun = (_TURKISH_PRONOUN if turkish else _PRONOUN).search(flat)
    if not topic or pronoun is None or len(flat.split()) > _LONGEST:
        return None
    start, end = pronoun.span("it")
    owner = "'s" if pronoun.group("it") in _OWNERS else ""
    return Followup(question=f"{question[:start]}{topic}{owner}{question[end:]}")


_LONGEST = 12
"""Words of a question that may lean on another; a longer one says what it is about."""

_OWNERS = frozenset(("its", "their"))
_OTHER = re.compile(
    r"(?:(?:and|so|ok|okay|but|or)\b[, ]*)?(?:(?:what|how) about|and(?= (?!what|how|why|when|who"
    r"|where|which|is|are|was|were|do|does|did|can)))\s+"
    r"(?!(?:it|that|this|them)\b).{2,60}?[?.! ]*"
)
_TURKISH_OTHER = re.compile(r"(?:ya|peki ya|peki)\s+\S+(?:\s+\S+){0,2}?[?.! ]*")
_PRONOUN = re.compile(
    r"\b(?P<it>it|that|this|them|they|these|those|its|their)\b"
    r"(?=\s*[?.!,]?\s*$|\s+(?:is|was|are|were|do|does|did|has|have|had|can|will|would|should|come"
    r"|came|start|started|begin|began|change|changed|work|works|help|helps|happen|happened|matter"
    r"|matters|compare|differ|affect|affects|relate|relates|mean|means|over|in|on|at|to|with|from"
    r"|since|before|after|during|for|so|not)\b|(?<=its)\s|(?<=their)\s)"
)
_TURKISH_PRONOUN = re.compile(
    r"\b(?P<it>bu|su|o|bunu|bunun|buna|bunda|bundan|onu|onun|ona|ondan|onda|bunlar\w*|onlar\w*)\b"
    r"(?=\s*[?.!,]?\s*$|\s+(?:ne|neden|nicin|niye|nasil|ne zaman|kim|hangi|kac|degis\w*|oldu\w*"
    r"|hakkinda|ile|icin|uzerine|nedeni|sebebi|sonuc\w*|etki\w*|fark\w*|tarih\w*|nedir)\b)"
)
