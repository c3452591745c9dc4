"""Start and stop a Neo4j server of this machine's own, on loopback, without passwords.

``start`` prints the server's address and leaves it running; ``stop`` ends it. The first start
fetches Neo4j with Maven. It is meant for tests and for a look: whoever uses this machine can
connect. Exit code 69 says that no server can be had here, 1 that one failed.
"""

import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

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

ROOT = Path(__file__).resolve().parent.parent.parent
POM = Path(__file__).with_name("pom.xml")
CACHE = ROOT / ".tools" / "neo4j"
FETCH_SECONDS = 900
START_SECONDS = 120
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

BRIEF_JVM = ("-XX:TieredStopAtLevel=1",)
BRIEF_SETTINGS = """\
dbms.cypher.min_replan_interval=1h
dbms.cypher.statistics_divergence_threshold=1.0
"""
"""For minutes: what is compiled and planned well pays off later than that."""


def main() -> int:
    """Do what the command line says; return the exit code."""
    parser = command_line(__doc__)
    parser.add_argument("--home", type=Path, default=CACHE / "home", help="data, logs, pid")
    parser.add_argument("--fetched", action="store_true", help="fetch nothing")
    parser.add_argument("--brief", action="store_true", help="start fast, for a run of minutes")
    arguments = parser.parse_args()
    home = arguments.home.resolve()
    return carried_out(
        arguments.action,
        start=lambda: start(
            home, port=arguments.port, fetch=not arguments.fetched, brief=arguments.brief
        ),
        stop=lambda: stop(home),
    )


def start(home: Path, *, port: int, fetch: bool, brief: bool) -> str:
    """Return the address of the server in ``home``, which accepts connections by then."""
    if _server(home) is not None and (address := _address(home)) is not None:
        return address
    java = _java()
    classpath = _classpath(fetch=fetch)
    port = port or free_port()
    (home / "conf").mkdir(parents=True, exist_ok=True)
    settings = SETTINGS + (BRIEF_SETTINGS if brief else "")
    (home / "conf" / "neo4j.conf").write_text(settings.format(port=port), "utf-8")
    jvm = (*JVM, *(BRIEF_JVM if brief else ()))
    launch(
        "Neo4j",
        [java, *jvm, f"@{classpath}", MAIN, f"--home-dir={home}", f"--config-dir={home}/conf"],
        home,
        log=home / "server.log",
        answers=lambda: _answers(port),
        patience=START_SECONDS,
        stop=lambda: stop(home),
    )
    return f"bolt://127.0.0.1:{port}"


def stop(home: Path) -> None:
    """End the server in ``home``, if one runs, by force when it takes too long."""
    end(home, _server(home), signal.SIGTERM)


def _server(home: Path) -> psutil.Process | None:
    return running(home, argument=f"--home-dir={home}")


def _address(home: Path) -> str | None:
    """Read a running server's address from its settings; none while it does not answer."""
    settings = (home / "conf" / "neo4j.conf").read_text("utf-8")
    found = re.search(r"^server\.bolt\.listen_address=127\.0\.0\.1:(\d+)$", settings, re.MULTILINE)
    port = int(found.group(1)) if found else 0
    return f"bolt://127.0.0.1:{port}" if port and _answers(port) else None


def _answers(port: int) -> bool:
    """Whether somebody at ``port`` agrees on a version of Bolt."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(BOLT_HANDSHAKE)
            reply = connection.recv(4)
    except OSError:
        return False
    return len(reply) == 4 and any(reply)


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
