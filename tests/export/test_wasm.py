"""A model as WebAssembly takes the steps of C, in Node, and reaches nothing but its own memory."""

from __future__ import annotations

import base64
import importlib.util
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from reports.headless_page import chromium, headless_page, wait_for

import axletree as at
from axletree.analysis.steady_start import steady_start
from axletree.core.errors import CompilerError
from axletree.export.wasm import write_wasm
from axletree.simulation.stepper.stepper import Stepper, system_stepper

CLIENT = Path(__file__).with_name("wasm_client.mjs")
NODE = shutil.which("node")
needs_zig = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="ziglang (extra cc) is not installed"
)
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
STEPS = 200


@pytest.fixture(scope="module")
def car(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Stepper]:
    system = shipped_system("bicycle-car")
    start = steady_start(system, {"chassis.vx": "72 km/h"})
    folder = write_wasm(system, tmp_path_factory.mktemp("car") / "wasm", starts=[start])
    return folder, system_stepper(system, step=1e-3, starts=[start])


def answers(folder: Path, *orders: Sequence[Any]) -> list[Any]:
    assert NODE is not None
    command = [NODE, str(CLIENT), str(folder), json.dumps(orders)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@needs_zig
@needs_node
def test_its_steps_are_those_of_the_stepper(car: tuple[Path, Stepper]) -> None:
    """Up to library functions, which differ by units in the last place."""
    folder, own = car
    name = "chassis.vx 72 km/h"
    own.reset(name)
    own["steer.angle"] = 0.03
    own.advance(steps=STEPS)
    states, outputs, time = answers(
        folder, ["reset", name], ["set", "steer.angle", 0.03], ["advance", STEPS], ["states"],
        ["outputs"], ["time"],
    )  # fmt: skip
    np.testing.assert_allclose(states, list(own.states.values()), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(outputs, list(own.outputs.values()), rtol=1e-9, atol=1e-8)
    assert time == own.time


@needs_zig
@needs_node
@pytest.mark.slow
@pytest.mark.skipif(chromium() is None, reason="Chromium is not installed")
def test_a_browser_takes_the_same_steps_as_node(car: tuple[Path, Stepper], tmp_path: Path) -> None:
    """By the class as it is exported, in a script of a page; both have one engine."""
    folder, _ = car
    (tmp_path / "stepper.js").write_text((folder / "stepper.js").read_text())
    module = base64.b64encode((folder / "model.wasm").read_bytes()).decode()
    (tmp_path / "page.html").write_text(
        f"""<!DOCTYPE html><title>car</title><script src="stepper.js"></script><script>
        const bytes = Uint8Array.from(atob("{module}"), (one) => one.charCodeAt(0));
        Stepper.load(bytes, {(folder / "layout.json").read_text()}, 1e-3).then((car) => {{
          car.reset("chassis.vx 72 km/h");
          car.set("steer.angle", 0.03);
          car.advance({STEPS});
          window.states = [...car.values("states")];
        }});</script>"""
    )
    (states,) = answers(
        folder, ["reset", "chassis.vx 72 km/h"], ["set", "steer.angle", 0.03], ["advance", STEPS],
        ["states"],
    )  # fmt: skip
    with headless_page(tmp_path / "browser", (320, 240)) as page:
        page.open((tmp_path / "page.html").as_uri())
        wait_for(lambda: bool(page.value("!!window.states")))
        assert page.value("window.states") == states
        assert page.complaints() == []


@needs_zig
@needs_node
def test_a_closed_loop_with_its_projection(tmp_path: Path) -> None:
    system = shipped_system("four-bar")
    folder = write_wasm(system, tmp_path, outputs=[])
    own = system_stepper(system, step=1e-3, outputs=[])
    own.advance(steps=STEPS)
    (states,) = answers(folder, ["advance", STEPS], ["states"])
    np.testing.assert_allclose(states, list(own.states.values()), rtol=1e-10, atol=1e-12)


@needs_zig
@needs_node
def test_a_run_is_restored_bit_for_bit(car: tuple[Path, Stepper]) -> None:
    first, second = answers(
        car[0], ["advance", 20], ["keep"], ["advance", 50], ["states"], ["return"], ["advance", 50],
        ["states"],
    )  # fmt: skip
    assert first == second


@needs_zig
@needs_node
def test_shapes_of_inputs(car: tuple[Path, Stepper]) -> None:
    folder, own = car
    own.reset()
    own.shape("steer.angle", at.LinearInput("10 ms"))
    own["steer.angle"] = 0.02
    own.advance(steps=5)
    angle = answers(
        folder, ["shape", "steer.angle", "linear", 0.01], ["set", "steer.angle", 0.02],
        ["advance", 5], ["get", "steer.angle"],
    )  # fmt: skip
    assert angle == [pytest.approx(0.01, rel=1e-12)]
    assert own["steer.angle"] == pytest.approx(angle[0], rel=1e-12)


@needs_zig
@needs_node
def test_what_cannot_be_done_is_told(car: tuple[Path, Stepper]) -> None:
    found = answers(
        car[0], ["set", "steer.angel", 1], ["set", "steer.angle", "much"], ["reset", "at dawn"],
        ["set", "steer.angle_rate", 1], ["setStep", 0],
    )  # fmt: skip
    for text, words in zip(
        found,
        ("has no steer.angel; layout.json has the names", "steer.angle is much rad; expected",
         "no start at dawn; there are own, chassis.vx 72 km/h", "computed, not set",
         "a number is not finite"),
        strict=True,
    ):  # fmt: skip
        assert words in text


@needs_zig
def test_the_module_imports_nothing(car: tuple[Path, Stepper]) -> None:
    """Sections of a module are numbered; that of imports has the number 2."""
    content = (car[0] / "model.wasm").read_bytes()
    assert content[:8] == b"\0asm\1\0\0\0"
    sections, place = [], 8
    while place < len(content):
        kind, place = content[place], place + 1
        size, shift = 0, 0
        while True:
            byte, place = content[place], place + 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        sections.append(kind)
        place += size
    assert place == len(content)
    assert 10 in sections  # code
    assert 2 not in sections
    assert len(content) < 60_000


@needs_zig
@needs_node
def test_the_readme_shows_a_program_that_runs(car: tuple[Path, Stepper]) -> None:
    assert NODE is not None
    text = (car[0] / "README.md").read_text(encoding="utf-8")
    program = text.split("```js\n")[1].split("```")[0]
    done = subprocess.run([NODE, "-e", program], cwd=car[0], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    time, value = map(float, done.stdout.split())
    assert time == pytest.approx(1.0)
    assert value == pytest.approx(20.0, rel=1e-3)  # m/s, of the steady motion


def test_without_its_compiler_it_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("axletree.export.wasm.has_ziglang", lambda: False)
    with pytest.raises(CompilerError, match=r"ziglang, which is not installed.*axletree\[cc\]"):
        write_wasm(shipped_system("pendulum"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(CompilerError, match="is a file; expected a folder"):
        write_wasm(shipped_system("pendulum"), tmp_path / "out")
