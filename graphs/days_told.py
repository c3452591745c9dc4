"""The lines of a note that tell of the days a question names."""

import re
from dataclasses import replace
from datetime import date, datetime
from pathlib import PurePosixPath

from tools.claims.sentences import Sentence, sentences
from tools.day_headings import HeadedDays, Writing, days_over, writing_of
from tools.domain import Excerpt, QueryPlan, Result
from tools.quoting import LONGEST, quote
from tools.tables import is_rule
from tools.utterances import speakers, stems_in, utterances
from tools.vault.catalog import NoteRecord, Passage
from tools.vault.text import excerpt

LINES = 20
"""Dated lines of one note that are quoted."""
_ALL_LINES = 60
_DATED = re.compile(
    r"[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?"
    r"(?P<said>(?:\[.\][ \t]+)?[\[*_]*(?P<day>\d{4}-\d\d-\d\d)\b(?P<more>.*))"
)


def told_of_days(focused: Result, plan: QueryPlan, *, found: Result, among: int = 1) -> Result:
    """The result with what is ``found`` in its note under one of the days, or begins with it.

    A note of another time is quoted with nothing else; one ``among`` many with less. Of a note that
    says nothing of single days its first quotation stays, of a conversation what was chosen.
    """
    if speakers(utterances(found)):  # all of a conversation would be greetings, too
        return focused
    most = max(1, min(LINES, _ALL_LINES // among))
    lines: list[Excerpt] = []
    written = found.metadata.created_date
    headed = [one for one in found.excerpts if _is_headed(one, found, plan)]
    for one in found.excerpts:
        if one in headed:
            lines += _sayings(one)[: max(1, most // len(headed))]
        else:
            lines += _lines_told(one, plan)
    if not lines:
        return replace(focused, excerpts=focused.excerpts[:1])
    told = {one.line_start for one in lines}
    own = focused.excerpts if _within(written, plan) else ()
    beside = [one for one in own if one.line_start not in told]
    lines.sort(key=lambda one: one.line_start)
    return replace(focused, excerpts=(*beside, *lines[:most]))


def told_of_section(focused: Result, plan: QueryPlan, *, found: Result) -> Result:
    """The result with all that stands under one of the days in a section on what is asked.

    Of "Which books did I read in 2021?" what the note "Books" has under its heading "2021".
    """
    sections = [one for one in found.excerpts if is_section(one, writing_of(found, one), plan)]
    if not sections or speakers(utterances(found)):
        return focused
    said = [line for one in sections for line in _sayings(one)]
    inside = {at for one in sections for at in range(one.line_start, one.line_end + 1)}
    best = [one for one in focused.excerpts if one.line_start in inside]
    told = {one.line_start for one in best}
    more = [one for one in said if one.line_start not in told][: max(0, LINES - len(best))]
    lines = sorted((*best, *more), key=lambda one: one.line_start)
    return replace(focused, excerpts=tuple(lines)) if lines else focused


def is_section(passage: Excerpt, writing: Writing | None, plan: QueryPlan) -> bool:
    """Whether a passage stands under a heading that is all of the days, in a note on what is asked.

    The names of the note, or of the sections around, say what that is.
    """
    days = days_over(passage, writing) if writing else None
    if writing is None or days is None or not days.alone or not _is_within(days, plan):
        return False
    names = (writing.names, *passage.over, passage.heading or "")
    known = {*stems_in(" ".join(names))}
    return any(known.issuperset(stems_in(concept)) for concept in plan.concepts)


def tells_of_days(passage: Passage, note: NoteRecord, plan: QueryPlan) -> bool:
    """Whether a passage stands under one of the days, or has a line that begins with one."""
    quoted = excerpt(passage)
    return _is_under(quoted, note.path, writing_in(note), plan) or bool(_lines_told(quoted, plan))


def writing_in(note: NoteRecord) -> Writing:
    """When an indexed note was written."""
    names = f"{note.title} {note.path}"
    return Writing(names=names, begun=note.created, changed=note.modified)


def _lines_told(passage: Excerpt, plan: QueryPlan) -> list[Excerpt]:
    """The lines of a passage that begin with a day of the period."""
    return [
        replace(passage, text=said, line_start=at, line_end=at)
        for at, line in enumerate(passage.text.split("\n"), start=passage.line_start)
        if (said := _said(line, plan))
    ]


def _sayings(passage: Excerpt) -> list[Excerpt]:
    """What a passage says: each row of its tables, each sentence, those of one line together."""
    text, said = passage.text, list[Sentence]()
    for one in sentences(text):
        whole = _row(one, text) if one.kind == "cell" else one
        before = said[-1] if said else None
        if one.kind == "heading" or is_rule(text[whole.end + 1 :].partition("\n")[0]):
            continue
        if before and _on_one_line(text[before.start : whole.end]):
            said[-1] = before._replace(end=whole.end)
        else:
            said.append(whole)
    return [quote(passage, one, columns=passage.columns, weights={}) for one in said]


def _on_one_line(text: str) -> bool:
    return len(text) <= LONGEST and "\n" not in text


def _row(cell: Sentence, text: str) -> Sentence:
    start = text.rfind("\n", 0, cell.start) + 1
    end = text.find("\n", cell.end)
    return cell._replace(start=start, end=end if end >= 0 else len(text))


def _is_headed(passage: Excerpt, note: Result, plan: QueryPlan) -> bool:
    writing = writing_of(note, passage)
    return writing is not None and _is_under(passage, note.note_path, writing, plan)


def _is_under(passage: Excerpt, path: str, writing: Writing, plan: QueryPlan) -> bool:
    """Whether a passage stands under a heading of the period, or in a note that is called so."""
    name = PurePosixPath(path).stem.replace("_", "-")
    days = days_over(replace(passage, over=(name, *passage.over)), writing)
    return days is not None and _is_within(days, plan)


def _is_within(days: HeadedDays, plan: QueryPlan) -> bool:
    if plan.start_date is None or plan.end_date is None:
        return False
    shorter = days.end - days.start <= plan.end_date - plan.start_date
    return shorter and _within(days.start, plan)


def _said(line: str, plan: QueryPlan) -> str:
    """What a line says that begins with a day of the period and says more; else nothing.

    A dated heading stands over what happened; by itself it says nothing.
    """
    found = _DATED.fullmatch(line)
    if found is None or not any(map(str.isalnum, found["more"])):
        return ""
    try:
        day = date.fromisoformat(found["day"])
    except ValueError:  # the 30th of February
        return ""
    zone = plan.end_date.tzinfo if plan.end_date else None
    moment = datetime(day.year, day.month, day.day, tzinfo=zone)
    return found["said"].rstrip() if _within(moment, plan) else ""


def _within(moment: datetime | None, plan: QueryPlan) -> bool:
    """Whether it is of the half-open period that the question names."""
    start, end = plan.start_date, plan.end_date
    if moment is None or start is None or end is None:
        return False
    return start <= moment < end
