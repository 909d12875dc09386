"""The server answers its own page and nobody else, whatever is sent to it."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from axletree.studio.access import LARGEST_BODY
from axletree.studio.server import StudioServer

TEXT = "base: pendulum  # of the package\n"
OUTSIDE = "secret: outside of the project\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioServer]:
    around = tmp_path_factory.mktemp("around")
    (around / "outside.yaml").write_text(OUTSIDE)
    folder = around / "project"
    folder.mkdir()
    (folder / "swing.yaml").write_text(TEXT)
    (folder / "link.yaml").symlink_to(around / "outside.yaml")
    with StudioServer(folder) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


def ask(
    server: StudioServer,
    path: str,
    body: bytes | None = None,
    *,
    method: str = "",
    inner: bool = True,
    **headers: str | None,
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and content; headers are given with _ for -, None to leave one out."""
    port = server.access.port
    sent: dict[str, str | None] = {"Host": f"127.0.0.1:{port}"}
    if body is not None:
        sent |= {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        sent |= {"Content-Length": str(len(body))}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    whole = f"/{server.access.token}/{path}" if inner else path
    connection.putrequest(
        method or ("GET" if body is None else "POST"), whole, skip_host=True,
        skip_accept_encoding=True,
    )  # fmt: skip
    for name, value in sent.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders()
    if body is not None:
        connection.send(body)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), content


def post(server: StudioServer, path: str, given: Any, **headers: str | None) -> tuple[int, Any]:
    status, _, content = ask(server, path, json.dumps(given).encode(), **headers)
    return status, json.loads(content)


def test_the_page_comes_with_a_policy_that_lets_nothing_else_in(server: StudioServer) -> None:
    status, headers, content = ask(server, "")
    assert status == 200
    assert b"<!DOCTYPE html>" in content
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"
    assert "axletree" in headers["Server"]
    assert "Python" not in headers["Server"]


@pytest.mark.parametrize(
    "path", ["/", "/state", "/wrong/state", "/../state", "//state", "/%2e%2e/state"]
)
def test_without_the_token_there_is_nothing(server: StudioServer, path: str) -> None:
    status, _, content = ask(server, path, inner=False)
    assert status == 404
    assert server.access.token.encode() not in content
    cut = f"/{server.access.token[:-1]}/state"
    assert ask(server, cut, inner=False)[0] == 404


def test_the_token_is_long_and_new_each_time(tmp_path: Path) -> None:
    tokens = set()
    for _ in range(3):
        with StudioServer(tmp_path) as made:
            tokens.add(made.access.token)
            assert made.server_address[0] == "127.0.0.1"
    assert len(tokens) == 3
    assert min(map(len, tokens)) >= 32


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.1", "127.0.0.1:1", "localhost.example.org:80", "", None]
)
def test_other_hosts_are_refused(server: StudioServer, host: str | None) -> None:
    """A name of another site that leads to this machine (DNS rebinding) is no way in."""
    assert ask(server, "state", Host=host)[0] == 403
    own = f"localhost:{server.access.port}"
    assert ask(server, "state", Host=own)[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://example.org", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://"]
)
def test_other_origins_are_refused(server: StudioServer, origin: str) -> None:
    given = {"name": "swing.yaml"}
    assert post(server, "open", given, Origin=origin)[0] == 403
    assert ask(server, "state", Origin=origin)[0] == 403
    assert post(server, "open", given)[0] == 200


def test_a_change_has_to_say_where_it_comes_from(server: StudioServer) -> None:
    assert post(server, "open", {"name": "swing.yaml"}, Origin=None)[0] == 403
    assert ask(server, "state", Sec_Fetch_Site="cross-site")[0] == 403
    assert ask(server, "state", Sec_Fetch_Site="same-site")[0] == 403
    assert ask(server, "state", Sec_Fetch_Site="same-origin")[0] == 200
    assert ask(server, "open", method="GET")[0] == 404
    assert ask(server, "state", b"{}")[0] == 404
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE"):
        assert ask(server, "state", method=method)[0] == 501


@pytest.mark.parametrize(
    "name",
    [
        "../outside.yaml", "/etc/passwd", "link.yaml", "swing.yaml/../../outside.yaml", "", "..",
        "C:\\boot.yaml", "..\\outside.yaml", "swing.yaml\x00.yaml", "notes.txt", ".hidden.yaml",
        "a/../b", "./swing.yaml", "swing.yaml/", ".//swing.yaml",
        "a" * 400 + ".yaml", None, 3, ["swing.yaml"], {"name": 1},
    ],
)  # fmt: skip
def test_no_file_outside_of_the_project_is_reached(server: StudioServer, name: Any) -> None:
    for action in ("open", "create", "save"):
        status, answer = post(server, action, {"name": name, "base": "pendulum"})
        assert status == 422
        assert OUTSIDE.strip() not in json.dumps(answer)


@pytest.mark.parametrize(
    "path",
    [
        "results/1/../../../../outside.yaml", "results/1/%2e%2e/%2e%2e/swing.yaml", "results/x/y",
        "results//etc/passwd", "results/1/", "results/", "../project/swing.yaml", "swing.yaml",
        "__init__.py", "server.py", "%2e%2e/%2e%2e/access.py", "state/../server.py", "..%2fstate",
    ],
)  # fmt: skip
def test_tricks_with_paths_lead_nowhere(server: StudioServer, path: str) -> None:
    status, _, content = ask(server, path)
    assert status == 404
    assert b"import" not in content
    assert OUTSIDE.encode() not in content


def test_results_have_a_key_of_their_own(tmp_path: Path) -> None:
    """It opens those of one job, by GET alone, and the token is no part of it."""
    for number in (1, 2):
        results = tmp_path / "out" / "studio" / f"00{number}-swing" / "results"
        results.mkdir(parents=True)
        (results / "report.html").write_text(f"<p>of job {number}</p>")
        said = {"kind": "run", "title": "swing", "state": "done", "command": ["run"], "about": {}}
        (results.parent / "job.json").write_text(json.dumps(said))
    with StudioServer(tmp_path) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        jobs = json.loads(ask(made, "state")[2])["jobs"]
        keys = [job["results_key"] for job in jobs]
        assert len(set(keys)) == 2
        token = made.access.token
        assert not any(token in key or key in token for key in keys)
        address = f"/results/1/{keys[0]}/report.html"
        status, headers, content = ask(made, address, inner=False)
        assert (status, content) == (200, b"<p>of job 1</p>")
        assert headers["Content-Security-Policy"].startswith("sandbox allow-scripts")
        assert headers["Referrer-Policy"] == "no-referrer"
        for wrong in (
            f"/results/2/{keys[0]}/report.html", f"/results/1/{token}/report.html",
            f"/results/1/{keys[0][:-1]}/report.html", "/results/1//report.html",
            f"/results/1/{keys[0]}/../job.json", f"/results/1/{keys[0]}/%2e%2e/job.json",
            f"/results/1/{keys[0]}/", f"/results/1/{keys[0]}/../../002-swing/results/report.html",
            "/results/1/report.html", f"/{token}/results/1/report.html", "/results/\u2161/x/y",
            f"/results//{keys[0]}/report.html", f"/{keys[0]}/state",
        ):  # fmt: skip
            encoded = wrong.encode("ascii", "ignore").decode()
            assert ask(made, encoded, inner=False)[0] == 404, wrong
        assert ask(made, address, inner=False, Host="example.org")[0] == 403
        assert ask(made, address, inner=False, Origin="null")[0] == 403
        assert ask(made, address, inner=False, Sec_Fetch_Site="cross-site")[0] == 403
        assert ask(made, address, b"{}", inner=False)[0] == 404
        made.shutdown()


def test_a_base_outside_of_the_project_is_refused(server: StudioServer) -> None:
    status, made = post(server, "create", {"name": "sly.yaml", "base": "pendulum"})
    assert status == 200
    changed = {"name": "sly.yaml", "revision": 1, "text": "base: ../outside.yaml\n"}
    assert post(server, "edit", changed)[0] == 200
    _, _, content = ask(server, "inspect?name=sly.yaml")
    found = json.loads(content)
    assert "outside the folder" in found["problems"][0]["text"]
    assert "secret" not in content.decode()
    status, answer = post(server, "run", {"name": "sly.yaml"})
    assert status == 422
    assert "problems" in answer["error"]


def test_bodies_are_of_a_kind_and_size(
    server: StudioServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One of the bodies never comes; nobody need wait for it as long as for a slow client.
    monkeypatch.setattr(server.RequestHandlerClass, "timeout", 0.5)
    large = b'{"name": "' + b"a" * LARGEST_BODY + b'"}'
    assert ask(server, "open", large)[0] == 413
    assert ask(server, "open", b"{}", Content_Length=None)[0] == 411
    assert ask(server, "open", b"{}", Content_Length="-1")[0] == 411
    hidden = ask(server, "open", b"{}", Content_Length="0" * 20 + str(1 << 40))
    assert hidden[0] == 413
    assert ask(server, "open", b"{}", Content_Length="0" * 30 + "2")[0] == 422
    assert ask(server, "open", b"name=swing.yaml", Content_Type="text/plain")[0] == 415
    for wrong in (b"", b"[]", b"3", b"nonsense", b'{"a": NaN}', b"[" * 100_000, b"\xff\xfe"):
        assert ask(server, "open", wrong)[0] == 400
    text = "a: " + "x" * 300_000
    post(server, "open", {"name": "swing.yaml"})
    status, answer = post(server, "edit", {"name": "swing.yaml", "revision": 1, "text": text})
    assert status == 422
    assert "too large" in answer["error"]


def test_what_is_no_request_ends_nothing(server: StudioServer) -> None:
    for sent in (
        b"\x16\x03\x01\x02\x00",
        b"GET\r\n\r\n",
        b"A" * 100_000,
        b"",
        b"GET / HTTP/9.9\r\n\r\n",
    ):
        address = ("127.0.0.1", server.access.port)
        with suppress(OSError), socket.create_connection(address, timeout=10) as client:
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            while client.recv(65536):  # the server may hang up at once
                pass
    assert ask(server, "state")[0] == 200


def test_fifty_clients_at_once(server: StudioServer) -> None:
    """Each changes a file of its own and reads all; some leave before they are answered."""

    def work(k: int) -> list[int]:
        name = f"of-client-{k}.yaml"
        made = post(server, "create", {"name": name, "base": "pendulum"})
        changed = post(server, "edit", {"name": name, "revision": 1, "text": f"# {k}\n{TEXT}"})
        if k % 5 == 0:
            with socket.create_connection(("127.0.0.1", server.access.port)) as gone:
                gone.sendall(f"GET /{server.access.token}/state HTTP/1.1\r\n".encode())
        seen = post(server, "open", {"name": name})
        assert seen[1]["text"] == f"# {k}\n{TEXT}"
        return [made[0], changed[0], seen[0], ask(server, "state")[0]]

    server.studio._documents.clear()
    with ThreadPoolExecutor(50) as pool:
        found = list(pool.map(work, range(50)))
    assert all(one == [200, 200, 200, 200] for one in found)


def test_a_window_does_not_overwrite_what_it_has_not_seen(server: StudioServer) -> None:
    server.studio._documents.clear()
    post(server, "open", {"name": "swing.yaml"})
    mine = {"name": "swing.yaml", "revision": 1, "text": "base: pendulum  # mine\n"}
    assert post(server, "edit", mine)[0] == 200
    theirs = mine | {"text": "base: pendulum  # theirs\n"}
    status, answer = post(server, "edit", theirs)
    assert status == 409
    assert "another window" in answer["error"]
    assert post(server, "save", {"name": "swing.yaml", "revision": 1})[0] == 409
    status, seen = post(server, "open", {"name": "swing.yaml"})
    assert (seen["text"], seen["revision"], seen["saved"]) == (mine["text"], 2, False)


def test_clients_race_for_one_text_and_one_wins_each_revision(server: StudioServer) -> None:
    server.studio._documents.clear()
    post(server, "open", {"name": "swing.yaml"})

    def work(k: int) -> int:
        given = {"name": "swing.yaml", "revision": 1, "text": f"base: pendulum  # {k}\n"}
        return post(server, "edit", given)[0]

    with ThreadPoolExecutor(20) as pool:
        found = sorted(pool.map(work, range(20)))
    assert found == [200] + 19 * [409]


def test_a_file_that_became_a_link_is_not_saved_through_it(
    server: StudioServer, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.yaml"
    elsewhere.write_text(TEXT)
    own = server.studio.project.folder / "turns.yaml"
    own.write_text(TEXT)
    post(server, "open", {"name": own.name})
    assert (
        post(server, "edit", {"name": own.name, "revision": 1, "text": "base: sedan\n"})[0] == 200
    )
    own.unlink()
    own.symlink_to(elsewhere)
    for overwrite in (False, True):
        given = {"name": own.name, "revision": 2, "overwrite": overwrite}
        status, answer = post(server, "save", given)
        assert status == 422
        assert "out of the project" in answer["error"]
    assert elsewhere.read_text() == TEXT
    own.unlink()
