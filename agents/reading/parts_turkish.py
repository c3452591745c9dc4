"""The part each Turkish word plays, told by word lists, endings and place."""

import re
from collections.abc import Sequence

from agents.reading.parts import Part
from tools.grammar import TURKISH_BREAKS, TURKISH_PARTICLE, TURKISH_TRAITS

_TURKISH_VERB = re.compile(
    r"\w{2,}?(?:[dt][iu](?:[mkn]|n[iu]z|l[ae]r)?|[iu]yor\w*|m[iu]s(?:[iu]m|[iu]z|t[iu]\w*)?"
    r"|[ae]c[ae][gk]\w*|[ae]l[iu]m|[ae]y[iu]m|m[ae]l[iu](?:y[iu][mz])?|l[iu]y[iu]m|[ae]bilir\w*"
    r"|m[ae]z|[ae]ls[ae][mk]?|[ae]rs[ae]n)$"
)
_TURKISH_SURE_VERB = re.compile(
    r"\w{2,}?(?:[iu]yor\w*|m[iu]st[iu]\w*|m[iu]s[iu]m|[ae]c[ae][gk]\w*|[dt][iu]g[iu]\w*)$"
    r"|(?:karsilastir|kiyasla)\w*$"
)
_TURKISH_AORIST = re.compile(r"\w+[^aeiu][aeiu]r(?:[iu]m)?$")


def turkish_parts(words: Sequence[str], *, named: Sequence[bool]) -> list[Part]:
    return [_turkish_part(words, i, named=named[i]) for i in range(len(words))]


def _turkish_part(words: Sequence[str], at: int, *, named: bool) -> Part:
    word = words[at]
    after = words[at + 1] if at + 1 < len(words) else "?"
    if not word:
        return "name"
    if not word[0].isalnum():
        return "mark"
    if word in TURKISH_BREAKS or TURKISH_PARTICLE.match(word):
        return "break"
    if _TURKISH_SURE_VERB.match(word) and not named:
        return "verb"
    if word in TURKISH_TRAITS:
        return "predicate"
    if at == 0 or not after or named:
        return "noun"
    graded = words[at - 1] == "daha" or (at > 1 and words[at - 2] == "daha")
    if graded and (words[at - 1] == "daha" or TURKISH_PARTICLE.match(words[at - 1])):
        return "predicate"
    if not after[0].isalnum() and _TURKISH_VERB.match(word):
        return "verb"
    # "zayıflatır mı" ends the question; in "bulgur mu pirinç mi" no verb is asked.
    asked = TURKISH_PARTICLE.match(after) and not any(map(TURKISH_PARTICLE.match, words[:at]))
    ends = at + 2 >= len(words) or not words[at + 2][:1].isalnum()
    if asked and ends and (_TURKISH_AORIST.match(word) or _TURKISH_VERB.match(word)):
        return "verb"
    if ends and not after[0].isalnum() and at > 1 and _TURKISH_AORIST.match(word):
        return "verb"
    return "noun"
