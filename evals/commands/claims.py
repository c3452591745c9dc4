"""What ``brain eval claims`` does: pairs of claims in, how each was judged and figures out."""

import asyncio
from pathlib import Path

from agents.llm.language_model import language_model
from evals.claims.pairs import ClaimPair, PairOutcome, run_pairs
from evals.commands.outputs import (
    apart,
    at_least_one,
    notify,
    progress,
    require_outputs,
    write_line,
    written,
)
from evals.datasets.records import read_lines
from evals.reports.page import Findings, require_report, save_report
from evals.reports.tables import claim_tables
from graphs.cli.output.console import console
from graphs.cli.output.exit_codes import OK
from tools.base.domain import Mode
from tools.base.errors import InputError
from tools.settings.loading import load_model_settings


def claims(
    file: Path,
    *,
    out: Path,
    mode: Mode | None,
    model: str | None,
    limit: int | None,
    report: Path | None,
) -> int:
    """Judge every pair of claims of ``file``, as ``intents`` reads questions.

    Raises InputError before anything is written for input that cannot be used.
    """
    at_least_one(limit, "pair")
    outputs = require_outputs(out=out, report=report)
    pairs = read_lines(file, ClaimPair)[:limit]
    apart(file, outputs)
    if report is not None:
        require_report()
        if all(pair.label is None for pair in pairs):
            raise InputError("--report needs labels, and no pair has a `label`: label some.")
    settings = load_model_settings(mode=mode, chat_model=model)
    asked = language_model(
        url=settings.ollama_url, name=settings.chat_model, timeout=settings.model_timeout
    )
    with written(out) as sink, progress("pairs judged", len(pairs)) as advance:

        def write(outcome: PairOutcome) -> None:
            write_line(sink, outcome.line())
            advance()

        outcomes = asyncio.run(run_pairs(pairs, model=asked, mode=settings.mode, on_outcome=write))
    silent = sum(outcome.decided_by == "fallback" for outcome in outcomes)
    if settings.mode == "llm" and silent:
        notify(f"no model answered {silent} of {len(outcomes)} pairs: those are judged by words.")
    for table in claim_tables(file.name, outcomes):
        console().print(table, "")
    if report is not None:
        findings = Findings(title="How claims were judged", claims={file.name: outcomes})
        save_report(report, findings)
    return OK
