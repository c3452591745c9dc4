"""What ``brain eval retrieval`` does: a vault and questions in, ranked places and figures out."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.commands.outputs import (
    apart,
    at_least_one,
    notify,
    progress,
    require_outputs,
    write_line,
    written,
)
from evals.datasets.judgements import Judgements, Query, read_judgements, read_queries
from evals.reports.page import Findings, require_report, save_report
from evals.reports.tables import retrieval_tables
from evals.retrieval.places import Place
from evals.retrieval.rankings import Searched, levels
from evals.retrieval.runs import search_all
from evals.retrieval.search import Page, block_ids, read_pages
from graphs.cli.output.console import console
from graphs.cli.output.exit_codes import OK
from tools.base.errors import InputError
from tools.base.guards import MAX_QUESTION
from tools.settings.loading import load_settings
from tools.settings.settings import default_data_dir


def retrieval(
    queries: Path,
    *,
    vault: Path | None,
    data_dir: Path | None,
    qrels: Path | None,
    out: Path,
    limit: int | None,
    report: Path | None,
) -> int:
    """Search the vault for every question; write where each is answered, one line each, in order.

    Without a data directory the vault is indexed in a temporary one. Raises InputError before
    anything is written for input that cannot be used.
    """
    at_least_one(limit, "question")
    settings = load_settings(vault=vault, data_dir=data_dir)
    kept = data_dir or (
        None if settings.data_dir == default_data_dir(settings.vault) else settings.data_dir
    )
    outputs = require_outputs(settings.vault, settings.data_dir, out=out, report=report)
    if report is not None:
        require_report()
        if qrels is None:
            raise InputError("--report shows what is judged: give --qrels too.")
    asked = read_queries(queries)
    pages = read_pages(settings)
    judgements = _judgements(qrels, asked, pages)
    for file in filter(None, (queries, qrels)):
        apart(file, outputs)
    asked = asked[:limit]
    _warn(asked, judgements)
    with written(out) as sink, progress("questions searched", len(asked)) as advance:

        def hear(one: Searched, places: Sequence[Place]) -> None:
            write_line(sink, _prediction(one, places))
            advance()

        searched, failed = asyncio.run(
            search_all(asked, vault=settings.vault, pages=pages, data_dir=kept, hear=hear)
        )
    for source, count in failed.items():
        notify(f"the {source} search gave an error for {count} of {len(asked)} questions.")
    if qrels is not None and not levels(searched, judgements):
        notify(f"nothing was scored: {qrels.name} judges none of the questions that were searched.")
    for table in retrieval_tables(queries.name, searched, judgements):
        console().print(table, "")
    if report is not None:
        findings = Findings(
            title="How well notes were found", searches={queries.name: (searched, judgements)}
        )
        save_report(report, findings)
    return OK


def _judgements(
    qrels: Path | None, asked: Sequence[Query], pages: Mapping[str, Page]
) -> Judgements:
    if qrels is None:
        return Judgements(notes={})
    keys = {query.key for query in asked}
    return read_judgements(qrels, queries=keys, blocks=block_ids(pages))


def _warn(asked: Sequence[Query], judgements: Judgements) -> None:
    for said in judgements.remarks:
        notify(said)
    long = sum(len(query.query) > MAX_QUESTION for query in asked)
    if long:
        what = "1 question is" if long == 1 else f"{long} questions are"
        notify(f"{what} longer than {MAX_QUESTION} characters: only the beginning is searched for.")


def _prediction(one: Searched, places: Sequence[Place]) -> str:
    """The prediction as one JSON object."""
    told: dict[str, object] = {
        "id": one.query.id,
        "ranked": [
            {"note_path": place.note_path, "block_id": place.block_id, "score": place.score}
            for place in places
        ],
        "answerable": round(one.answerable, 6),
    }
    refused = {"error": one.error} if one.error is not None else {}
    return json.dumps(told | refused, ensure_ascii=False)
