"""An answer as markdown: every quoted line carries its note, heading and line. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tools.causation import whole_chains
from tools.citations import Citation, CitedSentence, note_link, wikilink
from tools.comparison import Row
from tools.domain import (
    AnswerFormat,
    Contradiction,
    ContradictionSide,
    QueryPlan,
    Result,
    Source,
    SourceWarning,
    Tier,
)
from tools.rendering_absent import Absence, absent_lines
from tools.rendering_lines import (
    cell_text,
    chain_lines,
    entry_lines,
    inline,
    prose,
    quotation,
    result_lines,
    statement_lines,
    superseded_by,
)
from tools.timeline import Group
from tools.when import asks_when, find_when, in_words, period_in_words

_DISAGREE = "**Your notes disagree about this: see Contradictions below.**"
_HELD = 0.5
"""A line with less of the question than this is dated only where it names a time itself."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything one answer shows.

    ``undated`` are results without anything in the period of a timeline; ``names`` is what links
    call the notes whose file name alone is ambiguous; ``absence`` is set where the answer is likely
    in no note; ``held`` is the share of the question's words that the best line has.
    """

    plan: QueryPlan
    format: AnswerFormat
    results: Sequence[Result]
    absence: Absence | None = None
    held: float = 1.0
    contradictions: Sequence[Contradiction] = ()
    warnings: Sequence[SourceWarning] = ()
    remarks: Sequence[str] = ()
    statements: Sequence[CitedSentence] = ()
    rows: Sequence[Row] = ()
    groups: Sequence[Group] = ()
    undated: Sequence[Result] = ()
    sources_available: Sequence[Source] = ()
    sources_failed: Sequence[Source] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict[str, float])
    names: Mapping[str, str] = field(default_factory=dict[str, str])


def render(page: Page) -> str:
    """Markdown of the whole answer."""
    parts = [_summary(page), _warnings(page.warnings), *_body(page)]
    parts += [_contradictions(page), _remarks(page.remarks)]
    parts += [_next_steps(page), _metadata(page)]
    return "\n\n".join(part for part in parts if part) + "\n"


def plan_in_words(plan: QueryPlan) -> dict[str, str]:
    """How a question was read and what would be searched, each under its label."""
    return {
        "Intent": f"{plan.intent} ({plan.confidence:.2f}, {plan.decided_by}: {plan.reason})",
        "About": ", ".join(plan.subjects or plan.concepts) or plan.query,
        **({"Without": ", ".join(plan.excluded)} if plan.excluded else {}),
        "Sources": ", ".join(plan.route),
        "Similarity": f"at least {plan.similarity_threshold:.2f}",
        "Dates": dates_asked(plan),
        "Shown as": plan.format,
    }


def dates_asked(plan: QueryPlan) -> str:
    """First and last day of the plan's period in words, and the day by which it was known."""
    first, last = _day(plan.start_date), _last_day(plan.end_date)
    asked = f"{first} to {last}" if plan.start_date or plan.end_date else "any"
    if plan.as_of is not None:
        asked = f"as of {_day(plan.as_of)}"
    return f"{asked}, as known on {_last_day(plan.known_at)}" if plan.known_at else asked


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else "…"


def _last_day(end: datetime | None) -> str:
    """A plan's end is the moment after its last day."""
    return _day(end - timedelta(microseconds=1) if end else None)


def _summary(page: Page) -> str:
    plan = page.plan
    count = len({result.note_path for result in page.results})
    notes = "1 note" if count == 1 else f"{count} notes"
    decided = {
        "local": "read locally",
        "llm": "read by the model",
        "user": "as you chose",
        "command": "as you asked",
        "fallback": "assumed",
    }[plan.decided_by]
    return (
        f"# {inline(plan.query)}\n\n"
        f"*{plan.intent}, confidence {plan.confidence:.2f} ({decided}) · {notes}{_then(plan)}*"
    )


def _then(plan: QueryPlan) -> str:
    return f" · {dates_asked(plan)}" if plan.as_of or plan.known_at else ""


def _warnings(warnings: Sequence[SourceWarning]) -> str:
    if not warnings:
        return ""
    lines = [f"> - **{w.source}**: {inline(w.error)} {inline(w.impact)}" for w in warnings]
    return "\n".join(["> [!warning] Not everything could be asked", *lines])


def _body(page: Page) -> list[str]:
    if not page.results and page.sources_failed and not page.sources_available:
        return ["## Could not search", "Every source failed; ask again, or see `brain doctor`."]
    if not page.results:
        return [
            "## Nothing found",
            (
                "No note answers this. Try other words, check the spelling, or look around with "
                "`*surface-related`."
            ),
        ]
    if page.absence:
        nearest = "\n".join(result_lines(result, page.names) for result in page.results)
        return [*absent_lines(page.absence), "## Nearest", nearest]
    match page.format:
        case "list":
            return _list(page)
        case "narrative":
            return _narrative(page)
        case "table":
            return _table(page)
        case "timeline":
            return _timeline(page)


# --- the four formats ----------------------------------------------------------------------


def _list(page: Page) -> list[str]:
    browsing = page.plan.intent == "exploratory"
    titles = _BROWSE_TITLES if browsing else _TIER_TITLES
    dated = _when(page)
    written = [statement_lines(page.statements, page.names)] if page.statements else []
    said = dated or browsing or (written and not page.plan.as_of)
    answer = [*dated, *written, *([] if said else _first_quotation(page))]
    parts = ["## Answer", *answer] if answer else []
    if page.contradictions and not browsing:
        parts.append(_DISAGREE)
    for name, title in titles.items():
        members = [result for result in page.results if result.tier == name]
        if members:
            heading = f"## {title}" + (f" · {len(members)}" if browsing else "")
            parts += [heading, "\n".join(result_lines(result, page.names) for result in members)]
    return parts


def _when(page: Page) -> list[str]:
    """For a question that asks when: the time that the best note's line speaks of, and the line."""
    first = page.results[0]
    if not (asks_when(page.plan.query) and first.excerpts):
        return []
    found = find_when(first, first.excerpts[0])
    if found is None:
        return _first_quotation(page)
    if not found.said and page.held < _HELD:  # the date of a line on something else answers nothing
        written = period_in_words(found.period)
        return [f"No line found says when; the nearest is of {written}.", *_first_quotation(page)]
    return [inline(in_words(found)), *_first_quotation(page)]


def _first_quotation(page: Page) -> list[str]:
    """What the best note says; where another took its place, that too, and what that one says."""
    first = page.results[0]
    if not first.excerpts:
        return []
    quoted = [f"> {quotation(first, first.excerpts[0], page.names)}"]
    gone = superseded_by(first)
    if page.plan.as_of is not None or not gone:
        return quoted
    now = [r for r in page.results if f"by {r.note_title}" == gone and r.excerpts]
    return [
        f"**This no longer holds: superseded {inline(gone)}.**",
        *quoted,
        *(f"Now: {quotation(r, r.excerpts[0], page.names)}" for r in now[:1]),
    ]


def _narrative(page: Page) -> list[str]:
    parts = _when(page)
    if parts or page.statements:
        parts.insert(0, "## Answer")
    if page.statements:
        notes: dict[Citation, int] = {}
        body = " ".join(
            prose(statement.text)
            + "".join(
                f"[^{notes.setdefault(citation, len(notes) + 1)}]"
                for citation in statement.citations
            )
            for statement in page.statements
        )
        footnotes = "\n".join(
            f"[^{number}]: {wikilink(c, page.names)}" for c, number in notes.items()
        )
        if not any(result.chain for result in page.results):
            parts.append("No note states a cause in so many words; these lines come nearest.")
        parts += [body, footnotes]
    if page.contradictions:
        parts.append(_DISAGREE)
    chains = whole_chains(page.results)
    if chains:
        parts += ["## Chains", "\n".join(chain_lines(chain, page.names) for chain in chains)]
    parts += ["## Sources", "\n".join(result_lines(result, page.names) for result in page.results)]
    return parts


def _table(page: Page) -> list[str]:
    subjects = page.plan.subjects
    parts = ["## Answer", *dated] if (dated := _when(page)) else []
    parts.append("## Comparison")
    if page.rows:
        head = "| | " + " | ".join(_column(subject, page.results) for subject in subjects) + " |"
        rule = "|---|" + "---|" * len(subjects)
        body = [
            f"| **{cell_text(row.attribute)}** | "
            + " | ".join(
                f"{cell_text(cell.text)} ({wikilink(cell.citation, page.names)})" if cell else "—"
                for cell in row.cells
            )
            + " |"
            for row in page.rows
        ]
        parts.append("\n".join([head, rule, *body]))
    else:
        parts.append("The notes name no attribute that could be set side by side.")
    for subject in subjects:
        members = [result for result in page.results if result.subject == subject]
        listed = (
            "\n".join(result_lines(result, page.names) for result in members) or "No note found."
        )
        parts += [f"## {inline(subject)}", listed]
    return parts


def _timeline(page: Page) -> list[str]:
    parts = ["## Answer", *dated] if (dated := _when(page)) else []
    parts.append("## Timeline")
    if not page.groups:
        parts.append("The notes found carry no date within the period asked for.")
    for group in page.groups:
        parts += [
            f"### {group.label}",
            "\n".join(entry_lines(entry, page.names) for entry in group.entries),
        ]
    if page.undated:
        listed = "\n".join(result_lines(result, page.names) for result in page.undated)
        parts += ["## Outside the dates asked for", listed]
    return parts


def _column(subject: str, results: Sequence[Result]) -> str:
    """The heading of a subject's column, with what took its place if something did."""
    first = next((result for result in results if result.subject == subject), None)
    gone = superseded_by(first) if first is not None else ""
    return cell_text(f"{subject} (superseded {gone})" if gone else subject)


# --- what stands around it ------------------------------------------------------------------


def _contradictions(page: Page) -> str:
    if not page.contradictions:
        return ""
    parts = ["## Contradictions"]
    gone = {r.note_path: by for r in page.results if (by := superseded_by(r))}
    for number, found in enumerate(page.contradictions, start=1):
        kind = found.type.replace("_", " ")
        older, later = found.note_a, found.note_b
        if found.newer == "a":
            older, later = later, older
        newer = "Which one is newer is not known."
        if found.newer != "unknown":
            newer = f"{note_link(later.path, page.names)} is newer: it may be the present view."
        parts += [
            f"### {number}. {kind.capitalize()} (confidence {found.confidence:.2f})",
            f"{_side(older, page, gone)}\n{_side(later, page, gone)}",
            (
                f"Why: {inline(found.explanation)} {newer} "
                f"Same subject: {found.similarity:.2f}; decided by {found.decided_by}."
            ),
        ]
    return "\n\n".join(parts)


def _side(side: ContradictionSide, page: Page, gone: Mapping[str, str]) -> str:
    dated = f"{side.timestamp:%Y-%m-%d}" if side.timestamp else "no date"
    if side.path in gone:
        dated += f", superseded {inline(gone[side.path])}"
    link = f"{note_link(side.path, page.names, side.heading)} line {side.line}"
    return f"- {dated}: “{inline(side.claim)}” — {link}"


def _remarks(remarks: Sequence[str]) -> str:
    return "\n".join(f"*{inline(remark)}*" for remark in remarks)


def _next_steps(page: Page) -> str:
    about = inline(", ".join(page.plan.concepts[:2]) or page.plan.query)
    steps: list[str] = []
    if page.contradictions:
        steps.append("Settle the contradiction: read both notes and write down which one holds.")
    match page.plan.intent:
        case "factual":
            steps.append(f"`*surface-related {about}` shows what is connected.")
            steps.append(f"`*temporal-query {about}` shows how it changed.")
        case "temporal":
            steps.append(f"`*query what is {about}` gives the present state.")
        case "causal":
            steps.append(f"`*surface-related {about}` shows what else is connected.")
        case "comparative":
            steps.append("Ask about one subject alone for more of it.")
        case "exploratory":
            steps.append(f"`*temporal-query {about}` puts these notes in order of time.")
    return "## Next\n\n" + "\n".join(f"- {step}" for step in steps)


def _metadata(page: Page) -> str:
    plan = page.plan
    times = ", ".join(f"{name} {ms:.0f} ms" for name, ms in page.timings_ms.items())
    tiers = ", ".join(
        f"{name.replace('_', ' ')} {sum(r.tier == name for r in page.results)}"
        for name in _TIER_TITLES
    )
    lines = [
        f"- Intent: {plan.intent} ({plan.confidence:.2f}, {plan.decided_by}): {plan.reason}",
        f"- Asked: {', '.join(plan.route)}; similarity at least {plan.similarity_threshold:.2f}",
        f"- Answered: {', '.join(page.sources_available) or 'none'}",
        f"- Failed: {', '.join(page.sources_failed) or 'none'}",
        f"- Notes: {tiers}",
        f"- Contradictions: {len(page.contradictions)}",
        f"- Time: {times}",
    ]
    body = "\n".join(inline(line) for line in lines)
    return f"<details>\n<summary>How this was answered</summary>\n\n{body}\n\n</details>"
