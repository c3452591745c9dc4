"""An answer as markdown: every quoted line carries its note, heading and line. Pure."""

from collections.abc import Mapping, Sequence

from tools.base.domain import DecidedBy, QueryPlan, SourceWarning, Tier
from tools.ranking.fusion import each_once
from tools.rendering.comparison_table import NOT_COMPARED, comparison, table
from tools.rendering.contradictions import conflict_hints, conflict_sections
from tools.rendering.first_line import event_time_lines, first_answer, sure_answer, with_doubt
from tools.rendering.lines import (
    entry_lines,
    inline,
    ranked,
    written,
)
from tools.rendering.listing import ListingPage, listing_lines
from tools.rendering.narrative import narrative
from tools.rendering.next_steps import next_steps
from tools.rendering.no_answer import absent_lines
from tools.rendering.overview import overview_lines
from tools.rendering.page import Page
from tools.rendering.plan import queried_period
from tools.rendering.short_answer import (
    answer_only,
    change_summary,
    conflict_summary,
    footer,
    further,
    how_sure,
    joined,
    timeline_only,
)
from tools.text.voice import counted, translate, use_language

_SEVERAL = 0.3
"""Below this probability that several lines are asked for there is one that answers."""
_TIER_TITLES: Mapping[Tier, str] = {
    "highly_relevant": "Highly relevant (0.8 and above)",
    "relevant": "Relevant (0.6 to 0.8)",
    "somewhat_relevant": "Somewhat relevant (0.4 to 0.6)",
    "low_relevance": "Weak matches (below 0.4)",
}
_BROWSE_TITLES: Mapping[Tier, str] = {
    "highly_relevant": "Direct matches",
    "relevant": "Related",
    "somewhat_relevant": "At the edges",
    "low_relevance": "Distant",
}
_DECIDED: Mapping[DecidedBy, str] = {
    "local": "read locally",
    "llm": "read by the model",
    "user": "as you chose",
    "command": "as you asked",
    "fallback": "assumed",
}


def render(page: Page) -> str:
    """Markdown of the answer: all there is to say, or in short what a reader wants first."""
    with use_language(page.plan.reading.language):
        return _whole(page) if page.whole else _in_short(page)


def render_listing(
    page: ListingPage, *, warnings: Sequence[SourceWarning], remarks: Sequence[str]
) -> str:
    """Markdown of what the catalog says, with what is to be known of it."""
    with use_language(page.language):
        return joined([_warned(warnings), *listing_lines(page), _remarks(remarks)])


def _warned(warnings: Sequence[SourceWarning]) -> str:
    return "\n".join(f"> {w.source}: {inline(w.error)} {inline(w.impact)}" for w in warnings)


def _in_short(page: Page) -> str:
    warnings = _warned(page.warnings)
    footed = footer(page) if page.results else ""
    if page.plan.reading.clashes:
        return joined([warnings, *_clashes_asked(page), _remarks(page.remarks), footed])
    return joined(
        [warnings, *_answer(page), conflict_summary(page), _remarks(page.remarks), footed]
    )


def _answer(page: Page) -> list[str]:
    if not page.results or page.absence:
        nearest = [translate("Nearest:"), *further(page)] if page.results else []
        return [*_without_answer(page), *nearest]
    match page.format:
        case "list" if page.overview:
            return overview_lines(page, page.overview)
        case "list" if _browses(page):
            return [*event_time_lines(page), *written(page), *further(page)]
        case "list" | "narrative":
            return answer_only(page, first_answer(page))
        case "table":
            if not page.comparison.citations:
                return [*answer_only(page, first_answer(page)), translate(NOT_COMPARED)]
            return comparison(page, sure_answer(page))
        case "timeline":
            if page.has_timeline:
                return [*(change_summary(page) or sure_answer(page)), *timeline_only(page)]
            said = [] if page.groups else [_undated(page)]
            return [*answer_only(page, first_answer(page)), *said]


def _whole(page: Page) -> str:
    clashes = conflict_sections(page.contradictions, page.changes, names=page.names, gone=page.gone)
    parts = [_summary(page), _warnings(page.warnings)]
    if page.plan.reading.clashes:
        parts += _clashes_asked(page)
    else:
        parts += [*_body(page), *clashes]
    parts.append(_remarks(page.remarks))
    parts += [next_steps(page), _metadata(page)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _clashes_asked(page: Page) -> list[str]:
    """What notes contradict each other in, where that is asked for."""
    found = conflict_sections(page.contradictions, page.changes, names=page.names, gone=page.gone)
    if page.plan.concepts:
        return found or [translate("No two of the notes found contradict each other.")]
    return found or [translate("Nothing is known yet in which your notes contradict each other.")]


def _summary(page: Page) -> str:
    plan = page.plan
    count = len(each_once(page.results))
    notes = counted(count, "note")
    read = f"{translate(plan.intent)} ({translate(_DECIDED[plan.decided_by])})"
    told = " · ".join([*how_sure(page), read, f"{notes}{_then(plan)}"])
    return f"# {inline(plan.reading.question)}\n\n*{told}*"


def _then(plan: QueryPlan) -> str:
    return f" · {queried_period(plan)}" if plan.as_of or plan.known_at else ""


def _warnings(warnings: Sequence[SourceWarning]) -> str:
    if not warnings:
        return ""
    lines = [f"> - **{w.source}**: {inline(w.error)} {inline(w.impact)}" for w in warnings]
    return "\n".join([f"> [!warning] {translate('Not everything could be asked')}", *lines])


def _body(page: Page) -> list[str]:
    if not page.results:
        return _without_answer(page)
    if page.absence:
        return [
            *_without_answer(page),
            f"## {translate('Nearest')}",
            ranked(page.results, page.names),
        ]
    match page.format:
        case "list":
            return _list(page)
        case "narrative":
            return narrative(page, event_time_lines(page))
        case "table":
            return table(page, sure_answer(page))
        case "timeline":
            return _timeline(page)


def _without_answer(page: Page) -> list[str]:
    """What is said where nothing was found, or nothing that answers."""
    if page.absence:
        return absent_lines(page.absence)
    if page.sources_failed and not page.sources_available:
        return [
            f"## {translate('Could not search')}",
            translate("Every source failed; ask again, or see `brain doctor`."),
        ]
    if page.time_alone:
        return [
            f"## {translate('Nothing found')}",
            translate("Nothing in your notes is dated {when}.", when=page.time_alone),
        ]
    return [
        f"## {translate('Nothing found')}",
        translate(
            "No note answers this. Try other words, check the spelling, or look around with "
            "`*surface-related`."
        ),
    ]


# --- the four formats ----------------------------------------------------------------------


def _list(page: Page) -> list[str]:
    if page.overview:
        told = overview_lines(page, page.overview)
        return ["## Answer", *told, "## Notes", ranked(page.results, page.names)]
    browsing = _browses(page)
    titles = _BROWSE_TITLES if browsing else _TIER_TITLES
    told = written(page)
    said = browsing or (told and not page.plan.as_of)
    answer = [*(with_doubt(page, event_time_lines(page)) if said else first_answer(page)), *told]
    parts = [f"## {translate('Answer')}", *answer] if answer else []
    if not browsing:
        parts += conflict_hints(page.relevant_contradictions, page.changes)
    for name in titles:
        members = [result for result in page.results if result.tier == name]
        if members:
            heading = f"## {translate(titles[name])}" + (f" · {len(members)}" if browsing else "")
            parts += [heading, ranked(members, page.names)]
    return parts


def _browses(page: Page) -> bool:
    """Whether it is looked around: not where a question read so likelier asks for one answer."""
    chosen = page.plan.decided_by in ("command", "user")
    several = page.plan.reading.likely("explore", "list") >= _SEVERAL
    return page.plan.intent == "exploratory" and (chosen or several)


def _undated(page: Page) -> str:
    if page.bounded:
        return translate(
            "There is no timeline, for the notes found carry no date within the period asked for."
        )
    return translate("There is no timeline, for the notes found carry no date.")


def _timeline(page: Page) -> list[str]:
    answer = [*sure_answer(page), *written(page)]
    parts = [f"## {translate('Answer')}", *answer] if answer else []
    parts.append(f"## {translate('Timeline')}")
    if not page.groups:
        parts.append(_undated(page))
    for group in page.groups:
        parts += [
            f"### {group.label}",
            "\n".join(entry_lines(entry, page.names) for entry in group.entries),
        ]
    if page.undated:
        dated = page.bounded
        title = translate("Outside the dates asked for" if dated else "Without a date")
        parts += [f"## {title}", ranked(page.undated, page.names)]
    return parts


# --- what stands around it ------------------------------------------------------------------


def _remarks(remarks: Sequence[str]) -> str:
    return "\n".join(f"*{inline(remark)}*" for remark in remarks)


def _counts(page: Page) -> str:
    cited = sum(found.relation == "disagreement" for found in page.contradictions)
    own = len(page.contradictions) - cited
    return f"{own}; disagreements between sources: {cited}; changes: {len(page.changes)}"


def _metadata(page: Page) -> str:
    plan = page.plan
    times = ", ".join(
        f"{name} {ms:.0f} ms" for name, ms in page.timings_ms.items() if "." not in name
    )
    notes = each_once(page.results)
    tiers = ", ".join(
        f"{name.replace('_', ' ')} {sum(note.tier == name for note in notes)}"
        for name in _TIER_TITLES
    )
    lines = [
        f"- Intent: {plan.intent} ({plan.confidence:.2f}, {plan.decided_by}): {plan.reason}",
        f"- Asked: {', '.join(plan.route)}; similarity at least {plan.similarity_threshold:.2f}",
        f"- Answered: {', '.join(page.sources_available) or 'none'}",
        f"- Failed: {', '.join(page.sources_failed) or 'none'}",
        f"- Notes: {tiers}",
        f"- Contradictions: {_counts(page)}",
        f"- Time: {times}",
    ]
    body = "\n".join(inline(line) for line in lines)
    return f"<details>\n<summary>How this was answered</summary>\n\n{body}\n\n</details>"
