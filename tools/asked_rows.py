"""The row of a table that a question asks for by a column: "Who owns the mill?". Pure."""

from collections.abc import Sequence
from dataclasses import replace

from tools.asked_property import PropertyQuestion, property_question
from tools.domain import Excerpt, Result
from tools.utterances import words_of
from tools.words import META, STOP, TURKISH_STOP

_SMALL = STOP | TURKISH_STOP | META


def asked_row_first(results: Sequence[Result], question: str) -> tuple[Result, ...]:
    """The results, where the first line lacks some asked word, a row that has all before it.

    Of what is asked one word at least is the heading of a column, or asks for what it names, and
    one at least stands in the row.
    """
    given = tuple(results)
    if not any(excerpt.columns for one in given for excerpt in one.excerpts):
        return given
    asked = property_question(question)
    wanted = [word for word in asked.words if word not in _SMALL and len(word) > 1]
    if not wanted or _tells(given[0], asked, wanted):
        return given
    for one in given:
        row = next((e for e in one.excerpts if _is_row(e, asked, wanted)), None)
        if row is not None and not one.superseded:
            beside = (other for other in one.excerpts if other is not row)
            led = replace(one, excerpts=(row, *beside))
            return (led, *(other for other in given if other is not one))
    return given


def _tells(result: Result, asked: PropertyQuestion, wanted: Sequence[str]) -> bool:
    """Whether the first line, in its note, has all that is asked."""
    line = (part for one in result.excerpts[:1] for part in (*one.columns, one.text))
    said = words_of(" ".join((result.note_title, *line)))
    return all(any(asked.names(word, own) for own in said) for word in wanted)


def _is_row(excerpt: Excerpt, asked: PropertyQuestion, wanted: Sequence[str]) -> bool:
    """Whether it is a row that has some of the words as cells and the others as headings."""
    if not excerpt.columns:
        return False
    said, over = words_of(excerpt.text), words_of(" ".join(excerpt.columns))
    cells = [any(asked.form(word, own) for own in said) for word in wanted]
    heads = [any(asked.names(word, own) for own in over) for word in wanted]
    return any(cells) and any(heads) and all(map(max, cells, heads))
