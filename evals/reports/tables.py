"""The figures as tables for a terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rich.table import Table
from rich.text import Text

from evals.claims import pairs as claim_pairs
from evals.claims.pairs import PairOutcome, by_source
from evals.datasets.judgements import Judgements
from evals.interpretation.parameters import Check, share, shares
from evals.metrics.bounds import Comparison
from evals.metrics.classification import (
    GROUPINGS,
    Outcome,
    Share,
    Summary,
    accuracy,
    grouped,
    summarise,
)
from evals.retrieval.rankings import MEASURES, Searched, answerability_auroc, levels
from tools.base.domain import INTENTS
from tools.base.guards import terminal_text


def intent_tables(name: str, outcomes: Sequence[Outcome]) -> Iterable[Table]:
    """All tables of one set of at least one outcome; without labels, only the first."""
    summary = summarise(outcomes)
    yield overview(name, summary)
    if summary.accuracy is None:
        return
    yield per_intent(summary)
    yield confusion(summary)
    for label, key in GROUPINGS.items():
        groups = grouped(outcomes, key)
        if len(groups) > 1:
            yield breakdown(label, {value: accuracy(group) for value, group in groups.items()})


def overview(name: str, summary: Summary) -> Table:
    """The figures of a whole set under its ``name``."""
    table = _table(name, "", "")
    for label, value in overview_rows(summary):
        table.add_row(label, value)
    return table


def overview_rows(summary: Summary) -> Iterable[tuple[str, str]]:
    """The figures of a summary in words, what is not known left out."""
    refused = f", {summary.refused} refused" if summary.refused else ""
    yield "questions", f"{summary.questions}{refused}"
    if summary.accuracy is not None:
        yield "rightly read", with_interval(summary.accuracy)
    if summary.accuracy_of_clear is not None and summary.accuracy_of_clear != summary.accuracy:
        yield "rightly read, clear questions", with_interval(summary.accuracy_of_clear)
    if summary.calibration_error is not None:
        yield "calibration error, clear questions", f"{summary.calibration_error:.3f}"
    if summary.asking is not None and summary.asking.ambiguity.support:
        found = summary.asking.ambiguity
        yield (
            f"asked back, {found.support} ambiguous",
            f"precision {found.precision:.3f}, recall {found.recall:.3f}, F1 {found.f1:.3f}",
        )
    if summary.asking is not None and summary.asking.interrupted is not None:
        yield "clear questions interrupted", with_interval(summary.asking.interrupted)
    yield "decided by", ", ".join(f"{by} {n}" for by, n in sorted(summary.decided_by.items()))
    times = ", ".join(f"p{percent} {ms:.1f}" for percent, ms in summary.ms.items())
    yield "milliseconds a question", times


def with_interval(value: Share) -> str:
    """A share with its counts and 95 % interval."""
    low, high = value.interval
    return f"{value.value:.3f} ({value.hits} of {value.count}, {low:.3f} to {high:.3f})"


def per_intent(summary: Summary) -> Table:
    """Precision, recall and F1 of each intent."""
    table = _table("Each intent", "intent", "precision", "recall", "F1", "questions")
    for intent, each in summary.per_intent.items():
        figures = (f"{value:.3f}" for value in (each.precision, each.recall, each.f1))
        table.add_row(intent, *figures, str(each.support))
    return table


def confusion(summary: Summary) -> Table:
    """Counts by what was meant and what was read; a column for refused ones if there are any."""
    columns = (*INTENTS, None) if summary.refused else INTENTS
    table = _table("Meant (rows), read as (columns)", "", *(each or "refused" for each in columns))
    for truth, row in summary.confusion.items():
        table.add_row(truth, *(str(row[said] or "·") for said in columns))
    return table


def breakdown(label: str, groups: Mapping[str, Share]) -> Table:
    """The share of right readings of each group, with its 95 % interval."""
    table = _table(f"Rightly read by {label}", label, "share", "of", "95 % interval")
    for value, right in groups.items():
        low, high = right.interval
        table.add_row(
            _plain(value), f"{right.value:.3f}", str(right.count), f"{low:.3f} to {high:.3f}"
        )
    return table


def checks(name: str, done: Sequence[Check]) -> Table:
    """Exact matches of at least one check by language, and each kind where one is wrong."""
    total = share(done)
    table = Table(
        title=f"{name}: {total.hits} of {total.count} exact", title_justify="left", box=None
    )
    for heading in ("language", "kind"):
        table.add_column(heading)
    for heading in ("exact", "of"):
        table.add_column(heading, justify="right")
    kinds = {key: right for key, right in shares(done).items() if right.value < 1}
    for (language, kind), right in {**_by_language(done), **kinds}.items():
        table.add_row(_plain(language), _plain(kind), f"{right.value:.3f}", str(right.count))
    return table


def claim_tables(name: str, outcomes: Sequence[PairOutcome]) -> Iterable[Table]:
    """What was decided of all pairs and, where there are labels, how well, for each source."""
    decided = Counter(outcome.decided_by for outcome in outcomes)
    table = _table(name, "", "")
    table.add_row("pairs", str(len(outcomes)))
    table.add_row("called contradictions", str(sum(one.contradiction for one in outcomes)))
    table.add_row("decided by", ", ".join(f"{by} {n}" for by, n in sorted(decided.items())))
    yield table
    sources = by_source(outcomes)
    if sources:
        table = _table(
            "Contradictions by source", "source", "precision", "recall", "F1", "of", "false alarms"
        )
        for source, some in sources.items():
            summary = claim_pairs.summarise(some)
            found = summary.found
            scores = ("", "", "", "0")
            if found is not None:
                values = (f"{value:.3f}" for value in (found.precision, found.recall, found.f1))
                scores = (*values, str(found.support))
            alarms = "" if summary.alarms is None else with_interval(summary.alarms)
            table.add_row(_plain(source or "no source"), *scores, alarms)
        yield table


def retrieval_tables(
    name: str, searched: Sequence[Searched], judgements: Judgements
) -> Iterable[Table]:
    """What was searched for and, where it is judged, how well each ranking finds it."""
    table = _table(name, "", "")
    table.add_row("questions", str(len(searched)))
    refused = sum(one.error is not None for one in searched)
    if refused:
        table.add_row("refused", str(refused))
    apart = answerability_auroc(searched)
    if apart is not None:
        table.add_row("AUROC of answerable", f"{apart:.3f}")
    yield table
    for level in levels(searched, judgements):
        table = _table(_counted(level.questions) + f", {level.name}", "ranking", *MEASURES)
        for ranking, values in level.rows.items():
            table.add_row(ranking, *(f"{value:.3f}" for value in values))
        yield table


def bounds_table(rows: Iterable[Comparison]) -> Table:
    """Scores beside their bounds, one a row."""
    table = Table(title="Scores and their bounds", title_justify="left", box=None)
    for heading in ("score", "measured", "bound", ""):
        table.add_column(heading, justify="right" if heading in ("measured", "bound") else "left")
    for row in rows:
        table.add_row(row.name, row.measured, row.bound, row.verdict)
    return table


def _by_language(done: Sequence[Check]) -> dict[tuple[str, str], Share]:
    return shares(replace(check, name="all") for check in done)


def _table(title: str, first: str, *others: str) -> Table:
    table = Table(title=_plain(title), title_justify="left", box=None, header_style="dim")
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def _plain(text: str) -> Text:
    """What a file says, without anything that a terminal or rich would obey."""
    return Text(terminal_text(text))


def _counted(questions: int) -> str:
    return "1 question" if questions == 1 else f"{questions} questions"
