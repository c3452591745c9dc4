"""Steps of which a data directory has one at a time, whichever process takes it."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tools.base.errors import BusyError, StorageError
from tools.runtime.server_process import locked


@contextmanager
def exclusive(lock: Path, *, patience: float, busy: str) -> Generator[None]:
    """Hold a lock of the data directory, waiting ``patience`` seconds for it.

    Raises BusyError, which says ``busy``, while another process has it, and StorageError.
    """
    with ExitStack() as held:
        try:  # what fails within the block is no fault of the lock
            taken = held.enter_context(locked(lock, patience=patience))
        except OSError as error:
            raise StorageError(
                f"The data directory cannot be written ({error.strerror}), so nothing was changed: "
                "free some space or check its permissions."
            ) from error
        if taken is None:
            raise BusyError(busy)
        yield
