"""An editor that saves a note again and again, each time with a line more.

It has the text in memory, as editors do.

``python -m tests.support.processes.saving_editor NOTE WAY TIMES``: WAY is ``append`` (opened at its
end), ``in-place`` (emptied and written) or ``new-file`` (written beside and renamed). After every
``BURST`` of saves, and before the first, it says that it rests, until it is given a line.
"""

import sys
from pathlib import Path

BURST = 100


def line(number: int) -> str:
    """What the save of a number adds."""
    return f"Saved {number}.\n"


def save(note: Path, way: str, text: str) -> None:
    """Have the note say this."""
    if way == "in-place":
        note.write_text(text, "utf-8")
        return
    beside = note.with_name(f".{note.name}.tmp")
    beside.write_text(text, "utf-8")
    beside.rename(note)


def main(note: Path, way: str, times: int) -> None:
    text = note.read_text("utf-8")
    for number in range(times):
        if number % BURST == 0:
            print("resting", flush=True)
            sys.stdin.readline()
        text += line(number)
        if way == "append":
            with note.open("a", encoding="utf-8") as file:
                file.write(line(number))
        else:
            save(note, way, text)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
