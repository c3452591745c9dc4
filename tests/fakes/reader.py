"""A script for FakeOllama that reads plain sentences, whatever Graphiti asks about them.

``Ada Lovelace works at Analytical Society.`` is a fact with two entities. A sentence with the same
subject and verb and another object contradicts it.
"""

import json
import re
from collections.abc import Callable

from tests.fakes.ollama import Reply

VERBS = ("works at", "lives in", "leads", "fears", "believes in", "supports", "causes")
KINDS = {"fears": 6, "believes in": 5, "leads": 2}
"""Entity types by the number Graphiti gives them; others are a concept, subjects a person."""

_SENTENCE = re.compile(
    rf"(?P<subject>[A-ZÇĞİÖŞÜ][\w'’ .&|@()*-]*?) (?P<verb>{'|'.join(VERBS)}) "
    r"(?P<object>[A-ZÇĞİÖŞÜ][^.\n]*)"
)
_FORM = re.compile(r'"title": "(\w+)", "type": "object"}')
_NUMBERED = re.compile(r"'idx': (\d+), 'fact': (?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")")

type Sentence = tuple[str, str, str]


def form_asked(prompt: str) -> str:
    """Name of the reply's form, as the schema in the prompt says; empty without one."""
    return next(reversed(_FORM.findall(prompt)), "")


def sentences(text: str) -> list[Sentence]:
    return [(m["subject"], m["verb"], m["object"].strip()) for m in _SENTENCE.finditer(text)]


def read(prompt: str) -> Reply:
    """What an obedient model would reply."""
    match form_asked(prompt):
        case "ExtractedEntities":
            return _entities(_section(prompt, "TEXT"))
        case "ExtractedEdges":
            return _facts(_section(prompt, "CURRENT_MESSAGE"))
        case "NodeResolutions":
            return _same_entities(prompt)
        case "EdgeDuplicate":
            return _compared(prompt)
        case other:
            raise AssertionError(f"Graphiti asked for {other}")


def reader(odd: Callable[[str, str], Reply | None]) -> Callable[[str], Reply]:
    """``read``, but for prompts to which ``odd`` (the prompt, the form asked) has a reply."""

    def script(prompt: str) -> Reply:
        reply = odd(prompt, form_asked(prompt))
        return read(prompt) if reply is None else reply

    return script


def _section(prompt: str, name: str) -> str:
    return prompt.partition(f"<{name}>\n")[2].partition(f"\n</{name}>")[0]


def _entities(text: str) -> Reply:
    kinds: dict[str, int] = {}
    for subject, verb, thing in sentences(text):
        kinds.setdefault(subject, 1)
        kinds.setdefault(thing, KINDS.get(verb, 7))
    return {
        "extracted_entities": [
            {"name": name, "entity_type_id": kind} for name, kind in kinds.items()
        ]
    }


def _facts(text: str) -> Reply:
    return {
        "edges": [
            {
                "source_entity_name": subject,
                "target_entity_name": thing,
                "relation_type": verb.upper().replace(" ", "_"),
                "fact": f"{subject} {verb} {thing}",
                "valid_at": None,
                "invalid_at": None,
            }
            for subject, verb, thing in sentences(text)
        ]
    }


def _same_entities(prompt: str) -> Reply:
    new = json.loads(_section(prompt, "ENTITIES"))
    known = json.loads(_section(prompt, "EXISTING ENTITIES"))
    by_name = {one["name"].casefold(): one["candidate_id"] for one in known}
    return {
        "entity_resolutions": [
            {
                "id": one["id"],
                "name": one["name"],
                "duplicate_candidate_id": by_name.get(one["name"].casefold(), -1),
            }
            for one in new
        ]
    }


def _compared(prompt: str) -> Reply:
    new = sentences(_section(prompt, "NEW FACT"))[0]
    same: list[int] = []
    against: list[int] = []
    for name, found in (("EXISTING FACTS", same), ("FACT INVALIDATION CANDIDATES", None)):
        for number, single, double in _NUMBERED.findall(_section(prompt, name)):
            (known,) = sentences(single or double)
            if known == new and found is not None:
                found.append(int(number))
            elif known[:2] == new[:2] and known != new:
                against.append(int(number))
    return {"duplicate_facts": same, "contradicted_facts": against}
