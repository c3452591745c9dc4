"""How long a vault's git history takes: ``python -m tests.bench.history`` prints a table.

A made-up repository is indexed whole by servers of its own, then once more after a few commits.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.ingest.graph import Progress
from tests.support.vaults.repositories import git
from tools.graph.projection import project
from tools.graph.versions import Statement, Version, VersionContent, date
from tools.vault.history.history import History

NEW_COMMITS = 5
BEGAN = 1_500_000_000
LOG_VERSIONS, LOG_LINKS, LOG_OTHERS = 5000, 20, 300
_DAY = 86_400
_RELATIONS = ("", "", "causes:: ", "leads to:: ", "supports:: ")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--commits", type=int, default=2000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brain-bench-") as folder:
        rows = asyncio.run(measure(Path(folder), notes=given.notes, commits=given.commits))
    sys.stdout.write("| measured on a git history | value |\n|---|---|\n")
    sys.stdout.writelines(f"| {name} | {value} |\n" for name, value in rows)


async def measure(folder: Path, *, notes: int, commits: int) -> list[tuple[str, str]]:
    vault, data_dir = folder / "vault", folder / "data"
    vault.mkdir()
    git(vault, "init", "-q")
    add_commits(vault, range(commits), notes=notes)
    async with open_brain(
        vault, data_dir=data_dir, mode="local", services_owner=os.getpid()
    ) as brain:
        rows = [("notes, commits", f"{notes}, {commits}")]
        rows += await indexed(brain, "whole")
        rows.append(("projecting alone", f"{projecting(brain):.2f} s"))
        add_commits(vault, range(commits, commits + NEW_COMMITS), notes=notes)
        rows += await indexed(brain, f"{NEW_COMMITS} new commits")
        rows += await indexed(brain, "nothing new")
    rows.append((f"projecting one note of {LOG_VERSIONS} versions", f"{projecting_a_log():.1f} s"))
    return rows


async def indexed(brain: Brain, name: str) -> list[tuple[str, str]]:
    """Seconds of the parts of one run of ``brain index``."""
    last: dict[str, float] = {}

    def note(progress: Progress) -> None:
        last[progress.phase] = time.perf_counter()

    started = time.perf_counter()
    report = await brain.index(on_progress=note)
    whole = time.perf_counter() - started
    took = {name: milliseconds / 1000 for name, milliseconds in report.timings_ms.items()}
    before = started + took["scan"] + took["text"]
    versions = max(last.get("history", before) - before, 0)
    return [
        (f"{name}: files and commits", f"{took['scan']:.2f} s"),
        (f"{name}: text", f"{took['text']:.2f} s"),
        (f"{name}: texts of old versions", f"{versions:.2f} s"),
        (
            f"{name}: projecting and writing {report.graph_written} notes",
            f"{took['graph'] - versions:.2f} s",
        ),
        (f"{name}: {report.vectors_written} vectors", f"{took['vectors']:.2f} s"),
        (f"{name}: all", f"{whole:.2f} s"),
    ]


def projecting(brain: Brain) -> float:
    """Seconds from the recorded versions to the parts of the graph, nothing written."""
    history = History(brain.settings.history_path)
    try:
        started = time.perf_counter()
        paths = history.paths()
        for path, versions in history.versions(paths).items():
            project(path, date(versions), resolve=lambda name: f"{name}.md")
        return time.perf_counter() - started
    finally:
        history.close()


def projecting_a_log() -> float:
    """Seconds for a log that is committed every day, in which two links of twenty change."""
    chance = random.Random(1)  # noqa: S311
    targets = [f"Note {number}" for number in range(LOG_LINKS)]
    found: list[Version] = []
    for number in range(LOG_VERSIONS):
        for _ in range(2):
            targets[chance.randrange(LOG_LINKS)] = f"Note {chance.randrange(LOG_OTHERS)}"
        links = tuple(
            Statement(relation="LINKS_TO", target=target, kind="link", line=line, strength=0.6)
            for line, target in enumerate(targets, 1)
        )
        at = datetime.fromtimestamp(BEGAN + number * _DAY, UTC)
        said = VersionContent(title="Log", opening="", statements=links)
        found.append(
            Version(key=number, path="Log.md", at=at, origin="git", content_hash=str(at), said=said)
        )
    started = time.perf_counter()
    project("Log.md", date(found), resolve=lambda target: f"{target}.md")
    return time.perf_counter() - started


def add_commits(vault: Path, numbers: Iterable[int], *, notes: int) -> None:
    """Commit on the checked-out branch: each makes a note, or changes a random one once all are."""
    parts: list[str] = []
    tip = git(vault, "rev-parse", "-q", "--verify", "HEAD") if 0 not in numbers else ""
    for number in numbers:
        chance = random.Random(number)  # noqa: S311
        note = number if number < notes else chance.randrange(notes)
        parts += ["commit refs/heads/main", f"committer t <t@t> {BEGAN + number * _DAY} +0000"]
        parts.append("data 0")
        if tip:
            parts.append(f"from {tip}")
            tip = ""
        text = _text(note, number, notes, chance)
        parts += [f"M 100644 inline Note {note:05}.md", f"data {len(text)}", text]
    git(vault, "fast-import", "--quiet", stdin=("\n".join(parts) + "\n").encode())
    git(vault, "reset", "-q", "--hard", "main")


def _text(note: int, number: int, notes: int, chance: random.Random) -> str:
    others = [chance.randrange(notes) for _ in range(4)]
    links = [f"{chance.choice(_RELATIONS)}[[Note {other:05}]]" for other in others]
    tag = f"#tag{chance.randrange(30)}"
    lines = [f"# Note {note:05}", "", f"As of commit {number}. {tag}", "", *links]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
