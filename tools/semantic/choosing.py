"""Which encoder an index is made with, where that is left to the notes.

English notes are encoded by MiniLM, which has half as many layers; where enough of them are in
other languages, by e5, which a question in one language finds notes of another with. The choice
stands in a file of the data directory, for the semantic server to read.
"""

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from tools.semantic import e5, minilm
from tools.text.language import is_turkish
from tools.text.other_languages import other_language

AUTO = "auto"
FOREIGN = 0.1
"""Share of the passages in other languages from which on e5 is chosen."""
_STAYS = 0.05
"""Share down to which it stays chosen: to change embeds everything anew."""
SAMPLE = 400
"""Passages whose language is looked at."""
_GROWN = 1.1
"""So many times as many passages as when it was chosen, or as few, have it chosen again."""
_READ = 300
"""Characters of a passage that tell its language."""
FILE = "encoder.json"
"""Where in the data directory the choice stands."""


class _Choice(BaseModel):
    model_config = ConfigDict(frozen=True)

    encoder: str
    passages: int


def encoder_named(name: str, data_dir: Path) -> str:
    """The encoder of a setting: ``name``, or where that is ``auto`` what was chosen last."""
    if name != AUTO:
        return name
    chosen = _read(data_dir)
    return chosen.encoder if chosen else minilm.NAME


def is_due(data_dir: Path, passages: int) -> bool:
    """Whether to choose again: never chosen, or the vault has grown or shrunk since."""
    chosen = _read(data_dir)
    if chosen is None:
        return passages > 0
    return not chosen.passages / _GROWN <= passages <= chosen.passages * _GROWN


def choose(texts: Sequence[str], *, passages: int, data_dir: Path) -> str:
    """Choose by the languages of some of the ``passages``, and write it down.

    Raises OSError where that cannot be written.
    """
    foreign = sum(map(is_foreign, texts)) / max(1, len(texts))
    multilingual = encoder_named(AUTO, data_dir) == e5.NAME
    name = e5.NAME if foreign >= (_STAYS if multilingual else FOREIGN) else minilm.NAME
    _write(_Choice(encoder=name, passages=passages), data_dir / FILE)
    return name


def is_foreign(text: str) -> bool:
    """Whether a passage is in another language than English, as far as it begins."""
    begins = text[:_READ]
    return is_turkish(begins) or other_language(begins) is not None


def _write(choice: _Choice, file: Path) -> None:
    """Put it in place whole: another process may be reading."""
    draft = file.with_name(f"{file.name}.draft")
    draft.write_text(choice.model_dump_json(), "utf-8")
    draft.replace(file)


def _read(data_dir: Path) -> _Choice | None:
    try:
        return _Choice.model_validate_json((data_dir / FILE).read_bytes())
    except (OSError, ValidationError):
        return None
