"""Where a note comes from, as its frontmatter says it. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tools.base.domain import Json
from tools.text.markdown.properties import PROVENANCE

KEYS = PROVENANCE
CREATED_BY, SOURCE_TYPE, CONFIDENCE = KEYS
_LONGEST = 200
_DIGITS = 6
"""Digits of a confidence that are kept: databases do not give back every last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Who wrote a note, from what kind of source, and how sure they were (0 to 1)."""

    created_by: str | None = None
    source_type: str | None = None
    confidence: float | None = None


def provenance_of(frontmatter: Mapping[str, Json]) -> Provenance | None:
    """What the properties state, however their names are spelled; None where that is nothing.

    A confidence that is no number from 0 to 1, and a name that is no text, count as not stated.
    """
    stated = {folded_key(key): value for key, value in frontmatter.items()}
    found = Provenance(
        created_by=_word(stated.get(folded_key(CREATED_BY))),
        source_type=_word(stated.get(folded_key(SOURCE_TYPE))),
        confidence=_share(stated.get(folded_key(CONFIDENCE))),
    )
    return None if found == Provenance() else found


def folded_key(key: str) -> str:
    """A property's name as it is compared: letters' case, dashes and underscores do not count."""
    return key.casefold().replace("_", " ").replace("-", " ").strip()


def _word(value: Json) -> str | None:
    if not isinstance(value, str):
        return None
    return " ".join(value.split())[:_LONGEST].rstrip() or None


def _share(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    usable = math.isfinite(value) and 0 <= value <= 1
    return round(float(value), _DIGITS) if usable else None
