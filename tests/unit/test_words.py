"""Public names are the field's words: a stack trace or a search then says what it is about."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("agents", "graphs", "tools", "evals")

SAY_INSTEAD: Mapping[str, str] = {
    "asked": "query, request, target",
    "begun": "prefetch, in_flight",
    "brief": "summary, record",
    "briefs": "summaries, records",
    "called": "named, title_match, name_for",
    "clash": "contradiction, conflict (a contradiction or a change)",
    "clashes": "contradictions, conflicts",
    "companion": "worker, peer",
    "elsewhere": "remote_store, other_store, outside",
    "held": "covered, valid, listed",
    "holds": "is_valid, is_current, within_bound",
    "kin": "related, neighbour",
    "lacking": "missing",
    "leaning": "context_dependence, coreference",
    "meant": "resolved, semantic_score, relevance",
    "objection": "unsupported_reason",
    "occasion": "event",
    "occasions": "events, same_event",
    "outcomes": "results, predictions",
    "rarities": "idf, term_statistics",
    "rarity": "idf",
    "resident": "service, process",
    "said": "statement, content, stated_in",
    "say": "translate, print, emit",
    "says": "states, has, is",
    "sought": "query",
    "spoken": "speaker, language",
    "tell": "publish, notify, mark",
    "telling": "speaker_match, informative",
    "tells": "covers, matches, reports",
    "told": "shown, reported, stated, distinguished",
    "turned": "contradiction_reason, direction",
    "unclear": "ambiguity",
    "upkeep": "maintain, freshness, ownership",
    "utterance": "dialogue_turn",
    "utterances": "dialogue_turns",
}
"""Words that tell a stranger nothing, and what is said instead of each."""

EXCEPTIONS: Mapping[str, str] = {}
"""Public names that keep such a word, and why."""


def test_public_names_are_words_of_the_field() -> None:
    private = {name: words for name, words in _private().items() if name not in EXCEPTIONS}
    assert not private, "\n".join(
        f"{name}: instead of {word!r} say {SAY_INSTEAD[word]}"
        for name, words in sorted(private.items())
        for word in words
    )


def test_no_exception_outlives_its_name() -> None:
    assert set(EXCEPTIONS) <= _private().keys()


def test_words_are_found_in_every_kind_of_name() -> None:
    code = (
        "class ToldTwice:\n"
        "    def is_told(self): ...\n"
        "    def _told(self): ...\n"
        "class _Hidden:\n"
        "    def told(self): ...\n"
        "async def told_of(): ...\n"
        "def retold(): ...\n"
        "type Told = str\n"
    )
    names = ["ToldTwice", "ToldTwice.is_told", "_Hidden.told", "told_of", "Told"]
    assert [name for name in _public_names(ast.parse(code)) if _words_of(name)] == names


def _private() -> dict[str, list[str]]:
    """Where a module, class, function or method has one of the words, and which."""
    found: dict[str, list[str]] = {}
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            public = _public_names(ast.parse(file.read_text("utf-8")))
            for name in (module, *(f"{module}.{one}" for one in public)):
                if words := _words_of(name):
                    found[name] = words
    return found


def _public_names(tree: ast.Module | ast.ClassDef, within: str = "") -> Iterator[str]:
    """The names that others may use, a method's behind that of its class."""
    for node in tree.body:
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.TypeAlias(name=ast.Name(id=name))
            ):
                if not name.startswith("_"):
                    yield f"{within}{name}"
                if isinstance(node, ast.ClassDef):
                    yield from _public_names(node, f"{name}.")
            case _:
                pass


def _words_of(name: str) -> list[str]:
    """Those of the words that are part of the last name of a dotted one."""
    last = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name.rsplit(".", maxsplit=1)[-1])
    return [word for word in dict.fromkeys(last.lower().split("_")) if word in SAY_INSTEAD]
