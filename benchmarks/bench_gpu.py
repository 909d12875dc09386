"""Vehicle-steps a second on a CUDA card, beside what they are checked against.

    python benchmarks/bench_gpu.py prepare out/gpu     where Axletree is: texts and a reference
    python benchmarks/bench_gpu.py measure out/gpu     where the card is: NumPy and CuPy alone

The 14-DOF car on Magic Formula tyres takes steps of 1 ms: of explicit Euler's method, and with all
parameters distinct also of Runge and Kutta's and of linearly implicit ones. All parameters are
distinct in each vehicle, or all but those of the tyres, which are one law for each vehicle.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

CHECKED, STEPS, MEMBERS, LAUNCHES = 64, 400, 132 * 64 * 16, 5
STEP, SPREAD = 1e-3, 0.02  # s; of each parameter
KINDS: dict[str, dict[str, Any]] = {
    "FP64": {"number": "double"},
    "FP64, card's functions": {"number": "double", "card_functions": True},
    "FP32": {"number": "float"},
    "FP32, card's functions": {"number": "float", "card_functions": True},
    "FP32, fast math": {"number": "float", "fast_math": True},
}
EULER = "explicit-euler"
VARIANTS = {  # words, method, kinds of numbers
    "distinct": ("all parameters distinct", EULER, tuple(KINDS)),
    "one_law": ("a law for each vehicle", EULER, tuple(KINDS)),
    "rk4": ("rk4", "rk4", ("FP64", "FP32")),
    "ros2": ("ros2", "ros2", ("FP64", "FP32")),
    "row4": ("row4", "row4", ("FP64", "FP32")),
}


def prepare(folder: Path) -> None:
    """Texts, and what lanes of the processor come to for the first vehicles."""
    import axletree as at

    system = at.read_model("car").formulate()
    for name, (_, method, _) in VARIANTS.items():
        at.write_card(system, folder / name, method=method, equal_laws=name == "one_law")
        columns = random_columns(system.parameters, equal_names(folder / name))
        found = system.batch(
            STEPS * STEP, step=STEP, method=method, parameters=columns,
            record_interval=STEPS * STEP,
        )  # fmt: skip
        ends = {q.name: found[f"{q.name}.final"] for q in system.states}
        np.savez(folder / name / "reference.npz", **ends)
        np.savez(folder / name / "columns.npz", **columns)


def equal_names(folder: Path) -> dict[str, str]:
    """The parameters that a text takes for equal to others."""
    layout = json.loads((folder / "layout.json").read_text())
    return {q["name"]: q["equal_to"] for q in layout["parameters"] if "equal_to" in q}


def random_columns(parameters: Any, equal: dict[str, str]) -> dict[str, np.ndarray]:
    """Values of the checked vehicles about the model's; inertias keep their proportions."""
    rng = np.random.default_rng(7)
    columns: dict[str, np.ndarray] = {}
    for q in parameters:
        if q.default and "inertia" not in q.name and q.name not in equal:
            columns[q.name] = q.default * (1.0 + SPREAD * rng.uniform(-1.0, 1.0, CHECKED))
    return columns | {name: columns[other] for name, other in equal.items() if other in columns}


def batch_of(folder: Path, members: int, settings: dict[str, Any]) -> Any:
    sys.path.insert(0, str(folder))
    from card_batch import CardBatch

    return CardBatch(folder, members, STEP, **settings)


def worst_of(folder: Path, settings: dict[str, Any]) -> float:
    """The worst state of the checked vehicles over its size or 1, against the reference."""
    cars = batch_of(folder, CHECKED, settings)
    cars.set_parameters(dict(np.load(folder / "columns.npz")))
    cars.advance(STEPS)
    assert int((cars.failed >= 0).sum()) == 0, "a vehicle has failed"
    reference = np.load(folder / "reference.npz")
    off = [
        np.max(np.abs(cars.states[name].get() - ends) / np.maximum(np.abs(ends), 1.0))
        for name, ends in reference.items()
    ]
    return float(np.max(off))


def rate_of(folder: Path, settings: dict[str, Any]) -> tuple[float, tuple[int, int]]:
    """Vehicle-steps a second, the median of launches, and registers and spilled bytes."""
    import cupy

    cars = batch_of(folder, MEMBERS, settings)
    repeats, equal = -(-MEMBERS // CHECKED), equal_names(folder)
    known, own = dict(np.load(folder / "columns.npz")), {}
    random = cupy.random.default_rng(3)
    for name, values in known.items():
        column = cupy.tile(cupy.asarray(values, np.float32), repeats)[:MEMBERS]
        own[name] = column * (1.0 + 0.01 * (random.random(MEMBERS, np.float32) - 0.5))
    own |= {name: own[other] for name, other in equal.items() if other in own}
    cars.set_parameters(own)
    cars.advance(20)
    times = []
    for _ in range(LAUNCHES):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        cars.advance(STEPS)
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(begin, end) * 1e-3)
    return MEMBERS * STEPS / float(np.median(times)), cars.registers


def loop_rate(folder: Path, settings: dict[str, Any]) -> tuple[float, str]:
    """Vehicle-steps a second of a loop that sets inputs and reads states after every ten steps, and
    whether torch has the same memory."""
    import cupy

    cars = batch_of(folder, MEMBERS, settings)
    random = cupy.random.default_rng(5)
    rounds, steps = 100, 10
    for k in range(-5, rounds):
        if k == 0:
            cupy.cuda.Device().synchronize()
            begin = time.perf_counter()
        cars.inputs.values[...] = 0.01 * random.standard_normal(cars.inputs.values.shape)
        cars.advance(steps)
        speeds = cars.states.values.sum(axis=1)
    cupy.cuda.Device().synchronize()
    assert bool(cupy.isfinite(speeds).all())
    elapsed = time.perf_counter() - begin
    try:
        import torch

        shared = torch.from_dlpack(cars.states.values).data_ptr() == cars.states.values.data.ptr
        told = f"torch has {'the same memory' if shared else 'a copy'}"
    except ImportError:
        told = "no torch here"
    return MEMBERS * rounds * steps / elapsed, told


def measure(folder: Path) -> None:
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{name}; {MEMBERS} vehicles, {STEPS} steps a launch, median of {LAUNCHES}")
    variants = [(law, kind) for law, (*_, kinds) in VARIANTS.items() for kind in kinds]
    waiting = [  # compilers side by side; the driver of the card keeps what they make
        subprocess.Popen([sys.executable, __file__, "compile", str(folder), law, kind])
        for law, kind in variants
    ]
    for one in waiting:
        one.wait()
    print(
        f"{'':28}{'':26}{'vehicle-steps/s':>16}{'worst state':>13}{'registers':>11}{'spilled':>9}"
    )
    rows = []
    for law, kind in variants:
        place = folder / law
        worst = worst_of(place, KINDS[kind])
        best = (0.0, 0, (0, 0))
        for resident in (0, 3):
            rate, registers = rate_of(place, {**KINDS[kind], "blocks_resident": resident})
            best = max(best, (rate, resident, registers))
            rows.append(
                {
                    "law": law,
                    "kind": kind,
                    "resident": resident,
                    "rate": rate,
                    "registers": registers,
                    "worst": worst,
                }
            )
        rate, resident, registers = best
        print(
            f"{VARIANTS[law][0]:28}{kind:26}{rate:16.3e}{worst:13.1e}{registers[0]:11}{registers[1]:9}"
            f"  (blocks {resident or 'as many as fit'})",
            flush=True,
        )
    for kind in ("FP64", "FP32", "FP32, fast math"):
        rate, told = loop_rate(folder / "distinct", KINDS[kind])
        print(f"a loop with inputs and states every ten steps, {kind}: {rate:.3e}; {told}")
    (folder / "measured.json").write_text(json.dumps(rows, indent=1))


def main(task: str, folder: str, *rest: str) -> None:
    if task == "prepare":
        prepare(Path(folder))
    elif task == "compile":
        law, kind = rest
        batch_of(Path(folder, law), CHECKED, KINDS[kind])
    else:
        measure(Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
