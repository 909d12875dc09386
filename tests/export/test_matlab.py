"""The exported MATLAB functions give what ``simulate`` gives; Octave runs them where it is."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from printed.matlab_reader import read_matlab
from printed.systems import awkward_names, every_operation

from axletree.catalogue import EXPORTS
from axletree.core.errors import ExportError
from axletree.core.registry import load
from axletree.export.matlab import write_matlab
from axletree.simulation.simulate import simulate

OCTAVE = shutil.which("octave-cli")
needs_octave = pytest.mark.skipif(OCTAVE is None, reason="no octave-cli")
SHOWN = "fprintf([repmat('%.17g,', 1, size(x, 2) + size(y, 2)), '%.17g\\n'], [t, x, y].');"


def octave(folder: Path, text: str) -> str:
    assert OCTAVE is not None
    command = [OCTAVE, "--norc", "--no-history", "--eval", text]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


@needs_octave
@pytest.mark.parametrize("name", ["pendulum", "four-bar", "skidder"])
def test_a_run_is_that_of_simulate(name: str, tmp_path: Path) -> None:
    system = shipped_system(name)
    outputs = [system.outputs[0].quantity.name]
    folder = write_matlab(system, tmp_path, outputs=outputs)
    text = octave(folder, f"[t, x, y] = model_run(0.05, 0.001); {SHOWN}")
    rows = np.loadtxt(io.StringIO(text), delimiter=",")
    run = simulate(system, 0.05, step=0.001)
    np.testing.assert_allclose(rows[:, 0], run.time, rtol=1e-14)
    for column, quantity in enumerate((*system.states, system.outputs[0].quantity), start=1):
        expected = run[quantity.name]
        scale = max(np.abs(expected).max(), 1e-6)
        np.testing.assert_allclose(rows[:, column], expected, rtol=1e-10, atol=1e-10 * scale)


@needs_octave
@pytest.mark.parametrize("build", [every_operation, awkward_names])
def test_systems_by_hand_run(build: object, tmp_path: Path) -> None:
    assert callable(build)
    system = build()
    folder = write_matlab(system, tmp_path)
    text = octave(folder, f"[t, x, y] = model_run(0.01, 0.001); {SHOWN}")
    rows = np.loadtxt(io.StringIO(text), delimiter=",")
    run = simulate(system, 0.01, step=0.001)
    for column, name in enumerate(run.names, start=1):
        np.testing.assert_allclose(rows[:, column], run[name], rtol=1e-11)


@needs_octave
@pytest.mark.parametrize("name", ["pendulum", "slider-crank"])
def test_the_example_shows_the_states_after_one_second(name: str, tmp_path: Path) -> None:
    system = shipped_system(name)
    text = octave(write_matlab(system, tmp_path), "model_example")
    found = dict(line.split() for line in text.splitlines())
    run = simulate(system, 1.0, step=0.001)
    for quantity in system.states:
        shown = float(found[quantity.name.replace(".", "_")])
        assert shown == pytest.approx(run[quantity.name][-1], rel=1e-5, abs=1e-6)


def test_the_files_are_there(tmp_path: Path) -> None:
    folder = write_matlab(shipped_system("skidder"), tmp_path)
    names = {path.stem for path in folder.iterdir()}
    routines = {"model_constants", "model_rhs", "model_outputs", "model_defaults", "model_indices"}
    assert routines | {"model_run", "model_example", "model_fiala"} <= names
    for name in ("model_run", "model_example"):
        text = (folder / f"{name}.m").read_text()
        called = set(re.findall(r"\b(model_[a-z_0-9]+)\(", text))
        assert called <= names
        assert text.count("(") == text.count(")")


def test_defaults_and_indices_are_those_of_the_system(tmp_path: Path) -> None:
    system = shipped_system("skidder")
    folder = write_matlab(system, tmp_path)
    lines = (folder / "model_defaults.m").read_text().splitlines()
    values = re.findall(r"^    ([xup])\((\d+)\) = (.*);$", "\n".join(lines), re.M)
    found = {(array, int(k)): float(value) for array, k, value in values}
    first = system.state()
    for k, quantity in enumerate(system.states, start=1):
        assert found["x", k] == first[quantity.name]
    for k, quantity in enumerate(system.parameters, start=1):
        assert found["p", k] == quantity.default
    indices = (folder / "model_indices.m").read_text()
    for k, quantity in enumerate(system.states, start=1):
        assert f"ix.{quantity.name.replace('.', '_')} = {k};" in indices


def test_the_right_hand_side_says_what_it_takes(tmp_path: Path) -> None:
    system = shipped_system("skidder")
    text = (write_matlab(system, tmp_path) / "model_rhs.m").read_text()
    for k, quantity in enumerate(system.states, start=1):
        assert f"x({k})  {quantity.name} [{quantity.unit}]" in text
    functions = read_matlab({path.name: path.read_text() for path in routines(tmp_path)})
    assert "model_rhs" in functions


def routines(folder: Path) -> list[Path]:
    others = ("model_defaults", "model_indices", "model_run", "model_example")
    return [path for path in sorted(folder.iterdir()) if path.stem not in others]


def test_grids_are_refused(tmp_path: Path) -> None:
    system = shipped_system("dropped-tyre")
    with pytest.raises(ExportError, match="C text alone, which MATLAB does not have"):
        write_matlab(system, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_catalogue_leads_here() -> None:
    assert load("export", "matlab", EXPORTS) is write_matlab
