"""The server of a studio: on this machine alone, for those who know its token.

Every request is answered on a connection of its own, by the tables below and nothing else. Pages
are those of this folder; files are those that a job has left.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from axletree.core.errors import AxletreeError
from axletree.reports.animation.animation import animation_text
from axletree.studio.access import (
    HEADERS,
    LARGEST_BODY,
    LOOPBACK,
    PAGE_POLICY,
    REPORT_POLICY,
    Access,
)
from axletree.studio.document import StaleRevisionError
from axletree.studio.project import StudioError
from axletree.studio.studio import Studio

_PATIENCE: Final = 20.0  # s, for a client to say what it wants
_MOST_PASSED_OVER: Final = 8 << 20  # bytes, of a body that is too large
_MOST_AT_ONCE: Final = 64  # requests; further ones wait
_SHARED: Final = (  # of animations, in the order in which they need one another
    "element.js", "algebra.js", "data.js", "theme.js", "painter.js", "camera.js", "ground.js",
    "actors.js",
)  # fmt: skip
_OWN: Final = (
    "server_calls.js", "yaml_text.js", "vehicle_view.js", "form.js", "graph.js", "curves.js",
    "jobs.js", "page.js",
)  # fmt: skip
_KINDS: Final = {
    ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json",
    ".csv": "text/csv", ".png": "image/png", ".svg": "image/svg+xml", ".yaml": "text/plain",
}  # fmt: skip

StudioAction = Callable[[Mapping[str, Any]], dict[str, Any]]


class StudioServer(ThreadingHTTPServer):
    """A studio at an address.

    Example:
    >>> from pathlib import Path
    >>> from axletree.studio.server import StudioServer
    >>> with StudioServer(Path(".")) as server:
    ...     server.access.address.startswith("http://127.0.0.1:")
    True
    """

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, folder: Path, port: int = 0) -> None:
        """``folder`` is that of the project; port 0 is one that is free."""
        self.studio = Studio(folder)
        self._slots = threading.BoundedSemaphore(_MOST_AT_ONCE)
        super().__init__((LOOPBACK, port), _Handler)
        self.access = Access(self.server_address[1])
        one = self.studio
        self.reads: dict[str, StudioAction] = {
            "state": self._state, "catalogue": one.catalogue, "schema": one.schema,
            "inspect": one.inspect, "graph": one.graph,
            "mechanism": one.mechanism,
        }  # fmt: skip
        self.changes: dict[str, StudioAction] = {
            "open": one.open, "create": one.create, "save": one.save, "reload": one.reload,
            "edit": one.edit, "set": one.set, "undo": one.undo, "redo": one.redo, "run": one.run,
            "sweep": one.sweep, "live": one.live, "compare": one.compare, "cancel": one.cancel,
        }  # fmt: skip

    def _state(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """With the key of each job's results."""
        found = self.studio.state(given)
        jobs = [
            {**job, "results_key": self.access.result_key(job["number"])} for job in found["jobs"]
        ]
        return {**found, "jobs": jobs}

    def process_request(self, request: Any, client_address: Any) -> None:
        """In a thread of its own, as soon as one is free."""
        self._slots.acquire()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """To its end, whatever that is."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone, or never spoke HTTP, is nobody's concern."""

    def server_close(self) -> None:
        """With all that it has started."""
        super().server_close()
        self.studio.close()


class _Handler(BaseHTTPRequestHandler):
    server: StudioServer
    server_version = "axletree"
    sys_version = ""
    timeout = _PATIENCE

    def do_GET(self) -> None:
        if (asked := self._asked_result()) is not None:
            self._send_result(*asked)
            return
        path, query = self._asked()
        if path is None:
            return
        if path in _PAGES:
            kind, text = _PAGES[path]()
            self._send(HTTPStatus.OK, text.encode(), kind, PAGE_POLICY)
        elif path in self.server.reads:
            self._act(self.server.reads[path], query)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    def do_POST(self) -> None:
        path, _ = self._asked()
        if path is None:
            return
        if path not in self.server.changes:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such action")
        elif (given := self._body()) is not None:
            self._act(self.server.changes[path], given)

    def log_message(self, format: str, *args: Any) -> None:
        """The terminal shows the address and nothing more, which has the token."""

    # -- what is asked -------------------------------------------------------------------
    def _asked_result(self) -> tuple[str, str, str] | None:
        """``/results/<number>/<key>/<name>``, apart from the token."""
        path = unquote(urlsplit(self.path).path)
        head, _, rest = path.removeprefix("/").partition("/")
        if head != "results" or not path.startswith("/results/"):
            return None
        number, _, rest = rest.partition("/")
        key, _, name = rest.partition("/")
        return number, key, name

    def _asked(self) -> tuple[str | None, dict[str, str]]:
        """The path behind the token with its query, if this may be answered."""
        split = urlsplit(self.path)
        path = unquote(split.path)
        refusal = self.server.access.refusal(self.command, path, dict(self.headers.items()))
        if refusal is not None:
            self._refuse(refusal.status, refusal.reason)
            return None, {}
        return self.server.access.inner_path(path), dict(parse_qsl(split.query))

    def _body(self) -> dict[str, Any] | None:
        """A JSON object of no more than so many bytes."""
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        length = self.headers.get("Content-Length", "")
        if kind != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected JSON")
        elif not (length.isascii() and length.isdigit()):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "expected the length of the body")
        elif (size := int(length.lstrip("0")[:20] or "0")) > LARGEST_BODY:
            self._pass_over(min(size, _MOST_PASSED_OVER))
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the body is too large")
        else:
            try:
                found = json.loads(self.rfile.read(size), parse_constant=_refused_number)
            except (ValueError, RecursionError):
                found = None
            if isinstance(found, dict):
                return found
            self._refuse(HTTPStatus.BAD_REQUEST, "expected a JSON object")
        return None

    def _pass_over(self, size: int) -> None:
        """So that a client that is still sending hears why it is refused."""
        with suppress(TimeoutError, ConnectionResetError):
            while size > 0 and (read := self.rfile.read(min(size, 1 << 16))):
                size -= len(read)

    # -- what is answered ----------------------------------------------------------------
    def _act(self, action: StudioAction, given: Mapping[str, Any]) -> None:
        """An error that is written for users goes to the page; any other one, too, so that the
        studio goes on."""
        try:
            status, answer = HTTPStatus.OK, action(given)
        except StaleRevisionError as error:
            status, answer = HTTPStatus.CONFLICT, {"error": str(error)}
        except (AxletreeError, OSError) as error:
            status, answer = HTTPStatus.UNPROCESSABLE_ENTITY, {"error": str(error)}
        except Exception as error:
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            answer = {"error": f"{type(error).__name__}: {error}"}
        self._send(status, json.dumps(answer).encode(), _KINDS[".json"], PAGE_POLICY)

    def _send_result(self, number: str, key: str, name: str) -> None:
        headers = dict(self.headers.items())
        refusal = self.server.access.refusal_of_result(self.command, number, key, headers)
        if refusal is not None:
            self._refuse(refusal.status, refusal.reason)
            return
        try:
            found = self.server.studio.result(number, name)
            content = found.read_bytes()
        except (StudioError, OSError, ValueError):
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such result")
            return
        kind = _KINDS.get(found.suffix, "application/octet-stream")
        self._send(HTTPStatus.OK, content, kind, REPORT_POLICY)

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        self._send(status, json.dumps({"error": reason}).encode(), _KINDS[".json"], PAGE_POLICY)

    def _send(self, status: HTTPStatus, content: bytes, kind: str, policy: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", policy)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(content)
        except (TimeoutError, BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # a browser that was closed meanwhile


def _refused_number(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


@cache
def _own_text(name: str) -> str:
    return (files("axletree.studio") / name).read_text(encoding="utf-8")


@cache
def _program() -> str:
    """All of the page's program as one script."""
    parts = [*map(animation_text, _SHARED), *map(_own_text, _OWN)]
    return '"use strict";\n(() => {\n' + "\n".join(parts).replace('"use strict";', "") + "\n})();\n"


_PAGES: Final[dict[str, Callable[[], tuple[str, str]]]] = {
    "": lambda: (_KINDS[".html"], _own_text("studio.html")),
    "program.js": lambda: (_KINDS[".js"], _program()),
    "style.css": lambda: (_KINDS[".css"], _own_text("style.css")),
}
