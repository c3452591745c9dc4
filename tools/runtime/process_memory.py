"""How much memory processes hold together."""

from collections.abc import Iterable

import psutil


def memory_of(processes: Iterable[psutil.Process]) -> int:
    """Bytes in memory, of which each page that several processes share counts once.

    Linux tells the share of each (PSS); elsewhere shared pages count for each. Raises psutil.Error
    where a process is gone or may not be looked at.
    """
    return sum(_share(process) for process in processes)


def _share(process: psutil.Process) -> int:
    found = process.memory_full_info() if psutil.LINUX else process.memory_info()
    return getattr(found, "pss", found.rss)
