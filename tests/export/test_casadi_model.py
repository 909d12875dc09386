"""The text over CasADi against the package's own rates, outputs and derivatives; models of acados,
by a small stand-in of its class, and of do-mpc, where it is installed."""

from __future__ import annotations

import importlib
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.catalogue import EXPORTS
from axletree.core.errors import AxletreeError, ExportError
from axletree.core.registry import load
from axletree.export.casadi_model import write_acados, write_casadi, write_do_mpc
from axletree.expr import ExternalFunction, call, symbol
from axletree.optimisation.dynamics import dynamics
from axletree.system.system import System

casadi = pytest.importorskip("casadi")

OUTPUTS = ["front_tyre.Fy", "rear_tyre.Fx"]


@pytest.fixture
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], types.ModuleType]:
    """A module of the written folder."""
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("model_casadi", "model_acados", "model_do_mpc"):
        monkeypatch.delitem(sys.modules, name, raising=False)

    def of(name: str) -> types.ModuleType:
        importlib.invalidate_caches()
        return importlib.import_module(name)

    return of


def moved(system: System) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(4)
    found = system.functions("f", "jacobian", outputs=[])
    x, u = found.point()
    return x + 0.1 * random.uniform(0.2, 1.0, len(x)), u + 0.1 * random.uniform(0.2, 1.0, len(u))


@pytest.mark.parametrize("name", ["bicycle-car", "four-bar"])
def test_the_text_has_the_rates_of_the_model(
    tmp_path: Path, imported: Callable[[str], types.ModuleType], name: str
) -> None:
    """Values and derivatives by all states and inputs; tables and corners are among the laws."""
    system = shipped_system(name)
    outputs = OUTPUTS if name == "bicycle-car" else []
    write_casadi(system, tmp_path, outputs=outputs)
    model = imported("model_casadi")
    t, x, u, p = model.symbols()
    rates, told = (casadi.vertcat(*one) for one in model.expressions(t, x, u, p))
    z, f = casadi.vertcat(x, u), casadi.vertcat(rates, told)
    both = casadi.Function("both", [x, u, p], [f, casadi.jacobian(f, z)])
    own = system.functions("f", "jacobian", outputs=outputs)
    values = moved(system)
    value, slopes = both(*values, model.p0)
    assert np.array(value).ravel() == pytest.approx(own.f(*values), rel=1e-10, abs=1e-9)
    expected = own.jacobian(*values)
    expected = expected.toarray() if hasattr(expected, "toarray") else np.asarray(expected)
    assert np.array(slopes) == pytest.approx(expected, rel=1e-8, abs=1e-6)
    assert [row[0] for row in model.STATES] == [q.name for q in system.states]


def test_it_needs_casadi_alone(tmp_path: Path) -> None:
    write_casadi(shipped_system("pendulum"), tmp_path)
    code = (
        "import sys, model_casadi as m; rates, _ = m.function()(0, m.x0, m.u0, m.p0);"
        "print(rates.shape[0], 'axletree' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["2", "False"]


def test_the_model_of_acados(
    tmp_path: Path, imported: Callable[[str], types.ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Explicit rates are the model's, and implicit ones vanish with them."""
    stand_in = types.ModuleType("acados_template")
    stand_in.AcadosModel = type("AcadosModel", (), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "acados_template", stand_in)
    system = shipped_system("bicycle-car")
    write_acados(system, tmp_path, outputs=OUTPUTS)
    made = imported("model_acados")
    model = made.acados_model("car")
    values = moved(system)
    p0 = imported("model_casadi").p0
    f = casadi.Function("f", [model.x, model.u, model.p], [model.f_expl_expr])
    expected = system.functions("f", outputs=OUTPUTS).f(*values)
    count = len(system.states)
    assert np.array(f(*values, p0)).ravel() == pytest.approx(expected[:count], rel=1e-10, abs=1e-9)
    g = casadi.Function("g", [model.xdot, model.x, model.u, model.p], [model.f_impl_expr])
    assert np.array(g(expected[:count], *values, p0)) == pytest.approx(0.0, abs=1e-8)
    output = made.output_expression(model, OUTPUTS[1])
    h = casadi.Function("h", [model.x, model.u, model.p], [output])
    assert float(h(*values, p0)) == pytest.approx(expected[count + 1], rel=1e-10)
    assert (model.name, model.x_labels[0]) == ("car", system.states[0].name)


def test_the_model_of_do_mpc(tmp_path: Path, imported: Callable[[str], types.ModuleType]) -> None:
    """Its simulator, by CVODES, ends where the package's own run does."""
    do_mpc = pytest.importorskip("do_mpc")
    system = shipped_system("bicycle-car")
    write_do_mpc(system, tmp_path, outputs=OUTPUTS)
    model = imported("model_do_mpc").do_mpc_model(values={"body.mass": 1600.0})
    simulator = do_mpc.simulator.Simulator(model)
    simulator.set_param(t_step=0.2, abstol=1e-10, reltol=1e-10)
    simulator.setup()
    found = imported("model_casadi")
    start = system.state({"chassis.vx": "20 m/s"})
    x0 = np.array([start[row[0]] for row in found.STATES])
    simulator.x0 = x0
    steer = np.array([0.02 if row[0] == "steer.angle" else 0.0 for row in found.INPUTS])
    x = simulator.make_step(steer[:, None])
    run = system.simulate(
        0.2, step=1e-4, initial=start, inputs={"steer.angle": 0.02},
        parameters={"body.mass": 1600.0}, outputs=[],
    )  # fmt: skip
    expected = [run[row[0]][-1] for row in found.STATES]
    assert np.array(x).ravel() == pytest.approx(expected, rel=1e-5, abs=1e-6)
    with pytest.raises(ValueError, match="no parameters of the model: body.weight"):
        imported("model_do_mpc").do_mpc_model(values={"body.weight": 1.0})


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(AxletreeError, match="front_tyre.Fy"):
        write_casadi(shipped_system("bicycle-car"), tmp_path, outputs=["front_tyre.Fyy"])
    law = ExternalFunction("law", ("a",), ("b",), lambda a: (a,), "")
    x = symbol("x")
    system = dynamics("mine", {"x [m]": call(law, x)[0]})
    with pytest.raises(ExportError, match="'law' is C text"):
        write_casadi(system, tmp_path)


def test_the_catalogue_has_them() -> None:
    assert load("export", "casadi", EXPORTS) is write_casadi
    assert load("export", "acados", EXPORTS) is write_acados
    assert load("export", "do-mpc", EXPORTS) is write_do_mpc
    assert at.__name__ == "axletree"
