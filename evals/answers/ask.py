"""Ask a vault questions with evidence, as ``brain ask`` would; nothing is asked back."""

import secrets
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from evals.answers.evidence import AnswerOutcome, outcome_of
from evals.datasets.evidence import AnswerCase
from graphs.app import open_brain
from graphs.brain import Brain
from graphs.core.state import QueryContext
from tools.base.errors import InputError
from tools.base.guards import MAX_QUESTION

_CONTEXT = QueryContext(mode="local", interactive=False, logged=False)


async def ask_all(
    cases: Sequence[AnswerCase],
    *,
    vault: Path,
    data_dir: Path | None,
    hear: Callable[[AnswerOutcome], None],
) -> None:
    """Index the vault where it is not yet, and ask every question as ``brain ask`` would.

    Nothing is asked back. Raises InputError and StorageError.
    """
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as folder:
        async with open_brain(vault, data_dir=data_dir or folder, mode="local") as brain:
            await brain.index()
            for case in cases:
                hear(await ask_one(brain, case))


async def ask_one(brain: Brain, case: AnswerCase, *, thread_id: str | None = None) -> AnswerOutcome:
    """Ask a question as ``brain ask`` would, in a thread or by itself; nothing is asked back.

    One that leans on another is asked behind that, as in ``brain chat``.
    """
    thread = thread_id or (secrets.token_hex(4) if case.after else None)
    questions = [one[:MAX_QUESTION] for one in (case.after, case.q) if one]
    try:
        *_, answer = [
            await brain.ask(question, thread_id=thread, context=_CONTEXT) for question in questions
        ]
        return outcome_of(case, answer)
    except InputError as error:
        return AnswerOutcome(
            case=case, quoted=(), notes=(), denied=False, words=0, ms=0.0, error=str(error)
        )
