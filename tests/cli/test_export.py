"""``axletree export`` to FMUs, MATLAB, Fortran, LaTeX, of models and of systems by hand."""

from __future__ import annotations

import errno
import json
import math
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import axletree as at
from axletree.cli.app import app
from axletree.export.fmu.binaries import this_platform

BY_HAND = """\
from functools import lru_cache

import axletree as at
from axletree.expr import sin, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.language import parameters, rate, state_space, variables
from axletree.system.system import System

theta, omega, g, L = symbol("theta"), symbol("omega"), symbol("g"), symbol("L")
pendulum = System(
    name="pendulum",
    time=Quantity("time", "s", "time", Role.TIME),
    states=(
        Quantity("theta", "rad", "angle", Role.STATE, 0.3),
        Quantity("omega", "rad/s", "rate", Role.STATE),
    ),
    inputs=(),
    parameters=(
        Quantity("g", "m/s^2", "gravity", Role.PARAMETER, 9.81),
        Quantity("L", "m", "length", Role.PARAMETER, 1.0),
    ),
    derivatives=(omega, -g / L * sin(theta)),
    outputs=(),
    intermediates=(),
    projection=None,
)
number = 3


def model():
    return at.read_model("pendulum")


@lru_cache
def space():
    import sympy

    (phi,) = variables("phi")
    a, b = parameters("a b")
    row = a * rate(phi, 2) + b * sympy.sin(phi)
    return state_space("swing", [row], [phi], parameters={a: 2.0, b: 3.0})
"""


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


@pytest.fixture
def by_hand(tmp_path: Path) -> str:
    path = tmp_path / "by_hand.py"
    path.write_text(BY_HAND)
    return str(path)


@pytest.mark.parametrize(
    ("target", "files"),
    [
        ("fortran", "Makefile, main.f90, model.f90"),
        ("latex", "model.tex"),
        (
            "matlab",
            "model_constants.m, model_defaults.m, model_example.m, model_indices.m, "
            "model_outputs.m, model_rhs.m, model_run.m",
        ),
    ],
)
@pytest.mark.parametrize("name", ["pendulum", "model", "space"])
def test_what_is_written_is_listed(
    target: str, files: str, name: str, by_hand: str, tmp_path: Path
) -> None:
    result = invoke(target, f"{by_hand}:{name}", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{tmp_path / 'out'}: {files}\n"


def test_a_folder_that_is_not_written_whole_stays_as_it_was(
    by_hand: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert invoke("fortran", f"{by_hand}:pendulum", out).exit_code == 0
    before = {path.name: path.read_text() for path in out.iterdir()}
    opened = Path.open

    def full_at_the_end(self: Path, mode: str = "r", *others: Any, **named: Any) -> Any:
        if "w" in mode and "Makefile" in self.name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return opened(self, mode, *others, **named)

    monkeypatch.setattr(Path, "open", full_at_the_end)
    result = invoke("fortran", f"{by_hand}:space", out)
    assert result.exit_code == 2
    assert f"cannot write {out / 'Makefile'}: No space left" in result.output
    assert {path.name: path.read_text() for path in out.iterdir()} == before


def test_a_system_by_hand_keeps_its_equations(by_hand: str, tmp_path: Path) -> None:
    invoke("latex", f"{by_hand}:pendulum", tmp_path)
    text = (tmp_path / "model.tex").read_text()
    assert r"\dot{\theta} &= \omega" in text
    assert r"\dot{\omega} &= -\frac{g \, \sin\left(\theta\right)}{L}" in text
    invoke("latex", f"{by_hand}:space", tmp_path)
    text = (tmp_path / "model.tex").read_text()
    assert r"a \, \dot{V}_{\phi} &= -b \, \sin\left(\phi\right)" in text


@pytest.mark.parametrize("target", ["matlab", "fortran"])
def test_functions_in_c_are_a_message(target: str, tmp_path: Path) -> None:
    result = invoke(target, "dropped-tyre", tmp_path / "out")
    assert result.exit_code != 0
    assert "export the system as C" in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_derivatives_are_written_where_they_are_asked_for(by_hand: str, tmp_path: Path) -> None:
    asked = ("--derivatives", "jacobian", "--derivatives", "hessian", "--by-parameter", "L")
    result = invoke("fortran", f"{by_hand}:pendulum", tmp_path, *asked)
    assert result.exit_code == 0, result.output
    text = (tmp_path / "model.f90").read_text()
    for name in ("full_jacobian", "parameter_jacobian", "hessian"):
        assert f"subroutine {name}(" in text
    result = invoke("matlab", f"{by_hand}:pendulum", tmp_path, "--derivatives", "adjoint")
    assert (
        "function wdf = model_adjoint(t, x, u, c, w)" in (tmp_path / "model_adjoint.m").read_text()
    )


@pytest.mark.parametrize(
    ("target", "asked", "message"),
    [
        ("c", ("--derivatives", "jacobain"), "did you mean 'jacobian'"),
        ("latex", ("--derivatives", "jacobian"), "'latex' has no routines of derivatives"),
        ("c", ("--by-parameter", "L"), "add --derivatives jacobian"),
        ("c", ("--derivatives", "hessian", "--by-parameter", "M"), "unknown parameter 'M'"),
    ],
)
def test_derivatives_that_cannot_be_written_are_a_message(
    target: str, asked: tuple[str, ...], message: str, by_hand: str, tmp_path: Path
) -> None:
    result = invoke(target, f"{by_hand}:pendulum", tmp_path / "out", *asked)
    assert result.exit_code != 0
    assert message in " ".join(result.stderr.split())
    assert not (tmp_path / "out").exists()


def test_other_objects_and_idle_options_are_refused(by_hand: str, tmp_path: Path) -> None:
    result = invoke("latex", f"{by_hand}:number", tmp_path)
    assert result.exit_code != 0
    assert "number is no model but int" in " ".join(result.stderr.split())
    result = invoke("latex", f"{by_hand}:pendulum", tmp_path, "--form", "baumgarte")
    assert result.exit_code != 0
    assert "--tree and --form do not apply" in " ".join(result.stderr.split())


def test_an_fmu_is_one_file(tmp_path: Path) -> None:
    file = tmp_path / "new" / "pendulum.fmu"
    result = invoke("fmu", "pendulum", file, "--fmi", "3", "--output", "energy.total",
                    "--initial", "pin.angle=10 deg", "--platform", this_platform())  # fmt: skip
    assert result.exit_code == 0, result.stderr
    said = result.stdout.replace("\n", "")
    assert "pendulum.fmu: FMI 3, " in said
    assert said.endswith(f"KB, {this_platform()}")
    with zipfile.ZipFile(file) as archive:
        assert f'start="{math.radians(10.0)!r}"' in archive.read("modelDescription.xml").decode()


def test_fidelity_method_and_outputs_are_chosen(tmp_path: Path) -> None:
    result = invoke("c", "sedan", tmp_path, "--model", "linear", "--method", "semi-implicit-euler",
                    "--output", "vehicle.yaw_rate")  # fmt: skip
    assert result.exit_code == 0, result.stderr
    layout = json.loads((tmp_path / "layout.json").read_text())
    assert layout["stepper"]["method"] == "semi-implicit-euler"
    assert [one["name"] for one in layout["outputs"]] == ["vehicle.yaw_rate"]
    assert len(layout["states"]) < 20  # the full car has 44
    wrong = invoke("c", "written.py:car", tmp_path, "--model", "linear")
    assert wrong.exit_code == 2
    assert "--model does not apply" in wrong.stderr


@pytest.mark.parametrize("target", ["c", "realtime"])
def test_steps_are_those_of_the_stepper_of_the_model(target: str, tmp_path: Path) -> None:
    """Of set-valued forces steps of sweeps, in the form that these need; with a method of smooth
    forces its own."""
    name = "quarter-vehicle-on-soil"
    own = at.read_model(name).stepper(outputs=[])
    for words, method in (([], own.prepared.method.name), (["--method", "rk4"], "rk4")):
        done = invoke(target, name, tmp_path / method, *words)
        assert done.exit_code == 0, done.output
        layout = json.loads((tmp_path / method / "layout.json").read_text())
        assert layout["stepper"]["method"] == method
        assert layout["stepper"]["fixed_cost"]
        assert layout["stepper"]["operations"] is not None
    assert own.prepared.method.name == "complementarity-sweeps"


def test_settings_of_an_fmu_are_refused_elsewhere(tmp_path: Path) -> None:
    for arguments, expected in (
        (
            ("c", "pendulum", tmp_path / "c", "--fmi", "3"),
            "export c takes no --fmi",
        ),
        (("c", "pendulum", tmp_path / "c", "--platform", "x"), "export c takes no --platform"),
        (("latex", "pendulum", tmp_path / "c", "--output", "x"), "takes no --output"),
        (("fmu", "pendulum", tmp_path / "a.fmu", "--fmi", "4"), "expected 2 or 3"),
        (
            ("fmu", "pendulum", tmp_path / "a.fmu", "--component", "rood"),
            "unknown component 'rood'",
        ),
        (("fmu", "sedan", tmp_path / "a.fmu", "--speed", "1", "--speed", "2"), "at one speed"),
        (("fmu", "pendulum", tmp_path / "a.fmu", "--initial", "pin.angle"), "expected NAME=VALUE"),
    ):
        result = invoke(*arguments)
        assert result.exit_code == 2
        assert expected in " ".join(result.stderr.split())
    assert not list(tmp_path.iterdir())


def test_a_system_by_hand_is_an_fmu(by_hand: str, tmp_path: Path) -> None:
    """It has no outputs, no inputs and no picture."""
    for name in ("pendulum", "space"):
        file = tmp_path / f"{name}.fmu"
        asked = ("--platform", this_platform())  # for all, ziglang makes four libraries of C first
        assert invoke("fmu", f"{by_hand}:{name}", file, *asked).exit_code == 0
        with zipfile.ZipFile(file) as archive:
            text = archive.read("modelDescription.xml").decode()
        assert text.count("<ScalarVariable") == 1 + 2 + 2 + 2 + 1
