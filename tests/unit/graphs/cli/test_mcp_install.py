"""``brain mcp install`` and ``uninstall``: shown, agreed to, written; or one line says why not."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from graphs.cli.commands import mcp_clients
from tests.support.processes.command_line import BRAIN, run_here
from tools.base.errors import InputError

type Run = Callable[..., subprocess.CompletedProcess[str]]

CURSOR = '{\n    "mcpServers": {\n        "x": {"command": "y", "env": {"KEY": "sk-123"}}\n    }\n}'


class Terminal(io.StringIO):
    """Standard input at which somebody sits."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def vault(write_vault: Callable[[dict[str, str]], Path]) -> Path:
    return write_vault({"a.md": "A note.\n"})


@pytest.fixture
def cursor(home: Path) -> Path:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text(CURSOR)
    return file


@pytest.fixture
def brain(home: Path, vault: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {"BRAIN_VAULT": str(vault), "COLUMNS": "200"}
        return run_here("mcp", *arguments, environment=environment)

    return run


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of a command that changed nothing."""
    assert done.returncode == 2
    assert done.stderr.startswith("brain: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def entry(file: Path, name: str = "notes") -> dict[str, Any]:
    return json.loads(file.read_text())["mcpServers"][name]


def test_it_comes_and_goes(brain: Run, cursor: Path, vault: Path) -> None:
    done = brain("install", "cursor", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert entry(cursor) == {"command": BRAIN, "args": ["mcp", "--vault", str(vault)]}
    assert entry(cursor, "x")["env"] == {"KEY": "sk-123"}
    assert cursor.with_name("mcp.json.before-brain").read_text() == CURSOR
    assert brain("uninstall", "cursor", "--yes").returncode == 0
    assert cursor.read_text() == CURSOR
    assert [one.name for one in cursor.parent.iterdir()] == ["mcp.json"]


def test_the_change_is_shown_and_nothing_that_others_keep_there(brain: Run, cursor: Path) -> None:
    shown = brain("install", "cursor", "--yes").stdout
    assert "~/.cursor/mcp.json changes:" in shown
    assert '+        "notes": {' in shown
    assert f'+            "command": "{BRAIN}",' in shown
    assert "sk-123" not in shown


@pytest.mark.parametrize("indent", [None, 2])
def test_an_entry_on_a_line_with_others_is_shown_laid_out(
    brain: Run, cursor: Path, indent: int | None
) -> None:
    servers = json.dumps({"x": {"env": {"K": "sk-1"}}})
    cursor.write_text(json.dumps({"mcpServers": 0}, indent=indent).replace("0", servers))
    lines = cursor.read_text().count("\n")
    shown = brain("install", "cursor", "--yes").stdout
    assert f'+      "command": "{BRAIN}",' in shown
    assert "sk-1" not in shown
    assert cursor.read_text().count("\n") == lines
    assert "sk-1" not in brain("uninstall", "cursor", "--yes").stdout


def test_without_a_terminal_nothing_is_written_unasked(brain: Run, cursor: Path) -> None:
    assert "add --yes" in refused(brain("install", "cursor"))
    assert cursor.read_text() == CURSOR
    assert brain("install", "cursor", "--yes").returncode == 0
    after = cursor.read_text()
    assert "add --yes" in refused(brain("uninstall", "cursor"))
    assert cursor.read_text() == after


@pytest.mark.parametrize(("typed", "written"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_at_a_terminal_it_asks(
    cursor: Path, vault: Path, monkeypatch: pytest.MonkeyPatch, typed: str, written: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    if written:
        assert install(vault) == 0
    else:
        with pytest.raises(InputError, match="Nothing was changed"):
            install(vault)
    assert ("notes" in cursor.read_text()) == written


def test_what_changed_while_it_asked_is_not_overwritten(
    cursor: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def agree(*_: object, **__: object) -> bool:
        cursor.write_text("{}")
        return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(typer, "confirm", agree)
    with pytest.raises(InputError, match="meanwhile"):
        install(vault)
    assert cursor.read_text() == "{}"


def install(vault: Path) -> int:
    return mcp_clients.install_server(
        "cursor",
        vault=vault,
        data_dir=None,
        scope=None,
        tier=None,
        yes=False,
        only_print=False,
    )


def test_what_to_paste_is_json_and_nothing_is_written(brain: Run, home: Path, vault: Path) -> None:
    done = brain("install", "vscode", "--print")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "servers": {
            "notes": {"type": "stdio", "command": BRAIN, "args": ["mcp", "--vault", str(vault)]}
        }
    }
    assert "mcp.json" in done.stderr
    assert not list(home.iterdir())


def test_a_client_that_is_not_installed_is_said_so(brain: Run, home: Path) -> None:
    assert "Cursor does not seem to be installed" in refused(brain("install", "cursor"))
    assert not list(home.iterdir())
    assert brain("install", "cursor", "--yes").returncode == 0
    assert entry(home / ".cursor" / "mcp.json")
    assert brain("uninstall", "cursor", "--yes").returncode == 0
    assert not list((home / ".cursor").iterdir())


def test_a_file_with_comments_is_left_and_told_what_to_paste(brain: Run, home: Path) -> None:
    settings = home / ".config" / "zed" / "settings.json"
    settings.parent.mkdir(parents=True)
    text = '// mine\n{\n  "theme": "One Dark", // dark\n}\n'
    settings.write_text(text)
    done = brain("install", "zed", "--yes")
    assert "settings.json was left as it is: it has comments" in refused(done)
    assert "notes" in json.loads(done.stdout)["context_servers"]
    assert settings.read_text() == text


def test_damaged_json_is_left(brain: Run, cursor: Path) -> None:
    cursor.write_text(CURSOR[:-1])
    assert "damaged" in refused(brain("install", "cursor", "--yes"))
    assert cursor.read_text() == CURSOR[:-1]


def test_a_read_only_file_is_left(brain: Run, cursor: Path) -> None:
    cursor.chmod(0o444)
    assert "read-only" in refused(brain("install", "cursor", "--yes"))
    assert cursor.read_text() == CURSOR


def test_a_vault_that_is_there_already_needs_no_agreement(brain: Run, cursor: Path) -> None:
    brain("install", "cursor", "--yes")
    done = brain("install", "cursor")
    assert (done.returncode, done.stdout) == (0, "Cursor has this vault already, as 'notes'.\n")


def test_a_vault_that_is_not_there_is_nothing_to_take_out(brain: Run, cursor: Path) -> None:
    done = brain("uninstall", "cursor")
    assert (done.returncode, cursor.read_text()) == (0, CURSOR)
    assert "nothing to take out" in done.stdout


def test_claude_code_has_a_file_of_the_user_and_one_of_the_project(
    brain: Run, home: Path, tmp_path: Path
) -> None:
    (home / ".claude").mkdir()
    assert brain("install", "claude-code", "--yes").returncode == 0
    assert entry(home / ".claude.json")["type"] == "stdio"
    assert brain("install", "claude-code", "--scope", "project", "--yes").returncode == 0
    assert entry(tmp_path / ".mcp.json")["type"] == "stdio"
    assert "claude-code" in refused(brain("install", "cursor", "--scope", "project"))


def test_a_data_directory_that_was_chosen_is_written_too(
    brain: Run, cursor: Path, tmp_path: Path
) -> None:
    brain("install", "cursor", "--yes", "--data-dir", "data")
    assert entry(cursor)["args"][3:] == ["--data-dir", str(tmp_path / "data")]
    brain("install", "cursor", "--yes")
    assert entry(cursor)["args"][3:] == []


def test_a_vault_that_is_gone_can_still_be_taken_out(brain: Run, cursor: Path, vault: Path) -> None:
    brain("install", "cursor", "--yes")
    vault.rename(vault.with_name("moved"))
    assert brain("uninstall", "cursor", "--yes").returncode == 0
    assert cursor.read_text() == CURSOR


def test_a_path_that_no_json_can_hold_is_one_line(home: Path, cursor: Path, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"v\xff")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system has no such names")
    (folder / "a.md").write_text("A note.\n")
    with pytest.raises(InputError, match="UTF-8"):
        install(folder)
    assert cursor.read_text() == CURSOR


def test_the_help_names_the_commands(brain: Run) -> None:
    done = brain("--help")
    assert done.returncode == 0
    assert "uninstall" in done.stdout


def test_a_client_keeps_its_tier_until_it_is_given_another(
    brain: Run, home: Path, vault: Path
) -> None:
    def arguments() -> list[str]:
        return entry(home / ".cursor" / "mcp.json")["args"]

    assert brain("install", "cursor", "--tier", "contributor", "--yes").returncode == 0
    assert arguments()[-2:] == ["--tier", "contributor"]
    assert brain("install", "cursor", "--yes").returncode == 0
    assert arguments()[-2:] == ["--tier", "contributor"]
    assert brain("install", "cursor", "--tier", "reader", "--yes").returncode == 0
    assert arguments() == ["mcp", "--vault", str(vault)]
