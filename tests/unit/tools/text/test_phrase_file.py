"""Files of set phrases: long ones, plural forms, what is not there."""

from pathlib import Path

from tools.text.phrase_file import read_phrases

_CZECH = r"""
# What a translator wrote.
msgid ""
msgstr ""
"Language: cs\n"
"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\n"

#: a place in the code
msgid ""
"a \"long\" "
"one"
msgstr ""
"dlouhá "
"\"věta\""

msgid "note"
msgid_plural "notes"
msgstr[0] "poznámka"
msgstr[1] "poznámky"
msgstr[2] "poznámek"
"""


def test_phrases_and_their_plural_forms(tmp_path: Path) -> None:
    file = tmp_path / "cs.po"
    file.write_text(_CZECH, "utf-8")
    phrases = read_phrases(file)
    assert phrases.one('a "long" one') == 'dlouhá "věta"'
    assert [phrases.some("note", "notes", count) for count in (1, 3, 5)] == [
        "poznámka",
        "poznámky",
        "poznámek",
    ]


def test_what_a_language_lacks_is_said_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "cs.po"
    file.write_text(_CZECH, "utf-8")
    phrases = read_phrases(file)
    assert phrases.one("leaf") == "leaf"
    assert [phrases.some("leaf", "leaves", count) for count in (1, 2)] == ["leaf", "leaves"]
