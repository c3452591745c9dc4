"""The log of our processes: JSON lines of names and numbers, whoever writes."""

import json
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tools.runtime import event_log
from tools.runtime.event_log import EventLog, Level, SharedFile
from tools.runtime.process_name import name_process

ROOT = Path(__file__).parents[4]


def lines(data_dir: Path) -> list[dict[str, object]]:
    file = data_dir / "logs" / "brain.log"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def log(data_dir: Path, level: Level = "info", *, texts: bool = False) -> EventLog:
    return EventLog(data_dir, process="cli", level=level, texts=texts)


@pytest.fixture
def own_process() -> None:
    """This process is the command line for a while, and its libraries are logged."""
    name_process("cli")


def test_a_line_has_time_level_process_event_and_what_is_told(tmp_path: Path) -> None:
    log(tmp_path).info("question", intent="causal", results=3, missing=None)
    (line,) = lines(tmp_path)
    assert line.pop("time")
    assert line == {
        "level": "info",
        "process": "cli",
        "pid": os.getpid(),
        "event": "question",
        "intent": "causal",
        "results": 3,
    }
    file = tmp_path / "logs" / "brain.log"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("level", "kept"),
    [
        ("off", []),
        ("warning", ["warned"]),
        ("info", ["told", "warned"]),
        ("debug", ["traced", "told", "warned"]),
    ],
)
def test_the_setting_says_what_is_kept(tmp_path: Path, level: Level, kept: list[str]) -> None:
    events = log(tmp_path, level)
    events.debug("traced")
    events.info("told")
    events.warning("warned")
    assert (tmp_path / "logs").exists() == bool(kept)
    assert [line["event"] for line in lines(tmp_path)] == kept if kept else True


@pytest.mark.usefixtures("own_process")
def test_of_a_librarys_warning_the_words_are_left_out(tmp_path: Path) -> None:
    event_log.log_in(tmp_path, level="debug", texts=False)
    error = ValueError("Quillfeather's key")
    logging.getLogger("neo4j.io").error("RUN %r", {"key": "Quillfeather"}, exc_info=error)
    logging.getLogger("httpx").info("HTTP Request: GET http://127.0.0.1/Quillfeather")
    (line,) = lines(tmp_path)
    assert (line["event"], line["logger"], line["error"]) == (
        *("library warning", "neo4j.io"),
        "ValueError",
    )
    assert "Quillfeather" not in json.dumps(line)


@pytest.mark.usefixtures("own_process")
def test_with_texts_asked_for_they_are_there(tmp_path: Path) -> None:
    event_log.log_in(tmp_path, level="debug", texts=True)
    logging.getLogger("neo4j.io").warning("RUN %s", "Quillfeather")
    assert lines(tmp_path)[0]["message"] == "RUN Quillfeather"


@pytest.mark.usefixtures("own_process")
def test_a_warning_of_ours_is_still_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event_log.log_in(tmp_path, level="off", texts=False)
    logging.getLogger("graphs.checkpoints.sqlite").warning("A file was damaged.")
    logging.getLogger("neo4j.io").warning("Quillfeather")
    assert capsys.readouterr().err == "A file was damaged.\n"


def test_somebody_elses_program_keeps_its_own_logging(tmp_path: Path) -> None:
    before = list(logging.getLogger().handlers)
    event_log.log_in(tmp_path, level="debug", texts=False)
    assert logging.getLogger().handlers == before


def test_lines_of_many_processes_are_all_there_and_whole(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir(mode=0o700)
    program = (
        "import sys; from pathlib import Path; from tools.runtime.event_log import SharedFile\n"
        "file = SharedFile(Path(sys.argv[1]), max_bytes=20_000, kept=9)\n"
        "for at in range(200): file.add({'who': sys.argv[2], 'at': at, 'rest': 'x' * 100})\n"
    )
    path = tmp_path / "logs" / "brain.log"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(path), who],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for who in "abc"
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    files = [file for file in path.parent.iterdir() if file.suffix != ".lock"]
    written = [
        (line["who"], line["at"])
        for file in files
        for line in map(json.loads, file.read_text("utf-8").splitlines())
    ]
    assert sorted(written) == [(who, at) for who in "abc" for at in range(200)]
    assert len(files) > 3
    assert max(file.stat().st_size for file in files) <= 20_000


def test_a_full_file_makes_room_for_itself(tmp_path: Path) -> None:
    file = SharedFile(tmp_path / "lines", max_bytes=100, kept=1)
    for at in range(50):
        file.add({"at": at})
    kept = [(tmp_path / name).read_text("utf-8") for name in ("lines.1", "lines")]
    assert json.loads(kept[1].splitlines()[-1]) == {"at": 49}
    assert sum(map(len, kept)) <= 200
