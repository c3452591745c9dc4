"""Short Turkish claims: what denies, opposes or excludes the other, and what does not."""

import pytest

from agents.entailment.contradiction import predict_pair


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
        ("Ofis kuzeyde.", "Ofis güneyde.", "One says “kuzeyde”, the other “güneyde”."),
        ("Kapı açıktı.", "Kapı kapalıydı.", "One says “açıktı”, the other “kapalıydı”."),
        ("Kutu altta.", "Kutu üstte.", "One says “altta”, the other “üstte”."),
        ("Araba sola döndü.", "Araba sağa döndü.", "One says “sola”, the other “sağa”."),
        ("Toplantı martta.", "Toplantı ekimde.", "One says “martta”, the other “ekimde”."),
        ("Fiyat arttı.", "Fiyat azaldı.", "One says “arttı”, the other “azaldı”."),
        ("Kapi kirmizi.", "Kapi yesil.", "One says “kirmizi”, the other “yesil”."),
        ("Kapı mavi.", "Kapı mavi değil.", "One says “mavi”, the other “değil”."),
    ],
)  # fmt: skip
def test_short_turkish_claims_that_cannot_both_hold(a: str, b: str, explanation: str) -> None:
    found = predict_pair(a, b)
    assert found.contradiction
    assert found.explanation == explanation
    assert predict_pair(b, a).contradiction


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
        # Words that only begin like a value.
        ("Evde altı oda var", "Evde üstte oda var"),
        ("Kutuda altın var.", "Kutuda üstte var."),
        ("Kutuda iki kişi için yemek var", "Kutuda yaz için yemek var"),
        ("Onu sağladı", "Onu soldan aldı"),
        ("Ayşe suyu içti", "Ayşe suyu dışarıda döktü"),
        ("Ayşe mektubu yazdı.", "Ayşe mektubu kışın aldı."),
        ("Ayşe kutuyu taşıdı.", "Ayşe kutuyu camdan attı."),
        ("Kedi dişi.", "Kedi içeride."),
        ("Renk soldu.", "Renk sağda."),
        ("Ayşe sınavı geçti.", "Ayşe sınavı erken bitirdi."),
        ("Kitap konuyu açıklar.", "Kitap konuyu kapalı anlatır."),
        # What is not one value may be another.
        ("Ayşe evli değil.", "Ayşe bekar."),
        ("Ofis kuzeyde değil.", "Ofis güneyde."),
        ("Kapı mavi değil.", "Kapı yeşil."),
        ("Kapı mavi değil.", "Kapı yeşil değil."),
    ],
)
def test_turkish_claims_that_both_may_hold(a: str, b: str) -> None:
    assert not predict_pair(a, b).contradiction
    assert not predict_pair(b, a).contradiction
