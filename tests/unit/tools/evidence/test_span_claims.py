"""Everything a note says, each under what stands over it."""

from datetime import UTC, datetime

from tools.base.domain import Claim
from tools.evidence.span_claims import span_claims
from tools.evidence.spans import spans_of

DAY = datetime(2024, 5, 3, tzinfo=UTC)


def claims(text: str) -> tuple[Claim, ...]:
    spans = spans_of(text)
    return tuple(span_claims(spans, note_path="Boiler.md", note_title="Boiler", written=DAY))


def test_rows_items_properties_and_sentences_are_claims_under_their_headings() -> None:
    text = (
        "---\nfuel: natural gas\n---\n# Service\n\nIt was serviced in May. Nobody asked for it.\n\n"
        "| Part | Change every |\n| --- | --- |\n| water filter | 6 months |\n\n"
        "## Pressure\n\n- cold fill at least 2.2 bar\n"
    )
    assert [(one.read_as, one.line) for one in claims(text)] == [
        ("Boiler: fuel: natural gas", 2),
        ("Boiler > Service: It was serviced in May.", 6),
        ("Boiler > Service: Nobody asked for it.", 6),
        ("Boiler > Service: Part: water filter · Change every: 6 months", 10),
        ("Boiler > Service > Pressure: cold fill at least 2.2 bar", 14),
    ]


def test_questions_links_headings_and_single_words_are_none() -> None:
    assert (
        claims("# What now\n\nWhen is it due?\n\n[[Boiler]] [[House]] [[Gas]]\n\n- broken\n") == ()
    )


def test_claims_have_the_note_and_the_day_they_were_written() -> None:
    (claim,) = claims("The filter is changed in May.")
    assert (claim.note_path, claim.note_title, claim.timestamp) == ("Boiler.md", "Boiler", DAY)
