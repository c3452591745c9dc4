"""The line that answers, or the time that is asked for, as it stands first. Pure."""

from tools.base.domain import Period, Result
from tools.rendering.contradictions import side_line
from tools.rendering.lines import inline, quotation
from tools.rendering.page import Page
from tools.temporal.event_time import EventTime, in_words, period_in_words, resolve_event_time
from tools.temporal.timeline import lies_within
from tools.text.markdown.quotes import is_heading, quoted_first
from tools.text.voice import translate

_HELD = 0.5
"""A line with less of the question than this is dated only where it names a time itself."""
_SURE = 0.5
_PERHAPS = "Perhaps:"
_ONLY_A_HEADING = "No sentence found says it; only a heading speaks of it."


def first_answer(page: Page) -> list[str]:
    """What answers: the time asked for with its line, or the line."""
    return with_doubt(page, event_time_lines(page) or _first_quotation(page))


def sure_answer(page: Page) -> list[str]:
    """Over a table or a timeline: the time asked for, or the line where it likely answers."""
    sure = page.confidence is not None and page.confidence >= _SURE
    return event_time_lines(page) or (_first_quotation(page) if sure else [])


def with_doubt(page: Page, answer: list[str]) -> list[str]:
    """The answer, and before it that this is unsure where it is likelier not to be one."""
    return [translate(_PERHAPS), *answer] if answer and _unsure(page) else answer


def _unsure(page: Page) -> bool:
    return page.confidence is not None and page.confidence < _SURE


def event_time_lines(page: Page) -> list[str]:
    """For a question that asks when: the time that the best note's line speaks of, and the line.

    What happened in some days is read as such a question, too: over all there is of them a day
    stands only where the line says it, and it is one of them.
    """
    first, reading = quoted_first(page.results), page.plan.reading
    if first is None or reading.change or not (reading.asks("when") and first.excerpts):
        return []
    found = resolve_event_time(first, first.excerpts[0], question=page.plan.reading.question)
    if found is None or (is_heading(first.excerpts[0]) and not found.said):
        return _first_quotation(page)
    if page.bounded and page.format == "timeline" and not _says_one_of(page, found):
        return []
    if not found.said and (found.headed is None or page.held < _HELD):
        # A note's date is not the day of what a line of it tells, unless the note is that day's.
        written = period_in_words(found.period)
        nearest = translate("No line found says when; the nearest is of {day}.", day=written)
        return [nearest, *_first_quotation(page)]
    return [inline(in_words(found, sure=not _unsure(page))), *_first_quotation(page)]


def _says_one_of(page: Page, found: EventTime) -> bool:
    """Whether a line says a day, and one of those that the question names."""
    asked = Period(start=page.plan.start_date, end=page.plan.end_date)
    day = found.period.start or found.period.end
    return bool(found.said) and day is not None and lies_within(day, asked)


def _first_quotation(page: Page) -> list[str]:
    """What the best note says; where another took its place, that too, and what that one says."""
    first = quoted_first(page.results)
    if first is None or not first.excerpts:
        return []
    quoted = [f"> {quotation(first, first.excerpts[0], page.names)}"]
    if is_heading(first.excerpts[0]):
        quoted.insert(0, translate(_ONLY_A_HEADING))
    gone = first.superseded
    if page.plan.as_of is not None or gone is None:
        return [*quoted, *_since(page, first)]
    now = [r for r in page.results if r.note_path == gone.successor and r.excerpts]
    return [
        f"**{translate('This no longer holds: superseded by {note}.', note=inline(gone.detail))}**",
        *quoted,
        *(f"{translate('Now:')} {quotation(r, r.excerpts[0], page.names)}" for r in now[:1]),
    ]


def _since(page: Page, first: Result) -> list[str]:
    """What holds since then, where the line quoted is the earlier side of a change."""
    quoted = first.excerpts[0]
    since = (
        change
        for change in page.changes
        if change.before.path == first.note_path and change.before.claim in quoted.text
    )
    return [
        f"**{translate('This has changed since.')}** {translate('Now:')} "
        f"{side_line(change.after, page.names)}"
        for change in since
        if page.plan.as_of is None
    ][:1]
