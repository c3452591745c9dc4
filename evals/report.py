"""One HTML page that shows how good the readings are: pictures, tables and every mistake.

The page stands alone: no script, no style sheet and no picture from elsewhere. It needs the
``evals`` dependency group (matplotlib and Jinja), which the program itself does without.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from evals.bounds import Comparison
from evals.metrics import (
    GROUPINGS,
    Outcome,
    Scores,
    accuracy,
    confusion,
    grouped,
    reliability,
    summarise,
)
from evals.parameters import Check, share, shares
from evals.tables import overview_rows, told
from tools.domain import Intent
from tools.errors import InputError

TEMPLATE = "report.html.jinja"


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
class Findings:
    """All that a page can show, each set with at least one labelled question or check."""

    title: str
    sets: Mapping[str, Sequence[Outcome]]
    checks: Mapping[str, Sequence[Check]] = field(default_factory=dict[str, Sequence[Check]])
    bounds: Sequence[Comparison] = ()


def require_report() -> None:
    """Raise InputError, in one line, where the packages that draw the page are missing."""
    missing = [name for name in ("matplotlib", "jinja2") if find_spec(name) is None]
    if missing:
        raise InputError(
            f"The report needs {' and '.join(missing)}, which is not installed: run "
            "`uv sync --group evals`; all else works without."
        )


def write_report(path: Path, findings: Findings, *, now: datetime) -> None:
    """Write the page. Raises OSError where the file cannot be written."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("evals", package_path=""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    page = environment.get_template(TEMPLATE).render(
        title=findings.title,
        made=f"{now:%Y-%m-%d %H:%M}",
        sets=[_question_set(name, outcomes) for name, outcomes in findings.sets.items()],
        checks=[_check_set(name, done) for name, done in findings.checks.items() if done],
        bounds=findings.bounds,
    )
    path.write_text(page, "utf-8")


def _question_set(name: str, outcomes: Sequence[Outcome]) -> QuestionSet:
    from evals import pictures

    known = [outcome for outcome in outcomes if outcome.case.intent is not None]
    summary = summarise(outcomes)
    languages = grouped(known, GROUPINGS["language"])
    parts = languages if len(languages) > 1 else {"all questions": known}
    groups = {label: grouped(known, key) for label, key in GROUPINGS.items()}
    return QuestionSet(
        name=name,
        overview=list(overview_rows(summary)),
        per_intent=summary.per_intent,
        confusions={part: pictures.confusion(confusion(own)) for part, own in parts.items()},
        reliabilities={
            part: pictures.reliability(bins)
            for part, own in parts.items()
            if (bins := reliability(own))
        },
        breakdowns={
            f"by {label}": pictures.bars({value: accuracy(own) for value, own in found.items()})
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
    by_kind = [(f"{language}, {kind}", told(s)) for (language, kind), s in shares(done).items()]
    return CheckSet(
        name=name,
        shares=[("all", told(share(done))), *by_kind],
        wrong=[check for check in done if not check.right],
    )
