"""Whether a sentence tells of what was, of what is to come, or of what comes again. Pure.

English by its first finite verb, Turkish by the ending of its last word.
"""

import re
from typing import Literal

from tools.claims.stems import PAST_FORMS, is_turkish
from tools.claims.verbs import past_tense, verb_at
from tools.date_words import MONTHS, WEEKDAYS, any_of
from tools.folding import flatten

type Tense = Literal["past", "present", "future", ""]
"""Empty where the words do not tell, as in "Friday: dentist"."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_TO_COME = re.compile(
    r"\b(?:will|won't|shall|gonna|upcoming|scheduled|due)\b|'ll\b"
    r"|(?<!\bwas )(?<!\bwere )\b(?:going|about) to\b"
    r"|\b(?:plan(?:s|ning)?|hop(?:es?|ing)|intend(?:s|ing)?|wants?|needs?|have|has) to\b"
)
_TURKISH_TO_COME = re.compile(
    r"\b(?!bacak|sacak)\w+[ae]c[ae][gk](?!t)\w*\W*$|\bplanl[iu]yor\w*\W*$"
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
    rf"|{any_of(MONTHS)})\b|\b{_DAYS}l[ae]r[iu]\b|\bhafta (?:sonlar[iu]|ici)\b"
    r"|\b(?:gunde|haftada|ayda|yilda) (?:bir|iki|uc|dort|bes|\d+)\b"
)


def tense(text: str) -> Tense:
    """When what the sentence tells is, by its verb."""
    flat = flatten(text)
    if is_turkish(text):
        if _TURKISH_TO_COME.search(flat):
            return "future"
        if _TURKISH_PAST.search(flat):
            return "past"
        return "present" if _TURKISH_PRESENT.search(flat) else ""
    if _TO_COME.search(flat):
        return "future"
    words = _WORD.findall(flat)
    if verb_at(words) is not None:
        return "past" if past_tense(words) else "present"
    # "Sold the bike": whoever writes a diary leaves out who did.
    told = bool(words) and (words[0].endswith("ed") or words[0] in PAST_FORMS)
    return "past" if told else ""


def repeated(text: str) -> bool:
    """Whether the sentence names days that come again: "every Monday", "weekdays", "daily"."""
    return (_TURKISH_REPEATED if is_turkish(text) else _REPEATED).search(flatten(text)) is not None
