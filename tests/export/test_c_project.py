"""The exported C project is built with make, and gives what ``simulate`` gives."""

from __future__ import annotations

import ctypes
import io
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from scipy.sparse import csc_array

import axletree as at
from axletree.catalogue import EXPORTS
from axletree.code.lowering import Extra, derivative_extras
from axletree.core.errors import AxletreeError
from axletree.core.registry import load
from axletree.export.c_project import write_c_project
from axletree.expr import sin, sqrt, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.simulation.simulate import simulate
from axletree.system.system import Definition, System

FLAGS = "-O2 -std=c99 -Wall -Wextra -pedantic -Werror -ffp-contract=off"
needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def pendulum() -> System:
    rate, angle = symbol("pin.rate"), symbol("pin.angle")
    length, torque = symbol("rod.length"), symbol("motor.torque")
    return System(
        name='pendulum "A" */',
        time=Quantity("time", "s", "Time.", Role.TIME),
        states=(
            Quantity("pin.rate", "rad/s", "Rate.", Role.SPEED),
            Quantity("pin.angle", "rad", "Angle from the vertical.", Role.COORDINATE, 0.3),
        ),
        inputs=(Quantity("motor.torque", "N m", "Torque per inertia.", Role.INPUT, 0.25),),
        parameters=(Quantity("rod.length", "m", "Length.", Role.PARAMETER, 0.7),),
        derivatives=(torque - 9.81 / length * sin(angle), rate),
        outputs=(
            Definition(Quantity("bob.height", "m", "Height.", Role.OUTPUT), -length * sin(angle)),
        ),
        intermediates=(),
        projection=None,
    )


def built_and_run(folder: Path, *arguments: str) -> np.ndarray:
    made = subprocess.run(["make", f"CFLAGS={FLAGS}"], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    result = subprocess.run(
        ["./example", *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return np.loadtxt(io.StringIO(result.stdout), delimiter=",", skiprows=1)


@needs_make
def test_the_example_gives_what_simulate_gives(pendulum: System, tmp_path: Path) -> None:
    folder = write_c_project(pendulum, tmp_path / "out")
    rows = built_and_run(folder, "2", "0.001")
    run = simulate(pendulum, 2.0, step=0.001)
    assert rows.shape == (2001, 4)
    np.testing.assert_allclose(rows[:, 0], run.time, rtol=1e-15)
    for column, name in enumerate(run.names, start=1):
        np.testing.assert_allclose(rows[:, column], run[name], rtol=1e-12, atol=1e-14)


@needs_make
def test_a_projection_is_part_of_the_example(pendulum: System, tmp_path: Path) -> None:
    x, y = symbol("x"), symbol("y")
    radius = sqrt(x * x + y * y)
    states = (
        Quantity("x", "m", "Position.", Role.COORDINATE, 1.0),
        Quantity("y", "m", "Position.", Role.COORDINATE),
    )
    circle = replace(
        pendulum,
        states=states,
        inputs=(),
        parameters=(),
        derivatives=(-y, x),
        outputs=(),
        projection=(x / radius, y / radius),
    )
    rows = built_and_run(write_c_project(circle, tmp_path), "3", "0.1")
    np.testing.assert_allclose(np.hypot(rows[:, 1], rows[:, 2]), 1.0, rtol=1e-15)
    run = simulate(circle, 3.0, step=0.1)
    np.testing.assert_allclose(rows[-1, 1:3], [run["x"][-1], run["y"][-1]], rtol=1e-12)


@needs_make
def test_run_writes_a_table_with_units(pendulum: System, tmp_path: Path) -> None:
    folder = write_c_project(pendulum, tmp_path)
    subprocess.run(["make", "run"], cwd=folder, capture_output=True, check=True)
    lines = (folder / "run.csv").read_text().splitlines()
    assert lines[0] == "time [s],pin.rate [rad/s],pin.angle [rad],bob.height [m]"
    assert len(lines) == 1002


@needs_make
def test_bad_arguments_are_refused(pendulum: System, tmp_path: Path) -> None:
    folder = write_c_project(pendulum, tmp_path)
    subprocess.run(["make"], cwd=folder, capture_output=True, check=True)
    result = subprocess.run(["./example", "-1"], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 2
    assert "usage" in result.stderr


def test_the_header_documents_the_layout(pendulum: System, tmp_path: Path) -> None:
    folder = write_c_project(pendulum, tmp_path, extras=[Extra.JACOBIAN])
    header = (folder / "model.h").read_text()
    assert "x[1]  pin.angle [rad] Angle from the vertical." in header
    assert "u[0]  motor.torque [N m] Torque per inertia." in header
    assert "MODEL_JACOBIAN_ENTRIES = 2" in header


@pytest.mark.skipif(shutil.which("cc") is None, reason="cc is not installed")
def test_derivatives_are_in_the_project_with_their_sparsity(
    pendulum: System, tmp_path: Path
) -> None:
    """As a caller in C has them: values from the routines, places from the arrays beside them."""
    extras = derivative_extras(["jacobian", "hessian", "adjoint"], ["rod.length"])
    folder = write_c_project(pendulum, tmp_path, extras=extras, by_parameters=["rod.length"])
    command = ["cc", *FLAGS.split(), "-fPIC", "-shared", "-o", "model.so", "model.c", "-lm"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    library = ctypes.CDLL(str(folder / "model.so"))
    arrays = {"x": [0.2, 0.7], "u": [0.3], "p": [0.9], "w": [1.0, -2.0, 0.5]}
    given = {name: np.array(values) for name, values in arrays.items()}
    layout = json.loads((folder / "layout.json").read_text())
    given["c"] = np.zeros(layout["sizes"]["constants"])
    library.model_constants(given["p"].ctypes, given["c"].ctypes)

    def evaluated(name: str) -> np.ndarray:
        routine = layout["routines"][name]
        result = np.zeros(routine["results"])
        values = [given[a].ctypes for a in routine["arguments"] if a != "t"]
        getattr(library, f"model_{name}")(ctypes.c_double(0.0), *values, result.ctypes)
        return result

    def matrix(name: str) -> np.ndarray:
        known = layout["matrices"][name]
        rows, starts = (
            list((ctypes.c_int * len(known[what])).in_dll(library, f"model_{name}_{what}"))
            for what in ("rows", "starts")
        )
        assert (rows, starts) == (known["rows"], known["starts"])
        return csc_array((evaluated(name), rows, starts), shape=known["shape"]).toarray()

    found = pendulum.functions("jacobian", "hessian", outputs=None, by_parameters=["rod.length"])
    slopes = np.hstack([matrix("full_jacobian"), matrix("parameter_jacobian")])
    point = given["x"], given["u"]
    expected = found.jacobian(*point, given["p"]).toarray()
    np.testing.assert_allclose(slopes, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(evaluated("adjoint"), given["w"] @ slopes, rtol=1e-12, atol=1e-12)
    half = matrix("hessian")
    assert not np.triu(half, 1).any()
    second = found.hessian(*point, given["w"], given["p"]).toarray()
    np.testing.assert_allclose(half + np.tril(half, -1).T, second, rtol=1e-12, atol=1e-12)


def test_other_files_are_left_alone(pendulum: System, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    write_c_project(pendulum, tmp_path)
    write_c_project(pendulum, tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"Makefile", "layout.json", "main.c", "model.c", "model.h", "notes.txt"}


def test_a_file_in_the_place_of_the_folder_is_refused(pendulum: System, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(AxletreeError, match="expected a folder"):
        write_c_project(pendulum, tmp_path / "out")


def test_the_catalogue_leads_here() -> None:
    assert load("export", "c", EXPORTS) is write_c_project


@needs_make
def test_a_closed_loop_starts_assembled(tmp_path: Path) -> None:
    model = at.read_model("four-bar")
    model.start = {"a.angle": -1.2, "b.angle": 1.0}  # hints: the loop is open at these
    system = model.formulate()
    folder = write_c_project(system, tmp_path / "out", outputs=["rocker.position.x"])
    rows = built_and_run(folder, "0.2", "0.001")
    run = simulate(system, 0.2, step=0.001)
    for column, name in enumerate((*run.states, "rocker.position.x"), start=1):
        np.testing.assert_allclose(rows[:, column], run[name], rtol=1e-9, atol=1e-10)


def test_the_heading_of_the_columns_is_that_of_a_csv_file(tmp_path: Path) -> None:
    system = shipped_system("pendulum")
    folder = write_c_project(system, tmp_path / "out")
    run = simulate(system, 0.1, step=0.01)
    written = run.to_csv(tmp_path / "run.csv").read_text().splitlines()[0]
    labels = re.findall(r'fputs\("([^"]*)", stdout\)', (folder / "main.c").read_text())
    assert "".join(labels) == written
