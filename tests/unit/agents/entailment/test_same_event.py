"""Claims of different things, days or phases are no contradictions; those of one occasion are."""

import pytest

from agents.entailment.contradiction import predict_pair


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The shop opens at 9 am.", "The shop closes at 6 pm."),
        ("The contract starts in June 2026.", "The contract ends in August 2026."),
        ("The library opens at 9.", "The library closes at 18."),
        ("Marta ran 5 km.", "Marta ran 10 km."),
        ("Hugo was in Lisbon.", "Hugo was in Porto."),
        ("Marta runs 5 km on Mondays.", "Marta runs 10 km on Fridays."),
        ("The XL tent weighs 3 kg.", "The S tent weighs 1 kg."),
        ("Invoice 112 is paid.", "Invoice 113 is not paid."),
        ("Step one takes 5 minutes.", "Step two takes 10 minutes."),
        ("The plant grew 3 cm in May.", "The plant grew 5 cm in June."),
        ("Add two eggs.", "Add three eggs."),
        ("Toplantı 09:00'da başlıyor.", "Toplantı 10:30'da bitiyor."),
        ("Ece 5 km koştu.", "Ece 10 km koştu."),
        ("Ece İzmir'deydi.", "Ece Ankara'daydı."),
        ("112 numaralı fatura ödendi.", "113 numaralı fatura ödenmedi."),
    ],
)
def test_of_different_occasions_or_things_both_hold(a: str, b: str) -> None:
    assert not predict_pair(a, b).contradiction
    assert not predict_pair(b, a).contradiction


@pytest.mark.parametrize(
    ("a", "b", "explanation"),
    [
        ("The shop opens at 9 am.", "The shop opens at 10 am.", "One says 9 am, the other 10 am."),
        ("The shop opens at 9 am.", "The shop opens at 9 pm.", "One says “am”, the other “pm”."),
        ("The bus leaves at 08:40.", "The bus leaves at 08:50.",
         "One says 08:40, the other 08:50."),
        ("The boiler was installed in 2011.", "The boiler was installed in 2013.",
         "One says “2011”, the other “2013”."),
        ("The boiler was installed in 2011 by Haas.", "The boiler was installed in 2013.",
         "One says “2011”, the other “2013”."),
        ("The contract ends in June 2026.", "The contract ends in August 2026.",
         "One says “June”, the other “August”."),
        ("The rent is 900 euros.", "The rent is 950 euros.",
         "One says 900 euros, the other 950 euros."),
        ("The pond is north of the shed.", "The shed is north of the pond.",
         "Both rank the same two things, in opposite orders."),
        ("Invoice 112 is paid.", "Invoice 112 is not paid.",
         "One says “paid”, the other “is not paid”."),
        ("Kazan 2011'de takıldı.", "Kazan 2013'te takıldı.", "One says 2011, the other 2013."),
        ("Kira 9.000 lira.", "Kira 9.500 lira.", "One says 9.000 lira, the other 9.500 lira."),
    ],
)  # fmt: skip
def test_of_one_occasion_they_exclude_each_other(a: str, b: str, explanation: str) -> None:
    assert predict_pair(a, b).contradiction
    assert predict_pair(a, b).explanation == explanation
    assert predict_pair(b, a).contradiction


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The rent is about 900 euros.", "The rent is 950 euros."),
        ("The repair costs €12k.", "The repair costs 12,300 euros."),
        ("The walk starts at 9 am.", "The walk starts at 09:00."),
    ],
)
def test_values_within_what_their_words_allow_are_the_same(a: str, b: str) -> None:
    assert not predict_pair(a, b).contradiction
