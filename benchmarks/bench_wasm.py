"""A step as WebAssembly beside the step as C of this machine: ``python benchmarks/bench_wasm.py``.

Node runs the module, without and with vector instructions, and wasmtime does; all take
turns, best of five. Needs the extras ``cc`` and ``wasm``, and Node.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

import axletree as at
from axletree.export import wasm
from axletree.export.wasm import write_wasm
from axletree.simulation.stepper.stepper import Stepper, system_stepper

MODELS = ("bicycle-car", "car", "sedan", "pushrod-formula-student", "rover")
VECTORS = "-msimd128"
STEPS, ROUNDS = 5000, 5
TIMED = """
const { Stepper } = require(`${process.argv[1]}/stepper.js`), fs = require("fs");
const layout = JSON.parse(fs.readFileSync(`${process.argv[1]}/layout.json`));
Stepper.load(fs.readFileSync(`${process.argv[1]}/model.wasm`), layout, 1e-3).then((model) => {
  let best = Infinity;
  for (let k = 0; k < 5; k++) {
    model.reset();
    const begin = process.hrtime.bigint();
    model.advance(Number(process.argv[2]));
    best = Math.min(best, Number(process.hrtime.bigint() - begin) / 1e9);
  }
  console.log(best);
});
"""


def main() -> None:
    node = shutil.which("node")
    if node is None:
        sys.exit("Node is not installed")
    print(f"{'model':<26}{'module':>9}{'C':>11}{'Node':>9}{'wasmtime':>10}{'by vectors':>12}")
    for name in MODELS:
        system = at.read_model(name).formulate()
        with tempfile.TemporaryDirectory() as folder:
            write_wasm(system, folder, outputs=[])
            size = Path(folder, "model.wasm").stat().st_size / 1000
            native = system_stepper(system, step=1e-3, outputs=[])
            scalar = f"{folder}/scalar"
            without = tuple(flag for flag in wasm._FLAGS if flag != VECTORS)
            with patch.object(wasm, "_FLAGS", without):
                write_wasm(system, scalar, outputs=[])
            sandboxed = at.SandboxedStepper(folder)
            own = min(_seconds(native) for _ in range(ROUNDS))
            there = min(_sandboxed_seconds(sandboxed) for _ in range(ROUNDS))
            vectors, plain = (
                min(_seconds_in_node(node, one) for _ in range(2)) for one in (folder, scalar)
            )
        ratios = vectors / own, there / own
        print(
            f"{name:<26}{size:>6.0f} kB{1e6 * own / STEPS:>8.2f} us"
            f"{ratios[0]:>9.2f}{ratios[1]:>10.2f}{vectors / plain:>12.2f}"
        )


def _seconds_in_node(node: str, folder: str) -> float:
    done = subprocess.run(
        [node, "-e", TIMED, folder, str(STEPS)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def _seconds(stepper: Stepper) -> float:
    stepper.reset()
    begin = time.perf_counter()
    stepper.advance(steps=STEPS)
    return time.perf_counter() - begin


def _sandboxed_seconds(stepper: at.SandboxedStepper) -> float:
    stepper.reset()
    begin = time.perf_counter()
    stepper.advance(STEPS)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
