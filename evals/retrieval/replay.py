"""Whether the graph says at every point of both axes what replaying the versions says.

``python -m evals.retrieval.replay --vault DIR --dates FILE`` makes a git repository in which the
notes of a vault grow and shrink, committed between the dates of the file (tab-separated: path,
first commit, last commit, number of commits), has it indexed, and compares. The replay below shares
nothing with the program but what a single text says: which version speaks is decided here.
"""

import argparse
import asyncio
import csv
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from graphs.app import make_deps
from graphs.core.deps import Deps
from graphs.ingest.sync_graph import fill_graph
from graphs.query.retrieval.facts import find_facts
from tools.base.domain import Moment
from tools.graph.statements import version_content
from tools.runtime.services import graph_service, stop
from tools.settings.loading import load_settings
from tools.text.normalize import fold_name
from tools.vault.disk.files import scan
from tools.vault.git.repository import read_log
from tools.vault.indexing.indexing import index_text, plan_changes
from tools.vault.notes.links import resolver
from tools.vault.notes.notes import parse_note

_POINTS, _SHOWN = 20, 5
_AT_MOST = 6
"""Versions that are made of one note."""
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)


type ResolveName = Callable[[str], tuple[str | None, str]]
"""The path of the note that a link's target leads to, if any, and its folded title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One version of a note: committed when, saying what."""

    path: str
    committed: datetime
    content: str


def grow(path: str, whole: str, dates: Sequence[datetime], chance: random.Random) -> list[Text]:
    """Versions of a note: paragraphs come, and now and then one that came goes for a while."""
    parts = whole.split("\n\n")
    texts: list[Text] = []
    for number, moment in enumerate(dates, start=1):
        kept = parts[: max(1, round(len(parts) * number / len(dates)))]
        if 1 < number < len(dates) and len(kept) > 2:
            del kept[chance.randrange(1, len(kept))]
        texts.append(Text(path=path, committed=moment, content="\n\n".join(kept)))
    return texts


def read_dates(file: Path, *, most: int) -> dict[str, list[datetime]]:
    """For each note the moments of its versions, spread evenly from first to last commit."""
    found: dict[str, list[datetime]] = {}
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            first = datetime.fromisoformat(row["first_commit"]).astimezone(UTC)
            last = datetime.fromisoformat(row["last_commit"]).astimezone(UTC)
            count = max(1, min(most, int(row["n_commits"]))) if last > first else 1
            step = (last - first) / max(1, count - 1)
            moments = [(first + step * at).replace(microsecond=0) for at in range(count)]
            found[row["path"]] = list(dict.fromkeys(moments))
    return found


def commit_all(folder: Path, texts: Sequence[Text]) -> None:
    """Make the repository at once, a commit a version, and check it out."""
    stream: list[bytes] = []
    for text in sorted(texts, key=lambda text: (text.committed, text.path)):
        content = text.content.encode(errors="surrogatepass")
        when = f"{int(text.committed.timestamp())} +0000"
        stream += [
            f"commit refs/heads/main\ncommitter t <t@t> {when}\ndata 0\n".encode(),
            f'M 100644 inline "{_quoted(text.path)}"\ndata {len(content)}\n'.encode(),
            content + b"\n",
        ]
    _git(folder, "init", "-q", "-b", "main")
    _git(folder, "fast-import", "--quiet", stdin=b"".join(stream))
    _git(folder, "reset", "-q", "--hard")


def replayed(texts: Sequence[Text], called: ResolveName, at: Moment) -> set[tuple[str, str]]:
    """(Relation, folded title of the target) as the version that speaks says them of others."""
    speaking: Text | None = None
    before: tuple[datetime | None, datetime | None] | None = None
    for text in texts:
        note = parse_note(text.path, text.content.encode(errors="surrogatepass"), mtime=_LATEST)
        stated = (note.stated_created, note.stated_modified)
        if before is None:
            valid = stated[0] or stated[1] or text.committed
        elif stated[1] and stated[1] != before[1]:
            valid = stated[1]
        else:
            valid = stated[0] if stated[0] and stated[0] != before[0] else text.committed
        before = stated
        if text.committed <= (at.known_at or _LATEST) and valid <= (at.as_of or _LATEST):
            speaking = text
    if speaking is None:
        return set()
    raw = speaking.content.encode(errors="surrogatepass")
    note = parse_note(speaking.path, raw, mtime=_LATEST)
    told = {
        (s.relation, called(s.target) if s.kind == "link" else (None, _plain(s.target)))
        for s in version_content(note).statements
        if s.kind != "tag"
    }
    return {(relation, title) for relation, (path, title) in told if path != speaking.path}


async def compare(vault: Path, texts: Mapping[str, Sequence[Text]], *, notes: int) -> int:
    """Index and compare at random points; return at how many they differ."""
    chance = random.Random(7)  # noqa: S311
    moments = sorted(text.committed for known in texts.values() for text in known)
    with tempfile.TemporaryDirectory() as data:
        settings = load_settings(vault=vault, data_dir=data, services_owner=os.getpid())
        deps = make_deps(settings)
        started = time.perf_counter()
        await fill(deps)
        seconds = time.perf_counter() - started
        _say(f"{len(texts)} notes, {len(moments)} versions in the graph after {seconds:.1f} s")
        called = naming(deps)
        wrong = checked = 0
        for path in chance.sample(sorted(texts), min(notes, len(texts))):
            for _ in range(_POINTS):
                at = Moment(as_of=_pick(moments, chance), known_at=_pick(moments, chance))
                found = (await find_facts(deps, path, at=at)).facts
                facts = [fact for fact in found if fact.relation != "TAGGED"]
                told = {(fact.relation, _plain(fact.object)) for fact in facts}
                expected = replayed(texts[path], called, at)
                checked += 1
                wrong += told != expected
                if told != expected and wrong <= _SHOWN:
                    _say(
                        f"differs: {path} at {at}: says {sorted(told - expected)}, "
                        f"not {sorted(expected - told)}"
                    )
        await deps.close()
        await stop(graph_service(settings))
        _say(f"{checked} points compared, {wrong} differ")
        return wrong


async def fill(deps: Deps) -> None:
    """Fill catalog, history and graph, as an indexing run does; vectors are not needed."""
    settings, now = deps.settings, deps.clock()
    if (log := read_log(settings.vault)) is not None:
        deps.history.record_git(log, read_at=now)
    found = scan(settings.vault, max_bytes=settings.max_note_bytes)
    index_text(
        plan_changes(found.files, {}),
        root=settings.vault,
        catalog=deps.catalog,
        history=deps.history,
        seen_at=now,
        max_bytes=settings.max_note_bytes,
        git=deps.history.git_dates(),
    )
    await fill_graph(deps)


def naming(deps: Deps) -> ResolveName:
    """How a link's target leads to the path and the title of a note of today."""
    resolve = resolver(deps.catalog.link_targets())
    records = deps.catalog.records(deps.catalog.paths())

    def called(target: str) -> tuple[str | None, str]:
        path = resolve(target)
        return path, _plain(target if path is None else records[path].title)

    return called


def _plain(name: str) -> str:
    """A title, or the last part of a path, folded."""
    return fold_name(name).rsplit("/", 1)[-1]


def main() -> int:
    """Make, index, compare; the exit code says whether anything differed."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m evals.retrieval.replay")
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--dates", type=Path, required=True)
    parser.add_argument("--notes", type=int, default=300, help="notes that are compared")
    parser.add_argument("--into", type=Path, help="keep the repository in this new folder")
    given = parser.parse_args()
    chance = random.Random(7)  # noqa: S311
    texts: dict[str, list[Text]] = {}
    for path, dates in read_dates(given.dates, most=_AT_MOST).items():
        file = given.vault / path
        if file.is_file():
            whole = file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
            texts[path] = grow(path, whole, dates, chance)
    with tempfile.TemporaryDirectory() as temporary:
        folder: Path = given.into or Path(temporary) / "vault"
        folder.mkdir()
        commit_all(folder, [text for known in texts.values() for text in known])
        return min(1, asyncio.run(compare(folder, texts, notes=given.notes)))


def _pick(moments: Sequence[datetime], chance: random.Random) -> datetime | None:
    """A moment at a commit, around one, or none."""
    near = timedelta(seconds=chance.choice((-1, 0, 1, 86_400)))
    return None if chance.random() < 0.2 else chance.choice(moments) + near


def _quoted(path: str) -> str:
    return path.replace("\\", "\\\\").replace('"', '\\"')


def _git(folder: Path, *arguments: str, stdin: bytes = b"") -> None:
    subprocess.run(["git", *arguments], cwd=folder, input=stdin, check=True, capture_output=True)  # noqa: S607


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
