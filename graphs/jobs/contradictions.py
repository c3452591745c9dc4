"""A scan for contradictions as a process of its own (``python -m graphs.jobs.contradictions``)."""

import asyncio
import sys
from collections.abc import Sequence

from graphs.contradictions.progress import is_scanning, only_scan
from graphs.jobs.background import until_ended
from tools.base.errors import BusyError, InputError
from tools.runtime.server_process import announced, log, run_server, server_arguments
from tools.runtime.services import Service, graph_service, launch, stop
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

NAME = "contradictions"


def scan_service(settings: Settings) -> Service:
    """Describe the process that looks through the vault, with the settings of this one."""
    return Service(
        name=NAME,
        module="graphs.jobs.contradictions",
        socket=settings.run_dir / f"{NAME}.sock",
        arguments=graph_service(settings).arguments,
        environment=tuple(settings.environment()),
        models=True,
    )


async def start_scan(settings: Settings) -> None:
    """Start a scan that outlives this process; it logs to ``logs/contradictions.log``.

    Raises InputError where nothing is indexed, BusyError while a scan is under way, StorageError
    where the data directory cannot be used.
    """
    if not await asyncio.to_thread(settings.index_path.exists):
        raise InputError("This vault is not indexed yet: run `brain index`.")
    if await asyncio.to_thread(is_scanning, settings):
        raise BusyError("This vault is being looked through already: see `brain status`.")
    await asyncio.to_thread(launch, scan_service(settings))


async def stop_scan(settings: Settings) -> bool:
    """End the scan in the background; return whether there was one. What is done is kept."""
    return await stop(scan_service(settings))


def main(arguments: Sequence[str] | None = None) -> int:
    """Scan until all is compared or the process is told to end."""
    options = server_arguments("graphs.jobs.contradictions").parse_args(arguments)

    def serve() -> int:
        settings = load_settings()
        # To the very end: whoever ends it has to find and await this process first.
        with only_scan(settings), announced(options.run_dir / f"{NAME}.sock"):
            return asyncio.run(_scan(settings, owner=options.owner))

    return run_server(NAME, serve, data_dir=options.data_dir)


async def _scan(settings: Settings, *, owner: int | None) -> int:
    async with until_ended(owner) as stopping:
        task = asyncio.ensure_future(_look_through(settings))
        ended = asyncio.ensure_future(stopping.wait())
        await asyncio.wait((task, ended), return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if task.done():
            task.result()
            return 0
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    log(NAME, "ended before all notes were compared; the next scan goes on")
    return 1


async def _look_through(settings: Settings) -> None:
    from graphs.app import open_brain

    given = settings.model_dump(exclude={"vault", "data_dir"})
    async with open_brain(settings.vault, data_dir=settings.data_dir, **given) as brain:
        await brain.scan_contradictions()


if __name__ == "__main__":
    sys.exit(main())
