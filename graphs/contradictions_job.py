"""A scan for contradictions as a process of its own (``python -m graphs.contradictions_job``)."""

import asyncio
import signal
import sys
from collections.abc import Sequence

from graphs.app import open_brain
from graphs.contradictions import is_scanning
from tools.errors import BusyError
from tools.services import Service, graph_service, launch, stop
from tools.serving import announced, log, run_server, server_arguments
from tools.settings import Settings, load_settings

NAME = "contradictions"


def scan_service(settings: Settings) -> Service:
    """Describe the process that looks through the vault, with the settings of this one."""
    return Service(
        name=NAME,
        module="graphs.contradictions_job",
        socket=settings.run_dir / f"{NAME}.sock",
        arguments=graph_service(settings).arguments,
        environment=tuple(settings.environment()),
    )


async def start_scan(settings: Settings) -> None:
    """Start a scan that outlives this process; it logs to ``logs/contradictions.log``.

    Raises BusyError while one is under way, StorageError where the data directory cannot be used.
    """
    if await asyncio.to_thread(is_scanning, settings):
        raise BusyError("This vault is being looked through already: see `brain status`.")
    await asyncio.to_thread(launch, scan_service(settings))


async def stop_scan(settings: Settings) -> bool:
    """End the scan in the background; return whether there was one. What is done is kept."""
    return await stop(scan_service(settings))


def main(arguments: Sequence[str] | None = None) -> int:
    """Scan until all is compared or the process is told to end."""
    options = server_arguments("graphs.contradictions_job").parse_args(arguments)

    def serve() -> int:
        with announced(options.run_dir / f"{NAME}.sock"):
            return asyncio.run(_scan(load_settings()))

    return run_server(NAME, serve, data_dir=options.data_dir)


async def _scan(settings: Settings) -> int:
    given = settings.model_dump(exclude={"vault", "data_dir"})
    async with open_brain(settings.vault, data_dir=settings.data_dir, **given) as brain:
        task = asyncio.ensure_future(brain.scan_contradictions())
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        try:
            await task
        except asyncio.CancelledError:
            log(NAME, "ended before all notes were compared; the next scan goes on")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
