"""What ``brain mcp install`` and ``brain mcp uninstall`` do: show the change, ask, write it."""

import os
import shutil
import sys
from pathlib import Path

import typer

from graphs.cli.output import console
from graphs.cli.output.agreement import require_person
from graphs.cli.output.config_change import diff, short
from graphs.cli.output.exit_codes import OK
from graphs.mcp import config_file, install
from graphs.mcp.clients import Client, ClientName, Machine, Scope, client
from graphs.mcp.config_file import ConfigFile
from graphs.mcp.install import Change, NotRewritableError, Server
from tools.base.errors import InputError
from tools.graph.access.kinds import Tier
from tools.settings.loading import load_any_settings, load_settings
from tools.settings.settings import Settings
from tools.settings.sources import default_data_dir


def install_server(
    name: ClientName,
    *,
    vault: Path | None,
    data_dir: Path | None,
    scope: Scope | None,
    tier: Tier | None,
    yes: bool,
    only_print: bool,
) -> int:
    """Write our server for the vault into the client's file once the user agrees."""
    settings = load_settings(vault=vault, data_dir=data_dir)
    server, machine = _server(settings, tier), _machine()
    chosen = client(name, scope=scope)
    file = config_file.read(chosen.file(machine))
    text = file.text()
    if only_print:
        _show_what_to_paste(chosen, server, text, settings.vault.name)
        console.show_remark(f"This goes into {short(file.path, machine.home)}.")
        return OK
    try:
        change = install.installed(
            text, server, key=chosen.key, typed=chosen.typed, vault_name=settings.vault.name
        )
    except NotRewritableError as error:
        _show_what_to_paste(chosen, server, text, settings.vault.name)
        raise _left_alone(chosen, file, error) from None
    if change.text == text:
        console.show_line(f"{chosen.title} has this vault already, as {change.name!r}.")
        return OK
    if not yes and not chosen.is_installed(machine):
        raise InputError(
            f"{chosen.title} does not seem to be installed: its place for servers "
            f"({short(file.path.parent, machine.home)}) is missing. --yes writes it all the same."
        )
    _show_change(chosen, file, change, machine)
    _agree(chosen, yes=yes, instead="--print to paste it yourself")
    config_file.write(file, change.text or "", keep_copy=change.first)
    console.show_line(f"{chosen.title} has this vault as {change.name!r}. {chosen.afterwards}")
    if change.first and file.content is not None:
        console.show_line(f"The file as it was: {short(file.copy, machine.home)}")
    return OK


def uninstall_server(
    name: ClientName,
    *,
    vault: Path | None,
    data_dir: Path | None,
    scope: Scope | None,
    yes: bool,
) -> int:
    """Take our server for the vault out of the client's file once the user agrees."""
    settings = load_any_settings(vault=vault, data_dir=data_dir)
    machine, chosen = _machine(), client(name, scope=scope)
    file = config_file.read(chosen.file(machine))
    before = config_file.read_copy(file)
    try:
        change = install.uninstalled(
            file.text() or "", key=chosen.key, vault=str(settings.vault), before=before
        )
    except NotRewritableError as error:
        raise _left_alone(chosen, file, error) from None
    if change is None:
        console.show_line(f"{chosen.title} does not have this vault: there is nothing to take out.")
        return OK
    _show_change(chosen, file, change, machine)
    _agree(chosen, yes=yes, instead="take it out by hand")
    if change.text is None:
        config_file.remove(file)
    else:
        config_file.write(file, change.text, keep_copy=False)
        if change.text == before:
            config_file.remove_copy(file)
    console.show_line(
        f"{chosen.title} no longer has this vault. What it started goes on until it is closed."
    )
    return OK


def _server(settings: Settings, tier: Tier | None) -> Server:
    """How this program is started for the vault; the data directory only if it was chosen."""
    own = settings.data_dir if settings.data_dir != default_data_dir(settings.vault) else None
    paths = (_program(), settings.vault, own)
    try:
        program, vault, data_dir = (
            None if path is None else os.fsencode(path).decode() for path in paths
        )
    except UnicodeDecodeError:
        raise InputError(
            "The path of the vault, of its data directory or of this program is not UTF-8, which "
            "no client's file can hold: rename the folder."
        ) from None
    return Server(program=program or "", vault=vault or "", data_dir=data_dir, tier=tier)


def _program() -> Path:
    """The absolute path of ``brain``: the one beside the Python that runs, or the one found."""
    beside = Path(sys.executable).with_name("brain")
    found = str(beside) if beside.is_file() else shutil.which("brain")
    if found is None:
        raise InputError(
            "`brain` is nowhere to be found as a program: install it, or add it to PATH."
        )
    return Path(found).absolute()


def _machine() -> Machine:
    return Machine(
        system=sys.platform, home=Path.home(), environment=os.environ, project=Path.cwd()
    )


def _show_what_to_paste(chosen: Client, server: Server, text: str | None, vault: str) -> None:
    name = install.readable_name(text, key=chosen.key, vault=server.vault, vault_name=vault)
    console.show_line(install.to_paste(name, server, key=chosen.key, typed=chosen.typed))


def _left_alone(chosen: Client, file: ConfigFile, reason: NotRewritableError) -> InputError:
    return InputError(f"{chosen.title}'s {file.path.name} was left as it is: {reason}")


def _show_change(chosen: Client, file: ConfigFile, change: Change, machine: Machine) -> None:
    place = short(file.path, machine.home)
    what = "is new" if file.content is None else "changes"
    what = "goes, being empty without it" if change.text is None else what
    console.show_line(f"{chosen.title}: {place} {what}:")
    for line in diff(file.text(), change.text):
        console.show_line(line)


def _agree(chosen: Client, *, yes: bool, instead: str) -> None:
    if yes:
        return
    require_person(
        f"{chosen.title}'s file was not changed: add --yes to have it changed without being "
        f"asked, or {instead}."
    )
    if not typer.confirm("Make this change?", default=False, err=True):
        raise InputError("Nothing was changed.")
