"""A step as WebAssembly beside the step as C of this machine: ``python benchmarks/bench_wasm.py``.

Node runs the module, and wasmtime does; all take turns, best of five. Needs the extras ``cc`` and
``wasm``, and Node.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import axletree as at
from axletree.export.wasm import write_wasm
from axletree.simulation.stepper.stepper import Stepper, system_stepper

MODELS = ("bicycle-car", "car", "sedan", "pushrod-formula-student")
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
    print(f"{'model':<26}{'module':>9}{'C':>11}{'Node':>9}{'wasmtime':>10}")
    for name in MODELS:
        system = at.read_model(name).formulate()
        with tempfile.TemporaryDirectory() as folder:
            write_wasm(system, folder, outputs=[])
            size = Path(folder, "model.wasm").stat().st_size / 1000
            native = system_stepper(system, step=1e-3, outputs=[])
            sandboxed = at.SandboxedStepper(folder)
            own = min(_seconds(native) for _ in range(ROUNDS))
            there = min(_sandboxed_seconds(sandboxed) for _ in range(ROUNDS))
            done = subprocess.run(
                [node, "-e", TIMED, folder, str(STEPS)], capture_output=True, text=True, check=True
            )
        ratios = float(done.stdout) / own, there / own
        print(
            f"{name:<26}{size:>6.0f} kB{1e6 * own / STEPS:>8.2f} us"
            f"{ratios[0]:>9.2f}{ratios[1]:>10.2f}"
        )


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
