"""The exported Fortran module is built with make, and gives what ``simulate`` gives."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from printed.fortran_reader import Module
from printed.systems import awkward_names, every_operation

import axletree as at
from axletree.catalogue import EXPORTS
from axletree.core.errors import AxletreeError, ExportError
from axletree.core.registry import load
from axletree.export.fortran import write_fortran
from axletree.simulation.simulate import simulate
from axletree.system.system import System

FLAGS = "-O1 -std=f2003 -Wall -pedantic -Werror -Wno-unused-dummy-argument -fcheck=all"
COMPILER = shutil.which("gfortran")
needs_compiler = pytest.mark.skipif(
    COMPILER is None or shutil.which("make") is None, reason="no gfortran, or no make"
)


def built_and_run(folder: Path) -> np.ndarray:
    made = subprocess.run(["make", f"FFLAGS={FLAGS}"], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    result = subprocess.run(["./example"], cwd=folder, capture_output=True, text=True, check=True)
    return np.loadtxt(io.StringIO(result.stdout), delimiter=",", skiprows=1)


def agrees(rows: np.ndarray, system: System, names: list[str]) -> None:
    run = simulate(system, 1.0, step=0.001)
    np.testing.assert_allclose(rows[:, 0], run.time, rtol=1e-14)
    assert rows.shape[1] == 1 + len(names)
    for column, name in enumerate(names, start=1):
        scale = max(np.abs(run[name]).max(), 1e-6)
        np.testing.assert_allclose(rows[:, column], run[name], rtol=1e-9, atol=1e-9 * scale)


@needs_compiler
@pytest.mark.parametrize("name", ["pendulum", "four-bar", "skidder"])
def test_the_example_gives_what_simulate_gives(name: str, tmp_path: Path) -> None:
    system = shipped_system(name)
    outputs = [system.outputs[0].quantity.name]
    folder = write_fortran(system, tmp_path / "out", outputs=outputs)
    names = [*(q.name for q in system.states), *outputs]
    agrees(built_and_run(folder), system, names)


@needs_compiler
@pytest.mark.parametrize("build", [every_operation, awkward_names])
def test_systems_by_hand_compile(build: object, tmp_path: Path) -> None:
    assert callable(build)
    system = build()
    rows = built_and_run(write_fortran(system, tmp_path))
    run = simulate(system, 0.01, step=0.001)
    for column, name in enumerate(run.names, start=1):
        np.testing.assert_allclose(rows[:11, column], run[name], rtol=1e-11)


def test_the_module_has_what_the_example_uses(tmp_path: Path) -> None:
    system = shipped_system("four-bar")
    folder = write_fortran(system, tmp_path, outputs=["rocker.position.x"])
    assert {path.name for path in folder.iterdir()} == {"Makefile", "main.f90", "model.f90"}
    module = Module((folder / "model.f90").read_text())
    main = (folder / "main.f90").read_text()
    called = set(re.findall(r"call (\w+)\(", main)) - {"step", "print_row"}
    assert called == {"defaults", "constants", "rhs", "outputs", "project"}
    assert called <= set(module.procedures)
    assert max(map(len, main.splitlines())) <= 132
    assert main.count("(") == main.count(")")


def test_defaults_are_consistent_and_places_are_named(tmp_path: Path) -> None:
    model = at.read_model("four-bar")
    model.start = {"a.angle": -1.2, "b.angle": 1.0}  # hints: the loop is open at these
    system = model.formulate()
    module = Module((write_fortran(system, tmp_path) / "model.f90").read_text())
    sizes = [module.constants[name] for name in ("n_states", "n_inputs", "n_parameters")]
    x, u, p = (np.full(size, np.nan) for size in sizes)
    module._call("defaults", [x, u, p])
    first = system.state()
    for name, value in first.items():
        place = module.constants[f"ix_{name.replace('.', '_')}"]
        assert x[place - 1] == pytest.approx(value, rel=1e-15)
    mass = next(k for k, q in enumerate(system.parameters) if q.name == "crank.mass")
    assert module.constants["ip_crank_mass"] == mass + 1
    assert p[mass] == system.parameters[mass].default


def test_grids_are_refused(tmp_path: Path) -> None:
    system = shipped_system("dropped-tyre")
    with pytest.raises(ExportError, match="export the system as C"):
        write_fortran(system, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(AxletreeError, match="expected a folder to write the Fortran module"):
        write_fortran(every_operation(), tmp_path / "out")


def test_the_catalogue_leads_here() -> None:
    assert load("export", "fortran", EXPORTS) is write_fortran
