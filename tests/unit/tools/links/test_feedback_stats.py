"""What is counted of the decisions on suggested links."""

from datetime import UTC, datetime

from tools.links.feedback_stats import BandAcceptance, TypeAcceptance, feedback_stats
from tools.vault.storage.link_feedback import LinkDecision


def decision(
    probability: float, *, day: int = 1, suggested: str | None = None, chosen: str | None = None
) -> LinkDecision:
    return LinkDecision(
        at=datetime(2026, 12, day, tzinfo=UTC),
        source="a.md",
        target="b.md",
        accepted=chosen is not None,
        probability=probability,
        suggested=suggested,
        chosen=chosen,
    )


def test_acceptance_is_counted_by_type_and_by_what_was_promised() -> None:
    stats = feedback_stats(
        [
            decision(0.8, day=3, suggested="supports", chosen="supports"),
            decision(1.0, day=2, suggested="supports", chosen="elaborates"),
            decision(0.1, day=4, suggested="supports"),
            decision(0.0999, suggested="elaborates"),
            decision(0.2, day=9, chosen="influences"),
        ],
        file="link-feedback.json",
    )
    assert (stats.decided, stats.accepted, stats.retyped) == (5, 3, 1)
    assert stats.since == datetime(2026, 12, 1, tzinfo=UTC)
    assert stats.by_type == (
        TypeAcceptance(relation="supports", decided=3, accepted=2),
        TypeAcceptance(relation=None, decided=1, accepted=1),
        TypeAcceptance(relation="elaborates", decided=1, accepted=0),
    )
    assert stats.by_band == (
        BandAcceptance(lower=0.0, upper=0.1, decided=1, accepted=0, promised=0.1),
        BandAcceptance(lower=0.1, upper=0.25, decided=2, accepted=1, promised=0.15),
        BandAcceptance(lower=0.75, upper=1.0, decided=2, accepted=2, promised=0.9),
    )


def test_without_decisions_all_is_empty() -> None:
    stats = feedback_stats([], file="link-feedback.json")
    assert (stats.decided, stats.since, stats.by_type, stats.by_band) == (0, None, (), ())
