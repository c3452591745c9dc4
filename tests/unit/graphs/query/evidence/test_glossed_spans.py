"""Spans of Turkish notes as an English question is held against them."""

from graphs.query.evidence.glossed_spans import with_gloss
from tools.evidence.spans import spans_of
from tools.text.tokens import stems_in


def test_a_span_has_its_own_words_and_what_they_are_in_english() -> None:
    note = "# Bisiklet\n\nZinciri Memo Usta değiştirdi, yağmur yüzünden.\n"
    (span,) = (one for one in spans_of(note) if one.kind == "prose")
    read = with_gloss(span)
    assert read.text.startswith(span.text)
    assert {*stems_in("Memo chain rain")} <= {*stems_in(read.text)}
    assert "bicycle" in " ".join(read.headings)
    assert (read.line_start, read.line_end, read.order) == (
        span.line_start,
        span.line_end,
        span.order,
    )


def test_of_a_huge_span_the_beginning_is_glossed() -> None:
    (span,) = spans_of("yağmur " * 5_000)
    assert with_gloss(span).text.startswith(span.text)
    assert len(with_gloss(span).text) < len(span.text) + 10_000
