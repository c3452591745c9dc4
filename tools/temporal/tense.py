"""Whether a sentence tells of what was, of what is to come, or of what comes again. Pure.

English by its first finite verb, Turkish by the ending of its last word.
"""

import re
from typing import Literal

from tools.claims.verbs import bids, past_tense, verb_at
from tools.temporal.periods.vocabulary import MONTHS, WEEKDAYS, any_of
from tools.text.language import is_turkish
from tools.text.normalize import flatten
from tools.text.stemming import PAST_FORMS
from tools.text.tokens import WORD

type Tense = Literal["past", "present", "future", ""]
"""Empty where the words do not tell, as in "Friday: dentist"."""

_TO_COME = re.compile(
    r"(?<!^)\b(?:will|won't|shall|gonna)\b|'ll\b|\b(?:going|about) to\b"
    r"|\b(?:i|we|you|he|she|it|they|that|this) (?:may|might|must|should)\b"
)
_AHEAD_BY_NOW = re.compile(
    r"\b(?:due|scheduled|planned for|to-?do)\b|\bthinking (?:of|about) \w+ing\b|'d like to\b"
    r"|\b(?:plan(?:s|ning)?|hop(?:es?|ing)|intend(?:s|ing)?|wants?|needs?|have|has) to\b"
)
"""What looks ahead unless the verb is in the past: "the rent is due", "was due"."""
_DENIED_THEN = re.compile(r"\b(?:did|was|were|had|could)n't\b")
_DATE_WORD = re.compile(
    r"\b(?:in|on|by|of|since|until|till|before|after|last|next|this|early|late|\d{1,2}(?:st|nd|rd|th)?)"
    r"\s+(?:may|march)\b"
)
_TURKISH_TO_COME = re.compile(
    r"\b(?!bacak|sacak)\w+[ae]c[ae][gk](?!t)\w*\W*$|\bplanl[iu]yor\w*\W*$"
    r"|\w(?:m[ae]k ist|m[ae]y[iu] (?:dusun|isti|hedefl))\w*yor\w*\W*$"
)
_TURKISH_PAST = re.compile(r"\w(?:[dt][iu]|m[iu]st?[iu]?)(?:m|n|k|n[iu]z|l[ae]r)?\W*$")
_TURKISH_PRESENT = re.compile(r"\w[iu]yor(?:l[ae]r|[iu]z|[iu]m|sun\w*)?\W*$")

_DAYS = rf"(?:{any_of(WEEKDAYS)})"
_REPEATED = re.compile(
    rf"\b(?:every|each)\s+(?:(?:other|second|third|single|few)\s+)?(?:{_DAYS}|{any_of(MONTHS)}"
    r"|day|night|morning|afternoon|evening|week|weekend|month|quarter|year|spring|summer|autumn"
    r"|fall|winter)\b"
    rf"|\b(?:{_DAYS}|weekday|weekend)s\b|\bof (?:every|each|the) month\b"
    r"|\b(?:daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually)\b"
    r"|\b(?:once|twice|times) an? (?:day|week|month|year)\b"
)
_TURKISH_REPEATED = re.compile(
    rf"\bher (?:gun|sabah|aksam|gece|hafta|ay|yil|sene|ilkbahar|yaz|sonbahar|kis|{_DAYS}"
    rf"|{any_of(MONTHS)})(?:n?[iu]n)?\b|\b{_DAYS}l[ae]r[iu]\b|\bhafta (?:sonlar[iu]|ici)\b"
    r"|\b(?:gunde|haftada|ayda|yilda) (?:bir|iki|uc|dort|bes|\d+)\b"
)
_TICKED = re.compile(r"✅|^\s*(?:[-*+]\s+)?\[[xX]\]\s")


def tense(text: str) -> Tense:
    """When what the sentence tells is, by its verb; what is ticked off is past."""
    if _TICKED.search(text):
        return "past"
    flat = flatten(text)
    if is_turkish(text):
        if _TURKISH_TO_COME.search(flat):
            return "future"
        if _TURKISH_PAST.search(flat):
            return "past"
        return "present" if _TURKISH_PRESENT.search(flat) else ""
    flat = _DATE_WORD.sub(" ", flat)
    words = WORD.findall(flat)
    found = verb_at(words)
    # "Sold the bike", "call Ada": whoever writes for himself leaves out who.
    first = words[0] if words else ""
    past = past_tense(words) if found else first.endswith("ed")
    past = past or first in PAST_FORMS or _DENIED_THEN.search(flat) is not None
    told = any(word in PAST_FORMS for word in words)  # "I love the trip we took"
    if _TO_COME.search(flat):
        return "" if past or told else "future"
    if past:
        return "past"
    if _AHEAD_BY_NOW.search(flat) or bids(words):
        return "future"
    return "present" if found and not told else ""


def repeated(text: str) -> bool:
    """Whether the sentence names days that come again: "every Monday", "weekdays", "daily"."""
    return (_TURKISH_REPEATED if is_turkish(text) else _REPEATED).search(flatten(text)) is not None
