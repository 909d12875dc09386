"""The studio in a real browser, from one end to the other, as a person goes through it."""

from __future__ import annotations

import importlib.util
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from reports.headless_page import Page, chromium, headless_page, wait_for

from axletree.studio.server import StudioServer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]
CAR = """\
# A car to be tuned by looking.
base: pushrod-formula-student
vehicle:
  fidelity: two-track  # quick runs
  body: {mass: 185 kg}
"""
JOINT = "vehicle.axles.front.suspension.points.upper_ball_joint"


@dataclass(frozen=True)
class Opened:
    server: StudioServer
    page: Page
    folder: Path

    def value(self, expression: str) -> Any:
        return self.page.value(expression)

    def click(self, name: str) -> None:
        self.value(f"document.getElementById('{name}').click()")

    def fill(self, name: str, text: str) -> None:
        """As a person does who leaves the field."""
        self.value(
            f"(() => {{ const box = document.getElementById('{name}'); box.value = "
            f"{json.dumps(text)}; box.dispatchEvent(new Event('change')); }})()"
        )

    def settle(self, revision: int) -> None:
        """Until a revision is looked at."""
        wait_for(lambda: self.value("studio.seen && studio.seen.revision") == revision)

    def open(self, name: str) -> None:
        self.page.open(f"{self.server.access.address}#{name}")
        wait_for(lambda: bool(self.value("!!(window.studio && studio.seen)")))

    def jobs(self) -> list[dict[str, Any]]:
        return list(self.value("studio.state.jobs"))

    def wait_for_jobs(self, count: int) -> None:
        over = ("done", "failed", "cancelled")
        wait_for(lambda: [job["state"] in over for job in self.jobs()] == count * [True])


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    with project_in_page(tmp_path_factory) as made:
        yield made


@contextmanager
def project_in_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    folder = tmp_path_factory.mktemp("project")
    (folder / "car.yaml").write_text(CAR)
    (folder / "linkage.yaml").write_text("base: four-bar\n")
    with StudioServer(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with headless_page(tmp_path_factory.mktemp("browser"), (1280, 800)) as page:
            yield Opened(server, page, folder)
        server.shutdown()


def mouse(opened: Opened, kind: str, x: float, y: float) -> None:
    opened.page.call(
        "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, buttons=1
    )


def test_from_a_file_to_a_tuned_one(opened: Opened) -> None:
    """Open, change a mass and a hard point, run, compare, undo, save, reopen."""
    opened.open("car.yaml")
    assert opened.value("studio.seen.problems.length") == 0
    before = opened.value("document.getElementById('sheet').innerText")

    opened.fill("manoeuvre", "step-steer")
    opened.fill("label", "as built")
    opened.click("run")
    opened.wait_for_jobs(1)

    opened.fill("field-vehicle-body-mass", "215 kg")
    opened.settle(2)
    after = opened.value("document.getElementById('sheet').innerText")
    assert before != after
    assert opened.value("document.querySelectorAll('#sheet .changed').length") > 5

    opened.click("look-side")
    k = opened.value(f"studio.view.points.findIndex((p) => p.path.join('.') === '{JOINT}')")
    x, y, _ = opened.value(f"studio.view.onScreen(studio.view.points[{k}].position)")
    left, top = opened.value(
        "(({left, top}) => [left, top])(document.getElementById('view').getBoundingClientRect())"
    )
    start = opened.value(f"studio.view.points[{k}].position")
    mouse(opened, "mousePressed", left + x, top + y)
    mouse(opened, "mouseMoved", left + x, top + y - 2)
    mouse(opened, "mouseMoved", left + x, top + y - 4)
    mouse(opened, "mouseReleased", left + x, top + y - 4)
    opened.settle(3)
    moved = opened.value(f"studio.view.points[{k}].position")
    assert opened.value("studio.view.chosen") == k
    assert 0.003 < moved[2] - start[2] < 0.08  # m, up
    assert moved[:2] == pytest.approx(start[:2], abs=1e-4)
    text = opened.value("studio.file.text")
    assert "fidelity: two-track  # quick runs" in text
    assert "upper_ball_joint: [-8 mm, 545 mm, " in text
    assert opened.value("document.querySelectorAll('#curves .old-line').length") > 4

    opened.fill("label", "heavier")
    opened.click("run")
    opened.wait_for_jobs(2)
    assert [job["state"] for job in opened.jobs()] == ["done", "done"], opened.jobs()
    opened.value(
        "document.querySelectorAll('#jobs input[type=checkbox]').forEach((one) => one.click())"
    )
    opened.click("compare")
    opened.wait_for_jobs(3)
    assert opened.jobs()[2]["report"]

    opened.click("undo")
    opened.settle(4)
    assert "upper_ball_joint" not in opened.value("studio.file.text")
    opened.click("save")
    wait_for(lambda: bool(opened.value("studio.file.saved")))
    assert (opened.folder / "car.yaml").read_text() == CAR.replace("185", "215")

    opened.open("linkage.yaml")
    opened.open("car.yaml")
    assert "215 kg" in opened.value("document.getElementById('field-vehicle-body-mass').value")
    assert opened.page.complaints() == []
    own = f"http://127.0.0.1:{opened.server.access.port}/{opened.server.access.token}/"
    asked = [one for one in opened.page.requests() if not one.startswith(("data:", "about:"))]
    assert all(one.startswith(own) for one in asked)


def test_a_hostile_report_finds_no_token_and_asks_for_nothing(opened: Opened) -> None:
    """Whatever a project of somebody else writes into a report of it."""
    results = opened.folder / "out" / "studio" / "900-hostile" / "results"
    results.mkdir(parents=True)
    (results / "report.html").write_text(
        """<!DOCTYPE html><title>hostile</title><script>
        const seen = [location.href, document.referrer, document.URL, document.baseURI,
          JSON.stringify(performance.getEntries()), String(window.name)];
        const attempt = (look) => { try { return String(look()); } catch { return "none"; } };
        seen.push(attempt(() => window.opener && window.opener.location.href));
        seen.push(attempt(() => parent.location.href), attempt(() => document.cookie));
        seen.push(attempt(() => JSON.stringify(localStorage)));
        window.seen = seen.join(" ");
        const asks = ["/", "/state", "../../2/x/report.html", `${location.href}?again`];
        window.asked = Promise.all(asks.map((one) => (
          fetch(one, { method: "POST", body: "{}" }).then(() => "answered", () => "refused"))));
        </script>"""
    )
    job = {"kind": "run", "title": "hostile", "state": "done", "command": ["run"], "about": {}}
    (results.parent / "job.json").write_text(json.dumps(job))
    with StudioServer(opened.folder) as server:  # which finds the job of before
        threading.Thread(target=server.serve_forever, daemon=True).start()
        opened.page.open(server.access.address)
        wait_for(lambda: bool(opened.value("!!(window.studio && studio.state)")))
        address = opened.value(
            "[...document.querySelectorAll('#jobs a')].map((one) => one.href)"
            ".find((one) => one.includes('/900/'))"
        )
        assert server.access.token not in address
        opened.page.open(address)
        assert opened.value("document.title") == "hostile"
        assert opened.value("window.origin") == "null"
        assert server.access.token not in opened.value("window.seen")
        answer = opened.page.call(
            "Runtime.evaluate", awaitPromise=True, returnByValue=True, expression="window.asked"
        )
        assert answer["result"]["value"] == 4 * ["refused"]
        server.shutdown()
    opened.page.events.clear()  # the refusals are on the console


def test_a_report_runs_in_an_origin_of_its_own(opened: Opened) -> None:
    """Its script draws all the same."""
    number = opened.server.studio.jobs.listed()[0]["number"]
    key = opened.server.access.result_key(number)
    port = opened.server.access.port
    opened.page.open(f"http://127.0.0.1:{port}/results/{number}/{key}/report.html")
    assert opened.value("document.querySelectorAll('svg, canvas').length") > 0
    assert opened.value("window.origin") == "null"


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="ziglang (extra cc)")
def test_a_live_page_is_driven_in_an_origin_of_its_own(opened: Opened) -> None:
    """Its module is compiled there, its record can be kept, and nothing is asked for."""
    opened.open("linkage.yaml")
    opened.click("live")
    wait_for(lambda: [job["state"] for job in opened.jobs() if job["kind"] == "live"] == ["done"])
    (made,) = (job for job in opened.jobs() if job["kind"] == "live")
    key, port = made["results_key"], opened.server.access.port
    opened.page.open(f"http://127.0.0.1:{port}/results/{made['number']}/{key}/report.html")
    wait_for(lambda: bool(opened.value("!!window.live")))
    assert opened.value("window.origin") == "null"
    opened.value("live.stop(); live.drive.budget = Infinity; live.frame(0.05)")
    assert opened.value("live.drive.time") == pytest.approx(0.05)
    opened.click("csv")  # a download that a sandbox may refuse is complained of
    assert opened.page.complaints() == []


def test_components_are_added_changed_and_taken_out(opened: Opened) -> None:
    """A body and a joint of a mechanism, by their kinds, with what they need told until it is
    there."""
    opened.open("linkage.yaml")
    opened.click("tab-form")
    revision = opened.value("studio.file.revision")

    def add(group: str, name: str, kind: str) -> None:
        opened.value(f"document.querySelector('[data-group=\"{group}\"]').open = true")
        row = f"document.querySelector('.row.adder[data-path=\"{group}\"]')"
        wait_for(lambda: bool(opened.value(f"!!{row}")))
        opened.value(
            f"(() => {{ const row = {row}; row.querySelector('input').value = '{name}';"
            f"row.querySelector('select').value = '{kind}';"
            "row.querySelector('button').click(); })()"
        )

    add("components", "weight", "rigid-body")
    opened.settle(revision + 1)
    assert "'mass' is missing" in opened.value("document.getElementById('problems').innerText")
    opened.fill("field-components-weight-mass", "-1 kg")
    opened.settle(revision + 2)
    assert "greater than 0" in opened.value("document.getElementById('problems').innerText")
    opened.fill("field-components-weight-mass", "2 kg")
    opened.settle(revision + 3)
    unit = "document.querySelector('[data-path=\"components.weight.mass\"] .unit').innerText"
    assert opened.value(unit) == "kg"
    add("components", "peg", "revolute")
    opened.settle(revision + 4)
    assert "'tail'" in opened.value("document.getElementById('problems').innerText")
    remove = (
        "document.querySelector('[aria-label=\"take components %s out of this file\"]').click()"
    )
    opened.value(remove % "peg")
    opened.settle(revision + 5)
    text = opened.value("studio.file.text")
    assert "peg" not in text
    assert "weight: {type: rigid-body, mass: 2 kg}" in " ".join(text.split())
    opened.value(remove % "weight")
    opened.settle(revision + 6)
    assert opened.value("studio.seen.problems.length") == 0
    # Of a body that hangs on nothing there is no picture, which its panel says.
    said = [one for one in opened.page.complaints() if "422 (Unprocessable Entity)" not in one]
    assert said == []
    opened.page.events.clear()


def test_the_text_is_edited_beside_the_form(opened: Opened) -> None:
    opened.open("car.yaml")
    revision = opened.value("studio.file.revision")
    opened.click("tab-text")
    opened.value(
        "(() => { const area = document.getElementById('text'); area.value = "
        "area.value.replace('215 kg', '-3 kg'); area.dispatchEvent(new Event('input')); })()"
    )
    opened.settle(revision + 1)
    assert "greater than 0" in opened.value("document.getElementById('problems').innerText")
    assert opened.value("document.querySelectorAll('#gutter .wrong').length") == 1
    assert opened.value("document.querySelectorAll('#form .row.wrong').length") == 1
    assert opened.value("document.getElementById('run').disabled")
    opened.value("document.querySelector('#problems button').click()")
    assert opened.value("document.activeElement.id") == "text"
    opened.click("undo")
    opened.settle(revision + 2)
    assert opened.value("document.querySelectorAll('#problems .wrong').length") == 0


def test_another_tree_is_chosen_by_two_clicks(opened: Opened) -> None:
    opened.open("linkage.yaml")
    revision = opened.value("studio.file.revision")
    opened.click("tab-graph")
    wait_for(lambda: opened.value("document.querySelectorAll('#graph .chord').length") > 0)
    opened.value("document.querySelector('#graph .chord').dispatchEvent(new MouseEvent('click'))")
    assert "Which?" in opened.value("document.querySelector('.chord-state').innerText")
    opened.value("document.querySelector('#graph .within').dispatchEvent(new MouseEvent('click'))")
    opened.settle(revision + 1)
    assert "tree: {translation: [" in opened.value("studio.file.text")
    assert opened.value("studio.seen.problems.length") == 0
    assert opened.page.complaints() == []


def test_a_graph_that_comes_late_is_not_taken_for_that_of_another_file(opened: Opened) -> None:
    """A tree chosen in it would be written into the wrong file."""
    opened.open("linkage.yaml")
    opened.value(
        """(() => {
          const get = studio.calls.get.bind(studio.calls);
          studio.calls.get = (path, query) => {
            if (path !== "graph" || query.name !== "linkage.yaml") return get(path, query);
            return new Promise((found) => { window.late = () => get(path, query).then(found); });
          };
        })()"""
    )
    opened.click("tab-graph")
    opened.value("studio.open('car.yaml')")
    wait_for(lambda: opened.value("document.querySelectorAll('#graph .chord').length") > 0)
    edges = "[...document.querySelectorAll('#graph .edge')]"
    components = f"{edges}.map((one) => one.dataset.component)"
    of_car = opened.value(components)
    answer = opened.page.call(
        "Runtime.evaluate", awaitPromise=True, expression="late().then(() => 0)"
    )
    assert answer["result"]["value"] == 0
    assert opened.value(components) == of_car


def test_of_a_file_with_problems_there_is_no_graph_of_another(opened: Opened) -> None:
    (opened.folder / "wrong.yaml").write_text("base: four-bar\ncomponents: {a: {type: none}}\n")
    opened.open("linkage.yaml")
    opened.click("tab-graph")
    wait_for(lambda: opened.value("document.querySelectorAll('#graph .chord').length") > 0)
    opened.value("studio.open('wrong.yaml')")
    wait_for(lambda: opened.value("studio.seen.name") == "wrong.yaml")
    assert opened.value("studio.seen.problems.length") > 0
    assert opened.value("document.querySelectorAll('#graph .edge').length") == 0


def test_a_load_is_added_by_its_name(opened: Opened) -> None:
    """What it needs is told until it is there."""
    opened.open("car.yaml")
    revision = opened.value("studio.file.revision")
    opened.value("document.querySelector('[data-group=\"vehicle.loads\"]').open = true")
    row = "document.querySelector('[data-path=\"vehicle.loads\"]')"
    wait_for(lambda: opened.value(f"!!{row}"))
    opened.value(f"{row}.querySelector('input').value = 'ballast'")
    opened.value(f"{row}.querySelector('button').click()")
    opened.settle(revision + 1)
    assert "needs 'mass'" in opened.value("document.getElementById('problems').innerText")
    opened.fill("field-vehicle-loads-ballast-mass", "10 kg")
    opened.settle(revision + 2)
    opened.value(
        """(() => {
          const path = '[data-path="vehicle.loads.ballast.position"] input';
          const boxes = [...document.querySelectorAll(path)];
          ["0.1 m", "0", "0.2 m"].forEach((text, k) => { boxes[k].value = text; });
          boxes[2].dispatchEvent(new Event('change'));
        })()"""
    )
    opened.settle(revision + 3)
    assert opened.value("studio.seen.problems.length") == 0
    assert "ballast: {mass: 10 kg, position: [0.1 m, 0, 0.2 m]}" in opened.value("studio.file.text")


def test_two_windows_do_not_overwrite_one_another(opened: Opened) -> None:
    opened.open("car.yaml")
    studio, name = opened.server.studio, {"name": "car.yaml"}
    theirs = studio.open(name)
    opened.value("studio.follow = async () => {}")  # this window has not seen it yet
    studio.edit({**theirs, "text": theirs["text"] + "# theirs\n"})
    opened.fill("field-vehicle-body-mass", "190 kg")
    wait_for(lambda: "# theirs" in opened.value("studio.file.text"))
    assert "another window" in opened.value("document.getElementById('message').innerText")
    assert "190 kg" not in studio.open(name)["text"]


def test_everything_has_a_name_and_is_reached_by_keys(opened: Opened) -> None:
    """Fields, buttons and tabs have labels, and none is left out by the Tab key."""
    opened.open("car.yaml")
    opened.value("document.querySelectorAll('#form details').forEach((one) => one.open = true)")
    wait_for(lambda: opened.value("document.querySelectorAll('#form input').length") > 5)
    nameless = opened.value(
        """[...document.querySelectorAll('button, input, select, textarea, summary')]
          .filter((one) => one.tabIndex < 0 || !(one.getAttribute('aria-label') || one.title ||
            one.labels?.length || one.textContent.trim() || one.placeholder))
          .map((one) => one.outerHTML)"""
    )
    assert nameless == []
    opened.value("document.getElementById('tab-runs').focus()")
    for kind in ("keyDown", "keyUp"):
        opened.page.call(
            "Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r",
            windowsVirtualKeyCode=13,
        )  # fmt: skip
    assert opened.value("document.getElementById('runs-panel').hidden") is False
    opened.value("document.getElementById('field-vehicle-body-mass').focus()")
    revision = opened.value("studio.file.revision")
    opened.value("document.activeElement.select()")
    opened.page.call("Input.insertText", text="201 kg")
    for kind in ("keyDown", "keyUp"):
        opened.page.call(
            "Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r",
            windowsVirtualKeyCode=13,
        )  # fmt: skip
    opened.settle(revision + 1)
    assert "201 kg" in opened.value("studio.file.text")
    assert opened.value("document.activeElement.id") == "field-vehicle-body-mass"


@pytest.mark.parametrize("size", [(390, 800), (820, 1100), (1600, 900)])
def test_it_fits_screens_from_phone_to_desk(opened: Opened, size: tuple[int, int]) -> None:
    width, height = size
    opened.page.call(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
        mobile=False,
    )  # fmt: skip
    opened.open("car.yaml")
    assert opened.value("document.documentElement.scrollWidth") <= width
    seen = opened.value(
        "['run', 'save', 'view', 'form'].map((name) => "
        "document.getElementById(name).getBoundingClientRect().right)"
    )
    assert max(seen) <= width
