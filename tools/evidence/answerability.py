"""What is asked that the notes found do not say. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.evidence.features import Candidate, QueryTerms, persons_in
from tools.text.markdown.dialogue import first_name
from tools.text.normalize import fold
from tools.text.stopwords import NOTING, STOP, TURKISH_STOP
from tools.text.tokens import stem, stems_in, words_of

_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÇĞİÖŞÜ][^\W\d_]{2,}|^[A-ZÇĞİÖŞÜ][^\W\d_]{2,}(?=['’])")
"""A capital within a sentence, or before the 's, or the Turkish ending, of a name."""
_TITLE = re.compile(r"[\"“][^\"”]*[\"”]?")
_LOWER = re.compile(r"(?<=\s)[a-zçğıöşü]")


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingEvidence:
    """What speaks against an answer: words that no line found has, and of whom the nearest tells.

    ``person`` is who is asked about, of those that speak; ``another`` who says the nearest line.
    """

    missing: tuple[str, ...] = ()
    person: str | None = None
    another: str | None = None


def names_in(question: str) -> tuple[str, ...]:
    """The names in a question, folded, but for those in titles that it quotes.

    Where every word has a capital none tells a name.
    """
    if not _LOWER.search(question):
        return ()
    found = (fold(name) for name in _NAME.findall(_TITLE.sub(" ", question)))
    return tuple(dict.fromkeys(name for name in found if name not in STOP | TURKISH_STOP))


def missing_evidence(
    asked: QueryTerms, words: Sequence[str], found: Sequence[Candidate]
) -> MissingEvidence:
    """What of a question with these content ``words`` the spans found, the best first, lack."""
    spans = [one.span for one in found]
    people = {first_name(span.speaker): span.speaker.split()[0] for span in spans if span.speaker}
    persons = sorted(persons_in(asked, spans))
    said = {one for span in spans for one in stems_in(span.text)}
    said.update(one for span in spans for one in stems_in(" ".join(span.headings)))
    said.update(one for title in {one.note.title for one in found} for one in stems_in(title))
    single = dict.fromkeys(part for word in words for part in words_of(word))
    nearest = first_name(spans[0].speaker) if spans and spans[0].speaker else None
    return MissingEvidence(
        missing=tuple(
            word
            for word in single
            if word not in NOTING and word not in people and stem(word) not in said
        ),
        person=" and ".join(people[one] for one in persons) or None,
        another=people[nearest] if nearest and persons and nearest not in persons else None,
    )
