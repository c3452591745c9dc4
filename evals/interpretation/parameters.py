"""What else is read from a question: what it is about, and its dates. Exact or wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pydantic import AwareDatetime

from agents.interpreter.interpreter import Interpreter, QuestionContext
from evals.datasets.records import Record
from evals.interpretation.intents import NOTES
from evals.metrics.classification import Share
from tools.base.domain import Intent, QueryPlan
from tools.base.errors import InputError
from tools.text.normalize import fold_name


class ParameterCase(Record):
    """What one question is about, given its intent; an absent list is not looked at.

    Each list is all there is, in any order and case; ``excluded`` is what the question rules out,
    and ``dropped`` the words with which it does.
    No ``threshold`` means the one its intent has anyway.
    """

    query: str
    language: str
    intent: Intent
    concepts: tuple[str, ...] | None = None
    subjects: tuple[str, ...] | None = None
    excluded: tuple[str, ...] | None = None
    dropped: str = ""
    threshold: float | None = None


class DateCase(Record):
    """The period a question names, half-open and in days; two times None is no period at all."""

    query: str
    language: str
    now: AwareDatetime
    start: date | None
    end: date | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing read from one question: ``found`` beside ``expected``, as a person would say it."""

    query: str
    language: str
    name: str
    expected: str
    found: str
    right: bool


async def check_parameters(
    cases: Sequence[ParameterCase], interpret: Interpreter, *, now: datetime
) -> list[Check]:
    """A check for every parameter of every case. The intent is given, so it alone cannot fail."""
    checks: list[Check] = []
    usual: dict[Intent, float] = {}
    for case in cases:
        context = QuestionContext(now=now, limit=NOTES, forced_intent=case.intent, mode="local")
        try:
            plan = await interpret(case.query, context)
            if case.intent not in usual:
                # What the plan of a single word asks for is what the intent asks for by itself.
                usual[case.intent] = (await interpret("Zettelkasten", context)).similarity_threshold
        except InputError as error:
            checks += _refused(case, str(error))
        else:
            checks += _compared(case, plan, usual[case.intent])
    return checks


def _compared(case: ParameterCase, plan: QueryPlan, usual: float) -> Iterable[Check]:
    threshold = usual if case.threshold is None else case.threshold
    yield _check(
        case,
        "threshold",
        expected=f"{threshold:g}",
        found=f"{plan.similarity_threshold:g}",
        right=abs(plan.similarity_threshold - threshold) < 1e-9,
    )
    for name, expected, found in (
        ("concepts", case.concepts, plan.concepts),
        ("subjects", case.subjects, plan.subjects),
        ("excluded", case.excluded, plan.excluded),
    ):
        if expected is not None:
            same = _folded(expected) == _folded(found)
            yield _check(case, name, expected=_list(expected), found=_list(found), right=same)


def _refused(case: ParameterCase, why: str) -> Iterable[Check]:
    lists = {"concepts": case.concepts, "subjects": case.subjects, "excluded": case.excluded}
    for name in ("threshold", *(name for name, given in lists.items() if given is not None)):
        yield _check(case, name, expected="a plan", found=f"refused: {why}", right=False)


def _check(case: ParameterCase, name: str, *, expected: str, found: str, right: bool) -> Check:
    return Check(
        query=case.query,
        language=case.language,
        name=name,
        expected=expected,
        found=found,
        right=right,
    )


def _folded(names: Iterable[str]) -> set[str]:
    return {fold_name(name) for name in names}


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "–"


# --- dates ---------------------------------------------------------------------------------


_REFUSED = "refused"


async def check_dates(cases: Iterable[DateCase], interpret: Interpreter) -> list[Check]:
    """A check of the plan's period for every case, named by its kind.

    A case of kind "refused" names a date that cannot be used: a line of refusal is right there, and
    so is the period it expects, none, where the date was passed over.
    """
    checks: list[Check] = []
    for case in cases:
        found, period = await _found(case, interpret), _period(case.start, case.end)
        refused = case.kind == _REFUSED
        checks.append(
            Check(
                query=case.query,
                language=case.language,
                name=case.kind,
                expected=_REFUSED if refused else period,
                found=found,
                right=found == period or (refused and found.startswith(_REFUSED)),
            )
        )
    return checks


async def _found(case: DateCase, interpret: Interpreter) -> str:
    # The period does not depend on the intent; one that is given need not be read.
    context = QuestionContext(now=case.now, limit=NOTES, forced_intent="temporal", mode="local")
    try:
        plan = await interpret(case.query, context)
    except InputError as error:
        return f"{_REFUSED}: {error}"
    start, end = plan.start_date, plan.end_date
    return _period(start.date() if start else None, end.date() if end else None)


def _period(start: date | None, end: date | None) -> str:
    return f"{start or '…'} to {end or '…'}" if start or end else "no period"


# --- how many are right --------------------------------------------------------------------


def share(checks: Sequence[Check]) -> Share:
    """The share that is right, of at least one."""
    return Share(hits=sum(check.right for check in checks), count=len(checks))


def shares(checks: Iterable[Check]) -> dict[tuple[str, str], Share]:
    """The share that is right by language and name."""
    groups: dict[tuple[str, str], list[Check]] = {}
    for check in checks:
        groups.setdefault((check.language, check.name), []).append(check)
    return {key: share(group) for key, group in sorted(groups.items())}
