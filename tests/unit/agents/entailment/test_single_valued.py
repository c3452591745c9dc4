"""What a thing has only one of: a name, a code, a leader, a place; and what it has several of."""

import pytest

from agents.entailment.contradiction import predict_pair


@pytest.mark.parametrize(
    ("a", "b", "explanation"),
    [
        ("The dog is called Rex.", "The dog is called Bello.",
         "One says “Rex”, the other “Bello”."),
        ("The wifi password is letmein.", "The wifi password is hunter.",
         "One says “letmein”, the other “hunter”."),
        ("The spare key is with Ines.", "The spare key is with Hugo.",
         "One says “Ines”, the other “Hugo”."),
        ("Hugo lives in Ravda.", "Hugo lives in Lom.", "One says “Ravda”, the other “Lom”."),
        ("Our vet is Dr. Marsh.", "Our vet is Dr. Lowell.",
         "One says “Marsh”, the other “Lowell”."),
        ("Project Apollo is led by Ines.", "Project Apollo is led by Hugo.",
         "One says “Ines”, the other “Hugo”."),
        ("Ines leads Project Apollo.", "Hugo leads Project Apollo.",
         "One says “Ines”, the other “Hugo”."),
        ("Oslo is the largest city of Norway.", "Bergen is the largest city of Norway.",
         "One says “Oslo”, the other “Bergen”."),
        ("We use PostgreSQL as the main database.", "We use MySQL as the main database.",
         "One says “PostgreSQL”, the other “MySQL”."),
        ("The code of the door is 4411.", "The code of the door is 4412.",
         "One says “4411”, the other “4412”."),
        ("Köpeğin adı Karabaş.", "Köpeğin adı Pamuk.", "One says “Karabaş”, the other “Pamuk”."),
        ("Kapının şifresi 4411.", "Kapının şifresi 4412.", "One says “4411”, the other “4412”."),
        ("Ayşe İzmir'de yaşıyor.", "Ayşe Ankara'da yaşıyor.",
         "One says “İzmir'de”, the other “Ankara'da”."),
        ("Projeyi Elif yönetiyor.", "Projeyi Mert yönetiyor.",
         "One says “Elif”, the other “Mert”."),
        ("En büyük göl Van Gölü.", "En büyük göl Tuz Gölü.", "One says “Van”, the other “Tuz”."),
    ],
)  # fmt: skip
def test_of_what_a_thing_has_one_two_exclude_each_other(a: str, b: str, explanation: str) -> None:
    found = predict_pair(a, b)
    assert found.contradiction
    assert found.explanation == explanation
    assert predict_pair(b, a).contradiction


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Lena plays the violin.", "Marco plays the violin."),
        ("Rosa leads the design team.", "Luis leads the sales team."),
        ("Oslo is a city of Norway.", "Bergen is a city of Norway."),
        ("Paris is the capital of France.", "Paris is the largest city of France."),
        ("The office is in Paris.", "The office is in France."),
        ("The meeting is on Monday.", "The meeting is in Berlin."),
        ("Her name is Anna.", "Her name is Hannah."),  # of whom, only the notes around them say
        ("The dish is Italian.", "The dish is Jewish."),
        ("The dog is called Rex.", "The dog is called a hero."),
        ("The book is about Rome.", "The book is about Love."),
        ("The dog is not called Rex.", "The dog is not called Bello."),
        ("Password resets are sent by Email.", "Password resets are sent by Letter."),
        ("Elif viski sever.", "Mert viski sever."),
        ("Elif İzmir'de çalıştı.", "Elif Ankara'da çalıştı."),
    ],
)
def test_of_what_there_may_be_several_both_hold(a: str, b: str) -> None:
    assert not predict_pair(a, b).contradiction
    assert not predict_pair(b, a).contradiction
