"""Set phrases in a file of GNU gettext (``.po``), as far as the files of ours go."""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from gettext import c2py
from pathlib import Path

_LINE = re.compile(r'(?:(msgid|msgid_plural|msgstr)(?:\[\d+\])? )?(".*")')
_PLURAL = re.compile(r"^Plural-Forms:.*\bplural=([^;\n]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Phrases:
    """What a language says for each phrase; a phrase that it lacks is said as it is."""

    forms: dict[str, tuple[str, ...]]
    form_of: Callable[[int], int]

    def one(self, phrase: str) -> str:
        return self.forms.get(phrase, (phrase,))[0]

    def some(self, one: str, many: str, count: int) -> str:
        if forms := self.forms.get(one):
            return forms[self.form_of(count)]
        return one if count == 1 else many


def read_phrases(file: Path) -> Phrases:
    """Read the phrases of a language; the phrase that is empty holds what is said of the file."""
    entries: list[list[tuple[str, str]]] = []
    for line in file.read_text("utf-8").splitlines():
        if not (found := _LINE.fullmatch(line)):
            continue
        keyword, text = found[1], str(ast.literal_eval(found[2]))
        if keyword == "msgid":
            entries.append([])
        if keyword:
            entries[-1].append((keyword, text))
        else:
            known, before = entries[-1][-1]
            entries[-1][-1] = known, before + text
    forms = {
        entry[0][1]: tuple(text for keyword, text in entry if keyword == "msgstr")
        for entry in entries
    }
    (about,) = forms.pop("")
    plural = _PLURAL.search(about)
    return Phrases(forms, c2py(plural[1] if plural else "n != 1"))
