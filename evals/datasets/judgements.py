"""Questions to a vault and where their answers stand, as files give them.

Questions are JSON lines. Judgements (qrels) are lines of three columns separated by tabs, with or
without a heading, or JSON lines: query id, note path with optional ``#^block``, gain.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import AliasChoices, BeforeValidator, Field

from evals.datasets.records import Record, Text, numbered_lines, read_lines, record
from tools.base.errors import InputError


def _id(given: object) -> str | int:
    if isinstance(given, bool) or not isinstance(given, str | int) or not str(given).strip():
        raise ValueError("an id is some text or a whole number")
    return given


type Id = Annotated[str | int, BeforeValidator(_id)]


class Query(Record):
    """A question to a vault. ``answerable``: whether the vault holds an answer, where known."""

    example: ClassVar[str] = '{"id": "q1", "query": "Why is the basil yellow?"}'

    id: Id
    query: Text
    answerable: bool | None = None
    language: str | None = None

    @property
    def key(self) -> str:
        """The id as judgements name it."""
        return str(self.id).strip()


class _Line(Record):
    """A judgement as a line of JSON."""

    query_id: Annotated[Id, Field(validation_alias=AliasChoices("query_id", "id"))]
    note_path: Annotated[Text, Field(validation_alias=AliasChoices("note_path", "note", "path"))]
    gain: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """The gain of each note, and of each block (note path, block id), by the query's key.

    ``remarks`` say in words what could not be used, and what was judged twice.
    """

    notes: Mapping[str, Mapping[str, float]]
    blocks: Mapping[str, Mapping[tuple[str, str], float]] = field(
        default_factory=dict[str, dict[tuple[str, str], float]]
    )
    remarks: Sequence[str] = ()


def read_queries(path: Path) -> list[Query]:
    """The questions in order. Raises InputError as ``read_lines``, and for an id given twice."""
    queries = read_lines(path, Query)
    seen: set[str] = set()
    for query in queries:
        if query.key in seen:
            raise InputError(
                f"{path.name}: the id {query.key!r} is given twice; give each question its own."
            )
        seen.add(query.key)
    return queries


def read_judgements(
    path: Path, *, queries: Collection[str], blocks: Mapping[str, Set[str]]
) -> Judgements:
    """What is relevant to which of the ``queries``.

    ``blocks`` has the block ids of every note in the vault; a judgement of anything else is left
    out and named. A gain below 0 counts as 0. Of several judgements of one thing the highest
    counts. Raises InputError, in one line, for a line that is none, and where no line says of
    anything that it is relevant.
    """
    notes: dict[str, dict[str, float]] = {}
    places: dict[str, dict[tuple[str, str], float]] = {}
    strange: dict[str, list[str]] = {"question": [], "note": [], "block": []}
    judged: Counter[tuple[str, str]] = Counter()
    for query, place, gain in _rows(path, queries):
        note, block = _place(place, blocks)
        if query not in queries:
            strange["question"].append(query)
        elif note not in blocks:
            strange["note"].append(note)
        else:
            own = notes.setdefault(query, {})
            own[note] = max(gain, own.get(note, 0.0))
            named = note if block is None else f"{note}#^{block}"
            judged[query, named] += 1
            if block is not None and block not in blocks[note]:
                strange["block"].append(named)
            elif block is not None:
                inside = places.setdefault(query, {})
                inside[note, block] = max(gain, inside.get((note, block), 0.0))
    left_out = [_left_out(what, found) for what, found in strange.items() if found]
    if not any(gain > 0 for own in notes.values() for gain in own.values()):
        raise InputError(_nothing_relevant(path, judged.total(), left_out))
    twice = [one for one, times in judged.items() if times > 1]
    return Judgements(
        notes=notes,
        blocks=places,
        remarks=[
            *(f"{path.name}: {said}." for said in left_out),
            *([_judged_twice(path, twice)] if twice else []),
        ],
    )


_COLUMNS = "three columns separated by tabs: query id, note path, gain"


def _rows(path: Path, queries: Collection[str]) -> list[tuple[str, str, float]]:
    rows: list[tuple[str, str, float]] = []
    for at, (number, line) in enumerate(numbered_lines(path, example=_COLUMNS)):
        where = f"{path.name}, line {number}"
        if line.lstrip().startswith("{"):
            found = record(line, _Line, where=where)
            query, place, gain = str(found.query_id), found.note_path, found.gain
        else:
            columns = [column.strip() for column in line.split("\t")]
            if len(columns) < 3 or not all(columns[:3]):
                raise InputError(f"{where}: give {_COLUMNS}.")
            query, place, said = columns[:3]
            gain = _number(said)
            if gain is None and at == 0 and query not in queries:
                continue  # the heading
            if gain is None:
                raise InputError(f"{where}: the gain {said[:40]!r} is no number; write 0, 1, 2 ….")
        if not math.isfinite(gain):
            raise InputError(f"{where}: the gain is no number; write 0, 1, 2 ….")
        rows.append((query.strip(), place, max(0.0, gain)))
    return rows


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _place(text: str, notes: Collection[str]) -> tuple[str, str | None]:
    """Note path and block id; the path may lack its ending, as links do."""
    path, _, block = unicodedata.normalize("NFC", text.strip()).partition("#^")
    path = path.removeprefix("./")
    bare = path not in notes and not path.lower().endswith(".md")
    return (f"{path}.md" if bare else path), block or None


def _left_out(what: str, found: Sequence[str]) -> str:
    lines = "1 line names" if len(found) == 1 else f"{len(found)} lines name"
    lacking = "that is not asked" if what == "question" else "that is not in the vault"
    return f"{lines} a {what} {lacking}, left out; the first is {found[0]!r}"


def _judged_twice(path: Path, places: Sequence[tuple[str, str]]) -> str:
    (query, place), count = places[0], len(places)
    what = "1 place is" if count == 1 else f"{count} places are"
    return (
        f"{path.name}: {what} judged more than once for a question, and the highest gain counts; "
        f"the first is {place!r} for {query!r}."
    )


def _nothing_relevant(path: Path, unhelpful: int, left_out: Sequence[str]) -> str:
    gives = "1 line gives" if unhelpful == 1 else f"{unhelpful} lines give"
    why = [*left_out, *([f"{gives} no gain above 0"] if unhelpful else [])]
    return (
        f"{path.name}: nothing can be scored: {'; '.join(why)}. Name the questions as --queries "
        "does and the notes by their paths in the vault, and give what answers a gain of 1 or more."
    )
