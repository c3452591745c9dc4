"""Where settings come from: arguments before the environment before ``brain.toml``.

Little is imported: the command line looks for a process that answers before it loads anything else.
"""

import contextlib
import hashlib
import os
import stat
import tomllib
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from tools.base.errors import InputError
from tools.base.program import ROOT
from tools.base.read_only import is_read_only

SOCKET_PATH_LIMIT = 100
"""A Unix socket's path holds 107 bytes on Linux and 103 on macOS."""

_PREFIX = "brain_"
_LONGEST_SOCKET = "semantic.sock"
_NEVER_IN_AN_ANSWER = frozenset(("vault", "data_dir", "services_owner", "idle_minutes"))
"""What cannot change an answer of a vault that is where it is."""
_ZONE = "/etc/localtime"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A vault, its data directory and the folder of its sockets.

    Where two processes have the same ``mark``, they give the same answers: it stands for the vault,
    the settings, the time zone and the version of the program.
    """

    vault: Path
    data_dir: Path
    run_dir: Path
    mark: str


def gathered(
    overrides: Mapping[str, object], *, known: Container[str] | None = None
) -> dict[str, object]:
    """The values given for settings, by name, not checked yet; None and empty variables are none.

    Of the environment only ``known`` names count where those are given: the other variables may be
    another program's, while a name that our file misspells is a mistake. Raises InputError for a
    ``brain.toml`` that cannot be read.
    """
    values: dict[str, object] = {}
    for file in (Path(platformdirs.user_config_dir("brain")) / "brain.toml", Path("brain.toml")):
        values |= _of_file(file)
    for name, value in os.environ.items():
        setting = name.lower().removeprefix(_PREFIX)
        ours = name.lower().startswith(_PREFIX) and (known is None or setting in known)
        if ours and value:
            values[setting] = value
    return values | {name: value for name, value in overrides.items() if value is not None}


def _of_file(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"brain.toml cannot be read: {error}.") from None
    except OSError as error:
        raise InputError(f"brain.toml cannot be read: {error.strerror}.") from None


def find_place(overrides: Mapping[str, object]) -> Place | None:
    """Where the vault of these arguments is; None where none is given or its path is no path.

    Raises InputError for a ``brain.toml`` that cannot be read.
    """
    values = gathered(overrides)
    try:
        placed = with_absolute_paths(values)
    except ValueError:
        return None
    vault, data_dir = placed.get("vault"), placed.get("data_dir")
    if not (isinstance(vault, Path) and isinstance(data_dir, Path)):
        return None
    others = sorted((name, str(v)) for name, v in values.items() if name not in _NEVER_IN_AN_ANSWER)
    zone = os.environ.get("TZ"), os.path.realpath(_ZONE)
    told = repr((str(vault), others, zone, _program()))
    mark = hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()
    return Place(vault=vault, data_dir=data_dir, run_dir=run_dir_of(data_dir), mark=mark)


def _program() -> list[tuple[str, int, int]]:
    """What tells this program from an older or newer one: its files' sizes and times."""
    found: list[tuple[str, int, int]] = []
    for package in ("agents", "graphs", "prompts", "tools"):
        for folder, folders, names in os.walk(ROOT / package):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in names:
                with contextlib.suppress(FileNotFoundError):  # it is being replaced just now
                    info = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 - twice as fast
                    found.append((name, info.st_size, info.st_mtime_ns))
    return sorted(found)


def with_absolute_paths(values: Mapping[str, object]) -> dict[str, object]:
    """The values with absolute paths and the data directory that goes with the vault.

    Raises ValueError for what is no path or cannot be followed.
    """
    placed = dict(values)
    for name in ("vault", "data_dir"):
        if placed.get(name):
            placed[name] = absolute(name, placed[name])
    vault = placed.get("vault")
    if isinstance(vault, Path) and not placed.get("data_dir"):
        placed["data_dir"] = default_data_dir(vault)
    return placed


def absolute(name: str, value: object) -> Path:
    """A path, links followed. Raises ValueError for what is none or cannot be followed."""
    if not isinstance(value, str | Path):
        raise ValueError(f"{name} is not a path")  # noqa: TRY004 - pydantic collects ValueErrors
    try:
        return Path(value).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        raise ValueError(f"the path of {name} cannot be followed") from None


def default_data_dir(vault: Path) -> Path:
    """The platform's user data folder, one per vault, told apart by name and path."""
    digest = hashlib.sha256(os.fsencode(vault)).hexdigest()[:10]
    return Path(platformdirs.user_data_dir("brain")) / f"{vault.name or 'vault'}-{digest}"


def run_dir_of(data_dir: Path) -> Path:
    """Where the local servers' sockets live: in the data directory, or a short private place.

    Unix socket paths are short, so a long data directory gets a folder of the user's own under the
    runtime directory, or under the temporary one where there is no such thing, named by the data
    directory's hash. One that is read-only gets one under the temporary directory, with room for
    copies of the stores that a server writes to.
    """
    inside = data_dir / "run"
    read_only = is_index_read_only(data_dir)
    if _fits(inside) and not read_only:
        return inside
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    own = Path(f"/tmp/brain-{os.getuid()}") / f"brain-{digest}"  # noqa: S108
    given = Path(os.environ.get("XDG_RUNTIME_DIR") or own.parent)
    runtime = given / own.name
    return runtime if _fits(runtime) and not read_only and _is_usable(given) else own


def _is_usable(runtime_dir: Path) -> bool:
    """Whether it is what its standard says: an absolute path to a folder of this user's own.

    After ``su`` or a logout the variable may name another user's, or none at all.
    """
    try:
        found = runtime_dir.stat()
    except OSError:
        return False
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return ours and runtime_dir.is_absolute() and os.access(runtime_dir, os.W_OK | os.X_OK)


def is_index_read_only(data_dir: Path) -> bool:
    """Whether an index is there that this process may not change."""
    return is_read_only(data_dir / "index.db")


def _fits(run_dir: Path) -> bool:
    return len(os.fsencode(run_dir / _LONGEST_SOCKET)) <= SOCKET_PATH_LIMIT
