"""Ending what runs for a vault in the background."""

import asyncio

from graphs.jobs.contradictions import stop_scan
from graphs.jobs.extraction import stop_extraction
from graphs.service.process import query_service
from tools.runtime.services import graph_service, semantic_service, stop
from tools.settings.settings import Settings


async def stop_servers(settings: Settings) -> list[str]:
    """End what runs for this vault in the background; return the names of what did."""
    services = (
        *(query_service(settings), semantic_service(settings)),
        graph_service(settings),
    )
    await stop_extraction(settings)
    await stop_scan(settings)
    stopped = await asyncio.gather(*(stop(service) for service in services))
    return [service.name for service, was in zip(services, stopped, strict=True) if was]
