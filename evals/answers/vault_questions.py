"""Are questions about a vault answered exactly? ``python -m evals.answers.vault_questions FILE``.

Each line of a file has a ``vault``, a question and its exact ``answer``: a number, the notes, tags,
tasks or links that are to be listed, or the name that the vault lacks. Right is an answer that
lists these and nothing else, but for what ``also`` may be listed; where an order is asked for, that
begins with them. What a question is asked ``after`` comes before it in its thread. Vaults that are
not in the repository stand below ``--vaults``.
"""

import argparse
import asyncio
import secrets
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.datasets.records import Record, Text, read_lines
from evals.datasets.vaults import written_vault
from evals.metrics.figures import table
from graphs.app import open_brain
from graphs.brain import Brain
from graphs.core.state import QueryContext
from tools.base.domain import Answer
from tools.base.vault_query import ListedItem
from tools.text.normalize import fold

_CONTEXT = QueryContext(mode="local", interactive=False)
_ORDERED = frozenset({"newest", "oldest", "longest", "shortest", "changed"})


class VaultCase(Record):
    """A question about a vault, and what is to be said to it."""

    vault: Text
    q: Text
    kind: Text
    answer: dict[str, Any]
    after: tuple[Text, ...] = ()


def main() -> None:
    """Ask every question and print how many are answered exactly, by vault and by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--vaults", type=Path)
    parser.add_argument("--wrong", action="store_true", help="print what was wrong")
    given = parser.parse_args()
    by_vault: defaultdict[str, list[VaultCase]] = defaultdict(list)
    for case in read_lines(given.file, VaultCase):
        by_vault[case.vault].append(case)
    right, asked = Counter[str](), Counter[str]()
    for name, cases in by_vault.items():
        folder = given.vaults / name if given.vaults and (given.vaults / name).is_dir() else None
        for case, answer in asyncio.run(_ask(folder or written_vault(name), cases)):
            exact = is_exact(case, answer)
            for key in (name, f"kind {case.kind}", "all"):
                asked[key] += 1
                right[key] += exact
            if given.wrong and not exact:
                _tell(case, answer)
    rows = {name: [asked[name], right[name] / asked[name]] for name in asked}
    table(given.file.name, ["questions", "exact"], rows)


async def _ask(vault: Path, cases: Iterable[VaultCase]) -> list[tuple[VaultCase, Answer]]:
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as place:
        # Where no git is: what is dated by it alone would be of the day it came into ours.
        copy = shutil.copytree(vault, Path(place) / "vault")
        async with open_brain(copy, data_dir=f"{place}/data", mode="local") as brain:
            await brain.index()
            return [(case, await _answer(brain, case)) for case in cases]


async def _answer(brain: Brain, case: VaultCase) -> Answer:
    thread = secrets.token_hex(4)
    for question in case.after:
        await brain.ask(question, context=_CONTEXT, thread_id=thread)
    return await brain.ask(case.q, context=_CONTEXT, thread_id=thread)


def is_exact(case: VaultCase, answer: Answer) -> bool:
    """Whether an answer says what is asked for, and no more."""
    listing, gold = answer.listing, case.answer
    if listing is None:
        return False
    if "unknown" in gold:
        near = {fold(name) for one in listing.unknown for name in one.near}
        return bool(listing.unknown) and {fold(name) for name in gold.get("near", ())} <= near
    if listing.unknown:
        return not any(gold.get(key) for key in ("number", "notes", "tags", "tasks", "links"))
    if "number" in gold:
        return len(listing.items) == gold["number"]
    wanted, may, said = _values(gold), set(_values(gold, also=True)), _said(gold, listing.items)
    if case.kind in _ORDERED:
        return said[: len(wanted)] == wanted or set(said[: len(wanted)]) == set(wanted)
    return set(wanted) <= set(said) <= {*wanted, *may}


def _values(gold: Mapping[str, Any], *, also: bool = False) -> list[object]:
    if also:
        return list(gold.get("also", ()))
    if "tags" in gold:
        return [fold(tag) for tag in gold["tags"]]
    if "notes" in gold:
        return list(gold["notes"])
    return [(path, fold(what) if isinstance(what, str) else what) for path, what in _pairs(gold)]


def _pairs(gold: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    return (tuple(pair) for pair in gold.get("tasks", gold.get("links", ())))


def _said(gold: Mapping[str, Any], items: Sequence[ListedItem]) -> list[object]:
    if "tags" in gold:
        return [fold(item.name) for item in items]
    if "tasks" in gold:
        return [(item.note_path, item.line) for item in items]
    if "links" in gold:
        return [(item.note_path, fold(item.name)) for item in items]
    return [item.note_path for item in items]


def _tell(case: VaultCase, answer: Answer) -> None:
    listing = answer.listing
    plan = answer.plan
    period = (plan.start_date, plan.end_date) if plan else None
    said = [] if listing is None else _said(case.answer, listing.items)
    unknown = [] if listing is None else [one.name for one in listing.unknown]
    sys.stdout.write(
        f"{case.vault} {case.kind}: {case.q}\n  {listing.query if listing else 'not of the vault'}"
        f" {period}\n  said {len(said)} {said[:12]} unknown {unknown}\n  gold {case.answer}\n"
    )


if __name__ == "__main__":
    main()
