"""The page of ``brain eval self``: how well a vault's own questions are answered, and each missed.

It stands alone. What the notes say is escaped text in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten

from evals.answers.evidence import AnswerOutcome, Quoted, by_kind, came_first, missed
from evals.answers.self_questions import EXPLAINED
from evals.datasets.evidence import Place
from evals.metrics.classification import Share
from graphs.operations.self_check import SelfCheck
from tools.base.domain import Note
from tools.evidence.citations import obsidian_url
from tools.rendering.html.page import document, text
from tools.text.markdown.quotes import link_texts
from tools.text.voice import counted

_SHOWN = 220
"""Characters of a line that are shown."""
_MARKS = " \t#>-*+"
"""What stands before the words of a line."""
_BODY = """<main class="narrow">
<header>
<h1>{title}</h1>
<p class="lead">{headline}</p>
{about}
</header>
<section>
<h2>By kind of question</h2>
<table class="figures">
<thead><tr><th>kind</th><th class="number">asked</th><th class="number">first line</th>
<th class="number">first three</th></tr></thead>
<tbody>
{kinds}</tbody>
</table>
</section>
<section>
<h2>Missed: {count}</h2>
<p class="quiet">Questions whose first line was not what they ask for. Links open the note in
Obsidian.</p>
{missed}
</section>
</main>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How many questions of a kind were asked, and answered in the first line and in three."""

    kind: str
    asked: int
    first: int
    top3: int


def rows(found: Sequence[AnswerOutcome]) -> list[Row]:
    """What each kind came to, in the order in which kinds are explained."""
    kinds = by_kind(found)
    return [
        Row(
            kind=kind,
            asked=len(own),
            first=sum(one.first for one in own),
            top3=sum(one.top for one in own),
        )
        for kind in EXPLAINED
        if (own := kinds.get(kind))
    ]


def headline(run: SelfCheck) -> str:
    """In a sentence, how well the program works on the vault."""
    return (
        f"Of {counted(run.asked, 'question')} made from your {counted(run.notes, 'note')}, "
        f"{run.first} ({_percent(run.first / run.asked)}) were answered in the first line and "
        f"{run.top3} ({_percent(run.top3 / run.asked)}) in one of the first three."
    )


def self_page(
    run: SelfCheck,
    found: Sequence[AnswerOutcome],
    notes: Sequence[Note],
    *,
    vault: str,
    lacking: Sequence[str] = (),
) -> str:
    """The page of a run that asked at least one question; ``lacking`` is what the index lacked."""
    lines = {note.path: note.text.split("\n") for note in notes}
    order = list(EXPLAINED)
    wrong = sorted(missed(found), key=lambda one: order.index(one.case.kind))
    items = "".join(_missed(one, lines, vault=vault) for one in wrong)
    title = f"How well brain answers from {vault}"
    body = _BODY.format(
        title=text(title),
        headline=headline(run),
        about="\n".join(f"<p>{text(one)}</p>" for one in (_circumstances(run), *lacking)),
        kinds="".join(map(_row, rows(found))),
        count=len(wrong),
        missed=f"<ul>\n{items}</ul>" if items else "<p>None was missed.</p>",
    )
    return document(title=title, body=body)


def _circumstances(run: SelfCheck) -> str:
    low, high = Share(hits=run.first, count=run.asked).interval
    stopped = f" It was stopped before {run.made - run.asked} more." if run.stopped else ""
    return (
        f"Asked on {run.at.day} {run.at:%B %Y} by version {run.version}, without a language model."
        f"{stopped} Of more such questions {_percent(low)} to {_percent(high)} would likely be "
        "answered in the first line (95 % interval)."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _row(row: Row) -> str:
    numbers = "".join(f'<td class="number">{n}</td>' for n in (row.asked, row.first, row.top3))
    explained = f"<small>{text(EXPLAINED[row.kind])}</small>"
    return f"<tr><td>{text(row.kind)}<br>{explained}</td>{numbers}</tr>\n"


def _missed(one: AnswerOutcome, lines: Mapping[str, Sequence[str]], *, vault: str) -> str:
    """A question, what it asks for and what came first instead."""
    case = one.case
    about = [case.kind, *([f"after “{case.after}”"] if case.after else [])]
    about += ["the right line came second or third"] if one.top else []
    first = came_first(one)
    instead = _quotation(first, vault=vault) if isinstance(first, Quoted) else text(first)
    return (
        f"<li><strong>{text(case.q)}</strong><br><small>{text('; '.join(about))}</small>\n"
        f"<dl><dt>Expected</dt><dd>{_expected(case.gold, lines, vault=vault)}</dd>\n"
        f"<dt>Came first</dt><dd>{instead}</dd></dl></li>\n"
    )


def _expected(gold: Sequence[Place], lines: Mapping[str, Sequence[str]], *, vault: str) -> str:
    """The first place that answers, what it says below its heading, and how many more there are."""
    path, (first, last) = gold[0].path, gold[0].lines
    more = f" (or {counted(len(gold) - 1, 'other place')})" if len(gold) > 1 else ""
    own = lines.get(path, ())
    if (first, last) == (1, len(own)):
        return f"{_note(path, vault=vault)}, any line{more}"
    said = (line.strip(_MARKS) for line in own[first - 1 : last] if not line.startswith("#"))
    words = next(filter(None, said), "")
    return f"{_lines(path, first, last, vault=vault)}{more}<br>{_words(words)}"


def _quotation(quoted: Quoted, *, vault: str) -> str:
    where = _lines(quoted.path, quoted.first, quoted.last, vault=vault)
    return f"{where}<br>{_words(quoted.text)}"


def _lines(path: str, first: int, last: int, *, vault: str) -> str:
    where = f"line {first}" if first == last else f"lines {first} to {last}"
    return f"{_note(path, vault=vault)}, {where}"


def _note(path: str, *, vault: str) -> str:
    return f'<a href="{text(obsidian_url(vault, path))}">{text(path)}</a>'


def _words(line: str) -> str:
    return text(shorten(link_texts(line), _SHOWN, placeholder=" …"))
