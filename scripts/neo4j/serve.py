"""Start and stop a Neo4j server of this machine's own, on loopback, without passwords.

``start`` prints the server's address and leaves it running; ``stop`` ends it. The first start
fetches Neo4j with Maven. It is meant for tests and for a look: whoever uses this machine can
connect. Exit code 69 says that no server can be had here, 1 that one failed.
"""

import argparse
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

UNAVAILABLE = 69
"""What ``sysexits.h`` calls EX_UNAVAILABLE: Java, Maven or the packages are missing."""

ROOT = Path(__file__).resolve().parent.parent.parent
POM = Path(__file__).with_name("pom.xml")
CACHE = ROOT / ".tools" / "neo4j"
FETCH_SECONDS = 900
START_SECONDS = 120
STOP_SECONDS = 20
MAIN = "org.neo4j.server.CommunityEntryPoint"
BOLT_HANDSHAKE = bytes.fromhex("6060b017 00000405 00000004 00000000 00000000")
"""Bolt's magic number and the versions asked for: 5.4, then 4.0."""

JVM = (
    "-Xms128m",
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-XX:-OmitStackTraceInFastThrow",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
)
"""A small heap, and the doors that Neo4j's own start script opens for it."""

SETTINGS = """\
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.memory.pagecache.size=64m
db.tx_log.preallocate=false
dbms.security.auth_enabled=false
dbms.usage_report.enabled=false
internal.dbms.bolt.netty_server_shutdown_quiet_period=0
"""


class CannotServeError(Exception):
    """No server, in one line; ``code`` is what the process ends with."""

    def __init__(self, message: str, *, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def main() -> int:
    """Do what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("start", "stop"))
    parser.add_argument("--home", type=Path, default=CACHE / "home", help="data, logs, pid")
    parser.add_argument("--port", type=int, default=0, help="of bolt; by default a free one")
    parser.add_argument("--fetched", action="store_true", help="fetch nothing")
    arguments = parser.parse_args()
    home = arguments.home.resolve()
    try:
        if arguments.action == "stop":
            stop(home)
        else:
            sys.stdout.write(f"{start(home, port=arguments.port, fetch=not arguments.fetched)}\n")
    except CannotServeError as error:
        sys.stderr.write(f"{error}\n")
        return error.code
    return 0


def start(home: Path, *, port: int, fetch: bool) -> str:
    """Return the address of the server in ``home``, which accepts connections by then."""
    running = _process(home)
    if running is not None and (address := _address(home)) is not None:
        return address
    java = _java()
    classpath = _classpath(fetch=fetch)
    port = port or _free_port()
    (home / "conf").mkdir(parents=True, exist_ok=True)
    (home / "conf" / "neo4j.conf").write_text(SETTINGS.format(port=port), "utf-8")
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [java, *JVM, f"@{classpath}", MAIN, f"--home-dir={home}", f"--config-dir={home}/conf"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=home,
            start_new_session=True,
        )
    (home / "pid").write_text(str(server.pid), "ascii")
    deadline = time.monotonic() + START_SECONDS
    while not _answers(port):
        if server.poll() is not None:
            raise CannotServeError(f"Neo4j ended while it started: {_last_words(home)}")
        if time.monotonic() > deadline:
            stop(home)
            raise CannotServeError(f"Neo4j did not start within {START_SECONDS} s.")
        time.sleep(0.1)
    return f"bolt://127.0.0.1:{port}"


def stop(home: Path) -> None:
    """End the server in ``home``, if one runs, by force when it takes too long."""
    server = _process(home)
    if server is not None:
        server.terminate()
        try:
            server.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            server.kill()
            server.wait(STOP_SECONDS)
    (home / "pid").unlink(missing_ok=True)


def _process(home: Path) -> psutil.Process | None:
    """Find the server by its pid, unless that number belongs to another process by now."""
    try:
        process = psutil.Process(int((home / "pid").read_text("ascii")))
        return process if f"--home-dir={home}" in process.cmdline() else None
    except (OSError, ValueError, psutil.Error):
        return None


def _address(home: Path) -> str | None:
    """Read a running server's address from its settings; none while it does not answer."""
    settings = (home / "conf" / "neo4j.conf").read_text("utf-8")
    found = re.search(r"^server\.bolt\.listen_address=127\.0\.0\.1:(\d+)$", settings, re.MULTILINE)
    port = int(found.group(1)) if found else 0
    return f"bolt://127.0.0.1:{port}" if port and _answers(port) else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    """Whether somebody at ``port`` agrees on a version of Bolt."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(BOLT_HANDSHAKE)
            reply = connection.recv(4)
    except OSError:
        return False
    return len(reply) == 4 and any(reply)


def _last_words(home: Path) -> str:
    lines = (home / "server.log").read_text("utf-8", "replace").splitlines()
    said = [line.strip() for line in lines if line.strip()]
    return said[-1] if said else "it left no message"


def _java() -> str:
    """Path of a Java that Neo4j 5 runs on, version 17 or newer."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=f"{home}/bin" if home else None)
    if java is None:
        raise CannotServeError("Java 17 is not installed.", code=UNAVAILABLE)
    banner = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', banner)
    if found is None or int(found.group(1)) < 17:
        raise CannotServeError("Neo4j needs Java 17; this one is older.", code=UNAVAILABLE)
    return java


def _classpath(*, fetch: bool) -> Path:
    """Return the file of Java arguments that names every jar, fetching them where that is due."""
    listed = CACHE / f"{hashlib.sha256(POM.read_bytes()).hexdigest()[:12]}.classpath"
    if listed.exists() and _complete(listed.read_text("utf-8")):
        return listed
    if not fetch:
        raise CannotServeError("Neo4j is not fetched yet: run `make neo4j`.", code=UNAVAILABLE)
    maven = shutil.which("mvn")
    if maven is None:
        raise CannotServeError("Maven is not installed.", code=UNAVAILABLE)
    sys.stderr.write(
        "Fetching Neo4j from Maven Central: about 130 MB, once, a minute or more; no hang.\n"
    )
    CACHE.mkdir(parents=True, exist_ok=True)
    jars = listed.with_suffix(f".{os.getpid()}")
    command = [maven, "--batch-mode", "--quiet", "--strict-checksums", "--file", str(POM)]
    command += ["dependency:build-classpath", "-DincludeScope=runtime"]
    command += [f"-Dmdep.outputFile={jars}"]
    try:
        subprocess.run(command, capture_output=True, check=True, timeout=FETCH_SECONDS)
    except subprocess.TimeoutExpired:
        reason = f"Maven did not fetch Neo4j within {FETCH_SECONDS // 60} minutes."
        raise CannotServeError(reason, code=UNAVAILABLE) from None
    except subprocess.CalledProcessError:
        reason = "Maven cannot fetch Neo4j; is Maven Central reachable?"
        raise CannotServeError(reason, code=UNAVAILABLE) from None
    quoted = jars.read_text("utf-8").strip().replace("\\", "\\\\").replace('"', '\\"')
    jars.write_text(f'-cp\n"{quoted}"\n', "utf-8")
    jars.replace(listed)
    return listed


def _complete(arguments: str) -> bool:
    """Whether every jar in a file of arguments is still there."""
    jars = arguments.split('"')[1].split(os.pathsep)
    return all(Path(jar).exists() for jar in jars)


if __name__ == "__main__":
    sys.exit(main())
