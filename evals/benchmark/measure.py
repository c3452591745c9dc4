"""The project's own test sets, measured: every figure that has a bound, by name.

Local reading only, at one fixed moment, and the demo vault without its git history, so that a
figure depends on nothing but the code.
"""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents.interpreter.interpreter import QuestionContext, interpret_locally
from evals.claims.pairs import ClaimPair, PairOutcome, by_source, run_pairs
from evals.claims.pairs import summarise as summarise_claims
from evals.datasets.files import CLAIMS, DATES, FOUND, NOW, PARAMETERS, QUESTIONS, SEARCHES, VAULT
from evals.datasets.intents import Case
from evals.datasets.judgements import Judgements, read_judgements, read_queries
from evals.datasets.records import read_lines
from evals.interpretation.intents import build_interpreter, run_cases
from evals.interpretation.parameters import (
    Check,
    DateCase,
    ParameterCase,
    check_dates,
    check_parameters,
    shares,
)
from evals.metrics.bounds import Score
from evals.metrics.classification import GROUPINGS, Outcome, grouped, summarise
from evals.retrieval.rankings import ANSWERED, MEASURES, Searched, answerability_auroc, levels
from evals.retrieval.runs import search_all
from evals.retrieval.search import block_ids, read_pages
from tools.base.domain import QueryPlan
from tools.settings.loading import load_settings
from tools.settings.settings import ModelSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How every case of the project's own test sets fared."""

    outcomes: Sequence[Outcome]
    parameters: Sequence[Check]
    dates: Sequence[Check]
    claims: Sequence[PairOutcome]
    searched: Sequence[Searched]
    judgements: Judgements


async def measure() -> Measured:
    """Read every question, parameter and date, judge every pair of claims, search the demo vault.

    Raises InputError for a file that is damaged.
    """
    interpret = build_interpreter(ModelSettings(mode="local"))
    cases = [case for path in QUESTIONS for case in read_lines(path, Case)]
    parameters = [case for path in PARAMETERS for case in read_lines(path, ParameterCase)]
    searched, judgements = await search_demo()
    return Measured(
        outcomes=await run_cases(cases, interpret, mode="local", now=NOW),
        parameters=await check_parameters(parameters, interpret, now=NOW),
        dates=await check_dates(
            (case for path in DATES for case in read_lines(path, DateCase)), _by_words
        ),
        claims=await run_pairs(read_lines(CLAIMS, ClaimPair), model=None, mode="local"),
        searched=searched,
        judgements=judgements,
    )


async def _by_words(question: str, context: QuestionContext) -> QueryPlan:
    """The plan without the networks, which have no say in dates and take most of the time."""
    return interpret_locally(
        question, now=context.now, forced_intent=context.forced_intent, limit=context.limit
    )


async def search_demo() -> tuple[Sequence[Searched], Judgements]:
    """Search a copy of the demo vault for every question to it."""
    queries = read_queries(SEARCHES)
    with tempfile.TemporaryDirectory(prefix="brain-eval-vault-") as folder:
        vault = Path(folder) / "vault"
        shutil.copytree(VAULT, vault)
        pages = read_pages(load_settings(vault=vault))
        keys = {query.key for query in queries}
        judgements = read_judgements(FOUND, queries=keys, blocks=block_ids(pages))
        searched, _ = await search_all(queries, vault=vault, pages=pages, now=NOW)
    return searched, judgements


def scores(measured: Measured) -> Mapping[str, Score]:
    """Every figure by its name, ``suite/language/measure``."""
    found = [
        *_intents(measured.outcomes),
        *_parameters(measured.parameters),
        *_dates(measured.dates),
        *_claims(measured.claims),
        *_retrieval(measured.searched, measured.judgements),
    ]
    return {score.name: score for score in found}


def _intents(outcomes: Sequence[Outcome]) -> Iterator[Score]:
    for language, group in grouped(outcomes, GROUPINGS["language"]).items():
        summary, name = summarise(group), f"intents/{language}"
        if summary.accuracy is not None:
            yield Score(name=f"{name}/accuracy", value=summary.accuracy.value)
        for intent, each in summary.per_intent.items():
            yield Score(name=f"{name}/{intent} F1", value=each.f1)
        if summary.calibration_error is not None:
            yield Score(
                name=f"{name}/calibration error",
                value=summary.calibration_error,
                lower_is_better=True,
            )
        if summary.asking is not None:
            yield Score(name=f"{name}/ambiguity F1", value=summary.asking.ambiguity.f1)
            if summary.asking.interrupted is not None:
                yield Score(
                    name=f"{name}/clear questions interrupted",
                    value=summary.asking.interrupted.value,
                    lower_is_better=True,
                )


def _parameters(checks: Sequence[Check]) -> Iterator[Score]:
    for (language, name), right in shares(checks).items():
        yield Score(name=f"parameters/{language}/{name}", value=right.value)


def _dates(checks: Sequence[Check]) -> Iterator[Score]:
    for (language, _), right in shares(replace(check, name="") for check in checks).items():
        yield Score(name=f"dates/{language}/exact", value=right.value)


def _claims(outcomes: Sequence[PairOutcome]) -> Iterator[Score]:
    for source, some in by_source(outcomes).items():
        summary, name = summarise_claims(some), f"claims/{source}"
        if summary.found is not None:
            yield Score(name=f"{name}/precision", value=summary.found.precision)
            yield Score(name=f"{name}/recall", value=summary.found.recall)
        if summary.alarms is not None:
            alarms = summary.alarms.value
            yield Score(name=f"{name}/false alarms", value=alarms, lower_is_better=True)


def _retrieval(searched: Sequence[Searched], judgements: Judgements) -> Iterator[Score]:
    languages = sorted({one.query.language for one in searched if one.query.language})
    for language in languages:
        own = [one for one in searched if one.query.language == language]
        for level in levels(own, judgements):
            if level.name == "notes":
                for measure, value in zip(MEASURES, level.rows[ANSWERED], strict=True):
                    yield Score(name=f"retrieval/{language}/{measure}", value=value)
    apart = answerability_auroc(searched)
    if apart is not None:
        yield Score(name="retrieval/all/AUROC of answerable", value=apart)
