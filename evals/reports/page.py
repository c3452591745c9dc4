"""One HTML page that shows how good everything measured is: pictures, tables, every mistake.

The page stands alone: no script, no style sheet and no picture from elsewhere. It needs the
``evals`` dependency group (matplotlib and Jinja), which the program itself does without.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from evals.answers.evidence import MEASURES as ANSWER_MEASURES
from evals.answers.evidence import (
    AnswerOutcome,
    Quoted,
    by_kind,
    came_first,
    in_digits,
    measured,
    missed,
)
from evals.claims import pairs as claim_pairs
from evals.claims.pairs import Label, PairOutcome
from evals.datasets.judgements import Judgements
from evals.interpretation.parameters import Check, share, shares
from evals.metrics.bounds import Comparison
from evals.metrics.classification import (
    GROUPINGS,
    Outcome,
    Scores,
    accuracy,
    confusion,
    grouped,
    reliability,
    summarise,
)
from evals.metrics.ranking import average_precision, precision_recall
from evals.reports.tables import overview_rows, with_interval
from evals.retrieval.rankings import (
    ANSWERED,
    MEASURES,
    Level,
    Searched,
    answerability_auroc,
    levels,
    recalls,
)
from graphs.cli.output.console import show_line
from tools.base.domain import Intent
from tools.base.errors import InputError
from tools.base.output_files import writing
from tools.temporal.clock import local_now

TEMPLATE = "page.html.jinja"
_CONTRADICTS: Label = "contradiction"
_FIRST = 5
"""Notes among which one that answers should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSet:
    """What the page shows of one set of questions; pictures are SVG by caption."""

    name: str
    overview: Sequence[tuple[str, str]]
    per_intent: Mapping[Intent, Scores]
    confusions: Mapping[str, str]
    reliabilities: Mapping[str, str]
    breakdowns: Mapping[str, str]
    wrong: Sequence[Outcome]
    interrupted: Sequence[Outcome]
    unasked: Sequence[Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSet:
    """What the page shows of one exact-match suite."""

    name: str
    shares: Sequence[tuple[str, str]]
    wrong: Sequence[Check]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSet:
    """What the page shows of one set of judged pairs of claims."""

    name: str
    sources: Sequence[tuple[str, str]]
    curves: Mapping[str, str]
    wrong: Sequence[PairOutcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSet:
    """What the page shows of one vault that was searched."""

    name: str
    overview: Sequence[tuple[str, str]]
    levels: Sequence[Level]
    curves: Mapping[str, str]
    missed: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSet:
    """Questions asked all the way: each group's measures, and what was missed."""

    name: str
    rows: Sequence[tuple[str, int, Sequence[str]]]
    missed: Sequence[tuple[str, str, str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that a page can show, each set with at least one labelled question, pair or check."""

    title: str
    sets: Mapping[str, Sequence[Outcome]] = field(default_factory=dict[str, Sequence[Outcome]])
    claims: Mapping[str, Sequence[PairOutcome]] = field(
        default_factory=dict[str, Sequence[PairOutcome]]
    )
    searches: Mapping[str, tuple[Sequence[Searched], Judgements]] = field(
        default_factory=dict[str, tuple[Sequence[Searched], Judgements]]
    )
    checks: Mapping[str, Sequence[Check]] = field(default_factory=dict[str, Sequence[Check]])
    answers: Mapping[str, Sequence[AnswerOutcome]] = field(
        default_factory=dict[str, Sequence[AnswerOutcome]]
    )
    bounds: Sequence[Comparison] = ()


def require_report() -> None:
    """Raise InputError, in one line, where the packages that draw the page are missing."""
    missing = [name for name in ("matplotlib", "jinja2") if find_spec(name) is None]
    if missing:
        raise InputError(
            f"The report needs {' and '.join(missing)}, which is not installed: run "
            "`make setup`; all else works without."
        )


def save_report(path: Path, findings: Findings) -> None:
    """Write the page of this moment and say where. Raises InputError where it cannot be written."""
    with writing(path):
        write_report(path, findings, now=local_now())
    show_line(f"Report: {path}")


def write_report(path: Path, findings: Findings, *, now: datetime) -> None:
    """Write the page. Raises OSError where the file cannot be written."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("evals.reports", package_path=""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    page = environment.get_template(TEMPLATE).render(
        title=findings.title,
        made=f"{now:%Y-%m-%d %H:%M}",
        sets=[_question_set(name, outcomes) for name, outcomes in findings.sets.items()],
        checks=[_check_set(name, done) for name, done in findings.checks.items() if done],
        claims=[_claim_set(name, outcomes) for name, outcomes in findings.claims.items()],
        searches=[_search_set(name, *found) for name, found in findings.searches.items()],
        measures=MEASURES,
        answers=[_answer_set(name, found) for name, found in findings.answers.items()],
        answer_measures=ANSWER_MEASURES,
        bounds=findings.bounds,
    )
    path.write_text(page, "utf-8")


def _answer_set(name: str, found: Sequence[AnswerOutcome]) -> AnswerSet:
    groups = {"all": found, **by_kind(found)}
    return AnswerSet(
        name=name,
        rows=[
            (label, len(own), [in_digits(*item) for item in measured(own).items()])
            for label, own in groups.items()
        ],
        missed=[
            (
                one.case.q,
                one.case.kind,
                ", ".join(f"{p.path}:{p.lines[0]}" for p in one.case.gold) or "not in the notes",
                _shown_first(one),
            )
            for one in missed(found)
        ],
    )


def _shown_first(one: AnswerOutcome) -> str:
    first = came_first(one)
    return f"{first.path}:{first.first}" if isinstance(first, Quoted) else first


def _question_set(name: str, outcomes: Sequence[Outcome]) -> QuestionSet:
    from evals.reports import charts

    known = [outcome for outcome in outcomes if outcome.case.intent is not None]
    summary = summarise(outcomes)
    languages = grouped(known, GROUPINGS["language"])
    parts = languages if len(languages) > 1 else {"all questions": known}
    groups = {label: grouped(known, key) for label, key in GROUPINGS.items()}
    return QuestionSet(
        name=name,
        overview=list(overview_rows(summary)),
        per_intent=summary.per_intent,
        confusions={part: charts.confusion(confusion(own)) for part, own in parts.items()},
        reliabilities={
            part: charts.reliability(bins)
            for part, own in parts.items()
            if (bins := reliability(own))
        },
        breakdowns={
            f"by {label}": charts.bars({value: accuracy(own) for value, own in found.items()})
            for label, found in groups.items()
            if len(found) > 1
        },
        wrong=sorted(
            (outcome for outcome in known if not outcome.right),
            key=lambda outcome: -outcome.prediction.confidence,
        ),
        interrupted=[o for o in known if o.prediction.clarify and not o.case.ambiguous],
        unasked=[o for o in known if o.case.ambiguous and not o.prediction.clarify],
    )


def _check_set(name: str, done: Sequence[Check]) -> CheckSet:
    by_kind = [
        (f"{language}, {kind}", with_interval(s)) for (language, kind), s in shares(done).items()
    ]
    return CheckSet(
        name=name,
        shares=[("all", with_interval(share(done))), *by_kind],
        wrong=[check for check in done if not check.right],
    )


def _claim_set(name: str, outcomes: Sequence[PairOutcome]) -> ClaimSet:
    from evals.reports import charts

    named = {source or "no source": own for source, own in claim_pairs.by_source(outcomes).items()}
    groups = {"all": [one for own in named.values() for one in own]}
    groups |= named if len(named) > 1 else {}
    sources: list[tuple[str, str]] = []
    curves: dict[str, str] = {}
    for source, own in groups.items():
        summary, scored = claim_pairs.summarise(own), claim_pairs.scored(own)
        if summary.found is None:
            sources.append((source, f"no contradiction among {len(own)} pairs"))
            continue
        area, found = average_precision(scored), summary.found
        measured = f"precision {found.precision:.3f}, recall {found.recall:.3f}, F1 {found.f1:.3f}"
        sources.append((source, f"{measured}, average precision {area:.3f} of {len(own)} pairs"))
        if summary.alarms is not None:
            curves[source] = charts.precision_recall(
                precision_recall(scored), chosen=found, share=found.support / len(own)
            )
    wrong = [one for one in groups["all"] if one.contradiction != (one.pair.label == _CONTRADICTS)]
    return ClaimSet(name=name, sources=sources, curves=curves, wrong=wrong)


def _search_set(name: str, searched: Sequence[Searched], judgements: Judgements) -> SearchSet:
    from evals.reports import charts

    overview = [("questions", str(len(searched)))]
    apart = answerability_auroc(searched)
    if apart is not None:
        overview.append(("AUROC of answerable", f"{apart:.3f}"))
    return SearchSet(
        name=name,
        overview=overview,
        levels=levels(searched, judgements),
        curves={
            level: charts.recall_at(curves)
            for level, curves in recalls(searched, judgements).items()
        },
        missed=[
            (one.query.query, ", ".join(wanted), ", ".join(first[:_FIRST]))
            for one in searched
            if (wanted := [n for n, g in judgements.notes.get(one.query.key, {}).items() if g > 0])
            and not {*wanted} & {*(first := _answered(one))[:_FIRST]}
        ],
    )


def _answered(one: Searched) -> Sequence[str]:
    found = one.rankings.get(ANSWERED)
    return found.notes if found else ()
