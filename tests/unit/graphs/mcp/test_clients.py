"""Where each client keeps its servers, on each system."""

from pathlib import Path
from typing import get_args

import pytest

from graphs.mcp.clients import ClientName, Machine, client
from tools.base.errors import InputError

HOME = Path("/home/ann")


def machine(system: str, home: Path = HOME, **environment: str) -> Machine:
    return Machine(system=system, home=home, environment=environment, project=Path("/work/site"))


def place(name: ClientName, system: str, **environment: str) -> str:
    return str(client(name, scope=None).file(machine(system, HOME, **environment)))


@pytest.mark.parametrize(
    ("name", "system", "file"),
    [
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        ("claude-desktop", "darwin", "Library/Application Support/Claude/"),
        ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("claude-code", "linux", ".claude.json"),
        ("cursor", "darwin", ".cursor/mcp.json"),
        ("vscode", "linux", ".config/Code/User/mcp.json"),
        ("vscode", "darwin", "Library/Application Support/Code/User/mcp.json"),
        ("vscode", "win32", "AppData/Roaming/Code/User/mcp.json"),
        ("windsurf", "linux", ".codeium/windsurf/mcp_config.json"),
        ("devin", "darwin", ".config/devin/mcp_config.json"),
        ("devin", "win32", "AppData/Roaming/devin/mcp_config.json"),
        ("zed", "linux", ".config/zed/settings.json"),
        ("zed", "darwin", ".config/zed/settings.json"),
        ("zed", "win32", "AppData/Roaming/Zed/settings.json"),
    ],
)
def test_each_client_has_its_place_on_each_system(name: ClientName, system: str, file: str) -> None:
    assert place(name, system).startswith(f"{HOME}/{file}")


def test_variables_move_what_they_move() -> None:
    assert place("vscode", "linux", XDG_CONFIG_HOME="/cfg") == "/cfg/Code/User/mcp.json"
    assert place("zed", "linux", XDG_CONFIG_HOME="/cfg") == "/cfg/zed/settings.json"
    assert place("zed", "linux", FLATPAK_XDG_CONFIG_HOME="/f") == "/f/zed/settings.json"
    assert place("zed", "darwin", XDG_CONFIG_HOME="/cfg") == f"{HOME}/.config/zed/settings.json"
    assert place("claude-code", "linux", CLAUDE_CONFIG_DIR="/c") == "/c/.claude.json"
    assert place("vscode", "win32", APPDATA="/roaming") == "/roaming/Code/User/mcp.json"


def test_a_variable_that_is_no_absolute_path_counts_for_nothing() -> None:
    assert place("vscode", "linux", XDG_CONFIG_HOME="cfg").startswith(f"{HOME}/.config/")
    assert place("vscode", "linux", XDG_CONFIG_HOME="").startswith(f"{HOME}/.config/")


def test_a_packaged_claude_desktop_on_windows_has_its_own_copy(tmp_path: Path) -> None:
    package = tmp_path / "AppData/Local/Packages/Claude_abc/LocalCache/Roaming/Claude"
    package.mkdir(parents=True)
    found = client("claude-desktop", scope=None).file(machine("win32", tmp_path))
    assert found == package / "claude_desktop_config.json"


def test_claude_code_alone_has_a_file_of_the_project() -> None:
    shared = client("claude-code", scope="project")
    assert shared.file(machine("linux")) == Path("/work/site/.mcp.json")
    for name in get_args(ClientName):
        client(name, scope="user")
        if name != "claude-code":
            with pytest.raises(InputError, match="claude-code"):
                client(name, scope="project")


def test_a_client_is_installed_where_its_folder_is(tmp_path: Path) -> None:
    here = machine("linux", tmp_path)
    cursor, claude_code = client("cursor", scope=None), client("claude-code", scope=None)
    assert not cursor.is_installed(here)
    assert not claude_code.is_installed(here)
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".claude").mkdir()
    assert cursor.is_installed(here)
    assert claude_code.is_installed(here)
