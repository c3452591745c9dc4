"""From a passage to the words worth quoting, and proof that they stand in the file. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tools.claims import sentences
from tools.domain import Excerpt, Result
from tools.folding import fold

_WORD = re.compile(r"[^\W_]+")
_QUOTE_LENGTH = 320
"""Characters a quotation may have before a second sentence is left out."""
_QUOTES_PER_NOTE = 2
_MARKUP_ONLY = re.compile(r"^[\s#>*_`|:\-\[\](){}!.\d]*$")
_NOT_PROSE = re.compile(r"^\s*(?:#{1,6}\s|```|~~~|\|?\s*:?-{3,}|<!--|[\w ]+::\s*\[\[)")


def focus(result: Result, words: Sequence[str]) -> Result:
    """Replace a result's passages by their sentences that say most about ``words`` (folded)."""
    wanted = frozenset(_stem(word) for word in words)
    focused = [
        excerpt
        for passage in result.excerpts
        if (excerpt := best_sentence(passage, words)) is not None
    ]
    ranked = sorted(dict.fromkeys(focused), key=lambda excerpt: -_overlap(excerpt.text, wanted))
    return replace(result, excerpts=tuple(ranked[:_QUOTES_PER_NOTE]))


def best_sentence(passage: Excerpt, words: Sequence[str]) -> Excerpt | None:
    """Quote the sentence with most of ``words``, with the next one when both are short.

    None when the passage has no sentence at all, only markup.
    """
    wanted = frozenset(_stem(word) for word in words)
    found = [
        sentence
        for sentence in sentences(passage.text)
        if not _MARKUP_ONLY.match(sentence.text) and not _NOT_PROSE.match(sentence.text)
    ]
    if not found:
        return None
    best = max(range(len(found)), key=lambda at: (_overlap(found[at].text, wanted), -at))
    start, end = found[best].start, found[best].end
    following = found[best + 1] if best + 1 < len(found) else None
    if (
        following is not None
        and following.end - start <= _QUOTE_LENGTH
        and "\n" not in passage.text[end : following.start]
    ):
        end = following.end
    text = passage.text[start:end].strip()
    if len(text) > 2 * _QUOTE_LENGTH:
        text = text[: 2 * _QUOTE_LENGTH].rsplit(" ", 1)[0]
    first = passage.line_start + passage.text.count("\n", 0, start)
    return replace(
        passage, text=text, line_start=first, line_end=first + text.rstrip("\n").count("\n")
    )


def verify(excerpt: Excerpt, lines: Sequence[str]) -> Excerpt | None:
    """Return the excerpt as it stands in the file now, moved if its lines moved, or None.

    ``lines`` are the file's present lines. White space is not compared.
    """
    wanted = _squeezed(excerpt.text)
    if not wanted:
        return None
    here = _squeezed("\n".join(lines[excerpt.line_start - 1 : excerpt.line_end]))
    if wanted in here:
        return excerpt
    height = excerpt.line_end - excerpt.line_start + 1
    for start in range(len(lines) - height + 1):
        if wanted in _squeezed("\n".join(lines[start : start + height])):
            return replace(excerpt, line_start=start + 1, line_end=start + height)
    return None


def _overlap(text: str, wanted: frozenset[str]) -> float:
    """Distinct wanted words in the text, slightly less for a very long text."""
    present = {_stem(word) for word in _WORD.findall(fold(text))}
    return len(wanted & present) - len(text) / 5000


def _stem(word: str) -> str:
    """First letters of a word: enough to see that ``improves`` and ``improved`` are one word."""
    return word[:5] if len(word) > 5 else word


def _squeezed(text: str) -> str:
    return "".join(text.split())
