"""The prompts, one markdown file per agent and filled in by name, and cases to try models on.

A value is inserted as it is and never expanded again, so ``$`` in a question stays a ``$``.
"""

import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import cast

CASES = Path(__file__).parent / "cases"
"""What a model is examined on: JSON lines for each role (``evals/llm/check.py``)."""


class PromptError(LookupError):
    """A prompt, or a variable of one, that does not exist; the message names it."""


def render(name: str, /, **values: str) -> str:
    """The text of prompt ``name`` with every placeholder filled.

    Raises PromptError for an unknown prompt, a placeholder without a value, a value without a
    placeholder, and a ``$`` in the file that is neither ``$$`` nor a placeholder.
    """
    template = _template(name)
    wanted = set(template.get_identifiers())
    if missing := sorted(wanted - values.keys()):
        raise PromptError(f"Prompt {name!r} lacks a value for {', '.join(missing)}.")
    if unknown := sorted(values.keys() - wanted):
        raise PromptError(f"Prompt {name!r} has no placeholder {', '.join(unknown)}.")
    return template.substitute(values)


# What chat templates take for the start of another turn: <|im_start|>, <start_of_turn>, [INST].
_CONTROL = re.compile(r"<|\[(?=/?[A-Z_]+\])")


def quoted(material: object) -> str:
    """Material for a prompt as JSON, in which nothing can end the quotation or the turn.

    A list has one entry a line.
    """
    if isinstance(material, list):
        entries = ",\n".join(f" {quoted(entry)}" for entry in cast("list[object]", material))
        return f"[\n{entries}\n]"
    told = json.dumps(material, ensure_ascii=False)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0][0]):04x}", told)


def variables(name: str) -> frozenset[str]:
    """The placeholders of prompt ``name``. Raises PromptError for an unknown prompt."""
    return frozenset(_template(name).get_identifiers())


def names() -> tuple[str, ...]:
    """Every prompt there is, sorted."""
    return tuple(sorted(file.stem for file in _folder().glob("*.md")))


@lru_cache(maxsize=1)
def version() -> str:
    """A hash of all prompts, and of the cases a model is examined on."""
    found = hashlib.sha256()
    for file in sorted((*_folder().glob("*.md"), *CASES.glob("*.jsonl"))):
        found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()[:12]


def _folder() -> Path:
    return Path(__file__).parent


@lru_cache(maxsize=16)
def _template(name: str) -> Template:
    if name not in names():
        raise PromptError(f"There is no prompt {name!r}; there are {', '.join(names())}.")
    template = Template((_folder() / f"{name}.md").read_text(encoding="utf-8"))
    if not template.is_valid():
        raise PromptError(f"Prompt {name!r} has a $ that starts no placeholder: write $$.")
    return template
