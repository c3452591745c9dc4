"""What ``brain model check`` does: examine a model, keep its figures, say what it may decide."""

import asyncio
import sys

from rich.table import Table

from agents.llm.admission import ROLE_NAMES, ROLES, ModelCheck, ModelChecks
from agents.llm.language_model import probe
from evals.commands.outputs import progress
from evals.llm.check import cases_of, check_model
from graphs.cli.output.console import console
from graphs.cli.output.exit_codes import OK
from tools.base.errors import InputError
from tools.base.guards import terminal_text
from tools.settings.loading import load_model_settings


def check(name: str | None, *, as_json: bool) -> int:
    """Examine the model ``name``, or the configured one.

    Raises InputError where it is not there, ModelUnavailableError where it answers nothing,
    StorageError.
    """
    settings = load_model_settings(chat_model=name)
    found = asyncio.run(probe(settings.ollama_url, settings.chat_model, max_age=0))
    if not found.has_model:
        raise InputError(f"{found.reason} Nothing was checked.")
    with progress("cases", sum(map(cases_of, ROLES))) as advance:
        done = asyncio.run(check_model(settings, advance=advance))
    if as_json:
        sys.stdout.write(done.model_dump_json(indent=2) + "\n")
    else:
        console().print(_table(done))
        console().print(_verdict(done), highlight=False, soft_wrap=True)
    ModelChecks(settings.model_checks).keep(done)
    return OK


def _table(done: ModelCheck) -> Table:
    table = Table(title=f"{terminal_text(done.model)} beside the program without it", box=None)
    for column in ("to", "cases", "model", "program", "only model", "only program", "s a case"):
        table.add_column(column, justify="left" if column == "to" else "right")
    for role, one in done.roles.items():
        counts = (one.cases, one.model_right, one.local_right, one.only_model, one.only_local)
        table.add_row(ROLE_NAMES[role], *map(str, counts), f"{one.seconds:.2f}")
    return table


def _verdict(done: ModelCheck) -> str:
    able = [ROLE_NAMES[role] for role in ROLES if done.admits(role)]
    name = terminal_text(done.model)
    if not able:
        return f"In mode auto {name} is not asked: nowhere is it better by more than chance."
    others = [ROLE_NAMES[role] for role in ROLES if not done.admits(role)]
    rest = f" It is not asked to {' or to '.join(others)}." if others else ""
    return f"In mode auto {name} may {' and '.join(able)}.{rest}"
