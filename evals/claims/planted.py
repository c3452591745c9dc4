"""What a scan finds of what was hidden in vaults: ``python -m evals.claims.planted [FOLDER …]``.

Each folder (those of ``data/claim_pairs/planted`` unless others are named) is a vault with a file
``truth.jsonl``: pairs of lines that are a ``contradiction``, a ``change`` or only a ``lookalike``.
A pair is found where a scan tells of two claims that stand on its lines, whatever it calls them;
what else it tells of is counted, too, and with ``--all`` printed. With ``--asked`` there is no
scan: each pair's question is asked, and what the answers tell of is counted.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.claims.vault_pairs import TRUTH, Places, known_pairs
from evals.datasets.files import DATA
from evals.metrics.figures import table
from graphs.app import open_brain
from tools.base.domain import Change
from tools.claims.report import Conflict, sides

_PLANTED = DATA / "claim_pairs" / "planted"
_KINDS = "contradiction", "change", "lookalike"


def places(found: Conflict) -> Places:
    """Where both sides of a pair stand: paths and lines."""
    return frozenset((side.path, side.line) for side in sides(found))


async def reported_conflicts(
    folder: Path, *, unsure: bool, asked: bool
) -> Mapping[Places, Conflict]:
    """Everything that a scan of a copy of the vault tells of, or the answers to its questions."""
    with tempfile.TemporaryDirectory() as place:
        vault = Path(place) / folder.name
        shutil.copytree(folder, vault, ignore=shutil.ignore_patterns(TRUTH))
        async with open_brain(vault, data_dir=Path(place) / "data") as brain:
            await brain.index()
            found: list[Conflict] = []
            if asked:
                for one in filter(lambda one: one.question, known_pairs(folder)):
                    answer = await brain.ask(one.question)
                    found += [*answer.contradictions, *answer.changes]
            else:
                scanned = await brain.contradictions(unsure=unsure)
                found += [one.clash for one in scanned.found]
    return {places(one): one for one in found}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=sorted(_PLANTED.iterdir()))
    parser.add_argument("--all", action="store_true", help="print every pair told of")
    parser.add_argument("--unsure", action="store_true", help="with what is less sure")
    parser.add_argument("--asked", action="store_true", help="of answers instead of a scan")
    options = parser.parse_args()
    rows: dict[str, Sequence[float]] = {}
    for folder in options.folders:
        found = asyncio.run(reported_conflicts(folder, unsure=options.unsure, asked=options.asked))
        kinds = {one.places: one.kind for one in known_pairs(folder)}
        planted = Counter(kinds.values())
        hits = Counter(kind for place, kind in kinds.items() if place in found)
        as_such = sum(
            isinstance(one, Change) for at, one in found.items() if kinds.get(at) == "change"
        )
        others = sum(at not in kinds for at in found)
        shares = [count for kind in _KINDS for count in (hits[kind], planted[kind])]
        rows[folder.name] = (*shares, as_such, others)
        for at, one in found.items() if options.all else ():
            a, b = sides(one)
            said = f"{a.path}:{a.line} {a.claim}\n    {b.path}:{b.line} {b.claim}"
            sys.stdout.write(f"{kinds.get(at, 'other')} {one.confidence:.2f} {said}\n")
    columns = [name for kind in _KINDS for name in (f"{kind}s", "of")]
    table("vault", (*columns, "changes as such", "others told of"), rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
