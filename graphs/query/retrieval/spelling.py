"""Words of a question that no note has, read as the words of the notes they are a slip from."""

import re
from collections.abc import Iterable, Mapping

from rapidfuzz.distance import OSA

from agents.interpreter.wording.spelling import is_word
from tools.text.normalize import QUOTED, fold
from tools.text.stemming import english_stem
from tools.text.stopwords import SEARCH_STOP
from tools.vault.catalog.catalog import Catalog

_WORD = re.compile(r"(?<![\w./@#-])[^\W\d_]+(?![\w/@#-]|\.\w)")
_SHORTEST = 5
_LONG = 8
"""Letters from which on a word may have a slip, and two."""
_NEAREST = 5
_PASSAGES = 5


def misspelt(
    question: str, catalog: Catalog, *, turkish: bool, names: Iterable[str] = ()
) -> Mapping[str, str]:
    """The words of the question that no note and no English word list has, and which are meant.

    What tags and folders are called, their ``names``, is no slip. A word is meant whose first
    letter is the same, by as few slips as can be. A question that quotes is taken as it is; of a
    Turkish one, whose words have endings, only names are looked at.
    """
    if QUOTED.search(question):
        return {}
    found: dict[str, str] = {}
    known = SEARCH_STOP.union(*(name.split() for name in names))
    for word in dict.fromkeys(_WORD.findall(question)):
        folded = fold(word)
        if len(folded) < _SHORTEST or folded in known or is_word(folded):
            continue
        if turkish and not word[0].isupper():
            continue
        if not catalog.words.document_frequency(f'"{folded}"'):
            meant = _meant(folded, catalog)
            if meant is not None:
                found[word] = meant
    return found


def _meant(folded: str, catalog: Catalog) -> str | None:
    """The word of the notes nearest to one they have not, as it is written there."""
    slips = 1 if len(folded) < _LONG else 2
    root = english_stem(folded)
    near = sorted(
        (distance, -passages, term)
        for term, passages in catalog.words.beginning_with(folded[0])
        if (distance := OSA.distance(root, term, score_cutoff=slips)) <= slips
    )
    written: dict[str, tuple[int, int]] = {}
    for _, passages, term in near[:_NEAREST]:
        rows = [row for row, _ in catalog.words.match(f'"{term}"', limit=_PASSAGES)]
        for passage in catalog.passages(chunk_ids=rows).values():
            said = " ".join((passage.note_title, *passage.heading_path, passage.text))
            for word in _WORD.findall(said):
                distance = OSA.distance(folded, fold(word), score_cutoff=slips)
                if distance <= slips:
                    written.setdefault(word, (distance, passages))
    return min(written, key=written.__getitem__) if written else None


def with_spelling(question: str, meant: Mapping[str, str]) -> str:
    """The question with each word as it is meant."""
    return _WORD.sub(lambda found: meant.get(found[0], found[0]), question)
