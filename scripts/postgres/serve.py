"""Start and stop a Postgres server of this machine's own, on loopback, with a password.

``start`` prints the server's address, password included, and leaves it running; ``stop`` ends it.
It is meant for tests: its data is in no way kept safe. Exit code 69 says that no server can be had
here, 1 that one failed.
"""

import os
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import psutil

# A script finds only what lies beside it.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from scripts.own_server import (
    UNAVAILABLE,
    CannotServeError,
    carried_out,
    command_line,
    end,
    free_port,
    launch,
    running,
)

START_SECONDS = 60
INSTALL_SECONDS = 600
USER = "brain"
_BINARIES = (
    *("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin"),
    *("/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin"),
)

SETTINGS = """\
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = '{home}'
fsync = off
max_connections = 40
shared_buffers = 16MB
"""


def main() -> int:
    """Do what the command line says; return the exit code."""
    parser = command_line(__doc__)
    parser.add_argument("--home", type=Path, required=True, help="data, log, pid; short, for tests")
    parser.add_argument("--install", action="store_true", help="with apt-get, as root")
    arguments = parser.parse_args()
    home = arguments.home.resolve()
    return carried_out(
        arguments.action,
        start=lambda: start(home, port=arguments.port, install=arguments.install),
        stop=lambda: stop(home),
    )


def start(home: Path, *, port: int, install: bool = False) -> str:
    """Return the address of the server in ``home``, which accepts connections by then."""
    known = home / "address"
    if _server(home) is not None and known.exists():
        return known.read_text("ascii").strip()
    binaries = _binaries(install=install)
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o700)
    owner = _owner()
    if owner is not None:  # Postgres refuses to run as root
        os.chown(home, owner.pw_uid, owner.pw_gid)
    password = secrets.token_hex(8)
    if not (home / "data").exists():
        _make(binaries, home, password, owner)
        (home / "password").write_text(password, "ascii")
    password = (home / "password").read_text("ascii")
    port = port or free_port()
    (home / "data" / "postgresql.auto.conf").write_text(SETTINGS.format(port=port, home=home))
    launch(
        "Postgres",
        [binaries / "postgres", "-D", home / "data"],
        home,
        log=home / "log",
        answers=lambda: _ready(binaries, home, port),
        patience=START_SECONDS,
        stop=lambda: stop(home),
        **_as(owner),
    )
    address = f"postgresql://{USER}:{password}@127.0.0.1:{port}/postgres"
    known.touch(0o600)
    known.write_text(address, "ascii")
    return address


def stop(home: Path) -> None:
    """End the server in ``home``, if one runs, by force when it takes too long."""
    # By the second signal it does not wait for clients any more.
    end(home, _server(home), signal.SIGTERM, signal.SIGINT)


def _server(home: Path) -> psutil.Process | None:
    return running(home, argument=str(home / "data"))


def _make(binaries: Path, home: Path, password: str, owner: "pwd.struct_passwd | None") -> None:
    with tempfile.NamedTemporaryFile("w", dir=home) as given:
        given.write(password)
        given.flush()
        if owner is not None:
            os.chown(given.name, owner.pw_uid, owner.pw_gid)
        made = subprocess.run(
            [
                *(binaries / "initdb", "-D", home / "data", "-U", USER, "-E", "UTF8"),
                *("--locale=C", "--auth=scram-sha-256", f"--pwfile={given.name}", "--no-sync"),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=home,
            **_as(owner),
        )
    if made.returncode:
        last = made.stderr.strip().splitlines()[-1:] or ["it left no message"]
        raise CannotServeError(f"Postgres cannot make a database: {last[0]}")


def _owner() -> "pwd.struct_passwd | None":
    """Whom the server runs as, where this user is root."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise CannotServeError("Postgres does not run as root.", code=UNAVAILABLE)


def _as(owner: "pwd.struct_passwd | None") -> dict[str, Any]:
    if owner is None:
        return {}
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}


def _ready(binaries: Path, home: Path, port: int) -> bool:
    asked = [binaries / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
    return subprocess.run(asked, check=False, cwd=home).returncode == 0


def _binaries(*, install: bool) -> Path:
    """The folder of the newest Postgres."""
    found = _installed()
    if found is None and install:
        _install()
        found = _installed()
    if found is None:
        raise CannotServeError("Postgres is not installed.", code=UNAVAILABLE)
    return found


def _installed() -> Path | None:
    folders = [folder for pattern in _BINARIES for folder in Path("/").glob(pattern[1:])]
    if on_path := shutil.which("initdb"):
        folders.append(Path(on_path).resolve().parent)
    usable = [folder for folder in folders if (folder / "initdb").exists()]
    return max(usable, key=_version, default=None)


def _version(folder: Path) -> int:
    found = re.search(r"(\d+)", folder.parent.name)
    return int(found.group(1)) if found else 0


def _install() -> None:
    """Have Debian's package, without the server that it would start by itself."""
    apt_get = shutil.which("apt-get")
    if os.getuid() != 0 or apt_get is None:
        return
    sys.stderr.write("Installing Postgres with apt-get: about 60 MB, a minute or so; no hang.\n")
    install = ("install", "--yes", "--no-install-recommends")
    how = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (("update",), (*install, "postgresql-common"), (*install, "postgresql")):
        if words[-1] == "postgresql":
            settings = Path("/etc/postgresql-common/createcluster.conf")
            settings.write_text("create_main_cluster = false\n", "ascii")
        try:
            subprocess.run(
                [apt_get, "-qq", *words],
                env=how,
                capture_output=True,
                check=True,
                timeout=INSTALL_SECONDS,
            )
        except (subprocess.SubprocessError, OSError):
            raise CannotServeError("apt-get cannot install Postgres.", code=UNAVAILABLE) from None


if __name__ == "__main__":
    sys.exit(main())
