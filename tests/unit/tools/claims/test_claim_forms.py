"""The form of a claim, and what two of them share and differ in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.claims.alignment import align
from tools.claims.forms import analyse

# --- the form of one claim ---


@pytest.mark.parametrize(
    ("claim", "negated"),
    [
        ("The door closes.", False),
        ("The door isn't closed.", True),
        ("The door can’t close.", True),
        ("Nobody closes the door.", True),
        ("The door no longer closes.", True),
        ("The parser fails to close the file.", True),
        ("The recipe lacks salt.", True),
        ("The alarm never fails to ring.", False),
        ("The plan is not without merit.", False),
        ("It not only indexes notes but links them.", False),
        ("There is no doubt that it works.", False),
        ("Yöntem işe yaramaz.", True),
        ("Yöntem işe yarar.", False),
        ("Ekip uzaktan çalışmıyor değil.", False),
    ],
)
def test_polarity(claim: str, *, negated: bool) -> None:
    content = [token for token in analyse(claim).tokens if token.weight and not token.in_subject]
    assert content[-1].negated is negated


def test_negation_ends_with_its_clause() -> None:
    words = {t.word: t.negated for t in analyse("The tea isn't hot, but the soup is spicy.").tokens}
    assert words["hot"]
    assert not words["spicy"]


@pytest.mark.parametrize(
    ("claim", "low", "high", "unit"),
    [
        ("The tank holds two hundred litres.", 200, 200, "volume"),
        ("The walk takes 5 to 10 minutes.", 300, 600, "time"),
        ("The path is at least 12 km long.", 12_000, float("inf"), "length"),
        ("Fewer than 9 percent left.", float("-inf"), 9, "percent"),
        ("The rent is €900.", 900, 900, "euro"),
        ("The team has twenty-one members.", 21, 21, "member"),
        ("The dose is 20 mg per day.", 20e-6, 20e-6, "mass/day"),
        ("Kurs altı hafta sürüyor.", 6 * 604_800, 6 * 604_800, "time"),
    ],
)
def test_quantities(claim: str, low: float, high: float, unit: str) -> None:
    (quantity,) = analyse(claim).quantities
    assert quantity.unit == unit
    assert quantity.low == pytest.approx(low, rel=0.05)
    assert quantity.high == pytest.approx(high, rel=0.05)


def test_years_are_dates_and_no_quantities() -> None:
    form = analyse("The festival began in 2000 and drew 2000 visitors.")
    assert form.dates == {"2000"}
    assert [quantity.unit for quantity in form.quantities] == ["visitor"]


def test_versions_are_no_quantities() -> None:
    assert analyse("The tool needs Python 3.12.1 today.").quantities == ()


# --- two claims side by side ---


def test_alignment_names_what_is_shared_and_what_differs() -> None:
    aligned = align(
        analyse("Background music improves concentration during deep work."),
        analyse("Background music worsens concentration during shallow work."),
    )
    assert [(one.word, other.word) for one, other in aligned.opposites] == [
        ("improves", "worsens"),
        ("deep", "shallow"),
    ]
    assert aligned.subject == "same"
    assert aligned.only_a == aligned.only_b == ()


@pytest.mark.parametrize(
    ("a", "b", "opposites", "exclusives"),
    [
        ("The barn door is red.", "The barn door is blue.", 0, 1),
        ("The barn door is grey.", "The barn door is gray.", 0, 0),
        ("The market is on Monday.", "The market is on Friday.", 0, 1),
        ("The lid is open.", "The lid is shut.", 1, 0),
        ("Yeni kapı açık.", "Yeni kapı kapalı.", 1, 0),
    ],
)
def test_opposites_and_values_of_one_attribute_are_told_apart(
    a: str, b: str, opposites: int, exclusives: int
) -> None:
    aligned = align(analyse(a), analyse(b))
    assert (len(aligned.opposites), len(aligned.exclusives)) == (opposites, exclusives)


def test_synonyms_count_as_shared() -> None:
    one, other = "The doctor bought a couch.", "The physician purchased a sofa."
    assert align(analyse(one), analyse(other)).topic == 1.0


def test_values_conflict_only_in_one_unit() -> None:
    weight = analyse("The box weighs 2 kg.")
    assert align(weight, analyse("The box weighs 2000 g.")).values == ()
    assert align(weight, analyse("The box weighs 3000 g.")).values != ()
    assert align(weight, analyse("The box weighs 3 litres.")).values == ()


def test_different_subjects_are_told_apart() -> None:
    assert align(analyse("Cats like milk."), analyse("Dogs like milk.")).subject == "different"
    assert align(analyse("Cats like milk."), analyse("My cat likes milk.")).subject == "same"


ASSERTIONS = st.sampled_from(
    [
        "Basil needs 1.2 mS/cm.",
        "Typing is faster than handwriting.",
        "The library is not open on Mondays.",
        "No one reads the report in 2019.",
        "Kahve uykuyu bozmaz.",
        "It is 5 to 6 km long.",
    ]
)


@given(ASSERTIONS, ASSERTIONS)
def test_alignment_is_symmetric_in_what_it_measures(one: str, other: str) -> None:
    there, back = align(analyse(one), analyse(other)), align(analyse(other), analyse(one))
    assert there.shared == back.shared
    assert there.topic == pytest.approx(back.topic)
    assert len(there.values) == len(back.values)
    assert (there.subject, there.dates_differ) == (back.subject, back.dates_differ)


@given(ASSERTIONS)
def test_a_claim_never_differs_from_itself(claim: str) -> None:
    aligned = align(analyse(claim), analyse(claim))
    assert aligned.topic == 1.0
    assert not aligned.flipped + aligned.opposites + aligned.exclusives
    assert aligned.values == ()
