"""A page in headless Chromium, spoken to over a pipe by the DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
OWN_DOING = "GPU stall due to ReadPixels"  # said of tests that read pixels, not of the page
PATIENCE = 600.0  # s, for an answer: a browser that hangs ends the test, a busy machine does not
OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--remote-debugging-pipe",
)  # fmt: skip


def chromium() -> str | None:
    """The browser, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@dataclass
class Page:
    """A page, what it said on its console and what it asked for."""

    session: str
    to_browser: int
    from_browser: int
    rest: bytes = b""
    count: int = 0
    events: list[dict[str, Any]] = field(default_factory=list)

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        self.count += 1
        message: dict[str, Any] = {"id": self.count, "method": method, "params": given}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        return self._answer(self.count)

    def _answer(self, number: int) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            while b"\0" in self.rest:
                text, self.rest = self.rest.split(b"\0", 1)
                message = json.loads(text)
                if message.get("id") == number:
                    assert "error" not in message, message["error"]
                    return dict(message["result"])
                self.events.append(message)
            if select.select([self.from_browser], [], [], PATIENCE)[0]:
                said = os.read(self.from_browser, 1 << 20)
                assert said, "the browser has ended"
                self.rest += said
        raise TimeoutError("the browser does not answer")

    def value(self, expression: str) -> Any:
        """Of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, address: str) -> None:
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        end = time.monotonic() + PATIENCE
        while self.value("document.readyState") != "complete" and time.monotonic() < end:
            time.sleep(0.02)

    def picture(self) -> bytes:
        """PNG of what is seen."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def picture_of_all(self, scale: float) -> bytes:
        """PNG of the whole page, smaller than it is."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": scale}
        given = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        return base64.b64decode(self.call("Page.captureScreenshot", **given)["data"])

    def complaints(self) -> list[str]:
        """Errors and warnings on the console."""
        found = []
        for event in self.events:
            kind, given = event.get("method", ""), event.get("params", {})
            is_bad = given.get("type") in ("error", "warning")
            if kind == "Runtime.exceptionThrown" or (kind == "Runtime.consoleAPICalled" and is_bad):
                found.append(json.dumps(given))
            if kind == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
                found.append(given["entry"]["text"])
        return [text for text in found if OWN_DOING not in text]

    def requests(self) -> list[str]:
        """Addresses that were asked for."""
        sent = [e for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]


def wait_for(check: Callable[[], bool]) -> None:
    """Until it is true, or longer than a browser takes."""
    end = time.monotonic() + PATIENCE
    while not check() and time.monotonic() < end:
        time.sleep(0.02)
    assert check()


@contextmanager
def headless_page(folder: Path, size: tuple[int, int] = (1000, 640)) -> Iterator[Page]:
    """A browser with an empty page, whose own files are in the folder."""
    program = chromium()
    assert program is not None
    read_there, write_here = os.pipe()
    read_here, write_there = os.pipe()
    # The browser reads its descriptor 3 and writes to 4.
    command = f'exec "$0" "$@" 3<&{read_there} 4>&{write_there}'
    window = f"--window-size={size[0]},{size[1]}"
    browser = subprocess.Popen(
        ["/bin/bash", "-c", command, program, *OPTIONS, window, f"--user-data-dir={folder}"],
        pass_fds=(read_there, write_there), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(read_there)
    os.close(write_there)
    try:
        page = Page("", write_here, read_here)
        target = page.call("Target.createTarget", url="about:blank")["targetId"]
        attached = page.call("Target.attachToTarget", targetId=target, flatten=True)
        page.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        page.call("Emulation.setDeviceMetricsOverride", **metrics)
        yield page
    finally:
        browser.terminate()
        browser.wait(PATIENCE)
        os.close(write_here)
        os.close(read_here)
