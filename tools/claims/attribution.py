"""Whom a claim is cited from, and what it says without that. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from tools.text import lexicon
from tools.text.normalize import fold
from tools.text.stopwords import word_set

_NAME = r"[A-ZÇĞİÖŞÜ][^\W\d_]+(?:-[A-ZÇĞİÖŞÜ]?[^\W\d_]+)*"
_NAMES = rf"(?:[A-Z]\.\s?)*{_NAME}(?:\s(?:[A-Z]\.\s?)*{_NAME})*"
_ALSO = r"(?:\set\sal\.?|\sve\sark\.?|\svd\.)"
_AUTHORS = rf"{_NAMES}(?:(?:,|\sand|\s&|,\sand|\sve)\s{_NAMES})*{_ALSO}?"
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_CITED = rf"(?P<source>{_AUTHORS}(?:,?\s\(?{_YEAR}\)?)?)"
_SAYS = (
    "argue|argued|claim|claimed|find|found|show|showed|report|reported|conclude|concluded|say"
    "|said|state|stated|write|wrote|hold|held|maintain|maintained|believe|believed|think|thought"
    "|note|noted|observe|observed|insist|insisted|suggest|suggested|estimate|estimated"
)
_LEADS = (
    (
        "A",
        re.compile(rf"(?:According to|As reported by) {_CITED}(?:'s [^,]{{1,60}})?, (?P<said>.+)"),
    ),
    (" that ", re.compile(rf"{_CITED}\s(?:has |have )?(?:{_SAYS})s? that (?P<said>.+)")),
    (
        " göre",
        re.compile(rf"{_CITED}['’]?(?:y?[aeı]|n[ae])? (?:göre|e göre|a göre),? (?P<said>.+)"),
    ),
)
"""How a sentence names a source first; each with what all such sentences have."""
_OPINION_LEAD = re.compile(
    r"(?:I (?:\w+ )?(?:think|believe)(?: that)?|In my (?:opinion|view|experience),?|IM(?:H)?O,?"
    r"|Bence,?|Bana göre,?|Kanımca,?) (?P<said>.+)"
)
_PARENTHESIS = re.compile(
    rf"\s?\((?:see |cf\. |e\.g\. )?(?P<source>{_AUTHORS},? {_YEAR})(?:[,;][^()]{{0,120}})?\)"
)
_KEY = re.compile(
    r"\s?\[{1,2}-?@(?P<source>[^\s\];,|]+)[^\]\n]*\]{1,2}|\s?(?<!\S)@(?P<bare>[\w:-]+\d\w*)"
)
_LONGEST = 2000
"""Characters; the patterns are meant for sentences."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """``source`` is whom the claim is cited from, None where nobody; ``said`` the claim itself."""

    source: str | None
    said: str


@lru_cache(maxsize=4096)
def attribution(text: str) -> Attribution:
    """Take apart a sentence that says whom it cites: "Smith (2019) argues that …", "… [@key]".

    An opinion's own beginning ("I think that …") is no part of what is said either.
    """
    if len(text) > _LONGEST:
        return Attribution(None, text)
    source: str | None = None
    said = text
    for sign, pattern in (("@", _KEY), ("(", _PARENTHESIS)):
        if sign in said and (found := pattern.search(said)):
            source = source or next(name for name in found.groups() if name)
            said = pattern.sub("", said)
    for sign, pattern in _LEADS:
        found = pattern.match(said.lstrip("*_ ")) if sign in said else None
        if found and not _nobody(found["source"]):
            return Attribution(_name(found["source"]), _sentence(found["said"]))
    if found := _OPINION_LEAD.match(said):
        said = _sentence(found["said"])
    return Attribution(_name(source) if source else None, said)


def _nobody(source: str) -> bool:
    """Whether a capital letter only begins the sentence: "We found that …", "This shows that …"."""
    first = fold(source).split()[0]
    return first in lexicon.FUNCTION or first in lexicon.STARTERS or first in _AT_LARGE


_AT_LARGE = word_set(
    """research researchers studies study evidence data results experiments science scientists
    experts people some many most others critics everyone nobody someone tests surveys"""
)


def _name(source: str) -> str:
    return " ".join(source.strip(" ,").split())


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
