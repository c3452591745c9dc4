"""Start, find and stop the local servers: names, sockets and commands, not what they serve.

A server claims its place as ``tools.runtime.server_process`` says, so two processes that start one
at once end with one.
"""

import asyncio
import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from tools.base.errors import ServiceUnavailableError, StorageError
from tools.base.program import ROOT
from tools.runtime.server_process import private_run_dir
from tools.runtime.tracing import part

if TYPE_CHECKING:
    from tools.settings.settings import Settings

_FORMERLY = {
    "graphs.jobs.contradictions": "graphs.contradictions_job",
    "graphs.jobs.extraction": "graphs.extracting",
    "graphs.service.process": "graphs.resident",
    "tools.graph.backends.falkor_server": "tools.graph.falkor",
}
"""What the modules of servers were called by earlier programs, whose servers may still run."""
_POLL_SECONDS = 0.02
_RELAUNCH_SECONDS = 0.25
_LOG_LIMIT = 1_000_000
_LEAST_BYTES = 64_000
"""With less room no server can start."""
_PASSED = frozenset(
    (
        *("HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "TZDIR", "USER"),
        *("REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE", "VIRTUAL_ENV"),
        *("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"),
        *("all_proxy", "https_proxy", "http_proxy", "no_proxy"),
    )
)
"""What a server gets of its starter's environment: places, language, time zone, the network."""
_PASSED_KINDS = ("LC_", "XDG_", "PYTHON", "LD_", "DYLD_", "MALLOC_", "OMP_", "OPENBLAS_", "MKL_")
"""And what begins so: how Python, the loader and the arithmetic work."""


_children: "dict[Service, subprocess.Popen[bytes]]" = {}
"""The servers that this process started and that still ran when it last started one."""
_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One local server: ``python -m <module> <arguments>`` listening on ``socket``.

    What is secret goes into the ``environment``, which is never shown. Of the starter's own it gets
    no more than any program needs to run, but for one that asks ``models``: a provider's package
    reads keys and addresses from there.
    """

    name: str
    module: str
    socket: Path
    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    models: bool = False

    @property
    def lock(self) -> Path:
        return self.socket.with_suffix(".lock")

    @property
    def pid(self) -> Path:
        return self.socket.with_suffix(".pid")

    @property
    def log(self) -> Path:
        data_dir = self.arguments[self.arguments.index("--data-dir") + 1]
        return Path(data_dir) / "logs" / f"{self.name}.log"


def semantic_service(settings: "Settings") -> Service:
    """Describe the server that holds the encoder and the vectors."""
    return Service(
        name="semantic",
        module="tools.semantic.server",
        socket=settings.run_dir / "semantic.sock",
        arguments=(
            *_arguments(settings),
            *("--model", settings.encoder),
        ),
        # Every user of the machine can read arguments, and an address may hold a password.
        environment=(
            ("BRAIN_OLLAMA_URL", settings.ollama_url),
            *_chroma(settings),
            *_logging(settings),
        ),
    )


def _chroma(settings: "Settings") -> tuple[tuple[str, str], ...]:
    """Which Chroma server holds the vectors; empty where the data directory does."""
    token = settings.chroma_token.get_secret_value() if settings.chroma_token else ""
    url = settings.chroma_url or ""
    return (
        ("BRAIN_CHROMA_URL", url),
        ("BRAIN_CHROMA_TOKEN", token if url else ""),
        ("BRAIN_CHROMA_TENANT", settings.chroma_tenant if url else ""),
        ("BRAIN_CHROMA_DATABASE", settings.chroma_database if url else ""),
        ("BRAIN_CHROMA_COLLECTION", settings.chroma_collection if url else ""),
    )


def graph_service(settings: "Settings") -> Service:
    """Describe the keeper of the embedded graph database."""
    return Service(
        name="graph",
        module="tools.graph.backends.falkor_server",
        socket=settings.run_dir / "graph.sock",
        arguments=_arguments(settings),
        environment=_logging(settings),
    )


def _logging(settings: "Settings") -> tuple[tuple[str, str], ...]:
    return ("BRAIN_LOG", settings.log), ("BRAIN_LOG_TEXT", "1" if settings.log_text else "")


def _arguments(settings: "Settings") -> tuple[str, ...]:
    owner = settings.services_owner
    # A server writes to its store while it only answers, so it works on a copy where it may not.
    given = (
        *("--data-dir", str(settings.run_dir / "data")),
        *("--copy-of", str(settings.data_dir)),
    )
    return (
        *(given if settings.read_only else ("--data-dir", str(settings.data_dir))),
        *("--run-dir", str(settings.run_dir)),
        *("--idle-minutes", str(settings.idle_minutes)),
        *(() if owner is None else ("--owner", str(owner))),
    )


def is_running(service: Service) -> bool:
    """Whether a server accepts connections on the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1.0)
        try:
            client.connect(str(service.socket))
        except OSError:
            return False
    return True


def launch(service: Service) -> "subprocess.Popen[bytes]":
    """Start a server without waiting for it; one that finds the lock taken ends at once.

    Raises StorageError where the data directory or the run directory cannot be used.
    """
    private_run_dir(service.socket.parent)
    try:
        for folder in (service.log.parent.parent, service.log.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(service.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "ab") as log:
            if log.tell() > _LOG_LIMIT:
                log.truncate(0)
            child = subprocess.Popen(
                # -P: nothing in the working directory may pass for one of our modules.
                [sys.executable, "-P", "-m", service.module, *service.arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=_environment(service),
                start_new_session=True,
                umask=0o077,
            )
    except OSError as error:
        raise StorageError(
            f"The {service.name} server's log cannot be written ({error.strerror}); "
            "free some space or check the data directory's permissions."
        ) from error
    # Somebody has to take note of the child's end, or it stays in the process table.
    threading.Thread(target=child.wait, daemon=True).start()
    return child


def starting(service: Service) -> "subprocess.Popen[bytes]":
    """The server that this process started and that still runs, or a new one.

    Several sources ask for a server that is not there yet, each for itself. Raises StorageError.
    """
    with _one_at_a_time:
        child = _children.get(service)
        if child is None or child.poll() is not None:
            for other in [one for one, known in _children.items() if known.poll() is not None]:
                del _children[other]
            child = _children[service] = launch(service)
        return child


def _environment(service: Service) -> dict[str, str]:
    passed = {
        name: value
        for name, value in os.environ.items()
        if service.models or name in _PASSED or name.startswith(_PASSED_KINDS)
    }
    inherited = passed.get("PYTHONPATH")
    path = os.pathsep.join([str(ROOT), *([inherited] if inherited else [])])
    # Few memory pools: glibc would keep a peak's worth of memory in one per thread.
    return {"MALLOC_ARENA_MAX": "2", **passed, "PYTHONPATH": path, **dict(service.environment)}


def local_services(settings: "Settings") -> tuple[Service, ...]:
    """The servers that this vault needs here: none for a graph that is elsewhere."""
    semantic = semantic_service(settings)
    return (semantic, graph_service(settings)) if settings.graph_uri is None else (semantic,)


async def ensure(service: Service, *, timeout: float = 20.0) -> None:  # noqa: ASYNC109
    """Return as soon as a server accepts connections, starting one where none does.

    Raises ServiceUnavailableError when it ends early or takes longer than ``timeout`` seconds,
    StorageError where it has no place to run.
    """
    deadline = time.monotonic() + timeout
    if service.socket.parent.exists():
        await asyncio.to_thread(private_run_dir, service.socket.parent)
    if await asyncio.to_thread(is_running, service):
        return
    with part(f"start_{service.name}"):
        await _started(service, timeout=timeout, deadline=deadline)


async def _started(service: Service, *, timeout: float, deadline: float) -> None:  # noqa: ASYNC109
    before = _children.get(service)
    child = await asyncio.to_thread(starting, service)
    while not await asyncio.to_thread(is_running, service):
        if time.monotonic() > deadline:
            raise _unavailable(service, f"did not start within {timeout:.0f} s")
        match child.poll():
            case None:
                await asyncio.sleep(_POLL_SECONDS)
            case 0:
                # The lock was taken: that server is about to listen, or about to end.
                await asyncio.sleep(_RELAUNCH_SECONDS)
                child = await asyncio.to_thread(starting, service)
            case code if code < 0 and child is before:  # it was just killed: no failed start
                before, child = None, await asyncio.to_thread(starting, service)
            case _:
                reason = await asyncio.to_thread(_last_words, service)
                raise _unavailable(service, f"could not start{reason}")


def _unavailable(service: Service, what: str) -> ServiceUnavailableError:
    return ServiceUnavailableError(
        f"The {service.name} server {what}; the other sources still answer. "
        f"See logs/{service.log.name} in the data directory, then ask again."
    )


def _last_words(service: Service) -> str:
    """Say why a server ended, if its log's last line is one of its own or a well-known one."""
    with contextlib.suppress(OSError):
        lines = service.log.read_text("utf-8", "replace").split("\n")[-50:]
        last = next((line for line in reversed(lines) if line.strip()), "")
        if last.startswith(f"{service.name}: "):
            return f" ({last.removeprefix(f'{service.name}: ').rstrip('.')})"
        for sign, meaning in (
            ("No space left on device", "the disk is full"),
            ("Disk quota exceeded", "the disk quota is used up"),
            ("Read-only file system", "the data directory is read-only"),
            ("Permission denied", "no permission for the data directory"),
            ("MemoryError", "not enough memory"),
        ):
            if sign in last:
                return f" ({meaning})"
        if shutil.disk_usage(service.log.parent).free < _LEAST_BYTES:
            return " (the disk is full)"  # which also keeps a server from saying so
    return ""


async def stop(service: Service, *, timeout: float = 5.0) -> bool:  # noqa: ASYNC109
    """End the server, by force after ``timeout`` seconds; return whether there was one."""
    return await asyncio.to_thread(_stop, service, timeout)


def _stop(service: Service, timeout: float) -> bool:
    process = process_of(service)
    if process is not None:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
            try:
                process.wait(timeout)
            except psutil.TimeoutExpired:
                process.kill()
                process.wait(timeout)
    clear_remains(service)
    return process is not None


def process_of(service: Service) -> psutil.Process | None:
    """Find the server by its pid file, unless that number belongs to another process by now."""
    try:
        process = psutil.Process(int(service.pid.read_text("ascii")))
        command = process.cmdline()
    except (OSError, ValueError, psutil.Error):
        return None
    modules = {service.module, _FORMERLY.get(service.module)}
    ours = not modules.isdisjoint(command) and str(service.socket.parent) in command
    return process if ours else None


def has_remains(service: Service) -> bool:
    """Whether a socket or a pid file lies there that belongs to no living server."""
    if not any(os.path.lexists(file) for file in (service.socket, service.pid)):
        return False
    try:
        with service.lock.open("rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def clear_remains(service: Service) -> None:
    """Remove what a killed server leaves behind, unless a new one has the lock."""
    with contextlib.suppress(OSError), service.lock.open("rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        service.socket.unlink(missing_ok=True)
        service.pid.unlink(missing_ok=True)
