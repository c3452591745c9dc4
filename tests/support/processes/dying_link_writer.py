"""Processes that put a link into two notes, or take it out, and kill themselves on the way.

``python -m tests.support.processes.dying_link_writer FOLDER STEP EXCHANGE``: processes do STEP as
``die_at_each`` says. EXCHANGE is ``no`` where the file system is to have no such step.

``… FOLDER batch N FIRST``: N processes put a hundred links into a vault, each until a moment that
is drawn by a generator that begins with FIRST.
"""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

from graphs.links.writing.apply import apply, apply_all, planned, undo
from graphs.links.writing.journal import recover
from graphs.links.writing.settle import change
from tests.support.processes.countdown import Countdown, die_at_each, in_child, settings_in
from tools.settings.settings import Settings
from tools.vault.disk import replace
from tools.vault.editing.places import InFrontmatter, InSection, NewLink
from tools.vault.storage.link_journal import LinkJournal, LinkWrite

BEFORE = {
    "A.md": b"\xef\xbb\xbf# A\r\n\r\nAlpha.\r\n",
    "deep/B.md": b"---\nstatus: open\n---\nBeta, no final newline",
    "Other.md": b"[[A]] [[B]]\n",
}
AFTER = {
    "A.md": BEFORE["A.md"].replace(
        b"Alpha.", b"Alpha.\r\n\r\n## Related\r\n\r\n- supports:: [[B]] \xe2\x80\x94 both"
    ),
    "deep/B.md": BEFORE["deep/B.md"].replace(
        b"open\n", b'open\nsupported_by:\n  - "[[A]]"\n'
    ),
    "Other.md": BEFORE["Other.md"],
}  # fmt: skip
CHAIN = 100
CHAIN_NOTE = b"---\r\nstatus: open\r\n---\r\nText."
_COUNTED = [
    *((os, name) for name in (
        "open", "fsync", "rename", "unlink", "close", "fchmod", "stat", "listxattr",
    )),
    (replace, "exchange"),
]  # fmt: skip


def files(settings: Settings) -> dict[str, bytes]:
    """All that is in the vault, drafts too."""
    found = (one for one in settings.vault.rglob("*") if one.is_file())
    return {str(one.relative_to(settings.vault)): one.read_bytes() for one in found}


def write(settings: Settings) -> LinkWrite:
    """The link, planned for the notes of now."""
    supports = NewLink(name="B", relation="supports", context="both")
    supported = NewLink(name="A", relation="supported_by")
    return LinkWrite(
        at=datetime(2026, 1, 1, tzinfo=UTC),
        by="me",
        source="A.md",
        target="deep/B.md",
        relation="supports",
        context="both",
        edits=(
            planned(settings, "A.md", supports, InSection()),
            planned(settings, "deep/B.md", supported, InFrontmatter()),
        ),
    )


def prepared(folder: Path, step: str) -> Settings:
    """A vault to which the step can be done."""
    for path, content in BEFORE.items():
        (folder / "vault" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "vault" / path).write_bytes(content)
    (folder / "data").mkdir(mode=0o700)
    settings = settings_in(folder)
    if step == "undo":
        apply(settings, write(settings))
    elif step == "recover":
        with LinkJournal(settings.link_journal_path) as journal:
            begun = journal.begin(write(settings))
        change(settings, begun.edits[0], to=True)
    return settings


def chained(settings: Settings) -> list[Callable[[], LinkWrite]]:
    """Links from each of a hundred notes to the next, so that each note has two."""

    def link(number: int) -> LinkWrite:
        source, target = f"N{number}.md", f"N{(number + 1) % CHAIN}.md"
        supports = NewLink(name=target[:-3], relation="supports")
        supported = NewLink(name=source[:-3], relation="supported_by")
        return LinkWrite(
            at=datetime(2026, 1, 1, tzinfo=UTC),
            by="me",
            source=source,
            target=target,
            relation="supports",
            edits=(
                planned(settings, source, supports, InSection()),
                planned(settings, target, supported, InFrontmatter()),
            ),
        )

    return [partial(link, number) for number in range(CHAIN)]


def chain_prepared(folder: Path) -> Settings:
    """A vault for ``chained``."""
    (folder / "vault").mkdir(parents=True)
    (folder / "data").mkdir(mode=0o700)
    for number in range(CHAIN):
        (folder / f"vault/N{number}.md").write_bytes(CHAIN_NOTE)
    return settings_in(folder)


def batch(folder: Path, times: int, first: int) -> None:
    drawn = Random(first)  # noqa: S311 - moments, no secrets
    calls = folder / "calls"
    for number in range(times + 1):
        settings = chain_prepared(folder / f"{number}")
        at = drawn.randrange(1, int(calls.read_text())) if number else -1
        in_child(partial(_batch_until_killed, settings, at, calls))


def _batch_until_killed(settings: Settings, at: int, calls: Path) -> None:
    countdown = Countdown(at, at % 2)
    countdown.begin(_COUNTED)
    apply_all(settings, chained(settings))
    calls.write_text(str(countdown.count))


def do(settings: Settings, step: str) -> None:
    match step:
        case "undo":
            undo(settings, 1)
        case "recover":
            recover(settings)
        case _:
            apply(settings, write(settings))


def main(folder: Path, step: str, exchange: str) -> None:
    if exchange == "no":
        replace.exchange = _unable
    die_at_each(folder, _COUNTED, partial(prepared, step=step), partial(do, step=step))


def _unable(*_: object) -> bool:
    return False


if __name__ == "__main__":
    if sys.argv[2] == "batch":
        batch(Path(sys.argv[1]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
