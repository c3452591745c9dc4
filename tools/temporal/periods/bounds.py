"""The words around a date that make a bound of it: since, before, between … and, -den beri."""

import re
from dataclasses import dataclass

from tools.temporal.periods.periods import NOW, Mention
from tools.temporal.periods.vocabulary import CASE


@dataclass(frozen=True, slots=True, kw_only=True)
class Governed:
    """A mention with its surroundings: the bound they set, and how far the phrase reaches.

    ``case`` is the Turkish ending behind it, without its apostrophe.
    """

    mention: Mention
    bound: str
    start: int
    end: int
    case: str


_BEFORE_IT = {
    "both": r"(?:both )?(?:before (?:and|or|vs\.?|versus) after|after (?:and|or) before)",
    "since": r"since|ever since|(?:starting|beginning)(?: in| from| on| with)?|as from|on or after"
    r"|newer than|not? (?:earlier|older) than|not before",
    "after": r"after|later than|following",
    # "what was I up to last month" is no bound
    "until": r"until|till|(?:up )?until|(?<!\bi )(?<!\bbeen )(?<!\byou )(?<!\bwe )(?<!\bthey )"
    r"up to(?: and including)?|through|by|as (?:of|at)"
    r"|on or before|not? (?:later|newer) than|before the end of",
    "before": r"before|prior to|earlier than|older than|preceding",
    "between": r"between",
    "from": r"from",
    "within": r"in|during|within|throughout|over|inside",
    "around": r"(?:some\s?time\s+)?around",
    "on": r"on|at",
    "against": r"(?:as )?(?:compared|relative|opposed) (?:to|with)(?: in)?|versus|vs\.?|unlike"
    r"|(?<!other )(?<!rather )than(?: in)?",
}
_AFTER_IT = {
    "both": r"once(?:si)?(?:\w{0,4}) ve(?:ya)? sonra\w*",
    "against": r"gore|kiyasla|oranla|nazaran",
    "since": r"beri(?:ki)?|bu yana|itibaren",
    "before": r"once(?:si\w{0,6}|ki(?:ler)?|den)?|evvel(?:ki)?",
    "after": r"sonra(?:si\w{0,6}|ki(?:ler)?|dan)?",
    "until": r"kadar(?:ki)?|dek|degin|itibariyl[ae]",
    "between": r"aras[iu]\w{0,8}",
    "within": r"boyunca|icinde(?:ki)?|suresince|sirasinda(?:ki)?",
    "around": r"civar\w{0,8}|sularinda",
}
_LEFT_REACH = 60
_LEFT = re.compile(
    "(?:(?:"
    + "|".join(rf"\b(?P<{bound}>{words})\s+" for bound, words in _BEFORE_IT.items())
    + r")(?:(?:about|around|roughly|at least|sometime)\s+)?)?"
    r"(?:\b(?:the|early|earlier|late|later|mid|(?:all|most|much) of|whole|entire|year|dates"
    r"|(?:end|start|beginning|middle|rest|course|month) of)\s+|\bmid-)*$"
)
_BOUNDS = frozenset(_BEFORE_IT)
_JOINED_LEFT = re.compile(r"\b(?:(?P<before>pre)|(?P<after>post))-$")
_RIGHT = re.compile(
    rf"(?P<case>{CASE}|n[aeiu])?"
    r"(?P<noun>(?:\s+(?:yil|sene|ay|gun)(?:lar)?[iu](?:n[ad](?:[ae]n?)?|n|ki)*"
    r"|\s+tarih\w{1,6}"
    r"|\s+(?:sabah|aksam|gece(?!n\b)|ogle)\w{0,8}){1,2})?"
    r"(?:\s+(?:" + "|".join(rf"(?P<{bound}>{words})" for bound, words in _AFTER_IT.items()) + r"))?"
    r"(?:(?P<onward>\s+on(?!\s*\w)|\s+onwards?|\s+(?:and|or) (?:later|after|newer|beyond))"
    r"|(?P<back>\s+(?:and|or) (?:earlier|before|older)))?(?!\w)"
)


def governed(text: str, mention: Mention, following: Governed | None = None) -> Governed:
    """``mention`` of flattened ``text`` with the words that govern it and not the ``following``.

    The words that compare it are no part of its phrase.
    """
    reach = max(0, mention.start - _LEFT_REACH)
    left = _JOINED_LEFT.search(text, reach, mention.start)
    if not text.startswith(_LED, mention.start):
        left = left or _LEFT.search(text, reach, mention.start)
    # In "before 2020 and after 2025" the second bound is not the first date's.
    right = _RIGHT.match(text, mention.end, following.start if following else len(text))
    bound, case = (left and left.lastgroup) or "", ""
    if right:
        case = (right["case"] or "").lstrip("'")
        bound = _bound_after(right) or bound
        if not bound and (right["noun"] or case.removeprefix("n")[:2] in _LOCATIVE):
            bound = "within"
    start, end = left.start() if left else mention.start, right.end() if right else mention.end
    if bound == "against":
        start = _after_bound(text, left, mention) if left else mention.start
        end = _without_bound(right) if right else mention.end
        if text.endswith("ago", 0, mention.end):  # "more than a year ago"
            bound = ""
    return Governed(mention=mention, bound=bound, start=start, end=end, case=case)


def _after_bound(text: str, left: re.Match[str], mention: Mention) -> int:
    bare = text[max(left.end("against"), left.start()) : mention.start].lstrip()
    return mention.start - len(bare)


def _without_bound(right: re.Match[str]) -> int:
    return max(right.start(), right.end("case"), right.end("noun"))


_LED = ("in ", "over ", "during ", "within ")  # "over the past year" brings its own word
_LOCATIVE = frozenset(("ta", "te", "da", "de"))


def _bound_after(right: re.Match[str]) -> str:
    if right["onward"]:
        return "since"
    if right["back"]:
        return "until"
    return next((bound for bound in _AFTER_IT if right[bound]), "")


def counts(one: Governed) -> bool:
    """Whether it is a date here: "may" alone is none, "in may" is one."""
    bound = "before" if one.bound == "both" else one.bound
    return not one.mention.needs or bound in one.mention.needs


_LOWER, _UPPER = frozenset(("since", "after", "from")), frozenset(("before", "until"))
_BOTH = re.compile(r"(?:,|,?\s+(?:and|but|ve|ama|(?P<either>or|veya)))(?:\s+[^\W\d_]+){0,3}\s+|\s+")


def opposed(text: str, first: Governed, second: Governed) -> re.Match[str] | None:
    """How one open period is joined to another that opens the other way; None if not at all."""
    bounds = {first.bound, second.bound}
    if len(bounds & _LOWER) != 1 or len(bounds & _UPPER) != 1:
        return None
    return _BOTH.fullmatch(text, first.end, second.start)


# --- two dates side by side -----------------------------------------------------------------

_TO = re.compile(
    r"\s*(?:-|–|—|to|until|till|through|thru|up to(?: and including)?)\s*(?:the\s+|end of\s+)*"
)
_AND = re.compile(r"\s+and\s+(?:the\s+)?")
_TURKISH_AND = re.compile(rf"(?:{CASE})?(?:\s+ay\w+)?\s+(?:ile|ve)\s+")
_TURKISH_FROM = re.compile(r"'?[td][ae]n\s+(?:itibaren\s+)?")
_BESIDES = re.compile(
    rf"(?:{CASE})?\s*(?:,|(?P<and>&|,?\s*and|or|vs\.?|versus|(?:as\s+)?(?:compared|opposed)"
    r"\s+(?:to|with)|than|ve|ile|veya|gore|kiyasla|oranla|nazaran))\s*(?:in\s+)?(?:the\s+)?"
)


def joined(first: Governed, gap: str, second: Governed) -> bool:
    """Whether the two are the ends of a range: "from May to August"."""
    if _TO.fullmatch(gap):
        open_year = first.mention.year is None or second.mention.year is None
        either, both = counts(first) or counts(second), counts(first) and counts(second)
        return first.bound in _BOUNDS or both or (either and open_year)
    if _TURKISH_FROM.fullmatch(gap):
        return second.bound == "until" or second.case in _DATIVE
    between = first.bound == "between" and _AND.fullmatch(gap)
    return bool(between or (second.bound == "between" and _TURKISH_AND.fullmatch(gap)))


_DATIVE = frozenset(("a", "e", "ya", "ye", "na", "ne"))
CLOSED = frozenset(("", "within", "on", "from", "around", "against"))
"""The bounds that leave a date as it is, with a start and an end."""


def listed(first: Governed, gap: str, second: Governed) -> bool:
    """Whether the two stand in a list: "2022 and 2024"."""
    now = NOW in {first.mention.unit, second.mention.unit}
    if first.bound not in CLOSED or second.bound not in CLOSED:
        return False
    if not counts(first) and not (now and counts(second)):
        return False
    match = _BESIDES.fullmatch(gap)
    # "In May and June": the second month is a date because the first is one.
    alike = now or first.mention.unit == second.mention.unit
    return bool(match and (counts(second) or (alike and match["and"])))
