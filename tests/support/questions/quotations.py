"""What is quoted of passages for some words, by what they share with it alone."""

from collections.abc import Sequence

from graphs.core.notes_read import Evidence
from graphs.query.evidence.evidence import (
    EvidenceQuery,
    candidate_spans,
    passage_texts,
    with_evidence,
)
from tools.base.domain import Excerpt, Result
from tools.evidence.features import QueryTerms
from tools.evidence.ranking import first_ranked, ranked
from tools.text.tokens import stem


def with_quotations(results: Sequence[Result], words: Sequence[str]) -> tuple[Result, ...]:
    """The results with what of their passages has most of the words."""
    asked = QueryTerms(weights={stem(word): 1.0 for word in words})
    texts = passage_texts(results)
    found = first_ranked(candidate_spans(EvidenceQuery(asked=asked, named=()), results, texts, ()))
    evidence = Evidence(asked=asked, spans=ranked(found, [None] * len(found)), answerable=None)
    return with_evidence(results, evidence, texts, ordered=True)


def whole(text: str, columns: tuple[str, ...] = ()) -> Excerpt:
    """All of a note as one passage."""
    return Excerpt(text=text, line_start=1, line_end=text.count("\n") + 1, columns=columns)
