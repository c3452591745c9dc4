"""What an overview says in words of its own, in the language of the question. Pure."""

from collections.abc import Mapping
from typing import Literal

Phrase = Literal["one_note", "notes", "summary", "for", "against", "neither", "quotes"]

_ENGLISH: Mapping[Phrase, str] = {
    "one_note": "One note speaks of it:",
    "notes": "{notes} notes speak of it; the main points:",
    "summary": "The main {shown} of {lines} lines of {note}:",
    "for": "For",
    "against": "Against",
    "neither": "Also said",
    "quotes": "In the notes' own words:",
}
_TURKISH: Mapping[Phrase, str] = {
    "one_note": "Bundan bir not söz ediyor:",
    "notes": "Bundan {notes} not söz ediyor; başlıca noktalar:",
    "summary": "{note} notunun {lines} satırından başlıca {shown} tanesi:",
    "for": "Artıları",
    "against": "Eksileri",
    "neither": "Ayrıca",
    "quotes": "Notların kendi sözleriyle:",
}


def say(phrase: Phrase, *, turkish: bool, **values: object) -> str:
    """A phrase with its values."""
    return (_TURKISH if turkish else _ENGLISH)[phrase].format(**values)
