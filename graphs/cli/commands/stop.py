"""``brain stop``: imports little, since all it does is end processes."""

import asyncio
from pathlib import Path

from graphs.cli.output import console
from graphs.cli.output.exit_codes import OK
from graphs.operations.stop import stop_servers
from tools.settings.loading import load_settings


async def stop(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """End the local servers."""
    settings = await asyncio.to_thread(load_settings, vault=vault, data_dir=data_dir)
    names = await stop_servers(settings)
    if as_json:
        console.show_json({"stopped": names})
    else:
        console.show_line(f"Stopped: {', '.join(names)}." if names else "No server was running.")
    return OK
