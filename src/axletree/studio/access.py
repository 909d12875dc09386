"""Who may ask the studio: its own page in a browser of this machine, and nothing else.

A page of another site may send requests to this machine, too. It does not know the token, which
stands in the address; it has another origin, which browsers say; and where a name of its own leads
to this machine, the request says that name as its host.

Reports show what a project says, and a project may be somebody else's. They have no part of the
token in their address but a key of their own, which opens the results of one job and nothing more.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

LOOPBACK: Final = "127.0.0.1"
LARGEST_BODY: Final = 1 << 20  # bytes; a model file has at most a quarter of them
_NAMES: Final = (LOOPBACK, "localhost")
_OWN_FETCHES: Final = ("same-origin", "none")  # of Sec-Fetch-Site: the page itself, or typed
TOKEN_BYTES: Final = 24

# Nothing comes from elsewhere, nothing is embedded elsewhere, and the token is said to nobody.
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Reports have their script and style in them. They run in an origin of their own, from which the
# studio takes no requests.
REPORT_POLICY: Final = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline' "
    "'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "frame-src data: blob: 'self'; base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True)
class Refusal:
    """Why a request is not answered."""

    status: HTTPStatus
    reason: str


@dataclass(frozen=True)
class Access:
    """What a request has to bring along.

    Example:
    >>> from axletree.studio.access import Access
    >>> access = Access(8000, "secret")
    >>> access.address
    'http://127.0.0.1:8000/secret/'
    >>> access.refusal("GET", "/secret/", {"Host": "example.org:8000"}).reason
    'this studio is at 127.0.0.1 and localhost alone'
    """

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    def refusal(self, method: str, path: str, headers: Mapping[str, str]) -> Refusal | None:
        """Why a request is refused; None if it may be answered."""
        if (stranger := self._stranger(method, headers)) is not None:
            return stranger
        if not self._knows_token(path):
            return Refusal(HTTPStatus.NOT_FOUND, "the address has no token, or another one")
        return None

    def refusal_of_result(
        self, method: str, number: str, key: str, headers: Mapping[str, str]
    ) -> Refusal | None:
        """Likewise of a result of a job, which is asked for by the key of that job."""
        if (stranger := self._stranger(method, headers)) is not None:
            return stranger
        own, given = self.result_key(number).encode(), key.encode("utf-8", "replace")
        if method != "GET" or not hmac.compare_digest(own, given):
            return Refusal(HTTPStatus.NOT_FOUND, "there is no such result")
        return None

    def result_key(self, number: object) -> str:
        """Of the results of a job; nobody finds the token by it.

        Example:
        >>> from axletree.studio.access import Access
        >>> access = Access(8000, "secret")
        >>> len(access.result_key(3)), access.result_key(3) == access.result_key(4)
        (32, False)
        """
        said = f"results of job {number}".encode()
        return hmac.new(self.token.encode(), said, hashlib.sha256).hexdigest()[:32]

    def _stranger(self, method: str, headers: Mapping[str, str]) -> Refusal | None:
        if headers.get("Host", "").lower() not in self._hosts:
            return Refusal(HTTPStatus.FORBIDDEN, f"this studio is at {' and '.join(_NAMES)} alone")
        origin = headers.get("Origin")
        if origin is None and method != "GET":
            return Refusal(HTTPStatus.FORBIDDEN, "a change has to say its origin")
        if origin is not None and origin.lower() not in self._origins:
            return Refusal(HTTPStatus.FORBIDDEN, "another origin asks")
        if headers.get("Sec-Fetch-Site", "none") not in _OWN_FETCHES:
            return Refusal(HTTPStatus.FORBIDDEN, "another site asks")
        return None

    def inner_path(self, path: str) -> str:
        """What stands behind the token."""
        return path.removeprefix(f"/{self.token}/")

    def _knows_token(self, path: str) -> bool:
        own = f"/{self.token}/".encode()
        return hmac.compare_digest(path.encode("utf-8", "replace")[: len(own)], own)

    @property
    def _hosts(self) -> tuple[str, ...]:
        return tuple(f"{name}:{self.port}" for name in _NAMES)

    @property
    def _origins(self) -> tuple[str, ...]:
        return tuple(f"http://{host}" for host in self._hosts)
