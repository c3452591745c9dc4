"""The lines an answer is made of, each with the place where it stands. Pure.

``names`` is what links call the notes whose file name alone is ambiguous.
"""

import re
from collections.abc import Iterable, Mapping, Set

from tools.base.domain import Excerpt, GraphRelation, Result
from tools.base.guards import terminal_text
from tools.evidence.citations import cite, cite_relation, note_link, wikilink
from tools.graph.relations import phrase
from tools.ranking.fusion import score_in_words
from tools.rendering.page import Page
from tools.temporal.event_time import is_day, period_in_words
from tools.temporal.timeline import Entry
from tools.text.markdown.quotes import link_texts
from tools.text.voice import stamp, translate

# What at a line's start would begin a heading, list, quotation, table or code; a number's own
# digits stay before the backslash.
_BLOCK_MARK = re.compile(r"(?:(\d{1,9})(?=[.)](?:\s|$))|(?=(?:#{1,6}|[+*-])(?:\s|$)|[>|]|```|~~~))")
BRIEF_WORDS = 24
"""Of a line beside the answer, on the short page."""
_CHANGED = 3
"""Sentences shown of those that came, and of those that went, with one version."""


def ranked(
    results: Iterable[Result], names: Mapping[str, str], *, told: Set[GraphRelation] = frozenset()
) -> str:
    """Each note with its score, the highest first, and below it what it says.

    Or how it is connected, if that is all, without what the page has ``told`` elsewhere.
    """
    # An answer about a time takes notes of that time first; a list goes by what it shows.
    best_first = sorted(results, key=lambda result: -result.composite_relevance)
    return "\n".join(_result_lines(result, names, told) for result in best_first)


def _result_lines(result: Result, names: Mapping[str, str], told: Set[GraphRelation]) -> str:
    # When a file was last changed says nothing of when it was written.
    dated = result.metadata.date_origin != "mtime"
    created = result.metadata.created_date if dated else None
    facts = [
        score_in_words(result.composite_relevance),
        ", ".join(translate(source) for source in result.sources),
    ]
    if created:
        facts.append(stamp(created))
    if result.superseded:
        facts.append(superseded(result.superseded.detail))
    lines = [f"- **{note_link(result.note_path, names)}** {inline(' · '.join(facts))}"]
    if not {"semantic", "text"}.intersection(result.sources):
        new = (step for step in result.chain if step not in told)
        lines += [f"  - {_relation(step, names)}" for step in new]
    lines += [f"  - {quotation(result, excerpt, names)}" for excerpt in result.excerpts]
    return "\n".join(lines)


def entry_lines(
    entry: Entry, names: Mapping[str, str], *, words: int | None = None, most: int = 1
) -> str:
    """A dated event of a note, and below it the sentences that came and went.

    With ``words`` only the first quotations, at ``most`` so many, each of so many words at most.
    """
    if entry.kind == "superseded":
        happened = [superseded(entry.detail)]
    else:
        happened = [translate(entry.kind)] if entry.kind != "created" else []
        happened += [inline(entry.detail)] if entry.detail else []
    happened += [translate("noted under {day}", day=stamp(entry.written))] if entry.written else []
    on = stamp(entry.timestamp)
    if entry.told and not is_day(entry.told):
        on = period_in_words(entry.told)
    lines = [f"- **{on}** {note_link(entry.result.note_path, names)}"]
    lines[0] += "".join(f" · {one}" for one in happened)
    if entry.kind == "created" and entry.added:
        then = translate("in the version of {day}", day=stamp(entry.timestamp))
        return "\n".join([*lines, f"  - {prose(entry.added[0])} — {then}"])
    if words is not None:
        first = (quotation(entry.result, one, names, words=words) for one in entry.quoted[:most])
        return "\n".join([*lines, *(f"  - {one}" for one in first)])
    lines += [f"  - {quotation(entry.result, one, names)}" for one in entry.quoted]
    lines += [
        f"  - {translate('no longer')}: ~~{prose(text)}~~" for text in entry.removed[:_CHANGED]
    ]
    lines += [f"  - {translate('new')}: {prose(text)}" for text in entry.added[:_CHANGED]]
    more = len(entry.removed[_CHANGED:]) + len(entry.added[_CHANGED:])
    if more:
        lines.append(f"  - {translate('and {count} more sentences', count=more)}")
    return "\n".join(lines)


def superseded(by: str) -> str:
    """That another note, called so, took a note's place."""
    return translate("superseded by {note}", note=inline(by))


def _relation(step: GraphRelation, names: Mapping[str, str]) -> str:
    """One edge and where it stands; what a model read there, and nobody wrote, says so."""
    words = phrase(step.relation)
    doubt = translate("inferred, ") if step.origin == "inferred" else ""
    ends = inline(f"{step.source_title} — {words} → {step.target_title}")
    return f"{ends} ({doubt}{wikilink(cite_relation(step), names)})"


def quotation(
    result: Result, excerpt: Excerpt, names: Mapping[str, str], *, words: int | None = None
) -> str:
    """What a note says, in so many ``words`` at most, and where."""
    said = prose(excerpt.reads or excerpt.text)
    said = said if words is None else cut(said, words)
    return f"{said} — {wikilink(cite(result, excerpt), names)}"


def cut(text: str, words: int) -> str:
    """The text, of a longer one its first words; a link to a note is never cut apart."""
    kept = text.split(" ")
    if len(kept) <= words:
        return text
    begun = " ".join(kept[:words])
    opened = begun.rfind("[[")
    if opened > begun.rfind("]]"):
        begun = text[: text.index("]]", opened) + 2] if "]]" in text[opened:] else begun[:opened]
    return f"{begun} …"


def written(page: Page, *, most: int | None = None) -> list[str]:
    """The sentences of the answer, the first ``most``, each with all its places."""
    lines = (
        f"- {prose(statement.text)} — {', '.join(map(page.place, statement.citations))}"
        for statement in page.statements[:most]
    )
    return ["\n".join(lines)] if page.statements else []


def inline(text: str) -> str:
    """One line without control characters; nothing in it opens a block of its own."""
    return " ".join(terminal_text(text).split())


def prose(text: str) -> str:
    """One line that begins a paragraph and nothing else; of links to elsewhere only the words."""
    line = inline(link_texts(text))
    mark = _BLOCK_MARK.match(line)
    return f"{line[: mark.end()]}\\{line[mark.end() :]}" if mark else line


def cell_text(text: str) -> str:
    """One line that stays in its cell."""
    return inline(link_texts(text)).replace("|", "\\|")
