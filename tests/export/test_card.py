"""The text for a card, compiled for the processor of this machine and compared with lanes.

A stand-in for CuPy holds arrays of NumPy and calls kernels vehicle by vehicle, so that the class
that runs on the card is tried as it is. On a card itself nothing is tried here, and the last test
says so where there is none.
"""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.code.backends.c import find_compiler
from axletree.core.errors import ExportError, SimulationError
from axletree.system.system import System

STEP, STEPS, COUNT = 1e-3, 50, 5


class HostKernel:
    """A kernel of the text, called for each thread of each block."""

    num_regs, local_size_bytes = 0, 0

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self._function = getattr(library, name)
        self._function.restype = None
        self._member = ctypes.c_longlong.in_dll(library, "axl_member")

    def __call__(self, grid: Any, block: Any, arguments: Any, shared_mem: int = 0) -> None:
        given = [_as_c(one) for one in arguments]
        for member in range(grid[0] * block[0]):
            self._member.value = member
            self._function(*given)


def _as_c(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    kinds = {"int64": ctypes.c_longlong, "int32": ctypes.c_int, "float64": ctypes.c_double}
    return kinds[value.dtype.name](value)


class HostModule:
    def __init__(self, code: str, options: tuple[str, ...], backend: str) -> None:
        assert backend == "nvrtc"
        compiler = find_compiler()
        assert compiler is not None
        target = Path(f"host_{abs(hash((code, options)))}.so").absolute()
        text = code.replace("static long long axl_member;", "long long axl_member;")
        assert text != code
        source = target.with_suffix(".c")
        source.write_text(text)
        own = [option for option in options if option.startswith("-D")]
        flags = ["-std=c99", "-O0", "-fPIC", "-shared", "-ffp-contract=off"]
        command = [*compiler.command, *flags, *own, "-o", str(target), str(source), "-lm"]
        subprocess.run(command, check=True)
        self._library = ctypes.CDLL(str(target))

    def get_function(self, name: str) -> HostKernel:
        return HostKernel(self._library, name)


@pytest.fixture
def on_host(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The class of a written folder, over the stand-in."""
    if find_compiler() is None:
        pytest.skip("needs a C compiler")
    stand_in = types.ModuleType("cupy")
    for name in ("asarray", "empty", "full", "zeros", "stack", "all", "broadcast_to"):
        setattr(stand_in, name, getattr(np, name))
    stand_in.ascontiguousarray = np.ascontiguousarray  # type: ignore[attr-defined]
    stand_in.RawModule = HostModule  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cupy", stand_in)
    monkeypatch.chdir(tmp_path)

    def batch_of(folder: Path, *given: Any, **settings: Any) -> Any:
        place = importlib.util.spec_from_file_location("card_batch", folder / "card_batch.py")
        assert place is not None
        assert place.loader is not None
        module = importlib.util.module_from_spec(place)
        place.loader.exec_module(module)
        return module.CardBatch(folder, *given, **settings)

    return batch_of


def columns_of(system: System) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(8)
    return {
        q.name: q.default * (1.0 + 0.03 * rng.uniform(-1.0, 1.0, COUNT))
        for q in system.parameters
        if q.default and "inertia" not in q.name
    }


EXPLICIT = ("explicit-euler", "semi-implicit-euler", "rk4")
RUNS = [(model, method) for model in ("bicycle-car", "four-bar") for method in EXPLICIT]
RUNS += [("bicycle-car", "ros2"), ("quarter-car", "row3"), ("pendulum", "row4")]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("model", "method"), RUNS)
def test_vehicles_of_a_card_move_as_those_of_lanes(
    on_host: Any, model: str, method: str, tmp_path: Path
) -> None:
    system = shipped_system(model)
    columns = {"gravity.z": np.linspace(9.0, 10.0, COUNT)} if model == "four-bar" else None
    columns = columns or columns_of(system)
    output = system.outputs[0].quantity.name
    folder = at.write_card(system, tmp_path / "card", method=method, outputs=[output])
    settings: dict[str, Any] = {"parameters": columns, "step": STEP, "method": method}
    names = [q.name for q in system.states]
    exact = system.batch(STEPS * STEP, outputs=[*names, output], **settings)
    for number, own, error in (
        ("double", False, 1e-12), ("double", True, 1e-12), ("float", False, 3e-5),
    ):  # fmt: skip
        cars = on_host(folder, COUNT, STEP, number=number, card_functions=own, tile=2)
        cars.set_parameters(columns)
        cars.advance(STEPS // 2)
        cars.advance(STEPS - STEPS // 2)
        assert (cars.failed == -1).all()
        for name in names:
            ends = exact[f"{name}.final"]
            np.testing.assert_allclose(
                cars.states[name], ends, rtol=0, atol=error * max(np.max(np.abs(ends)), 1.0)
            )
        ends = exact[f"{output}.final"]
        size = max(np.max(np.abs(exact[f"{output}.maximum"])), 1.0)
        np.testing.assert_allclose(
            cars.update_outputs()[output], ends, rtol=0, atol=10.0 * error * size
        )


def test_inputs_are_held_and_failures_marked(on_host: Any, tmp_path: Path) -> None:
    system = shipped_system("bicycle-car")
    folder = at.write_card(system, tmp_path / "card", method="explicit-euler")
    cars = on_host(folder, 3, STEP)
    cars.inputs["steer.angle"][:] = [0.0, 0.01, 0.02]  # rad
    cars.states["chassis.vy"][1] = np.nan
    cars.advance(20)
    assert cars.failed.tolist() == [-1, 1, -1]
    exact = system.simulate(
        20 * STEP, step=STEP, method="explicit-euler", inputs={"steer.angle": 0.02}, watch=False
    )
    assert cars.states["chassis.rate"][2] == pytest.approx(exact["chassis.rate"][-1], rel=1e-9)
    assert cars.states.units["chassis.rate"] == "rad/s"
    for wrong in ({"number": "half"}, {"number": "double", "fast_math": True}):
        with pytest.raises(ValueError, match="number"):
            on_host(folder, 3, STEP, **wrong)
    with pytest.raises(ValueError, match="above 0"):
        on_host(folder, 0, STEP)
    with pytest.raises(KeyError, match="colour"):
        cars.set_parameters({"body.colour": 1.0})
    with pytest.raises(ValueError, match="a value each"):
        cars.set_parameters({"body.mass": np.ones(2)})
    with pytest.raises(KeyError, match="brake"):
        cars.inputs["brake"]


def test_equal_laws_are_read_once_and_kept_equal(on_host: Any, tmp_path: Path) -> None:
    system = shipped_system("car")
    folder = at.write_card(system, tmp_path / "card", method="explicit-euler", equal_laws=True)
    cars = on_host(folder, 2, STEP)
    laws = [q.name for q in system.parameters if q.name.endswith(".law.PDY1")]
    with pytest.raises(ValueError, match="without equal laws"):
        cars.set_parameters({laws[0]: np.array([0.9, 1.0])})
    cars.set_parameters(dict.fromkeys(laws, np.array([0.9, 1.0])))
    cars.advance(3)
    assert (cars.failed == -1).all()


def test_what_a_card_has_no_text_for_is_refused(tmp_path: Path) -> None:
    law = {"type": "external", "function": "own"}
    changes = {"components": {"tyre": {"law": law}}}
    system = at.read_model("quarter-car", changes).formulate()
    with pytest.raises(ExportError, match="own"):
        at.write_card(system, tmp_path / "card")
    held = shipped_system("drifting-car", form=at.SetValuedForm())
    with pytest.raises(SimulationError, match="no room in the registers of a card"):
        at.write_card(held, tmp_path / "card", method="complementarity-sweeps")
    assert not (tmp_path / "card").exists()


@pytest.mark.parametrize("number", ["double", "float"])
def test_on_a_card(number: str, tmp_path: Path) -> None:
    cupy = pytest.importorskip("cupy", reason="no CuPy here: the card itself is not tried")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA card here: the card itself is not tried")
    from axletree.export.card.card_batch import CardBatch

    system = shipped_system("bicycle-car")
    columns = columns_of(system)
    folder = at.write_card(system, tmp_path / "card", method="explicit-euler")
    cars = CardBatch(folder, COUNT, STEP, number=number)
    cars.set_parameters(columns)
    cars.advance(STEPS)
    exact = system.batch(STEPS * STEP, step=STEP, method="explicit-euler", parameters=columns)
    for name in (q.name for q in system.states):
        ends = exact[f"{name}.final"]
        error = (1e-11 if number == "double" else 1e-4) * max(np.max(np.abs(ends)), 1.0)
        np.testing.assert_allclose(cars.states[name].get(), ends, rtol=0, atol=error)
