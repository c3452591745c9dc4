"""The lines of a note that tell of the days a question names."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tools.base.domain import Excerpt, Period, QueryPlan, Result
from tools.evidence.spans import spans_of
from tools.temporal.event_time import is_day
from tools.temporal.journal_headings import HeadedDays, Writing, days_over, writing_of
from tools.temporal.relative_to_line import named_days
from tools.temporal.timeline import lies_within
from tools.text.markdown.dialogue import is_conversation
from tools.text.markdown.quotes import LONGEST, quote
from tools.text.markdown.sentences import Sentence, sentences
from tools.text.markdown.tables import is_rule
from tools.text.tokens import stems_in
from tools.vault.catalog.records import NoteRecord, Passage
from tools.vault.catalog.text import excerpt

LINES = 20
"""Dated lines of one note that are quoted."""
_ALL_LINES = 60
_FEW_DAYS = timedelta(days=7)
_BULLET = re.compile(r"[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?")
_MARKS = re.compile(r"(?:\[\w\]|[\W_])*")


def select_by_date(
    focused: Sequence[Result], plan: QueryPlan, *, found: Sequence[Result]
) -> tuple[tuple[Result, ...], int]:
    """The results with what is ``found`` in their notes under one of the days, or begins with it.

    A note of another time is quoted with nothing else. Of a note that says nothing of single days
    its first quotation stays, of a conversation what was chosen. Second, how many lines there are
    besides.
    """
    talks = [_is_conversation(whole) for whole in found]
    # All of a conversation would be greetings, too.
    said = [[] if talk else _told(one, plan) for one, talk in zip(found, talks, strict=True)]
    shown = _shown(said)
    results = tuple(
        one if talk else _with(lines, one, plan)
        for one, lines, talk in zip(focused, shown, talks, strict=True)
    )
    return results, _left(said, shown)


def _is_conversation(note: Result) -> bool:
    return is_conversation(one.text for one in note.excerpts)


def _told(note: Result, plan: QueryPlan) -> list[list[Excerpt]]:
    """What a note says of the days, by its passages."""
    return [
        lines
        for one in note.excerpts
        if (
            lines := _sayings(one)
            if _is_headed(one, note, plan)
            else _lines_told(one, note.metadata.created_date, plan)
        )
    ]


def _shown(said: Sequence[Sequence[Sequence[Excerpt]]]) -> list[list[Excerpt]]:
    """Of each note so many of its lines that those of all are not too many."""
    most = max(1, min(LINES, _ALL_LINES // max(1, sum(map(bool, said)))))
    return [_in_turn(sections, most) for sections in said]


def _left(said: Sequence[Sequence[Sequence[Excerpt]]], shown: Sequence[Sequence[Excerpt]]) -> int:
    return sum(len(lines) for sections in said for lines in sections) - sum(map(len, shown))


def _in_turn(sections: Sequence[Sequence[Excerpt]], most: int) -> list[Excerpt]:
    """So many lines, of each section as many, in the order of the note."""
    places = sorted((at, n) for n, lines in enumerate(sections) for at in range(len(lines)))
    return sorted((sections[n][at] for at, n in places[:most]), key=lambda one: one.line_start)


def _with(lines: Sequence[Excerpt], focused: Result, plan: QueryPlan) -> Result:
    if not lines:
        return replace(focused, excerpts=focused.excerpts[:1])
    told = {one.line_start for one in lines}
    own = focused.excerpts if _within(focused.metadata.created_date, plan) else ()
    beside = [one for one in own if one.line_start not in told]
    return replace(focused, excerpts=(*beside, *lines))


def select_by_dated_section(
    focused: Sequence[Result], plan: QueryPlan, *, found: Sequence[Result]
) -> tuple[tuple[Result, ...], int]:
    """The results with all that stands under one of the days in a section on what is asked.

    Of "Which books did I read in 2021?" what the note "Books" has under its heading "2021". Second,
    how many lines there are besides.
    """
    said = [_told_in_sections(whole, plan) for whole in found]
    shown = _shown(said)
    together = zip(focused, said, shown, strict=True)
    results = tuple(_best_and(lines, one, sections) for one, sections, lines in together)
    return results, _left(said, shown)


def _told_in_sections(note: Result, plan: QueryPlan) -> list[list[Excerpt]]:
    sections = [one for one in note.excerpts if is_section(one, writing_of(note, one), plan)]
    return [] if sections and _is_conversation(note) else list(map(_sayings, sections))


def _best_and(
    lines: Sequence[Excerpt], focused: Result, sections: Sequence[Sequence[Excerpt]]
) -> Result:
    """What was chosen of the sections of a note, and the lines besides; what was, without any."""
    if not lines:
        return focused
    inside = {line.line_start for section in sections for line in section}
    chosen = [one for one in focused.excerpts if one.line_start in inside]
    first = {one.line_start for one in chosen}
    more = [one for one in lines if one.line_start not in first][: max(0, len(lines) - len(chosen))]
    both = sorted((*chosen, *more), key=lambda one: one.line_start)
    return replace(focused, excerpts=tuple(both))


def is_section(passage: Excerpt, writing: Writing | None, plan: QueryPlan) -> bool:
    """Whether a passage stands under a heading that names the days, in a note on what is asked.

    The names of the note, or of the sections around, say what that is.
    """
    days = days_over(passage, writing) if writing else None
    if writing is None or days is None or not _is_within(days, plan):
        return False
    if days.named and not days.alone:  # a note called after a day and more is of it, not a section
        return False
    names = (writing.names, *passage.over, passage.heading or "")
    known = {*stems_in(" ".join(names))}
    about = (stems_in(concept) for concept in plan.concepts)
    return any(stems and known.issuperset(stems) for stems in about)


def passage_matches_dates(passage: Passage, note: NoteRecord, plan: QueryPlan) -> bool:
    """Whether a passage stands under one of the days, or has a line that tells of one."""
    quoted = excerpt(passage)
    headed = _is_under(quoted, writing_in(note), plan)
    return headed or bool(_lines_told(quoted, note.created, plan))


def writing_in(note: NoteRecord) -> Writing:
    """When an indexed note was written."""
    return Writing(title=note.title, path=note.path, begun=note.created, changed=note.modified)


def _lines_told(passage: Excerpt, written: datetime | None, plan: QueryPlan) -> list[Excerpt]:
    """The lines of a passage that begin with a day of the period, or name one of few."""
    if written is None:
        return []
    lines = (_BULLET.sub("", line, count=1).rstrip() for line in passage.text.split("\n"))
    return [
        replace(passage, text=line, line_start=at, line_end=at)
        for at, line in enumerate(lines, start=passage.line_start)
        if _names_day(line, written, plan)
    ]


def _sayings(passage: Excerpt) -> list[Excerpt]:
    """What a passage says: each row of its tables, each sentence, those of one line together."""
    text, said = passage.text, list[Sentence]()
    for one in sentences(text):
        whole = _row(one, text) if one.kind == "cell" else one
        before = said[-1] if said else None
        if one.kind == "heading" or is_rule(text[whole.end + 1 :].partition("\n")[0]):
            continue
        if before and whole.start == before.start:  # a cell of the same row
            continue
        if before and _on_one_line(text[before.start : whole.end]):
            said[-1] = before._replace(end=whole.end)
        else:
            said.append(whole)
    quoted = [quote(passage, one, columns=passage.columns, weights={}) for one in said]
    if passage.heading is not None:
        return quoted
    # "Created:: 2024-11-23" at the head of a note tells of the note, not of the day.
    before = passage.line_start - 1
    telling = [one for one in spans_of(text) if one.kind != "property"]
    lines = {at for one in telling for at in range(one.line_start, one.line_end + 1)}
    return [one for one in quoted if one.line_start - before in lines] or quoted


def _on_one_line(text: str) -> bool:
    return len(text) <= LONGEST and "\n" not in text


def _row(cell: Sentence, text: str) -> Sentence:
    start = text.rfind("\n", 0, cell.start) + 1
    end = text.find("\n", cell.end)
    return cell._replace(start=start, end=end if end >= 0 else len(text))


def _is_headed(passage: Excerpt, note: Result, plan: QueryPlan) -> bool:
    writing = writing_of(note, passage)
    return writing is not None and _is_under(passage, writing, plan)


def _is_under(passage: Excerpt, writing: Writing, plan: QueryPlan) -> bool:
    """Whether a passage stands under a heading of the period, or in a note that is called so."""
    days = days_over(passage, writing)
    return days is not None and _is_within(days, plan)


def _is_within(days: HeadedDays, plan: QueryPlan) -> bool:
    """Whether days lie in the period; of a few some are enough."""
    if plan.start_date is None or plan.end_date is None:
        return False
    first, last = plan.start_date.replace(tzinfo=None), plan.end_date.replace(tzinfo=None)
    start, end = days.start.replace(tzinfo=None), days.end.replace(tzinfo=None)
    if end - start <= _FEW_DAYS:
        return start < last and end > first
    return first <= start and end <= last


def _names_day(line: str, written: datetime, plan: QueryPlan) -> bool:
    """Whether a line begins with a day of the period, or names one of few, and says more.

    A dated heading stands over what happened; by itself it says nothing.
    """
    found = named_days(line, written)
    if found is None or not is_day(found[0]) or not _within(found[0].start, plan):
        return False
    before, _, after = line.partition(found[1])
    few = plan.start_date and plan.end_date and plan.end_date - plan.start_date <= _FEW_DAYS
    return bool(few or _MARKS.fullmatch(before)) and any(map(str.isalnum, before + after))


def _within(moment: datetime | None, plan: QueryPlan) -> bool:
    """Whether it is of the period that the question names at both ends."""
    period = Period(start=plan.start_date, end=plan.end_date)
    bounded = period.start is not None and period.end is not None
    return bounded and moment is not None and lies_within(moment, period)
