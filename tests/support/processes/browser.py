"""A headless Chromium that a test talks to over two pipes: no port, no driver, no network.

Only what a test of a page needs: open a file, run an expression, and what the page asked or said.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-pipe",
)  # fmt: skip


class Page:
    """One open page. ``said`` are its console lines and errors, ``asked`` what it loads."""

    def __init__(self, commands: int, answers: int) -> None:
        self._out, self._in = commands, answers
        self._read = bytearray()
        self._loaded = False
        self._count = 0
        self._session: str | None = None
        self.said: list[str] = []
        self.asked: list[str] = []
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        attached = self.tell("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.tell(f"{domain}.enable")

    def tell(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a DevTools command and return its result, noting every event that comes before."""
        self._count += 1
        number = self._count
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, path: Path, *, width: int = 1200, height: int = 900, dark: bool = False) -> None:
        """Load a file and wait until it was loaded and the first picture is drawn."""
        self.said.clear()
        self.asked.clear()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.tell("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.tell("Emulation.setEmulatedMedia", features=[scheme])
        self.visit(path.as_uri())
        self.settle()

    def visit(self, url: str) -> None:
        """Load an address and wait until it was loaded."""
        self._loaded = False
        self.tell("Page.navigate", url=url)
        while not self._loaded:
            self._next()

    def run(self, expression: str) -> Any:
        """The value of an expression, awaited if it is a promise."""
        done = self.tell(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def settle(self) -> None:
        """Wait until two frames have been drawn."""
        frame = "new Promise(done => requestAnimationFrame(done))"
        self.run(f"{frame}.then(() => {frame})")

    def until(self, condition: str) -> None:
        """Wait, frame by frame, until an expression is true; fail after some seconds of frames."""
        self.run(
            "new Promise((done, fail) => { let left = 600; const look = () => {"
            f"if ({condition}) done(); else if (left--) requestAnimationFrame(look);"
            "else fail(Error('it never came true')); }; look(); })"
        )

    def click(self, x: float, y: float) -> None:
        """Move the pointer there and click."""
        self.point(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def point(self, x: float, y: float) -> None:
        """Move the pointer there."""
        self.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x - 1, y=y)
        self.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Save what is seen as a PNG file."""
        shot = self.tell("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def _next(self) -> dict[str, Any]:
        """The next message, a reply or an event; each ends with a zero byte."""
        while (end := self._read.find(b"\0")) < 0:
            more = os.read(self._in, 1 << 16)
            assert more, "the browser has ended"
            self._read += more
        message: dict[str, Any] = json.loads(self._read[:end])
        del self._read[: end + 1]
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Runtime.consoleAPICalled":
                self.said.append(f"{params['type']}: {params['args']}")
            case "Runtime.exceptionThrown":
                self.said.append(f"exception: {params['exceptionDetails']}")
            case "Page.javascriptDialogOpening":
                self.said.append(f"dialog: {params['message']}")
            case "Log.entryAdded":
                self.said.append(f"log: {params['entry']}")
            case "Network.requestWillBeSent":
                self.asked.append(params["request"]["url"])
            case _:
                pass


@contextmanager
def browser() -> Generator[Page]:
    """A fresh browser with one empty page. Skips the test where no Chromium is installed."""
    program = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium is installed: the pages are not looked at")
    to_browser, our_write = os.pipe()
    our_read, from_browser = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # It reads commands from descriptor 3 and answers on 4.
        script = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        process = subprocess.Popen(
            ["bash", "-c", script, program, *_FLAGS, f"--user-data-dir={folder}"],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        try:
            yield Page(our_write, our_read)
        finally:
            process.terminate()
            process.wait(timeout=20)
            os.close(our_write)
            os.close(our_read)
