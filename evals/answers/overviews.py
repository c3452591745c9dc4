"""How much of what a writer would say an overview shows: ``python -m evals.answers.overviews``.

The questions of ``data/overviews.jsonl`` are asked as ``brain ask`` would. Of each kind are
printed: how many of the ``points`` that its writer noted are among the lines shown, by line and by
note, how many of the notes shown are among the writer's, how often the first is, how much of it
says again what stands above it, words quoted and lines shown, and the time of the answer. With
``--show`` the pages, too.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import ClassVar

from evals.datasets.files import DATA
from evals.datasets.records import Record, read_lines
from evals.datasets.vaults import written_vault
from graphs.app import open_brain
from graphs.core.state import QueryContext
from tools.base.domain import Answer, OverviewKind
from tools.text.tokens import stems_in

QUESTIONS = DATA / "overviews.jsonl"
_CONTEXT = QueryContext(mode="local", interactive=False)
PLACE = re.compile(r"\[([^\[\]]+):(\d+)\]")
"""A note and a line that a point cites."""
_LINE = re.compile(
    r"^[->] (?P<said>.*) — \[\[(?P<name>[^\]#]*)(?:#[^\]]*)?\]\] line (?P<line>\d+)", re.MULTILINE
)
_SAME = 0.6
"""Share of the shorter line's stems from which on two lines say the same."""
MEASURES = (
    *("read", "points_by_line", "points_by_note", "notes", "first", "repeated"),
    *("words", "lines", "ms"),
)


class Case(Record):
    """A question over a vault: ``notes`` have what it asks for, ``points`` cite their lines."""

    example: ClassVar[str] = (
        '{"vault": "example", "q": "overview of sourdough", "kind": "overview", "notes": [], '
        '"points": []}'
    )

    vault: str
    q: str
    kind: OverviewKind
    notes: list[str]
    points: list[str]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", action="append", help="of these vaults only")
    parser.add_argument("--elsewhere", type=Path, help="folder of the vaults that are not written")
    parser.add_argument("--data-dir", type=Path, help="keep the indexes below it")
    parser.add_argument("--show", action="store_true", help="print the pages")
    chosen = parser.parse_args(arguments)
    cases = [
        one for one in read_lines(QUESTIONS, Case) if not chosen.vault or one.vault in chosen.vault
    ]
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as folder:
        kept = chosen.data_dir or Path(folder)
        found = asyncio.run(_ask_all(cases, chosen.elsewhere, kept, show=chosen.show))
    for kind in (None, *dict.fromkeys(one.kind for one in cases)):
        own = [figures for case, figures in found if kind in (None, case.kind)]
        means = (f"{name} {fmean(one[name] for one in own):.2f}" for name in MEASURES)
        sys.stdout.write(f"{kind or 'all':9} {len(own):3}: {', '.join(means)}\n")
    return 0


async def _ask_all(
    cases: Sequence[Case], elsewhere: Path | None, kept: Path, *, show: bool
) -> list[tuple[Case, dict[str, float]]]:
    found: list[tuple[Case, dict[str, float]]] = []
    for name in dict.fromkeys(one.vault for one in cases):
        try:
            vault = written_vault(name)
        except StopIteration:
            if elsewhere is None:
                sys.stdout.write(f"{name}: left out, for nobody said where it is\n")
                continue
            vault = elsewhere / name
        async with open_brain(vault, data_dir=kept / name, mode="local") as brain:
            await brain.index()
            for case in (one for one in cases if one.vault == name):
                answer = await brain.ask(case.q, context=_CONTEXT)
                found.append((case, measured(case, answer, root=vault)))
                if show:
                    sys.stdout.write(f"\n=== {case.vault} {case.kind}: {case.q}\n{answer.answer}")
    return found


def measured(case: Case, answer: Answer, *, root: Path) -> dict[str, float]:
    """The figures of one answer; ``root`` is its vault."""
    lines = list(_LINE.finditer(answer.answer))
    said = [found["said"] for found in lines]
    cited = [(found["name"], int(found["line"])) for found in lines]
    shown = {
        (result.note_path, line)
        for result in answer.results
        for excerpt in result.excerpts
        if any(
            start == excerpt.line_start and result.note_path.endswith(f"{name}.md")
            for name, start in cited
        )
        for line in range(excerpt.line_start, excerpt.line_end + 1)
    }
    paths = dict.fromkeys(result.note_path for result in answer.results)
    noted = [path for path in paths if any(path == note for note, _ in shown)]
    wanted = {_below(note, root) for note in case.notes}
    places = [
        {(_below(note, root), int(line)) for note, line in PLACE.findall(point)}
        for point in case.points
    ]
    return {
        "read": float(answer.plan is not None and answer.plan.reading.overview == case.kind),
        "points_by_line": _share(bool(own & shown) for own in places),
        "points_by_note": _share(any(path in noted for path, _ in own) for own in places),
        "notes": _share(path in wanted for path in noted),
        "first": float(bool(noted) and noted[0] in wanted),
        "repeated": _repeated(said),
        "words": float(sum(len(line.split()) for line in said)),
        "lines": float(len(said)),
        "ms": answer.timings_ms["total"],
    }


def _below(note: str, root: Path) -> str:
    """A note's path within its vault; the questions name some from the folder above it."""
    return note if (root / note).is_file() else note.removeprefix(f"{root.name}/")


def _share(right: Iterable[bool]) -> float:
    own = list(right)
    return sum(own) / len(own) if own else 0.0


def _repeated(said: Sequence[str]) -> float:
    """The share of the lines most of whose stems stand in one line above."""
    stems = [frozenset(stems_in(line)) for line in said]
    return _share(
        any(len(one & other) >= _SAME * min(len(one), len(other)) for other in stems[:at])
        for at, one in enumerate(stems)
        if one
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
