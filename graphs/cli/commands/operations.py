"""What ``brain doctor`` and ``brain reset`` do, as coroutines."""

import asyncio
from pathlib import Path

from graphs.cli.output import console
from graphs.cli.output.exit_codes import NEEDS_MENDING, OK
from graphs.cli.output.reset import in_words, require_agreement
from graphs.operations.checks import Check
from graphs.operations.doctor import diagnose
from graphs.operations.repair import repair
from graphs.operations.reset import plan_reset
from graphs.operations.reset import reset as delete
from graphs.operations.stop import stop_servers
from graphs.stores.index_lock import is_indexing
from graphs.stores.ownership import require_writable
from tools.base.errors import InputError
from tools.settings.loading import load_any_settings, load_settings


async def doctor(
    *, vault: Path | None, data_dir: Path | None, mend: bool = False, as_json: bool
) -> int:
    """Check the vault and the stores against each other; with ``mend`` put right what is not."""
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir)
    checks = await diagnose(settings)
    done: list[str] = []
    if mend and not all(check.ok for check in checks):
        done = await repair(settings)
        checks = await diagnose(settings)
    if as_json:
        mended = [Check(name="repaired", ok=True, detail=line) for line in done]
        console.show_json((*mended, *checks))
    else:
        for line in done:
            console.show_line(f"mended {line}")
        for check in checks:
            mark = "ok   " if check.ok else "LOOK "
            console.show_line(f"{mark} {check.name}: {check.detail}")
    return OK if all(check.ok for check in checks) else NEEDS_MENDING


async def reset(
    *, vault: Path | None, data_dir: Path | None, everything: bool, yes: bool, as_json: bool
) -> int:
    """Delete the vault's index once the user agrees."""
    settings = await asyncio.to_thread(load_any_settings, vault=vault, data_dir=data_dir)
    require_writable(settings)
    plan = await asyncio.to_thread(plan_reset, settings, everything=everything)
    if not as_json:
        for line in in_words(plan):
            console.show_line(line)
    if not yes:
        await require_agreement(settings.vault.name)
    if is_indexing(settings):
        raise InputError("This vault is being indexed by another process: nothing was deleted.")
    await stop_servers(settings)
    # Ending them may have changed what there is.
    plan = await asyncio.to_thread(plan_reset, settings, everything=everything)
    left = await delete(settings, plan)
    if as_json:
        console.show_json(
            {
                "deleted": {part.name: part.bytes for part in plan.deleted},
                "kept": {part.name: part.bytes for part in plan.kept},
                "deleted_elsewhere": [store.name for store in plan.deleted_there],
                "kept_elsewhere": [store.name for store in plan.kept_there],
                "left_elsewhere": left,
                "others": list(plan.others),
            }
        )
    else:
        for line in left:
            console.show_line(line)
        console.show_line("Deleted. `brain index` makes a new index.")
    return OK
