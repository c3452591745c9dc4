"""Notes found for compared things: each list has those that speak of its own."""

from collections.abc import Mapping, Sequence

import pytest

from tests.results import a_result
from tools.domain import Excerpt, Result
from tools.speaking import speaking


def found(subject: str, path: str, text: str) -> Result:
    excerpts = (Excerpt(text=text, line_start=1, line_end=1),) if text else ()
    return a_result(path, subject=subject, excerpts=excerpts)


def kept(
    subjects: Sequence[str],
    results: Sequence[Result],
    *,
    called: Mapping[str, frozenset[str]] | None = None,
    whole: Mapping[str, str] | None = None,
    turkish: bool = False,
) -> list[tuple[str | None, str]]:
    """Subject and note of what is left."""
    texts = whole or {}
    left = speaking(
        results, subjects, called=called or {}, whole=lambda p: texts.get(p, ""), turkish=turkish
    )
    return [(result.subject, result.note_path) for result in left]


def test_a_note_on_the_other_thing_alone_is_not_listed() -> None:
    tram = "The tram takes 25 minutes to the office."
    bus = "Buses take 40 minutes."
    results = [
        found("the bus to work", "b.md", bus),
        found("the bus to work", "t.md", tram),
        found("the tram to work", "t.md", tram),
        found("the tram to work", "b.md", bus),
    ]
    assert kept(["the bus to work", "the tram to work"], results) == [
        ("the bus to work", "b.md"),
        ("the tram to work", "t.md"),
    ]


def test_a_word_that_the_other_things_note_has_too_tells_nothing() -> None:
    oak = "Oak furniture lasts a century."
    results = [
        found("oak", "o.md", oak),
        found("pine furniture", "p.md", "Pine furniture dents."),
        found("pine furniture", "o.md", oak),
        found("pine furniture", "c.md", "Oak costs more than pine."),
    ]
    assert kept(["oak", "pine furniture"], results) == [
        ("oak", "o.md"),
        ("pine furniture", "p.md"),
        ("pine furniture", "c.md"),
    ]


def test_what_names_neither_or_is_called_so_or_speaks_of_it_elsewhere_stays() -> None:
    results = [
        found("tea", "neither.md", "It calms me in the evening."),
        found("tea", "own.md", "Less of it than in coffee."),
        found("tea", "long.md", "Coffee first."),
        found("tea", "other.md", "Coffee only."),
    ]
    left = kept(
        ["tea", "coffee"],
        results,
        called={"tea": frozenset({"own.md"})},
        whole={"long.md": "Coffee first.\nThen teas.", "other.md": "Coffee only."},
    )
    assert [path for _, path in left] == ["neither.md", "own.md", "long.md"]


def test_turkish_words_are_known_with_their_endings() -> None:
    results = [
        found("çay", "c.md", "Çayın fiyatı arttı, kahvenin fiyatı düştü."),
        found("çay", "k.md", "Kahvenin fiyatı düştü."),
    ]
    assert kept(["çay", "kahve"], results, turkish=True) == [("çay", "c.md")]


@pytest.mark.parametrize(
    ("thing", "other", "text"),
    [
        ("food", "water", "The foot hurts in water."),
        ("card", "bus", "A cart is slower than the bus."),
        ("bad", "owl", "A bat sleeps where the owl hunts."),
    ],
)
def test_english_words_are_not_stemmed_as_turkish_ones(thing: str, other: str, text: str) -> None:
    results = [found(thing, "n.md", text), found(other, "n.md", text)]
    assert kept([thing, other], results) == [(other, "n.md")]


def test_a_turkish_comparison_knows_a_verb_in_its_forms() -> None:
    results = [found("gitmek", "n.md", "Kalmak iyidir."), found("kalmak", "n.md", "Kalmak iyidir.")]
    assert kept(["gitmek", "kalmak"], results, turkish=True) == [("kalmak", "n.md")]
