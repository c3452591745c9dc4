"""How long it takes until a link is shown: ``python -m tests.bench.link_planning`` prints it.

The vault is made up: 10,000 notes that say 50,000 times of an earlier one what they do to it, so
that a link back closes a circle through thousands. ``first`` is right after a note has changed,
when all that is known of links and names is made anew. CPU milliseconds, the median of 20 rounds.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from graphs.app import open_brain
from graphs.core.deps import Deps
from graphs.links.writing.create import LinkPlanner
from tests.bench.run import spread
from tests.support.vaults.notes import write_notes
from tools.base.domain import NoteFile
from tools.base.errors import InputError
from tools.links.planned import LinkRequest
from tools.runtime.garbage import spare_what_is_loaded
from tools.settings.loading import load_settings
from tools.vault.catalog.catalog import Catalog
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note
from tools.vault.storage.entries import Entry, entry

NOTES, LINKS, ROUNDS = 10_000, 50_000, 20
RELATIONS = ("supports", "contradicts", "generalizes", "elaborates", "influences")
SAVED = datetime(2025, 1, 1, tzinfo=UTC)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="brain-links-") as folder:
        vault, data_dir = Path(folder) / "vault", Path(folder) / "data"
        notes = made_up()
        write_notes(vault, notes)
        catalog = Catalog(load_settings(vault=vault, data_dir=data_dir).index_path)
        catalog.write(entries(catalog, notes))
        catalog.close()
        asyncio.run(measure(vault, data_dir, [*notes]))


def made_up() -> dict[str, str]:
    """Notes by path, in folders and with names that some of them share."""
    chance = random.Random(1)  # noqa: S311
    paths = [f"{at % 40:02}/Note {at // 2 if at % 50 == 0 else at}.md" for at in range(NOTES)]
    said: list[list[str]] = [[f"# Thought {at}", "", "What it is."] for at in range(NOTES)]
    for _ in range(LINKS):
        one, other = sorted(chance.sample(range(NOTES), 2))
        said[other].append(f"{chance.choice(RELATIONS)}:: [[{paths[one].removesuffix('.md')}]]")
    return {path: "\n\n".join(lines) for path, lines in zip(paths, said, strict=True)}


def entries(catalog: Catalog, notes: Mapping[str, str]) -> Iterator[Entry]:
    """What the catalog keeps of the notes."""
    packing = catalog.texts.packing()
    for path, text in notes.items():
        note = parse_note(path, text.encode(), mtime=SAVED)
        file = NoteFile(path=path, size=len(text), mtime_ns=0)
        yield entry(note, chunk_note(note), file, packing)


async def measure(vault: Path, data_dir: Path, paths: list[str]) -> None:
    """Plan links after a change and without one, and such as would close a circle."""
    spare_what_is_loaded()
    chance = random.Random(2)  # noqa: S311
    async with open_brain(vault, data_dir=data_dir, mode="local") as brain:
        took: dict[str, list[float]] = {"first": [], "then": []}
        for _ in range(ROUNDS):
            one, other = sorted(chance.sample(range(NOTES), 2))
            request = LinkRequest(source=paths[one], target=paths[other], relation="supports")
            brain.deps.catalog.remove(["nobody.md"])
            for seconds in took.values():
                seconds.append(await planned(brain.deps, request))
    for name, seconds in took.items():
        sys.stdout.write(f"{name}: {spread([1000 * one for one in seconds], 'ms')}\n")


async def planned(deps: Deps, request: LinkRequest) -> float:
    """Seconds of the processor until the link is planned, or refused."""
    start = time.process_time()
    try:
        await LinkPlanner(deps).plan(request, by="bench")
    except InputError as error:
        if "circle" not in str(error):
            raise
    return time.process_time() - start


if __name__ == "__main__":
    main()
