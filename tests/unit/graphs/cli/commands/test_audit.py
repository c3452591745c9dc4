"""``brain audit`` and ``brain audit verify``, from arguments to what is printed."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from graphs.toolkit.audit_log.log import CHAINS, AuditLog, Chain
from tests.support.processes.command_line import Brain, environment, run_here
from tests.support.values.calls import a_call
from tools.base.errors import InputError


@pytest.fixture
def brain(write_vault: Callable[[dict[str, str]], Path], tmp_path: Path) -> Brain:
    variables = environment(write_vault({"Ada.md": "Tea."}), tmp_path / "data")
    return partial(run_here, environment=variables)


@pytest.fixture
def audit_dir(tmp_path: Path) -> Path:
    return tmp_path / "data" / "audit"


@pytest.fixture
def log(audit_dir: Path) -> AuditLog:
    """A log of a write, a read, a write that was refused, and one that was interrupted."""
    log = AuditLog(audit_dir, is_note=lambda _: True)
    log.complete(log.reserve(a_call("append", path="Ada.md", text="Hot  tea")), written=["Ada.md"])
    log.add(a_call("search", text="cold tea", limit=3), ms=4.2)
    log.add(a_call("append", path="Ada.md", oops=1), ms=0.1, error=InputError("no"))
    log.reserve(a_call("forget", node="1b4e28ba-2fa1-51d2-883f-0016d3cca427"))
    return log


@pytest.mark.usefixtures("log")
def test_the_last_calls_are_listed_the_newest_last(brain: Brain) -> None:
    done = brain("audit")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == 4
    assert '"Claude Code", session s-1, contributor: append path=Ada.md' in lines[0]
    assert "text=[8 characters, " in lines[0]
    assert lines[0].endswith("wrote Ada.md")
    assert "– ok 4 ms" in lines[1]
    assert "(1 unknown argument) – refused (InputError)" in lines[2]
    assert lines[3].endswith("– interrupted")
    assert brain("audit", "--limit", "1").stdout.splitlines() == lines[-1:]


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize(
    ("options", "tools"),
    [
        (["--tool", "append"], ["append", "append"]),
        (["--tool", "append", "--limit", "1"], ["append"]),
        (["--text", "hot tea"], []),
        (["--text", "Hot tea"], ["append"]),
        (["--since", "today"], ["append", "search", "append", "forget"]),
        (["--since", "2020-01-01T00:00"], ["append", "search", "append", "forget"]),
        (["--tool", "search_notes"], []),
        (["--tool", "accept_staged"], []),
    ],
)
def test_calls_are_chosen_by_tool_text_and_time(
    brain: Brain, options: list[str], tools: list[str]
) -> None:
    done = brain("audit", *options, "--json")
    assert [call["tool"] for call in json.loads(done.stdout)] == tools


@pytest.mark.parametrize(
    ("client", "shown"),
    [
        ("reader: search - ok", '"reader: search - ok", session s-1'),
        ("x:", '"x:", session s-1'),
        ("cursor", " cursor, session s-1"),
        ("two\nlines", "[9 characters, "),
    ],
)
def test_a_client_may_not_look_like_an_outcome(
    brain: Brain, audit_dir: Path, client: str, shown: str
) -> None:
    one = a_call("search", path="x – ok 3 ms.md")
    AuditLog(audit_dir, is_note=lambda _: True).add(
        replace(one, caller=replace(one.caller, client=client)), ms=1
    )
    (line,) = brain("audit").stdout.splitlines()
    assert shown in line
    assert 'path="x – ok 3 ms.md" – ok 1 ms' in line


def test_what_somebody_wrote_into_the_log_is_shown_escaped(brain: Brain, audit_dir: Path) -> None:
    AuditLog(audit_dir).add(a_call("search"), ms=1)
    path = next(audit_dir.glob("*.jsonl"))
    forged = path.read_text("ascii").replace('"Claude Code"', '"a\\n\\u202eb\\u001b[2J"')
    path.write_text(forged, "ascii")
    (line,) = brain("audit").stdout.splitlines()
    assert '"a\\n\\u202eb\\u001b[2J", session' in line


def test_what_was_taken_away_is_removed(brain: Brain, audit_dir: Path) -> None:
    log = AuditLog(audit_dir)
    undo = replace(a_call("undo", path="Ada.md"), destructive=True)
    log.complete(log.reserve(undo), written=["Ada.md"])
    (line,) = brain("audit").stdout.splitlines()
    assert line.endswith("removed Ada.md")
    assert "wrote" not in line


def test_calls_before_a_moment_are_left_out(brain: Brain, audit_dir: Path, log: AuditLog) -> None:
    for files in log.read().values():
        old = files[0].content.replace(b'"time":"20', b'"time":"19')
        (audit_dir / files[0].name).write_bytes(old)
    assert brain("audit", "--since", "2020-01-01").stdout == "No such call is logged.\n"


def test_without_calls_it_says_so(brain: Brain) -> None:
    assert brain("audit").stdout == "No such call is logged.\n"
    assert brain("audit", "--json").stdout == "[]\n"
    assert brain("audit", "verify").stdout == (
        "The chain of calls holds: no calls.\nThe chain of writes holds: no calls.\n"
    )


def test_each_whole_chain_is_one_line_with_its_last_hash(brain: Brain, log: AuditLog) -> None:
    done = brain("audit", "verify")
    assert (done.returncode, done.stderr) == (0, "")
    calls, writes = done.stdout.splitlines()
    assert calls.startswith("The chain of calls holds: 2 calls from ")
    assert writes.startswith("The chain of writes holds: 2 calls from ")
    assert "1 write interrupted or under way" in writes
    chains = json.loads(brain("audit", "verify", "--json").stdout)["chains"]
    last, other = (chain["last_hash"] for chain in chains)
    assert calls.endswith(f"last hash {last}.")
    assert writes.endswith(f"last hash {other}.")
    log.add(a_call("search"), ms=1)
    since = brain("audit", "verify", "--since-hash", last, "--since-hash", other)
    assert since.returncode == 0
    assert "1 line since that hash" in since.stdout
    assert "0 lines since that hash" in since.stdout


def _changed(lines: list[str]) -> list[str]:
    return [lines[0], lines[1].replace("Claude", "Clod"), *lines[2:]]


def _removed(lines: list[str]) -> list[str]:
    return [lines[0], *lines[2:]]


def _swapped(lines: list[str]) -> list[str]:
    return [lines[0], lines[2], lines[1], *lines[3:]]


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize(
    ("change", "found"),
    [
        (_changed, "line 2: changed"),
        (_removed, "line 2: missing"),
        (_swapped, "line 2: reordered"),
    ],
)
def test_a_broken_chain_is_one_line_and_1(
    *,
    brain: Brain,
    log: AuditLog,
    audit_dir: Path,
    change: Callable[[list[str]], list[str]],
    found: str,
    chain: Chain,
) -> None:
    (file,) = log.read()[chain]
    lines = file.content.decode("ascii").splitlines(keepends=True)
    (audit_dir / file.name).write_text("".join(change(lines)), "ascii")
    done = brain("audit", "verify")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    broken, whole = lines if chain == "calls" else reversed(lines)
    assert broken.startswith(f"The chain of {chain} breaks in {file.name}, {found} (")
    assert " holds: " in whole
    report = json.loads(brain("audit", "verify", "--json").stdout)
    assert not report["whole"]
    assert found.endswith(report["chains"][CHAINS.index(chain)]["broken"]["problem"])


@pytest.mark.usefixtures("log")
def test_a_hash_that_is_no_longer_there_is_1(brain: Brain) -> None:
    done = brain("audit", "verify", "--since-hash", "a" * 64)
    assert (done.returncode, done.stdout.count("\n")) == (1, 3)
    assert f"No chain has the hash {'a' * 64}: " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit", "--json", "verify"], "go behind `verify`"),
        (["audit", "verify", "--since-hash", "abc"], "all 64"),
        (["audit", "--text", "tea"], "key"),
        (["audit", "--limit", "0"], "--limit"),
        (["audit", "--tool", "serch_notes"], "no tool 'serch_notes': there are search_notes, "),
        (["audit", "--tool", "nope", "--json"], "create_link, undo_link, accept_staged"),
        (["audit", "nope"], "nope"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_2(
    brain: Brain, arguments: list[str], said: str
) -> None:
    done = brain(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


def test_what_a_terminal_would_obey_is_not_printed(
    brain: Brain, log: AuditLog, audit_dir: Path
) -> None:
    for files in log.read().values():
        forged = files[0].content.replace(b"Claude Code", rb"\u001b[31mClaude\nCode")
        (audit_dir / files[0].name).write_bytes(forged)
    done = brain("audit")
    assert "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) == 4
