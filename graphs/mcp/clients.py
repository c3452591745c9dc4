"""Where each MCP client keeps its servers, and how it writes one down.

What that rests on, as of November 2026:

- Claude Desktop: modelcontextprotocol.io (quickstart/user) for macOS and Windows. On Linux, a beta
  of 2026, it is Electron's configuration folder, as its Debian package documents. Installed on
  Windows as a package (MSIX, since February 2026) it reads the package's own copy of the folder
  (anthropics/claude-code issues 26073 and 57998).
- Claude Code: code.claude.com/docs/en/mcp: ``.mcp.json`` of a project, ``~/.claude.json`` of the
  user, which ``CLAUDE_CONFIG_DIR`` moves (anthropics/claude-code issue 48448).
- Cursor: cursor.com/docs/mcp.
- VS Code: code.visualstudio.com/docs/agents/reference/mcp-configuration: ``servers`` in the
  ``mcp.json`` of the user's profile, ``type`` required; the default profile is the folder ``User``
  of VS Code's configuration (microsoft/vscode issue 255943).
- Windsurf: docs.windsurf.com/windsurf/cascade/mcp. It became Devin Desktop in June 2026, which
  reads a file of its own, as does its command line since version 3000.3:
  docs.devin.ai/cli/extensibility/mcp/configuration. No other key is allowed there.
- Zed: zed.dev/docs/ai/mcp and ``crates/paths/src/paths.rs`` of its source.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools.base.errors import InputError

Scope = Literal["user", "project"]
ClientName = Literal[
    "claude-desktop", "claude-code", "cursor", "vscode", "windsurf", "devin", "zed"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What decides where files lie: ``sys.platform``, the user's folder, variables, the project."""

    system: str
    home: Path
    environment: Mapping[str, str]
    project: Path

    def config(self) -> Path:
        """The folder in which programs of a desktop keep their settings."""
        if self.system == "win32":
            return self.path("APPDATA", self.home / "AppData" / "Roaming")
        if self.system == "darwin":
            return self.home / "Library" / "Application Support"
        return self.path("XDG_CONFIG_HOME", self.home / ".config")

    def path(self, variable: str, default: Path) -> Path:
        """The absolute path that a variable holds, or ``default``."""
        path = Path(self.environment.get(variable, ""))
        return path if path.is_absolute() else default


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A program that starts MCP servers.

    ``key`` is the member of its file that holds them, ``signs`` gives what is there where it is
    installed, if that is not the file's folder, and ``afterwards`` says when it sees a new server,
    ``typed`` that it wants to be told how a server talks.
    """

    title: str
    key: str
    file: Callable[[Machine], Path]
    afterwards: str
    typed: bool = False
    signs: Callable[[Machine], tuple[Path, ...]] | None = None

    def is_installed(self, machine: Machine) -> bool:
        """Whether the client has left a sign of itself on this machine."""
        signs = self.signs(machine) if self.signs else (self.file(machine).parent,)
        return any(sign.exists() for sign in signs)


def client(name: ClientName, *, scope: Scope | None) -> Client:
    """The client of that name. Raises InputError where it has no such scope."""
    if name == "claude-code":
        return _CLAUDE_CODE_PROJECT if scope == "project" else _CLAUDE_CODE
    if scope == "project":
        raise InputError("--scope project goes with claude-code: the others have the user's file.")
    return _CLIENTS[name]


def _claude_desktop(machine: Machine) -> Path:
    name = "claude_desktop_config.json"
    if machine.system == "win32":
        local = machine.path("LOCALAPPDATA", machine.home / "AppData" / "Local")
        for package in sorted(local.glob("Packages/Claude_*/LocalCache/Roaming/Claude")):
            return package / name
    return machine.config() / "Claude" / name


def _claude_code(machine: Machine) -> Path:
    return machine.path("CLAUDE_CONFIG_DIR", machine.home) / ".claude.json"


def _devin(machine: Machine) -> Path:
    windows = machine.system == "win32"
    folder = machine.config() if windows else machine.home / ".config"
    return folder / "devin" / "mcp_config.json"


def _zed(machine: Machine) -> Path:
    if machine.system == "win32":
        return machine.config() / "Zed" / "settings.json"
    default = machine.home / ".config"
    if machine.system != "darwin":
        default = machine.path("FLATPAK_XDG_CONFIG_HOME", machine.config())
    return default / "zed" / "settings.json"


_CLAUDE_CODE = Client(
    title="Claude Code",
    key="mcpServers",
    typed=True,
    file=_claude_code,
    signs=lambda machine: (_claude_code(machine), machine.home / ".claude"),
    afterwards="Its next session has it; `/mcp` there lists it.",
)
_CLAUDE_CODE_PROJECT = Client(
    title="Claude Code",
    key="mcpServers",
    typed=True,
    file=lambda machine: machine.project / ".mcp.json",
    afterwards="Its next session in this folder asks whether to use it. The file names folders of "
    "this machine: think before it is committed.",
)
_CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client(
        title="Claude Desktop",
        key="mcpServers",
        file=_claude_desktop,
        afterwards="Quit it and start it again: it reads the file as it starts.",
    ),
    "cursor": Client(
        title="Cursor",
        key="mcpServers",
        file=lambda machine: machine.home / ".cursor" / "mcp.json",
        afterwards="Start it again, and see that the server is switched on in its settings.",
    ),
    "vscode": Client(
        title="VS Code",
        key="servers",
        typed=True,
        file=lambda machine: machine.config() / "Code" / "User" / "mcp.json",
        afterwards="Its command “MCP: List Servers” starts it.",
    ),
    "windsurf": Client(
        title="Windsurf",
        key="mcpServers",
        file=lambda machine: machine.home / ".codeium" / "windsurf" / "mcp_config.json",
        afterwards="Start it again. As Devin Desktop, its new name, it reads the file of `devin`.",
    ),
    "devin": Client(
        title="Devin",
        key="mcpServers",
        file=_devin,
        afterwards="Its next session has it.",
    ),
    "zed": Client(
        title="Zed",
        key="context_servers",
        file=_zed,
        afterwards="It sees the change by itself.",
    ),
}
