"""What a comparison compares, in the question's own words.

The sentences of the question are read in turn, the asked one first; in each, the ways to compare
are tried in order (``agents.reading.comparisons``), and the first that names two things decides.
"""

import re
from collections.abc import Sequence, Set

from agents.name_forms import as_named
from agents.reading.comparisons import ENGLISH
from agents.reading.comparisons_turkish import TURKISH, bare
from agents.reading.exclusions import read_without_excluded
from agents.reading.noun_phrases import Range, Sentence, sentences
from agents.reading.wording import Span, unmarked
from tools.guards import concept as clean
from tools.text.normalize import distinct, fold_name
from tools.text.stopwords import word_set

MAX_SUBJECTS = 8


def subjects(
    question: str, *, dates: Span | None = None, names: Set[str] = frozenset()
) -> tuple[str, ...]:
    """``all_subjects``, at most the ``MAX_SUBJECTS`` that an answer has room for."""
    return all_subjects(question, dates=dates, names=names)[:MAX_SUBJECTS]


def all_subjects(
    question: str, *, dates: Span | None = None, names: Set[str] = frozenset()
) -> tuple[str, ...]:
    """Two or more phrases; one where the question names but one, none where it names none.

    ``dates`` is a stretch to leave out; ``names`` are note names as ``fold_name`` writes them,
    which stay whole. What the question excludes is no subject.
    """
    wording, _ = read_without_excluded(question, dates=dates, names=names)
    best: tuple[str, ...] = ()
    for sentence in sentences(wording):
        for rule in TURKISH if wording.turkish else ENGLISH:
            phrases = _phrases(sentence, rule.find(sentence))
            found = distinct(as_named(one, names, turkish=wording.turkish) for one in phrases)
            if len(found) > 1 or (found and rule.settles):
                return found
            best = best or found
    return best


# --- clean phrases -------------------------------------------------------------------------

_HOLDER = re.compile(
    r"^(?:my |our )?(?:notes?|ideas?|views?|thoughts?|thinking|opinions?|knowledge) (?:on|about) ",
    re.IGNORECASE,
)
_OWNED_TRAIT = re.compile(
    r"(?<=\w)['’]s? (?:(?:main|big|biggest|chief) )?(?:advantages?|drawbacks?|benefits?"
    r"|disadvantages?|strengths?|merits?|edge)$",
    re.IGNORECASE,
)
_TRAIT_OF = re.compile(
    r"^(?:pros|cons|(?:dis)?advantages?|drawbacks?|benefits?|merits?|differences?|similarit\w+) of "
    r"(?:(?:a|an|the|my|our) )?",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$", re.IGNORECASE)
_PLACE = re.compile(r"\s+(?:in|on|at|under|inside|from|during|with|into|about)\s.*$", re.IGNORECASE)
_ONE = re.compile(r"ones? ", re.IGNORECASE)
_EMPTY = word_set(
    "two three one ones other others another thing things pair option options choice both note "
    "notes difference differences pros cons them it way ways similarities comparison answer"
)


def _phrases(sentence: Sentence, ranges: Sequence[Range]) -> tuple[str, ...]:
    """The ranges' text without what only asks or judges, each once."""
    turkish = sentence.wording.turkish
    spans = [phrase for phrase in ranges if phrase[0] < phrase[1]]
    texts = [
        bare(sentence, phrase) if turkish else _plain(sentence.wording.phrase(*phrase))
        for phrase in spans
    ]
    if not turkish and len(texts) > 1 and not any(_PLACE.search(text) for text in texts[:-1]):
        # A place named once, at the end, belongs to the question and not to the last thing.
        texts[-1] = _PLACE.sub("", texts[-1]) if not _ONE.match(texts[-1]) else texts[-1]
    named = (clean(unmarked(text)) for text in texts)
    return distinct(name for name in named if fold_name(name) not in _EMPTY)


def _plain(text: str) -> str:
    return _POSSESSIVE.sub("", _OWNED_TRAIT.sub("", _TRAIT_OF.sub("", _HOLDER.sub("", text))))
