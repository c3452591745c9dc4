"""Fit which statements an overview shows: ``python -m evals.fitting.overviews``.

People read the vaults below ``data/weighed`` and noted which lines they would be sorry to miss in
an overview (``data/overview_lines``). For each kind a logistic regression learns how likely a
statement is one of these. Each vault is left out once; printed is the share of the noted points
that are shown, that of those which could be, how many lines are shown, and the share of these that
were noted. Takes four minutes.
"""

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain

import numpy as np

from evals.answers.overviews import PLACE, Case
from evals.answers.span_questions import Matrix, Which
from evals.datasets.files import DATA
from evals.datasets.records import read_lines
from evals.datasets.vaults import written_vault
from evals.fitting.regressions import logistic, probability
from evals.metrics.figures import table
from evals.retrieval.search import find, indexed, read_found, read_pages
from graphs.core.deps import Deps
from graphs.query.evidence.overview_material import statements_of_notes
from tools.evidence.spans import spans_of
from tools.overview.selection import FEATURES, WEIGHTS, ScoredStatements, score_statements, select
from tools.overview.statements import Statement, statements
from tools.text.tokens import stems_in

LINES = DATA / "overview_lines"
KINDS = ("overview", "summary", "quotes", "sides")


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, the statements an overview is chosen of, and by which each point is told."""

    case: Case
    told: ScoredStatements
    points: Sequence[Set[int]]

    @property
    def missed(self) -> Which:
        """Which statements somebody would miss."""
        noted = set(chain(*self.points))
        return np.array([at in noted for at in range(len(self.told.told))], bool)

    def figures(self, weights: Matrix) -> list[float]:
        """The shares of the points that are shown and that could be; lines, and how many noted."""
        likely = probability(self.told.rows.astype(np.float64), weights).astype(np.float32)
        shown = select(self.told._replace(likely=likely))
        places = [at for at, one in enumerate(self.told.told) if any(one is own for own in shown)]
        noted = self.missed[places]
        return [
            float(np.mean([bool(own & {*places}) for own in self.points])),
            float(np.mean([bool(own) for own in self.points])),
            len(shown),
            float(noted.mean()) if places else 0.0,
        ]


def main() -> int:
    by_vault: defaultdict[str, list[Case]] = defaultdict(list)
    for file in sorted(LINES.glob("*.jsonl")):
        for case in read_lines(file, Case):
            by_vault[case.vault].append(case)
    judged = [one for name, cases in by_vault.items() for one in asyncio.run(_of(name, cases))]
    rows: dict[str, list[float]] = {}
    kept: dict[str, dict[str, float]] = {}
    for kind in KINDS:
        own = [one for one in judged if one.case.kind == kind]
        figures: list[list[float]] = []
        for name in by_vault:
            weights = _fitted(one for one in own if one.case.vault != name)
            figures += [one.figures(weights) for one in own if one.case.vault == name]
        rows[kind] = [len(own), *np.mean(figures, 0).tolist()]
        weights = _fitted(own).tolist()
        kept[kind] = {name: round(one, 3) for name, one in zip(FEATURES, weights, strict=True)}
    table("overviews", ["questions", "points", "there", "lines", "noted"], rows)
    WEIGHTS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    return 0


async def _of(vault: str, cases: Iterable[Case]) -> list[Judged]:
    async with indexed(await asyncio.to_thread(written_vault(vault).resolve)) as deps:
        pages = await asyncio.to_thread(read_pages, deps.settings)
        lines = {path: page.lines for path, page in pages.items()}
        told = [(case, await _statements(case, lines, deps)) for case in cases]
    return [_judged(case, found) for case, found in told if found]


async def _statements(
    case: Case, lines: Mapping[str, Sequence[str]], deps: Deps
) -> Sequence[Statement]:
    """What is chosen of, whichever kind of overview the question would be taken for."""
    if case.kind == "summary":
        (note, *_) = case.notes
        return statements(note, spans_of("\n".join(lines[note])), lines[note])
    found = await find(case.q, deps)
    read = await read_found(found, deps)
    if not read.evidence.spans:
        return ()
    known = {one.note_path: one for one in read.looked}
    return statements_of_notes(known, read.evidence.spans, read.texts, lines, case.kind).told


def _judged(case: Case, found: Sequence[Statement]) -> Judged:
    told = score_statements(found, np.zeros(len(FEATURES), np.float32))
    return Judged(case, told, [{*_telling(point, told.told)} for point in case.points])


def _telling(point: str, told: Sequence[Statement]) -> Iterator[int]:
    """The statements that tell a point: on each line it cites the one most like its words."""
    said = {*stems_in(PLACE.sub("", point))}
    for path, line in PLACE.findall(point):
        on_line = [
            at
            for at, one in enumerate(told)
            if one.path == path and one.span.line_start <= int(line) <= one.span.line_end
        ]
        if on_line:
            yield max(on_line, key=lambda at: len(said & {*stems_in(told[at].span.text)}))


def _fitted(judged: Iterable[Judged]) -> Matrix:
    own = [one for one in judged if len(one.told.told)]
    rows = np.concatenate([one.told.rows for one in own]).astype(np.float64)
    return logistic(rows, np.concatenate([one.missed for one in own]))


if __name__ == "__main__":
    sys.exit(main())
