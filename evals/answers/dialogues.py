"""How well follow-ups are answered: ``python -m evals.answers.dialogues FILE …``.

Each line of a file is a dialogue over a vault of the repository: its turns are questions with their
evidence, of which those that ``lean`` cannot be understood without what was asked before. All turns
of a dialogue are asked in one thread. The measures are those of ``brain eval answers``, by part:
openings, turns that lean, and new questions behind them.
"""

import argparse
import asyncio
import secrets
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from evals.answers.ask import ask_one
from evals.answers.evidence import AnswerOutcome
from evals.answers.tables import table
from evals.datasets.dialogues import Dialogue, part
from evals.datasets.records import read_lines
from evals.datasets.vaults import written_vault
from graphs.app import open_brain
from graphs.cli.output.console import console


def main() -> None:
    """Ask every dialogue and print the measures of each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    files: Sequence[Path] = parser.parse_args().files
    given = {file: read_lines(file, Dialogue) for file in files}
    by_vault: defaultdict[str, list[tuple[Path, Dialogue]]] = defaultdict(list)
    for file, dialogues in given.items():
        for one in dialogues:
            by_vault[one.vault].append((file, one))
    found: defaultdict[Path, list[AnswerOutcome]] = defaultdict(list)
    for name, dialogues in by_vault.items():
        answers = asyncio.run(ask_all(written_vault(name), [one for _, one in dialogues]))
        for (file, _), own in zip(dialogues, answers, strict=True):
            found[file] += own
    for file in given:
        console().print(table(file.name, found[file]))


async def ask_all(vault: Path, dialogues: Iterable[Dialogue]) -> list[list[AnswerOutcome]]:
    """Index the vault and ask each dialogue in a thread of its own; what each turn came to."""
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as folder:
        async with open_brain(vault, data_dir=folder, mode="local") as brain:
            await brain.index()
            found: list[list[AnswerOutcome]] = []
            for dialogue in dialogues:
                thread = secrets.token_hex(4)
                cases = [
                    turn.model_copy(update={"kind": part(turn, at)})
                    for at, turn in enumerate(dialogue.turns)
                ]
                found.append([await ask_one(brain, case, thread_id=thread) for case in cases])
            return found


if __name__ == "__main__":
    main()
