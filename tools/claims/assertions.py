"""Which sentences of a note assert something. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from tools.base.domain import Claim
from tools.claims.attribution import attribution
from tools.claims.meanings import turkish_value
from tools.claims.verbs import begins_with_verb, verb_at
from tools.text import lexicon
from tools.text.language import is_spelled, is_turkish
from tools.text.markdown.links import CODE, ENTITY, LINK
from tools.text.markdown.sentences import Sentence, sentences
from tools.text.normalize import fold
from tools.text.stemming import turkish_verb
from tools.text.stopwords import ENGLISH_ONLY, word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*(?:-[^\W\d_]+)*|\d+(?:[.,]\d+)*")
_META = re.compile(
    r"(?:(?:in )?(?:this|the following|the next|the previous|each|these) (?:notes?|document|page"
    r"|section|chapter|article|post|essay|file|list|table|figure|paper|template|vault)\b"
    r"|see (?:also|more|the|here|below|above|my|for)\b|see:|related\b|references?\b|sources?\b"
    r"|further reading|read more|more (?:on|about|in) |as (?:mentioned|discussed|seen|noted|shown)"
    r"|to-?do\b|tl;?dr|note to self|table of contents|tags?:|links?:|cf\b|via\b|from:"
    r"|bu (?:not|belge|yazi|sayfa|bolum)\b|ayrica (?:bkz|bak)|bkz|kaynak|ilgili\b)"
)
_OPINION = re.compile(
    r"\b(?:i (?:\w+ )?(?:think|believe|feel|guess|suspect|find|doubt|prefer|hope)|in my (?:opinion"
    r"|view|experience)|im(?:h)?o|personally|seems? to me|to my mind|arguably"
    r"|i'm (?:convinced|sure)"
    r"|bence|sanirim|bana gore|kanimca|dusunuyorum|inaniyorum|zannediyorum)\b"
)
_OPINION_WORDS = word_set(
    """i my imo imho personally seem seems arguably i'm bence sanirim bana kanimca dusunuyorum
    inaniyorum zannediyorum"""
)
"""One of these is in every opinion, so that few sentences need a closer look."""
_ADVISING = word_set("always never don't")
_REMINDING = word_set("forget worry")
_HOW_OFTEN = word_set("once twice times every daily weekly monthly")
"""With one of these an imperative is a rule to live by, not a thing to be done."""
_AND = word_set("ve veya ile ya")
# Not within a link, code or brackets, nor the end of an entity.
_SEMICOLON = re.compile(
    rf"{LINK}|{CODE}|\([^()\n]*+\)|{ENTITY}|(?P<border>;(?:\s+(?:and|but|so|ve|ama|fakat)\b)?\s+)"
)
_BREAK = re.compile(r"\s*\n[\s>]*")
LONGEST_CLAIM = 60
"""Words; what is longer is a list or a run-on text, not one assertion."""


def _asserts(
    sentence: Sentence, folded: str, words: Sequence[str], *, turkish: bool = False
) -> bool:
    text = sentence.text.rstrip("\"'”’)»*_ ")
    if (
        text.endswith(("?", ":", "…", "..."))
        or sentence.kind in {"task", "field"}
        or not 2 <= len(words) <= LONGEST_CLAIM
        or _META.match(folded)
    ):
        return False
    imperative = words[0] in lexicon.IMPERATIVES
    if turkish or is_turkish(text):
        asks = not {"mi", "mu"}.isdisjoint(words)
        # A Turkish sentence needs no verb; a heading or a note to oneself has no full stop.
        listed = words[-2] in _AND
        nominal = text.endswith((".", "!")) and not listed and (len(words) > 2 or _says_what(text))
        return not (imperative or asks) and (turkish_verb(words[-1]) or nominal)
    if len(words) < 3:
        return False
    advises = words[0] in _ADVISING and words[1] not in _REMINDING
    if advises or (begins_with_verb(words) and not _HOW_OFTEN.isdisjoint(words)):
        return True
    if imperative:
        head: Sequence[str] = (
            words[1:3] if words[1] not in {"that", "if", "whether", "how", "what"} else []
        )
        return any(word in lexicon.AUXILIARIES for word in head)
    verb = verb_at(words)
    # A verb that ends a line without a full stop is more often the last noun of a heading.
    loose = verb == len(words) - 1 and text[-1].isalnum()
    return verb is not None and not loose


def _says_what(text: str) -> bool:
    """Whether a Turkish sentence gives a value or a number."""
    spelled = is_spelled(text)
    rest = _WORD.findall(text)[1:]
    return any(turkish_value(word, spelled=spelled) or word[0].isdigit() for word in rest)


def asserts(text: str) -> bool:
    """Whether a text has a sentence that asserts something: no question, task, field or heading."""
    return any(
        _asserts(one, folded, _WORD.findall(folded))
        for one in sentences(text)
        for folded in [fold(one.text)]
    )


def is_opinion(text: str) -> bool:
    """Whether a sentence says that it is what its writer thinks."""
    folded = fold(text)
    return _is_opinion(folded, _WORD.findall(folded))


def _is_opinion(folded: str, words: Iterable[str]) -> bool:
    return not _OPINION_WORDS.isdisjoint(words) and bool(_OPINION.search(folded))


def _clauses(text: str, sentence: Sentence) -> Iterator[Sentence]:
    """The sentence of ``text``; one too long to be a claim at its semicolons.

    It stays whole where it asks, or cites somebody: that holds of each of its clauses.
    """
    whole = (
        text.find(";", sentence.start, sentence.end) < 0
        or len(_WORD.findall(sentence.text)) <= LONGEST_CLAIM
        or sentence.text.rstrip().endswith("?")
        or attribution(sentence.text).source is not None
    )
    if whole:
        yield sentence
        return
    borders = [
        m.span() for m in _SEMICOLON.finditer(text, sentence.start, sentence.end) if m["border"]
    ]
    starts = [sentence.start, *(end for _, end in borders)]
    ends = [*(start for start, _ in borders), sentence.end]
    for start, end in zip(starts, ends, strict=True):
        for part in sentences(text[start:end]):
            yield Sentence(part.text, start + part.start, start + part.end, sentence.kind)


def extract_claims(
    text: str,
    *,
    line_start: int,
    note_path: str,
    note_title: str,
    heading: str | None = None,
    timestamp: datetime | None = None,
) -> tuple[Claim, ...]:
    """The assertions of an excerpt that begins at ``line_start``; a claim's words are verbatim.

    Only line breaks inside a claim become one space. Opinions are claims and marked as such.
    """
    told = sentences(text)
    # A short sentence without any sign of it is Turkish, too, where most are.
    in_turkish = is_turkish(text) and 2 * sum(is_turkish(one.text) for one in told) > len(told)
    found: list[Claim] = []
    for one in told:
        long = len(one.text) >= 2 * LONGEST_CLAIM
        for sentence in _clauses(text, one) if long else (one,):
            if sentence.kind == "heading":
                heading = sentence.text
            folded = fold(sentence.text)
            words = _WORD.findall(folded)
            turkish = in_turkish and ENGLISH_ONLY.isdisjoint(words)
            if _asserts(sentence, folded, words, turkish=turkish):
                found.append(
                    Claim(
                        note_path=note_path,
                        note_title=note_title,
                        text=_BREAK.sub(" ", text[sentence.start : sentence.end]),
                        line=line_start + text.count("\n", 0, sentence.start),
                        heading=heading,
                        timestamp=timestamp,
                        opinion=_is_opinion(folded, words),
                    )
                )
    return tuple(found)
