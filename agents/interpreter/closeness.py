"""How close a note must be to count: "closely related to X", "similarity above 0.8".

The numbers of a limit are read before the words that only hint at one.
"""

import re

from tools.text.normalize import flatten


def closeness(question: str) -> float | None:
    """What the question says of how close a note must be, in [0, 1] or not; None if nothing.

    Only where it is said of notes: neither "how similar are" nor a "related work section" is.
    """
    flat = flatten(question)
    limit = _limit(flat)
    return _hint(flat) if limit is None else limit


# --- numbers -------------------------------------------------------------------------------

_NOTE = (
    r"(?:notes?|ideas?|things?|stuff|topics?|concepts?|material|pages?|entries|files?|documents?"
    r"|articles?|thoughts?|content|texts?|writing|anything|everything|something|what|what's|whats"
    r"|else|passages?|ones|results?|matches)"
)
_TURKISH_NOTE = (
    r"(?:not(?:lar|um|u|lari|larim|larimi|larin|una|unu)?|fikirler?|sey(?:ler)?|yazi(?:lar)?"
    r"|sayfa(?:lar)?|konu(?:lar)?|kayit(?:lar)?|metin(?:ler)?)"
)
_THAT_ARE = r"(?:(?: (?:that|which))?(?: (?:is|are|feel|look))? )"

_NUMBER = (
    r"(?P<before>% ?|\byuzde )?"
    r"(?P<number>(?<![\d.,])[-+]?(?:\d+(?:[.,]\d+)?|[.,]\d+)|(?:nan|inf)\b)"
    r"(?P<after> ?%| percent\b| per cent\b)?"
)
_SIGN = r"(?:>=|=>|>|≥|=|:)"
_AT_LEAST = (
    r"(?:(?:(?:is|are|of|at|to|set|be|least|above|over|greater|more|higher|than|exceeding|min"
    rf"|minimum|no|less|from)\b|{_SIGN}) ?)*"
)
_OR_MORE = r"(?: ?\+| (?:or|and) (?:more|above|higher|over|up|better)\b)?"
_LEADS = r"(?:\b(?:with|at|having|where|whose|using|and|the|an?|min|minimum|cosine|semantic) )*"
_SIMILARITY = r"similarity(?: (?:threshold|score|level|limit|value|cut-?off))?"
_TURKISH_SIMILARITY = r"benzerli[kg]\w*(?: (?:esi[kg]\w*|orani|skoru|puani|degeri|siniri))?"
_TURKISH_OR_MORE = (
    r"(?:'\w+)?(?: (?:ve|veya|ustu\w*|uzeri\w*|fazla|yuksek|buyuk|daha|olan|olsun)\b)*"
)
_CLAUSE_END = re.compile(r"\s*(?:$|[,;.?!)])")
_LIMITS = tuple(
    re.compile(pattern)
    for pattern in (
        # similarity above 0.8
        rf"(?:{_LEADS}\b{_SIMILARITY} ?{_AT_LEAST}{_NUMBER}{_OR_MORE})",
        # with at least 80% similarity
        (
            r"(?:(?:(?:\b(?:with|at|least|having|minimum|above|over|more|than|an?)|>=?) )+"
            rf"{_NUMBER} (?:cosine )?similarity\b(?: (?:to|with)\b)?)"
        ),
        # notes at least 80% similar to
        rf"\b{_NOTE}{_THAT_ARE}(?:{_AT_LEAST}{_NUMBER} similar\b(?: (?:to|with)\b)?)",
        rf"(?:{_AT_LEAST}{_NUMBER} similar {_NOTE}\b(?: (?:to|with)\b)?)",
        # with a threshold of 0.8
        (
            r"(?:\b(?:with|at|using) (?:(?:an?|the|min|minimum) )*threshold "
            rf"{_AT_LEAST}{_NUMBER})"
        ),
        # 0,8 üstü benzerlik
        (
            rf"(?:(?:\b(?:en az|minimum) )?\b{_TURKISH_SIMILARITY} ?"
            rf"(?:en az |minimum |{_SIGN} ?)?{_NUMBER}{_TURKISH_OR_MORE})"
        ),
        (
            rf"(?:\b(?:en az |minimum )?{_NUMBER}{_TURKISH_OR_MORE}"
            rf" (?:benzerlik(?:le|te|li)\b|benzer(?= {_TURKISH_NOTE}\b)))"
        ),
        rf"(?:\b(?:en az|minimum) {_NUMBER} benzerlik\b)",
        # A threshold of something else is a topic, unless its number could be no other's.
        (
            r"(?:(?<!the )\b(?:threshold|esi[kg]i?) (?:of |[=:] ?)?(?P<before>)"
            r"(?P<number>-\d+(?:[.,]\d+)?|\d?[.,]\d+|[01]|nan|inf)(?P<after>))(?=\s*(?:$|[,;?!)]))"
        ),
    )
)


def _limit(flat: str) -> float | None:
    if not _NAMES_A_LIMIT.search(flat):
        return None
    for pattern in _LIMITS:
        for match in pattern.finditer(flat):
            percent = match["before"] or match["after"]
            value = float(match["number"].replace(",", ".")) / (100 if percent else 1)
            # "Similarity over 3 years" and "similarity of 2 poems" count something else.
            telling = (percent or not match["number"].isdigit()) and 0 <= value <= 1
            if telling or _CLAUSE_END.match(flat, match.end()):
                return value
    return None


_NAMES_A_LIMIT = re.compile(r"\b(?:similar|threshold|benzer|esi[kg])")

# --- hints ---------------------------------------------------------------------------------

_OPENS = r"^(?:(?:please|find|show|list|get|give|surface|me|the|all|my|any|and) )*"


def _close(adverb: str, adjective: str) -> str:
    """A pattern for "A notes", "notes that are A", "A to …" where a request opens with it."""
    word = f"(?:{adverb}(?:{adjective}))"
    return (
        rf"(?<![\w-])(?:{word} {_NOTE}\b|{_NOTE}{_THAT_ARE}(?:else )?{word}\b)"
        rf"|{_OPENS}{word} to\b"
    )


_VERY = r"(?:very|highly|extremely|really|strongly|nearly|almost) "
_CLOSELY = r"(?:closely|strongly|tightly|directly|highly|very) "
_SAID_OF_NOTES = rf"(?: {_TURKISH_NOTE}\b|$|\?| ne\b)"
_HINTS = (
    (
        re.compile(
            rf"{_close(_VERY, 'similar(?: to)?')}|\b{_VERY}similar only\b"
            rf"|{_NOTE}{_THAT_ARE}(?:nearly|almost) the same"
            rf"|\bcok benze(?:r|yen)\b{_SAID_OF_NOTES}|\bneredeyse ayni\b"
        ),
        0.8,
    ),
    (
        re.compile(
            rf"{_close(_CLOSELY, 'related|connected|linked|tied')}|\b{_CLOSELY}related only\b"
            rf"|\byakindan (?:ilgili|iliskili|baglantili|alakali)\b{_SAID_OF_NOTES}"
        ),
        0.7,
    ),
    (re.compile(rf"{_close('', 'similar')}|\bbenze(?:r|yen)\b{_SAID_OF_NOTES}"), 0.6),
    (
        re.compile(
            rf"{_close('(?:loosely )?', 'related')}"
            rf"|(?<=\w )(?:ilgili|iliskili|alakali)\b{_SAID_OF_NOTES}"
        ),
        0.5,
    ),
)


def _hint(flat: str) -> float | None:
    return next((value for pattern, value in _HINTS if pattern.search(flat)), None)
