import os
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import psutil
import pytest

from tools.base.domain import NoteFile
from tools.vault.disk.files import scan
from tools.vault.indexing.readers import BATCH, read_in_order
from tools.vault.indexing.reading import Read, Task, Unread
from tools.vault.storage.packing import Packing

type Write = Callable[[dict[str, str]], Path]

MAX_BYTES = 1_000_000


def tasks_of(root: Path) -> list[Task]:
    return [Task(file, None, None) for file in scan(root, max_bytes=MAX_BYTES).files]


def read(root: Path, tasks: list[Task], *, processes: int) -> list[Read | Unread]:
    found = read_in_order(
        tasks,
        root=root,
        max_bytes=MAX_BYTES,
        packing=Packing(),
        processes=processes,
    )
    return [*chain.from_iterable(found)]


@pytest.fixture
def root(write_vault: Write) -> Path:
    return write_vault(
        {
            f"{number:03}.md": f"---\ncreated: 2024-05-01\n---\n# Note {number}\n\nSee [[Other]]."
            for number in range(3 * BATCH)
        }
    )


def readers() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children()
        if any("tools.vault.indexing.readers" in word for word in child.cmdline())
    ]


def test_several_processes_read_what_one_reads_in_the_same_order(root: Path) -> None:
    tasks = tasks_of(root)
    tasks.append(Task(NoteFile(path="zz gone.md", size=1, mtime_ns=1), None, None))
    alone = read(root, tasks, processes=1)
    assert read(root, tasks, processes=2) == alone
    assert [one.file for one in alone] == [task.file for task in tasks]


def test_what_a_killed_process_leaves_is_read_here(root: Path) -> None:
    tasks = tasks_of(root)
    found = read_in_order(tasks, root=root, max_bytes=MAX_BYTES, packing=Packing(), processes=2)
    first = next(found)
    for reader in readers():
        reader.kill()
    assert [*first, *chain.from_iterable(found)] == read(root, tasks, processes=1)
    assert readers() == []


def test_a_run_that_is_given_up_leaves_no_process(root: Path) -> None:
    found = read_in_order(
        tasks_of(root),
        root=root,
        max_bytes=MAX_BYTES,
        packing=Packing(),
        processes=2,
    )
    next(found)
    assert len(readers()) == 2
    found.close()
    assert readers() == []


def test_where_no_process_starts_notes_are_read_here(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    tasks = tasks_of(root)
    assert read(root, tasks, processes=2) == read(root, tasks, processes=1)


def test_a_reader_ends_with_its_input_and_not_with_an_interrupt() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tools.vault.indexing.readers"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as reader:
        _, complaint = reader.communicate(timeout=30)
    assert (reader.returncode, complaint) == (0, b"")


SCRIPT = """
import sys
from pathlib import Path
from tools.vault.disk.files import scan
from tools.vault.storage.packing import Packing
from tools.vault.indexing.readers import read_in_order
from tools.vault.indexing.reading import Task

print("begun", flush=True)
root = Path(sys.argv[1])
tasks = [Task(file, None, None) for file in scan(root, max_bytes=1_000_000).files]
for part in read_in_order(
    tasks, root=root, max_bytes=1_000_000, packing=Packing(), processes=2
):
    print(len(part), flush=True)
"""
"""A script without a guard, as people write them who use this as a library."""


def test_a_script_that_reads_is_carried_out_once(root: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    done = subprocess.run(
        [sys.executable, script, root],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.split() == ["begun", *[str(BATCH)] * 3]
    assert done.stderr == ""


def test_an_interrupt_ends_the_run_and_its_readers(root: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("print(len(part), flush=True)", "input()"), "utf-8")
    with subprocess.Popen(
        [sys.executable, script, root],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as run:
        assert run.stdin is not None
        run.stdin.write("\n")
        run.stdin.flush()
        assert run.stdout is not None
        run.stdout.readline()
        children = psutil.Process(run.pid).children()
        os.killpg(run.pid, signal.SIGINT)
        run.wait(timeout=30)
    assert psutil.wait_procs(children, timeout=30)[1] == []
