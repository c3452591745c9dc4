"""The local servers, started before LangGraph is loaded."""

from graphs.stores.ownership import claim
from tools.runtime.services import is_running, local_services, starting
from tools.settings.settings import Settings


def start_servers(settings: Settings) -> None:
    """Start the local servers that are not running, without waiting for them.

    Raises StorageError and InputError for a data directory that cannot be used.
    """
    claim(settings)
    for service in local_services(settings):
        if not is_running(service):
            starting(service)
