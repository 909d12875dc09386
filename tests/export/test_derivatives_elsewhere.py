"""Derivatives as MATLAB and Fortran, run by Octave and gfortran, are those of the compiled C."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.code.backends.c_backend import C
from axletree.code.lowering import Extra, lower
from axletree.core.arrays import FloatArray
from axletree.export.fortran import write_fortran
from axletree.export.matlab import write_matlab
from axletree.export.realtime.packets import Channels, PacketKind
from axletree.export.realtime.runner import write_runner

OCTAVE, FORTRAN = shutil.which("octave-cli"), shutil.which("gfortran")
needs_octave = pytest.mark.skipif(OCTAVE is None, reason="no octave-cli")
needs_fortran = pytest.mark.skipif(FORTRAN is None, reason="no gfortran")
EXTRAS = (Extra.FULL_JACOBIAN, Extra.HESSIAN)


def expected(name: str) -> tuple[FloatArray, FloatArray]:
    """Nonzeros of the Jacobian and of the Hessian for weights 1, 2, ..., at the model's values."""
    program = lower(shipped_system(name), (), EXTRAS)
    model = C.load(program)
    x, u, p = (
        [q.default for q in of] for of in (program.states, program.inputs, program.parameters)
    )
    c = model.constants(p)
    assert program.full_jacobian is not None
    assert program.hessian is not None
    weights = 1.0 + np.arange(len(program.states), dtype=float)
    jacobian = model.evaluate(program.full_jacobian.routine, 0.0, x, u, c)
    return jacobian, model.evaluate(program.hessian.routine, 0.0, x, u, c, weights)


def close(found: FloatArray, wanted: FloatArray) -> None:
    assert wanted.size > 0
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-11 * np.abs(wanted).max())


def octave(folder: Path, text: str) -> str:
    assert OCTAVE is not None
    command = [OCTAVE, "--norc", "--no-history", "--eval", text]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


@needs_octave
@pytest.mark.parametrize("name", ["bicycle-car", pytest.param("car", marks=pytest.mark.long)])
def test_octave_gives_the_derivatives(name: str, tmp_path: Path) -> None:
    write_matlab(shipped_system(name), tmp_path, outputs=[], extras=EXTRAS)
    said = octave(
        tmp_path,
        "[x, u, p] = model_defaults(); c = model_constants(p); w = (1:numel(x)).';"
        "printf('%.17g\\n', full(model_full_jacobian(0, x, u, c))); printf('\\n');"
        "printf('%.17g\\n', full(model_hessian(0, x, u, c, w)));",
    )
    jacobian, hessian = (np.loadtxt(io.StringIO(part)) for part in said.strip().split("\n\n"))
    for found, wanted in zip((jacobian, hessian), expected(name), strict=True):
        close(found[found != 0.0], wanted[wanted != 0.0])


@needs_fortran
@pytest.mark.parametrize("name", ["bicycle-car", pytest.param("car", marks=pytest.mark.long)])
def test_fortran_gives_the_derivatives(name: str, tmp_path: Path) -> None:
    assert FORTRAN is not None
    jacobian, hessian = expected(name)
    write_fortran(shipped_system(name), tmp_path, outputs=[], extras=EXTRAS)
    (tmp_path / "main.f90").write_text(
        "program one\n  use model\n  implicit none\n  integer :: k\n"
        "  real(dp) :: x(n_states), u(n_inputs), p(n_parameters), c(n_constants)\n"
        f"  real(dp) :: w(n_states), j({jacobian.size}), h({hessian.size})\n"
        "  call defaults(x, u, p)\n  call constants(p, c)\n"
        "  w = [(real(k, dp), k = 1, n_states)]\n"
        "  call full_jacobian(0.0_dp, x, u, c, j)\n  call hessian(0.0_dp, x, u, c, w, h)\n"
        "  write (*, '(es25.17e3)') j, h\nend program one\n"
    )
    made = subprocess.run(
        [FORTRAN, "-std=f2003", "-O0", "-o", "one", "model.f90", "main.f90"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    said = subprocess.run(["./one"], cwd=tmp_path, capture_output=True, text=True, check=True)
    found = np.loadtxt(io.StringIO(said.stdout))
    close(found[: jacobian.size], jacobian)
    close(found[jacobian.size :], hessian)


@needs_octave
def test_octave_packs_what_the_page_of_the_matlab_client_says(tmp_path: Path) -> None:
    """The bytes that the page puts together are those of the Python client; no socket of MATLAB."""
    page = (Path(__file__).parents[2] / "docs/how-to/real-time-clients.md").read_text("utf-8")
    code = page.partition("```matlab\n")[2].partition("```")[0]
    lines = [line for line in code.splitlines() if "udpport" not in line]
    packing = "\n".join(lines).partition("write(link")[0]
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}).formulate()
    folder = write_runner(car, tmp_path / "out" / "sedan" / "realtime", outputs=[])
    (tmp_path / "packing.m").write_text(f"{packing}\nprintf('%d ', packet(1, 1, inputs));\n")
    channels = Channels.read(folder)
    values = [0.1 if name == "driver.steering" else float("nan") for name in channels.inputs]
    packet = channels.packet(PacketKind.SET, values, sequence=1)
    found = bytes(map(int, octave(tmp_path, "packing").split()))
    assert found[:24] == packet[:24]
    assert np.array_equal(np.frombuffer(found[24:]), np.frombuffer(packet[24:]), equal_nan=True)
