"""Modules of WebAssembly that are not trusted: they step as others do, and cannot do more."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.core.errors import AxletreeError, SimulationError
from axletree.export.wasm import write_wasm
from axletree.simulation.problem import SettingsError
from axletree.simulation.stepper.stepper import system_stepper

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None or importlib.util.find_spec("wasmtime") is None,
    reason="ziglang (extra cc) and wasmtime (extra wasm) are not both installed",
)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_wasm(shipped_system("bicycle-car"), tmp_path_factory.mktemp("car") / "wasm")


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "wasm"))


def module(text: str) -> bytes:
    import wasmtime

    return bytes(wasmtime.wat2wasm(text))


def test_it_steps_as_the_stepper_does(exported: Path) -> None:
    own = system_stepper(shipped_system("bicycle-car"), step=1e-3)
    with at.SandboxedStepper(exported, "1 ms") as sandboxed:
        for one in (own, sandboxed):
            one["steer.angle"] = "2 deg"
            one["drive.torque"] = 100.0
        own.advance(steps=300)
        sandboxed.advance(300)
        assert sandboxed.time == own.time
        for array in ("states", "outputs", "parameters"):
            found, expected = getattr(sandboxed, array), getattr(own, array)
            assert list(found) == list(expected)
            values = list(found.values()), list(expected.values())
            np.testing.assert_allclose(*values, rtol=1e-9, atol=1e-8)
        kept = sandboxed.save()
        sandboxed.advance(50)
        there = sandboxed.states
        sandboxed.restore(kept)
        sandboxed.advance(50)
        assert sandboxed.states == there
        sandboxed.reset()
        assert sandboxed.time == 0.0
        assert "steps of 0.001 s by rk4" in repr(sandboxed)
    with pytest.raises(SimulationError, match="is closed"):
        sandboxed.advance()


def test_wrong_values_are_told(exported: Path) -> None:
    stepper = at.SandboxedStepper(exported)
    with pytest.raises(AxletreeError, match=r"unknown quantity 'steer\.angel'.*did you mean"):
        stepper["steer.angel"] = 1.0
    with pytest.raises(SettingsError, match="steer.angle"):
        stepper["steer.angle"] = "2 kg"
    with pytest.raises(SimulationError, match="computed, not set"):
        stepper["steer.angle_rate"] = 1.0
    with pytest.raises(AxletreeError, match="unknown start 'dawn'"):
        stepper.reset("dawn")
    with pytest.raises(SettingsError, match="bytes were saved by another model"):
        stepper.restore(b"12")
    with pytest.raises(SettingsError, match="steps is -1"):
        stepper.advance(-1)
    with pytest.raises(SettingsError, match="positive number of seconds"):
        at.SandboxedStepper(exported, step=0.0)


def test_a_step_that_goes_on_for_ever_is_stopped(folder: Path) -> None:
    stepper = at.SandboxedStepper(folder, instructions=1)
    with pytest.raises(SimulationError, match="takes more than 2e\\+08 instructions"):
        stepper.advance(100_000_000)


def test_a_module_that_asks_for_something_gets_nothing(folder: Path) -> None:
    text = '(module (import "wasi_snapshot_preview1" "path_open" (func (param i32))))'
    (folder / "model.wasm").write_bytes(module(text))
    with pytest.raises(SimulationError, match=r"asks for wasi_snapshot_preview1\.path_open"):
        at.SandboxedStepper(folder)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(module)", "has no 'memory'"),
        ('(module (memory (export "memory") 60000))', "does not start"),
        ('(module (memory (export "memory") 1) (func (export "model_stepper_abi") (loop br 0)))',
         "was stopped"),
        ('(module (memory (export "memory") 1) (func (export "model_stepper_abi") unreachable))',
         "fails"),
        ('(module (memory (export "memory") 1) (func (export "model_stepper_abi") (result i32)'
         " i32.const 7))", "is of interface 7"),
        ('(module (memory (export "memory") 1) (func (export "model_stepper_abi") (result i32)'
         ' i32.const ABI) (func (export "model_stepper_create") (param i32)))',
         "is not that of a stepper"),
    ],
    ids=["empty", "memory", "endless", "trap", "interface", "signature"],
)  # fmt: skip
def test_what_is_no_stepper_is_refused(folder: Path, text: str, words: str) -> None:
    abi = json.loads((folder / "layout.json").read_text())["stepper"]["abi"]
    (folder / "model.wasm").write_bytes(module(text.replace("ABI", str(abi))))
    with pytest.raises(SimulationError, match=words):
        at.SandboxedStepper(folder)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "has no name"),
        ('{"name": "a"}', "'stepper' has no 'abi'"),
        (
            '{"name": "a", "stepper": {"abi": 1, "method": "x"}, "states": [3]}',
            "'states' is no list",
        ),
    ],
)
def test_a_layout_is_looked_at(folder: Path, content: str, words: str) -> None:
    (folder / "layout.json").write_text(content)
    with pytest.raises(SimulationError, match=words):
        at.SandboxedStepper(folder)


def test_a_module_that_is_damaged_or_missing(folder: Path) -> None:
    content = (folder / "model.wasm").read_bytes()
    (folder / "model.wasm").write_bytes(content[: len(content) // 2])
    with pytest.raises(SimulationError, match="is no module"):
        at.SandboxedStepper(folder)
    (folder / "model.wasm").unlink()
    with pytest.raises(SimulationError, match="there is no file .*expected a folder"):
        at.SandboxedStepper(folder)
