"""The part each Turkish word plays, told by word lists, endings and place."""

import re
from collections.abc import Sequence

from agents.reading.grammar import TURKISH_BREAKS, TURKISH_PARTICLE, TURKISH_TRAITS
from agents.reading.parts import Part

_VERB = re.compile(
    r"\w{2,}?(?:[dt][iu](?:[mkn]|n[iu]z|l[ae]r)?|[iu]yor\w*|m[iu]s(?:[iu]m|[iu]z|t[iu]\w*)?"
    r"|[ae]c[ae][gk]\w*|[ae]l[iu]m|[ae]y[iu]m|m[ae]l[iu](?:y[iu][mz])?|l[iu]y[iu]m|[ae]bilir\w*"
    r"|m[ae]z|[ae]ls[ae][mk]?|[ae]rs[ae]n)$"
)
_SURE_VERB = re.compile(
    r"\w{2,}?(?:[iu]yor\w*|m[iu]st[iu]\w*|m[iu]s[iu]m|[ae]c[ae][gk]\w*|d[iu]g[iu]\w*)$"
    r"|(?:karsilastir|kiyasla)\w*$"
)
_AORIST = re.compile(r"\w+[^aeiu][aeiu]r(?:[iu]m)?$")


def turkish_parts(words: Sequence[str], *, named: Sequence[bool]) -> list[Part]:
    """The part of each word; ``named`` says which have a capital where none is needed."""
    return [_turkish_part(words, i, named=named[i]) for i in range(len(words))]


def _turkish_part(words: Sequence[str], at: int, *, named: bool) -> Part:
    word = words[at]
    if not word:
        return "name"
    if not word[0].isalnum():
        return "mark"
    if word in TURKISH_BREAKS or TURKISH_PARTICLE.match(word):
        return "break"
    if word in TURKISH_TRAITS or (at > 0 and _is_graded(words, at)):
        return "noun" if named and word not in TURKISH_TRAITS else "predicate"
    return "verb" if not named and _is_verb(words, at) else "noun"


def _is_graded(words: Sequence[str], at: int) -> bool:
    """Whether "daha" or "daha mı" stands before the word."""
    before = words[at - 1]
    return before == "daha" or (
        at > 1 and words[at - 2] == "daha" and bool(TURKISH_PARTICLE.match(before))
    )


def _is_verb(words: Sequence[str], at: int) -> bool:
    word = words[at]
    if _SURE_VERB.match(word):
        return True
    after = words[at + 1] if at + 1 < len(words) else "?"
    if at == 0 or not after:
        return False
    if not after[0].isalnum():
        return bool(_VERB.match(word) or (at > 1 and _ends(words, at + 1) and _AORIST.match(word)))
    # "zayıflatır mı" ends the question; in "bulgur mu pirinç mi" no verb is asked.
    asked = TURKISH_PARTICLE.match(after) and not any(map(TURKISH_PARTICLE.match, words[:at]))
    return bool(asked and _ends(words, at + 2) and (_AORIST.match(word) or _VERB.match(word)))


def _ends(words: Sequence[str], at: int) -> bool:
    return at >= len(words) or not words[at][:1].isalnum()
