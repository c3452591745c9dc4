"""Short Turkish claims: what denies, opposes or excludes the other, and what does not."""

import pytest

from agents.verdict import verdict


@pytest.mark.parametrize(
    ("a", "b", "explanation"),
    [
        ("Kahve uykuyu bozar.", "Kahve uykuyu bozmaz.", "One says “bozar”, the other “bozmaz”."),
        ("Kedi evde uyur.", "Kedi evde uyumaz.", "One says “uyur”, the other “uyumaz”."),
        ("Araba kırmızı.", "Araba mavi.", "One says “kırmızı”, the other “mavi”."),
        ("Masa beyaz.", "Masa siyah.", "One says “beyaz”, the other “siyah”."),
        ("Araba mavidir.", "Araba gri.", "One says “mavidir”, the other “gri”."),
        ("Prova pazar günü.", "Prova salı günü.", "One says “pazar”, the other “salı”."),
        ("Kurs martta başlar.", "Kurs nisanda başlar.", "One says “martta”, the other “nisanda”."),
        ("Ev nehrin batısında.", "Ev nehrin doğusunda.",
         "One says “batısında”, the other “doğusunda”."),
        ("Sergi yazın açılır.", "Sergi kışın açılır.", "One says “yazın”, the other “kışın”."),
    ],
)  # fmt: skip
def test_short_turkish_claims_that_cannot_both_hold(a: str, b: str, explanation: str) -> None:
    found = verdict(a, b)
    assert found.contradiction
    assert found.explanation == explanation
    assert verdict(b, a).contradiction


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Araba mavi.", "Masa siyah."),
        ("Araba mavi.", "Araba lacivert."),
        ("Mavi araba hızlı.", "Siyah araba hızlı."),
        ("Ev kuzeyde.", "Ev kuzeybatıda."),
        ("Kurs martta başlar.", "Kurs nisanda biter."),
        ("Kahve uykuyu bozar.", "Çay uykuyu bozmaz."),
        ("Kapı demir.", "Kapı metal."),
    ],
)
def test_turkish_claims_that_both_may_hold(a: str, b: str) -> None:
    assert not verdict(a, b).contradiction
