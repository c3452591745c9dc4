"""Python's garbage collector, in the processes of ours: never in somebody else's program."""

import gc
from functools import cache

_OBJECTS_OF_IMPORTS = 1_000_000
_OBJECTS_OF_A_SERVER = 50_000
_YOUNG_OBJECTS = 10_000
"""So many more objects than died since a garbage collection have the next one begin."""


def collect_little(*, for_good: bool) -> None:
    """From the start of a process: to look for garbage takes a sixth of the time of an import.

    None that an import makes is any. A command looks for none until it has opened a brain; a
    server that opens none stays so ``for_good``, and has to look now and then.
    """
    if gc.get_threshold()[0]:  # zero: turned off by whoever runs it
        gc.set_threshold(_OBJECTS_OF_A_SERVER if for_good else _OBJECTS_OF_IMPORTS)


@cache
def spare_what_is_loaded() -> None:
    """Leave what is loaded by now out of garbage collection.

    LangGraph and its kin are half a million objects that never die: a full collection would look
    at them all, for a tenth of a second, in the middle of a question. A question makes thousands of
    values that live as long as it does, so the young are looked at less often than Python would.
    """
    gc.freeze()
    if gc.get_threshold()[0]:
        gc.set_threshold(_YOUNG_OBJECTS)
